/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/collective.h"
#include "io/simulators/simulator-checks.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Writes SimAI's topology file (github.com/aliyun/SimAI,
 * astra-sim-alibabacloud/inputs/topo/gen_Topo_Template.py). The first line gives the numbers of
 * vertices, GPUs per node, NVSwitches, other switches and links, and the name of the GPU. The
 * second line lists the switches. Each further line gives the two vertices, the rate, the
 * latency and the error rate of a link. The vertices are numbered in this order: GPUs, one
 * NVSwitch per node, leaves, spines. */

#define PROGRAM "SimAI"
#define DIGITS "%.6g"

typedef struct
{
  int n;
  GString *text;
} Links;

static void
add_link (Links *links, int from, int to, double bandwidth, double latency)
{
  char rate[G_ASCII_DTOSTR_BUF_SIZE], delay[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (rate, sizeof rate, DIGITS, bandwidth * 8e-9);
  g_ascii_formatd (delay, sizeof delay, DIGITS, latency * 1e3);
  g_string_append_printf (links->text, "%d %d %sGbps %sms 0\n", from, to, rate, delay);
  links->n++;
}

static GBytes *
write_simai (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  const PlgCluster *cluster = &plan->cluster;
  Links links = { 0 };
  PlgFabric fabric;
  /* SimAI's name for the GPU, such as "H100" for "h100-sxm-80". */
  g_auto (GStrv) parts = g_strsplit (cluster->gpu.name, "-", 2);
  g_autofree char *gpu_name = g_ascii_strup (parts[0], -1);
  GString *out;
  int gpus = plg_cluster_gpus (cluster), first_leaf = gpus + cluster->nodes;
  int first_spine, vertices;

  if (cluster->intra != PLG_INTRA_NVSWITCH)
    {
      plg_simulator_set_error (PROGRAM, error,
                               _ ("all nodes must have an NVSwitch; set %s to "
                                  "nvswitch."),
                               plg_setting_name ("cluster.intra"));
      return NULL;
    }
  if (!plg_simulator_check_rank_order (plan, PROGRAM, error) ||
      !plg_simulator_check_no_faults (plan, PROGRAM, error))
    return NULL;
  plg_fabric_init (&fabric, cluster);
  first_spine = first_leaf + fabric.leaves;
  vertices = first_spine + fabric.spines;
  links.text = g_string_new (NULL);
  for (int gpu = 0; gpu < gpus; gpu++)
    {
      int node = gpu / cluster->gpus_per_node, first, last;

      add_link (&links, gpu, gpus + node, cluster->intra_bandwidth, cluster->intra_latency / 2.0);
      if (fabric.leaves == 0)
        continue;
      /* Connect the GPU to the leaf of its first NIC, because all of its NICs connect to that
       * leaf. */
      plg_fabric_nics_of (&fabric, gpu % cluster->gpus_per_node, &first, &last);
      add_link (&links, gpu, first_leaf + plg_fabric_leaf (&fabric, node, first),
                cluster->inter_bandwidth, cluster->inter_latency / 2.0);
    }
  for (int leaf = first_leaf; leaf < first_spine; leaf++)
    for (int spine = first_spine; spine < vertices; spine++)
      add_link (&links, leaf, spine, fabric.uplink_bandwidth, cluster->inter_latency / 2.0);

  out = g_string_new (NULL);
  g_string_append_printf (out, "%d %d %d %d %d %s\n", vertices, cluster->gpus_per_node,
                          cluster->nodes, vertices - first_leaf, links.n, gpu_name);
  for (int i = gpus; i < vertices; i++)
    g_string_append_printf (out, "%s%d", i > gpus ? " " : "", i);
  g_string_append_c (out, '\n');
  g_string_append_len (out, links.text->str, (gssize) links.text->len);
  g_string_free (links.text, TRUE);
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_simai_format = {
  .name = "simai",
  .suffix = ".txt",
  .title = N_ ("SimAI topology (text)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_simai,
};

/* Writes bus bandwidths [GB/s] in the file format that SimAI reads
 * (astra-sim/system/AstraParamParse.hh, parseYaml). SimAI skips the first line and the spaces
 * before names; null means unknown. */

static const struct
{
  PlgCollectiveKind kind;
  const char *name;
} kinds[] = {
  { PLG_COLLECTIVE_ALL_REDUCE, "allreduce" },
  { PLG_COLLECTIVE_ALL_GATHER, "allgather" },
  { PLG_COLLECTIVE_REDUCE_SCATTER, "reducescatter" },
  { PLG_COLLECTIVE_ALL_TO_ALL, "alltoall" },
};

/* The largest message size in common use with nccl-tests ("-e 8G") [bytes]. At this size, the
 * latency hardly affects the time. */
#define LARGE_BYTES (8.0 * 1024 * 1024 * 1024)

/* Predicts the busbw [bytes/s] that nccl-tests would report for a call of LARGE_BYTES if all
 * other groups made the same call at the same time. Returns 0 if the group has fewer than two
 * members. */
static double
predict_bus_bandwidth (const PlgFabric *fabric, const PlgGroupExtent *span, PlgCollectiveKind kind)
{
  double time = plg_collective_time (fabric, span, kind, LARGE_BYTES);

  return span->size > 1 ? plg_collective_bus_bandwidth (kind, span->size, LARGE_BYTES, time) : 0.0;
}

static void
append_bandwidth (GString *out, const char *name, double bandwidth)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, "  %s: %s\n", name,
                          bandwidth > 0.0
                              ? g_ascii_formatd (number, sizeof number, DIGITS, bandwidth * 1e-9)
                              : "null");
}

static GBytes *
write_simai_busbw (const PlgExportContext *export, GError **error)
{
  static const struct
  {
    PlgGroupKind kind;
    const char *name;
  } groups_of[] = { { PLG_GROUP_TP, "TP" }, { PLG_GROUP_DATA, "DP" }, { PLG_GROUP_EP, "EP" } };
  const PlgPlan *plan = export->plan;
  double slowest = 0.0; /* slowest rate between two consecutive stages [bytes/s] */
  PlgFabric fabric;
  PlgGroups groups;
  GString *out;

  if (plan->parallelism.degree[PLG_AXIS_CP] > 1)
    {
      plg_simulator_set_error (PROGRAM, error,
                               _ ("the program has no context parallelism; set "
                                  "CP to 1."));
      return NULL;
    }
  plg_fabric_init (&fabric, &plan->cluster);
  out = g_string_new ("# Bus bandwidths in GB/s, as nccl-tests counts them, of large messages.\n");
  for (guint i = 0; i < G_N_ELEMENTS (groups_of); i++)
    {
      PlgGroupExtent extent;

      plg_groups_init (&groups, &plan->parallelism, groups_of[i].kind);
      extent = plg_groups_extent (&groups, plan, &fabric);
      g_string_append_printf (out, "%s:\n", groups_of[i].name);
      for (guint j = 0; j < G_N_ELEMENTS (kinds); j++)
        append_bandwidth (out, kinds[j].name,
                          predict_bus_bandwidth (&fabric, &extent, kinds[j].kind));
    }

  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_PP);
  for (int i = 0; i + 1 < plan->parallelism.degree[PLG_AXIS_PP]; i++)
    {
      PlgGroupExtent hop = plg_groups_hop (&groups, plan, &fabric, i, i + 1);
      double bandwidth = predict_bus_bandwidth (&fabric, &hop, PLG_COLLECTIVE_SEND_RECV);

      slowest = i == 0 ? bandwidth : MIN (slowest, bandwidth);
    }
  g_string_append (out, "PP:\n");
  append_bandwidth (out, "busbw", slowest);
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_simai_busbw_format = {
  .name = "simai-busbw",
  .suffix = ".yaml",
  .title = N_ ("SimAI bus bandwidths (busbw.yaml)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_simai_busbw,
};
