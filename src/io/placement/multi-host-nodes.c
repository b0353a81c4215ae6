/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/multi-host-nodes.h"

#include "io/placement/host-names.h"
#include "io/import/header-comment.h"
#include "io/placement/tray-name.h"
#include "plan/host-list.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Lists of hosts */

static void
note_joined (PlgImportContext *context, int line, int hosts, int trays)
{
  plg_import_note (context, PLG_NOTE_INFERRED, line,
                   _ ("Hosts in the file: %d. They form nodes of %d hosts, as in the open plan."),
                   hosts, trays);
}

static void
note_stated (PlgImportContext *context, int line, int hosts, int trays)
{
  plg_import_note (context, PLG_NOTE_UNDERSTOOD, line,
                   _ ("Hosts in the file: %d. The file gives each node %d hosts."), hosts, trays);
}

gboolean
plg_multi_host_infer (PlgImportContext *context,
                      int line,
                      const char *key,
                      gint64 value,
                      GError **error)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  return plg_import_infer (context, line, key, text, _ ("This follows from the hosts in the file."),
                           error);
}

/* Makes each host a node of its own, and adds a note that the hosts do not fill the open plan's
 * multi-host nodes. GPUS is the number of GPUs per host in the file. */
static void
note_single (PlgImportContext *context, int line, gint64 gpus)
{
  plg_import_note (context, PLG_NOTE_INFERRED, line,
                   _ ("Each host becomes one node, because the hosts in the file have %d GPUs "
                      "each and do not fill the nodes of the open plan, which have %d hosts of "
                      "%d GPUs each."),
                   (int) gpus, plg_cluster_hosts_per_node (&context->plan->cluster),
                   plg_cluster_host_gpus (&context->plan->cluster));
  plg_import_set_derived (context, "cluster.gpus-per-host", "0");
}

gboolean
plg_multi_host_set_hosts (PlgImportContext *context,
                          const GPtrArray *hosts,
                          const int *lines,
                          GError **error)
{
  int trays = plg_cluster_hosts_per_node (&context->plan->cluster), n = (int) hosts->len;

  if (trays == 1)
    return plg_import_set_int (context, lines[0], "cluster.nodes", n, error) &&
           plg_host_names_set_nodes (context, hosts, lines, 1, error);
  if (n % trays != 0)
    return plg_format_fail (lines[0], PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are %d hosts, but a node of the open plan has %d, so the "
                               "hosts do not fill whole nodes. Open a plan in which each node is "
                               "one host (%s)."),
                            n, trays, plg_setting_name ("cluster.gpus-per-host"));
  note_joined (context, lines[0], n, trays);
  return plg_multi_host_infer (context, lines[0], "cluster.nodes", n / trays, error) &&
         plg_host_names_set_nodes (context, hosts, lines, trays, error);
}

/* Returns whether HOSTS hosts with GPUS GPUs each fill multi-host nodes of the open plan without
 * a remainder. */
static gboolean
fill_nodes (const PlgImportContext *context, gint64 hosts, gint64 gpus)
{
  const PlgCluster *cluster = &context->plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster);

  return trays > 1 && hosts > 0 && hosts % trays == 0 && gpus == plg_cluster_host_gpus (cluster);
}

/* Returns the number of hosts per node from a comment such as "BEFORE 18 AFTER" and sets *LINE
 * to the comment's line. Returns 1 if there is no such comment. */
static int
read_comment_count (const PlgImportContext *context,
                    const char *before,
                    const char *after,
                    int *line)
{
  const char *number = plg_header_comment_find (context, before, line);
  char *end;
  guint64 trays;

  if (number == NULL || !g_ascii_isdigit (*number))
    return 1;
  trays = g_ascii_strtoull (number, &end, 10);
  return g_str_has_prefix (end, after) && trays > 1 && trays <= PLG_MAX_GPUS_PER_NODE ? (int) trays
                                                                                      : 1;
}

static gboolean
divides_evenly (int trays, gint64 hosts, gint64 gpus)
{
  return hosts > 0 && hosts % trays == 0 && gpus > 0 && trays * gpus <= PLG_MAX_GPUS_PER_NODE;
}

