/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "engine/model/flops.h"
#include "engine/model/memory.h"

#include "engine/workload.h"
#include "plans.h"

#include <malloc.h>

static void
test_teaching_case (void)
{
  g_autoptr (PlgReport) report = report_with ("");
  g_autoptr (PlgReport) tuned = report_with ("parallelism.overlap-tp=true");

  g_assert_cmpint (report->world_size, ==, 64);
  g_assert_cmpint (report->micro_batches, ==, 32);
  g_assert_cmpint (report->groups[PLG_AXIS_TP], ==, 8);
  g_assert_cmpint (report->groups[PLG_AXIS_PP], ==, 16);
  g_assert_cmpint (report->groups[PLG_AXIS_DP], ==, 32);
  assert_near (report->parameters_total, 70.55e9, 0.001);
  assert_near (report->step.peak, 989e12, 1e-12);
  /* Megatron-LM achieves 400 to 460 TFLOP/s per GPU on models of this size in BF16 with TP
   * overlap; the teaching case does not overlap TP and is slower. */
  g_assert_cmpfloat (tuned->step.flops_per_second_per_gpu, >, 400e12);
  g_assert_cmpfloat (tuned->step.flops_per_second_per_gpu, <, 460e12);
  g_assert_cmpfloat (report->step.flops_per_second_per_gpu, >, 350e12);
  g_assert_cmpfloat (report->step.flops_per_second_per_gpu, <,
                     tuned->step.flops_per_second_per_gpu);
  assert_near (report->step.ideal_time / report->step.time, report->step.mfu, 1e-12);
  assert_near (report->step.tokens_per_second * report->step.time, 64.0 * 8192.0, 1e-12);
  assert_near (report->step.days * 86400.0 * report->step.tokens_per_second, 1e12, 1e-12);
  assert_near (report->bubble.share_of_step, 3.0 / 35.0, 1e-12);
  assert_near (report->bubble.over_ideal, 3.0 / 32.0, 1e-12);
  assert_near (report->bubble.notebook, 3.0 / 128.0, 1e-12);
  g_assert_true (report->fits);
  g_assert_cmpuint (report->stages->len, ==, 4);
  g_assert_cmpint (report->memory_peak_stage, ==, 0);
}

/* Published runs, step time in seconds. */
typedef struct
{
  const char *name, *source;
  const PlgTransformer *model;
  int nodes, tp, cp, pp, chunks, dp;
  int sequence, micro_batch, global_batch;
  gboolean h100, sp;
  PlgRecompute recompute;
  double seconds, within;
} Run;

#define KORTHIKANTI "Korthikanti 2022, arXiv 2205.05198, table 5"
#define MEGATRON "Megatron-LM, examples/llama, FP8 results"

/* The rate of FP8 products in the catalogue lies between programs of 2023 and of 2025. The FP8 runs
 * here are of 2025: NeMo took 10.89 s in July 2024 for the plan of llama3-8b. */
