/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hybrid sharding: shard groups inside DP, and the all-reduce between them. */
#include "engine/model/engine-constant.h"
#include "engine/network/collective.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/network/groups.h"

#include "plans.h"

#include <math.h>

/* Llama 3 8B on 4 nodes of 8 GPUs with DP alone: all of its 8 030 261 248 parameters are on each
 * GPU. */
static PlgPlan *
fsdp_plan (const char *edits)
{
  PlgPlan *plan = teaching_plan ();

  plan->model = llama3_8b;
  set_h100 (&plan->cluster, 4);
  plan_set_degrees (plan, 1, 1, 1, 32, 1);
  plan_set_training (plan, 8192, 1, 64);
  plan->parallelism.sequence = FALSE;
  plan->parallelism.zero = 3;
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  change (plan, edits);
  return plan;
}

static PlgReport *
fsdp_report (const char *edits)
{
  g_autoptr (PlgPlan) plan = fsdp_plan (edits);

  return report_of (plan);
}

static const PlgCollective *
find_subject (const PlgReport *report, PlgCollectiveKind kind, PlgCollectiveSubject subject)
{
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      if (row->axis == PLG_AXIS_DP && row->kind == kind && row->collective_subject == subject)
        return row;
    }
  return NULL;
}

#define P 8030261248.0

/* The states that ZeRO shards are divided by DP / replicate, the others are whole: with FP32
 * gradients 2 bytes of weights, 4 of gradients and 12 of optimizer. */
static void
test_memory_by_hand (void)
{
  static const struct
  {
    const char *edits;
    double weights, gradients, optimizer;
  } rows[] = {
    { "parallelism.zero=3 parallelism.replicate=1", P * 2 / 32, P * 4 / 32, P * 12 / 32 },
    { "parallelism.zero=3 parallelism.replicate=4", P * 2 / 8, P * 4 / 8, P * 12 / 8 },
    { "parallelism.zero=2 parallelism.replicate=4 training.program=deepspeed", P * 2, P * 4 / 8,
      P * 12 / 8 },
    /* The sum over several micro-batches needs all gradients until the one reduction. */
    { "parallelism.zero=2 parallelism.replicate=4", P * 2, P * 4, P * 12 / 8 },
    { "parallelism.zero=1 parallelism.replicate=8", P * 2, P * 4, P * 12 / 4 },
    { "parallelism.zero=0 parallelism.replicate=8", P * 2, P * 4, P * 12 },
    /* CP shares the state as well: 2 × 16 / 4 GPUs have one copy. */
    { "parallelism.cp=2 parallelism.replicate=4", P * 2 / 8, P * 4 / 8, P * 12 / 8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = fsdp_plan (rows[i].edits);
      PlgStageMemory stage;

      plg_memory_ledger (plan, &stage);
      assert_near (stage.weights, rows[i].weights, 1e-12);
      assert_near (stage.gradients, rows[i].gradients, 1e-12);
      assert_near (stage.optimizer, rows[i].optimizer, 1e-12);
    }
}

/* With as many shard groups as replicas, nothing is sharded: the memory of ZeRO 1 is that of ZeRO
 * 0, the states of all stages are, and so are the all-reduce's bytes and time. */
static void
test_all_replicas (void)
{
  g_autoptr (PlgReport) whole = fsdp_report ("parallelism.zero=0");
  const PlgStageMemory *plain = &g_array_index (whole->stages, PlgStageMemory, 0);
  const PlgCollective *reduce = find_collective (whole, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_REDUCE);

  for (int zero = 1; zero <= 3; zero++)
    {
      g_autofree char *edits = g_strdup_printf ("parallelism.zero=%d parallelism.replicate=32",
                                                zero);
      g_autoptr (PlgReport) report = fsdp_report (edits);
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, 0);
      const PlgCollective *row = find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                               PLG_COLLECTIVE_SUBJECT_REPLICAS);

      g_assert_cmpfloat (stage->weights, ==, plain->weights);
      g_assert_cmpfloat (stage->gradients, ==, plain->gradients);
      g_assert_cmpfloat (stage->optimizer, ==, plain->optimizer);
      if (zero == 1)
        g_assert_cmpfloat (stage->total, ==, plain->total);
      assert_near (row->bytes_sent, reduce->bytes_sent, 1e-12);
      assert_near (row->time, reduce->time, 1e-12);
      g_assert_null (find_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER));
      g_assert_null (find_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER));
    }
}

