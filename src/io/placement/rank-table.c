/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/rank-table.h"

#include "io/placement/host-names.h"
#include "io/placement/rank-hosts.h"
#include "io/placement/rank-order.h"
#include "io/placement/multi-host-nodes.h"
#include "plan/host-list.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define NODE_COMMENT "# node "
#define HOST_COMMENT "# host "

static void
clear_listed_cb (gpointer listed)
{
  g_free (((PlgListedHost *) listed)->name);
}

void
plg_rank_table_init (PlgRankTable *table)
{
  *table = (PlgRankTable) {
    .rows = g_array_new (FALSE, FALSE, sizeof (PlgRankRow)),
    .hosts = g_ptr_array_new_with_free_func (g_free),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .listed = g_array_new (FALSE, FALSE, sizeof (PlgListedHost)),
    .list_positions = g_hash_table_new (g_str_hash, g_str_equal),
    .trays = 1,
  };
  g_array_set_clear_func (table->listed, clear_listed_cb);
}

void
plg_rank_table_clear (PlgRankTable *table)
{
  g_clear_pointer (&table->rows, g_array_unref);
  g_clear_pointer (&table->list_positions, g_hash_table_unref);
  g_clear_pointer (&table->listed, g_array_unref);
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
                     const PlgImportContext *context,
                     int line,
                     const char *name,
                     int *host,
                     GError **error)
{
  int number = GPOINTER_TO_INT (g_hash_table_lookup (table->numbers, name));
  g_autoptr (GError) wrong = NULL;
  char *kept;

  if (number == 0 && !plg_node_name_check (name, &wrong))
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error, "%s", wrong->message);
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

void
plg_rank_table_comment (PlgRankTable *table, int line, const char *text)
{
  PlgListedHost listed = { .line = line };
  char *end;

  if ((!g_str_has_prefix (text, NODE_COMMENT) && !g_str_has_prefix (text, HOST_COMMENT)) ||
      table->rows->len > 0 || table->listed->len >= PLG_MAX_GPUS)
    return;
  text += strlen (NODE_COMMENT);
  listed.number = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != ':')
    return;
  listed.name = g_strstrip (g_strdup (end + 1));
  g_array_append_val (table->listed, listed);
  if (!g_hash_table_contains (table->list_positions, listed.name))
    g_hash_table_insert (table->list_positions, listed.name, GUINT_TO_POINTER (table->listed->len));
}

int
plg_rank_table_number (const PlgRankTable *table, const char *name)
{
  guint position = GPOINTER_TO_UINT (g_hash_table_lookup (table->list_positions, name));
  guint64 number = position > 0 ? g_array_index (table->listed, PlgListedHost, position - 1).number
                                : G_MAXUINT64;

  return number < PLG_MAX_GPUS ? (int) number : -1;
}

const char *
plg_rank_table_name (const PlgRankTable *table, int host)
{
  const PlgListedHost *listed = (const PlgListedHost *) table->listed->data;

  return (guint) host < table->listed->len && listed[host].number == (guint64) host
             ? listed[host].name
             : NULL;
}

