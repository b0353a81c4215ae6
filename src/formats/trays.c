/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/trays.h"

#include "formats/hosts.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Between the name of a node and the number of one of its hosts. */
#define TRAY "-tray"
#define MAX_DIGITS 3

/* Names */

char *
plg_tray_name (const char *node, int tray)
{
  int label = (int) strcspn (node, ".");

  return g_strdup_printf ("%.*s" TRAY "%d%s", label, node, tray, node + label);
}

/* Where TRAY stands in HOST, with a number behind it up to the first dot; -1: nowhere. */
static int
find_tray (const char *host)
{
  gsize label = strcspn (host, "."), digits = 0, word = strlen (TRAY);
  const char *number;

  while (digits < label && g_ascii_isdigit (host[label - digits - 1]))
    digits++;
  number = host + label - digits;
  if (digits == 0 || digits > MAX_DIGITS || (*number == '0' && digits > 1) ||
      label - digits <= word || strncmp (number - word, TRAY, word) != 0)
    return -1;
  return (int) (label - digits - word);
}

int
plg_tray_of_host (const char *host)
{
  int at = find_tray (host);

  return at < 0 ? -1 : atoi (host + at + strlen (TRAY));
}

char *
plg_tray_node (const char *host)
{
  int at = find_tray (host);

  return at < 0 ? g_strdup (host)
                : g_strdup_printf ("%.*s%s", at, host, host + strcspn (host, "."));
}

/* How many of the N HOSTS, from the first on, are the trays of its node in their order. */
static int
count_trays (const char *const *hosts, int n)
{
  g_autofree char *node = plg_tray_node (hosts[0]);
  int trays = 0;

  for (; trays < n && plg_tray_of_host (hosts[trays]) == trays; trays++)
    {
      g_autofree char *of = plg_tray_node (hosts[trays]);

      if (!g_str_equal (of, node))
        break;
    }
  return trays;
}

int
plg_trays (const char *const *hosts, int n)
{
  int trays = n > 0 ? count_trays (hosts, n) : 0;

  if (trays < 2 || n % trays != 0)
    return 1;
  for (int i = trays; i < n; i += trays)
    if (count_trays (hosts + i, n - i) != trays)
      return 1;
  return trays;
}

/* Lists of hosts */

static void
note_lost_names (PlgReading *reading, int line, int trays)
{
  plg_reading_note (reading, PLG_NOTE_IGNORED, line,
                    _ ("Names of hosts: a plan names nodes, and a node is %d hosts here."), trays);
}

static gboolean
name_trays (PlgReading *reading,
            const GPtrArray *hosts,
            const int *lines,
            int trays,
            GError **error)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_free);

  if (plg_trays ((const char *const *) hosts->pdata, (int) hosts->len) != trays)
    {
      note_lost_names (reading, lines[0], trays);
      return TRUE;
    }
  for (guint i = 0; i < hosts->len; i += trays)
    g_ptr_array_add (nodes, plg_tray_node (hosts->pdata[i]));
  return plg_hosts_name_nodes (reading, nodes, NULL, error);
}

static void
note_joined (PlgReading *reading, int line, int hosts, int nodes)
{
  plg_reading_note (reading, PLG_NOTE_INFERRED, line,
                    _ ("Hosts: %d. A node of the open plan is %d of them."), hosts, hosts / nodes);
}

gboolean
plg_trays_tell_hosts (PlgReading *reading, const GPtrArray *hosts, const int *lines, GError **error)
{
  int trays = plg_cluster_hosts_per_node (&reading->plan->cluster), n = (int) hosts->len;

  if (trays == 1)
    return plg_reading_set_int (reading, lines[0], "cluster.nodes", n, error) &&
           plg_hosts_name_nodes (reading, hosts, lines, error);
  if (n % trays != 0)
    return plg_reading_fail (reading, lines[0], PLG_FORMAT_ERROR_CONTENT, error,
                             _ ("There are %d hosts, and a node of the open plan is %d hosts: they "
                                "do not fill nodes. Open a plan whose nodes are one host each "
                                "(cluster.gpus-per-host)."),
                             n, trays);
  note_joined (reading, lines[0], n, n / trays);
  return plg_reading_set_int (reading, lines[0], "cluster.nodes", n / trays, error) &&
         name_trays (reading, hosts, lines, trays, error);
}

/* Whether HOSTS of GPUS are whole nodes of the open plan, each of several. */
static gboolean
fill_nodes (const PlgReading *reading, gint64 hosts, gint64 gpus)
{
  const PlgCluster *cluster = &reading->plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster);

  return trays > 1 && hosts > 0 && hosts % trays == 0 && gpus == plg_cluster_host_gpus (cluster);
}

/* How many hosts a node is where a line says so, "BEFORE 18 AFTER"; 1: none does. People write "A
 * node is 8 GPUs" as well. */
static int
remarked (const PlgReading *reading, const char *before, const char *after)
{
  const char *line = reading->data;

  while (line != NULL && *line != '\0')
    {
      const char *number = line + strlen (before);

      if (g_str_has_prefix (line, before) && g_ascii_isdigit (*number))
        {
          char *end;
          guint64 trays = g_ascii_strtoull (number, &end, 10);

          if (g_str_has_prefix (end, after) && trays > 1 && trays <= PLG_MAX_GPUS_PER_NODE)
            return (int) trays;
        }
      line = strchr (line, '\n');
      line = line != NULL ? line + 1 : NULL;
    }
  return 1;
}

static gboolean
can_be (int trays, gint64 hosts, gint64 gpus)
{
  return hosts > 0 && hosts % trays == 0 && gpus > 0 && trays * gpus <= PLG_MAX_GPUS_PER_NODE;
}