/* ZeRO 0 shards nothing, so the number of shard groups changes nothing. */
static void
test_zero_0 (void)
{
  g_autoptr (PlgReport) one = fsdp_report ("parallelism.zero=0");
  g_autoptr (PlgReport) four = fsdp_report ("parallelism.zero=0 parallelism.replicate=4");

  g_assert_cmpfloat (one->step.time, ==, four->step.time);
  g_assert_cmpfloat (one->memory_peak, ==, four->memory_peak);
  g_assert_cmpuint (one->collectives->len, ==, four->collectives->len);
}

/* Bytes by hand, with 4 shard groups of 8 GPUs: a shard group scatters 4 bytes per parameter, the
 * groups all-reduce one eighth of them, and the group gathers 2 bytes per parameter. */
static void
test_bytes_by_hand (void)
{
  g_autoptr (PlgReport) report = fsdp_report ("parallelism.zero=1 parallelism.replicate=4");
  const PlgCollective *scatter = find_collective (report, PLG_AXIS_DP,
                                                  PLG_COLLECTIVE_REDUCE_SCATTER);
  const PlgCollective *gather = find_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER);
  const PlgCollective *reduce = find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                              PLG_COLLECTIVE_SUBJECT_REPLICAS);

  g_assert_cmpint (scatter->group_size, ==, 8);
  g_assert_cmpint (scatter->nodes_spanned, ==, 1);
  g_assert_cmpint (scatter->tier, ==, PLG_TIER_NVLINK);
  assert_near (scatter->bytes_sent, 7.0 / 8 * 4 * P, 1e-12);
  g_assert_cmpint (gather->group_size, ==, 8);
  assert_near (gather->bytes_sent, 7.0 / 8 * 2 * P, 1e-12);
  g_assert_cmpint (reduce->group_size, ==, 4);
  g_assert_cmpint (reduce->nodes_spanned, ==, 4);
  g_assert_cmpint (reduce->tier, ==, PLG_TIER_NIC);
  assert_near (reduce->bytes_sent, 2 * 3.0 / 4 * 4 * P / 8, 1e-12);
  g_assert_cmpfloat (reduce->calls, ==, scatter->calls);
}

/* The members of a shard group have waited for each other, so sums that overlap the backward pass wait
 * less than reductions over all replicas do. */
static void
test_contention (void)
{
  static const struct
  {
    const char *edits;
    double factor;
  } rows[] = {
    { "parallelism.zero=1 parallelism.replicate=4", PLG_NETWORK_CONTENTION },
    { "parallelism.zero=3 parallelism.replicate=4", PLG_NETWORK_CONTENTION },
    { "parallelism.zero=1 parallelism.replicate=4 parallelism.overlap-dp=false",
      PLG_LATE_CONTENTION },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) report = fsdp_report (rows[i].edits);
      const PlgCollective *reduce = find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                                  PLG_COLLECTIVE_SUBJECT_REPLICAS);

      g_assert_cmpfloat (reduce->contention_factor, ==, rows[i].factor);
      assert_near (reduce->time,
                   reduce->calls * rows[i].factor * plg_collective_cost_time (&reduce->cost), 1e-9);
    }
}

/* With ZeRO 3, weights and gradients move for each of the 2 micro-batches inside a shard group,
 * and the all-reduce runs once. */