static const Run runs[] = {
  { "llama3-70b", MEGATRON, &llama3_70b, 8, 4, 1, 8, 5, 2, 8192, 1, 128, TRUE, TRUE,
    PLG_RECOMPUTE_NONE, 10.107, 0.12 },
  { "llama3-8b", MEGATRON, &llama3_8b, 1, 1, 2, 1, 1, 4, 8192, 1, 128, TRUE, TRUE,
    PLG_RECOMPUTE_NONE, 9.49, 0.07 },
  { "llama3-405b", MEGATRON, &llama3_405b, 128, 8, 2, 8, 8, 8, 8192, 1, 512, TRUE, TRUE,
    PLG_RECOMPUTE_NONE, 13.0, 0.08 },
  { "22b-full", KORTHIKANTI, &megatron_22b, 1, 8, 1, 1, 1, 1, 2048, 4, 4, FALSE, FALSE,
    PLG_RECOMPUTE_FULL, 1.42, 0.12 },
  { "22b", KORTHIKANTI, &megatron_22b, 1, 8, 1, 1, 1, 1, 2048, 4, 4, FALSE, TRUE,
    PLG_RECOMPUTE_SELECTIVE, 1.10, 0.12 },
  { "175b-full", KORTHIKANTI, &gpt3_175b, 8, 8, 1, 8, 3, 1, 2048, 1, 64, FALSE, FALSE,
    PLG_RECOMPUTE_FULL, 18.13, 0.12 },
  { "175b", KORTHIKANTI, &gpt3_175b, 8, 8, 1, 8, 3, 1, 2048, 1, 64, FALSE, TRUE,
    PLG_RECOMPUTE_SELECTIVE, 13.75, 0.12 },
  { "530b", KORTHIKANTI, &mtnlg_530b, 35, 8, 1, 35, 3, 1, 2048, 1, 280, FALSE, TRUE,
    PLG_RECOMPUTE_SELECTIVE, 37.83, 0.12 },
  { "1t", KORTHIKANTI, &megatron_1t, 64, 8, 1, 64, 1, 1, 2048, 1, 512, FALSE, TRUE,
    PLG_RECOMPUTE_SELECTIVE, 71.49, 0.12 },
};

static PlgPlan *
plan_of_run (const Run *run)
{
  PlgPlan *plan = plg_plan_new ();

  if (run->h100)
    set_h100 (&plan->cluster, run->nodes);
  else
    set_a100 (&plan->cluster, run->nodes);
  plan->model = *run->model;
  plan_set_degrees (plan, run->tp, run->cp, run->pp, run->dp, 1);
  plan_set_training (plan, run->sequence, run->micro_batch, run->global_batch);
  plan->parallelism.sequence = run->sp;
  plan->parallelism.chunks = run->chunks;
  plan->training.recompute = run->recompute;
  plan->parallelism.overlap_dp = plan->parallelism.overlap_tp = run->h100;
  plan->parallelism.overlap_pp = run->h100;
  plan->training.precision = run->h100 ? PLG_PRECISION_FP8 : PLG_PRECISION_FP16;
  plan->training.flash_attention = plan->training.causal = run->h100;
  if (run->chunks > 1)
    plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  return plan;
}

static void
test_published (gconstpointer data)
{
  const Run *run = data;
  g_autoptr (PlgPlan) plan = plan_of_run (run);
  g_autoptr (PlgReport) report = report_of (plan);

  g_test_message ("%s (%s): %.3f s, published %.3f s, %+.1f %%", run->name, run->source,
                  report->step.time, run->seconds,
                  100.0 * (report->step.time / run->seconds - 1.0));
  assert_near (report->step.time, run->seconds, run->within);
}

/* Worked by hand: 128 MiB of activations per micro-batch; with sequence parallelism 10 calls per
 * layer, 200 on 20 layers, which send 23.488 GB per GPU; without it 4 calls, which send 18.790
 * GB; messages of 16 MiB; 20 layers of 855.65 million parameters, divided by 8. */
static void
test_volumes (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgPieceCounts layers = { .count = { [PLG_PIECE_DENSE] = 20.0 } };

  for (int sequence = 0; sequence < 2; sequence++)
    {
      double calls = 0.0, moved = 0.0;
      PlgWorkload workload;

      plan->parallelism.sequence = sequence;
      plg_workload_init (&workload, plan, 0, NULL);
      for (int i = 0; i < workload.n_collective_uses; i++)
        {
          PlgCollectiveUseSum sum = plg_collective_use_sum (&workload.collective_uses[i], &layers);

          calls += sum.calls;
          moved += plg_collective_sent (workload.collective_uses[i].kind, 8, sum.bytes);
          if (sum.calls > 0.0)
            assert_near (sum.bytes / sum.calls, 134217728.0, 1e-12);
        }
      g_assert_cmpfloat (calls, ==, sequence ? 200.0 : 80.0);
      assert_near (moved, sequence ? 23.488e9 : 18.790e9, 0.0001);
    }
  assert_near (plg_message_bytes (plan), 16777216.0, 1e-12);
}

