/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/import/import-context.h"

G_BEGIN_DECLS

/* The part of a plan that a format stores. Readers of a whole plan replace the open plan; all
 * other readers change only a part of it. */
typedef enum
{
  PLG_SUBJECT_PLAN,
  PLG_SUBJECT_CLUSTER,
  PLG_SUBJECT_MODEL,
  PLG_SUBJECT_TRAINING,  /* arguments or configuration of a training framework */
  PLG_SUBJECT_PLACEMENT, /* placement of ranks: launchers and lists of ranks */
  PLG_SUBJECT_REPORT,    /* results, which are only exported and never imported */
  PLG_SUBJECT_SIMULATOR, /* input for other simulators; most of these formats can only be written */
} PlgSubject;
#define PLG_N_SUBJECTS 7

/* The syntax on which a file format is based. */
typedef enum
{
  PLG_SYNTAX_TEXT, /* a syntax that only this format uses */
  PLG_SYNTAX_XML,
  PLG_SYNTAX_JSON,
  PLG_SYNTAX_TOML,
  PLG_SYNTAX_YAML,
} PlgSyntax;

/* The input of PlgFormat.write. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* report on PLAN, with links and findings, or NULL */
  PlgPlanSource *source;   /* the file from which PLAN was read, or NULL */
  /* Names the sources of constants. NULL if reports shall name none. */
  const PlgCatalogue *catalogue;
  /* The published runs like PLAN (io/runs/similar-runs.h), or NULL if reports shall name none. */
  const struct _PlgSimilarRuns *similar;
  /* Draws the picture NAME ("cluster", "memory", …) as SVG. NULL if no pictures can be drawn. */
  GBytes *(*picture) (const char *name, gpointer data, GError **error);
  gpointer picture_data;
  /* The titles of the formats that can store the placement of PLAN, NULL-terminated.
   * plg_format_write() sets this member if ranks were moved by hand and the written format
   * cannot store the placement; otherwise, it is NULL. */
  const char *const *placement_formats;
} PlgExportContext;

/* A file format. Each format is defined in a separate file, and io/registry/format-table.c has
 * the table of all formats. */
typedef struct
{
  const char *name;   /* the format's name for --to, such as "xml" or "yaml" */
  const char *suffix; /* ".plan.xml" */
  const char *title;  /* the title for --list, one line marked with N_() */
  PlgSubject subject;
  gboolean has_host_numbers; /* whether files in this format can identify unnamed hosts by number */
  gboolean needs_names;      /* whether files in this format must name all hosts, because no job
                                allocation assigns hosts to the nodes */
  PlgSyntax syntax;          /* the syntax of the files, if the format can be read */
  /* Elements, keys or words that identify the format, such as "<plan>" or "zero_optimization,
   * train_batch_size". Messages also show them. NULL if the format has none. */
  const char *sign;
  /* Returns whether DATA has this format. DATA is NUL-terminated, without its byte order mark
   * and leading white space. The check does not parse all of DATA. NULL for formats that are
   * only written. */
  gboolean (*is) (const char *data, gsize size);
  gboolean (*read) (PlgImportContext *context, GError **error);
  /* For PLG_SUBJECT_PLACEMENT: returns whether the format can store the placement of PLAN. If
   * not, ERROR (PLG_FORMAT_ERROR_PLACEMENT) names the ranks that the format cannot place. NULL
   * if the format can store any placement. */
  gboolean (*can_place) (const PlgPlan *plan, GError **error);
  /* Writes the file. Fails if the format cannot store a feature of the plan; the error then
   * names a format that can. NULL for formats that are only read. */
  GBytes *(*write) (const PlgExportContext *export, GError **error);
} PlgFormat;

/* Takes ownership of TEXT and returns its bytes (transfer full). Writers use this function to
 * return the text of the file. */
GBytes *plg_take_text (char *text) G_GNUC_WARN_UNUSED_RESULT;
/* Returns whether EXPORT has a report; if not, sets ERROR. */
gboolean plg_need_report (const PlgExportContext *export, GError **error);

G_END_DECLS