static void
test_micro_batches (void)
{
  g_autoptr (PlgReport) report = fsdp_report ("parallelism.replicate=4");
  const PlgCollective *scatter = find_collective (report, PLG_AXIS_DP,
                                                  PLG_COLLECTIVE_REDUCE_SCATTER);
  const PlgCollective *reduce = find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                              PLG_COLLECTIVE_SUBJECT_REPLICAS);

  g_assert_cmpint (report->micro_batches, ==, 2);
  g_assert_cmpint (scatter->group_size, ==, 8);
  assert_near (scatter->bytes_sent, 2 * 7.0 / 8 * 4 * P, 1e-4); /* without the final norm */
  assert_near (reduce->bytes_sent, 2 * 3.0 / 4 * 4 * P / 8, 1e-12);
}

/* Returns the bytes on all NICs, and on all links of the report in ALL. */
static double
network_bytes (const PlgReport *report, double *all)
{
  double bytes = 0.0;

  *all = 0.0;
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);

      *all += link->bytes_out;
      if (link->tier == PLG_TIER_NIC)
        bytes += link->bytes_out;
    }
  return bytes;
}

/* Shard groups as large as a node take most traffic off the network. The NICs of 32 GPUs then
 * carry only the all-reduce, once for 8 micro-batches, and on a slow network the step is faster. */
static void
test_traffic (void)
{
  g_autoptr (PlgReport) full = fsdp_report ("cluster.inter-bandwidth=5 training.global-batch=256");
  g_autoptr (PlgReport) hybrid = fsdp_report (
      "cluster.inter-bandwidth=5 training.global-batch=256 parallelism.replicate=4");
  double all_full, all_hybrid;
  double network_full = network_bytes (full, &all_full);
  double network_hybrid = network_bytes (hybrid, &all_hybrid);

  assert_near (network_hybrid, 32 * 2 * 3.0 / 4 * 4 * P / 8, 1e-9);
  g_assert_cmpfloat (network_hybrid, <, 0.7 * network_full);
  g_assert_cmpfloat (hybrid->step.time, <, full->step.time);
}

/* More shard groups make each group smaller: its collectives take less time and the state more
 * memory, and the all-reduce sends more. */
static void
test_monotone (void)
{
  double scatter = G_MAXDOUBLE, gather = G_MAXDOUBLE, reduce = 0.0, memory = 0.0;

  for (int replicate = 1; replicate <= 16; replicate *= 2)
    {
      g_autofree char *edits = g_strdup_printf ("parallelism.replicate=%d", replicate);
      g_autoptr (PlgReport) report = fsdp_report (edits);
      const PlgCollective *row = find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                               PLG_COLLECTIVE_SUBJECT_REPLICAS);
      double scatter_time = find_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER)
                                ->time;
      double gather_time = find_collective (report, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER)->time;

      g_assert_cmpfloat (scatter_time, <, scatter);
      g_assert_cmpfloat (gather_time, <, gather);
      g_assert_cmpfloat (report->memory_peak, >, memory);
      g_assert_true ((row != NULL) == (replicate > 1));
      if (row != NULL)
        g_assert_cmpfloat (row->bytes_sent, >, reduce);
      scatter = scatter_time;
      gather = gather_time;
      memory = report->memory_peak;
      reduce = row != NULL ? row->bytes_sent : 0.0;
    }
}

/* The exposed times of the rows add up to the part of the step, without a pipeline. */
static void
test_parts (void)
{
  static const char *const edits[] = {
    "parallelism.replicate=4",
    "parallelism.zero=1 parallelism.replicate=4",
    "parallelism.zero=1 parallelism.replicate=4 parallelism.overlap-dp=false",
    "parallelism.zero=2 parallelism.replicate=2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autoptr (PlgReport) report = fsdp_report (edits[i]);
      double exposed = 0.0;

      for (guint j = 0; j < report->collectives->len; j++)
        exposed += g_array_index (report->collectives, PlgCollective, j).exposed;
      assert_near (exposed, report->step.part[PLG_PART_DP], 1e-9);
    }
}

