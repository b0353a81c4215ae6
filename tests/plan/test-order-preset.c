/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "plan/order-preset.h"
#include "plan/settings/setting.h"

#include <string.h>

/* The order in the source of each program, converted to innermost first. */
static void
test_orders (void)
{
  static const struct
  {
    const char *name;
    const char *order;
  } presets[] = {
    { "megatron", "tp-cp-dp-pp" },   { "megatron-tp-pp-dp", "tp-cp-pp-dp" },
    { "torchtitan", "tp-cp-dp-pp" }, { "deepspeed", "tp-cp-dp-pp" },
    { "picotron", "tp-cp-pp-dp" },   { "llama3", "tp-cp-pp-dp" },
  };
  int n;

  plg_order_presets (&n);
  g_assert_cmpint (n, ==, G_N_ELEMENTS (presets));
  for (int i = 0; i < n; i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;
      g_autofree char *order = NULL;

      plg_setting_set (plan, NULL, "parallelism.order", presets[i].name, &error);
      g_assert_no_error (error);
      order = plg_order_to_string (&plan->parallelism);
      g_assert_cmpstr (order, ==, presets[i].order);
      g_assert_true (plg_order_preset_is_used (plg_order_preset_find (presets[i].name),
                                               &plan->parallelism));
      g_assert_cmpstr (plg_order_presets (&n)[i].source, !=, "");
    }
}

static void
test_unknown (void)
{
  g_autoptr (PlgPlan) plan = sample_plan ();
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_order_preset_find ("Megatron"));
  g_assert_false (plg_setting_set (plan, NULL, "parallelism.order", "megatrom", &error));
  g_assert_nonnull (strstr (error->message,
                            "or name a program: megatron, megatron-tp-pp-dp, torchtitan, "
                            "deepspeed, picotron, llama3"));
}

/* An axis of degree 1 has no neighbours, so its position has no effect. */
static void
test_used (void)
{
  const PlgOrderPreset *llama = plg_order_preset_find ("llama3");
  PlgParallelism parallelism = { .degree = { 8, 1, 1, 4, 2 },
                                 .order = { PLG_AXIS_TP, PLG_AXIS_PP, PLG_AXIS_DP, PLG_AXIS_CP } };

  g_assert_cmpint (parallelism.degree[PLG_AXIS_PP], ==, 4);
  g_assert_true (plg_order_preset_is_used (llama, &parallelism));
  g_assert_false (plg_order_preset_is_used (plg_order_preset_find ("megatron"), &parallelism));
  parallelism.degree[PLG_AXIS_CP] = 2;
  g_assert_false (plg_order_preset_is_used (llama, &parallelism));
}

/* Counts the hops between members of AXIS groups that leave their node; ALL gets the number of
 * all hops. */
static int
crossing_hops (const PlgPlan *plan, PlgAxis axis, int *all)
{
  int stride = plg_axis_stride (&plan->parallelism, axis), crossing = 0;

  *all = 0;
  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    {
      PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);

      if (at.index[axis] + 1 == plan->parallelism.degree[axis])
        continue;
      *all += 1;
      crossing += plg_plan_node_of_rank (plan, rank) != plg_plan_node_of_rank (plan, rank + stride);
    }
  return crossing;
}

/* With TP 4, PP 4, DP 4 on eight nodes of eight GPUs, the order decides whether pipelines or
 * replicas stay inside nodes. With TP 8 neither can, and both orders use the same kinds of
 * links. */
static void
test_hops (void)
{
  static const struct
  {
    int tp, pp, dp;
    const char *order;
    int pp_hops, pp_all, dp_hops, dp_all;
  } cases[] = {
    { 4, 4, 4, "llama3", 16, 48, 48, 48 },
    { 4, 4, 4, "megatron", 48, 48, 16, 48 },
    { 8, 4, 2, "picotron", 48, 48, 32, 32 },
    { 8, 4, 2, "deepspeed", 48, 48, 32, 32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      int *degree = plan->parallelism.degree, all;

      degree[PLG_AXIS_TP] = cases[i].tp;
      degree[PLG_AXIS_PP] = cases[i].pp;
      degree[PLG_AXIS_DP] = cases[i].dp;
      g_assert_true (plg_order_from_string (cases[i].order, plan->parallelism.order));
      g_assert_true (plg_plan_check (plan, NULL));
      g_assert_cmpint (crossing_hops (plan, PLG_AXIS_PP, &all), ==, cases[i].pp_hops);
      g_assert_cmpint (all, ==, cases[i].pp_all);
      g_assert_cmpint (crossing_hops (plan, PLG_AXIS_DP, &all), ==, cases[i].dp_hops);
      g_assert_cmpint (all, ==, cases[i].dp_all);
      g_assert_cmpint (crossing_hops (plan, PLG_AXIS_TP, &all), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order-preset/orders", test_orders);
  g_test_add_func ("/order-preset/unknown", test_unknown);
  g_test_add_func ("/order-preset/used", test_used);
  g_test_add_func ("/order-preset/hops", test_hops);
  return g_test_run ();
}
