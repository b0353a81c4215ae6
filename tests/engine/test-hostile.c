/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random settings, many at the limits of their ranges: a plan is rejected with a reason, or its
 * report is valid. */
#include "random-plan.h"

#include "engine/report/explanation.h"

#define TRIES 2500
/* Larger clusters are evaluated without links, which would take too long. */
#define FEW_GPUS 1024

static char *
pick_integer (GRand *random, const PlgSetting *setting)
{
  gint64 low = (gint64) setting->minimum, high = (gint64) setting->maximum;
  gint64 value;

  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
      value = low + g_rand_int_range (random, 0, 2);
      break;
    case 1:
      value = high - g_rand_int_range (random, 0, 2);
      break;
    case 2:
      value = g_rand_int_range (random, (gint32) low, (gint32) MIN (high, G_MAXINT32 - 1) + 1);
      break;
    case 3:
    case 4:
      value = (gint64) 1 << g_rand_int_range (random, 0, 12);
      break;
    default:
      value = g_rand_int_range (random, 1, 17);
    }
  return g_strdup_printf ("%" G_GINT64_FORMAT, CLAMP (value, low, high));
}

static char *
pick_number (GRand *random, const PlgSetting *setting)
{
  double low = setting->minimum, high = setting->maximum, value;

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
      value = low;
      break;
    case 1:
      value = high;
      break;
    default:
      value = CLAMP (pow (10.0, g_rand_double_range (random, -4.0, 7.0)), low, high);
    }
  return g_strdup_printf ("%.15g", value);
}

/* Returns a fault of a part that may not exist. */
static char *
pick_fault (GRand *random)
{
  static const char *const rates[] = { "0", "0.001", "0.5", "1", "2" };
  const char *rate = rates[g_rand_int_range (random, 0, G_N_ELEMENTS (rates))];
  int a = g_rand_int_range (random, 0, 9), b = g_rand_int_range (random, 0, 9);

  switch (g_rand_int_range (random, 0, 5))
    {
    case 0:
      return g_strdup ("");
    case 1:
      return g_strdup_printf ("gpu:%d=%s", a, rate);
    case 2:
      return g_strdup_printf ("port:%d=%s", a, rate);
    case 3:
      return g_strdup_printf ("nic:%d.%d=%s", a, b, rate);
    default:
      return g_strdup_printf ("uplink:%d.%d=%s,gpu:%d=0.5", a, b, rate, b);
    }
}

/* Returns NULL for names, which need a catalogue. */
static char *
pick_value (GRand *random, const PlgSetting *setting)
{
  static const char *const orders[] = { "tp-cp-pp-dp", "dp-pp-cp-tp", "pp-tp-dp", "cp-dp-tp-pp" };

  switch (setting->kind)
    {
    case PLG_SETTING_INTEGER:
      return pick_integer (random, setting);
    case PLG_SETTING_NUMBER:
      return pick_number (random, setting);
    case PLG_SETTING_BOOLEAN:
      return g_strdup (g_rand_boolean (random) ? "true" : "false");
    case PLG_SETTING_CHOICE:
      return g_strdup (setting
                           ->choices[g_rand_int_range (random, 0, (gint32) setting->maximum + 1)]);
    case PLG_SETTING_ORDER:
      return g_strdup (orders[g_rand_int_range (random, 0, G_N_ELEMENTS (orders))]);
    case PLG_SETTING_FAULTS:
      return pick_fault (random);
    case PLG_SETTING_NODE_NAMES:
      return g_strdup (g_rand_boolean (random) ? "0=a" : "");
    case PLG_SETTING_LAYOUT:
      return g_strdup (g_rand_boolean (random) ? "E(ttttt|)*3ttttL" : "");
    case PLG_SETTING_MODULES:
      return g_strdup (g_rand_boolean (random) ? "norm+mla-up+activation" : "mlp+experts");
    case PLG_SETTING_NAME:
    default:
      return NULL;
    }
}

/* Returns up to five "KEY=VALUE". */
static char **
pick_assignments (GRand *random)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  int n, wanted = g_rand_int_range (random, 1, 6);
  const PlgSetting *settings = plg_settings (&n);

  while (wanted > 0)
    {
      const PlgSetting *setting = &settings[g_rand_int_range (random, 0, n)];
      g_autofree char *value = pick_value (random, setting);
      g_autofree char *assignment = NULL;

      if (value == NULL)
        continue;
      assignment = g_strdup_printf ("%s=%s", setting->key, value);
      g_strv_builder_add (builder, assignment);
      wanted--;
    }
  return g_strv_builder_end (builder);
}

