/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/rank-table.h"

#include "formats/hosts.h"
#include "formats/launch.h"
#include "formats/rank-order.h"
#include "formats/trays.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define NODE_COMMENT "# node "
#define HOST_COMMENT "# host "

void
plg_rank_table_init (PlgRankTable *table)
{
  *table = (PlgRankTable) {
    .rows = g_array_new (FALSE, FALSE, sizeof (PlgRankRow)),
    .hosts = g_ptr_array_new_with_free_func (g_free),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
  };
}

void
plg_rank_table_clear (PlgRankTable *table)
{
  g_clear_pointer (&table->rows, g_array_unref);
  g_clear_pointer (&table->numbers, g_hash_table_unref);
  g_clear_pointer (&table->hosts, g_ptr_array_unref);
}

PlgRankRow
plg_rank_row (int line)
{
  PlgRankRow row = { .line = line, .rank = -1, .node = -1, .host = -1, .gpu = -1 };

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    row.index[axis] = -1;
  return row;
}

gboolean
plg_rank_table_host (PlgRankTable *table,
                     const PlgReading *reading,
                     int line,
                     const char *name,
                     int *host,
                     GError **error)
{
  int number = GPOINTER_TO_INT (g_hash_table_lookup (table->numbers, name));
  g_autoptr (GError) wrong = NULL;
  char *kept;

  if (number == 0 && !plg_node_name_check (name, &wrong))
    return plg_reading_fail (reading, line, PLG_FORMAT_ERROR_CONTENT, error, "%s", wrong->message);
  if (number == 0)
    {
      kept = g_strdup (name);
      g_ptr_array_add (table->hosts, kept);
      number = (int) table->hosts->len;
      g_hash_table_insert (table->numbers, kept, GINT_TO_POINTER (number));
    }
  *host = number - 1;
  return TRUE;
}

gboolean
plg_rank_table_comment (PlgRankTable *table,
                        const PlgReading *reading,
                        int line,
                        const char *text,
                        GError **error)
{
  char *end;
  guint64 node;
  g_autofree char *name = NULL;
  int host;

  if ((!g_str_has_prefix (text, NODE_COMMENT) && !g_str_has_prefix (text, HOST_COMMENT)) ||
      table->rows->len > 0)
    return TRUE;
  text += strlen (NODE_COMMENT);
  node = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != ':')
    return TRUE;
  name = g_strstrip (g_strdup (end + 1));
  if (!plg_rank_table_host (table, reading, line, name, &host, error))
    return FALSE;
  if (node != (guint64) host)
    return plg_reading_fail (reading, line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("Node %s is listed out of turn; nodes count from 0."), name);
  table->listed = table->hosts->len;
  return TRUE;
}

gboolean
plg_rank_table_add (PlgRankTable *table,
                    const PlgReading *reading,
                    const PlgRankRow *row,
                    GError **error)
{
  if (table->rows->len == PLG_MAX_GPUS)
    return plg_reading_fail (reading, row->line, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("There are more ranks than a plan can have, which are %d."),
                             PLG_MAX_GPUS);
  g_array_append_val (table->rows, *row);
  return TRUE;
}

/* Ranks */

static PlgRankRow *
nth_row (const PlgRankTable *table, int i)
{
  return &g_array_index (table->rows, PlgRankRow, i);
}

static int
compare_ranks_cb (gconstpointer a, gconstpointer b)
{
  const PlgRankRow *one = a, *other = b;

  return one->rank != other->rank ? one->rank - other->rank : one->line - other->line;
}

/* Sorts the rows by rank: each is there once. */
static gboolean
sort_rows (PlgRankTable *table, const PlgReading *reading, GError **error)
{
  int n = (int) table->rows->len;

  if (n == 0)
    return plg_reading_fail (reading, 0, PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("The file names no rank."));
  g_array_sort (table->rows, compare_ranks_cb);
  for (int i = 0; i < n; i++)
    {
      const PlgRankRow *row = nth_row (table, i);

      if (i > 0 && row->rank == row[-1].rank)
        return plg_reading_fail (reading, row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                 _ ("Rank %d is there twice, first in line %d; remove one."),
                                 row->rank, row[-1].line);
      if (row->rank != i)
        return plg_reading_fail (reading, row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                 _ ("This is rank %d, but there is no rank %d; ranks count from 0 "
                                    "without gaps."),
                                 row->rank, i);
    }
  return TRUE;
}

