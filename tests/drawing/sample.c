/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sample.h"

#include "engine/network/fabric.h"
#include "engine/network/groups.h"
#include "plan/quantity.h"

#include <string.h>

const Sample sample_default = { "default", 8, 8, 8, 1, 1, 4, 2, 32 };

const Sample samples[] = {
  { "one-gpu", 1, 1, 1, 1, 1, 1, 1, 4 },
  { "one-node", 1, 8, 4, 1, 1, 2, 1, 8 },
  { "small", 2, 4, 2, 1, 1, 2, 2, 4 },
  { "default", 8, 8, 8, 1, 1, 4, 2, 32 },
  { "tp-16", 8, 8, 16, 1, 1, 4, 1, 32 },
  { "all-axes", 8, 8, 2, 2, 4, 4, 4, 16, .oversubscription = 2 },
  { "mesh", 2, 8, 8, 1, 1, 2, 1, 8, .intra = PLG_INTRA_MESH, .network = PLG_NETWORK_FLAT },
  { "pcie", 2, 8, 2, 1, 1, 4, 2, 8, .nics = 2, .intra = PLG_INTRA_PCIE },
  { "tree", 8, 8, 8, 1, 1, 4, 2, 8, .network = PLG_NETWORK_TREE },
  { "many-nics", 2, 8, 8, 1, 1, 2, 1, 8, .nics = 32 },
  { "rack", 2, 72, 8, 1, 1, 2, 9, 8 },
  { "swapped", 8, 8, 8, 1, 1, 4, 2, 8, .swapped = TRUE },
  { "too-large", 8, 8, 8, 1, 1, 4, 2, 8, .out_of_memory = TRUE },
  { "1024", 128, 8, 8, 1, 1, 8, 16, 64 },
  { "8192", 1024, 8, 8, 1, 1, 8, 128, 8 },
  { "16384", 2048, 8, 8, 1, 1, 16, 128, 32 },
  { "deep", 64, 8, 1, 1, 1, 64, 8, 256 },
};
const int n_samples = G_N_ELEMENTS (samples);

static void
fill_cluster (PlgCluster *cluster, const Sample *sample)
{
  g_strlcpy (cluster->gpu.title, "H100 SXM", sizeof cluster->gpu.title);
  cluster->gpu.link_bandwidth = 450e9;
  cluster->gpu.pcie_bandwidth = 63e9;
  cluster->gpu.peak[PLG_PRECISION_BF16] = 989e12;
  cluster->nodes = sample->nodes;
  cluster->gpus_per_node = sample->gpus;
  cluster->nics_per_node = sample->nics > 0 ? sample->nics : sample->gpus;
  cluster->intra = sample->intra;
  cluster->network = sample->network;
  cluster->intra_bandwidth = 450e9;
  cluster->inter_bandwidth = 50e9;
  cluster->memory = 80 * PLG_GIB;
  cluster->oversubscription = MAX (sample->oversubscription, 1);
  cluster->rdma = TRUE;
}

static void
swap_some (PlgPlacement *placement, int gpus)
{
  plg_placement_expand (placement, gpus);
  for (int i = 0; i < 4; i++)
    {
      int *a = &placement->gpu_of_rank[i], *b = &placement->gpu_of_rank[20 + i * 9];
      int gpu = *a;

      *a = *b;
      *b = gpu;
    }
}

const Sample *
sample_named (const char *name)
{
  for (int i = 0; i < n_samples; i++)
    if (g_str_equal (samples[i].name, name))
      return &samples[i];
  g_assert_not_reached ();
}

PlgPlan *
sample_plan (const Sample *sample)
{
  static const PlgAxis order[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };
  PlgPlan *plan = plg_plan_new ();
  PlgParallelism *parallelism = &plan->parallelism;

  fill_cluster (&plan->cluster, sample);
  g_strlcpy (plan->model.title, "Llama 3 70B", sizeof plan->model.title);
  plan->model.layers = 80;
  plan->training.micro_batch = 1;
  plan->training.global_batch = sample->micro_batches * sample->dp;
  parallelism->degree[PLG_AXIS_TP] = sample->tp;
  parallelism->degree[PLG_AXIS_CP] = sample->cp;
  parallelism->degree[PLG_AXIS_EP] = sample->ep;
  parallelism->degree[PLG_AXIS_PP] = sample->pp;
  parallelism->degree[PLG_AXIS_DP] = sample->dp;
  parallelism->etp = parallelism->chunks = 1;
  memcpy (parallelism->order, order, sizeof order);
  if (sample->swapped)
    swap_some (&plan->placement, sample->nodes * sample->gpus);
  return plan;
}

static void
add_stages (PlgReport *report, const Sample *sample)
{
  for (int stage = 0; stage < sample->pp; stage++)
    {
      PlgStageMemory memory = {
        .layers = 80 / sample->pp,
        .weights = 4 * PLG_GIB,
        .gradients = 8 * PLG_GIB,
        .optimizer = 12 * PLG_GIB,
        .activations = (sample->out_of_memory ? 70 : 30) * PLG_GIB * (sample->pp - stage) /
                       sample->pp,
        .buffers = 2 * PLG_GIB,
        .runtime = 3 * PLG_GIB,
      };

      memory.total = memory.weights + memory.gradients + memory.optimizer + memory.activations +
                     memory.buffers + memory.runtime;
      g_array_append_val (report->stages, memory);
    }
  report->memory_capacity = 80 * PLG_GIB;
  report->memory_peak = g_array_index (report->stages, PlgStageMemory, 0).total;
  report->fits = report->memory_peak <= report->memory_capacity;
}

