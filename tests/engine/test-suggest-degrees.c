/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/suggest-degrees.h"

#include "plans.h"

/* For each model, the suggested plan is legal and fits, although the present degrees are not. */
static void
test_models (void)
{
  static const struct
  {
    const PlgTransformer *model;
    const char *edits;
  } rows[] = {
    { &llama3_8b, "training.schedule=interleaved parallelism.chunks=20" },
    { &llama3_405b, "cluster.nodes=16" },
    { &mixtral_8x7b, "" },
    { &mixtral_8x22b, "parallelism.first-layers=19" },
    { &deepseek_v3, "cluster.nodes=32" },
    { &gpt3_175b, "cluster.nodes=16" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      g_autoptr (PlgReport) report = NULL;
      GError *error = NULL;

      change (plan, rows[i].edits);
      plan->model = *rows[i].model;
      plg_suggest_degrees (plan, NULL, &error);
      g_assert_no_error (error);
      report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, &error);
      g_assert_no_error (error);
      g_assert_true (report->fits);
    }
}

/* A value that is held stays, and the rest is chosen around it. */
static void
test_held (void)
{
  static const char *const held[] = { "parallelism.pp=8", "training.global-batch=64", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  plan->model = mixtral_8x7b;
  plan->parallelism.degree[PLG_AXIS_PP] = 8;
  plan->training.global_batch = 64;
  g_assert_true (plg_suggest_degrees (plan, held, NULL));
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_PP], ==, 8);
  g_assert_cmpint (plan->training.global_batch, ==, 64);
  g_assert_true (plg_plan_check (plan, NULL));
}

/* The sequence becomes no longer than the learned positions, unless it is held. */
static void
test_positions (void)
{
  static const char *const held[] = { "training.sequence=8192", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  change (plan, "cluster.nodes=16");
  plan->model = gpt3_175b;
  g_assert_true (plg_suggest_degrees (plan, held, NULL));
  g_assert_cmpint (plan->training.sequence, ==, 8192);
  g_assert_true (plg_suggest_degrees (plan, NULL, NULL));
  g_assert_cmpint (plan->training.sequence, ==, 2048);
  plan->training.sequence = 1024;
  g_assert_true (plg_suggest_degrees (plan, NULL, NULL));
  g_assert_cmpint (plan->training.sequence, ==, 1024);
}

/* Without legal degrees, the plan stays as it was and the error names the reason. */
static void
test_impossible (void)
{
  static const char *const held[] = { "parallelism.tp=7", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan (), before = NULL;
  g_autoptr (GError) error = NULL;

  plan->parallelism.degree[PLG_AXIS_TP] = 7;
  before = plg_plan_copy (plan);
  g_assert_false (plg_suggest_degrees (plan, held, &error));
  g_assert_nonnull (error);
  g_assert_true (plg_plan_equal (plan, before));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/suggest-degrees/models", test_models);
  g_test_add_func ("/engine/suggest-degrees/held", test_held);
  g_test_add_func ("/engine/suggest-degrees/positions", test_positions);
  g_test_add_func ("/engine/suggest-degrees/impossible", test_impossible);
  return g_test_run ();
}