/* Nodes */

/* Digits as numbers, so that node10 comes after node9. */
static int
compare_names (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      gsize digits_a = strspn (a, "0123456789"), digits_b = strspn (b, "0123456789");
      int order = (guchar) *a - (guchar) *b;

      if (digits_a > 0 && digits_b > 0)
        {
          guint64 number_a = g_ascii_strtoull (a, NULL, 10);
          guint64 number_b = g_ascii_strtoull (b, NULL, 10);

          order = number_a != number_b ? (number_a < number_b ? -1 : 1)
                                       : (int) digits_a - (int) digits_b;
        }
      if (order != 0)
        return order;
      a += MAX (digits_a, 1);
      b += MAX (digits_b, 1);
    }
  return (guchar) *a - (guchar) *b;
}

static int
compare_hosts_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const PlgRankTable *table = data;
  const int *one = a, *other = b;

  return compare_names (table->hosts->pdata[*one], table->hosts->pdata[*other]);
}

/* How many trays a node has, where the names of the hosts, in their order, say it too; else 1. */
static int
trays_by_name (const PlgRankTable *table, const PlgReading *reading, const int *sorted)
{
  int n = (int) table->hosts->len, trays = plg_trays_of_reading (reading);
  g_autofree const char **names = g_new (const char *, n);

  for (int i = 0; i < n; i++)
    names[i] = table->hosts->pdata[sorted[i]];
  return plg_trays (names, n) == trays ? trays : 1;
}

/* NODE_OF_HOST where the open plan has a node for each name, and no number is left out. */
static gboolean
find_known_hosts (const PlgRankTable *table, const PlgPlan *plan, int trays, int *node_of_host)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  int n = (int) table->hosts->len;
  g_autofree gboolean *taken = g_new0 (gboolean, n);

  for (int i = 0; i < plan->node_names.size; i++)
    if (plan->node_names.name[i] != NULL)
      g_hash_table_insert (known, plan->node_names.name[i], GINT_TO_POINTER (i + 1));
  for (int i = 0; i < n; i++)
    {
      const char *host = table->hosts->pdata[i];
      g_autofree char *name = trays > 1 ? plg_tray_node (host) : g_strdup (host);
      int node = GPOINTER_TO_INT (g_hash_table_lookup (known, name)) - 1;

      if (node < 0)
        node = plg_launch_unnamed (name);
      if (node >= 0 && trays > 1)
        node = node * trays + plg_tray_of_host (host);
      if (node < 0 || node >= n || taken[node])
        return FALSE;
      taken[node] = TRUE;
      node_of_host[i] = node;
    }
  return TRUE;
}

static void
number_by_name (const PlgRankTable *table,
                PlgReading *reading,
                const int *sorted,
                int *node_of_host)
{
  int n = (int) table->hosts->len;

  for (int i = 0; i < n; i++)
    node_of_host[sorted[i]] = i;
  plg_reading_note (reading, PLG_NOTE_INFERRED, 0,
                    _ ("The nodes are numbered in the order of their names, from %s to %s; the "
                       "file does not say which is which."),
                    (char *) table->hosts->pdata[sorted[0]],
                    (char *) table->hosts->pdata[sorted[n - 1]]);
}

/* Gives each row the number of its node, for files that have names alone. */
static void
number_nodes (PlgRankTable *table, PlgReading *reading)
{
  int n = (int) table->hosts->len;
  g_autofree int *node_of_host = g_new (int, n), *sorted = g_new (int, n);

  for (int i = 0; i < n; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, n, sizeof *sorted, compare_hosts_cb, table);
  if (table->listed == table->hosts->len)
    for (int i = 0; i < n; i++)
      node_of_host[i] = i;
  else if (!find_known_hosts (table, reading->plan, trays_by_name (table, reading, sorted),
                              node_of_host))
    number_by_name (table, reading, sorted, node_of_host);
  for (guint i = 0; i < table->rows->len; i++)
    nth_row (table, i)->node = node_of_host[nth_row (table, i)->host];
}

static int
count_nodes (const PlgRankTable *table)
{
  int highest = 0;

  for (guint i = 0; i < table->rows->len; i++)
    highest = MAX (highest, nth_row (table, i)->node);
  return highest + 1;
}