static void
test_gradient_volumes (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) sharded = report_of (plan);
  g_autoptr (PlgReport) whole = report_with ("parallelism.zero=0");
  const PlgCollective *scatter = find_collective (sharded, PLG_AXIS_DP,
                                                  PLG_COLLECTIVE_REDUCE_SCATTER);
  const PlgCollective *gather = find_collective (sharded, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER);
  const PlgCollective *reduce = find_collective (whole, PLG_AXIS_DP, PLG_COLLECTIVE_ALL_REDUCE);
  double parameters = g_array_index (sharded->stages, PlgStageMemory, 0).parameters;

  parameters = MAX (parameters, g_array_index (sharded->stages, PlgStageMemory, 3).parameters);
  assert_near (parameters, (20 * 855.65e6 + 129024.0 * 8192.0) / 8.0, 0.001);
  assert_near (scatter->calls * scatter->bytes_per_call, 4.0 * parameters, 1e-9);
  assert_near (gather->calls * gather->bytes_per_call, 2.0 * parameters, 1e-9);
  assert_near (reduce->bytes_sent, scatter->bytes_sent * 2.0, 1e-9);
  assert_near (scatter->bytes_sent, 0.5 * 4.0 * parameters, 1e-9);
}

/* The calls of each axis on other kinds of plans. */
static void
test_calls (void)
{
  static const struct
  {
    const char *edits;
    PlgAxis axis;
    PlgCollectiveKind kind;
    double calls;
  } rows[] = {
    /* One layer forward and back, with its key-value blocks traveling around the ring. */
    { "parallelism.cp=2", PLG_AXIS_CP, PLG_COLLECTIVE_SEND_RECV, 20 * 64 * (1 + 3) },
    { "parallelism.cp=2 parallelism.cp-type=all-gather", PLG_AXIS_CP, PLG_COLLECTIVE_ALL_GATHER,
      20 * 64 },
    { "parallelism.tp=4 parallelism.cp=2 parallelism.cp-type=ulysses", PLG_AXIS_CP,
      PLG_COLLECTIVE_ALL_TO_ALL, 20 * 32 * 4 },
    /* A GPU of the first stage has one boundary; with two chunks it has three. */
    { "", PLG_AXIS_PP, PLG_COLLECTIVE_SEND_RECV, 64 },
    { "training.schedule=interleaved parallelism.chunks=2", PLG_AXIS_PP, PLG_COLLECTIVE_SEND_RECV,
      3 * 64 },
    { "training.schedule=zb-v", PLG_AXIS_PP, PLG_COLLECTIVE_SEND_RECV, 128 },
    { "parallelism.zero=3", PLG_AXIS_DP, PLG_COLLECTIVE_ALL_GATHER, 2 * 32 * 21 },
    { "parallelism.zero=2 training.program=deepspeed", PLG_AXIS_DP, PLG_COLLECTIVE_REDUCE_SCATTER,
      32 * 21 },
    /* Each of the 2 replicas broadcasts its shard. */
    { "training.program=plain", PLG_AXIS_DP, PLG_COLLECTIVE_BROADCAST, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) report = report_with (rows[i].edits);
      const PlgCollective *row = find_collective (report, rows[i].axis, rows[i].kind);

      g_assert_nonnull (row);
      g_assert_cmpfloat (row->calls, ==, rows[i].calls);
    }
}

