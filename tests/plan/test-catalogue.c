/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/plan-check.h"

static void
test_lookup (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();
  g_autofree char *gpus = plg_catalogue_names (catalogue, "gpu");
  g_autofree char *models = plg_catalogue_names (catalogue, "model");
  g_autofree char *none = plg_catalogue_names (catalogue, "planet");

  g_assert_cmpstr (gpus, ==, "h100-sxm-80, a100-sxm-80, v100-sxm-32, mi300x-192, l40s-48");
  g_assert_cmpstr (models, ==, "llama3-70b, gpt3-175b, mixtral-8x7b");
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (plg_catalogue_gpu (catalogue, "mi300x-192")->title, ==, "MI300X");
  g_assert_cmpstr (plg_catalogue_node (catalogue, "pcie-box")->gpu, ==, "l40s-48");
  g_assert_cmpint (plg_catalogue_model (catalogue, "gpt3-175b")->heads, ==, 96);
  g_assert_null (plg_catalogue_gpu (catalogue, "gpt3-175b"));
  g_assert_null (plg_catalogue_node (catalogue, ""));
  g_assert_null (plg_catalogue_model (catalogue, NULL));
}

static void
test_nth (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();

  g_assert_cmpint (plg_catalogue_n_gpus (catalogue), ==, 5);
  g_assert_cmpint (plg_catalogue_n_nodes (catalogue), ==, 4);
  g_assert_cmpint (plg_catalogue_n_models (catalogue), ==, 3);
  g_assert_cmpstr (plg_catalogue_nth_gpu (catalogue, 1)->name, ==, "a100-sxm-80");
  g_assert_cmpstr (plg_catalogue_nth_node (catalogue, 0)->name, ==, "hgx-h100");
  g_assert_cmpstr (plg_catalogue_nth_model (catalogue, 2)->name, ==, "mixtral-8x7b");
  g_assert_null (plg_catalogue_nth_gpu (catalogue, 5));
  g_assert_null (plg_catalogue_nth_gpu (catalogue, -1));
}

/* A user's entry replaces the built-in entry at its position. */
static void
test_replace (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();
  PlgGpu gpu = *plg_catalogue_gpu (catalogue, "a100-sxm-80");

  gpu.memory = 1;
  plg_catalogue_add_gpu (catalogue, &gpu, NULL, 0);
  g_assert_cmpint (plg_catalogue_n_gpus (catalogue), ==, 5);
  g_assert_cmpfloat (plg_catalogue_nth_gpu (catalogue, 1)->memory, ==, 1);
}

static void
test_constants (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_new ();
  PlgGpu gpu = { .name = "one" };
  char source[] = "a data sheet";
  const PlgConstant written = { "memory", 80, "GiB", source, "2026-01-01" };
  const PlgConstant *constants;
  int n;

  plg_catalogue_add_gpu (catalogue, &gpu, &written, 1);
  source[0] = 'X'; /* the catalogue has its own copy */
  constants = plg_catalogue_constants (catalogue, "gpu", "one", &n);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpstr (constants[0].name, ==, "memory");
  g_assert_cmpfloat (constants[0].value, ==, 80);
  g_assert_cmpstr (constants[0].unit, ==, "GiB");
  g_assert_cmpstr (constants[0].source, ==, "a data sheet");
  g_assert_cmpstr (constants[0].date, ==, "2026-01-01");
  g_assert_null (plg_catalogue_constants (catalogue, "gpu", "two", &n));
  g_assert_cmpint (n, ==, 0);
  g_assert_null (plg_catalogue_constants (catalogue, "planet", "one", &n));
}

/* The plan of the teaching case. */
static void
test_default_plan (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autofree char *order = plg_order_to_string (&plan->parallelism);
  g_autofree char *title = NULL;
  g_autoptr (GError) error = NULL;

  plg_plan_check (plan, &error);
  g_assert_no_error (error);
  title = plg_plan_display_title (plan);
  g_assert_cmpstr (title, ==, "Llama 3 70B on 64 × H100 SXM");
  g_assert_cmpint (plg_plan_world (plan), ==, 64);
  g_assert_cmpint (plg_plan_micro_batches (plan), ==, 32);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_PP], ==, 4);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_DP], ==, 2);
  g_assert_cmpstr (order, ==, "tp-cp-pp-dp");
  g_assert_cmpfloat (plan->cluster.intra_bandwidth, ==, 450e9);
  g_assert_cmpfloat (plan->cluster.inter_bandwidth, ==, 50e9);
  g_assert_cmpstr (plan->cluster.node, ==, "hgx-h100");
}

/* A catalogue without the teaching case still has a default plan. */
static void
test_default_plan_without_teaching_case (void)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_new ();
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GError) error = NULL;

  plg_plan_check (plan, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_plan_world (plan), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalogue/lookup", test_lookup);
  g_test_add_func ("/catalogue/nth", test_nth);
  g_test_add_func ("/catalogue/replace", test_replace);
  g_test_add_func ("/catalogue/constants", test_constants);
  g_test_add_func ("/catalogue/default-plan", test_default_plan);
  g_test_add_func ("/catalogue/default-plan-without-teaching-case",
                   test_default_plan_without_teaching_case);
  return g_test_run ();
}
