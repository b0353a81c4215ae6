/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sweep.h"

#include "plans.h"
#include "random-plan.h"

#include <stdlib.h>

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

/* Scaling -------------------------------------------------------------------------------------- */

/* Returns the column with GPUS GPUs, or -1. */
static int
find (const PlgSweep *sweep, int gpus)
{
  for (int i = 0; i < sweep->columns; i++)
    if (atoi (g_ptr_array_index (sweep->x.values, i)) * 8 == gpus)
      return i;
  return -1;
}

/* Return the MFU with the same batch per replica, or with the same global batch; NaN if the plan
 * is not possible or does not fit. */
static double
scaling_value (const PlgSweep *sweep, int column, int row)
{
  const PlgSweepPoint *point = plg_sweep_point (sweep, column, row);

  return point->state == PLG_SWEEP_FITS ? point->value : NAN;
}

static double
weak (const PlgSweep *sweep, int gpus)
{
  return scaling_value (sweep, find (sweep, gpus), 0);
}

static double
strong (const PlgSweep *sweep, int gpus)
{
  return scaling_value (sweep, find (sweep, gpus), 1);
}

/* Each point equals a separate evaluation of its plan. */
static void
test_equals_evaluation (void)
{
  g_autoptr (PlgPlan) plan = small_plan (8);
  g_autoptr (PlgReport) own = report_of (plan);
  g_autoptr (PlgSweep) sweep = plg_sweep_scaling (plan);
  g_autoptr (PlgReport) weak_report = NULL;
  g_autoptr (PlgReport) strong_report = NULL;

  g_assert_cmpint (sweep->columns, ==, 8);
  g_assert_cmpint (find (sweep, 8), ==, 0);
  g_assert_cmpint (find (sweep, PLG_SWEEP_GPUS), ==, 7);
  g_assert_cmpfloat (weak (sweep, 64), ==, own->step.mfu);
  g_assert_cmpfloat (strong (sweep, 64), ==, own->step.mfu);
  change (plan, "cluster.nodes=16 parallelism.dp=128 training.global-batch=256");
  weak_report = report_of (plan);
  change (plan, "training.global-batch=128");
  strong_report = report_of (plan);
  g_assert_cmpfloat (weak (sweep, 128), ==, weak_report->step.mfu);
  g_assert_cmpfloat (strong (sweep, 128), ==, strong_report->step.mfu);
}

/* With a constant batch per replica the ring's volume hardly grows; with a constant global batch
 * each replica has less work between two equal collectives. */
static void
test_weak_and_strong (void)
{
  g_autoptr (PlgPlan) plan = small_plan (8);
  g_autoptr (PlgSweep) sweep = plg_sweep_scaling (plan);

  for (int i = 0; i + 1 < sweep->columns; i++)
    g_assert_cmpfloat (scaling_value (sweep, i + 1, 0), <, scaling_value (sweep, i, 0));
  g_assert_cmpfloat (weak (sweep, 64) - weak (sweep, 512), <, 0.05);
  g_assert_cmpfloat (strong (sweep, 8), >, strong (sweep, 128));
  /* 128 sequences cannot be divided among 256 replicas. */
  g_assert_cmpint (plg_sweep_point (sweep, find (sweep, 256), 1)->state, ==, PLG_SWEEP_IMPOSSIBLE);
}

/* A replica of 32 GPUs needs four nodes; a plan that does not fit is marked. */
static void
test_missing_points (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgSweep *sweep = plg_sweep_scaling (plan);

  g_assert_cmpint (find (sweep, 32), ==, 0);
  plg_sweep_unref (sweep);
  change (plan, "cluster.memory=10");
  sweep = plg_sweep_scaling (plan);
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    g_assert_cmpint (sweep->points[i].state, !=, PLG_SWEEP_FITS);
  plg_sweep_unref (sweep);
}

/* The number of nodes of the plan itself is always included, in order. */
static void
test_own_size (void)
{
  static const int nodes[] = { 1, 3, 24, 200, 256 };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan (nodes[i]);
      g_autoptr (PlgSweep) sweep = plg_sweep_scaling (plan);

      g_assert_cmpint (find (sweep, nodes[i] * 8), ==, sweep->own_column);
      g_assert_true (plg_sweep_is_own (sweep, sweep->own_column, 0));
      for (int j = 0; j + 1 < sweep->columns; j++)
        g_assert_cmpint (atoi (g_ptr_array_index (sweep->x.values, j)), <,
                         atoi (g_ptr_array_index (sweep->x.values, j + 1)));
    }
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Checks that KEY, such as "parallelism.tp=1..8", has the VALUES of EXPECTED. */
static void
assert_values (const PlgPlan *plan, const char *key, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgSweep)
                 sweep = plg_sweep_new (plan, NULL, plg_metric_find ("mfu"), key, NULL, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = plg_sweep_key_to_text (&sweep->x);
  g_assert_cmpstr (strchr (text, '=') + 1, ==, expected);
}

