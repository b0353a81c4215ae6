/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/plan-xml.h"
#include "engine/report.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The table of formats. */
typedef struct
{
  const char *name;   /* "xml", "yaml", … for --to */
  const char *suffix; /* ".plan.xml" */
  const char *title;  /* N_() one line for --list */
  gboolean can_read;
  gboolean can_write;
} PlgFormat;

const PlgFormat *plg_formats (int *n);
const PlgFormat *plg_format_find (const char *name);

/* Reads a plan from bytes, telling the format from the content. *FORMAT (may be NULL) says which.
 * NAME is put before the place in messages: "NAME:LINE: what is wrong and what would be right".
 * *SOURCE (may be NULL) is set for plan XML only; its notice is what people should be told. Of
 * other formats that is *NOTICE (may be NULL): a line "NAME:LINE: …" for each thing that is
 * ignored, or NULL; g_free(). */
PlgPlan *plg_format_read (GBytes *bytes,
                          const char *name,
                          const PlgCatalogue *catalogue,
                          const PlgFormat **format,
                          PlgPlanSource **source,
                          char **notice,
                          GError **error);

/* The same from a path or "-". Errors are of G_FILE_ERROR too. Directories, unreadable and too
 * large files are errors that say so.
 */
PlgPlan *plg_format_read_file (const char *path,
                               const PlgCatalogue *catalogue,
                               const PlgFormat **format,
                               PlgPlanSource **source,
                               char **notice,
                               GError **error);

/* PLAN in the words of FORMAT. REPORT is needed by formats that tell results; may be NULL. */
GBytes *plg_format_write (const PlgFormat *format,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          PlgPlanSource *source,
                          GError **error);

/* TEXT from a file, cut to at most MAXIMUM characters, for a message. g_free(). */
char *plg_format_excerpt (const char *text, int maximum);

/* Writes BYTES so that a crash or a full disk leaves the old file or the new one. Symbolic links
 * are followed, permissions kept. */
gboolean plg_write_file (const char *path, GBytes *bytes, GError **error);

G_END_DECLS
