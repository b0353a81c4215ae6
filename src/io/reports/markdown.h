/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes Markdown with pipe tables. */

/* Appends TEXT on one line with all markup escaped, so that it can also be used in table cells. */
void plg_markdown_append (GString *out, const char *text);
/* Appends a table row. CELLS is NULL-terminated; the function escapes them. */
void plg_markdown_row (GString *out, const char *const *cells);
/* Appends the header row of a table, with CELLS escaped, and the delimiter row below it. CELLS
 * is NULL-terminated. Columns from index NUMBERS to the end are right-aligned; if NUMBERS is 0,
 * no column is right-aligned. */
void plg_markdown_heading (GString *out, const char *const *cells, int numbers);

G_END_DECLS
