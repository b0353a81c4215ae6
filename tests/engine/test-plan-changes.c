/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The changes between two plans add up to their difference, and each change is the best of those
 * that remain. */
#include "engine/search/plan-changes.h"

#include "random-plan.h"

#include <string.h>

#define PAIRS 100

/* The changes lead from FROM to TO without a gap, and each plan gives the figures of its change. */
static void
assert_sums (const GArray *changes, const PlgPlan *from, const PlgPlan *to)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  double time, memory;

  g_assert_true (plg_evaluate_into (report, from, PLG_EVALUATE_TOTALS, NULL));
  time = report->step.time;
  memory = report->memory_peak;
  for (guint i = 0; i < changes->len; i++)
    {
      const PlgPlanChange *row = &g_array_index (changes, PlgPlanChange, i);

      g_assert_cmpfloat (row->time_before, ==, time);
      g_assert_cmpfloat (row->memory_before, ==, memory);
      g_assert_true (plg_evaluate_into (report, row->plan, PLG_EVALUATE_TOTALS, NULL));
      g_assert_cmpfloat (row->time, ==, report->step.time);
      g_assert_cmpfloat (row->memory, ==, report->memory_peak);
      g_assert_cmpint (row->fits, ==, report->fits);
      g_assert_cmpstr (row->text, !=, "");
      g_assert_cmpstr (row->reason, !=, "");
      time = row->time;
      memory = row->memory;
    }
  g_assert_true (plg_evaluate_into (report, to, PLG_EVALUATE_TOTALS, NULL));
  g_assert_cmpfloat (time, ==, report->step.time);
  g_assert_cmpfloat (memory, ==, report->memory_peak);
  if (changes->len > 0)
    g_assert_true (plg_plan_same_design (g_array_index (changes, PlgPlanChange, changes->len - 1)
                                             .plan,
                                         to));
}

static guint
bits_of (char **edits)
{
  return g_strv_length (edits) -
         (plg_settings_have_key ((const char *const *) edits, "parallelism.dp") ? 1 : 0);
}

/* No setting of a later change would make the step shorter, if changed earlier. */
static void
assert_order_pays (const GArray *changes, const PlgPlan *from)
{
  g_autoptr (PlgReport) report = plg_report_new ();

  for (guint i = 0; i < changes->len; i++)
    {
      const PlgPlanChange *row = &g_array_index (changes, PlgPlanChange, i);
      const PlgPlan *before = i == 0 ? from : g_array_index (changes, PlgPlanChange, i - 1).plan;

      for (guint j = i + 1; j < changes->len; j++)
        {
          char **edits = g_array_index (changes, PlgPlanChange, j).edits;

          for (int k = 0; edits[k] != NULL; k++)
            {
              g_autoptr (PlgPlan) plan = plg_plan_copy (before);
              int *degree = plan->parallelism.degree;
              gint64 others;

              if (g_str_has_prefix (edits[k], "parallelism.dp="))
                continue;
              g_assert_true (plg_setting_assign (plan, NULL, edits[k], NULL));
              others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
              degree[PLG_AXIS_DP] = (int) MAX (plg_plan_world (plan) / others, 1);
              if (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL))
                g_assert_cmpfloat (report->step.time, >=, row->time);
            }
        }
    }
}

/* Makes the plans of a pair differ only in what a search changes. */
static void
share_design (PlgPlan *to, const PlgPlan *from)
{
  to->cluster = from->cluster;
  to->model = from->model;
  to->training.global_batch = from->training.global_batch;
}

static void
test_random_pairs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint joint = 0;

  for (int i = 0; i < PAIRS;)
    {
      g_autoptr (PlgPlan) from = pick_plan (random);
      g_autoptr (PlgPlan) to = pick_plan (random);
      g_autoptr (GArray) changes = NULL;
      g_autoptr (GArray) again = NULL;

      share_design (to, from);
      if (plg_parallelism_world (&to->parallelism) != plg_plan_world (to))
        continue;
      if (!plg_plan_check (to, NULL))
        continue;
      changes = plg_plan_changes (from, to, NULL);
      again = plg_plan_changes (from, to, NULL);
      assert_sums (changes, from, to);
      assert_order_pays (changes, from);
      g_assert_cmpuint (again->len, ==, changes->len);
      for (guint j = 0; j < changes->len; j++)
        {
          const PlgPlanChange *row = &g_array_index (changes, PlgPlanChange, j);

          g_assert_cmpstr (row->text, ==, g_array_index (again, PlgPlanChange, j).text);
          joint += bits_of (row->edits) > 1;
        }
      i++;
    }
  g_assert_cmpuint (joint, >, 0);
}

