/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The no-break space that web pages use (U+00A0). */
#define PLG_NO_BREAK_SPACE "\xC2\xA0"

/* plg_text_lines:
 * @size: length of @data [bytes]
 *
 * Splits @data into lines, removes the line ends and all terminal escape sequences, and replaces
 * no-break spaces with plain spaces.
 *
 * Returns: (transfer full) (nullable): the lines in one block of memory (g_free(), never
 *   g_strfreev()), or %NULL with @error if @data is not UTF-8 text */
char **plg_text_lines (const char *data, gsize size, GError **error);

G_END_DECLS
