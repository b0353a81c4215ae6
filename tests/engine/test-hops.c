/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/network/hops.h"
#include "engine/report/metric.h"

#include "plans.h"

#include <math.h>

/* Hops between nodes, computed by hand. TP 4, PP 4, DP 4 on nodes of 8: next to TP, four
 * neighbours have ranks 0 4 8 12 and so leave a node once in three hops, 16 of 48 times;
 * outermost they are 16 ranks apart and always leave the node. */
static void
test_between_nodes (void)
{
  static const struct
  {
    const char *edits;
    PlgAxis axis;
    int between, total;
  } cases[] = {
    { "parallelism.order=tp-pp-dp", PLG_AXIS_TP, 0, 48 },
    { "parallelism.order=tp-pp-dp", PLG_AXIS_PP, 16, 48 },
    { "parallelism.order=tp-pp-dp", PLG_AXIS_DP, 48, 48 },
    { "parallelism.order=tp-dp-pp", PLG_AXIS_TP, 0, 48 },
    { "parallelism.order=tp-dp-pp", PLG_AXIS_PP, 48, 48 },
    { "parallelism.order=tp-dp-pp", PLG_AXIS_DP, 16, 48 },
    { "parallelism.order=pp-dp-tp", PLG_AXIS_TP, 48, 48 },
    { "parallelism.order=tp-pp-dp", PLG_AXIS_CP, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();
      PlgHops hops;

      change (plan, "parallelism.tp=4 parallelism.pp=4 parallelism.dp=4");
      change (plan, cases[i].edits);
      hops = plg_hops_count (plan, cases[i].axis);
      g_test_message ("%s, %s", cases[i].edits, plg_axis_name (cases[i].axis));
      g_assert_cmpint (hops.total, ==, cases[i].total);
      g_assert_cmpint (hops.between_nodes, ==, cases[i].between);
    }
}

/* TP fills the nodes: all axes outside of TP always leave them, on the same rail. */
static void
test_same_links (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan (), other = teaching_plan ();

  change (plan, "parallelism.order=tp-pp-dp");
  change (other, "parallelism.order=tp-dp-pp");
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      PlgHops a = plg_hops_count (plan, axis), b = plg_hops_count (other, axis);

      g_assert_cmpint (a.total, ==, b.total);
      g_assert_cmpint (a.between_nodes, ==, b.between_nodes);
    }
}

/* The report contains these numbers, under the names that lessons use. */
static void
test_report (void)
{
  static const struct
  {
    const char *name;
    double value;
  } rows[] = { { "tp-hops", 48 },
               { "tp-hops-between-nodes", 0 },
               { "tp-nodes", 1 },
               { "pp-hops", 48 },
               { "pp-hops-between-nodes", 16 },
               { "pp-nodes", 2 },
               { "dp-hops", 48 },
               { "dp-hops-between-nodes", 48 },
               { "dp-nodes", 4 },
               { "cp-hops", 0 },
               { "cp-nodes", 1 } };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;

  change (plan, "parallelism.tp=4 parallelism.pp=4 parallelism.dp=4 parallelism.order=tp-pp-dp");
  report = report_of (plan);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpfloat (plg_metric_value (plg_metric_find (rows[i].name), report), ==,
                       rows[i].value);
}

/* A value that was not evaluated is unknown: 0 would mean no hops. */
static void
test_not_evaluated (void)
{
  static const char *const names[] = { "dp-hops", "dp-hops-between-nodes", "errors" };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PlgMetric *metric = plg_metric_find (names[i]);

      g_assert_nonnull (metric);
      g_assert_true (isnan (plg_metric_value (metric, report)));
    }
}

/* All communication, hidden or exposed, over the computation. */
static void
test_communication_over_compute (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = report_of (plan);
  const PlgMetric *metric = plg_metric_find ("communication-over-compute");
  double time = 0;

  for (guint i = 0; i < report->collectives->len; i++)
    time += g_array_index (report->collectives, PlgCollective, i).time;
  g_assert_cmpfloat_with_epsilon (plg_metric_value (metric, report),
                                  time / report->step.part[PLG_PART_COMPUTE], 1e-12);
}

