/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sweep.h"

#include "plans.h"

/* Returns pure data parallelism of a model that fits on one GPU, so every number of nodes is
 * valid. */
static PlgPlan *
small_plan (int nodes)
{
  PlgPlan *plan = plg_plan_new ();

  set_h100 (&plan->cluster, nodes);
  plan->model = llama3_8b;
  plan_set_degrees (plan, 1, 1, 1, nodes * 8, 1);
  plan->parallelism.zero = 1;
  plan_set_training (plan, 2048, 1, nodes * 16);
  return plan;
}

static const PlgSweepPoint *
find (const PlgSweepPoint *points, int n, int gpus)
{
  for (int i = 0; i < n; i++)
    if (points[i].gpus == gpus)
      return &points[i];
  return NULL;
}

/* Each point equals a separate evaluation of its plan. */
static void
test_equals_evaluation (void)
{
  g_autoptr (PlgPlan) plan = small_plan (8);
  g_autoptr (PlgReport) own = report_of (plan);
  PlgSweepPoint points[PLG_SWEEP_MAX];
  int n = plg_sweep (plan, points);
  g_autoptr (PlgReport) weak = NULL;
  g_autoptr (PlgReport) strong = NULL;

  g_assert_cmpint (n, ==, 8);
  g_assert_cmpint (points[0].gpus, ==, 8);
  g_assert_cmpint (points[n - 1].gpus, ==, PLG_SWEEP_GPUS);
  g_assert_cmpfloat (find (points, n, 64)->weak, ==, own->step.mfu);
  g_assert_cmpfloat (find (points, n, 64)->strong, ==, own->step.mfu);
  change (plan, "cluster.nodes=16 parallelism.dp=128 training.global-batch=256");
  weak = report_of (plan);
  change (plan, "training.global-batch=128");
  strong = report_of (plan);
  g_assert_cmpfloat (find (points, n, 128)->weak, ==, weak->step.mfu);
  g_assert_cmpfloat (find (points, n, 128)->strong, ==, strong->step.mfu);
}

/* With a constant batch per replica the ring's volume hardly grows; with a constant global batch
 * each replica has less work between two equal collectives. */
static void
test_weak_and_strong (void)
{
  g_autoptr (PlgPlan) plan = small_plan (8);
  PlgSweepPoint points[PLG_SWEEP_MAX];
  int n = plg_sweep (plan, points);

  for (int i = 0; i + 1 < n; i++)
    g_assert_cmpfloat (points[i + 1].weak, <, points[i].weak);
  g_assert_cmpfloat (find (points, n, 64)->weak - find (points, n, 512)->weak, <, 0.05);
  g_assert_cmpfloat (find (points, n, 8)->strong, >, find (points, n, 128)->strong);
  /* 128 sequences cannot be divided among 256 replicas. */
  g_assert_true (isnan (find (points, n, 256)->strong));
}

/* A replica of 32 GPUs needs four nodes; a plan that does not fit has no MFU. */
static void
test_missing_points (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgSweepPoint points[PLG_SWEEP_MAX];
  int n = plg_sweep (plan, points);

  g_assert_cmpint (points[0].gpus, ==, 32);
  change (plan, "cluster.memory=10");
  n = plg_sweep (plan, points);
  for (int i = 0; i < n; i++)
    g_assert_true (isnan (points[i].weak) && isnan (points[i].strong));
}

/* The number of nodes of the plan itself is always included, in order. */
static void
test_own_size (void)
{
  static const int nodes[] = { 1, 3, 24, 200, 256 };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan (nodes[i]);
      PlgSweepPoint points[PLG_SWEEP_MAX];
      int n = plg_sweep (plan, points);

      g_assert_cmpint (n, <=, PLG_SWEEP_MAX);
      g_assert_nonnull (find (points, n, nodes[i] * 8));
      for (int j = 0; j + 1 < n; j++)
        g_assert_cmpint (points[j].gpus, <, points[j + 1].gpus);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/equals-evaluation", test_equals_evaluation);
  g_test_add_func ("/sweep/weak-and-strong", test_weak_and_strong);
  g_test_add_func ("/sweep/missing-points", test_missing_points);
  g_test_add_func ("/sweep/own-size", test_own_size);
  return g_test_run ();
}
