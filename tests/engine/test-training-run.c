/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/training-run.h"
#include "engine/report/assertion.h"
#include "engine/report/explanation.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"
#include "plans.h"

#define DAY 86400.0

static double
sum_of_shares (const PlgTrainingRun *run)
{
  double sum = 0.0;

  for (int part = 0; part < PLG_N_RUN_PARTS; part++)
    sum += run->share[part];
  return sum;
}

/* Llama 3 405B on 16,384 H100 as Meta trained it: TP 8, PP 16, DP 128. */
static PlgPlan *
llama3_plan (void)
{
  PlgPlan *plan = teaching_plan ();

  set_h100 (&plan->cluster, 2048);
  plan->model = llama3_405b;
  plan->training.global_batch = 2048;
  plan->training.tokens = 15.6e12;
  plan->parallelism.degree[PLG_AXIS_TP] = 8;
  plan->parallelism.degree[PLG_AXIS_PP] = 16;
  plan->parallelism.degree[PLG_AXIS_DP] = 128;
  return plan;
}

/* A cluster of 8 GPUs that fails every 1000 s, with checkpoints that take 20 s, restarts that take
 * 50 s, and known price and powers. */
static PlgPlan *
small_plan (void)
{
  PlgPlan *plan = plg_plan_new ();

  plan->cluster.gpus_per_node = 8;
  plan->parallelism.degree[PLG_AXIS_DP] = 8;
  plan->training.tokens = 1e6;
  plan->reliability = (PlgReliability) { .mtbf = 8000.0, .restart = 50.0 };
  plan->cost = (PlgCost) { .gpu_hour = 2.0,
                           .power_busy = 500.0,
                           .power_idle = 100.0,
                           .power_server = 50.0,
                           .pue = 1.2,
                           .carbon = 400.0 };
  return plan;
}

/* Computes RUN for PLAN, whose model gets as many parameters as a checkpoint of SECONDS needs. */
static void
run_small (PlgTrainingRun *run, PlgPlan *plan, double seconds)
{
  double bytes = plg_checkpoint_bytes_per_parameter (plan);

  plan->reliability.checkpoint_rate = 1e9;
  plg_training_run_init (run, plan, seconds * 1e9 / bytes, 0.1, 1000.0, 0.8);
}

/* The default MTBF is fitted on this count, so the test shows only that the constant was computed
 * correctly. The effective training time is not fitted. Source of both: arXiv 2407.21783, section
 * 3.3.4: 419 unexpected interruptions in 54 days, effective training time above 90 %. */
static void
test_llama3 (void)
{
  g_autoptr (PlgPlan) plan = llama3_plan ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, &error);

  g_assert_no_error (error);
  assert_near (report->run.interruptions / report->run.days * 54.0, 419.0, 1e-4);
  g_assert_cmpfloat (report->run.share[PLG_RUN_PROGRESS], >, 0.90);
  g_assert_cmpfloat (report->run.share[PLG_RUN_PROGRESS], <, 0.97);
  /* 405.9 B parameters with 2 bytes of weight and 12 bytes of optimizer state */
  assert_near (report->run.checkpoint_bytes, 405.85e9 * 14.0, 1e-3);
}

/* The sums by hand: Young √(2·20·1000) = 200 s; Daly 200·(1 + 0.1/3 + 0.01/9) − 20 = 186.89 s;
 * goodput 186.89 / (1000 · e^0.05 · (e^0.20689 − 1)) = 77.34 %. */
