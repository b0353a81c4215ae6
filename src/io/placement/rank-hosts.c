/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/rank-hosts.h"

#include "io/placement/host-names.h"
#include "io/placement/launch-placement.h"
#include "io/placement/multi-host-nodes.h"
#include "io/placement/tray-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Compares host names and treats digits as numbers, so that node10 comes after node9. */
static int
compare_hosts_cb (gconstpointer one, gconstpointer other, gpointer data)
{
  const PlgRankTable *table = data;
  const char *a = table->hosts->pdata[*(const int *) one];
  const char *b = table->hosts->pdata[*(const int *) other];

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

/* Sets NODE_OF_HOST[I] to the number of the table's host I. The number comes from a node name in
 * the open plan or, if the plan lacks the name, from a default name such as "node3". Returns
 * FALSE if a host has neither kind of name, or if the numbers are not exactly 0 to N - 1 for N
 * hosts. */
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
      g_autofree char *name = trays > 1 ? plg_tray_node_name (host) : g_strdup (host);
      int node = GPOINTER_TO_INT (g_hash_table_lookup (known, name)) - 1;

      if (node < 0)
        node = plg_launch_default_name_index (name);
      if (node >= 0 && trays > 1)
        node = node * trays + plg_tray_index (host);
      if (node < 0 || node >= n || taken[node])
        return FALSE;
      taken[node] = TRUE;
      node_of_host[i] = node;
    }
  return TRUE;
}

/* Sets NODE_OF_HOST[I] to the number that the table's host I has in the open plan. Returns FALSE
 * if the plan lacks a host, or if a number is not below the number of hosts in the file. */
static gboolean
find_plan_hosts (const PlgRankTable *table, const PlgPlan *plan, int *node_of_host)
{
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  int n = (int) table->hosts->len;

  for (int i = 0; hosts[i] != NULL; i++)
    g_hash_table_insert (known, hosts[i], GINT_TO_POINTER (i + 1));
  for (int i = 0; i < n; i++)
    {
      node_of_host[i] = GPOINTER_TO_INT (g_hash_table_lookup (known, table->hosts->pdata[i])) - 1;
      if (node_of_host[i] < 0 || node_of_host[i] >= n)
        return FALSE;
    }
  return TRUE;
}

/* Numbers the hosts in the order of the list in the file's comments. If a user renamed hosts in
 * the rows but not in the list, these hosts take the unused numbers in order. */
static void
number_by_list (const PlgRankTable *table, PlgImportContext *context, int *node_of_host)
{
  int n = (int) table->hosts->len, next = 0, n_renamed = 0;
  g_autofree gboolean *taken = g_new0 (gboolean, n);

  for (int i = 0; i < n; i++)
    node_of_host[i] = -1;
  for (int i = 0; i < n; i++)
    {
      const char *name = g_array_index (table->listed, PlgListedHost, i).name;
      int host = GPOINTER_TO_INT (g_hash_table_lookup (table->numbers, name)) - 1;

      taken[i] = host >= 0 && node_of_host[host] < 0;
      if (taken[i])
        node_of_host[host] = i;
    }
  for (int i = 0; i < n; i++)
    if (node_of_host[i] < 0)
      {
        while (taken[next])
          next++;
        node_of_host[i] = next++;
        n_renamed++;
      }
  if (n_renamed > 0)
    plg_import_note (context, PLG_NOTE_INFERRED,
                     g_array_index (table->listed, PlgListedHost, 0).line,
                     _ ("The ranks below use other names for %d of the listed hosts, so these "
                        "hosts were matched in the order in which they occur."),
                     n_renamed);
}

gboolean
plg_rank_table_number_hosts (PlgRankTable *table, PlgImportContext *context, GError **error)
{
  int n = (int) table->hosts->len, trays = plg_multi_host_hosts_per_node (context);
  g_autofree int *node_of_host = g_new (int, n), *sorted = g_new (int, n);
  g_autofree const char **names = g_new (const char *, n);
  const PlgListedHost *listed = (const PlgListedHost *) table->listed->data, *without_rank = NULL;
  guint64 next_number = 0;
  /* TRUE if the comments list exactly as many hosts as the rows name, numbered 0, 1, 2 and so on */
  gboolean has_list = table->listed->len == table->hosts->len;

  for (guint i = 0; i < table->listed->len; i++)
    has_list = has_list && listed[i].number == i;
  /* Ignore listed names without ranks, because they may be a user's comments. Report one only if
   * it explains a gap in the numbers. */
  for (guint i = 0; i < table->listed->len && !has_list; i++)
    {
      if (!g_hash_table_contains (table->numbers, listed[i].name))
        without_rank = without_rank != NULL ? without_rank : &listed[i];
      else if (listed[i].number != next_number++)
        {
          if (without_rank != NULL && listed[i].number == i)
            return plg_format_fail (without_rank->line, PLG_FORMAT_ERROR_CONTENT, error,
                                    _ ("Node %s is listed here, but has no rank."),
                                    without_rank->name);
          return plg_format_fail (listed[i].line, PLG_FORMAT_ERROR_CONTENT, error,
                                  _ ("Node %s is listed out of order; nodes are numbered from 0."),
                                  listed[i].name);
        }
    }

  for (int i = 0; i < n; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, n, sizeof *sorted, compare_hosts_cb, table);
  for (int i = 0; i < n; i++)
    names[i] = table->hosts->pdata[sorted[i]];
  /* Assume several trays per node only if the sorted names confirm the number of trays. */
  if (plg_tray_count (names, n) != trays)
    trays = 1;
  if (has_list)
    number_by_list (table, context, node_of_host);
  else if (!find_plan_hosts (table, context->plan, node_of_host) &&
           !find_known_hosts (table, context->plan, trays, node_of_host))
    {
      for (int i = 0; i < n; i++)
        node_of_host[sorted[i]] = i;
      plg_import_note (context, PLG_NOTE_INFERRED, 0,
                       _ ("The nodes are numbered in the order of their names, from %s to %s, "
                          "because the file does not number them."),
                       names[0], names[n - 1]);
    }
  for (guint i = 0; i < table->rows->len; i++)
    {
      PlgRankRow *row = &g_array_index (table->rows, PlgRankRow, i);

      row->node = node_of_host[row->host];
    }
  return TRUE;
}
