/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/letters-table.h"

/* Between columns. */
#define GAP 2
/* No cell takes more of a line. */
#define WIDEST 40

struct _PlgLettersTable
{
  int columns;
  int *widths;
  GPtrArray *cells;
};

PlgLettersTable *
plg_letters_table_new (int columns)
{
  PlgLettersTable *table = g_new0 (PlgLettersTable, 1);

  g_return_val_if_fail (columns >= 2, table);

  table->columns = columns;
  table->widths = g_new0 (int, columns);
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

void
plg_letters_table_free (PlgLettersTable *table)
{
  g_free (table->widths);
  g_ptr_array_unref (table->cells);
  g_free (table);
}

void
plg_letters_table_add (PlgLettersTable *table, const char *text)
{
  char *cell = plg_letters_fit (text, WIDEST);
  int *width = &table->widths[table->cells->len % table->columns];

  *width = MAX (*width, plg_letters_width (cell));
  g_ptr_array_add (table->cells, cell);
}

/* Behind the last column that fits on a line with the names if FIRST is the first after them. */
static int
end_of_block (const PlgLettersTable *table, int first)
{
  int width = table->widths[0], end = first;

  while (end < table->columns &&
         (end == first || width + GAP + table->widths[end] <= PLG_TEXTUAL_WIDTH))
    width += GAP + table->widths[end++];
  return end;
}

gboolean
plg_letters_table_fits (const PlgLettersTable *table)
{
  return end_of_block (table, 1) == table->columns;
}

static void
write_row (const PlgLettersTable *table, GString *out, guint row, int first, int end)
{
  const char *const *cells = (const char *const *) table->cells->pdata + row * table->columns;

  plg_letters_add_padded (out, cells[0], table->widths[0], FALSE);
  for (int column = first; column < end; column++)
    {
      plg_letters_add_spaces (out, GAP);
      plg_letters_add_padded (out, cells[column], table->widths[column], TRUE);
    }
  plg_letters_end_line (out);
}

void
plg_letters_table_write (const PlgLettersTable *table, GString *out)
{
  for (int first = 1, end; first < table->columns; first = end)
    {
      end = end_of_block (table, first);
      if (first > 1)
        plg_letters_end_line (out);
      for (guint row = 0; row < table->cells->len / table->columns; row++)
        write_row (table, out, row, first, end);
    }
}