static void
test_values (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();

  assert_values (plan, "parallelism.tp=1..64", "1,2,4,8,16,32,64");
  assert_values (plan, "parallelism.tp=1..100", "1,2,4,8,16,32,64");
  assert_values (plan, "parallelism.tp=3..30", "3,6,12,24");
  assert_values (plan, "cluster.nodes=8..32:+8", "8,16,24,32");
  assert_values (plan, "cluster.nodes=1..81:*3", "1,3,9,27,81");
  assert_values (plan, "cluster.nodes=9,1,4, 4,02", "1,2,4,9");
  assert_values (plan, "cluster.nodes=1..4,6", "1,2,4,6");
  assert_values (plan, "parallelism.zero", "0,1,2,3");
  assert_values (plan, "parallelism.zero=0..3:+1", "0,1,2,3");
  assert_values (plan, "parallelism.sequence", "false,true");
  assert_values (plan, "training.recompute", "none,selective,full");
  assert_values (plan, "training.schedule=zb-h1,1f1b", "zb-h1,1f1b");
  assert_values (plan, "parallelism.tp", "1,2,4,8,16,32,64");
  assert_values (plan, "cluster.oversubscription=1..2:+0.1",
                 "1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,1.9,2");
  assert_values (plan, "cluster.inter-efficiency=0.1..0.8", "0.1,0.2,0.4,0.8");
  assert_values (plan, "parallelism.order=tp-cp-pp-dp,tp-cp-dp-pp", "tp-cp-pp-dp,tp-cp-dp-pp");
}

/* A wrong key or value, however it is written, is an error with a message. */
static void
test_hostile_keys (void)
{
  static const char *const keys[] = {
    "",
    "=",
    "=1",
    "parallelism.tpp",
    "parallelism.tp=",
    "parallelism.tp=1,",
    "parallelism.tp=,",
    "parallelism.tp=0",
    "parallelism.tp=-1..4",
    "parallelism.tp=4..1",
    "parallelism.tp=1..",
    "parallelism.tp=..8",
    "parallelism.tp=..",
    "parallelism.tp=1..8:",
    "parallelism.tp=1..8:*",
    "parallelism.tp=1..8:*1",
    "parallelism.tp=1..8:*0.5",
    "parallelism.tp=1..8:*nan",
    "parallelism.tp=1..8:+0",
    "parallelism.tp=1..8:+-1",
    "parallelism.tp=1..8:-1",
    "parallelism.tp=1..8:+1x",
    "parallelism.tp=nan..8",
    "parallelism.tp=1..inf",
    "parallelism.tp=1..1e300",
    "parallelism.tp=1...8",
    "parallelism.zero=0..3",
    "training.sequence=1..100000:+1",
    "training.recompute=1..3",
    "training.recompute=maybe",
    "parallelism.order",
    "cluster.gpu",
    "cluster.gpu=h100-sxm-80",
    "cluster.faults=gpu:1=0.5",
    "cluster.node-names=0=a",
    "view.show",
    "parallelism.tp=\xff\xfe",
    "parallelism.tp=%s%n",
    "cluster.inter-efficiency=1..1.0000000001:+1e-300",
    "model.experts",
  };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgSweep) sweep = plg_sweep_new (plan, NULL, plg_metric_find ("mfu"), keys[i],
                                                  NULL, &error);

      g_assert_null (sweep);
      g_assert_nonnull (error);
      g_assert_true (error->domain == PLG_PLAN_ERROR);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_cmpuint (strlen (error->message), <, 4000);
    }
}

static void
test_limits (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (GError) error = NULL;
  GString *many = g_string_new ("cluster.nodes=1");

  for (int i = 2; i < 3000; i++)
    g_string_append_printf (many, ",%d", i);
  g_assert_null (plg_sweep_new (plan, NULL, plg_metric_find ("mfu"), many->str, NULL, &error));
  g_assert_nonnull (strstr (error->message, "500"));
  g_clear_error (&error);
  g_string_free (many, TRUE);
  g_assert_null (plg_sweep_new (plan, NULL, plg_metric_find ("mfu"), "cluster.nodes=1..500:+1",
                                "training.micro-batch=1..500:+1", &error));
  g_assert_nonnull (strstr (error->message, "20000"));
  g_clear_error (&error);
  g_assert_null (plg_sweep_new (plan, NULL, plg_metric_find ("mfu"), "cluster.nodes",
                                "cluster.nodes=1,2", &error));
  g_assert_nonnull (error);
}