/* Gradients may be summed in FP32 and travel in BF16, with half the bytes and the same memory. */
static void
test_reduce_precision (void)
{
  for (int zero = 0; zero <= 3; zero += 3)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) wide = NULL, narrow = NULL, same = NULL;
      PlgCollectiveKind kind = zero == 0 ? PLG_COLLECTIVE_ALL_REDUCE
                                         : PLG_COLLECTIVE_REDUCE_SCATTER;

      plan->parallelism.zero = zero;
      wide = report_of (plan);
      change (plan, "training.reduce-precision=bf16");
      narrow = report_of (plan);
      assert_near (find_collective (narrow, PLG_AXIS_DP, kind)->bytes_sent,
                   0.5 * find_collective (wide, PLG_AXIS_DP, kind)->bytes_sent, 1e-12);
      g_assert_cmpfloat (narrow->memory_peak, ==, wide->memory_peak);
      g_assert_cmpfloat (narrow->step.time, <=, wide->step.time);
      change (plan, "training.reduce-precision=fp32");
      same = report_of (plan);
      g_assert_cmpfloat (same->step.time, ==, wide->step.time);
      change (plan, "training.gradient-precision=bf16");
      g_assert_cmpfloat (plg_reduced_gradient_bytes (&plan->training), ==, 4.0);
    }
}

/* Without replicas the precision of the reduction does nothing, even if two stages sum the gradients of
 * a tied embedding. */
static void
test_reduce_precision_of_tied_embedding (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) wide = NULL, narrow = NULL;

  plan->model.tied = TRUE;
  plan_set_degrees (plan, 8, 1, 8, 1, 1);
  plan->cluster.nodes = 8;
  wide = report_of (plan);
  change (plan, "training.reduce-precision=bf16");
  narrow = report_of (plan);
  g_assert_nonnull (find_collective (wide, PLG_AXIS_PP, PLG_COLLECTIVE_ALL_REDUCE));
  g_assert_cmpfloat (narrow->step.time, ==, wide->step.time);
}

static void
test_experts (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) inside = NULL;
  g_autoptr (PlgReport) across = NULL;
  g_autoptr (PlgReport) hidden = NULL;
  g_autoptr (PlgReport) uneven = NULL;
  const PlgCollective *row, *fuller;

  plan->model = mixtral_8x7b;
  change (plan, "parallelism.tp=1 parallelism.ep=8 parallelism.order=tp-cp-dp-pp "
                "training.global-batch=128");
  inside = report_of (plan);
  row = find_collective (inside, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL);
  g_assert_cmpint (row->group_size, ==, 8);
  g_assert_cmpint (row->nodes_spanned, ==, 1);
  g_assert_cmpfloat (row->calls, ==, 4 * 8 * 8); /* four per layer, 8 layers, 8 micro-batches */
  /* A token has two experts but is sent only once to a GPU with both: 8 of 64 pairs. */
  assert_near (row->bytes_per_call, 8192.0 * 2.0 * 4096.0 * 2.0 * 15.0 / 16.0, 1e-12);
  /* Each GPU sends as much as before, but a call lasts until the fullest rank has its tokens. */
  change (plan, "training.expert-load=1.5");
  uneven = report_of (plan);
  fuller = find_collective (uneven, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL);
  g_assert_cmpfloat (fuller->bytes_sent, ==, row->bytes_sent);
  assert_near (fuller->cost.bytes, 1.5 * row->cost.bytes, 1e-12);
  g_assert_cmpfloat (fuller->time, >, 1.3 * row->time);
  g_assert_cmpfloat (uneven->step.part[PLG_PART_COMPUTE], >,
                     1.2 * inside->step.part[PLG_PART_COMPUTE]);
  g_assert_cmpfloat (uneven->step.model_flops, ==, inside->step.model_flops);
  g_assert_cmpfloat (uneven->step.mfu, <, inside->step.mfu);
  g_assert_cmpfloat (uneven->memory_peak, >, inside->memory_peak);
  change (plan, "training.expert-load=1");
  change (plan, "parallelism.order=tp-cp-pp-dp");
  across = report_of (plan);
  row = find_collective (across, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL);
  g_assert_cmpint (row->nodes_spanned, ==, 4);
  g_assert_cmpfloat (across->step.part[PLG_PART_EP], >, 2.0 * inside->step.part[PLG_PART_EP]);
  change (plan, "parallelism.overlap-ep=true");
  hidden = report_of (plan);
  /* A measured pair of runs hides about half (zoo-001 and -002 of the published runs). */
  g_assert_cmpfloat (hidden->step.part[PLG_PART_EP], <, 0.6 * across->step.part[PLG_PART_EP]);
  g_assert_cmpfloat (hidden->step.part[PLG_PART_EP], >, 0.5 * across->step.part[PLG_PART_EP]);
  g_assert_cmpfloat (hidden->step.time, <, across->step.time);
  g_assert_cmpfloat (hidden->memory_peak, >, across->memory_peak);
}

