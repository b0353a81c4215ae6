/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/model/textbook.h"

#include "models.h"

#include <math.h>

/* Asserts that VALUE printed with DECIMALS equals WANTED. */
static void
assert_digits (double value, int decimals, const char *wanted)
{
  g_autofree char *text = g_strdup_printf ("%.*f", decimals, value);

  g_assert_cmpstr (text, ==, wanted);
}

static void
assert_near (double value, double wanted)
{
  if (fabs (value - wanted) > 1e-9 * fabs (wanted))
    g_error ("%.17g instead of %.17g", value, wanted);
}

static void
test_data_parallel_wall (void)
{
  static const struct
  {
    int gpus;
    const char *ms, *ratio, *mfu_percent;
  } rows[] = {
    { 8, "27.22", "20.8", "2.38" },    { 16, "65.62", "50.2", "1.01" },
    { 64, "68.91", "52.8", "0.97" },   { 512, "69.86", "53.5", "0.95" },
    { 1024, "69.93", "53.5", "0.95" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgNotebookDataParallel act = plg_notebook_data_parallel (7.0, rows[i].gpus, 32, TRUE);

      assert_digits (act.all_reduce_ms, 2, rows[i].ms);
      assert_digits (act.ratio, 1, rows[i].ratio);
      assert_digits (100.0 * act.mfu, 2, rows[i].mfu_percent);
      assert_digits (act.compute_ms, 3, "1.306");
      g_assert_cmpfloat (act.gradient_gb, ==, 14.0);
    }
}

static void
test_fabric_rule (void)
{
  g_assert_cmpfloat (plg_notebook_data_parallel (7, 8, 32, TRUE).bandwidth_gb_s, ==, 900.0);
  g_assert_cmpfloat (plg_notebook_data_parallel (7, 8, 32, FALSE).bandwidth_gb_s, ==, 400.0);
  g_assert_cmpfloat (plg_notebook_data_parallel (7, 16, 32, TRUE).bandwidth_gb_s, ==, 400.0);
}

/* The model size cancels out, and no setting of the sliders reaches a tenth. */
static void
test_data_parallel_limits (void)
{
  double highest = 0.0;

  for (int batch = 8; batch <= 128; batch += 8)
    for (int gpus = 8; gpus <= 1024; gpus += 8)
      {
        double mfu = plg_notebook_data_parallel (7.0, gpus, batch, TRUE).mfu;

        assert_near (plg_notebook_data_parallel (175.0, gpus, batch, TRUE).mfu, mfu);
        highest = MAX (highest, mfu);
      }
  assert_digits (100.0 * highest, 2, "8.37");
  assert_digits (100.0 * plg_notebook_data_parallel (7.0, 1, 32, TRUE).mfu, 2, "52.00");
}

static void
test_3d (void)
{
  static const struct
  {
    int tp, pp, gpus, micro_batches;
    const char *bubble_percent, *mfu_percent, *total_gb;
  } rows[] = {
    { 8, 4, 1024, 8, "9.375", "36.05", "118.7" },
    { 8, 4, 64, 8, "9.375", "39.26", "118.7" },
    { 8, 4, 1024, 1000000, "0.000", "39.78", "118.7" },
    { 1, 64, 1024, 16, "6.152", "44.90", "35.3" },
    { 1, 64, 1024, 64, "1.538", "47.10", "35.3" },
    { 8, 16, 1024, 16, "5.859", "39.11", "77.7" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PlgNotebook3D act = plg_notebook_3d (rows[i].tp, rows[i].pp, rows[i].gpus,
                                           rows[i].micro_batches);

      assert_digits (100.0 * act.bubble, 3, rows[i].bubble_percent);
      assert_digits (100.0 * act.mfu, 2, rows[i].mfu_percent);
      assert_digits (act.total_gb, 1, rows[i].total_gb);
      g_assert_cmpint (act.out_of_memory, ==, act.total_gb > 80.0);
    }
}

static void
test_3d_memory (void)
{
  PlgNotebook3D act = plg_notebook_3d (8, 4, 1024, 8);

  assert_digits (act.model_gb, 2, "10.94");
  assert_digits (act.optimizer_gb, 2, "43.75");
  assert_digits (act.activation_gb, 0, "64");
  g_assert_true (act.out_of_memory);
  g_assert_cmpint (act.dp, ==, 32);
  g_assert_false (act.tp_crosses_node);
  /* TP 128 loses more than everything. */
  act = plg_notebook_3d (128, 1, 1024, 8);
  g_assert_true (act.tp_crosses_node);
  g_assert_cmpfloat (act.penalty, ==, 2.25);
  g_assert_cmpfloat (act.mfu, >, 0.0);
  g_assert_cmpfloat (plg_notebook_3d (1024, 1, 1024, 8).mfu, ==, 0.0);
}

/* With the default of 8 micro-batches no choice meets both limits; with 10, some choices do. */
static void
test_3d_feasible_points (void)
{
  for (int micro_batches = 8; micro_batches <= 10; micro_batches++)
    {
      int feasible = 0;

      for (int tp = 1; tp <= 64; tp *= 2)
        for (int pp = 1; pp <= 64 && tp * pp <= 1024; pp *= 2)
          {
            PlgNotebook3D act = plg_notebook_3d (tp, pp, 1024, micro_batches);

            feasible += !act.out_of_memory && act.bubble <= 0.10;
          }
      g_assert_cmpint (feasible, ==, micro_batches < 10 ? 0 : 11);
    }
}

static void
test_handbook (void)
{
  static const double wanted[] = { 16e9, 5.5e9, 3.75e9, 2e9 };

  for (int zero = 0; zero <= 3; zero++)
    g_assert_cmpfloat (plg_handbook_state_bytes (1e9, zero, 8), ==, wanted[zero]);
  g_assert_cmpfloat (plg_handbook_ring_bytes (14e9, 8), ==, 24.5e9);
  g_assert_cmpfloat (plg_handbook_ring_bytes (14e9, 1), ==, 0.0);
  assert_digits (plg_handbook_ring_bytes (1.0, 1024), 4, "1.9980");
}

static PlgPlan *
grid (int tp, int pp, int dp, int global_batch)
{
  PlgPlan *plan = plg_plan_new ();

  plan->model = llama3_70b;
  plan->cluster.nodes = 8;
  plan->cluster.gpus_per_node = 8;
  plan_set_degrees (plan, tp, 1, pp, dp, 1);
  plan_set_training (plan, 8192, 1, global_batch);
  return plan;
}

/* Returns a report as before the profile is applied: arbitrary values of the right size. */
static PlgReport *
standard_report (const PlgPlan *plan)
{
  PlgReport *report = plg_report_new ();
  PlgCollective dp = { .axis = PLG_AXIS_DP,
                       .kind = PLG_COLLECTIVE_ALL_REDUCE,
                       .calls = 2.0,
                       .bytes_per_call = 5e9,
                       .group_size = 2,
                       .nodes_spanned = 2,
                       .time = 0.4,
                       .exposed = 0.1 };

  g_array_set_size (report->stages, plan->parallelism.degree[PLG_AXIS_PP]);
  for (guint i = 0; i < report->stages->len; i++)
    {
      PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      stage->parameters = 2e9;
      stage->activations = 7e9;
      stage->runtime = 1e9;
    }
  g_array_append_val (report->collectives, dp);
  report->memory_capacity = 80e9;
  report->step.peak = 989e12;
  report->step.model_flops = 1e18;
  report->step.hardware_flops = 1.2e18;
  report->step.part[PLG_PART_COMPUTE] = 30.0;
  report->step.part[PLG_PART_DP] = 0.1;
  return report;
}

static void
assert_step_adds_up (const PlgStep *step, int gpus)
{
  double sum = 0.0;

  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      g_assert_cmpfloat (step->part[part], >=, 0.0);
      sum += step->part[part];
    }
  assert_near (step->time, sum);
  assert_near (step->mfu, step->model_flops / (step->time * gpus * step->peak));
  assert_near (step->ideal_time, step->time * step->mfu);
}

static void
test_apply_notebook_3d (void)
{
  g_autoptr (PlgPlan) plan = grid (8, 4, 2, 16);
  g_autoptr (PlgReport) report = standard_report (plan);

  plan->profile = PLG_PROFILE_NOTEBOOK;
  plg_textbook_apply (plan, report);
  assert_digits (100.0 * report->step.mfu, 2, "39.26");
  assert_digits (report->memory_peak / 1e9, 1, "118.7");
  g_assert_cmpfloat (report->memory_capacity, ==, 80e9);
  g_assert_false (report->fits);
  g_assert_cmpfloat (report->parameters_total, ==, 175e9);
  assert_step_adds_up (&report->step, 64);
  assert_near (report->step.part[PLG_PART_DP] / report->step.time, 0.02);
  assert_near (report->step.part[PLG_PART_COMPUTE] / report->step.time, report->step.mfu / 0.52);
  for (guint i = 0; i < report->stages->len; i++)
    {
      PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);

      g_assert_cmpfloat (stage->total, ==, stage->weights + stage->optimizer + stage->activations);
      assert_near (stage->total, report->memory_peak);
    }
}

