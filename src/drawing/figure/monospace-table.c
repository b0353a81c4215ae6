/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/monospace-table.h"

/* The gap between columns, and the maximum width of a cell [characters]. */
#define GAP 2
#define WIDEST 40

struct _PlgMonospaceTable
{
  int columns;
  int *widths;
  GPtrArray *cells;
};

PlgMonospaceTable *
plg_monospace_table_new (int columns)
{
  PlgMonospaceTable *table = g_new0 (PlgMonospaceTable, 1);

  g_return_val_if_fail (columns >= 2, table);

  table->columns = columns;
  table->widths = g_new0 (int, columns);
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

void
plg_monospace_table_free (PlgMonospaceTable *table)
{
  g_free (table->widths);
  g_ptr_array_unref (table->cells);
  g_free (table);
}

void
plg_monospace_table_add (PlgMonospaceTable *table, const char *text)
{
  char *cell = plg_monospace_truncate (text, WIDEST);
  int *width = &table->widths[table->cells->len % table->columns];

  *width = MAX (*width, plg_monospace_width (cell));
  g_ptr_array_add (table->cells, cell);
}

void
plg_monospace_table_take (PlgMonospaceTable *table, char *text)
{
  plg_monospace_table_add (table, text);
  g_free (text);
}

/* Returns the index after the last column that fits on a line if the line starts with the row
 * names and column FIRST. Column FIRST is included even if it is too wide. */
static int
end_of_block (const PlgMonospaceTable *table, int first)
{
  int width = table->widths[0], end = first;

  g_assert (first >= 1 && first < table->columns);

  while (end < table->columns &&
         (end == first || width + GAP + table->widths[end] <= PLG_MONOSPACE_WIDTH))
    width += GAP + table->widths[end++];
  return end;
}

gboolean
plg_monospace_table_fits (const PlgMonospaceTable *table)
{
  return end_of_block (table, 1) == table->columns;
}

void
plg_monospace_table_write (const PlgMonospaceTable *table, GString *out)
{
  for (int first = 1, end; first < table->columns; first = end)
    {
      end = end_of_block (table, first);
      if (first > 1)
        plg_monospace_end_line (out);
      for (guint row = 0; row < table->cells->len / table->columns; row++)
        {
          const char *const *cells = (const char *const *) table->cells->pdata +
                                     row * table->columns;

          plg_monospace_add_padded (out, cells[0], table->widths[0], FALSE);
          for (int column = first; column < end; column++)
            {
              plg_monospace_add_spaces (out, GAP);
              plg_monospace_add_padded (out, cells[column], table->widths[column], TRUE);
            }
          plg_monospace_end_line (out);
        }
    }
}