/* Asserts that numbers are finite; WHAT names their source. */
static void
assert_figures (const double *figures, guint n, const char *what)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (figures[i]) || figures[i] < 0.0)
      g_error ("%s: figure %u is %g", what, i, figures[i]);
}

static void
check_step (const PlgReport *report, const char *what)
{
  const PlgStep *step = &report->step;
  const PlgBubble *bubble = &report->bubble;
  const double figures[] = { step->time,
                             step->ideal_time,
                             step->tokens_per_second,
                             step->tokens_per_second_per_gpu,
                             step->model_flops,
                             step->hardware_flops,
                             step->flops_per_second_per_gpu,
                             step->mfu,
                             step->hfu,
                             step->peak,
                             step->days,
                             step->gpu_hours,
                             bubble->share_of_step,
                             bubble->over_ideal,
                             bubble->notebook,
                             bubble->simulated,
                             report->memory_peak,
                             report->parameters_total,
                             report->parameters_active };

  assert_figures (figures, G_N_ELEMENTS (figures), what);
  assert_figures (step->part, PLG_N_PARTS, what);
  g_assert_cmpfloat (step->time, >, 0.0);
  g_assert_cmpfloat (bubble->simulated, <, 1.0);
}

/* The shares of a run add up to 1, and its totals are unknown if it makes no progress. */
static void
check_run (const PlgReport *report, const char *what)
{
  const PlgTrainingRun *run = &report->run;
  const double totals[] = { run->days, run->gpu_hours, run->interruptions };
  const double figures[] = { run->checkpoint_bytes, run->checkpoint_time, run->mtbf,
                             run->interval_young,   run->interval,        run->busy_share };
  double sum = 0.0;

  assert_figures (figures, G_N_ELEMENTS (figures), what);
  assert_figures (run->share, PLG_N_RUN_PARTS, what);
  for (int part = 0; part < PLG_N_RUN_PARTS; part++)
    sum += run->share[part];
  g_assert_cmpfloat (fabs (sum - 1.0), <, 1e-9);
  if (plg_training_run_makes_progress (run) && report->step.tokens_per_second > 0.0)
    assert_figures (totals, G_N_ELEMENTS (totals), what);
  else
    g_assert_true (isnan (run->days) && isnan (run->cost) && isnan (run->energy));
}

static void
check_rows (const PlgReport *report, const char *what)
{
  for (guint i = 0; i < report->stages->len; i++)
    {
      const PlgStageMemory *stage = &g_array_index (report->stages, PlgStageMemory, i);
      const double figures[] = { stage->parameters, stage->weights,     stage->gradients,
                                 stage->optimizer,  stage->activations, stage->buffers,
                                 stage->runtime,    stage->total };

      assert_figures (figures, G_N_ELEMENTS (figures), what);
    }
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);
      const double figures[] = { row->calls, row->bytes_per_call, row->bytes_sent, row->time,
                                 row->exposed };

      assert_figures (figures, G_N_ELEMENTS (figures), what);
    }
  for (guint i = 0; i < report->links->len; i++)
    {
      const PlgLink *link = &g_array_index (report->links, PlgLink, i);
      const double figures[] = { link->calls, link->bytes_out, link->bytes_in, link->time };

      assert_figures (figures, G_N_ELEMENTS (figures), what);
    }
  for (guint i = 0; i < report->findings->len; i++)
    g_assert_true (g_utf8_validate (g_array_index (report->findings, PlgFinding, i).text, -1,
                                    NULL));
}

/* Formulas never contain "nan". */
static void
check_explanations (const PlgPlan *plan, const PlgReport *report, const char *what)
{
  g_autoptr (GArray) explanations = plg_explain (plan, report, NULL);

  for (guint i = 0; i < explanations->len; i++)
    {
      const PlgExplanation *explanation = &g_array_index (explanations, PlgExplanation, i);

      if (strstr (explanation->result, "nan") != NULL ||
          strstr (explanation->result, "inf") != NULL ||
          strstr (explanation->numbers, "nan") != NULL ||
          strstr (explanation->numbers, "inf") != NULL)
        g_error ("%s: %s is %s = %s", what, explanation->id, explanation->numbers,
                 explanation->result);
    }
}

static void
check_plan (PlgReport *report, const PlgPlan *plan, const char *what)
{
  g_autoptr (GError) error = NULL;
  gboolean small = plg_plan_world (plan) <= FEW_GPUS;

  if (g_test_verbose ())
    g_printerr ("# %s\n", what);
  plg_evaluate_into (report, plan, small ? PLG_EVALUATE_ALL : PLG_EVALUATE_TOTALS, &error);
  g_assert_no_error (error);
  if (small)
    plg_report_advise (report, plan);
  check_step (report, what);
  check_run (report, what);
  check_rows (report, what);
  check_explanations (plan, report, what);
}

