/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/import/format.h"
#include "io/placement/host-names.h"
#include "io/launch/launch-script.h"
#include "io/placement/launch-placement.h"
#include "io/placement/rank-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* With a static rendezvous, torchrun numbers ranks as node rank × processes per node + local
 * rank (torch/distributed/run.py). A node therefore runs a block of consecutive ranks, and
 * CUDA_VISIBLE_DEVICES sets the order of its GPUs. With the c10d rendezvous, torchrun sorts
 * hosts by name, so scripts that use c10d are rejected. */

#define SHOWN_CHARACTERS 40

/* Writing */

static gboolean
can_place (const PlgPlan *plan, GError **error)
{
  return plg_launch_check_blocks (plan, "torchrun", error);
}

static GBytes *
write_torchrun (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  int n = plg_cluster_hosts (&plan->cluster);
  g_autofree int *host_of_block = plg_launch_host_of_blocks (plan);
  g_autofree int *block_of_host = g_new (int, n);
  const char *noun = plg_cluster_hosts_per_node (&plan->cluster) > 1 ? "host" : "node";
  g_auto (GStrv) hosts = plg_host_names_of_plan (plan);
  GString *script = plg_launch_script_new (plan);
  g_autofree char *comment = g_strdup_printf ("\nOn each %s: bash FILE train.py ARGUMENTS\n"
                                              "NODE=%s names the %s if its host name does not.\n",
                                              noun, hosts[n - 1], noun);

  plg_launch_script_comment (script, comment);
  g_string_append (script, "set -euo pipefail\n\n"
                           "[ $# -gt 0 ] || set -- train.py\n\n");
  g_string_append (script, "# The plan has the full name of a host or the part before the "
                           "first dot.\n"
                           "for host in ${NODE:-$(hostname -f) $(hostname -s)}; do\n"
                           "  case $host in\n");
  for (int i = 0; i < n; i++)
    block_of_host[host_of_block[i]] = i;
  for (int i = 0; i < n; i++)
    {
      g_autofree char *devices = plg_launch_visible_devices (plan, i);
      /* Quotes prevent a host called “esac” from ending the case statement. */
      gboolean is_esac = g_str_equal (hosts[i], "esac");

      g_string_append_printf (script, is_esac ? "  (\"%s\") " : "  (%s) ", hosts[i]);
      if (devices != NULL)
        g_string_append_printf (script, "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=%s ",
                                devices);
      g_string_append_printf (script,
                              "exec torchrun --nnodes=%d --nproc-per-node=%d --node-rank=%d "
                              "--master-addr=%s --master-port=%d \"$@\" ;;\n",
                              n, plg_cluster_host_gpus (&plan->cluster), block_of_host[i],
                              hosts[host_of_block[0]], PLG_LAUNCH_PORT);
    }
  g_string_append (script, "  esac\n"
                           "done\n"
                           "echo \"The plan has no node of this name; set NODE.\" >&2\n"
                           "exit 1\n");
  return plg_take_text (g_string_free (script, FALSE));
}

/* Reading */

typedef struct
{
  PlgImportContext *context;
  PlgRankTable *table;
  gint64 nodes;    /* value of --nnodes; 0 before the first torchrun line */
  gint64 per_node; /* value of --nproc-per-node; 0 before the first torchrun line */
} Torchrun;

/* Returns the text that the first group of PATTERN matches in TEXT, or NULL; free with g_free(). */
static char *
find_group (const char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  return g_regex_match (regex, text, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

/* Reads the value of "--NAME=" or "--NAME " from TEXT, where "-" may also be "_". */
static gboolean
read_option (const Torchrun *torchrun,
             int line,
             const char *text,
             const char *name,
             int limit,
             gint64 *number,
             GError **error)
{
  g_auto (GStrv) words = g_strsplit (name, "-", -1);
  g_autofree char *either = g_strjoinv ("[-_]", words);
  g_autofree char *pattern = g_strdup_printf ("(?:^|\\s)--%s(?:=|\\s+)[\"']?([^\\s\"']+)", either);
  g_autofree char *value = find_group (text, pattern);
  g_autofree char *shown = plg_text_excerpt (value != NULL ? value : "", SHOWN_CHARACTERS);

  if (value != NULL && g_ascii_string_to_signed (value, 10, 0, limit, number, NULL))
    return TRUE;
  return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("--%s is “%s”; in each torchrun line, it must be a whole number up "
                             "to %d, so that the ranks are known."),
                          name, shown, limit);
}

/* Checks that the value NOW of the option NAME equals BEFORE, its value on earlier lines. BEFORE
 * is 0 on the first torchrun line. */
static gboolean
check_same (const Torchrun *torchrun,
            int line,
            const char *name,
            gint64 before,
            gint64 now,
            GError **error)
{
  return before == 0 || before == now ||
         plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                          _ ("--%s is %lld here, but %lld on an earlier line; all nodes need the "
                             "same value."),
                          name, (long long) now, (long long) before);
}