static void
test_by_hand (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgTrainingRun run;
  double computing = 0.8 * (0.77344951 + 0.09500886), elapsed = 1000.0 / 0.77344951;
  double power = 1.2 * 8.0 * (computing * 500.0 + (1.0 - computing) * 100.0 + 50.0);

  run_small (&run, plan, 20.0);
  assert_near (run.checkpoint_time, 20.0, 1e-12);
  assert_near (run.mtbf, 1000.0, 1e-12);
  assert_near (run.interval_young, 200.0, 1e-12);
  assert_near (run.interval, 186.888889, 1e-8);
  assert_near (run.share[PLG_RUN_PROGRESS], 0.77344951, 1e-7);
  assert_near (run.share[PLG_RUN_CHECKPOINT], 0.08277105, 1e-6);
  assert_near (run.share[PLG_RUN_RESTART], 1.0 - exp (-0.05), 1e-9);
  assert_near (run.share[PLG_RUN_LOST], 0.09500886, 1e-6);
  g_assert_cmpfloat (run.share[PLG_RUN_WAIT], ==, 0.0);
  assert_near (sum_of_shares (&run), 1.0, 1e-12);
  assert_near (run.days * DAY, elapsed, 1e-7);
  assert_near (run.interruptions, elapsed / 1000.0, 1e-7);
  assert_near (run.gpu_hours, 8.0 * elapsed / 3600.0, 1e-7);
  assert_near (run.cost, 2.0 * 8.0 * elapsed / 3600.0, 1e-7);
  assert_near (run.cost_per_token * 1e6, run.cost, 1e-12);
  assert_near (run.power, power, 1e-7);
  assert_near (run.energy, power * elapsed, 1e-7);
  assert_near (run.energy_per_token * 1e6, run.energy, 1e-12);
  assert_near (run.carbon, power * elapsed / 3.6e6 * 0.4, 1e-7);
}

/* A simulation of failures at random times agrees with the shares of the formulas. */
static void
test_simulation (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  g_autoptr (GRand) random = g_rand_new_with_seed (20);
  double progress = 0.0, restarting = 0.0, now = 0.0;
  PlgTrainingRun run;

  run_small (&run, plan, 20.0);
  for (double until = 0.0; now < 3e7;)
    {
      until = now - 1000.0 * log (1.0 - g_rand_double (random));
      /* Work until the failure; a segment counts when its checkpoint is complete. */
      while (now + run.interval + 20.0 <= until)
        {
          now += run.interval + 20.0;
          progress += run.interval;
        }
      now = until;
      for (;;)
        {
          double next = now - 1000.0 * log (1.0 - g_rand_double (random));

          restarting += MIN (next - now, 50.0);
          if (next - now >= 50.0)
            break;
          now = next;
        }
      now += 50.0;
    }
  assert_near (progress / now, run.share[PLG_RUN_PROGRESS], 0.01);
  assert_near (restarting / now, run.share[PLG_RUN_RESTART], 0.03);
}

/* No other interval between checkpoints gives much more progress than Daly's. */
static void
test_best_interval (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgTrainingRun run;

  for (double seconds = 0.5; seconds < 1500.0; seconds *= 3.0)
    {
      double best = 0.0;

      run_small (&run, plan, seconds);
      for (double tau = 1.0; tau < 1e4; tau *= 1.01)
        best = MAX (best, tau / (1000.0 * exp (0.05) * expm1 ((tau + seconds) / 1000.0)));
      g_assert_cmpfloat (run.share[PLG_RUN_PROGRESS], >=, 0.99 * best);
      g_assert_cmpfloat (run.share[PLG_RUN_PROGRESS], <=, best * 1.0001);
    }
}

/* Erlang's loss formula for a load of 0.5: B(1) = 0.5/1.5, B(2) = 0.125/1.625. Spares are paid for
 * and draw the idle power. */
static void
test_spares (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  PlgTrainingRun run, none, two;

  run_small (&run, plan, 20.0);
  plan->reliability.repair = 500.0;
  run_small (&none, plan, 20.0);
  assert_near (none.share[PLG_RUN_WAIT], 1.0 / 3.0, 1e-12);
  assert_near (none.days, run.days * 1.5, 1e-12);
  assert_near (none.interruptions, run.interruptions, 1e-12);
  assert_near (sum_of_shares (&none), 1.0, 1e-12);

  plan->reliability.spares = 1;
  run_small (&two, plan, 20.0);
  assert_near (two.share[PLG_RUN_WAIT], 0.125 / 1.625, 1e-12);
  assert_near (two.cost / two.days, 2.0 * none.cost / none.days, 1e-12);
  g_assert_cmpfloat (two.power, >, none.power + 1.2 * 8.0 * 150.0);
}

/* A checkpoint is written at most once per step, and its size does not depend on the replicas. */
static void
test_steps_and_replicas (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  g_autoptr (PlgReport) one = report_with ("");
  g_autoptr (PlgReport) two = report_with ("cluster.nodes=16");
  PlgTrainingRun run;

  plan->reliability.checkpoint_rate = 1e15;
  plg_training_run_init (&run, plan, 1e6, 30.0, 1000.0, 0.8);
  g_assert_cmpfloat (run.interval, ==, 30.0);
  g_assert_cmpfloat (one->run.checkpoint_bytes, ==, two->run.checkpoint_bytes);
  assert_near (one->run.checkpoint_time, 2.0 * two->run.checkpoint_time, 1e-12);
  assert_near (one->run.mtbf, 2.0 * two->run.mtbf, 1e-12);
}

