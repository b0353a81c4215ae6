/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Following the advice on a plan to its end leads to a plan that is at most 3 % slower than the
 * best plan of a whole search. */
#include "engine/search/fitting-plan.h"
#include "engine/search/quick-search.h"
#include "engine/search/search.h"
#include "plans.h"

#define MOST_SLOWER 1.03
#define MOST_STEPS 20

/* Settings that are held in advice and search, so that a whole search of a large space takes a
 * short time. */
static const char *const some[] = { "parallelism.order", "parallelism.chunks", NULL };
static const char *const few[] = { "parallelism.order", "parallelism.chunks",   "parallelism.etp",
                                   "training.schedule", "training.micro-batch", NULL };

static const char *const fewest[] = { "parallelism.order",
                                      "parallelism.chunks",
                                      "parallelism.etp",
                                      "parallelism.cp",
                                      "training.schedule",
                                      "training.micro-batch",
                                      NULL };

typedef struct
{
  const PlgTransformer *model;
  int nodes; /* number of nodes with 8 GPUs */
  gboolean is_a100;
  const char *edits; /* edits of the teaching plan */
  const char *const *keep;
} Case;

static const Case cases[] = {
  { &llama3_8b, 1, FALSE, "parallelism.tp=2 parallelism.pp=1 training.global-batch=64", NULL },
  { &llama3_8b, 2, TRUE, "parallelism.tp=4 parallelism.pp=1 training.global-batch=128", NULL },
  { &llama2_7b, 4, TRUE,
    "parallelism.tp=1 parallelism.pp=2 training.sequence=4096 training.global-batch=256", NULL },
  { &llama2_13b, 4, FALSE,
    "parallelism.tp=8 parallelism.pp=1 training.sequence=4096 training.global-batch=128", NULL },
  { &llama3_70b, 8, FALSE, "", NULL },
  { &llama3_70b, 8, FALSE, "parallelism.order=pp-tp-dp", NULL },
  { &llama3_70b, 8, FALSE, "parallelism.tp=16", NULL },
  { &llama3_70b, 8, FALSE, "training.micro-batch=4 parallelism.zero=0", NULL },
  { &llama3_70b, 8, FALSE, "training.recompute=full parallelism.pp=2", NULL },
  { &llama3_70b, 16, TRUE, "training.global-batch=256", some },
  { &llama3_70b, 32, FALSE, "training.global-batch=512 parallelism.cp=2", some },
  { &llama3_70b, 64, FALSE, "training.global-batch=1024 parallelism.tp=4", few },
  { &gpt3_175b, 8, FALSE, "training.sequence=2048 training.global-batch=64 parallelism.pp=8",
    NULL },
  { &gpt3_175b, 32, TRUE, "training.sequence=2048 training.global-batch=512 parallelism.pp=8",
    some },
  { &gpt3_175b, 128, TRUE, "training.sequence=2048 training.global-batch=1536 parallelism.pp=16",
    few },
  { &gpt3_175b, 128, FALSE,
    "training.sequence=2048 training.global-batch=1536 parallelism.pp=8 training.schedule=interleaved parallelism.chunks=4",
    few },
  { &megatron_1t, 384, TRUE, "training.sequence=2048 training.global-batch=3072 parallelism.pp=64",
    few },
  { &megatron_1t, 128, FALSE, "training.sequence=2048 training.global-batch=1024 parallelism.pp=32",
    few },
  { &llama3_405b, 64, FALSE, "training.global-batch=512 parallelism.pp=16", few },
  { &llama3_405b, 128, FALSE, "training.global-batch=1024 parallelism.pp=8 parallelism.cp=2", few },
  { &llama3_405b, 1024, FALSE, "training.global-batch=2048 parallelism.pp=16", fewest },
  { &llama3_405b, 2048, FALSE, "training.global-batch=2048 parallelism.pp=16", fewest },
  { &llama3_405b, 2048, FALSE,
    "training.sequence=131072 training.global-batch=128 parallelism.pp=16 parallelism.cp=16",
    fewest },
  { &llama3_70b, 2048, FALSE, "training.global-batch=4096 parallelism.pp=4", fewest },
  { &llama3_8b, 512, FALSE, "training.global-batch=4096 parallelism.tp=1 parallelism.pp=1", few },
  { &mixtral_8x7b, 1, FALSE, "parallelism.tp=2 parallelism.pp=4 training.global-batch=64", some },
  { &mixtral_8x7b, 4, FALSE,
    "parallelism.tp=1 parallelism.pp=4 parallelism.ep=8 training.global-batch=128", some },
  { &mixtral_8x7b, 8, FALSE, "parallelism.tp=1 parallelism.ep=8 training.global-batch=128", some },
  { &mixtral_8x7b, 16, TRUE, "parallelism.tp=2 parallelism.ep=4 training.global-batch=256", few },
  { &mixtral_8x22b, 16, FALSE,
    "parallelism.tp=4 parallelism.pp=4 parallelism.ep=8 training.global-batch=256", few },
  { &mixtral_8x22b, 32, FALSE,
    "parallelism.tp=8 parallelism.pp=4 parallelism.ep=1 training.global-batch=512", few },
  { &qwen3_235b, 16, FALSE,
    "parallelism.tp=4 parallelism.pp=2 parallelism.ep=8 training.global-batch=256", few },
  { &qwen3_235b, 32, FALSE,
    "parallelism.tp=2 parallelism.pp=8 parallelism.ep=16 training.global-batch=512", few },
  { &qwen3_235b, 128, FALSE,
    "parallelism.tp=4 parallelism.pp=4 parallelism.ep=32 training.global-batch=2048", few },
  { &deepseek_v2, 16, FALSE,
    "parallelism.tp=1 parallelism.pp=4 parallelism.ep=8 training.global-batch=512 training.sequence=4096",
    few },
  { &deepseek_v2, 64, FALSE,
    "parallelism.tp=1 parallelism.pp=8 parallelism.ep=16 training.global-batch=1024 training.sequence=4096",
    few },
  { &deepseek_v3, 64, FALSE,
    "parallelism.tp=1 parallelism.pp=16 parallelism.ep=32 training.global-batch=2048 training.sequence=4096",
    few },
  { &deepseek_v3, 256, FALSE,
    "parallelism.tp=1 parallelism.pp=16 parallelism.ep=64 training.global-batch=15360 training.sequence=4096",
    few },
  { &deepseek_v3, 256, FALSE,
    "parallelism.tp=8 parallelism.pp=8 parallelism.ep=32 training.global-batch=8192 training.sequence=4096",
    few },
  { &deepseek_v3, 2048, FALSE,
    "parallelism.tp=2 parallelism.pp=16 parallelism.ep=64 training.global-batch=16384 training.sequence=4096",
    fewest },
};