/* The bytes on NICs follow the dispatcher. A ring sends all tokens of the group, but leaves each node
 * only once. */
static void
test_dispatchers (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  double sent[PLG_N_DISPATCHERS] = { 0 }, outside[PLG_N_DISPATCHERS] = { 0 };
  double memory[PLG_N_DISPATCHERS], time[PLG_N_DISPATCHERS];

  plan->model = deepseek_v3;
  change (plan, "parallelism.tp=1 parallelism.pp=2 parallelism.dp=32 parallelism.ep=32 "
                "parallelism.order=tp-cp-dp-pp");
  for (PlgDispatcher i = 0; i < PLG_N_DISPATCHERS; i++)
    {
      g_autoptr (PlgReport) report = NULL;

      plan->parallelism.dispatcher = i;
      report = report_of (plan);
      for (guint j = 0; j < report->collectives->len; j++)
        {
          const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, j);

          if (row->axis == PLG_AXIS_EP)
            sent[i] += row->bytes_sent;
        }
      for (guint j = 0; j < report->links->len; j++)
        {
          const PlgLink *link = &g_array_index (report->links, PlgLink, j);

          for (int k = 0; k < link->n_shares && link->tier == PLG_TIER_NIC && link->node == 0; k++)
            {
              const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                          link->first_share + k);

              if (g_array_index (report->collectives, PlgCollective, share->collective).axis ==
                  PLG_AXIS_EP)
                outside[i] += share->bytes_out;
            }
        }
      memory[i] = report->memory_peak;
      time[i] = report->step.part[PLG_PART_EP];
    }
  /* The eight experts of a token are on 3.6 of four nodes. */
  assert_near (outside[PLG_DISPATCHER_DEEPEP] / outside[PLG_DISPATCHER_ALL_TO_ALL],
               plg_expected_places (4, 256, 8) / 8.0, 1e-9);
  g_assert_cmpfloat (outside[PLG_DISPATCHER_DEEPEP], ==, outside[PLG_DISPATCHER_HYBRIDEP]);
  g_assert_cmpfloat (outside[PLG_DISPATCHER_ALL_GATHER], >, outside[PLG_DISPATCHER_DEEPEP]);
  assert_near (sent[PLG_DISPATCHER_ALL_GATHER] / sent[PLG_DISPATCHER_ALL_TO_ALL], 32.0 / 8.0, 1e-9);
  g_assert_cmpfloat (time[PLG_DISPATCHER_DEEPEP], <, time[PLG_DISPATCHER_ALL_TO_ALL]);
  g_assert_cmpfloat (memory[PLG_DISPATCHER_AUTO], ==, memory[PLG_DISPATCHER_ALL_TO_ALL]);
  g_assert_cmpfloat (memory[PLG_DISPATCHER_HYBRIDEP], >, memory[PLG_DISPATCHER_DEEPEP]);
}

