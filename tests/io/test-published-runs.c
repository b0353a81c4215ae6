/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "io/plan/catalogue-xml.h"
#include "io/runs/run-table.h"
#include "io/runs/similar-runs.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <string.h>

typedef struct
{
  PlgCatalogue *catalogue;
  PlgPublishedRuns *runs;
  const PlgPublishedRun *all;
  guint n;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = plg_catalogue_load (NULL);
  fixture->runs = plg_published_runs_new ();
  fixture->all = plg_published_runs_all (fixture->runs, &fixture->n);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plg_published_runs_free (fixture->runs);
  plg_catalogue_unref (fixture->catalogue);
}

static const PlgPublishedRun *
find_run (const Fixture *fixture, const char *id)
{
  for (guint i = 0; i < fixture->n; i++)
    if (strcmp (fixture->all[i].id, id) == 0)
      return &fixture->all[i];
  g_assert_not_reached ();
}

/* Every run has a source, a year, a measured value and a plan that the engine accepts. */
static void
check_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_cmpuint (fixture->n, >, 600);
  for (guint i = 0; i < fixture->n; i++)
    {
      const PlgPublishedRun *run = &fixture->all[i];
      gboolean is_legal = FALSE;

      g_assert_true (g_hash_table_add (ids, (char *) run->id));
      g_assert_cmpstr (run->source, !=, "");
      g_assert_cmpstr (run->locator, !=, "");
      g_assert_cmpstr (run->framework, !=, "");
      g_assert_cmpstr (run->model, !=, "");
      g_assert_cmpstr (run->gpu, !=, "");
      g_assert_cmpstr (run->precision, !=, "");
      g_assert_cmpint (run->year, >=, 2019);
      g_assert_true (!run->ran || run->step_time > 0.0 || run->memory > 0.0);
      g_assert_cmpint (run->memory > 0.0, ==, run->memory_kind != PLG_RUN_MEMORY_NONE);
      g_assert_cmpint (run->choices, >=, 1);
      for (int choice = 0; choice < run->choices && !is_legal; choice++)
        {
          g_autoptr (PlgPlan) plan = plg_published_run_plan (fixture->runs, run, choice, NULL);

          is_legal = plan != NULL && plg_plan_check (plan, NULL);
          if (is_legal)
            g_assert_cmpint (plg_plan_world (plan), ==, run->traits.gpus);
        }
      g_assert_true (is_legal);
    }
}

/* Korthikanti 2022, table 5: GPT-3 175B on 64 GPUs with full recompute takes 18.13 s. */
static void
check_plan (Fixture *fixture, gconstpointer data)
{
  const PlgPublishedRun *run = find_run (fixture, "kort-003");
  g_autoptr (PlgPlan) plan = plg_published_run_plan (fixture->runs, run, 0, NULL);

  g_assert_true (run->is_fitted);
  g_assert_true (run->ran);
  g_assert_cmpfloat (run->step_time, ==, 18.13);
  g_assert_cmpint (run->traits.gpus, ==, 64);
  g_assert_cmpstr (run->group, ==, "kort");
  g_assert_cmpstr (plan->cluster.gpu.name, ==, "a100-sxm-80");
  g_assert_cmpint (plan->model.hidden, ==, 12288);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_PP], ==, 8);
  g_assert_cmpstr (plg_published_run_cell (fixture->runs, run, "model.hidden"), ==, "12288");
  g_assert_null (plg_published_run_cell (fixture->runs, run, "model.colour"));
}

/* Both readings of open settings choose among the same plans. */
static void
check_open_settings (Fixture *fixture, gconstpointer data)
{
  guint open = 0;

  for (guint i = 0; i < fixture->n; i++)
    {
      const PlgPublishedRun *run = &fixture->all[i];
      PlgRunPrediction fastest, closest, again;

      if (run->choices == 1 || run->step_time <= 0.0)
        continue;
      open++;
      g_assert_true (plg_published_run_predict (fixture->runs, run, PLG_OPEN_SETTINGS_FASTEST,
                                                &fastest));
      g_assert_true (plg_published_run_predict (fixture->runs, run, PLG_OPEN_SETTINGS_CLOSEST,
                                                &closest));
      g_assert_true (plg_published_run_predict (fixture->runs, run, PLG_OPEN_SETTINGS_FASTEST,
                                                &again));
      g_assert_cmpmem (&fastest, sizeof fastest, &again, sizeof again);
      g_assert_cmpfloat (fabs (log (closest.time / run->step_time)), <=,
                         fabs (log (fastest.time / run->step_time)));
      g_assert_true (fastest.fits || !closest.fits);
      if (fastest.fits == closest.fits)
        g_assert_cmpfloat (fastest.time, <=, closest.time);
    }
  g_assert_cmpuint (open, >, 50);
}

