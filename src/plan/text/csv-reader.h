/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* plg_csv_split:
 * @line: one line of a table, without its line end
 * @separator: the character between two cells
 * @max_cells: the number of cells after which the function stops
 *
 * Splits @line into cells and removes the quotes of RFC 4180 around and inside them. A cell cannot
 * contain a line break.
 *
 * Returns: (transfer full) (nullable) (element-type utf8): at most @max_cells cells, or %NULL if a
 *   quotation mark is not closed */
GPtrArray *
plg_csv_split (const char *line, char separator, guint max_cells) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