static gboolean
fail_two_hosts (const PlgRankTable *table,
                const PlgReading *reading,
                const PlgRankRow *row,
                const PlgRankRow *first,
                GError **error)
{
  return plg_reading_fail (reading, row->line, PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("Node %d is called %s here, and node %d is called %s in line %d; "
                              "each node needs one name of its own."),
                           row->node, (char *) table->hosts->pdata[row->host], first->node,
                           (char *) table->hosts->pdata[first->host], first->line);
}

/* The row that says first what each node is called, by node and by host. */
static gboolean
match_hosts (const PlgRankTable *table,
             const PlgReading *reading,
             const PlgRankRow **of_node,
             const PlgRankRow **of_host,
             GError **error)
{
  for (guint i = 0; i < table->rows->len; i++)
    {
      const PlgRankRow *row = nth_row (table, i);

      if (of_node[row->node] == NULL && of_host[row->host] == NULL)
        of_node[row->node] = of_host[row->host] = row;
      else if (of_node[row->node] != of_host[row->host])
        return fail_two_hosts (table, reading, row,
                               of_node[row->node] != NULL ? of_node[row->node] : of_host[row->host],
                               error);
    }
  return TRUE;
}

static void
tell_doubt (const PlgRankTable *table, PlgReading *reading)
{
  g_autofree char *doubt = plg_hosts_doubt ((const char *const *) table->hosts->pdata,
                                            (int) table->hosts->len);

  if (doubt != NULL)
    plg_reading_note (reading, PLG_NOTE_INFERRED, 0, "%s", doubt);
}

/* Calls the nodes what the file calls them; "node3" is no name of node 3. All names were checked
 * and are different, so they are set at once: one by one, each would be compared with all others.
 */
static gboolean
name_nodes (const PlgRankTable *table, PlgReading *reading, int nodes, GError **error)
{
  g_autofree const PlgRankRow **of_node = g_new0 (const PlgRankRow *, nodes);
  g_autofree const PlgRankRow **of_host = g_new0 (const PlgRankRow *, table->hosts->len);
  PlgNodeNames *names = &reading->plan->node_names;

  if (!match_hosts (table, reading, of_node, of_host, error))
    return FALSE;
  plg_node_names_clear (names);
  names->name = g_new0 (char *, nodes);
  for (int node = 0; node < nodes; node++)
    {
      const char *name = of_node[node] != NULL ? table->hosts->pdata[of_node[node]->host] : NULL;

      if (name == NULL || plg_hosts_is_default (name, node, table->numbers))
        continue;
      names->name[node] = g_strdup (name);
      names->size = node + 1;
    }
  if (names->size == 0)
    plg_node_names_clear (names);
  tell_doubt (table, reading);
  return TRUE;
}

/* GPUs */

static const char *
describe_node (const PlgRankTable *table, int node, char *buffer, gsize size)
{
  for (guint i = 0; i < table->rows->len; i++)
    if (nth_row (table, i)->node == node && nth_row (table, i)->host >= 0)
      return table->hosts->pdata[nth_row (table, i)->host];
  g_snprintf (buffer, size, "node%d", node);
  return buffer;
}

static int
compare_slots_cb (gconstpointer a, gconstpointer b)
{
  const PlgRankRow *one = *(PlgRankRow *const *) a, *other = *(PlgRankRow *const *) b;

  if (one->node != other->node)
    return one->node - other->node;
  return one->slot != other->slot ? one->slot - other->slot : one->rank - other->rank;
}

/* The GPUs of each node, in the order of slots and ranks. */
static void
deal_in_order (const PlgRankTable *table, int *count)
{
  int n = (int) table->rows->len;
  g_autofree PlgRankRow **sorted = g_new (PlgRankRow *, n);

  for (int i = 0; i < n; i++)
    sorted[i] = nth_row (table, i);
  qsort (sorted, n, sizeof *sorted, compare_slots_cb);
  for (int i = 0; i < n; i++)
    sorted[i]->gpu = count[sorted[i]->node]++;
}

/* Of the last rank of NODE; of the file where it has none. */
static int
last_line (const PlgRankTable *table, int node)
{
  int of_node = 0, of_file = 0;

  for (guint i = 0; i < table->rows->len; i++)
    {
      const PlgRankRow *row = nth_row (table, i);

      of_file = MAX (of_file, row->line);
      if (row->node == node)
        of_node = MAX (of_node, row->line);
    }
  return of_node > 0 ? of_node : of_file;
}