static void
test_apply_notebook_data_parallel (void)
{
  g_autoptr (PlgPlan) plan = grid (1, 1, 64, 64);
  g_autoptr (PlgReport) report = standard_report (plan);

  plan->training.micro_batch = 32;
  plan->profile = PLG_PROFILE_NOTEBOOK;
  plg_textbook_apply (plan, report);
  assert_digits (100.0 * report->step.mfu, 2, "0.97");
  assert_step_adds_up (&report->step, 64);
  /* The ring over 64 GPUs for 175 billion: 175/7 of 68.91 ms. */
  assert_digits (report->step.part[PLG_PART_DP], 4, "1.7227");
  g_assert_false (report->fits);
}

/* The formula can lose everything, and then no number may be infinite. */
static void
test_apply_notebook_nothing_left (void)
{
  g_autoptr (PlgPlan) plan = grid (1024, 1, 1, 64);
  g_autoptr (PlgReport) report = standard_report (plan);

  plan->profile = PLG_PROFILE_NOTEBOOK;
  plg_textbook_apply (plan, report);
  g_assert_cmpfloat (report->step.mfu, ==, 0.0);
  g_assert_cmpfloat (report->step.time, ==, 0.0);
  g_assert_true (isfinite (report->step.tokens_per_second));
  g_assert_true (isfinite (report->step.days));
}