/* Modules that the backward pass repeats also repeat their collectives. */
static void
test_recomputed_modules (void)
{
  static const struct
  {
    const char *edits;
    gboolean moe;
    PlgAxis axis;
    PlgCollectiveKind kind;
    double calls; /* per layer and micro-batch */
  } rows[] = {
    { "training.recompute-modules=mlp", FALSE, PLG_AXIS_TP, PLG_COLLECTIVE_REDUCE_SCATTER, 5.0 },
    { "training.recompute-modules=norm+mlp+experts", FALSE, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER,
      7.0 },
    { "training.recompute-modules=mlp parallelism.sequence=false", FALSE, PLG_AXIS_TP,
      PLG_COLLECTIVE_ALL_REDUCE, 5.0 },
    { "training.recompute-modules=activation+mlp", TRUE, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL,
      4.0 },
    { "training.recompute-modules=experts", TRUE, PLG_AXIS_EP, PLG_COLLECTIVE_ALL_TO_ALL, 6.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      PlgPieceCounts layer = { 0 };
      PlgWorkload workload;
      double calls = 0.0;

      if (rows[i].moe)
        {
          plan->model = mixtral_8x7b;
          change (plan, "parallelism.tp=1 parallelism.ep=8 training.global-batch=128");
        }
      change (plan, rows[i].edits);
      layer.count[rows[i].moe ? PLG_PIECE_MOE : PLG_PIECE_DENSE] = 1.0;
      plg_workload_init (&workload, plan, 0, NULL);
      for (int j = 0; j < workload.n_collective_uses; j++)
        if (workload.collective_uses[j].axis == rows[i].axis &&
            workload.collective_uses[j].kind == rows[i].kind)
          calls += plg_collective_use_sum (&workload.collective_uses[j], &layer).calls;
      g_assert_cmpfloat (calls, ==, rows[i].calls);
    }
}

/* TP inside the node, over four nodes, over eight nodes, and twice as wide over two nodes. */
static void
test_tp_leaves_node (void)
{
  static const struct
  {
    const char *edits;
    int nodes;
  } rows[] = { { "", 1 },
               { "parallelism.order=pp-tp-dp", 4 },
               { "parallelism.order=dp-pp-tp", 8 } };
  double mfu = 1.0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) report = report_with (rows[i].edits);
      const PlgCollective *row = find_collective (report, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER);

      g_assert_cmpint (row->nodes_spanned, ==, rows[i].nodes);
      g_assert_cmpint (row->tier, ==, rows[i].nodes > 1 ? PLG_TIER_NIC : PLG_TIER_NVLINK);
      g_assert_cmpfloat (report->step.mfu, <, mfu);
      mfu = report->step.mfu;
    }
  /* The single-digit MFU of the handbook, over slow Ethernet. */
  {
    g_autoptr (PlgReport) slow = report_with ("parallelism.order=dp-pp-tp "
                                              "cluster.inter-bandwidth=12.5 cluster.rdma=false");

    g_assert_cmpfloat (slow->step.mfu, <, 0.06);
  }
  {
    g_autoptr (PlgReport) wide = report_with ("parallelism.tp=16");
    g_autoptr (PlgReport) node = report_with ("");

    g_assert_cmpint (find_collective (wide, PLG_AXIS_TP, PLG_COLLECTIVE_ALL_GATHER)->nodes_spanned,
                     ==, 2);
    g_assert_cmpfloat (wide->step.mfu, <, 0.9 * node->step.mfu);
    g_assert_cmpfloat (wide->step.part[PLG_PART_TP], >, 1.5 * node->step.part[PLG_PART_TP]);
  }
}

/* A single GPU has no communication and no bubble. */
static void
test_one_gpu (void)
{
  g_autoptr (PlgReport) report = report_with ("cluster.gpus-per-node=1 cluster.nodes=1 "
                                              "parallelism.tp=1 parallelism.pp=1 "
                                              "model.layers=2 parallelism.dp=1");

  g_assert_cmpuint (report->collectives->len, ==, 0);
  g_assert_cmpuint (report->links->len, ==, 0);
  for (int part = 0; part < PLG_N_PARTS; part++)
    if (part != PLG_PART_COMPUTE && part != PLG_PART_OPTIMIZER)
      g_assert_cmpfloat (report->step.part[part], ==, 0.0);
  g_assert_cmpfloat (report->bubble.simulated, ==, 0.0);
}