/* Where the file says nodes alone. */
static gboolean
deal_gpus (const PlgRankTable *table, PlgReading *reading, int nodes, GError **error)
{
  g_autofree int *count = g_new0 (int, nodes);
  char one[32], other[32];

  deal_in_order (table, count);
  for (int node = 1; node < nodes; node++)
    if (count[node] != count[0])
      return plg_reading_fail (reading, last_line (table, node), PLG_FORMAT_ERROR_CONTENT, error,
                               _ ("There are %d ranks on %s, and %d on %s; a plan has as many on "
                                  "each node."),
                               count[0], describe_node (table, 0, one, sizeof one), count[node],
                               describe_node (table, node, other, sizeof other));
  if (table->guess != NULL)
    plg_reading_note (reading, PLG_NOTE_INFERRED, 0, "%s", table->guess);
  return TRUE;
}

static int
count_gpus (const PlgRankTable *table)
{
  int highest = 0;

  for (guint i = 0; i < table->rows->len; i++)
    highest = MAX (highest, nth_row (table, i)->gpu);
  return highest + 1;
}

static gboolean
fail_empty_gpu (const PlgRankTable *table,
                const PlgReading *reading,
                const gboolean *taken,
                int gpus,
                GError **error)
{
  char buffer[32];
  int gpu = 0;

  while (taken[gpu])
    gpu++;
  return plg_reading_fail (reading, last_line (table, gpu / gpus), PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("No rank sits on GPU %d of %s; a plan has one on each GPU of each "
                              "node."),
                           gpu % gpus, describe_node (table, gpu / gpus, buffer, sizeof buffer));
}

/* Which GPU each rank sits on: each has one. NULL with ERROR otherwise. */
static int *
find_gpus (const PlgRankTable *table,
           const PlgReading *reading,
           int nodes,
           int gpus,
           GError **error)
{
  int n = (int) table->rows->len;
  g_autofree int *gpu_of_rank = g_new (int, n);
  g_autofree gboolean *taken = g_new0 (gboolean, (gsize) nodes * gpus);

  for (int i = 0; i < n; i++)
    {
      const PlgRankRow *row = nth_row (table, i);
      int gpu = row->node * gpus + row->gpu;
      char buffer[32];

      if (taken[gpu])
        {
          plg_reading_fail (reading, row->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Another rank sits on GPU %d of %s already; a GPU has one."),
                            row->gpu, describe_node (table, row->node, buffer, sizeof buffer));
          return NULL;
        }
      taken[gpu] = TRUE;
      gpu_of_rank[i] = gpu;
    }
  if (n != nodes * gpus)
    {
      fail_empty_gpu (table, reading, taken, gpus, error);
      return NULL;
    }
  return g_steal_pointer (&gpu_of_rank);
}

static gboolean
tell_gpus (const PlgRankTable *table, PlgReading *reading, int nodes, GError **error)
{
  int n = (int) table->rows->len, gpus;
  int line = nth_row (table, n - 1)->line;
  int *gpu_of_rank;

  gpus = count_gpus (table);
  if (!plg_reading_set_int (reading, line, "cluster.nodes", nodes, error) ||
      !plg_reading_set_int (reading, line, "cluster.gpus-per-node", gpus, error))
    return FALSE;
  gpu_of_rank = find_gpus (table, reading, nodes, gpus, error);
  if (gpu_of_rank == NULL)
    return FALSE;
  plg_reading_place (reading, gpu_of_rank, n);
  plg_reading_note (reading, table->guess != NULL ? PLG_NOTE_INFERRED : PLG_NOTE_UNDERSTOOD,
                    nth_row (table, 0)->line, _ ("Where each of %d ranks sits"), n);
  return TRUE;
}

gboolean
plg_rank_table_tell (PlgRankTable *table, PlgReading *reading, GError **error)
{
  int nodes;

  if (!sort_rows (table, reading, error))
    return FALSE;
  if (nth_row (table, 0)->node < 0)
    number_nodes (table, reading);
  if (nth_row (table, 0)->gpu >= 0)
    table->guess = NULL;
  else if (!deal_gpus (table, reading, count_nodes (table), error))
    return FALSE;
  if (!plg_trays_join (table, reading, count_gpus (table), error))
    return FALSE;
  nodes = count_nodes (table);
  return (nth_row (table, 0)->host < 0 || name_nodes (table, reading, nodes, error)) &&
         tell_gpus (table, reading, nodes, error) && plg_rank_order_tell (table, reading, error);
}