static PlgPlan *
plan_of (const Case *c)
{
  PlgPlan *plan = teaching_plan ();

  if (c->is_a100)
    set_a100 (&plan->cluster, c->nodes);
  plan->cluster.nodes = c->nodes;
  plan->model = *c->model;
  change (plan, *c->edits != '\0' ? c->edits : "parallelism.pp=4");
  return plan;
}

static void
advise (const Case *c, const PlgPlan *plan, PlgReport *report)
{
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  plg_report_advise (report, plan);
  plg_report_advise_by_search (report, plan, c->keep);
}

/* Returns the change that saves most, or the change with which the plan fits in memory. */
static const char *
next_edits (const PlgReport *report)
{
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);

      if (finding->edits != NULL &&
          (finding->gain > 0.0 || g_str_equal (finding->id, "out-of-memory")))
        return finding->edits;
    }
  return NULL;
}

static double
best_time (const Case *c, const PlgPlan *plan)
{
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"), .top = 1 };
  PlgSearchSpace *space = plg_search_space_new (plan);
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchProgress progress;

  for (int i = 0; c->keep != NULL && c->keep[i] != NULL; i++)
    g_assert_true (plg_search_space_keep (space, c->keep[i], NULL));
  search = plg_search_new (space, &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  return best->len > 0 ? g_array_index (best, PlgFoundPlan, 0).time : 0.0;
}

static void
test_to_the_end (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (PlgPlan) plan = plan_of (c);
  g_autoptr (PlgReport) report = plg_report_new ();
  const char *edits;
  double best;
  int steps = 0;

  advise (c, plan, report);
  for (; steps < MOST_STEPS && (edits = next_edits (report)) != NULL; steps++)
    {
      double before = report->step.time;
      gboolean did_fit = report->fits;
      g_autofree char *taken = g_strdup (edits);

      change (plan, taken);
      advise (c, plan, report);
      g_test_message ("%s: %g s → %g s", taken, before, report->step.time);
      if (did_fit)
        {
          g_assert_true (report->fits);
          g_assert_cmpfloat (report->step.time, <, before);
        }
    }
  g_assert_cmpint (steps, <, MOST_STEPS);
  best = best_time (c, plan);
  g_test_message ("%s, %d GPUs: %d steps to %g s; best %g s (%+.1f %%)", plan->model.name,
                  plg_plan_world (plan), steps, report->step.time, best,
                  100.0 * (report->step.time / best - 1.0));
  g_assert_cmpint (report->fits, ==, best > 0.0);
  if (best > 0.0)
    g_assert_cmpfloat (report->step.time, <=, MOST_SLOWER * best);
}

/* A plan that does not fit gets one that fits, even if only a plan with unusual degrees does. */
static void
test_only_plan_that_fits (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgPlan) found = NULL;
  g_autoptr (PlgReport) report = plg_report_new ();
  double time;

  plan->cluster.nodes = 1;
  change (plan, "parallelism.tp=8 parallelism.pp=1");
  for (double memory = 8.0; memory <= 400.0 && found == NULL; memory += 4.0)
    {
      g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
      PlgSearchOptions options = { .by = plg_metric_find ("memory"), .top = 1 };
      g_autoptr (PlgSearch) search = NULL;
      PlgSearchProgress progress;

      plan->cluster.memory = memory * 1073741824.0;
      found = plg_quick_search (plan, NULL, &time);
      search = plg_search_new (plg_search_space_new (plan), &options);
      plg_search_run (search);
      plg_search_snapshot (search, &progress, best, NULL, NULL);
      g_assert_cmpint (best->len > 0, ==, found != NULL);
    }
  g_assert_nonnull (found);
  g_assert_true (plg_evaluate_into (report, found, PLG_EVALUATE_TOTALS, NULL));
  g_assert_true (report->fits);
  g_assert_cmpfloat (report->step.time, ==, time);
}

