/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/placement/launch-placement.h"

#include "io/placement/host-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_NODE_PREFIX "node"

int
plg_launch_default_name_index (const char *host)
{
  gint64 node;

  if (!g_str_has_prefix (host, DEFAULT_NODE_PREFIX))
    return -1;
  host += strlen (DEFAULT_NODE_PREFIX);
  /* Default names have no leading zeros, so a name such as "node07" comes from the user. */
  if ((host[0] == '0' && host[1] != '\0') ||
      !g_ascii_string_to_signed (host, 10, 0, PLG_MAX_NODES - 1, &node, NULL))
    return -1;
  return (int) node;
}

gboolean
plg_launch_is_named (const PlgPlan *plan, int host)
{
  int trays = plg_cluster_hosts_per_node (&plan->cluster);
  const char *name = plg_node_names_get (&plan->node_names, host / trays);

  return name != NULL && (trays == 1 || plg_node_name_n_hosts (name) == trays);
}

int
plg_launch_count_unnamed_hosts (const PlgPlan *plan)
{
  int unnamed = 0, trays = plg_cluster_hosts_per_node (&plan->cluster);

  for (int i = 0; i < plan->cluster.nodes; i++)
    unnamed += plg_launch_is_named (plan, i * trays) ? 0 : trays;
  return unnamed;
}

/* Returns a number with its noun, such as "1 GPU" or "2 GPUs"; free with g_free(). */
static char *
count_text (int n, const char *noun)
{
  return g_strdup_printf ("%d %s%s", n, noun, n == 1 ? "" : "s");
}

char *
plg_launch_describe_cluster (const PlgPlan *plan)
{
  const PlgCluster *cluster = &plan->cluster;
  int trays = plg_cluster_hosts_per_node (cluster);
  g_autofree char *nodes = count_text (cluster->nodes, "node");
  g_autofree char *gpus = count_text (cluster->gpus_per_node, "GPU");
  g_autofree char *host_gpus = count_text (plg_cluster_host_gpus (cluster), "GPU");

  if (trays == 1)
    return g_strdup_printf ("%s of %s", nodes, gpus);
  return g_strdup_printf ("%s of %s, %s %d hosts of %s", nodes, gpus,
                          cluster->nodes == 1 ? "which is" : "each of them", trays, host_gpus);
}

char *
plg_launch_first_line (const char *data, gsize size)
{
  const char *limit = data + size;

  while (data < limit)
    {
      const char *newline = memchr (data, '\n', limit - data);
      const char *end = newline != NULL ? newline : limit;

      while (data < end && g_ascii_isspace (*data))
        data++;
      if (data < end && *data != '#' && !(end - data > 1 && data[0] == '/' && data[1] == '/'))
        return g_strchomp (g_strndup (data, end - data));
      data = newline != NULL ? newline + 1 : limit;
    }
  return g_strdup ("");
}

void
plg_launch_comment_placement (GString *out, const PlgExportContext *export)
{
  if (export->placement_formats == NULL)
    return;
  g_string_append (out, "# Ranks were moved by hand. This file does not store the placement; "
                        "these launch files do:\n");
  for (int i = 0; export->placement_formats[i] != NULL; i++)
    g_string_append_printf (out, "#   %s\n", export->placement_formats[i]);
}

gboolean
plg_launch_is_default_placement (const PlgPlan *plan)
{
  return plg_placement_moved (&plan->placement) == 0;
}

int
plg_launch_host_of_rank (const PlgPlan *plan, int rank)
{
  return plg_placement_gpu (&plan->placement, rank) / plg_cluster_host_gpus (&plan->cluster);
}

gboolean
plg_launch_check_gpu_order (const PlgPlan *plan, const char *format, GError **error)
{
  g_autofree int *ranks = plg_plan_rank_of_gpus (plan);
  int gpus = plg_cluster_host_gpus (&plan->cluster);

  for (int gpu = 0; gpu < plg_plan_world (plan); gpu++)
    if (gpu % gpus > 0 && ranks[gpu] < ranks[gpu - 1])
      {
        g_auto (GStrv) hosts = plg_host_names_of_plan (plan);

        g_set_error (
            error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT,
            plg_cluster_hosts_per_node (&plan->cluster) > 1
                ? _ ("%s assigns the GPUs of a host in rank order, but on %s, GPU %d has rank %d "
                     "and GPU %d has rank %d.")
                : _ ("%s assigns the GPUs of a node in rank order, but on %s, GPU %d has rank %d "
                     "and GPU %d has rank %d."),
            format, hosts[gpu / gpus], gpu % gpus - 1, ranks[gpu - 1], gpu % gpus, ranks[gpu]);
        return FALSE;
      }
  return TRUE;
}