/* A remark on a run comes before a remark on its group. */
static void
check_remarks (Fixture *fixture, gconstpointer data)
{
  const char *of_group = plg_published_run_remark (fixture->runs,
                                                   find_run (fixture, "bridge-moe-001"));
  const char *of_run = plg_published_run_remark (fixture->runs,
                                                 find_run (fixture, "bridge-moe-003"));

  g_assert_nonnull (of_group);
  g_assert_nonnull (of_run);
  g_assert_cmpstr (of_group, !=, of_run);
  g_assert_null (plg_published_run_remark (fixture->runs, find_run (fixture, "kort-003")));
}

/* The distance is a metric on the traits of the runs, as far as three runs can show. */
static void
check_distance (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < fixture->n; i += 7)
    for (guint j = 0; j < fixture->n; j += 11)
      {
        const PlgRunTraits *a = &fixture->all[i].traits, *b = &fixture->all[j].traits;
        const PlgRunTraits *c = &fixture->all[(i + j) % fixture->n].traits;
        double direct = plg_run_distance (a, b);

        g_assert_cmpfloat (plg_run_distance (a, a), ==, 0.0);
        g_assert_cmpfloat_with_epsilon (direct, plg_run_distance (b, a), 1e-12);
        g_assert_cmpfloat (direct, <=, plg_run_distance (a, c) + plg_run_distance (c, b) + 1e-12);
        g_assert_true (direct > 0.0 || plg_run_traits_equal (a, b));
      }
}

/* A plan of a published run is like that run; the runs come in the order of their distance, none
 * farther than the limit and at most two of a group; the band holds their errors. */
static void
check_similar (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < fixture->n; i += 13)
    {
      const PlgPublishedRun *run = &fixture->all[i];
      PlgSimilarRuns similar = plg_similar_runs (fixture->runs, &run->traits, NULL, FALSE);
      PlgSimilarRuns others = plg_similar_runs (fixture->runs, &run->traits, run, TRUE);

      if (run->ran && run->step_time > 0.0 && !run->is_rough)
        {
          g_assert_cmpint (similar.n, >, 0);
          g_assert_cmpfloat (similar.runs[0].distance, ==, 0.0);
        }
      for (int j = 0; j < similar.n; j++)
        {
          const PlgSimilarRun *near = &similar.runs[j];
          int of_group = 0;

          for (int k = 0; k < similar.n; k++)
            of_group += strcmp (similar.runs[k].run->group, near->run->group) == 0;
          g_assert_false (near->run->is_rough);
          g_assert_cmpint (of_group, <=, 2);
          g_assert_cmpfloat (near->distance, <=, PLG_NEAR_RUN);
          g_assert_true (j == 0 || near->distance >= similar.runs[j - 1].distance);
          g_assert_cmpfloat_with_epsilon (near->error, near->time / near->run->step_time - 1.0,
                                          1e-12);
          g_assert_cmpfloat_with_epsilon (near->mfu_measured * near->run->step_time,
                                          near->mfu * near->time, 1e-9);
          g_assert_true (isnan (similar.error) || fabs (near->error) <= similar.error);
        }
      g_assert_cmpint (isnan (similar.error), ==, similar.n < 2);
      for (int j = 0; j < others.n; j++)
        g_assert_cmpstr (others.runs[j].run->group, !=, run->group);
    }
}

/* An error of ten percent: the measured MFU is within ten percent of the engine's, and the step
 * time within 1/1.1 and 1/0.9 of it. */
