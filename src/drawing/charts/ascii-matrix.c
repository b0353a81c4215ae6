/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/pair-matrix.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The matrix of the traffic or bandwidth between GPUs or nodes as monospace text, with numbers
 * if they fit on a line. If the numbers do not fit, each cell shows the traffic of several
 * nodes, or a letter for the kind of route. */

/* smallest traffic that is shown as a number, in the unit of the table; smaller traffic is shown
 * as "<0.01" */
#define MIN_SHOWN_VALUE 0.005
/* maximum number of columns in a table of traffic; if the cluster has more GPUs, each
 * column represents one or more nodes */
#define MAX_LETTER_COLUMNS 32

/* Returns a name such as "node 2 GPU 5" or "node 2". */
static char *
row_name (const PlgPairMatrix *matrix, PlgRange item)
{
  g_autofree char *node = NULL;

  if (matrix->nodes > 0)
    return plg_pair_matrix_item_title (matrix, item);
  node = plg_plan_node_title (matrix->plan, plg_pair_matrix_node (matrix, item));
  return g_strdup_printf (_ ("%s GPU %d"), node, item.first % matrix->fabric.gpus);
}

/* Returns: (transfer full): the text of a cell. */
typedef char *(*Cell) (const PlgPairMatrix *matrix, gconstpointer data, int row, int column);

static PlgMonospaceTable *
make_table (const PlgPairMatrix *matrix, Cell cell, gconstpointer data)
{
  PlgMonospaceTable *table = plg_monospace_table_new (matrix->columns + 1);

  plg_monospace_table_add (table, "");
  for (int b = 0; b < matrix->columns; b++)
    {
      /* Name a column, for example, "5" for a GPU of the only node, "2.5" for GPU 5 of node 2,
       * or "16" for a node. */
      PlgRange item = plg_pair_matrix_column (matrix, b);
      int node = plg_pair_matrix_node (matrix, item), gpu = item.first % matrix->fabric.gpus;

      plg_monospace_table_take (table,
                                matrix->nodes == 0 && matrix->fabric.nodes > 1
                                    ? g_strdup_printf ("%d.%d", node, gpu)
                                    : g_strdup_printf ("%d", matrix->nodes == 0 ? gpu : node));
    }
  for (int a = 0; a < matrix->rows; a++)
    {
      plg_monospace_table_take (table, row_name (matrix, plg_pair_matrix_row (matrix, a)));
      for (int b = 0; b < matrix->columns; b++)
        {
          plg_monospace_table_take (table, cell (matrix, data, a, b));
        }
    }
  return table;
}

/* Bandwidth ------------------------------------------------------------------------------------ */

/* Returns the bandwidth of the route, for example "450", or "25!" if a fault reduces it. */
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

/* Adds one letter per route. If the line is wide enough, adds a gap after the GPUs of each node
 * or, if each column is a node, after every ten nodes. */
static void
add_letters (GString *out, const PlgPairMatrix *matrix)
{
  int group_size = matrix->nodes == 0 ? matrix->fabric.gpus : 10;
  int gaps = (matrix->columns - 1) / group_size, width = 0;
  PlgRange end = plg_pair_matrix_column (matrix, matrix->columns - 1);
  g_autofree char *last = g_strdup_printf ("%d", plg_pair_matrix_node (matrix, end));
  gboolean has_gaps;

  for (int a = 0; a < matrix->rows; a++)
    {
      g_autofree char *name = row_name (matrix, plg_pair_matrix_row (matrix, a));

      width = MAX (width, plg_monospace_width (name) + 2);
    }
  width = MIN (width, PLG_MONOSPACE_WIDTH - matrix->columns);
  has_gaps = width + matrix->columns + gaps <= PLG_MONOSPACE_WIDTH;
  /* Write the number of the first node above each group of letters. */
  if (has_gaps && plg_monospace_width (last) < group_size)
    {
      plg_monospace_add_spaces (out, width);
      for (int b = 0; b < matrix->columns; b += group_size)
        {
          PlgRange column = plg_pair_matrix_column (matrix, b);
          g_autofree char *name = g_strdup_printf ("%d", plg_pair_matrix_node (matrix, column));

          plg_monospace_add_padded (out, name, group_size + 1, FALSE);
        }
      plg_monospace_end_line (out);
    }
  for (int a = 0; a < matrix->rows; a++)
    {
      PlgRange row = plg_pair_matrix_row (matrix, a);
      g_autofree char *name = row_name (matrix, row);
      g_autofree char *fitting = plg_monospace_truncate (name, width - 2);

      plg_monospace_add_padded (out, fitting, width, FALSE);
      for (int b = 0; b < matrix->columns; b++)
        {
          PlgRange column = plg_pair_matrix_column (matrix, b);
          PlgRoute route = plg_pair_matrix_route (matrix, row, column);
          gboolean is_faulty = plg_pair_matrix_is_faulty (matrix, row, column, route);

          g_string_append (out, has_gaps && b > 0 && b % group_size == 0 ? " " : "");
          g_string_append (out, is_faulty ? "!" : plg_route_letter (route.kind));
        }
      plg_monospace_end_line (out);
    }
}