gboolean
plg_rank_table_add (PlgRankTable *table,
                    const PlgImportContext *context,
                    const PlgRankRow *row,
                    GError **error)
{
  if (table->rows->len == PLG_MAX_GPUS)
    return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are more than %d ranks, the maximum in a plan."),
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

/* Nodes */

static int
count_nodes (const PlgRankTable *table)
{
  int highest = 0;

  for (guint i = 0; i < table->rows->len; i++)
    highest = MAX (highest, nth_row (table, i)->node);
  return highest + 1;
}

/* Gives the nodes the names in the file, except default names such as "node3" for node 3. Sets
 * all names at once, because the names are already checked and setting them one by one would
 * compare each name with all others. */
static gboolean
name_nodes (const PlgRankTable *table, PlgImportContext *context, int nodes, GError **error)
{
  /* The first row of each node and of each host. Later rows must agree with these rows. */
  g_autofree const PlgRankRow **of_node = g_new0 (const PlgRankRow *, nodes);
  g_autofree const PlgRankRow **of_host = g_new0 (const PlgRankRow *, table->hosts->len);
  PlgNodeNames *names = &context->plan->node_names;

  for (guint i = 0; i < table->rows->len; i++)
    {
      const PlgRankRow *row = nth_row (table, i), *first = of_node[row->node];

      if (first == NULL && of_host[row->host] == NULL)
        of_node[row->node] = of_host[row->host] = row;
      else if (first != of_host[row->host])
        {
          first = first != NULL ? first : of_host[row->host];
          return plg_format_fail (
              row->line, PLG_FORMAT_ERROR_CONTENT, error,
              _ ("Node %d is called %s here, but node %d is called %s on line %d; each node "
                 "needs exactly one name, and no two nodes may share a name."),
              row->node, (char *) table->hosts->pdata[row->host], first->node,
              (char *) table->hosts->pdata[first->host], first->line);
        }
    }
  plg_node_names_clear (names);
  names->name = g_new0 (char *, nodes);
  for (int node = 0; node < nodes; node++)
    {
      const char *name = of_node[node] != NULL ? table->hosts->pdata[of_node[node]->host] : NULL;

      if (name == NULL || plg_host_names_is_default (name, node, table->numbers))
        continue;
      names->name[node] = g_strdup (name);
      names->size = node + 1;
    }
  if (names->size == 0)
    plg_node_names_clear (names);
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

/* Returns the line of the last rank on NODE, or of the last rank in the file if NODE has no
 * rank. */
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

/* Sorts the ranks of each node by slot and then by rank, and assigns the node's GPUs to the
 * ranks in this order. */
static gboolean
assign_gpus (const PlgRankTable *table, PlgImportContext *context, int nodes, GError **error)
{
  g_autofree int *count = g_new0 (int, nodes);
  char one[32], other[32];
  int n = (int) table->rows->len;
  g_autofree PlgRankRow **sorted = g_new (PlgRankRow *, n);

  for (int i = 0; i < n; i++)
    sorted[i] = nth_row (table, i);
  qsort (sorted, n, sizeof *sorted, compare_slots_cb);
  for (int i = 0; i < n; i++)
    sorted[i]->gpu = count[sorted[i]->node]++;

  for (int node = 1; node < nodes; node++)
    if (count[node] != count[0])
      return plg_format_fail (last_line (table, node), PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("There are %d ranks on %s, but %d on %s; a plan needs the same "
                                 "number on each node."),
                              count[0], describe_node (table, 0, one, sizeof one), count[node],
                              describe_node (table, node, other, sizeof other));
  if (table->guess != NULL)
    plg_import_note (context, PLG_NOTE_INFERRED, 0, "%s", table->guess);
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

/* Returns the GPU of each rank, or NULL with ERROR if a GPU has no rank or several ranks; free
 * with g_free(). */
static int *
find_gpus (const PlgRankTable *table,
           const PlgImportContext *context,
           int nodes,
           int gpus,
           GError **error)
{
  int n = (int) table->rows->len, gpu;
  g_autofree int *gpu_of_rank = g_new (int, n);
  g_autofree gboolean *taken = g_new0 (gboolean, (gsize) nodes * gpus);
  char buffer[32];

  for (int i = 0; i < n; i++)
    {
      const PlgRankRow *row = nth_row (table, i);

      gpu = row->node * gpus + row->gpu;
      if (taken[gpu])
        {
          plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                           _ ("GPU %d of %s already has another rank; a GPU has only one."),
                           row->gpu, describe_node (table, row->node, buffer, sizeof buffer));
          return NULL;
        }
      taken[gpu] = TRUE;
      gpu_of_rank[i] = gpu;
    }
  if (n == nodes * gpus)
    return g_steal_pointer (&gpu_of_rank);
  for (gpu = 0; taken[gpu];)
    gpu++;
  plg_format_fail (last_line (table, gpu / gpus), PLG_FORMAT_ERROR_CONTENT, error,
                   _ ("GPU %d of %s has no rank; each GPU of each node needs one."), gpu % gpus,
                   describe_node (table, gpu / gpus, buffer, sizeof buffer));
  return NULL;
}

/* Sets KEY to VALUE. If hosts in the rows were combined into multi-host nodes, marks VALUE as
 * inferred. */
static gboolean
import_count (const PlgRankTable *table,
              PlgImportContext *context,
              int line,
              const char *key,
              int value,
              GError **error)
{
  if (table->by_node || table->trays == 1)
    return plg_import_set_int (context, line, key, value, error);
  return plg_multi_host_infer (context, line, key, value, error);
}

gboolean
plg_rank_table_import (PlgRankTable *table, PlgImportContext *context, GError **error)
{
  g_autofree char *warning = NULL;
  int n, nodes, gpus, line;
  int *gpu_of_rank;

  n = (int) table->rows->len;
  if (n == 0)
    return plg_format_fail (0, PLG_FORMAT_ERROR_CONTENT, error, _ ("The file contains no ranks."));
  g_array_sort (table->rows, compare_ranks_cb);
  for (int i = 0; i < n; i++)
    {
      const PlgRankRow *row = nth_row (table, i);

      if (i > 0 && row->rank == row[-1].rank)
        return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("Rank %d occurs twice, first on line %d; remove one."),
                                row->rank, row[-1].line);
      if (row->rank != i)
        return plg_format_fail (row->line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("This is rank %d, but there is no rank %d; ranks are numbered "
                                   "from 0 without gaps."),
                                row->rank, i);
    }
  if (nth_row (table, 0)->node < 0 && !plg_rank_table_number_hosts (table, context, error))
    return FALSE;
  warning = plg_host_names_warning ((const char *const *) table->hosts->pdata,
                                    (int) table->hosts->len);
  if (warning != NULL)
    plg_import_note (context, PLG_NOTE_INFERRED, 0, "%s", warning);
  if (nth_row (table, 0)->gpu >= 0)
    table->guess = NULL;
  else if (!assign_gpus (table, context, count_nodes (table), error))
    return FALSE;
  if (!plg_multi_host_join (table, context, count_gpus (table), error))
    return FALSE;
  nodes = count_nodes (table);
  gpus = count_gpus (table);
  line = nth_row (table, n - 1)->line;
  if ((nth_row (table, 0)->host >= 0 && !name_nodes (table, context, nodes, error)) ||
      !import_count (table, context, line, "cluster.nodes", nodes, error) ||
      !import_count (table, context, line, "cluster.gpus-per-node", gpus, error))
    return FALSE;
  gpu_of_rank = find_gpus (table, context, nodes, gpus, error);
  if (gpu_of_rank == NULL)
    return FALSE;
  plg_import_set_placement (context, gpu_of_rank, n);
  plg_import_note (context, table->guess != NULL ? PLG_NOTE_INFERRED : PLG_NOTE_UNDERSTOOD,
                   nth_row (table, 0)->line, _ ("The placement of %d ranks"), n);
  return plg_rank_order_import (table, context, error);
}