static gboolean
read_launch (Torchrun *torchrun, int line, const char *text, GError **error)
{
  gint64 nodes, per_node, node_rank;
  g_autofree char *host = NULL;
  PlgRankRow row = plg_rank_row (line);
  int gpus[PLG_MAX_GPUS_PER_NODE];

  if (strstr (text, "c10d") != NULL)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("Ranks are not stable with the c10d rendezvous; use --node-rank "
                               "and --master-addr."));
  if (!read_option (torchrun, line, text, "nnodes", PLG_MAX_NODES, &nodes, error) ||
      !read_option (torchrun, line, text, "nproc-per-node", PLG_MAX_GPUS_PER_NODE, &per_node,
                    error) ||
      !read_option (torchrun, line, text, "node-rank", PLG_MAX_NODES - 1, &node_rank, error) ||
      !check_same (torchrun, line, "nnodes", torchrun->nodes, nodes, error) ||
      !check_same (torchrun, line, "nproc-per-node", torchrun->per_node, per_node, error))
    return FALSE;
  torchrun->nodes = nodes;
  torchrun->per_node = per_node;

  /* Read the node from "(NAME) torchrun", "NAME) torchrun" or "ssh NAME torchrun". If the line
   * has no name, use the node rank as the node's number. */
  host = find_group (text, "^\\s*\\(?\"?([^\\s()\"]+)\"?\\)");
  if (host == NULL)
    host = find_group (text, "^\\s*ssh(?:\\s+-\\S+)*\\s+(?:[^\\s@]+@)?([^\\s@-][^\\s@]*)\\s");
  if (host == NULL)
    row.node = (int) node_rank;
  else if (!plg_rank_table_host (torchrun->table, torchrun->context, line, host, &row.host, error))
    return FALSE;
  if (!plg_launch_read_devices (torchrun->context, line, text, (int) per_node,
                                PLG_MAX_GPUS_PER_NODE, gpus, error))
    return FALSE;
  for (int i = 0; i < per_node; i++)
    {
      row.rank = (int) (node_rank * per_node + i);
      row.gpu = gpus[i];
      if (!plg_rank_table_add (torchrun->table, torchrun->context, &row, error))
        return FALSE;
    }
  return TRUE;
}

/* Reads the lines of a script. A line that ends with a backslash continues on the next line, as
 * in bash. */
static gboolean
read_torchrun (PlgImportContext *context, GError **error)
{
  g_autofree char **lines = plg_text_lines (context->data, context->size, error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (PlgRankTable) table = { 0 };
  Torchrun torchrun = { .context = context, .table = &table };
  const PlgRankRow *rows;
  int first = 1, n;

  if (lines == NULL)
    return FALSE;
  plg_rank_table_init (&table);
  for (int i = 0; lines[i] != NULL; i++)
    {
      plg_rank_table_comment (&table, i + 1, lines[i]);
      if (text->len == 0)
        first = i + 1;
      g_string_append (text, lines[i]);
      if (g_str_has_suffix (lines[i], "\\"))
        {
          text->str[text->len - 1] = ' ';
          continue;
        }
      if (text->str[strspn (text->str, " \t")] != '#' &&
          (strstr (text->str, "torchrun") != NULL ||
           strstr (text->str, "torch.distributed.") != NULL) &&
          !read_launch (&torchrun, first, text->str, error))
        return FALSE;
      g_string_truncate (text, 0);
    }

  rows = (const PlgRankRow *) table.rows->data;
  n = (int) table.rows->len;
  for (int i = 1; i < n; i++)
    if ((rows[i].host < 0) != (rows[0].host < 0))
      return plg_format_fail (rows[i].line, PLG_FORMAT_ERROR_CONTENT, error,
                              _ ("Some lines name their node and others do not; name the node in "
                                 "all lines or in none."));
  if (n != torchrun.nodes * torchrun.per_node)
    return plg_format_fail (n > 0 ? rows[n - 1].line : 0, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("There are lines for %d of %lld ranks; each node needs one line."),
                            n, (long long) (torchrun.nodes * torchrun.per_node));
  return plg_rank_table_import (&table, context, error);
}

/* Returns whether DATA is a torchrun script with a node rank but without training options. A
 * script with training options is read as Megatron-LM's arguments. */
static gboolean
is_torchrun (const char *data, gsize size)
{
  return (g_strstr_len (data, (gssize) size, "torchrun") != NULL ||
          g_strstr_len (data, (gssize) size, "torch.distributed.run") != NULL) &&
         (g_strstr_len (data, (gssize) size, "--node-rank=") != NULL ||
          g_strstr_len (data, (gssize) size, "--node_rank") != NULL ||
          g_strstr_len (data, (gssize) size, "--node-rank ") != NULL) &&
         g_strstr_len (data, (gssize) size, "-parallel-size") == NULL &&
         g_strstr_len (data, (gssize) size, "--num-layers") == NULL && *data != '{' && *data != '<';
}

const PlgFormat plg_torchrun_format = {
  .name = "torchrun",
  .suffix = ".torchrun.sh",
  .title = N_ ("Script for torchrun, one line per node"),
  .subject = PLG_SUBJECT_PLACEMENT,
  .needs_names = TRUE,
  .sign = "torchrun, --node-rank",
  .is = is_torchrun,
  .read = read_torchrun,
  .can_place = can_place,
  .write = write_torchrun,
};