/* Plans for other models, clusters and placements. */
static void
test_strangers (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (8);

  for (int i = 0; i < PAIRS; i++)
    {
      g_autoptr (PlgPlan) from = pick_plan (random);
      g_autoptr (PlgPlan) to = pick_plan (random);
      g_autoptr (GArray) changes = NULL;

      if (i % 3 == 0)
        set_a100 (&to->cluster, to->cluster.nodes);
      if (i % 4 == 0 && plg_plan_world (to) > 1)
        {
          plg_placement_expand (&to->placement, plg_plan_world (to));
          to->placement.gpu_of_rank[0] = 1;
          to->placement.gpu_of_rank[1] = 0;
        }
      if (!plg_plan_check (to, NULL))
        continue;
      changes = plg_plan_changes (from, to, NULL);
      assert_sums (changes, from, to);
    }
}

static void
test_same_plan (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (GArray) changes = plg_plan_changes (plan, plan, NULL);

  g_assert_cmpuint (changes->len, ==, 0);
  g_assert_null (plg_plan_changes_worst (changes));
}

/* TP 8 and PP 4 become TP 16 and PP 2: neither could change alone if DP has to be 1. */
static void
test_joint (void)
{
  g_autoptr (PlgPlan) from = teaching_plan ();
  g_autoptr (PlgPlan) to = NULL;
  g_autoptr (GArray) changes = NULL;
  const PlgPlanChange *row;

  change (from, "parallelism.tp=4 parallelism.pp=16 training.global-batch=1");
  to = plg_plan_copy (from);
  change (to, "parallelism.tp=8 parallelism.pp=8");
  changes = plg_plan_changes (from, to, NULL);
  g_assert_cmpuint (changes->len, ==, 1);
  row = &g_array_index (changes, PlgPlanChange, 0);
  g_assert_cmpstr (row->edits[0], ==, "parallelism.tp=8");
  g_assert_cmpstr (row->edits[1], ==, "parallelism.pp=8");
  g_assert_null (row->edits[2]);
}

typedef struct
{
  const char *from; /* edits of the teaching plan */
  const char *to;   /* edits of FROM */
  PlgPart part;
  const char *reason; /* start of the reason of the only change */
} Reason;

static const Reason reasons[] = {
  { "", "parallelism.order=pp-tp-dp", PLG_PART_TP, "TP leaves the node: +" },
  { "parallelism.order=pp-tp-dp", "parallelism.order=tp-cp-pp-dp", PLG_PART_TP,
    "TP no longer leaves the node: −" },
  { "", "training.recompute=full", PLG_PART_RECOMPUTE, "More activations are computed again: +" },
  { "training.recompute=full", "training.recompute=none", PLG_PART_RECOMPUTE,
    "Fewer activations are computed again: −" },
  { "training.global-batch=16", "training.schedule=zb-h1", PLG_PART_BUBBLE,
    "The pipeline bubble shrinks: −" },
  { "", "parallelism.overlap-tp=true", PLG_PART_TP,
    "Computation hides more of the communication of TP: −" },
  { "parallelism.overlap-dp=false", "training.gradient-precision=bf16", PLG_PART_DP, "DP sends " },
  { "training.recompute=none", "training.tokens=2", PLG_PART_COMPUTE,
    "The step takes the same time" },
};

static void
test_reasons (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr (PlgPlan) from = teaching_plan ();
      g_autoptr (PlgPlan) to = NULL;
      g_autoptr (GArray) changes = NULL;
      const PlgPlanChange *row;

      change (from, reasons[i].from);
      to = plg_plan_copy (from);
      change (to, reasons[i].to);
      changes = plg_plan_changes (from, to, NULL);
      g_assert_cmpuint (changes->len, ==, 1);
      row = &g_array_index (changes, PlgPlanChange, 0);
      g_test_message ("%s: %s", row->text, row->reason);
      g_assert_cmpint (row->part, ==, reasons[i].part);
      g_assert_true (g_str_has_prefix (row->reason, reasons[i].reason));
      g_assert_true (plg_plan_changes_worst (changes) ==
                     (row->time > row->time_before ? row : NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-changes/random-pairs", test_random_pairs);
  g_test_add_func ("/plan-changes/strangers", test_strangers);
  g_test_add_func ("/plan-changes/same-plan", test_same_plan);
  g_test_add_func ("/plan-changes/joint", test_joint);
  g_test_add_func ("/plan-changes/reasons", test_reasons);
  return g_test_run ();
}