gboolean
plg_launch_check_blocks (const PlgPlan *plan, const char *format, GError **error)
{
  g_autofree int *ranks = plg_plan_rank_of_gpus (plan);
  int gpus = plg_cluster_host_gpus (&plan->cluster);

  for (int gpu = 0; gpu < plg_plan_world (plan); gpu++)
    if (ranks[gpu] / gpus != ranks[gpu / gpus * gpus] / gpus)
      {
        g_auto (GStrv) hosts = plg_host_names_of_plan (plan);

        g_set_error (
            error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT,
            plg_cluster_hosts_per_node (&plan->cluster) > 1
                ? _ ("%s gives each host %d consecutive ranks, starting at a multiple of %d, "
                     "but %s has rank %d and rank %d.")
                : _ ("%s gives each node %d consecutive ranks, starting at a multiple of %d, "
                     "but %s has rank %d and rank %d."),
            format, gpus, gpus, hosts[gpu / gpus], ranks[gpu], ranks[gpu / gpus * gpus]);
        return FALSE;
      }
  return TRUE;
}

int *
plg_launch_host_of_blocks (const PlgPlan *plan)
{
  g_autofree int *ranks = plg_plan_rank_of_gpus (plan);
  int hosts = plg_cluster_hosts (&plan->cluster), gpus = plg_cluster_host_gpus (&plan->cluster);
  int *host_of_block = g_new (int, hosts);

  for (int host = 0; host < hosts; host++)
    host_of_block[ranks[host * gpus] / gpus] = host;
  return host_of_block;
}

char *
plg_launch_visible_devices (const PlgPlan *plan, int host)
{
  int gpus = plg_cluster_host_gpus (&plan->cluster);
  g_autofree int *ranks = plg_plan_rank_of_gpus (plan);
  g_autofree int *gpu_of_local = g_new (int, gpus);
  gboolean permuted = FALSE;
  GString *list = g_string_new (NULL);

  for (int i = 0; i < gpus; i++)
    gpu_of_local[ranks[host * gpus + i] % gpus] = i;
  for (int i = 0; i < gpus; i++)
    {
      permuted |= gpu_of_local[i] != i;
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", gpu_of_local[i]);
    }
  return g_string_free (list, !permuted);
}

gboolean
plg_launch_read_devices (const PlgImportContext *context,
                         int line,
                         const char *text,
                         int n,
                         int limit,
                         int *gpus,
                         GError **error)
{
  const char *list = text != NULL ? strstr (text, "CUDA_VISIBLE_DEVICES=") : NULL;
  g_autofree char *copy = NULL;
  g_auto (GStrv) numbers = NULL;

  for (int i = 0; i < n; i++)
    gpus[i] = i;
  if (list == NULL)
    return TRUE;
  list += strlen ("CUDA_VISIBLE_DEVICES=");
  list += *list == '"' || *list == '\'';
  copy = g_strndup (list, strspn (list, "0123456789,"));
  numbers = g_strsplit (copy, ",", -1);
  if (g_strv_length (numbers) != (guint) n)
    return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                            _ ("CUDA_VISIBLE_DEVICES lists %d GPUs for %d processes; list one "
                               "GPU for each process."),
                            (int) g_strv_length (numbers), n);
  for (int i = 0; i < n; i++)
    {
      gint64 gpu;

      if (!g_ascii_string_to_signed (numbers[i], 10, 0, limit - 1, &gpu, NULL))
        return plg_format_fail (line, PLG_FORMAT_ERROR_CONTENT, error,
                                _ ("CUDA_VISIBLE_DEVICES must list numbers from 0 to %d."),
                                limit - 1);
      gpus[i] = (int) gpu;
    }
  return TRUE;
}