static void
test_schedules (void)
{
  static const char *const better[] = { "gpipe", "1f1b", "zb-h1", "zb-v" };
  double before = G_MAXDOUBLE;

  for (guint i = 0; i < G_N_ELEMENTS (better); i++)
    {
      g_autofree char *edits = g_strdup_printf ("training.schedule=%s", better[i]);
      g_autoptr (PlgReport) report = report_with (edits);

      g_assert_cmpfloat (report->step.part[PLG_PART_BUBBLE], <=, before * (1.0 + 1e-9));
      before = report->step.part[PLG_PART_BUBBLE];
    }
  {
    g_autoptr (PlgReport) plain = report_with ("");
    g_autoptr (PlgReport)
                   chunks = report_with ("training.schedule=interleaved parallelism.chunks=2");

    assert_near (chunks->step.part[PLG_PART_BUBBLE], plain->step.part[PLG_PART_BUBBLE] / 2.0, 0.1);
  }
}

/* A message with overlap costs less, and so does every other overlapping collective. */
static void
test_overlap (void)
{
  static const struct
  {
    const char *off, *on;
    PlgPart part;
  } rows[] = {
    { "parallelism.overlap-tp=false", "parallelism.overlap-tp=true", PLG_PART_TP },
    { "parallelism.overlap-dp=false", "parallelism.overlap-dp=true", PLG_PART_DP },
    { "training.schedule=interleaved parallelism.chunks=2",
      "training.schedule=interleaved parallelism.chunks=2 parallelism.overlap-pp=true",
      PLG_PART_PP },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgReport) off = report_with (rows[i].off);
      g_autoptr (PlgReport) on = report_with (rows[i].on);

      g_assert_cmpfloat (on->step.part[rows[i].part], <, 0.7 * off->step.part[rows[i].part]);
      g_assert_cmpfloat (on->step.time, <, off->step.time);
    }
}

static void
test_timeline (void)
{
  g_autoptr (PlgReport) report = report_with ("");
  double end = 0.0, after;

  g_assert_cmpuint (report->blocks->len, ==, 2 * 4 * 32);
  for (guint i = 0; i < report->blocks->len; i++)
    end = MAX (end, g_array_index (report->blocks, PlgBlock, i).end);
  after = report->step.part[PLG_PART_DP] + report->step.part[PLG_PART_OPTIMIZER];
  assert_near (end + after, report->step.time, 1e-9);
}

/* The report contains only the requested parts, and all other values are the same. */
static void
test_flags (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) totals = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  g_autoptr (PlgReport) all = report_of (plan);

  g_assert_cmpuint (totals->links->len, ==, 0);
  g_assert_cmpuint (totals->link_shares->len, ==, 0);
  g_assert_cmpuint (totals->blocks->len, ==, 0);
  g_assert_cmpuint (totals->findings->len, ==, 0);
  g_assert_cmpuint (all->links->len, ==, 224);
  g_assert_cmpuint (all->findings->len, >, 0);
  g_assert_cmpuint (totals->collectives->len, ==, all->collectives->len);
  assert_near (totals->step.time, all->step.time, 1e-12);
}

/* The second evaluation into a report reuses the memory of the first. */
static void
test_reuse (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_report_new ();
  PlgEvaluateFlags flags = PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE;
  gpointer memory[5];
  double time;

  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_ALL, NULL));
  plg_report_advise (report, plan);
  time = report->step.time;
  memory[0] = report->blocks->data;
  memory[1] = report->links->data;
  memory[2] = report->link_shares->data;
  memory[3] = report->collectives->data;
  memory[4] = report->stages->data;
  for (int i = 0; i < 3; i++)
    g_assert_true (plg_evaluate_into (report, plan, flags, NULL));
  g_assert_true (memory[0] == report->blocks->data);
  g_assert_true (memory[1] == report->links->data);
  g_assert_true (memory[2] == report->link_shares->data);
  g_assert_true (memory[3] == report->collectives->data);
  g_assert_true (memory[4] == report->stages->data);
  g_assert_cmpuint (report->findings->len, ==, 0);
  g_assert_cmpfloat (report->step.time, ==, time);
}

