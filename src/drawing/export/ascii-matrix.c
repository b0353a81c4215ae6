/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/pair-matrix.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The matrix of pairs in letters: a number for each two GPUs where they fit on a line. What they
 * send each other is told of as many nodes at once as fit; of the ways between them, of which there
 * are few kinds, a letter is enough. */

/* Less of the unit is not told. */
#define MIN_SHOWN_VALUE 0.005
/* So many GPUs are told one by one, in several tables if need be. */
#define MAX_LETTER_COLUMNS 32

/* "node 2 GPU 5": before a row the node comes first. */
static char *
row_name (const PlgPairMatrix *matrix, PlgRange item)
{
  g_autofree char *node = NULL;

  if (matrix->nodes > 0)
    return plg_pair_matrix_item_title (matrix, item);
  node = plg_plan_node_title (matrix->plan, plg_pair_matrix_node (matrix, item));
  return g_strdup_printf (_ ("%s GPU %d"), node, item.first % matrix->fabric.gpus);
}

/* What one cell says. g_free(). */
typedef char *(*Cell) (const PlgPairMatrix *matrix, gconstpointer data, int row, int column);

static PlgMonospaceTable *
make_table (const PlgPairMatrix *matrix, Cell cell, gconstpointer data)
{
  PlgMonospaceTable *table = plg_monospace_table_new (matrix->columns + 1);

  plg_monospace_table_add (table, "");
  for (int b = 0; b < matrix->columns; b++)
    {
      /* Above a column: "5" of one node's GPUs, "2.5" the GPU 5 of node 2, "16" a node. */
      PlgRange item = plg_pair_matrix_column (matrix, b);
      g_autofree char *name = NULL;
      int node = plg_pair_matrix_node (matrix, item), gpu = item.first % matrix->fabric.gpus;

      if (matrix->nodes == 0 && matrix->fabric.nodes > 1)
        name = g_strdup_printf ("%d.%d", node, gpu);
      else
        name = g_strdup_printf ("%d", matrix->nodes == 0 ? gpu : node);

      plg_monospace_table_add (table, name);
    }
  for (int a = 0; a < matrix->rows; a++)
    {
      g_autofree char *name = row_name (matrix, plg_pair_matrix_row (matrix, a));

      plg_monospace_table_add (table, name);
      for (int b = 0; b < matrix->columns; b++)
        {
          g_autofree char *text = cell (matrix, data, a, b);

          plg_monospace_table_add (table, text);
        }
    }
  return table;
}

/* Bandwidth ------------------------------------------------------------------------------------ */

/* "450", "25!" where a fault has taken some of it. */
static char *
bandwidth_cell (const PlgPairMatrix *matrix, gconstpointer data, int row, int column)
{
  PlgRange a = plg_pair_matrix_row (matrix, row), b = plg_pair_matrix_column (matrix, column);
  PlgRoute route = plg_pair_matrix_route (matrix, a, b);
  g_autofree char *number = plg_format_number (route.bandwidth / PLG_GB, 3);

  if (route.kind == PLG_ROUTE_SELF)
    return g_strdup (plg_route_letter (route.kind));
  return g_strconcat (number, plg_pair_matrix_is_faulty (matrix, a, b, route) ? "!" : "", NULL);
}

static const char *
route_letter (const PlgPairMatrix *matrix, PlgRange a, PlgRange b)
{
  PlgRoute route = plg_pair_matrix_route (matrix, a, b);

  return plg_pair_matrix_is_faulty (matrix, a, b, route) ? "!" : plg_route_letter (route.kind);
}

/* How many letters stand together: the GPUs of a node, or ten nodes. */
static int
letters_together (const PlgPairMatrix *matrix)
{
  return matrix->nodes == 0 ? matrix->fabric.gpus : 10;
}

static void
add_all_letters (GString *out, const PlgPairMatrix *matrix)
{
  int gaps = (matrix->columns - 1) / letters_together (matrix), width = 0;
  gboolean is_apart;

  for (int a = 0; a < matrix->rows; a++)
    {
      g_autofree char *name = row_name (matrix, plg_pair_matrix_row (matrix, a));

      width = MAX (width, plg_monospace_width (name) + 2);
    }
  width = MIN (width, PLG_MONOSPACE_WIDTH - matrix->columns);
  is_apart = width + matrix->columns + gaps <= PLG_MONOSPACE_WIDTH;
  if (is_apart)
    {
      /* Above each group of letters the number of its first node, where that has room. */
      int together = letters_together (matrix);
      PlgRange end = plg_pair_matrix_column (matrix, matrix->columns - 1);
      g_autofree char *last = g_strdup_printf ("%d", plg_pair_matrix_node (matrix, end));

      if (together > plg_monospace_width (last))
        {
          plg_monospace_add_spaces (out, width);
          for (int b = 0; b < matrix->columns; b += together)
            {
              PlgRange column = plg_pair_matrix_column (matrix, b);
              g_autofree char *name = g_strdup_printf ("%d", plg_pair_matrix_node (matrix, column));

              plg_monospace_add_padded (out, name, together + 1, FALSE);
            }
          plg_monospace_end_line (out);
        }
    }
  for (int a = 0; a < matrix->rows; a++)
    {
      PlgRange letter_row = plg_pair_matrix_row (matrix, a);
      int together = letters_together (matrix);
      g_autofree char *name = row_name (matrix, letter_row),
                      *fitting = plg_monospace_truncate (name, width - 2);

      plg_monospace_add_padded (out, fitting, width, FALSE);
      for (int b = 0; b < matrix->columns; b++)
        g_string_append_printf (out, "%s%s", is_apart && b > 0 && b % together == 0 ? " " : "",
                                route_letter (matrix, letter_row,
                                              plg_pair_matrix_column (matrix, b)));
      plg_monospace_end_line (out);
    }
}