/* Sets the numbers of nodes, GPUs per node and GPUs per host for nodes of TRAYS hosts. The
 * caller has already added the note on the hosts per node. */
static gboolean
set_joined_counts (PlgImportContext *context,
                   int line,
                   gint64 hosts,
                   int gpus_line,
                   gint64 gpus,
                   int trays,
                   GError **error)
{
  return plg_import_set_int (context, gpus_line, "cluster.gpus-per-host", gpus, error) &&
         plg_multi_host_infer (context, gpus_line, "cluster.gpus-per-node", gpus * trays, error) &&
         plg_multi_host_infer (context, line, "cluster.nodes", hosts / trays, error);
}

gboolean
plg_multi_host_set_counts (PlgImportContext *context,
                           int line,
                           gint64 hosts,
                           int gpus_line,
                           gint64 gpus,
                           GError **error)
{
  const PlgCluster *cluster = &context->plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster), comment_line;
  int stated = read_comment_count (context, PLG_MULTI_HOST_COUNT_PREFIX,
                                   PLG_MULTI_HOST_COUNT_SUFFIX, &comment_line);

  if (stated > 1 && divides_evenly (stated, hosts, gpus))
    {
      note_stated (context, comment_line, (int) hosts, stated);
      return set_joined_counts (context, line, hosts, gpus_line, gpus, stated, error);
    }
  if (fill_nodes (context, hosts, gpus))
    {
      note_joined (context, line, (int) hosts, trays);
      return set_joined_counts (context, line, hosts, gpus_line, gpus, trays, error);
    }
  if (gpus > 0 && trays > 1)
    note_single (context, gpus_line, gpus);
  return (gpus == 0 ||
          plg_import_set_int (context, gpus_line, "cluster.gpus-per-node", gpus, error)) &&
         (hosts == 0 || plg_import_set_int (context, line, "cluster.nodes", hosts, error));
}

/* Tables of ranks */

/* Replaces the table's hosts with nodes of TRAYS hosts each. NAMES has the names of all hosts,
 * indexed by host; if NAMES is NULL, the nodes get no names. */
static void
name_rows (PlgRankTable *table, const char *const *names, int hosts, int trays)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; names != NULL && i < hosts; i += trays)
    g_ptr_array_add (nodes, plg_tray_common_name (names + i, trays));
  g_hash_table_remove_all (table->numbers);
  g_ptr_array_unref (table->hosts);
  table->hosts = nodes;
  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_insert (table->numbers, nodes->pdata[i], GINT_TO_POINTER ((int) i + 1));
  for (guint i = 0; i < table->rows->len; i++)
    {
      PlgRankRow *row = &g_array_index (table->rows, PlgRankRow, i);

      row->host = names != NULL ? row->node : -1;
    }
  table->trays = trays;
}

static int
count_hosts (const PlgRankTable *table)
{
  const PlgRankRow *rows = (const PlgRankRow *) table->rows->data;
  int hosts = 0;

  for (guint i = 0; i < table->rows->len; i++)
    hosts = MAX (hosts, rows[i].node + 1);
  return hosts;
}

static gboolean
set_host_gpus (PlgImportContext *context, int gpus, GError **error)
{
  g_autofree char *text = g_strdup_printf ("%d", gpus);

  return plg_import_infer (context, 0, "cluster.gpus-per-host", text,
                           _ ("Each host has this many ranks."), error);
}

/* Splits N nodes of SIZE GPUs into blocks of GPUS GPUs. Returns the host of each block, or NULL
 * if the GPUs of a host are not exactly one block. Free with g_free(). */