/* Experts have shard groups of their own: 32 copies of each expert on 64 GPUs with EP 8 would be
 * too many; TP 2 × DP 32 / EP 8 = 8 copies make 2 groups of 4. */
static void
test_experts (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  PlgGpuParameters gpu;

  plan->model = mixtral_8x7b;
  plan_set_degrees (plan, 2, 1, 1, 32, 8);
  change (plan, "parallelism.replicate=2");
  report = report_of (plan);
  gpu = plg_stage_gpu_parameters (plan, 0);
  g_assert_cmpint (gpu.dense_shards, ==, 16);
  g_assert_cmpint (gpu.expert_shards, ==, 4);
  g_assert_cmpint (plg_expert_shards (plan), ==, 4);
  g_assert_cmpint (find_subject (report, PLG_COLLECTIVE_REDUCE_SCATTER,
                                 PLG_COLLECTIVE_SUBJECT_EXPERTS)
                       ->group_size,
                   ==, 4);
  g_assert_cmpint (find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                                 PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS)
                       ->group_size,
                   ==, 2);
  assert_near (find_subject (report, PLG_COLLECTIVE_ALL_REDUCE,
                             PLG_COLLECTIVE_SUBJECT_EXPERT_REPLICAS)
                   ->bytes_sent,
               4.0 * gpu.expert / 4.0, 1e-12);
}

/* The members of shard groups have adjacent DP indices: ranks 0 to 3 with DP innermost, and every
 * second rank with TP 2 inside. */
static void
test_members (void)
{
  static const struct
  {
    const char *order;
    PlgGroupKind kind;
    int members[4];
  } rows[] = {
    { "dp-tp-pp", PLG_GROUP_SHARD, { 0, 1, 2, 3 } },
    { "dp-tp-pp", PLG_GROUP_REPLICATE, { 0, 4 } },
    { "tp-dp-pp", PLG_GROUP_SHARD, { 0, 2, 4, 6 } },
    { "tp-dp-pp", PLG_GROUP_REPLICATE, { 0, 8 } },
    { "tp-pp-dp", PLG_GROUP_SHARD, { 0, 4, 8, 12 } },
    { "tp-pp-dp", PLG_GROUP_REPLICATE, { 0, 16 } },
  };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  plan_set_degrees (plan, 2, 1, 2, 8, 1);
  plan->parallelism.replicate = 2;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgGroups groups;

      g_assert_true (plg_order_from_string (rows[i].order, plan->parallelism.order));
      plg_groups_init (&groups, &plan->parallelism, rows[i].kind);
      g_assert_cmpint (groups.size, ==, rows[i].kind == PLG_GROUP_SHARD ? 4 : 2);
      g_assert_cmpint (groups.size * groups.count, ==, 32);
      for (int j = 0; j < groups.size; j++)
        g_assert_cmpint (plg_groups_rank (&groups, plg_groups_find (&groups, 0), j), ==,
                         rows[i].members[j]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/hsdp/memory-by-hand", test_memory_by_hand);
  g_test_add_func ("/engine/hsdp/all-replicas", test_all_replicas);
  g_test_add_func ("/engine/hsdp/zero-0", test_zero_0);
  g_test_add_func ("/engine/hsdp/bytes-by-hand", test_bytes_by_hand);
  g_test_add_func ("/engine/hsdp/contention", test_contention);
  g_test_add_func ("/engine/hsdp/micro-batches", test_micro_batches);
  g_test_add_func ("/engine/hsdp/traffic", test_traffic);
  g_test_add_func ("/engine/hsdp/monotone", test_monotone);
  g_test_add_func ("/engine/hsdp/parts", test_parts);
  g_test_add_func ("/engine/hsdp/experts", test_experts);
  g_test_add_func ("/engine/hsdp/members", test_members);
  return g_test_run ();
}