/* Asserts that the texts about RUN show no infinite number, and that they state the reason. */
static void
assert_no_progress (const PlgPlan *plan, const PlgTrainingRun *run)
{
  g_autofree char *problem = plg_training_run_problem (plan, run);
  g_autoptr (GArray) facts = plg_training_run_facts (plan, run);

  g_assert_false (plg_training_run_makes_progress (run));
  g_assert_nonnull (problem);
  g_assert_true (isnan (run->days) && isnan (run->cost) && isnan (run->energy));
  assert_near (sum_of_shares (run), 1.0, 1e-9);
  for (guint i = 0; i < facts->len; i++)
    {
      const char *value = g_array_index (facts, PlgRunFact, i).value;

      g_assert_null (strstr (value, "nan"));
      g_assert_null (strstr (value, "inf"));
      g_assert_null (strstr (value, "∞"));
    }
  g_assert_cmpstr (g_array_index (facts, PlgRunFact, 0).value, ==, problem);
}

static void
test_hostile (void)
{
  static const struct
  {
    double mtbf, checkpoint, restart, repair;
    int spares;
  } cases[] = {
    { 3.6, 20.0, 600.0, 0.0, 0 },     /* a GPU fails every 0.45 s */
    { 8000.0, 2e4, 0.0, 0.0, 0 },     /* a checkpoint takes 20 times as long as a failure */
    { 8000.0, 20.0, 1e7, 0.0, 0 },    /* a restart is never completed */
    { 8000.0, 20.0, 50.0, 3.6e9, 0 }, /* no node is ever repaired */
    { 8000.0, 20.0, 50.0, 3.6e9, 100 }, { 3.6, 1e9, 1e7, 3.6e9, 16384 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = small_plan ();
      PlgTrainingRun run;

      plan->reliability.mtbf = cases[i].mtbf;
      plan->reliability.restart = cases[i].restart;
      plan->reliability.repair = cases[i].repair;
      plan->reliability.spares = cases[i].spares;
      run_small (&run, plan, cases[i].checkpoint);
      assert_no_progress (plan, &run);
    }
}

/* Without a price and powers, cost and energy are unknown, and the settings are named. */
static void
test_unknown (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  g_autoptr (GArray) facts = NULL;
  PlgTrainingRun run;
  gboolean names_price = FALSE, names_power = FALSE;

  plan->cost.gpu_hour = plan->cost.power_idle = 0.0;
  run_small (&run, plan, 20.0);
  g_assert_true (isnan (run.cost) && isnan (run.energy) && isnan (run.carbon));
  g_assert_true (isfinite (run.days) && isfinite (run.interruptions));
  facts = plg_training_run_facts (plan, &run);
  for (guint i = 0; i < facts->len; i++)
    {
      const char *value = g_array_index (facts, PlgRunFact, i).value;

      names_price = names_price || strstr (value, "cost.gpu-hour") != NULL;
      names_power = names_power || strstr (value, "cost.power-idle") != NULL;
    }
  g_assert_true (names_price && names_power);

  /* The values of the GPU apply if the plan has none, and the plan's own values win. */
  plan->cluster.gpu.gpu_hour = 3.0;
  plan->cluster.gpu.power_idle = 70.0;
  plan->cluster.gpu.power_busy = 1.0;
  g_assert_cmpfloat (plg_cost_gpu_hour (&plan->cost, &plan->cluster.gpu), ==, 3.0);
  g_assert_cmpfloat (plg_cost_power_idle (&plan->cost, &plan->cluster.gpu), ==, 70.0);
  g_assert_cmpfloat (plg_cost_power_busy (&plan->cost, &plan->cluster.gpu), ==, 500.0);
}

/* Without a budget of tokens, the totals are 0 and the amounts per token are known. */
static void
test_no_budget (void)
{
  g_autoptr (PlgPlan) plan = small_plan ();
  g_autoptr (GArray) facts = NULL;
  PlgTrainingRun run;

  plan->training.tokens = 0.0;
  run_small (&run, plan, 20.0);
  g_assert_cmpfloat (run.cost, ==, 0.0);
  g_assert_cmpfloat (run.cost_per_token, >, 0.0);
  facts = plg_training_run_facts (plan, &run);
  g_assert_cmpstr (g_array_index (facts, PlgRunFact, 2).title, ==, "Cost");
  g_assert_cmpstr (g_array_index (facts, PlgRunFact, 2).value, ==,
                   "5.75\u00a0USD per million tokens");
}

/* Assertions know the units of money, energy, emissions and days. */
static void
test_assertions (void)
{
  static const struct
  {
    const char *text;
    double limit;
    const char *shown;
  } cases[] = {
    { "cost<=1500000USD", 1.5e6, "1\u202f500\u202f000\u00a0USD" },
    { "cost-per-million-tokens<0.5", 0.5, "0.5\u00a0USD" },
    { "energy<=5GWh", 1.8e13, "5\u00a0GWh" },
    { "energy<=5", 1.8e7, "5\u00a0kWh" },
    { "energy-per-token<2J", 2.0, "2\u00a0J" },
    { "co2<=12t", 12000.0, "12\u00a0t\u00a0CO₂e" },
    { "days-with-failures<=30", 30.0 * DAY, "30 days" },
    { "days-with-failures<=48h", 2.0 * DAY, "2 days" },
    { "power<25MW", 25e6, "25\u00a0MW" },
    { "goodput>=90%", 0.9, "90.0\u00a0%" },
    { "checkpoint-size<2TB", 2e12, "2\u00a0TB" },
    { "interruptions<10", 10.0, "10" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlgAssertion assertion;
      g_autofree char *problem = plg_assertion_read (&assertion, cases[i].text);
      g_autofree char *shown = NULL;

      g_assert_null (problem);
      assert_near (assertion.limit, cases[i].limit, 1e-12);
      shown = plg_assertion_limit (&assertion);
      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

/* No part of a step that a lesson hides can be computed from the run. */
static void
test_redaction (void)
{
  static const guint parts[] = { PLG_REDACT_MEMORY, PLG_REDACT_BUBBLE, PLG_REDACT_TIME,
                                 PLG_REDACT_BUSY };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (PlgReport) hidden = plg_report_redact (report, parts[i]);
      g_autoptr (GArray) facts = plg_training_run_facts (plan, &hidden->run);

      g_assert_true (isnan (hidden->run.checkpoint_bytes) && isnan (hidden->run.power) &&
                     isnan (hidden->run.share[PLG_RUN_PROGRESS]));
      g_assert_null (plg_training_run_problem (plan, &hidden->run));
      for (guint j = 0; j < facts->len; j++)
        g_assert_null (strpbrk (g_array_index (facts, PlgRunFact, j).value, "0123456789"));
    }
}

/* A plan differs in design if its cost or reliability differs. */
static void
test_design (void)
{
  static const char *const keys[] = { "cost.gpu-hour=1",
                                      "cost.power-busy=1",
                                      "cost.power-idle=1",
                                      "cost.power-server=1",
                                      "cost.pue=1",
                                      "cost.carbon=1",
                                      "reliability.mtbf=1",
                                      "reliability.checkpoint-rate=2",
                                      "reliability.restart=1",
                                      "reliability.repair=1",
                                      "reliability.spares=1" };
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (PlgPlan) other = plg_plan_copy (plan);
      const char *const assignments[] = { keys[i], NULL };
      g_autoptr (GError) error = NULL;

      g_assert_true (plg_plan_same_design (plan, other));
      plg_settings_apply (other, NULL, assignments, &error);
      g_assert_no_error (error);
      g_assert_false (plg_plan_same_design (plan, other));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training-run/llama3", test_llama3);
  g_test_add_func ("/training-run/by-hand", test_by_hand);
  g_test_add_func ("/training-run/simulation", test_simulation);
  g_test_add_func ("/training-run/best-interval", test_best_interval);
  g_test_add_func ("/training-run/spares", test_spares);
  g_test_add_func ("/training-run/steps-and-replicas", test_steps_and_replicas);
  g_test_add_func ("/training-run/hostile", test_hostile);
  g_test_add_func ("/training-run/unknown", test_unknown);
  g_test_add_func ("/training-run/no-budget", test_no_budget);
  g_test_add_func ("/training-run/assertions", test_assertions);
  g_test_add_func ("/training-run/redaction", test_redaction);
  g_test_add_func ("/training-run/design", test_design);
  return g_test_run ();
}
