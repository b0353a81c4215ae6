/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Markdown with tables of pipes, for documents. */

/* TEXT so that it is read as text, in a cell too: in one line, nothing of it markup. */
void plg_markdown_append (GString *out, const char *text);
/* A row of a table; CELLS end with NULL and are escaped. */
void plg_markdown_row (GString *out, const char *const *cells);
/* The heading of a table, as it stands, and the rule below; columns from NUMBERS on are numbers,
 * flush right; 0: none. */
void plg_markdown_heading (GString *out, const char *const *cells, int numbers);

G_END_DECLS
