/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/import/import-context.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The part of a plan that a format stores. Readers read every part but a whole plan into the open
 * plan. */
typedef enum
{
  PLG_SUBJECT_PLAN,
  PLG_SUBJECT_CLUSTER,
  PLG_SUBJECT_MODEL,
  PLG_SUBJECT_TRAINING,  /* arguments or configuration of a framework */
  PLG_SUBJECT_PLACEMENT, /* placement of ranks: launchers, rank lists */
  PLG_SUBJECT_REPORT,    /* results; only written */
  PLG_SUBJECT_SIMULATOR, /* input of other simulators; mostly written */
} PlgSubject;
#define PLG_N_SUBJECTS 7

/* The general syntax of a format. */
typedef enum
{
  PLG_SYNTAX_TEXT, /* a syntax of its own */
  PLG_SYNTAX_XML,
  PLG_SYNTAX_JSON,
  PLG_SYNTAX_TOML,
  PLG_SYNTAX_YAML,
} PlgSyntax;

/* The input of a writer. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* report on PLAN with links and findings, or NULL */
  PlgPlanSource *source;   /* the file from which PLAN was read, or NULL */
  /* Draws the picture NAME ("cluster", "memory", …) as SVG; NULL if no pictures can be drawn. */
  GBytes *(*picture) (const char *name, gpointer data, GError **error);
  gpointer picture_data;
} PlgExportContext;

/* A file format, defined in a file of its own. format.c has the table of all formats. */
typedef struct
{
  const char *name;   /* "xml", "yaml", … for --to */
  const char *suffix; /* ".plan.xml" */
  const char *title;  /* N_(), one line for --list */
  PlgSubject subject;
  gboolean has_host_numbers; /* files can identify unnamed hosts by number */
  gboolean needs_names;      /* files address hosts by name, without an allocation of hosts */
  PlgSyntax syntax;          /* for readable formats */
  /* Characteristic elements, keys or words of readable files, also for messages ("<plan>",
   * "zero_optimization, train_batch_size"), or NULL. */
  const char *sign;
  /* Whether DATA, NUL-terminated and after a byte order mark and white space, has this format. The
   * check does not parse all of DATA. NULL for formats that are only written. */
  gboolean (*is) (const char *data, gsize size);
  gboolean (*read) (PlgImportContext *context, GError **error);
  /* For PLG_SUBJECT_PLACEMENT: whether files can store the placement of PLAN; else ERROR
   * (PLG_FORMAT_ERROR_PLACEMENT) names the ranks that they cannot. NULL for any placement. */
  gboolean (*can_place) (const PlgPlan *plan, GError **error);
  /* Fails for features of the plan that files cannot store, naming a format that can. NULL for
   * formats that are only read. */
  GBytes *(*write) (const PlgExportContext *export, GError **error);
} PlgFormat;

const PlgFormat *const *plg_formats (int *n);
const PlgFormat *plg_format_find (const char *name);

/* The result of reading a file. */
typedef struct
{
  const PlgFormat *format;
  PlgPlan *plan;         /* a whole plan, or the base with the settings of the file */
  PlgPlanSource *source; /* for plan XML; else NULL */
  GPtrArray *notes;      /* element-type PlgNote, in the order of the file */
  gboolean is_one_node;  /* the file describes a node without the number of nodes */
  gboolean is_one_host;  /* the file describes only one host of a node */
  char *name;            /* display name of the file */
} PlgImportResult;

void plg_import_result_free (PlgImportResult *import);
/* One line "NAME:LINE: text" for each note of the KINDS (a mask of 1 << PlgNoteKind) and for the
 * notice of the source, or NULL. g_free(). */
char *plg_import_result_text (const PlgImportResult *import, guint kinds);

/* The format of BYTES by their content, or NULL if no format can read them. */
const PlgFormat *plg_format_detect (GBytes *bytes);

/* plg_format_read:
 * @name: display name of the file, before the line in messages: "NAME:LINE: message"
 * @base: (nullable): the plan with the values that the file omits; %NULL for the default plan
 *
 * Detects the format of @bytes and reads them.
 *
 * Returns: (transfer full) (nullable): the result, or %NULL with @error
 */
PlgImportResult *plg_format_read (GBytes *bytes,
                                  const char *name,
                                  const PlgPlan *base,
                                  const PlgCatalogue *catalogue,
                                  GError **error);

/* Like plg_format_read() for bytes of the known FORMAT, which must have a reader. */
PlgImportResult *plg_format_read_as (const PlgFormat *format,
                                     GBytes *bytes,
                                     const char *name,
                                     const PlgPlan *base,
                                     const PlgCatalogue *catalogue,
                                     GError **error);

/* Like plg_format_read() for a path, or "-" for standard input. Errors may also be G_FILE_ERROR,
 * for example for directories and for unreadable or too large files. */
PlgImportResult *plg_format_read_file (const char *path,
                                       const PlgPlan *base,
                                       const PlgCatalogue *catalogue,
                                       GError **error);

/* Whether FORMAT stores placements and can store the placement of PLAN. */
gboolean plg_format_keeps_placement (const PlgFormat *format, const PlgPlan *plan);

/* Writes the plan as FORMAT, which must have a writer. */
GBytes *plg_format_write (const PlgFormat *format, const PlgExportContext *export, GError **error);

/* Whether files of FORMAT leave the placement of PLAN, whose ranks were moved by hand, to a
 * launcher (plg_format_keeps_placement()). */
gboolean plg_format_omits_placement (const PlgFormat *format, const PlgPlan *plan);

/* A translated note on the values of PLAN that files of FORMAT leave to other programs, or NULL.
 * g_free(). */
char *plg_format_write_note (const PlgFormat *format, const PlgPlan *plan);

/* TEXT cut to at most MAXIMUM characters, for messages. g_free(). */
char *plg_text_excerpt (const char *text, int maximum);

/* The bytes of a file, or of standard input for "-". Always sets *NAME to the display name
 * (g_free()), with which errors begin. */
GBytes *plg_read_file (const char *path, char **name, GError **error);

/* Writes BYTES so that a crash or a full disk leaves either the old or the new file. The function
 * follows symbolic links and keeps permissions. */
gboolean plg_write_file (const char *path, GBytes *bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgImportResult, plg_import_result_free)

G_END_DECLS
