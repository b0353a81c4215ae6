/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relations between the reports of two plans that differ in one thing, on many random plans. */
#include "engine/workload.h"
#include "random-plan.h"

/* The number of plans for each relation, and the choice of plans; set by PLG_PLANS and PLG_SEED. */
static int plans = 5000;
static guint32 seed = 0;

static PlgPlan *
pick_plan_of_any_program (GRand *random)
{
  PlgPlan *plan = pick_plan (random);

  plan->training.program = g_rand_int_range (random, 0, PLG_N_PROGRAMS);
  plan->training.gradient_precision = g_rand_boolean (random) ? PLG_PRECISION_FP32
                                                              : PLG_PRECISION_BF16;
  plan->training.optimizer = g_rand_int_range (random, 0, PLG_N_OPTIMIZERS);
  plan->training.reduce_precision = g_rand_int_range (random, 0, PLG_N_REDUCE_PRECISIONS);
  plan->parallelism.dispatcher = g_rand_int_range (random, 0, PLG_N_DISPATCHERS);
  return plan;
}

/* Returns a random plan that trains in FP8 or FP4, on GPUs with and without MXFP8. */
static PlgPlan *
pick_quantized_plan (GRand *random)
{
  PlgPlan *plan = pick_plan_of_any_program (random);
  PlgCluster b300;

  plan->training.precision = PLG_PRECISION_FP8;
  plan->training.fp8_recipe = g_rand_int_range (random, 0, PLG_N_FP8_RECIPES);
  if (g_rand_boolean (random))
    {
      set_b300 (&b300, plan->cluster.nodes);
      plan->cluster.gpu = b300.gpu;
      if (g_rand_int_range (random, 0, 4) == 0)
        plan->training.precision = PLG_PRECISION_FP4;
    }
  else if (plan->training.fp8_recipe == PLG_FP8_RECIPE_MXFP8)
    plan->training.fp8_recipe = PLG_FP8_RECIPE_BLOCKWISE;
  return plan;
}

static const PlgStep *
step_of (PlgReport *report, const PlgPlan *plan)
{
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  return &report->step;
}

/* The ZeRO stage, the nesting order and overlap change when data moves, not how long the kernels
 * take. */
static void
test_compute_stays (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (61 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      g_autoptr (PlgPlan) other = plg_plan_copy (plan);
      PlgParallelism *parallelism = &other->parallelism;
      PlgStep before = *step_of (report, plan);
      const PlgStep *after;

      parallelism->zero = g_rand_int_range (random, 0, 4);
      parallelism->replicate = 1;
      parallelism->overlap_dp = g_rand_boolean (random);
      parallelism->overlap_tp = g_rand_boolean (random);
      parallelism->overlap_pp = g_rand_boolean (random);
      parallelism->overlap_ep = g_rand_boolean (random);
      for (int j = PLG_N_AXES - 1; j > 0; j--)
        {
          int k = g_rand_int_range (random, 0, j + 1);
          PlgAxis kept = parallelism->order[j];

          parallelism->order[j] = parallelism->order[k];
          parallelism->order[k] = kept;
        }
      if (!plg_plan_check (other, NULL))
        continue;
      for (int piece = 0; piece < PLG_N_PIECES; piece++)
        {
          PlgKernelTime a, b;

          if (!plg_plan_has_piece (plan, piece))
            continue;
          a = plg_kernel_time (plan, piece);
          b = plg_kernel_time (other, piece);
          g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
        }
      after = step_of (report, other);
      if (before.busiest_stage == after->busiest_stage)
        assert_near (before.part[PLG_PART_COMPUTE], after->part[PLG_PART_COMPUTE], 1e-9);
    }
}

static double
tolerance_of (const PlgPlan *plan, const PlgStep *before, const PlgStep *after)
{
  return time_tolerance (plan, before->part[PLG_PART_HOST] + after->part[PLG_PART_HOST]);
}

typedef enum
{
  FASTER_GPU,
  FASTER_MEMORY,
  FASTER_NODE,
  FASTER_NETWORK,
  SHORTER_HOPS,
  N_IMPROVEMENTS
} Improvement;

static const char *const improvement_names[] = { "GPU", "memory", "links", "network", "hops" };