static void
test_apply_handbook (void)
{
  g_autoptr (PlgPlan) plan = grid (8, 4, 2, 64);
  g_autoptr (PlgReport) report = standard_report (plan);
  const PlgCollective *dp = &g_array_index (report->collectives, PlgCollective, 0);

  plan->profile = PLG_PROFILE_HANDBOOK;
  plan->parallelism.zero = 1;
  plg_textbook_apply (plan, report);
  /* 2 + 2 + 12/2 bytes for each of 2e9 parameters; activations and runtime are unchanged. */
  assert_near (report->memory_peak, 20e9 + 8e9);
  g_assert_true (report->fits);
  g_assert_cmpfloat (dp->bytes_sent, ==, 2.0 * 5e9);
  assert_near (dp->time, 10e9 / 50e9);
  assert_near (dp->exposed, dp->time * 0.25);
  assert_near (report->step.part[PLG_PART_DP], dp->exposed);
  assert_step_adds_up (&report->step, 64);
}

static void
test_apply_standard_changes_nothing (void)
{
  g_autoptr (PlgPlan) plan = grid (8, 4, 2, 64);
  g_autoptr (PlgReport) report = standard_report (plan);
  PlgStep before = report->step;

  plg_textbook_apply (plan, report);
  g_assert_cmpmem (&before, sizeof before, &report->step, sizeof report->step);
}

/* Numbers in the units of each profile. */
static void
test_written (void)
{
  g_autofree char *standard = plg_profile_memory (PLG_PROFILE_STANDARD, 64.0 * 1024 * 1024 * 1024);
  g_autofree char *notebook = plg_profile_memory (PLG_PROFILE_NOTEBOOK, 118.6875e9);
  g_autofree char *share = plg_profile_share (PLG_PROFILE_NOTEBOOK, 0.360506);

  g_assert_cmpstr (standard, ==, "64\u00a0GiB");
  g_assert_cmpstr (notebook, ==, "118.7\u00a0GB");
  g_assert_cmpstr (share, ==, "36.05\u00a0%");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/textbook/data-parallel/wall", test_data_parallel_wall);
  g_test_add_func ("/textbook/data-parallel/fabric", test_fabric_rule);
  g_test_add_func ("/textbook/data-parallel/limits", test_data_parallel_limits);
  g_test_add_func ("/textbook/3d/mfu", test_3d);
  g_test_add_func ("/textbook/3d/memory", test_3d_memory);
  g_test_add_func ("/textbook/3d/feasible", test_3d_feasible_points);
  g_test_add_func ("/textbook/handbook", test_handbook);
  g_test_add_func ("/textbook/apply/notebook-3d", test_apply_notebook_3d);
  g_test_add_func ("/textbook/apply/notebook-dp", test_apply_notebook_data_parallel);
  g_test_add_func ("/textbook/apply/notebook-nothing", test_apply_notebook_nothing_left);
  g_test_add_func ("/textbook/apply/handbook", test_apply_handbook);
  g_test_add_func ("/textbook/apply/standard", test_apply_standard_changes_nothing);
  g_test_add_func ("/textbook/written", test_written);
  return g_test_run ();
}
