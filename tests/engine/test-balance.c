/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout with the least longest stage. */
#include "engine/model/flops.h"
#include "engine/model/memory.h"
#include "engine/search/balance.h"
#include "engine/workload.h"
#include "plan/settings/setting.h"

#include "random-plan.h"

#define CASES 150

/* Returns the longest time of any stage on one micro-batch [s], from the pieces of the positions
 * of the pipeline; G_MAXDOUBLE if a stage does not fit in memory. */
static double
longest_stage (const PlgPlan *plan)
{
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  g_autofree PlgStageMemory *memory = g_new (PlgStageMemory, stages);
  g_autofree PlgLayerRun *runs = g_new (PlgLayerRun, plg_layer_runs (plan, NULL));
  PlgPipeline pipeline;
  double longest = 0.0;

  plg_layer_runs (plan, runs);
  plg_memory_ledger (plan, memory);
  plg_pipeline_init (&pipeline, plan);
  for (int stage = 0; stage < stages; stage++)
    {
      PlgWorkload workload;
      double slow = plg_slowest_gpu_factor (plan, stage), time = 0.0;

      if (memory[stage].total > plan->cluster.memory)
        return G_MAXDOUBLE;
      plg_workload_init (&workload, plan, plg_workload_faults (plan, stage), NULL);
      for (int i = 0; i < plg_pipeline_positions (&pipeline); i++)
        if (plg_pipeline_stage (&pipeline, i) == stage)
          {
            PlgPieceCounts content = plg_position_piece_counts (plan, runs, &pipeline, i);

            for (int phase = 0; phase < PLG_N_PHASES; phase++)
              time += plg_workload_slowed_time (&workload, &content, phase, slow);
          }
      longest = MAX (longest, time);
    }
  return longest;
}

/* Tries all layouts of PLAN from virtual stage I on, to which LEFT layers remain. */
static double
try_all (PlgPlan *plan, int i, int left)
{
  PlgStageLayout *layout = &plan->parallelism.layout;
  double best = G_MAXDOUBLE;

  if (i == layout->stages)
    return left == 0 && plg_plan_check (plan, NULL) ? longest_stage (plan) : G_MAXDOUBLE;
  for (int n = 0; n <= (i <= layout->mtp ? left : 0); n++)
    {
      layout->layers[i] = n;
      best = MIN (best, try_all (plan, i + 1, left - n));
    }
  return best;
}

static double
brute_force (PlgPlan *plan)
{
  PlgStageLayout *layout = &plan->parallelism.layout;
  double best = G_MAXDOUBLE;

  plg_parallelism_clear_layers (&plan->parallelism);
  plan->parallelism.embedding_slot = plan->parallelism.loss_slot = FALSE;
  layout->stages = plan->parallelism.degree[PLG_AXIS_PP] * plg_stage_chunks (plan);
  layout->mtp_layers = plan->model.mtp_layers;
  for (layout->mtp = 0; layout->mtp < layout->stages; layout->mtp++)
    if (layout->mtp_layers > 0 || layout->mtp == layout->stages - 1)
      best = MIN (best, try_all (plan, 0, plan->model.layers));
  return best;
}

/* Returns a small plan: at most 7 layers, at most 6 virtual stages. The memory of a GPU is often
 * short. */
static PlgPlan *
small_plan (GRand *random)
{
  while (TRUE)
    {
      PlgPlan *plan = pick_plan (random);
      PlgParallelism *parallelism = &plan->parallelism;
      int stages;

      plan->model.layers = g_rand_int_range (random, 3, 8);
      if (plg_transformer_is_moe (&plan->model))
        plan->model.dense_layers = g_rand_int_range (random, 0, 4);
      plan->model
          .moe_every = 0; /* The balance is exact only for layers of two kinds in two runs. */
      plan->model.mtp_layers = g_rand_int_range (random, -2, 3);
      plan->model.mtp_layers = MAX (plan->model.mtp_layers, 0);
      plan->model.vocabulary *= g_rand_int_range (random, 1, 5);
      plan->cluster.memory *= g_rand_double_range (random, 0.1, 1.0);
      plg_parallelism_clear_layers (parallelism);
      stages = parallelism->degree[PLG_AXIS_PP] * plg_stage_chunks (plan);
      if (parallelism->degree[PLG_AXIS_PP] > 1 && stages <= 6 && plg_plan_check (plan, NULL))
        return plan;
      plg_plan_free (plan);
    }
}

static void
test_brute_force (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);
  int n_found = 0, n_none = 0, n_better = 0;

  for (int i = 0; i < CASES; i++)
    {
      g_autoptr (PlgPlan) plan = small_plan (random);
      g_autoptr (PlgPlan) balanced = plg_plan_copy (plan);
      g_autoptr (GError) error = NULL;
      PlgStageLayout layout;
      PlgBalance balance;
      double best;

      /* The engine's mean share of recomputed layers depends on the layout. */
      plan->training.recompute_method = balanced->training
                                            .recompute_method = PLG_RECOMPUTE_METHOD_ALL;
      if (g_rand_int_range (random, 0, 4) == 0)
        {
          const char *faults[] = { "cluster.faults=gpu:0=0.5", NULL };

          g_assert_true (plg_settings_assign (plan, NULL, faults, NULL));
          plg_plan_assign (balanced, plan);
        }
      best = brute_force (plan);
      if (!plg_balance_layers (balanced, &layout, &balance, &error))
        {
          g_assert_cmpfloat (best, ==, G_MAXDOUBLE);
          n_none++;
          continue;
        }
      assert_near (balance.after, best, 1e-8);
      plg_parallelism_set_layout (&balanced->parallelism, &layout);
      g_assert_true (plg_plan_check (balanced, &error));
      assert_near (longest_stage (balanced), best, 1e-8);
      n_found++;
      n_better += balance.after < balance.before * (1.0 - 1e-6);
    }
  g_test_message ("%d found, %d of them shorter, %d without a layout that fits", n_found, n_better,
                  n_none);
  g_assert_cmpint (n_found, >, CASES / 3);
  g_assert_cmpint (n_better, >, CASES / 10);
  g_assert_cmpint (n_none, >, 0);
}

