/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/import/format.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Lists all formats, and reads and writes files in any of them. */

const PlgFormat *const *plg_formats (int *n);
const PlgFormat *plg_format_find (const char *name);

/* The result of reading a file. */
typedef struct
{
  const PlgFormat *format;
  PlgPlan *plan;         /* the whole plan in the file, or the base plan with the settings of the
                            file */
  PlgPlanSource *source; /* the source file, for plg_plan_xml_write(), if the file is plan XML;
                            otherwise NULL */
  GPtrArray *notes;      /* element-type PlgNote, in the order of the file */
  gboolean is_one_node;  /* whether the file describes a single node but does not state the
                            number of nodes */
  gboolean is_one_host;  /* whether the file describes only one host of a node */
  char *name;            /* display name of the file */
} PlgImportResult;

void plg_import_result_free (PlgImportResult *import);
/* Returns one line "NAME:LINE: text" for each note of KINDS (a mask of 1 << PlgNoteKind) and for
 * the notice of the source, or NULL; free with g_free(). */
char *plg_import_result_text (const PlgImportResult *import, guint kinds);

/* Detects the format of BYTES by their content. Returns NULL if no format can read the content. */
const PlgFormat *plg_format_detect (GBytes *bytes);

/* plg_format_read:
 * @name: display name of the file, which precedes the line in messages: "NAME:LINE: message"
 * @base: (nullable): the plan that supplies the values that the file omits; %NULL for the
 *   default plan
 *
 * Detects the format of @bytes and reads them.
 *
 * Returns: (transfer full) (nullable): the result, or %NULL with @error */
PlgImportResult *plg_format_read (GBytes *bytes,
                                  const char *name,
                                  const PlgPlan *base,
                                  const PlgCatalogue *catalogue,
                                  GError **error);

/* Works like plg_format_read() for bytes of the known format FORMAT, which must have a reader. */
PlgImportResult *plg_format_read_as (const PlgFormat *format,
                                     GBytes *bytes,
                                     const char *name,
                                     const PlgPlan *base,
                                     const PlgCatalogue *catalogue,
                                     GError **error);

/* Works like plg_format_read() for a path, or "-" for standard input. Errors may also be
 * G_FILE_ERROR, for example for folders and for unreadable or too large files. */
PlgImportResult *plg_format_read_file (const char *path,
                                       const PlgPlan *base,
                                       const PlgCatalogue *catalogue,
                                       GError **error);

/* Returns whether FORMAT stores placements and can store the placement of PLAN. */
gboolean plg_format_keeps_placement (const PlgFormat *format, const PlgPlan *plan);

/* Writes the plan in the format FORMAT, which must have a writer. */
GBytes *plg_format_write (const PlgFormat *format, const PlgExportContext *export, GError **error);

/* Returns whether the ranks of PLAN were moved by hand and files of FORMAT leave the placement
 * to a launcher (plg_format_keeps_placement()). */
gboolean plg_format_omits_placement (const PlgFormat *format, const PlgPlan *plan);

/* Returns a translated note if files of FORMAT omit the placement of PLAN or contain host names
 * that the user may have to change. Otherwise returns NULL. Free with g_free(). */
char *plg_format_write_note (const PlgFormat *format, const PlgPlan *plan);

/* Returns the bytes of a file, or of standard input if PATH is "-". Always sets *NAME to the
 * display name, because error messages begin with it; free *NAME with g_free(). */
GBytes *plg_read_file (const char *path, char **name, GError **error);

/* Writes BYTES so that a crash or a full disk leaves either the old file or the new file intact.
 * Follows symbolic links and keeps permissions. */
gboolean plg_write_file (const char *path, GBytes *bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgImportResult, plg_import_result_free)

G_END_DECLS