static void
improve (PlgCluster *cluster, Improvement improvement, double factor)
{
  switch (improvement)
    {
    case FASTER_GPU:
      for (int i = 0; i < PLG_N_PRECISIONS; i++)
        cluster->gpu.peak[i] *= factor;
      cluster->peak *= factor;
      break;
    case FASTER_MEMORY:
      cluster->memory_bandwidth *= factor;
      break;
    case FASTER_NODE:
      cluster->intra_bandwidth *= factor;
      break;
    case FASTER_NETWORK:
      cluster->inter_bandwidth *= factor;
      break;
    case SHORTER_HOPS:
    case N_IMPROVEMENTS:
    default:
      cluster->intra_latency /= factor;
      cluster->inter_latency /= factor;
    }
}

static void
test_faster_parts (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (62 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      Improvement improvement = g_rand_int_range (random, 0, N_IMPROVEMENTS);
      double factor = g_rand_double_range (random, 1.0, 4.0);
      PlgStep before = *step_of (report, plan);
      const PlgStep *after;

      improve (&plan->cluster, improvement, factor);
      after = step_of (report, plan);
      if (after->time > before.time * (1.0 + tolerance_of (plan, &before, after)))
        g_error ("plan %d: %s %.2f times as fast: %.6f s -> %.6f s", i,
                 improvement_names[improvement], factor, before.time, after->time);
    }
}

/* With CUDA graphs, the GPU never waits longer. */
static void
test_cuda_graphs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (65 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      double before, after;

      plan->training.cuda_graphs = FALSE;
      before = step_of (report, plan)->time;
      plan->training.cuda_graphs = TRUE;
      after = step_of (report, plan)->time;
      if (after > before * (1.0 + 1e-9))
        g_error ("plan %d: with CUDA graphs: %.6f s -> %.6f s", i, before, after);
    }
}

/* A faster GPU or memory never makes a step in FP8 or FP4 longer, and the kernels of delayed scaling
 * are never slower than those of current scaling. */
static void
test_recipes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (70 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans; i++)
    {
      g_autoptr (PlgPlan) plan = pick_quantized_plan (random);
      g_autoptr (PlgPlan) other = plg_plan_copy (plan);
      PlgStep before = *step_of (report, plan);
      const PlgStep *after;
      double memory = report->memory_peak;

      improve (&plan->cluster, g_rand_boolean (random) ? FASTER_GPU : FASTER_MEMORY, 1.5);
      after = step_of (report, plan);
      g_assert_cmpfloat (after->time, <=,
                         before.time * (1.0 + tolerance_of (plan, &before, after)));
      g_assert_cmpfloat (report->memory_peak, ==, memory);
      if (plan->training.precision != PLG_PRECISION_FP8)
        continue;
      plan->cluster = other->cluster;
      plan->training.fp8_recipe = PLG_FP8_RECIPE_DELAYED;
      other->training.fp8_recipe = PLG_FP8_RECIPE_CURRENT;
      for (int piece = 0; piece < PLG_N_PIECES; piece++)
        {
          PlgKernelTime delayed = plg_kernel_time (plan, piece);
          PlgKernelTime current = plg_kernel_time (other, piece);

          g_assert_cmpfloat (delayed.forward, <=, current.forward);
          g_assert_cmpfloat (delayed.input, <=, current.input);
          g_assert_cmpfloat (delayed.weight, ==, current.weight);
        }
    }
}

/* Twice the batch with the same micro-batch takes longer, but at most twice as long, because the
 * pipeline fills once and gradients are reduced once. With a layout by hand and the interleaved schedule,
 * a virtual stage can have so many more layers than the others that the pipeline only slows down after it
 * has filled. */
static void
test_twice_the_batch (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (63 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      double before = step_of (report, plan)->time, after;

      plan->training.global_batch *= 2;
      after = step_of (report, plan)->time;
      g_assert_cmpfloat (after, >=, before);
      if (plan->parallelism.layout.stages > 0 &&
          plan->training.schedule == PLG_SCHEDULE_INTERLEAVED)
        continue;
      g_assert_cmpfloat (after, <=, 2.0 * before * (1.0 + 1e-9));
    }
}

/* With ZeRO 2, gradients are reduced once per step, however large the batch is; DeepSpeed
 * reduces with each micro-batch. */