static int *
hosts_of_blocks (const PlgRankTable *table, int n, int size, int gpus)
{
  const PlgRankRow *rows = (const PlgRankRow *) table->rows->data;
  int blocks = n * (size / gpus);
  g_autofree int *host = g_new (int, blocks);
  g_autofree gboolean *is_used = g_new0 (gboolean, blocks);

  for (int i = 0; i < blocks; i++)
    host[i] = -1;
  for (guint i = 0; i < table->rows->len; i++)
    {
      int block = rows[i].node * (size / gpus) + rows[i].gpu / gpus;

      if (rows[i].host < 0)
        return NULL;
      if (host[block] < 0 && !is_used[rows[i].host])
        {
          host[block] = rows[i].host;
          is_used[rows[i].host] = TRUE;
        }
      else if (host[block] != rows[i].host)
        return NULL;
    }
  for (int i = 0; i < blocks; i++)
    if (host[i] < 0)
      return NULL;
  return g_steal_pointer (&host);
}

/* Combines the table's hosts into nodes if a comment in the file states the hosts per node, or
 * if the hosts fill the multi-host nodes of the open plan. Does not use the host names, because
 * a host with a name like that of a tray may still be a whole node. */
static gboolean
join_hosts (PlgRankTable *table, PlgImportContext *context, int gpus, GError **error)
{
  int n = count_hosts (table), line;
  int trays = read_comment_count (context, PLG_MULTI_HOST_NAMES_PREFIX, PLG_MULTI_HOST_NAMES_SUFFIX,
                                  &line);
  gboolean is_stated = trays > 1 && divides_evenly (trays, n, gpus), has_names = TRUE;
  g_autofree const char **names = NULL;

  if (!is_stated && !fill_nodes (context, n, gpus))
    {
      if (plg_cluster_hosts_per_node (&context->plan->cluster) > 1)
        note_single (context, 0, gpus);
      return TRUE;
    }
  if (is_stated)
    note_stated (context, line, n, trays);
  else
    {
      trays = plg_cluster_hosts_per_node (&context->plan->cluster);
      note_joined (context, 0, n, trays);
    }
  names = g_new0 (const char *, n);
  for (guint i = 0; i < table->rows->len; i++)
    {
      PlgRankRow *row = &g_array_index (table->rows, PlgRankRow, i);

      if (row->host >= 0)
        names[row->node] = table->hosts->pdata[row->host];
      row->gpu += row->node % trays * gpus;
      row->node /= trays;
    }
  for (int i = 0; i < n; i++)
    has_names = has_names && names[i] != NULL;
  name_rows (table, has_names ? names : NULL, n, trays);
  /* Set the number of GPUs per host even if the open plan already has this number, because a
   * change of the node size would otherwise reset it. */
  return set_host_gpus (context, gpus, error);
}

gboolean
plg_multi_host_join (PlgRankTable *table, PlgImportContext *context, int gpus, GError **error)
{
  const PlgRankRow *first = (const PlgRankRow *) table->rows->data;
  const PlgCluster *cluster = &context->plan->cluster;
  int n, hosts, trays;
  g_autofree int *host = NULL;
  g_autofree const char **names = NULL;

  if (!table->by_node)
    return join_hosts (table, context, gpus, error);
  if (first->host < 0)
    {
      if (plg_cluster_hosts_per_node (cluster) > 1 && gpus == plg_cluster_host_gpus (cluster))
        note_single (context, 0, gpus);
      return TRUE;
    }

  /* The rows have node numbers and the names of the nodes' hosts. Leave the nodes unchanged if
   * the hosts do not fill them evenly. */
  n = count_hosts (table);
  hosts = (int) table->hosts->len;
  trays = hosts / n;
  if (trays < 2 || hosts % n != 0 || gpus % trays != 0)
    return TRUE;
  host = hosts_of_blocks (table, n, gpus, gpus / trays);
  if (host == NULL)
    return TRUE;
  names = g_new (const char *, hosts);
  for (int i = 0; i < hosts; i++)
    names[i] = table->hosts->pdata[host[i]];
  name_rows (table, names, hosts, trays);
  return set_host_gpus (context, gpus / trays, error);
}

int
plg_multi_host_hosts_per_node (const PlgImportContext *context)
{
  int line, stated = read_comment_count (context, PLG_MULTI_HOST_NAMES_PREFIX,
                                         PLG_MULTI_HOST_NAMES_SUFFIX, &line);

  return stated > 1 ? stated : plg_cluster_hosts_per_node (&context->plan->cluster);
}