static void
test_settings (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (61);
  g_autoptr (PlgReport) report = plg_report_new ();
  int good = 0;

  for (int i = 0; i < TRIES; i++)
    {
      g_autoptr (PlgPlan) plan = pick_plan (random);
      g_autoptr (PlgPlan) before = plg_plan_copy (plan);
      g_auto (GStrv) assignments = pick_assignments (random);
      g_autofree char *what = g_strjoinv (" ", assignments);
      g_autoptr (GError) error = NULL;

      if (plg_settings_apply (plan, NULL, (const char *const *) assignments, &error))
        {
          check_plan (report, plan, what);
          good++;
          continue;
        }
      g_assert_nonnull (error);
      g_assert_cmpint (error->domain, ==, PLG_PLAN_ERROR);
      g_assert_cmpint (g_utf8_strlen (error->message, -1), >, 10);
      g_assert_true (plg_plan_equal (plan, before));
    }
  g_assert_cmpint (good, >, TRIES / 10);
}

/* Every schedule with every small number of stages, micro-batches, chunks and layers. */
static void
test_schedules (void)
{
  static const int micro_batches[] = { 1, 2, 3, 4, 6, 7, 8, 12, 16, 33 };
  static const int layers[] = { 1, 2, 3, 5, 8, 13, 61 };
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgPlan) plan = teaching_plan ();

  for (PlgSchedule schedule = PLG_SCHEDULE_GPIPE; schedule <= PLG_SCHEDULE_DUALPIPE; schedule++)
    for (int stages = 1; stages <= 8; stages++)
      for (guint m = 0; m < G_N_ELEMENTS (micro_batches); m++)
        for (guint l = 0; l < G_N_ELEMENTS (layers); l++)
          for (int chunks = 1; chunks <= 4; chunks++)
            {
              g_autofree char *what = g_strdup_printf ("schedule %d p %d m %d layers %d chunks %d",
                                                       schedule, stages, micro_batches[m],
                                                       layers[l], chunks);

              plan->cluster.nodes = stages;
              plan->cluster.gpus_per_node = plan->cluster.nics_per_node = 1;
              plan_set_degrees (plan, 1, 1, stages, 1, 1);
              plan->training.schedule = schedule;
              plan->training.global_batch = micro_batches[m];
              plan->parallelism.chunks = chunks;
              plan->model.layers = layers[l];
              if (plg_plan_check (plan, NULL))
                check_plan (report, plan, what);
            }
}

/* Sums whose terms are in range while the sum is not. */
static void
test_huge (void)
{
  static const char *const plans[] = {
    "model.layers=10000 parallelism.pp=64 parallelism.tp=1 training.global-batch=100000000",
    "model.layers=10000 parallelism.pp=64 parallelism.tp=1 parallelism.chunks=128 "
    "training.global-batch=640000",
    "training.schedule=dualpipe parallelism.pp=64 parallelism.tp=1 training.global-batch=99999998",
    "training.schedule=zb-v parallelism.pp=32 parallelism.tp=1 training.global-batch=99999998",
    "training.schedule=zb-h1 parallelism.pp=64 parallelism.tp=1 training.global-batch=100000000",
    "model.hidden=1048576 model.ffn=16777216 model.heads=16384 model.kv-heads=16384 "
    "model.head-dim=65536 model.vocabulary=100000000 model.layers=10000 "
    "training.sequence=134217728 "
    "training.micro-batch=1048576 training.global-batch=2097152",
    "model.hidden=1 model.ffn=8 model.heads=8 model.kv-heads=8 model.head-dim=1 model.vocabulary=1 "
    "model.layers=4 training.sequence=8 training.global-batch=2",
    "cluster.nodes=8192 parallelism.tp=1 parallelism.pp=1 training.global-batch=65536",
    "cluster.nodes=8192 parallelism.tp=1 parallelism.pp=8192 model.layers=8192 "
    "training.global-batch=8",
    "cluster.peak=0.001 cluster.memory-bandwidth=1000000 cluster.intra-bandwidth=0.001",
    "cluster.peak=1000000 cluster.memory-bandwidth=1000000 cluster.memory=1000000 "
    "cluster.intra-bandwidth=1000000 cluster.inter-bandwidth=1000000",
  };
  g_autoptr (PlgReport) report = plg_report_new ();

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (PlgPlan) plan = teaching_plan ();

      change (plan, plans[i]);
      check_plan (report, plan, plans[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hostile/settings", test_settings);
  g_test_add_func ("/hostile/schedules", test_schedules);
  g_test_add_func ("/hostile/huge", test_huge);
  return g_test_run ();
}
