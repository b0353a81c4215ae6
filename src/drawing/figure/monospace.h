/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The maximum length of a line of monospace text [columns]. Lines of this length fit in tickets
 * and e-mails. */
#define PLG_MONOSPACE_WIDTH 100

/* Returns the number of columns that TEXT takes: two for an ideograph, none for an accent. */
int plg_monospace_width (const char *text);
/* Copies TEXT without control characters and without marks that reverse the direction of a line.
 * Free with g_free(). */
char *plg_monospace_sanitize (const char *text) G_GNUC_WARN_UNUSED_RESULT;
/* Sanitizes TEXT and truncates it to WIDTH columns. Free with g_free(). */
char *plg_monospace_truncate (const char *text, int width) G_GNUC_WARN_UNUSED_RESULT;
void plg_monospace_add_spaces (GString *out, int n);
/* Adds TEXT, padded with spaces to WIDTH columns. If RIGHT is set, the spaces come first. */
void plg_monospace_add_padded (GString *out, const char *text, int width, gboolean right);
/* Removes trailing spaces and ends the line. */
void plg_monospace_end_line (GString *out);
/* Sanitizes TEXT and adds it as a paragraph. Lines are broken between words. */
void plg_monospace_add_paragraph (GString *out, const char *text);
/* Formats a paragraph and adds it. */
void plg_monospace_add_line (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
