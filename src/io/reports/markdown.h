/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Markdown with pipe tables. */

/* Appends TEXT on one line with all markup escaped, also for table cells. */
void plg_markdown_append (GString *out, const char *text);
/* Appends a table row. CELLS is NULL-terminated; the function escapes them. */
void plg_markdown_row (GString *out, const char *const *cells);
/* Appends a table heading, unescaped, and the rule below it. Columns from index NUMBERS on are
 * right-aligned; 0 for no such column. */
void plg_markdown_heading (GString *out, const char *const *cells, int numbers);

G_END_DECLS