static double
value_of (const PlgReport *report, const char *name)
{
  return plg_metric_value (plg_metric_find (name), report);
}

/* GPT-3 in eight stages sends 8 × 2048 × 12288 × 2 B per TP rank: each micro-batch goes forward
 * once and its gradient back, so 16 times the batch sends 16 times the bytes. The embedding of
 * the first and last stage is reduced once, with any batch. */
static void
test_boundary (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan (), large = teaching_plan ();
  g_autoptr (PlgReport) report = NULL, more = NULL;
  const char
      *degrees = "parallelism.tp=8 parallelism.pp=4 parallelism.dp=2 training.global-batch=16";

  change (plan, degrees);
  change (large, degrees);
  change (large, "training.global-batch=256");
  report = report_of (plan);
  more = report_of (large);
  g_assert_cmpfloat (value_of (report, "boundary-bytes"), >, 0);
  g_assert_cmpfloat_with_epsilon (value_of (more, "boundary-bytes"),
                                  16 * value_of (report, "boundary-bytes"), 1);
  g_assert_cmpfloat (value_of (report, "boundary-bytes"), <=, value_of (report, "pp-bytes"));
}

/* Parts of the memory, of the traffic and of the links that lessons mention. */
static void
test_parts (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;

  change (plan, "parallelism.tp=8 parallelism.pp=4 parallelism.dp=2");
  report = report_of (plan);
  g_assert_cmpfloat_with_epsilon (value_of (report, "state"),
                                  value_of (report, "weights") + value_of (report, "gradients") +
                                      value_of (report, "optimizer"),
                                  1);
  g_assert_cmpfloat_with_epsilon (value_of (report, "tp-call-time") * value_of (report, "tp-calls"),
                                  value_of (report, "tp-time"), 1e-9);
  g_assert_cmpfloat (value_of (report, "cp-call-time"), ==, 0);
  /* A rail carries only DP's bytes at its achieved rate; waiting takes additional time. */
  g_assert_cmpfloat (value_of (report, "dp-link-time"), >, 0.3 * value_of (report, "dp-time"));
  g_assert_cmpfloat (value_of (report, "dp-link-time"), <, value_of (report, "dp-time"));
  g_assert_cmpfloat (value_of (report, "cp-link-time"), ==, 0);
  g_assert_cmpfloat (value_of (report, "gpu-link-rate"), ==, plan->cluster.intra_bandwidth / 1e9);
  g_assert_cmpfloat (value_of (report, "nic-rate"), ==, plan->cluster.inter_bandwidth / 1e9);
  g_assert_cmpfloat (value_of (report, "optimizer-time"), ==,
                     report->step.part[PLG_PART_OPTIMIZER]);
}

/* Hops follow an explicit placement. */
static void
test_placement (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgHops hops;
  int *gpu;

  plg_placement_expand (&plan->placement, plg_plan_world (plan));
  gpu = plan->placement.gpu_of_rank;
  gpu[0] = 8;
  gpu[8] = 0;
  hops = plg_hops_count (plan, PLG_AXIS_TP);
  /* Rank 0 to rank 1, and rank 8 to rank 9. */
  g_assert_cmpint (hops.between_nodes, ==, 2);
}

/* Expert groups span DP, with one hop per pair of neighbours. */
static void
test_experts (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  PlgHops hops;

  plan->model = mixtral_8x7b;
  change (plan, "parallelism.tp=2 parallelism.pp=4 parallelism.dp=8 parallelism.ep=8");
  hops = plg_hops_count (plan, PLG_AXIS_EP);
  g_assert_cmpint (hops.total, ==, 8 * 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hops/between-nodes", test_between_nodes);
  g_test_add_func ("/hops/same-links", test_same_links);
  g_test_add_func ("/hops/placement", test_placement);
  g_test_add_func ("/hops/experts", test_experts);
  g_test_add_func ("/hops/report", test_report);
  g_test_add_func ("/hops/not-evaluated", test_not_evaluated);
  g_test_add_func ("/hops/communication-over-compute", test_communication_over_compute);
  g_test_add_func ("/hops/boundary", test_boundary);
  g_test_add_func ("/hops/parts", test_parts);
  return g_test_run ();
}