/* No settings other than those that improve the plan are changed, and the held ones stay. */
static void
test_kept_settings (void)
{
  static const char *const keep[] = { "parallelism.tp", "parallelism.zero", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_report_new ();
  const PlgFinding *finding;

  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  plg_report_advise_by_search (report, plan, keep);
  finding = find_finding (report, "better-plan");
  g_assert_nonnull (finding);
  g_test_message ("%s → %s", finding->text, finding->remedy);
  g_assert_null (strstr (finding->edits, "parallelism.tp="));
  g_assert_null (strstr (finding->edits, "parallelism.zero="));
}

/* A plan that does not fit gets degrees that fit, keeps what is held, and its batch follows DP. */
static void
test_fitting_plan (void)
{
  static const char *const held[] = { "parallelism.tp=8", "parallelism.zero=0", NULL };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_report_new ();

  change (plan, "parallelism.zero=0 parallelism.pp=1");
  g_assert_true (plg_search_fitting_plan (plan, held, 32));
  g_assert_true (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL));
  g_assert_true (report->fits);
  g_assert_cmpint (plan->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_cmpint (plan->parallelism.zero, ==, 0);
  g_assert_cmpint (plg_plan_micro_batches (plan), ==, 32);
  plan->cluster.memory = 1e9;
  g_assert_false (plg_search_fitting_plan (plan, held, 32));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/advice-search/to-the-end/%u-%s", i,
                                               cases[i].model->name);

      g_test_add_data_func (path, &cases[i], test_to_the_end);
    }
  g_test_add_func ("/advice-search/only-plan-that-fits", test_only_plan_that_fits);
  g_test_add_func ("/advice-search/kept-settings", test_kept_settings);
  g_test_add_func ("/advice-search/fitting-plan", test_fitting_plan);
  return g_test_run ();
}