/* During the evaluation the report has memory for each collective on each link; most of it is
 * freed. */
static void
test_memory_of_links (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  gsize needed;

  change (plan, "cluster.nodes=128 training.global-batch=4096");
  report = plg_evaluate (plan, PLG_EVALUATE_LINKS, NULL);
  needed = report->link_shares->len * sizeof (PlgLinkShare);
  g_assert_cmpuint (needed, >, 0);
  g_assert_cmpuint (report->links->len * report->collectives->len * sizeof (PlgLinkShare), >,
                    2 * needed);
  g_assert_cmpuint (malloc_usable_size (report->link_shares->data), <=, 2 * needed);
}

static void
test_impossible (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  g_autoptr (GError) error = NULL;
  double time = report->step.time;

  plan->parallelism.degree[PLG_AXIS_DP] = 3;
  g_assert_null (plg_evaluate_with_advice (plan, &error));
  g_assert_error (error, PLG_PLAN_ERROR, (int) PLG_PLAN_ERROR_WORLD);
  g_assert_false (plg_evaluate_into (report, plan, PLG_EVALUATE_ALL, NULL));
  g_assert_cmpfloat (report->step.time, ==, time);
  g_assert_cmpuint (report->links->len, ==, 224);
}

/* A plan that does not fit in memory is still evaluated. */
static void
test_out_of_memory (void)
{
  g_autoptr (PlgReport) report = report_with ("cluster.memory=10");

  g_assert_false (report->fits);
  g_assert_cmpfloat (report->step.time, >, 0.0);
}

static void
test_profiles (void)
{
  g_autoptr (PlgReport) notebook = report_with ("engine.profile=notebook");
  g_autoptr (PlgReport) handbook = report_with ("engine.profile=handbook");
  g_autoptr (PlgReport) standard = report_with ("");

  g_assert_cmpint (notebook->profile, ==, PLG_PROFILE_NOTEBOOK);
  g_assert_cmpfloat (notebook->step.mfu, !=, standard->step.mfu);
  g_assert_cmpint (handbook->profile, ==, PLG_PROFILE_HANDBOOK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/evaluate/teaching-case", test_teaching_case);
  g_test_add_func ("/engine/evaluate/volumes", test_volumes);
  g_test_add_func ("/engine/evaluate/gradient-volumes", test_gradient_volumes);
  g_test_add_func ("/engine/evaluate/calls", test_calls);
  g_test_add_func ("/engine/evaluate/reduce-precision", test_reduce_precision);
  g_test_add_func ("/engine/evaluate/reduce-precision-of-tied-embedding",
                   test_reduce_precision_of_tied_embedding);
  g_test_add_func ("/engine/evaluate/experts", test_experts);
  g_test_add_func ("/engine/evaluate/dispatchers", test_dispatchers);
  g_test_add_func ("/engine/evaluate/recomputed-modules", test_recomputed_modules);
  g_test_add_func ("/engine/evaluate/tp-leaves-node", test_tp_leaves_node);
  g_test_add_func ("/engine/evaluate/one-gpu", test_one_gpu);
  g_test_add_func ("/engine/evaluate/schedules", test_schedules);
  g_test_add_func ("/engine/evaluate/overlap", test_overlap);
  g_test_add_func ("/engine/evaluate/timeline", test_timeline);
  g_test_add_func ("/engine/evaluate/flags", test_flags);
  g_test_add_func ("/engine/evaluate/reuse", test_reuse);
  g_test_add_func ("/engine/evaluate/memory-of-links", test_memory_of_links);
  g_test_add_func ("/engine/evaluate/impossible", test_impossible);
  g_test_add_func ("/engine/evaluate/out-of-memory", test_out_of_memory);
  g_test_add_func ("/engine/evaluate/profiles", test_profiles);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/engine/evaluate/published/%s", runs[i].name);

      g_test_add_data_func (path, &runs[i], test_published);
    }
  return g_test_run ();
}