/* DeepSeek-V3 on 16 stages with two chunks each: the last stage has the loss and an MTP layer, so
 * it gets fewer layers, and the step becomes shorter. */
static void
test_large_plans (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (PlgReport) after = NULL;
  PlgStageLayout layout;
  g_autoptr (GError) error = NULL;
  PlgBalance balance;
  gint64 start = g_get_monotonic_time ();

  set_h100 (&plan->cluster, 256);
  plan->model = deepseek_v3;
  plan->model.mtp_layers = 1;
  plan_set_degrees (plan, 2, 1, 16, 64, 64);
  plan->parallelism.zero = 1;
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plan_set_training (plan, 4096, 1, 15360);
  plan->training.schedule = PLG_SCHEDULE_INTERLEAVED;
  plan->parallelism.chunks = 2;
  plg_plan_check (plan, &error);
  g_assert_no_error (error);
  before = report_of (plan);
  g_assert_true (plg_balance_layers (plan, &layout, &balance, NULL));
  g_assert_cmpfloat (balance.after, <, balance.before);
  plg_parallelism_set_layout (&plan->parallelism, &layout);
  g_assert_true (plg_plan_check (plan, NULL));
  assert_near (longest_stage (plan), balance.after, 1e-8);
  after = report_of (plan);
  g_assert_cmpfloat (after->step.time, <, before->step.time);
  g_test_message ("longest stage %g -> %g s, step %g -> %g s, %d us", balance.before, balance.after,
                  before->step.time, after->step.time, (int) (g_get_monotonic_time () - start));
  g_assert_true (after->fits || !before->fits);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
}

static void
test_refuses (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (GError) error = NULL;
  PlgStageLayout layout;
  PlgBalance balance;

  set_h100 (&plan->cluster, 1);
  plan->model = llama3_8b;
  plan_set_degrees (plan, 8, 1, 1, 1, 1);
  plan_set_training (plan, 4096, 1, 8);
  g_assert_false (plg_balance_layers (plan, &layout, &balance, &error));
  g_assert_nonnull (strstr (error->message, "PP 2 or more"));
  g_clear_error (&error);
  plan_set_degrees (plan, 2, 1, 4, 1, 1);
  plan->cluster.memory = 4.0 * 1024 * 1024 * 1024;
  g_assert_false (plg_balance_layers (plan, &layout, &balance, &error));
  g_assert_nonnull (strstr (error->message, "fits in memory"));
}

/* The message says how much memory is missing: with so much more, a layout fits, and with a little
 * less, none does. It names only what the plan has not used up. */
static void
test_missing_memory (void)
{
  const double gib = 1024.0 * 1024 * 1024;
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (GError) error = NULL;
  PlgStageLayout layout;
  PlgBalance balance;
  double missing;
  const char *lacks;

  set_h100 (&plan->cluster, 1);
  plan->model = llama3_8b;
  plan_set_degrees (plan, 2, 1, 2, 2, 1);
  plan_set_training (plan, 4096, 1, 8);
  plan->cluster.memory = 4.0 * gib;
  plan->training.recompute = PLG_RECOMPUTE_SELECTIVE;
  g_assert_false (plg_balance_layers (plan, &layout, &balance, &error));
  lacks = strstr (error->message, "lacks at least ");
  g_assert_nonnull (lacks);
  missing = g_ascii_strtod (lacks + strlen ("lacks at least "), NULL);
  g_assert_nonnull (strstr (lacks, "GiB. These changes can help: more stages, full recompute, a "
                                   "higher TP, GPUs with more memory"));
  g_clear_error (&error);
  plan->cluster.memory = (4.0 + missing * 1.005) * gib;
  g_assert_true (plg_balance_layers (plan, &layout, &balance, &error));
  plan->cluster.memory = (4.0 + missing * 0.995) * gib;
  g_assert_false (plg_balance_layers (plan, &layout, &balance, NULL));

  plan_set_degrees (plan, 8, 1, 32, 1, 1);
  plan->cluster.nodes = 32;
  plan->training.micro_batch = 2;
  plan->training.recompute = PLG_RECOMPUTE_FULL;
  plan->cluster.memory = 1.0 * gib;
  g_assert_false (plg_balance_layers (plan, &layout, &balance, &error));
  g_assert_true (g_str_has_suffix (error->message, "These changes can help: a smaller micro-batch, "
                                                   "GPUs with more memory"));
  g_clear_error (&error);

  /* All GPUs are in one replica. */
  plan_set_degrees (plan, 8, 1, 16, 1, 1);
  plan->cluster.nodes = 16;
  plan->training.micro_batch = 1;
  g_assert_false (plg_balance_layers (plan, &layout, &balance, &error));
  g_assert_true (g_str_has_suffix (error->message, "These changes can help: more nodes for more "
                                                   "stages, GPUs with more memory"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/balance/brute-force", test_brute_force);
  g_test_add_func ("/balance/large-plans", test_large_plans);
  g_test_add_func ("/balance/refuses", test_refuses);
  g_test_add_func ("/balance/missing-memory", test_missing_memory);
  return g_test_run ();
}
