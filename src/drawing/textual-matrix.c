/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/textual.h"

#include "drawing/letters-table.h"
#include "drawing/pairs.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The matrix of pairs in letters: a number for each two GPUs where they fit on a line. What they
 * send each other is told of as many nodes at once as fit; of the ways between them, of which there
 * are few kinds, a letter is enough. */

/* Less of the unit is not told. */
#define SMALLEST 0.005
/* So many GPUs are told one by one, in several tables if need be. */
#define FEW 32

/* Above a column: "5" of one node's GPUs, "2.5" the GPU 5 of node 2, "16" a node. */
static char *
column_name (const PlgPairing *pairing, PlgRange item)
{
  int node = plg_pairing_node (pairing, item), gpu = item.first % pairing->fabric.gpus;

  if (pairing->nodes == 0 && pairing->fabric.nodes > 1)
    return g_strdup_printf ("%d.%d", node, gpu);
  return g_strdup_printf ("%d", pairing->nodes == 0 ? gpu : node);
}

/* "node 2 GPU 5": before a row the node comes first. */
static char *
row_name (const PlgPairing *pairing, PlgRange item)
{
  g_autofree char *node = NULL;

  if (pairing->nodes > 0)
    return plg_pairing_item_title (pairing, item);
  node = plg_plan_node_title (pairing->plan, plg_pairing_node (pairing, item));
  return g_strdup_printf (_ ("%s GPU %d"), node, item.first % pairing->fabric.gpus);
}

/* What one cell says. g_free(). */
typedef char *(*Cell) (const PlgPairing *pairing, gconstpointer data, int row, int column);

static PlgLettersTable *
make_table (const PlgPairing *pairing, Cell cell, gconstpointer data)
{
  PlgLettersTable *table = plg_letters_table_new (pairing->columns + 1);

  plg_letters_table_add (table, "");
  for (int b = 0; b < pairing->columns; b++)
    {
      g_autofree char *name = column_name (pairing, plg_pairing_column (pairing, b));

      plg_letters_table_add (table, name);
    }
  for (int a = 0; a < pairing->rows; a++)
    {
      g_autofree char *name = row_name (pairing, plg_pairing_row (pairing, a));

      plg_letters_table_add (table, name);
      for (int b = 0; b < pairing->columns; b++)
        {
          g_autofree char *text = cell (pairing, data, a, b);

          plg_letters_table_add (table, text);
        }
    }
  return table;
}

/* Bandwidth ------------------------------------------------------------------------------------ */

/* "450", "25!" where a fault has taken some of it. */
static char *
bandwidth_cell (const PlgPairing *pairing, gconstpointer data, int row, int column)
{
  PlgRange a = plg_pairing_row (pairing, row), b = plg_pairing_column (pairing, column);
  PlgRoute route = plg_pairing_route (pairing, a, b);
  g_autofree char *number = plg_format_number (route.bandwidth / PLG_GB, 3);

  if (route.kind == PLG_ROUTE_SELF)
    return g_strdup (plg_route_letter (route.kind));
  return g_strconcat (number, plg_pairing_is_faulty (pairing, a, b, route) ? "!" : "", NULL);
}

static const char *
way_letter (const PlgPairing *pairing, PlgRange a, PlgRange b)
{
  PlgRoute route = plg_pairing_route (pairing, a, b);

  return plg_pairing_is_faulty (pairing, a, b, route) ? "!" : plg_route_letter (route.kind);
}

/* How many letters stand together: the GPUs of a node, or ten nodes. */
static int
letters_together (const PlgPairing *pairing)
{
  return pairing->nodes == 0 ? pairing->fabric.gpus : 10;
}

static void
add_letters (GString *out, const PlgPairing *pairing, int row, int width, gboolean apart)
{
  PlgRange a = plg_pairing_row (pairing, row);
  int together = letters_together (pairing);
  g_autofree char *name = row_name (pairing, a), *fitting = plg_letters_fit (name, width - 2);

  plg_letters_add_padded (out, fitting, width, FALSE);
  for (int b = 0; b < pairing->columns; b++)
    g_string_append_printf (out, "%s%s", apart && b > 0 && b % together == 0 ? " " : "",
                            way_letter (pairing, a, plg_pairing_column (pairing, b)));
  plg_letters_end_line (out);
}

/* Above each group of letters the number of its first node, where that has room. */
static void
add_group_names (GString *out, const PlgPairing *pairing, int width)
{
  int together = letters_together (pairing);
  PlgRange end = plg_pairing_column (pairing, pairing->columns - 1);
  g_autofree char *last = g_strdup_printf ("%d", plg_pairing_node (pairing, end));

  if (together <= plg_letters_width (last))
    return;
  plg_letters_add_spaces (out, width);
  for (int b = 0; b < pairing->columns; b += together)
    {
      PlgRange column = plg_pairing_column (pairing, b);
      g_autofree char *name = g_strdup_printf ("%d", plg_pairing_node (pairing, column));

      plg_letters_add_padded (out, name, together + 1, FALSE);
    }
  plg_letters_end_line (out);
}

