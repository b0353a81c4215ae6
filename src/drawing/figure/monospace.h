/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text in letters of one width, for tickets and mail: lines are no longer than this. */
#define PLG_MONOSPACE_WIDTH 100

/* The columns that TEXT takes: two for an ideograph, none for an accent. */
int plg_monospace_width (const char *text);
/* TEXT without what would upset a terminal or turn round the rest of a line. g_free(). */
char *plg_monospace_sanitize (const char *text);
/* The same, cut where it takes more than WIDTH columns. g_free(). */
char *plg_monospace_truncate (const char *text, int width);
void plg_monospace_add_spaces (GString *out, int n);
/* TEXT and spaces to WIDTH columns; RIGHT: the spaces first. */
void plg_monospace_add_padded (GString *out, const char *text, int width, gboolean right);
/* Ends a line, on which spaces at the end would say nothing. */
void plg_monospace_end_line (GString *out);
/* TEXT, made plain, in lines broken between words. */
void plg_monospace_add_paragraph (GString *out, const char *text);
/* The same of what is printed. */
void plg_monospace_add_line (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