static void
check_band (void)
{
  PlgSimilarRuns similar = { .n = 4, .error = 0.1 };
  PlgBand mfu = plg_similar_runs_mfu_band (&similar, 0.4);
  PlgBand time = plg_similar_runs_time_band (&similar, 9.9);

  g_assert_cmpfloat_with_epsilon (mfu.low, 0.36, 1e-12);
  g_assert_cmpfloat_with_epsilon (mfu.high, 0.44, 1e-12);
  g_assert_cmpfloat_with_epsilon (time.low, 9.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (time.high, 11.0, 1e-12);
  similar.error = NAN;
  g_assert_true (isnan (plg_similar_runs_mfu_band (&similar, 0.4).low));
  g_assert_true (isnan (plg_similar_runs_time_band (&similar, 9.9).high));
}

/* No published run is near a plan that is unlike all of them. */
static void
check_far (Fixture *fixture, gconstpointer data)
{
  static const char *const settings[] = { "cluster.gpu=mi300x-192", "training.precision=fp32",
                                          NULL };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (GError) error = NULL;
  PlgRunTraits traits;
  PlgSimilarRuns similar;

  plg_settings_assign (plan, fixture->catalogue, settings, &error);
  g_assert_no_error (error);
  traits = plg_run_traits (plan);
  similar = plg_similar_runs (fixture->runs, &traits, NULL, FALSE);
  g_assert_cmpint (similar.n, ==, 0);
  g_assert_true (isnan (similar.error));
}

/* The stored figures of accuracy, which the HTML report shows, count all runs with a step time. */
static void
check_accuracy (Fixture *fixture, gconstpointer data)
{
  g_auto (PlgRunTable) accuracy = { 0 };
  int counts[2] = { 0 }, measured[2] = { 0 };

  plg_run_table_init (&accuracy, "accuracy.csv");
  for (int i = 1; i < (int) accuracy.rows->len; i++)
    if (g_str_equal (plg_run_table_cell (&accuracy, i, "table"), "group"))
      counts[atoi (plg_run_table_cell (&accuracy, i,
                                       "fitted"))] += atoi (plg_run_table_cell (&accuracy, i,
                                                                                "runs"));
  for (guint i = 0; i < fixture->n; i++)
    measured[fixture->all[i].is_fitted] += fixture->all[i].step_time > 0.0;
  g_assert_cmpint (counts[TRUE], ==, measured[TRUE]);
  g_assert_cmpint (counts[FALSE], ==, measured[FALSE]);
}

/* The only published run of a hybrid model: Nemotron-H 56B in FP8 on 128 GB200, 5.310 s
 * (NVIDIA/dgxc-benchmarking, nemotron-h/README.md). TP communication does not overlap with FP8
 * (NVIDIA-NeMo/Megatron-Bridge, recipes/nemotronh/nemotronh.py). */
static void
check_hybrid (Fixture *fixture, gconstpointer data)
{
  static const char *const settings[] = {
    "cluster.node=gb200-nvl72",
    "cluster.nodes=2",
    "cluster.gpus-per-node=64",
    "model.name=nemotron-h-56b",
    "parallelism.tp=4",
    "parallelism.pp=1",
    "parallelism.dp=32",
    "parallelism.zero=1",
    "parallelism.sequence=true",
    "parallelism.overlap-dp=true",
    "parallelism.overlap-tp=false",
    "training.sequence=8192",
    "training.micro-batch=2",
    "training.global-batch=384",
    "training.precision=fp8",
    "training.fp8-recipe=current",
    "training.recompute=none",
    NULL,
  };
  g_autoptr (PlgPlan) plan = plg_catalogue_default_plan (fixture->catalogue);
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; settings[i] != NULL; i++)
    g_assert_true (plg_setting_assign (plan, fixture->catalogue, settings[i], &error));
  report = plg_evaluate (plan, 0, &error);
  g_assert_no_error (error);
  g_assert_true (report->fits);
  g_test_message ("%.3f s", report->step.time);
  g_assert_cmpfloat (fabs (report->step.time / 5.310 - 1.0), <, 0.1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/published-runs/rows", check_rows);
  ADD ("/published-runs/plan", check_plan);
  ADD ("/published-runs/open-settings", check_open_settings);
  ADD ("/published-runs/remarks", check_remarks);
  ADD ("/published-runs/accuracy", check_accuracy);
  ADD ("/published-runs/hybrid", check_hybrid);
  ADD ("/similar-runs/distance", check_distance);
  ADD ("/similar-runs/nearest", check_similar);
  ADD ("/similar-runs/none-near", check_far);
  g_test_add_func ("/similar-runs/band", check_band);
  return g_test_run ();
}