static void
add_bandwidths (GString *out, const PlgPlan *plan, const PlgPictureOptions *options)
{
  g_autoptr (PlgMonospaceTable) table = NULL;
  g_autofree char *words = NULL;
  gboolean has_numbers, is_any_faulty = FALSE;
  PlgPairMatrixBandwidths widths;
  PlgPairMatrix matrix;

  plg_pair_matrix_init (&matrix, plan, options, PLG_PAIR_MATRIX_MAX_ITEMS);
  plg_pair_matrix_find_bandwidths (&matrix, &widths);
  for (int row = 0; row < matrix.rows; row++)
    for (int column = 0; column < matrix.columns && !is_any_faulty; column++)
      {
        PlgRange from = plg_pair_matrix_row (&matrix, row);
        PlgRange to = plg_pair_matrix_column (&matrix, column);

        is_any_faulty = plg_pair_matrix_is_faulty (&matrix, from, to,
                                                   plg_pair_matrix_route (&matrix, from, to));
      }
  words = plg_pair_matrix_describe (&matrix, &widths);
  table = make_table (&matrix, bandwidth_cell, NULL);
  /* Show numbers if they fit, or if a very large node has too many GPUs for one line of letters. */
  has_numbers = plg_monospace_table_fits (table) || matrix.columns > PLG_PAIR_MATRIX_MAX_ITEMS;
  plg_monospace_add_paragraph (out, words);
  if (has_numbers)
    plg_monospace_add_line (out, "%s", _ ("Numbers: GB/s per direction; ×: the same GPU or NIC"));
  if (is_any_faulty)
    plg_monospace_add_line (out, "%s", _ ("! reduced by a fault"));
  plg_monospace_end_line (out);
  if (has_numbers)
    plg_monospace_table_write (table, out);
  else
    add_letters (out, &matrix);
}

/* Traffic -------------------------------------------------------------------------------------- */

typedef struct
{
  PlgPairMatrixTraffic traffic;
  double unit;
} TrafficTable;

/* Returns the traffic, for example "58.1" or "<0.01", or "." for no traffic. */
static char *
traffic_cell (const PlgPairMatrix *matrix, gconstpointer data, int row, int column)
{
  const TrafficTable *table = data;
  double amount = table->traffic.bytes[(gsize) row * matrix->columns + column] / table->unit;

  if (!(amount > 0))
    return g_strdup (".");
  return amount < MIN_SHOWN_VALUE ? g_strdup ("<0.01") : plg_format_number (amount, 3);
}

static void
add_traffic (GString *out,
             const PlgPlan *plan,
             const PlgReport *report,
             const PlgPictureOptions *options)
{
  g_autoptr (PlgMonospaceTable) table = NULL;
  g_autofree char *scope = NULL, *sums = NULL;
  PlgPairMatrix matrix;
  TrafficTable data;

  /* Halve the maximum number of columns until the table fits. Each column then contains more
   * nodes. */
  for (int most = MAX_LETTER_COLUMNS; table == NULL; most /= 2)
    {
      double largest = 0;

      plg_pair_matrix_init (&matrix, plan, options, most);
      plg_pair_matrix_sum_traffic (&matrix, report, &data.traffic);
      for (gsize cell = 0; cell < (gsize) matrix.rows * matrix.columns; cell++)
        largest = MAX (largest, data.traffic.bytes[cell]);
      data.unit = largest >= 1e13 ? 1e12 : largest >= 1e9 ? 1e9 : 1e6;
      table = make_table (&matrix, traffic_cell, &data);
      if (plg_monospace_table_fits (table) || matrix.nodes == 0 || most <= 2)
        break;
      g_clear_pointer (&table, plg_monospace_table_free);
      plg_pair_matrix_traffic_clear (&data.traffic);
    }
  scope = plg_pair_matrix_scope_text (&matrix);
  sums = plg_pair_matrix_traffic_text (data.traffic.sent);
  plg_monospace_add_line (out, "%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
  plg_monospace_add_line (out, _ ("Numbers: %s per step, from row to column; “.” means no traffic"),
                          data.unit == 1e12  ? "TB"
                          : data.unit == 1e9 ? "GB"
                                             : "MB");
  plg_monospace_end_line (out);
  plg_monospace_table_write (table, out);
  plg_pair_matrix_traffic_clear (&data.traffic);
}

void
plg_ascii_add_matrix (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  if (options->pairs == PLG_MATRIX_TRAFFIC)
    add_traffic (out, plan, report, options);
  else
    add_bandwidths (out, plan, options);
}