gboolean
plg_trays_tell_counts (PlgReading *reading,
                       int line,
                       gint64 hosts,
                       int gpus_line,
                       gint64 gpus,
                       GError **error)
{
  int trays = plg_cluster_hosts_per_node (&reading->plan->cluster);
  int said = remarked (reading, PLG_TRAYS_REMARK, "\n");

  if (said > 1 && can_be (said, hosts, gpus))
    return plg_reading_set_int (reading, line, "cluster.nodes", hosts / said, error) &&
           plg_reading_set_int (reading, gpus_line, "cluster.gpus-per-node", gpus * said, error) &&
           plg_reading_set_int (reading, gpus_line, "cluster.gpus-per-host", gpus, error);
  if (fill_nodes (reading, hosts, gpus))
    {
      note_joined (reading, line, (int) hosts, (int) (hosts / trays));
      return plg_reading_set_int (reading, line, "cluster.nodes", hosts / trays, error);
    }
  if (gpus > 0 &&
      (!plg_reading_set_int (reading, gpus_line, "cluster.gpus-per-node", gpus, error) ||
       (trays > 1 && !plg_reading_set_int (reading, gpus_line, "cluster.gpus-per-host", 0, error))))
    return FALSE;
  return hosts == 0 || plg_reading_set_int (reading, line, "cluster.nodes", hosts, error);
}

/* Tables of ranks */

/* What each of N hosts is called, by their numbers. Borrowed names, g_free() the list. */
static const char **
names_of_hosts (const PlgRankTable *table, int n)
{
  const PlgRankRow *rows = (const PlgRankRow *) table->rows->data;
  const char **names = g_new0 (const char *, n);

  for (guint i = 0; i < table->rows->len; i++)
    if (rows[i].host >= 0 && rows[i].node < n)
      names[rows[i].node] = table->hosts->pdata[rows[i].host];
  for (int i = 0; i < n; i++)
    if (names[i] == NULL)
      {
        g_free (names);
        return NULL;
      }
  return names;
}

/* Calls the nodes of the rows what their trays are called after; nothing where NAMED is FALSE. */
static gboolean
name_rows (PlgRankTable *table, PlgReading *reading, gboolean named, GError **error)
{
  PlgRankTable of_hosts = *table;
  PlgRankRow *rows = (PlgRankRow *) table->rows->data;
  gboolean done = TRUE;

  table->hosts = g_ptr_array_new_with_free_func (g_free);
  table->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; done && i < table->rows->len; i++)
    {
      g_autofree char *node = named ? plg_tray_node (of_hosts.hosts->pdata[rows[i].host]) : NULL;

      rows[i].host = -1;
      if (named)
        done = plg_rank_table_host (table, reading, rows[i].line, node, &rows[i].host, error);
    }
  g_hash_table_unref (of_hosts.numbers);
  g_ptr_array_unref (of_hosts.hosts);
  return done;
}

static void
fold_rows (PlgRankTable *table, int trays, int gpus)
{
  for (guint i = 0; i < table->rows->len; i++)
    {
      PlgRankRow *row = &g_array_index (table->rows, PlgRankRow, i);

      row->gpu += row->node % trays * gpus;
      row->node /= trays;
    }
}

static void
note_trays (PlgReading *reading, gboolean said, gboolean lost, int line, int hosts, int trays)
{
  if (said)
    plg_reading_note (reading, PLG_NOTE_UNDERSTOOD, 0,
                      _ ("Hosts: %d. The file says that a node is %d of them."), hosts, trays);
  else
    note_joined (reading, 0, hosts, hosts / trays);
  if (lost)
    note_lost_names (reading, line, trays);
}

/* Whether a node is one host where the file, which says TRAYS, is of other hosts than the plan. */
static gboolean
tell_size (const PlgRankTable *table, PlgReading *reading, int trays, int gpus, GError **error)
{
  int size = trays > 1 ? gpus : 0;

  /* Said even where it is the open plan's: a node of another size would lose it. */
  if ((table->by_node && trays == 1) || (size == 0 && reading->plan->cluster.gpus_per_host == 0))
    return TRUE;
  return plg_reading_set_int (reading, 0, "cluster.gpus-per-host", size, error);
}

int
plg_trays_of_reading (const PlgReading *reading)
{
  int said = remarked (reading, PLG_TRAYS_SENTENCE, PLG_TRAYS_CALLED);

  return said > 1 ? said : plg_cluster_hosts_per_node (&reading->plan->cluster);
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

/* Hosts may be called trays and be nodes all the same, so their names say nothing here. */
gboolean
plg_trays_join (PlgRankTable *table, PlgReading *reading, int gpus, GError **error)
{
  int n = count_hosts (table);
  int trays = table->by_node ? 1 : remarked (reading, PLG_TRAYS_SENTENCE, PLG_TRAYS_CALLED);
  gboolean said = trays > 1 && can_be (trays, n, gpus), named;
  g_autofree const char **names = NULL;

  if (!said)
    trays = fill_nodes (reading, n, gpus) ? plg_cluster_hosts_per_node (&reading->plan->cluster)
                                          : 1;
  if (trays == 1)
    return tell_size (table, reading, trays, gpus, error);
  names = names_of_hosts (table, n);
  named = names != NULL && plg_trays (names, n) == trays;
  note_trays (reading, said, names != NULL && !named,
              g_array_index (table->rows, PlgRankRow, 0).line, n, trays);
  fold_rows (table, trays, gpus);
  return tell_size (table, reading, trays, gpus, error) && name_rows (table, reading, named, error);
}