static void
test_one_reduction (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_report_new ();
  double small;

  plan->parallelism.zero = 2;
  plan->training.global_batch = 8 * plan->parallelism.degree[PLG_AXIS_DP];
  small = step_of (report, plan)->part[PLG_PART_DP];
  plan->training.global_batch *= 16;
  assert_near (step_of (report, plan)->part[PLG_PART_DP], small, 1e-9);
  plan->training.program = PLG_PROGRAM_DEEPSPEED;
  g_assert_cmpfloat (step_of (report, plan)->part[PLG_PART_DP], >, small);
}

/* Returns a random plan with experts and EP above 1. */
static PlgPlan *
pick_plan_of_experts (GRand *random)
{
  while (TRUE)
    {
      PlgPlan *plan = pick_plan_of_any_program (random);

      plan->parallelism.overlap_ep = g_rand_boolean (random);
      if (plan->parallelism.degree[PLG_AXIS_EP] > 1 && plg_plan_check (plan, NULL))
        return plan;
      plg_plan_free (plan);
    }
}

/* All ranks wait for the rank with the most tokens, so more of them never make a plan faster or
 * smaller. The FLOPs of the model and the bytes that all ranks send stay. */
static void
test_uneven_experts (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (64 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans / 5; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_experts (random);
      double ep = plan->parallelism.degree[PLG_AXIS_EP];
      double peak = 0.0, flops = 0.0, sent = 0.0, load = 1.0;
      PlgStep before = { 0 };
      PlgCollectiveKind kind = plan->parallelism.dispatcher == PLG_DISPATCHER_ALL_GATHER
                                   ? PLG_COLLECTIVE_ALL_GATHER
                                   : PLG_COLLECTIVE_ALL_TO_ALL;

      for (int j = 0; j < 4; j++, load = g_rand_double_range (random, load, ep))
        {
          const PlgCollective *dispatch;

          plan->training.expert_load = load;
          g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
          dispatch = find_collective (report, PLG_AXIS_EP, kind);
          g_assert_cmpfloat (report->step.time, >=,
                             before.time * (1.0 - tolerance_of (plan, &before, &report->step)));
          g_assert_cmpfloat (report->memory_peak, >=, peak * (1.0 - 1e-12));
          if (j > 0)
            {
              g_assert_cmpfloat (report->step.model_flops, ==, flops);
              assert_near (dispatch->bytes_per_call, sent, 1e-12);
            }
          before = report->step;
          peak = report->memory_peak;
          flops = report->step.model_flops;
          sent = dispatch->bytes_per_call;
        }
    }
}

/* While a GPU waits for experts on other GPUs of its node, or for the host, its links to other nodes are
 * idle, and the wait belongs to the pass that makes the calls. A repeated forward pass makes the backward
 * pass have twice as many calls. */
static void
test_waiting_links (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autofree PlgWorkload *workload = g_new (PlgWorkload, 1);

  plan->model = mixtral_8x7b;
  set_h100 (&plan->cluster, 2);
  plan_set_degrees (plan, 1, 1, 1, 16, 8);
  plan_set_training (plan, 4096, 1, 32);
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  g_assert_true (plg_plan_check (plan, NULL));
  plg_workload_init (workload, plan, 0, NULL);
  g_assert_cmpint (workload->n_collective_uses, ==, 1);
  for (PlgPass pass = 0; pass < PLG_N_PASSES; pass++)
    {
      PlgPhase phase = pass == PLG_PASS_FORWARD ? PLG_PHASE_FORWARD : PLG_PHASE_WEIGHT;
      double time = plg_workload_busy (workload, PLG_PIECE_MOE, pass) +
                    workload->seconds[PLG_PIECE_MOE][phase][PLG_PART_HOST];

      assert_near (workload->overlap_budget[PLG_PIECE_MOE].idle[pass][PLG_LINK_SCOPE_INTER], time,
                   1e-12);
    }
}

/* A wider window, or more layers without one, never makes a plan faster, and never changes the
 * memory. A window of the whole sequence changes nothing. */
