/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/collective.h"
#include "io/simulators/simulator-checks.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>

/* Writes the topology file of SimAI (github.com/aliyun/SimAI,
 * astra-sim-alibabacloud/inputs/topo/gen_Topo_Template.py). Its first line has the numbers of
 * vertices, GPUs per node, NVSwitches, other switches and links, and the GPU; then follow the
 * numbers of the switches, and one line per link with its ends, rate, latency and error rate; GPUs
 * come first, then the NVSwitch of each node, leaves and spines. */

#define PROGRAM "SimAI"
#define DIGITS "%.6g"

typedef struct
{
  const PlgPlan *plan;
  PlgFabric fabric;
  int gpus;
  int first_leaf;
  int first_spine;
  int n_links;
  GString *links;
} Topology;

static void
add_link (Topology *topology, int from, int to, double bandwidth, double latency)
{
  char rate[G_ASCII_DTOSTR_BUF_SIZE], delay[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (rate, sizeof rate, DIGITS, bandwidth * 8e-9);
  g_ascii_formatd (delay, sizeof delay, DIGITS, latency * 1e3);
  g_string_append_printf (topology->links, "%d %d %sGbps %sms 0\n", from, to, rate, delay);
  topology->n_links++;
}

static GBytes *
write_simai (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  Topology topology = { .plan = plan };
  /* SimAI's name of the GPU, such as "H100" for "h100-sxm-80". */
  g_auto (GStrv) parts = g_strsplit (plan->cluster.gpu.name, "-", 2);
  g_autofree char *gpu = g_ascii_strup (parts[0], -1);
  GString *out;
  int switches;

  if (plan->cluster.intra != PLG_INTRA_NVSWITCH)
    {
      plg_simulator_set_error (PROGRAM, error, _ ("its nodes have an NVSwitch; set %s."),
                               plg_setting_name ("cluster.intra"));
      return NULL;
    }
  if (!plg_simulator_check_rank_order (plan, PROGRAM, error) ||
      !plg_simulator_check_no_faults (plan, PROGRAM, error))
    return NULL;
  plg_fabric_init (&topology.fabric, &plan->cluster);
  topology.gpus = plg_cluster_gpus (&plan->cluster);
  topology.first_leaf = topology.gpus + plan->cluster.nodes;
  topology.first_spine = topology.first_leaf + topology.fabric.leaves;
  topology.links = g_string_new (NULL);

  const PlgFabric *fabric = &topology.fabric;

  for (int gpu_number = 0; gpu_number < topology.gpus; gpu_number++)
    {
      /* All of a GPU's NICs connect to the leaf of its first NIC. */
      const PlgCluster *cluster = &topology.plan->cluster;
      int node = gpu_number / cluster->gpus_per_node, first, last;

      add_link (&topology, gpu_number, topology.gpus + node, cluster->intra_bandwidth,
                cluster->intra_latency / 2.0);
      if (topology.fabric.leaves == 0)
        continue;
      plg_fabric_nics_of (&topology.fabric, gpu_number % cluster->gpus_per_node, &first, &last);
      add_link (&topology, gpu_number,
                topology.first_leaf + plg_fabric_leaf (&topology.fabric, node, first),
                cluster->inter_bandwidth, cluster->inter_latency / 2.0);
    }
  for (int leaf = 0; leaf < fabric->leaves; leaf++)
    for (int spine = 0; spine < fabric->spines; spine++)
      add_link (&topology, topology.first_leaf + leaf, topology.first_spine + spine,
                fabric->uplink_bandwidth, topology.plan->cluster.inter_latency / 2.0);

  switches = topology.fabric.leaves + topology.fabric.spines;
  out = g_string_new (NULL);
  g_string_append_printf (out, "%d %d %d %d %d %s\n", topology.first_leaf + switches,
                          plan->cluster.gpus_per_node, plan->cluster.nodes, switches,
                          topology.n_links, gpu);
  for (int i = topology.gpus; i < topology.first_leaf + switches; i++)
    g_string_append_printf (out, "%s%d", i > topology.gpus ? " " : "", i);
  g_string_append_c (out, '\n');
  g_string_append_len (out, topology.links->str, (gssize) topology.links->len);
  g_string_free (topology.links, TRUE);
  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_simai_format = {
  .name = "simai",
  .suffix = ".txt",
  .title = N_ ("Topology of SimAI (text)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_simai,
};

/* Writes bus bandwidths [GB/s] (astra-sim/system/AstraParamParse.hh, parseYaml). SimAI skips the
 * first line and space before names, and null means unknown. */

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

/* The largest common size of nccl-tests ("-e 8G"), at which latency does not matter. */
#define LARGE_BYTES (8.0 * 1024 * 1024 * 1024)

/* Predicts the busbw [bytes/s] of nccl-tests for a large call, with the same call in the other
 * groups; 0 without a group of two members. */
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

static void
append_groups (GString *out, const PlgPlan *plan, const PlgFabric *fabric)
{
  static const struct
  {
    PlgGroupKind kind;
    const char *name;
  } groups_of[] = { { PLG_GROUP_TP, "TP" }, { PLG_GROUP_DATA, "DP" }, { PLG_GROUP_EP, "EP" } };

  for (guint i = 0; i < G_N_ELEMENTS (groups_of); i++)
    {
      PlgGroups groups;
      PlgGroupExtent span;

      plg_groups_init (&groups, &plan->parallelism, groups_of[i].kind);
      span = plg_groups_extent (&groups, plan, fabric);
      g_string_append_printf (out, "%s:\n", groups_of[i].name);
      for (guint j = 0; j < G_N_ELEMENTS (kinds); j++)
        append_bandwidth (out, kinds[j].name, predict_bus_bandwidth (fabric, &span, kinds[j].kind));
    }
}

static GBytes *
write_simai_busbw (const PlgExportContext *export, GError **error)
{
  const PlgPlan *plan = export->plan;
  PlgFabric fabric;
  GString *out;

  if (plan->parallelism.degree[PLG_AXIS_CP] > 1)
    {
      plg_simulator_set_error (PROGRAM, error, _ ("it has no context parallelism; set CP to 1."));
      return NULL;
    }
  plg_fabric_init (&fabric, &plan->cluster);
  out = g_string_new ("# Bus bandwidths in GB/s, as nccl-tests counts them, of large messages.\n");
  append_groups (out, plan, &fabric);
  g_string_append (out, "PP:\n");

  /* The slowest path between two consecutive stages. */
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  PlgGroups chains;
  double least = 0.0;

  plg_groups_init (&chains, &plan->parallelism, PLG_GROUP_PP);
  for (int i = 0; i + 1 < stages; i++)
    {
      PlgGroupExtent hop = plg_groups_hop (&chains, plan, &fabric, i, i + 1);
      double bandwidth = predict_bus_bandwidth (&fabric, &hop, PLG_COLLECTIVE_SEND_RECV);

      least = i == 0 ? bandwidth : MIN (least, bandwidth);
    }
  append_bandwidth (out, "busbw", least);

  return plg_take_text (g_string_free (out, FALSE));
}

const PlgFormat plg_simai_busbw_format = {
  .name = "simai-busbw",
  .suffix = ".yaml",
  .title = N_ ("Bus bandwidths of SimAI (busbw.yaml)"),
  .subject = PLG_SUBJECT_SIMULATOR,
  .write = write_simai_busbw,
};