/* Points --------------------------------------------------------------------------------------- */

/* Each point of a large sweep, on several threads, equals the plan that a person would make with
 * --set, for metrics that need links and findings too. */
static void
test_equals_settings (void)
{
  static const char *const metrics[] = { "step-time", "memory", "tp-hops", "warnings", "fits" };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (guint m = 0; m < G_N_ELEMENTS (metrics); m++)
    {
      const PlgMetric *metric = plg_metric_find (metrics[m]);
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgSweep) sweep = plg_sweep_new (plan, NULL, metric, "parallelism.tp=1..64",
                                                  m == 0 ? "training.micro-batch=1..40:+1"
                                                         : "parallelism.pp=1..80:*3",
                                                  &error);
      int n_states[3] = { 0 };

      g_assert_no_error (error);
      for (int i = 0; i < sweep->columns * sweep->rows; i++)
        {
          const PlgSweepPoint *point = &sweep->points[i];
          const char *const *given = (const char *const *) point->assignments;
          g_autoptr (PlgPlan) other = plg_plan_copy (plan);
          g_autoptr (PlgReport) report = NULL;
          g_autoptr (GError) wrong = NULL;

          n_states[point->state]++;
          if (!plg_settings_apply (other, NULL, given, &wrong))
            {
              g_assert_cmpint (point->state, ==, PLG_SWEEP_IMPOSSIBLE);
              g_assert_cmpstr (point->reason, ==, wrong->message);
              g_assert_true (isnan (point->value));
              continue;
            }
          report = plg_evaluate_with_advice (other, &wrong);
          g_assert_no_error (wrong);
          g_assert_cmpint (point->state, ==, report->fits ? PLG_SWEEP_FITS : PLG_SWEEP_TOO_LARGE);
          g_assert_cmpfloat (point->value, ==, plg_metric_value (metric, report));
          g_assert_cmpfloat (point->memory, ==, report->memory_peak);
          g_assert_null (point->reason);
        }
      for (int i = 0; i < 3; i++)
        g_assert_cmpint (n_states[i], >, 0);
    }
}

/* The plan itself is marked, and has its own values even if its name no longer describes it. */
static void
test_own_point (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgSweep) sweep = plg_sweep_new (plan, NULL, plg_metric_find ("mfu"),
                                              "parallelism.tp=1..64", "parallelism.pp=1,4", NULL);
  g_autoptr (PlgSweep) other = plg_sweep_new (plan, NULL, plg_metric_find ("mfu"),
                                              "parallelism.tp=1,2", NULL, NULL);
  g_autoptr (PlgReport) report = report_of (plan);

  g_assert_cmpint (sweep->own_column, ==, 3);
  g_assert_cmpint (sweep->own_row, ==, 1);
  g_assert_true (plg_sweep_is_own (sweep, 3, 1));
  g_assert_false (plg_sweep_is_own (sweep, 3, 0));
  g_assert_cmpfloat (plg_sweep_point (sweep, 3, 1)->value, ==, report->step.mfu);
  g_assert_cmpint (other->own_column, ==, -1);
}

/* No plan makes a sweep crash, and the state of each point is consistent. */
static void
test_random_plans (void)
{
  static const char *const keys[] = { "cluster.nodes", "parallelism.pp", "training.sequence",
                                      "training.schedule", "parallelism.chunks" };
  int n;
  const PlgSetting *settings = plg_settings (&n);

  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (int i = 0; i < 60; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      const PlgSetting *setting = &settings[g_rand_int_range (random, 0, n)];
      g_autoptr (PlgSweep) sweep = plg_sweep_new (plan, NULL, plg_metric_find ("step-time"),
                                                  keys[i % G_N_ELEMENTS (keys)],
                                                  plg_sweep_accepts (setting) ? setting->key : NULL,
                                                  NULL);

      for (int j = 0; sweep != NULL && j < sweep->columns * sweep->rows; j++)
        {
          const PlgSweepPoint *point = &sweep->points[j];

          g_assert_true ((point->state == PLG_SWEEP_IMPOSSIBLE) == (point->reason != NULL));
          g_assert_true (point->state == PLG_SWEEP_IMPOSSIBLE || point->value > 0);
        }
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
  g_test_add_func ("/sweep/values", test_values);
  g_test_add_func ("/sweep/hostile-keys", test_hostile_keys);
  g_test_add_func ("/sweep/limits", test_limits);
  g_test_add_func ("/sweep/equals-settings", test_equals_settings);
  g_test_add_func ("/sweep/own-point", test_own_point);
  g_test_add_func ("/sweep/random-plans", test_random_plans);
  return g_test_run ();
}
