/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/fault.h"
#include "plan/settings/setting.h"

static void
test_copy (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (PlgPlan) copy = NULL;

  plg_placement_expand (&plan->placement, 64);
  copy = plg_plan_copy (plan);
  g_assert_true (plg_plan_equal (plan, copy));
  g_assert_true (plan->title != copy->title);
  g_assert_true (plan->placement.gpu_of_rank != copy->placement.gpu_of_rank);

  plg_plan_assign (copy, copy);
  g_assert_true (plg_plan_equal (plan, copy));
  plg_placement_clear (&plan->placement);
  plg_plan_assign (copy, plan);
  g_assert_cmpint (copy->placement.size, ==, 0);
  g_assert_null (copy->placement.gpu_of_rank);
}

/* Undo and saving would lose a value that equality ignores. */
static void
change (PlgPlan *plan, const PlgSetting *setting)
{
  gpointer member = G_STRUCT_MEMBER_P (plan, setting->offset);

  switch (setting->kind)
    {
    case PLG_SETTING_NUMBER:
      *(double *) member += 1;
      break;
    case PLG_SETTING_BOOLEAN:
      *(gboolean *) member = !*(gboolean *) member;
      break;
    case PLG_SETTING_FAULTS:
      g_assert_true (plg_faults_from_string (&plan->cluster, "port:1=0.5", NULL));
      break;
    case PLG_SETTING_NODE_NAMES:
      g_assert_true (plg_node_names_from_string (&plan->node_names, "1=b", NULL));
      break;
    case PLG_SETTING_LAYOUT:
      g_assert_true (plg_stage_layout_from_string (&plan->parallelism.layout, "Et|L", NULL));
      break;
    case PLG_SETTING_NAME:
      *(char *) member ^= 1;
      break;
    case PLG_SETTING_INTEGER:
    case PLG_SETTING_CHOICE:
    case PLG_SETTING_ORDER:
    case PLG_SETTING_MODULES:
    default:
      *(int *) member += 1;
    }
}

static void
test_equal_compares_all (void)
{
  int n;
  const PlgSetting *settings = plg_settings (&n);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (PlgPlan) a = sample_plan ();
      g_autoptr (PlgPlan) b = sample_plan ();

      g_assert_true (plg_plan_equal (a, b));
      change (b, &settings[i]);
      g_assert_false (plg_plan_equal (a, b));
      /* The view and the names of nodes are not evaluated. */
      g_assert_cmpint (plg_plan_same_design (a, b), ==,
                       g_str_has_prefix (settings[i].key, "view.") ||
                           settings[i].kind == PLG_SETTING_NODE_NAMES);
    }
}

static void
test_equal_compares_texts_and_placement (void)
{
  g_autoptr (PlgPlan) a = sample_plan ();
  g_autoptr (PlgPlan) b = sample_plan ();

  g_free (b->notes);
  b->notes = g_strdup ("why");
  g_assert_false (plg_plan_equal (a, b));
  g_assert_true (plg_plan_same_design (a, b));
  plg_plan_assign (b, a);
  plg_placement_expand (&b->placement, 64);
  b->placement.gpu_of_rank[0] = 1;
  b->placement.gpu_of_rank[1] = 0;
  g_assert_false (plg_plan_same_design (a, b));
}

/* A plan without a title has a description as its title. */
static void
test_display_title (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *named = NULL;

  before = plg_plan_display_title (plan);
  g_assert_cmpstr (before, ==, "Llama 3 70B on 64 × H100 SXM");
  plan->cluster.nodes = 16;
  after = plg_plan_display_title (plan);
  g_assert_cmpstr (after, ==, "Llama 3 70B on 128 × H100 SXM");
  g_free (plan->title);
  plan->title = g_strdup ("Spring run");
  named = plg_plan_display_title (plan);
  g_assert_cmpstr (named, ==, "Spring run");
}

static void
test_new_is_valid (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (GError) error = NULL;

  plg_plan_check (plan, &error);
  g_assert_no_error (error);
  plg_plan_free (NULL);
}

static void
test_placement (void)
{
  PlgPlacement placement = { 0 };
  int rank_of_gpu[4];

  g_assert_cmpint (plg_placement_gpu (&placement, 3), ==, 3);
  g_assert_cmpint (plg_placement_rank (&placement, 3), ==, 3);
  plg_placement_expand (&placement, 4);
  plg_placement_expand (&placement, 9);
  g_assert_cmpint (placement.size, ==, 4);
  plg_placement_simplify (&placement);
  g_assert_cmpint (placement.size, ==, 0);

  plg_placement_expand (&placement, 4);
  placement.gpu_of_rank[0] = 2;
  placement.gpu_of_rank[2] = 0;
  plg_placement_simplify (&placement);
  g_assert_cmpint (placement.size, ==, 4);
  g_assert_cmpint (plg_placement_gpu (&placement, 2), ==, 0);
  g_assert_cmpint (plg_placement_rank (&placement, 2), ==, 0);
  plg_placement_invert (&placement, 4, rank_of_gpu);
  g_assert_cmpmem (rank_of_gpu, sizeof rank_of_gpu, ((int[]) { 2, 1, 0, 3 }), 4 * sizeof (int));
  plg_placement_clear (&placement);
  plg_placement_invert (&placement, 4, rank_of_gpu);
  g_assert_cmpint (rank_of_gpu[3], ==, 3);
}

static void
test_peak (void)
{
  g_autoptr (PlgCatalogue) catalogue = sample_catalogue ();
  g_autoptr (PlgPlan) plan = sample_plan ();
  PlgCluster *cluster = &plan->cluster;

  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_BF16), ==, 989e12);
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_FP8), ==, 1979e12);
  plg_cluster_set_gpu (cluster, plg_catalogue_gpu (catalogue, "a100-sxm-80"));
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_FP8), ==, 312e12);
  plg_cluster_set_gpu (cluster, plg_catalogue_gpu (catalogue, "v100-sxm-32"));
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_BF16), ==, 125e12);
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_FP8), ==, 125e12);
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_FP32), ==, 15.7e12);
  cluster->peak = 5;
  g_assert_cmpfloat (plg_cluster_peak (cluster, PLG_PRECISION_FP8), ==, 5);
}

static void
test_layers (void)
{
  PlgTransformer dense = { .layers = 80, .dense_layers = 3 };
  PlgTransformer mixed = { .layers = 61, .dense_layers = 3, .experts = 256 };
  PlgTransformer odd = { .layers = 2, .dense_layers = 3, .experts = 8 };

  g_assert_false (plg_transformer_is_moe (&dense));
  g_assert_cmpint (plg_transformer_moe_layers (&dense), ==, 0);
  g_assert_cmpint (plg_transformer_dense_layers (&dense), ==, 80);
  g_assert_cmpint (plg_transformer_moe_layers (&mixed), ==, 58);
  g_assert_cmpint (plg_transformer_dense_layers (&mixed), ==, 3);
  g_assert_cmpint (plg_transformer_moe_layers (&odd), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/copy", test_copy);
  g_test_add_func ("/plan/equal-compares-all", test_equal_compares_all);
  g_test_add_func ("/plan/equal-compares-texts-and-placement",
                   test_equal_compares_texts_and_placement);
  g_test_add_func ("/plan/display-title", test_display_title);
  g_test_add_func ("/plan/new-is-valid", test_new_is_valid);
  g_test_add_func ("/plan/placement", test_placement);
  g_test_add_func ("/plan/peak", test_peak);
  g_test_add_func ("/plan/layers", test_layers);
  return g_test_run ();
}