static void
add_all_letters (GString *out, const PlgPairing *pairing)
{
  int gaps = (pairing->columns - 1) / letters_together (pairing), width = 0;
  gboolean is_apart;

  for (int a = 0; a < pairing->rows; a++)
    {
      g_autofree char *name = row_name (pairing, plg_pairing_row (pairing, a));

      width = MAX (width, plg_letters_width (name) + 2);
    }
  width = MIN (width, PLG_TEXTUAL_WIDTH - pairing->columns);
  is_apart = width + pairing->columns + gaps <= PLG_TEXTUAL_WIDTH;
  if (is_apart)
    add_group_names (out, pairing, width);
  for (int a = 0; a < pairing->rows; a++)
    add_letters (out, pairing, a, width, is_apart);
}

static gboolean
has_fault (const PlgPairing *pairing)
{
  for (int row = 0; row < pairing->rows; row++)
    for (int column = 0; column < pairing->columns; column++)
      {
        PlgRange a = plg_pairing_row (pairing, row), b = plg_pairing_column (pairing, column);

        if (plg_pairing_is_faulty (pairing, a, b, plg_pairing_route (pairing, a, b)))
          return TRUE;
      }
  return FALSE;
}

/* So many letters have no room on a line: they are told in several tables. */
static gboolean
is_in_numbers (const PlgPairing *pairing, const PlgLettersTable *table)
{
  return plg_letters_table_fits (table) || pairing->columns > PLG_PAIRING_MOST;
}

static void
add_bandwidth (GString *out, const PlgPlan *plan, const PlgPictureOptions *options)
{
  g_autoptr (PlgLettersTable) table = NULL;
  g_autofree char *words = NULL;
  PlgPairingWidths widths;
  PlgPairing pairing;

  plg_pairing_init (&pairing, plan, options, PLG_PAIRING_MOST);
  plg_pairing_find_widths (&pairing, &widths);
  words = plg_pairing_describe (&pairing, &widths);
  table = make_table (&pairing, bandwidth_cell, NULL);
  plg_letters_add_paragraph (out, words);
  if (is_in_numbers (&pairing, table))
    plg_letters_add_line (out, "%s", _ ("Numbers: GB/s per direction; × itself"));
  if (has_fault (&pairing))
    plg_letters_add_line (out, "%s", _ ("! less, by a fault"));
  plg_letters_end_line (out);
  if (is_in_numbers (&pairing, table))
    plg_letters_table_write (table, out);
  else
    add_all_letters (out, &pairing);
}

/* Traffic -------------------------------------------------------------------------------------- */

typedef struct
{
  PlgPairingTraffic traffic;
  double unit;
} Exchange;

/* "58.1", "<0.01", or "." for nothing. */
static char *
traffic_cell (const PlgPairing *pairing, gconstpointer data, int row, int column)
{
  const Exchange *exchange = data;
  double amount = exchange->traffic.bytes[(gsize) row * pairing->columns + column] / exchange->unit;

  if (!(amount > 0))
    return g_strdup (".");
  return amount < SMALLEST ? g_strdup ("<0.01") : plg_format_number (amount, 3);
}

static void
choose_unit (Exchange *exchange, const PlgPairing *pairing)
{
  gsize cells = (gsize) pairing->rows * pairing->columns;
  double most = 0;

  for (gsize cell = 0; cell < cells; cell++)
    most = MAX (most, exchange->traffic.bytes[cell]);
  exchange->unit = most >= 1e13 ? 1e12 : most >= 1e9 ? 1e9 : 1e6;
}

/* MOST items a side; NULL where they are neither GPUs nor fit on a line. */
static PlgLettersTable *
table_of_traffic (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgPictureOptions *options,
                  int most,
                  PlgPairing *pairing,
                  Exchange *exchange)
{
  g_autoptr (PlgLettersTable) table = NULL;

  plg_pairing_init (pairing, plan, options, most);
  plg_pairing_add_up (pairing, report, &exchange->traffic);
  choose_unit (exchange, pairing);
  table = make_table (pairing, traffic_cell, exchange);
  if (plg_letters_table_fits (table) || pairing->nodes == 0 || most <= 2)
    return g_steal_pointer (&table);
  plg_pairing_traffic_clear (&exchange->traffic);
  return NULL;
}

static void
add_traffic (GString *out,
             const PlgPlan *plan,
             const PlgReport *report,
             const PlgPictureOptions *options)
{
  g_autoptr (PlgLettersTable) table = NULL;
  g_autofree char *scope = NULL, *sums = NULL;
  PlgPairing pairing;
  Exchange exchange;

  for (int most = FEW; table == NULL; most /= 2)
    table = table_of_traffic (plan, report, options, most, &pairing, &exchange);
  scope = plg_pairing_scope (&pairing);
  sums = plg_pairing_sums (exchange.traffic.sent);
  plg_letters_add_line (out, "%s%s%s", scope, *sums != '\0' ? " · " : "", sums);
  plg_letters_add_line (out, _ ("Numbers: %s a step, from row to column; . nothing"),
                        exchange.unit == 1e12  ? "TB"
                        : exchange.unit == 1e9 ? "GB"
                                               : "MB");
  plg_letters_end_line (out);
  plg_letters_table_write (table, out);
  plg_pairing_traffic_clear (&exchange.traffic);
}

void
plg_textual_add_matrix (GString *out,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgPictureOptions *options)
{
  if (options->pairs == PLG_PAIRS_TRAFFIC)
    add_traffic (out, plan, report, options);
  else
    add_bandwidth (out, plan, options);
}