static void
test_wider_windows (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (65 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans / 5; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      PlgTransformer *model = &plan->model;
      PlgStep before = { 0 };
      double peak;

      model->window_chunked = FALSE;
      model->index_heads = 0;
      model->full_attention_every = 0;
      model->window = 64;
      step_of (report, plan);
      peak = report->memory_peak;
      for (; model->window <= 2 * plan->training.sequence; model->window *= 4)
        {
          const PlgStep *step = step_of (report, plan);

          g_assert_cmpfloat (step->time, >=,
                             before.time * (1.0 - tolerance_of (plan, &before, step)));
          g_assert_cmpfloat (step->model_flops, >=, before.model_flops);
          g_assert_cmpfloat (report->memory_peak, ==, peak);
          before = *step;
        }
      model->window = 0;
      assert_near (step_of (report, plan)->time, before.time, 1e-9);
      model->window = 64;
      before.time = G_MAXDOUBLE;
      for (model->full_attention_every = 1; model->full_attention_every < 8;
           model->full_attention_every++)
        {
          const PlgStep *step = step_of (report, plan);

          g_assert_cmpfloat (step->time, <=,
                             before.time * (1.0 + tolerance_of (plan, &before, step)));
          before = *step;
        }
    }
}

static void
give_mixer (GRand *random, PlgPlan *plan)
{
  PlgTransformer *model = &plan->model;

  model->mixer = g_rand_int_range (random, 1, PLG_N_MIXERS);
  model->mixer_groups = plan->parallelism.degree[PLG_AXIS_TP] *
                        plan->parallelism.degree[PLG_AXIS_CP];
  model->mixer_heads = model->mixer_groups * g_rand_int_range (random, 1, 5);
  model->mixer_head_dim = 64;
  model->mixer_state = 128;
  model->mixer_conv = 4;
  model->attention_layers = model->layers;
  model->mlp_layers = 0;
}

/* A hybrid model whose layers all have attention is a plain model. Each layer that loses its attention to
 * the mixer changes the totals by the difference of both, and nothing becomes negative. */
static void
test_hybrids (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (66 + seed);
  g_autoptr (PlgReport) report = plg_report_new ();

  for (int i = 0; i < plans / 5; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan_of_any_program (random);
      PlgTransformer *model = &plan->model;
      PlgStep plain, half, none;
      double peak, plain_size, half_size, none_size;

      model->window = 0; /* The number of full layers in a model with a window is rounded. */
      plain = *step_of (report, plan);
      peak = report->memory_peak;
      plain_size = report->parameters_total;
      give_mixer (random, plan);
      assert_near (step_of (report, plan)->time, plain.time, 1e-9);
      assert_near (report->memory_peak, peak, 1e-9);
      g_assert_cmpfloat (report->parameters_total, ==, plain_size);
      model->attention_layers = model->layers / 2;
      half = *step_of (report, plan);
      half_size = report->parameters_total;
      model->attention_layers = 0;
      none = *step_of (report, plan);
      none_size = report->parameters_total;
      g_assert_cmpfloat (none.time, >, 0.0);
      if (model->layers % 2 == 0 && model->mtp_layers <= 0)
        {
          assert_near (half_size, (plain_size + none_size) / 2.0, 1e-9);
          assert_near (half.model_flops, (plain.model_flops + none.model_flops) / 2.0, 1e-9);
        }
      for (int part = 0; part < PLG_N_PARTS; part++)
        {
          g_assert_cmpfloat (half.part[part], >=, 0.0);
          g_assert_cmpfloat (none.part[part], >=, 0.0);
        }
      model->attention_layers = model->layers / 3;
      model->mlp_layers = model->layers / 3;
      g_assert_cmpfloat (step_of (report, plan)->time, >, 0.0);
      g_assert_cmpfloat (report->memory_peak, >, 0.0);
      g_assert_cmpfloat (report->parameters_total, <, plain_size + none_size);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("PLG_PLANS") != NULL)
    plans = atoi (g_getenv ("PLG_PLANS"));
  if (g_getenv ("PLG_SEED") != NULL)
    seed = 1000 * (guint32) atoi (g_getenv ("PLG_SEED"));
  g_test_add_func ("/metamorphic/compute-stays", test_compute_stays);
  g_test_add_func ("/metamorphic/faster-parts", test_faster_parts);
  g_test_add_func ("/metamorphic/cuda-graphs", test_cuda_graphs);
  g_test_add_func ("/metamorphic/recipes", test_recipes);
  g_test_add_func ("/metamorphic/twice-the-batch", test_twice_the_batch);
  g_test_add_func ("/metamorphic/one-reduction", test_one_reduction);
  g_test_add_func ("/metamorphic/uneven-experts", test_uneven_experts);
  g_test_add_func ("/metamorphic/waiting-links", test_waiting_links);
  g_test_add_func ("/metamorphic/wider-windows", test_wider_windows);
  g_test_add_func ("/metamorphic/hybrids", test_hybrids);
  return g_test_run ();
}
