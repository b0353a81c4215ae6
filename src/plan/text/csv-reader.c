/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "plan/text/csv-reader.h"

#include <string.h>

GPtrArray *
plg_csv_split (const char *line, char separator, guint max_cells)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *cell = g_malloc (strlen (line) + 1);

  while (line != NULL && cells->len < max_cells)
    {
      gboolean is_quoted = FALSE;
      gsize length = 0;

      for (; *line != '\0' && (is_quoted || *line != separator); line++)
        if (*line == '"' && is_quoted && line[1] == '"')
          cell[length++] = *line++;
        else if (*line == '"')
          is_quoted = !is_quoted;
        else
          cell[length++] = *line;
      line = *line != '\0' ? line + 1 : NULL;
      g_ptr_array_add (cells, g_strndup (cell, length));
      if (is_quoted)
        return NULL;
    }
  return g_steal_pointer (&cells);
}