static void
add_step (PlgReport *report)
{
  const double part[PLG_N_PARTS] = { 2.8, 0.1, 0, 0.4, 0.3, 0, 0, 0.1, 0.25, 0.05 };

  memcpy (report->step.part, part, sizeof part);
  report->step.time = 4;
  report->step.ideal_time = 1.8;
  report->step.mfu = 0.45;
  report->step.flops_per_second_per_gpu = 0.45 * 989e12;
  report->bubble.share_of_step = report->bubble.simulated = 0.1;
}

static void
add_collective (PlgReport *report, PlgAxis axis, PlgCollectiveKind kind, double calls, PlgTier tier)
{
  PlgCollective collective = { .axis = axis,
                               .kind = kind,
                               .calls = calls,
                               .bytes_per_call = 16e6,
                               .bytes_sent = calls * 16e6,
                               .group_size = report->degree[axis],
                               .nodes_spanned = 1,
                               .tier = tier,
                               .time = calls * 1e-5,
                               .exposed = calls * 5e-6,
                               .group = axis == PLG_AXIS_DP ? PLG_GROUP_DATA : PLG_GROUP_TP,
                               .when = axis == PLG_AXIS_DP ? PLG_WHEN_AFTER_BLOCKS
                                                           : PLG_WHEN_IN_BLOCKS,
                               .blocks = 1u << PLG_BLOCK_FORWARD | 1u << PLG_BLOCK_BACKWARD };

  g_array_append_val (report->collectives, collective);
}

/* Loads NVLink with TP, and the network with PP and DP. */
static void
load_link (PlgReport *report, PlgLink *link)
{
  gboolean is_fast = link->tier == PLG_TIER_NVLINK;
  PlgLinkShare share = { .collective = is_fast ? 0 : 1 };

  share.calls = is_fast ? 5120 : link->tier == PLG_TIER_SPINE ? 0 : 80;
  share.bytes_out = share.calls * 16e6;
  share.bytes_in = share.bytes_out / 2;
  share.time = share.calls * 1e-4;
  link->calls = share.calls;
  link->bytes_out = share.bytes_out;
  link->bytes_in = share.bytes_in;
  link->time = share.time;
  link->axes = is_fast ? 1u << PLG_AXIS_TP : (1u << PLG_AXIS_PP) | (1u << PLG_AXIS_DP);
  link->first_share = report->link_shares->len;
  link->n_shares = 1;
  g_array_append_val (report->link_shares, share);
}

static void
add_links (PlgReport *report, const PlgPlan *plan)
{
  PlgFabric fabric;

  plg_fabric_init (&fabric, &plan->cluster);
  for (int i = 0; i < fabric.n_links; i++)
    {
      PlgLink link;

      plg_fabric_describe (&fabric, i, &link);
      load_link (report, &link);
      g_array_append_val (report->links, link);
    }
}

static void
add_block (PlgReport *report,
           PlgBlockKind kind,
           int stage,
           int micro_batch,
           double start,
           double length)
{
  PlgBlock block = { kind, stage, 0, micro_batch, start, start + length };

  g_array_append_val (report->blocks, block);
}

/* One forward and one backward block are enough for a picture. */
static int
compare_blocks (gconstpointer a, gconstpointer b)
{
  const PlgBlock *first = a, *second = b;

  if (first->start != second->start)
    return first->start < second->start ? -1 : 1;
  return first->stage - second->stage;
}

static void
add_blocks (PlgReport *report, int p, int m)
{
  double forward = 3.6 / (m + p - 1) / 3, backward = 2 * forward;

  for (int stage = 0; stage < p; stage++)
    {
      int warm_up = MIN (p - stage, m);
      double first = p * forward + (p - 1 - stage) * backward;

      for (int i = 0; i < warm_up; i++)
        add_block (report, PLG_BLOCK_FORWARD, stage, i, (stage + i) * forward, forward);
      for (int i = 0; i < m; i++)
        {
          double start = first + i * (forward + backward);

          add_block (report, PLG_BLOCK_BACKWARD, stage, i, start, backward);
          if (i + warm_up < m)
            add_block (report, PLG_BLOCK_FORWARD, stage, i + warm_up, start + backward, forward);
        }
    }
  g_array_sort (report->blocks, compare_blocks);
}

PlgReport *
sample_report (const Sample *sample, const PlgPlan *plan)
{
  PlgReport *report = plg_report_new ();

  report->world_size = plg_plan_world (plan);
  memcpy (report->degree, plan->parallelism.degree, sizeof report->degree);
  report->micro_batches = sample->micro_batches;
  add_stages (report, sample);
  add_step (report);
  add_collective (report, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER, 5120,
                  sample->tp > sample->gpus ? PLG_TIER_NIC : PLG_TIER_NVLINK);
  add_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER, 80, PLG_TIER_NIC);
  add_links (report, plan);
  add_blocks (report, sample->pp, sample->micro_batches);
  return report;
}