static gboolean
has_fault (const PlgPairMatrix *matrix)
{
  for (int row = 0; row < matrix->rows; row++)
    for (int column = 0; column < matrix->columns; column++)
      {
        PlgRange a = plg_pair_matrix_row (matrix, row), b = plg_pair_matrix_column (matrix, column);

        if (plg_pair_matrix_is_faulty (matrix, a, b, plg_pair_matrix_route (matrix, a, b)))
          return TRUE;
      }
  return FALSE;
}

/* So many letters have no room on a line: they are told in several tables. */
static gboolean
is_in_numbers (const PlgPairMatrix *matrix, const PlgMonospaceTable *table)
{
  return plg_monospace_table_fits (table) || matrix->columns > PLG_PAIR_MATRIX_MAX_ITEMS;
}

/* Traffic -------------------------------------------------------------------------------------- */

typedef struct
{
  PlgPairMatrixTraffic traffic;
  double unit;
} TrafficTable;

/* "58.1", "<0.01", or "." for nothing. */
static char *
traffic_cell (const PlgPairMatrix *matrix, gconstpointer data, int row, int column)
{
  const TrafficTable *exchange = data;
  double amount = exchange->traffic.bytes[(gsize) row * matrix->columns + column] / exchange->unit;

  if (!(amount > 0))
    return g_strdup (".");
  return amount < MIN_SHOWN_VALUE ? g_strdup ("<0.01") : plg_format_number (amount, 3);
}

/* MOST items a side; NULL where they are neither GPUs nor fit on a line. */
static PlgMonospaceTable *
table_of_traffic (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgPictureOptions *options,
                  int most,
                  PlgPairMatrix *matrix,
                  TrafficTable *exchange)
{
  g_autoptr (PlgMonospaceTable) table = NULL;

  plg_pair_matrix_init (matrix, plan, options, most);
  plg_pair_matrix_sum_traffic (matrix, report, &exchange->traffic);

  gsize cells = (gsize) matrix->rows * matrix->columns;
  double unit_most = 0;

  for (gsize cell = 0; cell < cells; cell++)
    unit_most = MAX (unit_most, exchange->traffic.bytes[cell]);
  exchange->unit = unit_most >= 1e13 ? 1e12 : unit_most >= 1e9 ? 1e9 : 1e6;

  table = make_table (matrix, traffic_cell, exchange);
  if (plg_monospace_table_fits (table) || matrix->nodes == 0 || most <= 2)
    return g_steal_pointer (&table);
  plg_pair_matrix_traffic_clear (&exchange->traffic);
  return NULL;
}

void
plg_ascii_add_matrix (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  if (options->pairs == PLG_MATRIX_TRAFFIC)
    {
      g_autoptr (PlgMonospaceTable) table = NULL;
      g_autofree char *scope = NULL, *sums = NULL;
      PlgPairMatrix matrix;
      TrafficTable exchange;

      for (int most = MAX_LETTER_COLUMNS; table == NULL; most /= 2)
        table = table_of_traffic (plan, report, options, most, &matrix, &exchange);
      scope = plg_pair_matrix_scope_text (&matrix);
      sums = plg_pair_matrix_traffic_text (exchange.traffic.sent);
      plg_monospace_add_line (out, "%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
      plg_monospace_add_line (out, _ ("Numbers: %s a step, from row to column; . nothing"),
                              exchange.unit == 1e12  ? "TB"
                              : exchange.unit == 1e9 ? "GB"
                                                     : "MB");
      plg_monospace_end_line (out);
      plg_monospace_table_write (table, out);
      plg_pair_matrix_traffic_clear (&exchange.traffic);
    }
  else
    {
      g_autoptr (PlgMonospaceTable) table = NULL;
      g_autofree char *words = NULL;
      PlgPairMatrixBandwidths widths;
      PlgPairMatrix matrix;

      plg_pair_matrix_init (&matrix, plan, options, PLG_PAIR_MATRIX_MAX_ITEMS);
      plg_pair_matrix_find_bandwidths (&matrix, &widths);
      words = plg_pair_matrix_describe (&matrix, &widths);
      table = make_table (&matrix, bandwidth_cell, NULL);
      plg_monospace_add_paragraph (out, words);
      if (is_in_numbers (&matrix, table))
        plg_monospace_add_line (out, "%s", _ ("Numbers: GB/s per direction; × itself"));
      if (has_fault (&matrix))
        plg_monospace_add_line (out, "%s", _ ("! less, by a fault"));
      plg_monospace_end_line (out);
      if (is_in_numbers (&matrix, table))
        plg_monospace_table_write (table, out);
      else
        add_all_letters (out, &matrix);
    }
}
