/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/import/import-context.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What of a plan a format is about. All but a whole plan is read into the plan that is open. */
typedef enum
{
  PLG_SUBJECT_PLAN,
  PLG_SUBJECT_CLUSTER,
  PLG_SUBJECT_MODEL,
  PLG_SUBJECT_TRAINING,  /* a framework's arguments or configuration */
  PLG_SUBJECT_PLACEMENT, /* who starts where: launchers, rank lists */
  PLG_SUBJECT_REPORT,    /* results; written only */
  PLG_SUBJECT_SIMULATOR, /* other programs that predict; mostly written */
} PlgSubject;
#define PLG_N_SUBJECTS 7

/* What a format is written in, where others have readers for that. */
typedef enum
{
  PLG_SYNTAX_TEXT, /* its own */
  PLG_SYNTAX_XML,
  PLG_SYNTAX_JSON,
  PLG_SYNTAX_TOML,
  PLG_SYNTAX_YAML,
} PlgSyntax;

/* What a writer is given. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* of PLAN, with links and findings; NULL: no results are wanted */
  PlgPlanSource *source;   /* what PLAN was read from, or NULL */
  /* The SVG of the picture NAMED ("cluster", "memory", …) for formats that hold pictures; NULL
   * where there is nobody to draw. */
  GBytes *(*picture) (const char *name, gpointer data, GError **error);
  gpointer picture_data;
} PlgExportContext;

/* One file each; format.c has the table of them all. */
typedef struct
{
  const char *name;   /* "xml", "yaml", … for --to */
  const char *suffix; /* ".plan.xml" */
  const char *title;  /* N_() one line for --list */
  PlgSubject subject;
  /* It reaches hosts by their names, and knows of no allocation that has others. */
  gboolean has_host_numbers; /* beside that, it tells hosts without names by their numbers */
  gboolean needs_names;
  /* Of those that are read: what a file is written in, and the elements, keys or words that tell
   * it, for messages ("<plan>", "zero_optimization, train_batch_size"); NULL: no word does. */
  PlgSyntax syntax;
  const char *sign;
  /* Whether DATA (after a byte order mark and space, a NUL behind it) is of this format, from its
   * content alone and without parsing all of it. NULL: it is only written. */
  gboolean (*is) (const char *data, gsize size);
  gboolean (*read) (PlgImportContext *context, GError **error);
  /* Of PLG_SUBJECT_PLACEMENT: whether it can say where the ranks of PLAN are; else ERROR
   * (PLG_FORMAT_ERROR_PLACEMENT) tells which are in its way. NULL: it can say any placement. */
  gboolean (*can_place) (const PlgPlan *plan, GError **error);
  /* NULL: it is only read. What PLAN asks for and this format cannot say is an error that tells
   * which can. */
  GBytes *(*write) (const PlgExportContext *export, GError **error);
} PlgFormat;

const PlgFormat *const *plg_formats (int *n);
const PlgFormat *plg_format_find (const char *name);

/* What was read. */
typedef struct
{
  const PlgFormat *format;
  PlgPlan *plan;         /* a whole plan, or the base with what the file says of it */
  PlgPlanSource *source; /* of plan XML; else NULL */
  GPtrArray *notes;      /* of PlgNote, in the order of the file */
  gboolean is_one_node;  /* the file tells what is inside a node, and not how many there are */
  gboolean is_one_host;  /* and of one of its hosts alone */
  char *name;            /* of the file, as it is shown */
} PlgImportResult;

void plg_import_result_free (PlgImportResult *import);
/* What people should be told: a line "NAME:LINE: text" for each note of the KINDS (1 <<
 * PlgNoteKind), and what the source says. NULL: nothing. g_free(). */
char *plg_import_result_text (const PlgImportResult *import, guint kinds);

/* What BYTES are of, told from their content alone; NULL: nothing that can be read. */
const PlgFormat *plg_format_detect (GBytes *bytes);

/* Reads bytes, telling the format from the content. NAME is put before the place in messages:
 * "NAME:LINE: what is wrong and what would be right". What a format is silent about is BASE's;
 * NULL: the default plan's. */
PlgImportResult *plg_format_read (GBytes *bytes,
                                  const char *name,
                                  const PlgPlan *base,
                                  const PlgCatalogue *catalogue,
                                  GError **error);

/* The same for bytes of which the FORMAT, which can be read, is known. */
PlgImportResult *plg_format_read_as (const PlgFormat *format,
                                     GBytes *bytes,
                                     const char *name,
                                     const PlgPlan *base,
                                     const PlgCatalogue *catalogue,
                                     GError **error);

/* The same from a path or "-". Errors are of G_FILE_ERROR too. Directories, unreadable and too
 * large files are errors that say so.
 */
PlgImportResult *plg_format_read_file (const char *path,
                                       const PlgPlan *base,
                                       const PlgCatalogue *catalogue,
                                       GError **error);

/* Whether FORMAT is one that says where ranks are, and can say where those of PLAN are. */
gboolean plg_format_keeps_placement (const PlgFormat *format, const PlgPlan *plan);

/* The plan in the words of FORMAT, which can be written. */
GBytes *plg_format_write (const PlgFormat *format, const PlgExportContext *export, GError **error);

/* Whether a file of FORMAT leaves it to what starts the program where ranks of PLAN are, which
 * were moved by hand: those that plg_format_keeps_placement() say so. */
gboolean plg_format_omits_placement (const PlgFormat *format, const PlgPlan *plan);

/* What PLAN says and a file of FORMAT does not, since it is for another program to say, in a
 * sentence (translated); NULL: nothing. g_free(). */
char *plg_format_write_note (const PlgFormat *format, const PlgPlan *plan);

/* TEXT from a file, cut to at most MAXIMUM characters, for a message. g_free(). */
char *plg_text_excerpt (const char *text, int maximum);

/* The bytes of a file, or of standard input for "-". *NAME is how it is called in messages, set in
 * any case; g_free(). Errors begin with it. */
GBytes *plg_read_file (const char *path, char **name, GError **error);

/* Writes BYTES so that a crash or a full disk leaves the old file or the new one. Symbolic links
 * are followed, permissions kept. */
gboolean plg_write_file (const char *path, GBytes *bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgImportResult, plg_import_result_free)

G_END_DECLS
