/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "syntax/file-position.h"

char *
plg_file_position_text (PlgFilePosition position)
{
  if (position.line == 0)
    return g_strdup ("");
  return position.column > 0 ? g_strdup_printf ("%d:%d: ", position.line, position.column)
                             : g_strdup_printf ("%d: ", position.line);
}

void
plg_file_position_prefix (PlgFilePosition position, GError **error)
{
  g_autofree char *text = plg_file_position_text (position);

  g_prefix_error (error, "%s", text);
}

int
plg_file_position_compare (PlgFilePosition a, PlgFilePosition b)
{
  return a.line != b.line ? a.line - b.line : a.column - b.column;
}
