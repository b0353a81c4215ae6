/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/suggest-degrees.h"

#include "engine/evaluate.h"
#include "plan/plan-check.h"
#include "plan/settings/setting.h"

/* The number of micro-batches per replica per step in a new plan, which is enough for a small
 * bubble. */
#define MICRO_BATCHES 32

/* The degrees of TP, PP and EP that are tried first. */
static const int degrees[] = { 8, 4, 2, 1 };

static void
set_degree (PlgPlan *plan, const char *const *held, PlgAxis axis, int degree)
{
  g_autofree char *key = g_strconcat ("parallelism.", plg_axis_name (axis), NULL);

  if (!plg_settings_have_key (held, key))
    plan->parallelism.degree[axis] = degree;
}

/* Sets the DP degree that fills the cluster, and scales the batch with DP. Fills at most
 * PLG_MAX_GPUS GPUs, so that the error for a larger cluster names the cluster and not a DP
 * degree that nobody set. */
static void
fill_cluster (PlgPlan *plan, const char *const *held)
{
  const int *degree = plan->parallelism.degree;
  gint64 others = (gint64) degree[PLG_AXIS_TP] * degree[PLG_AXIS_CP] * degree[PLG_AXIS_PP];
  gint64 batch;

  set_degree (plan, held, PLG_AXIS_DP,
              (int) MAX (1, MIN (plg_cluster_gpus (&plan->cluster), PLG_MAX_GPUS) / others));
  batch = (gint64) MICRO_BATCHES * plan->training.micro_batch * degree[PLG_AXIS_DP];
  if (!plg_settings_have_key (held, "training.global-batch"))
    plan->training.global_batch = (int) MIN (batch, G_MAXINT);
}

/* Chooses degrees with which the plan can exist. Prefers the largest TP within a node, then the
 * largest PP, then the largest EP. Keeps the degrees in HELD. */
static gboolean
choose_degrees (PlgPlan *plan, const char *const *held, GError **error)
{
  gsize n = G_N_ELEMENTS (degrees);

  for (gsize i = 0; i < n * n * n; i++)
    {
      int tp = degrees[i / (n * n)], pp = degrees[i / n % n], ep = degrees[i % n];

      if ((plan->cluster.gpus_per_node % tp != 0 && tp > 1) || pp > 4 ||
          (ep > 1 && !plg_transformer_is_moe (&plan->model)))
        continue;
      set_degree (plan, held, PLG_AXIS_TP, tp);
      set_degree (plan, held, PLG_AXIS_PP, pp);
      set_degree (plan, held, PLG_AXIS_EP, ep);
      fill_cluster (plan, held);
      if (error != NULL)
        g_clear_error (error);
      if (plg_plan_check (plan, error))
        return TRUE;
    }
  return FALSE;
}

/* The state of the search for the fastest plan that fits in memory. Plans are compared by tokens
 * per second and not by step time, because their batches differ. */
typedef struct
{
  PlgReport *report; /* the report of the plan that was tried last */
  PlgPlan *plan;     /* the fastest plan so far that fits in memory; NULL until a plan fits */
  double rate;       /* the rate of PLAN [tokens/s] */
} PlanSearch;

static gboolean
fits (PlgReport *report, const PlgPlan *plan)
{
  return plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL) && report->fits;
}

/* Tries all powers of two as degrees, with TP inside a node. Keeps the plan's recompute mode and
 * ZeRO stage. */
static void
try_degrees (PlanSearch *search, PlgPlan *plan, const char *const *held)
{
  int gpus = plg_cluster_gpus (&plan->cluster);
  int widest_ep = plg_transformer_is_moe (&plan->model) ? plan->model.experts : 1;

  for (int tp = 1; tp <= plan->cluster.gpus_per_node; tp *= 2)
    for (int pp = 1; pp <= MIN (gpus / tp, plan->model.layers); pp *= 2)
      for (int ep = 1; ep <= MIN (widest_ep, gpus / pp); ep *= 2)
        {
          set_degree (plan, held, PLG_AXIS_TP, tp);
          set_degree (plan, held, PLG_AXIS_PP, pp);
          set_degree (plan, held, PLG_AXIS_EP, ep);
          fill_cluster (plan, held);
          if (!fits (search->report, plan) ||
              (search->plan != NULL && search->report->step.tokens_per_second <= search->rate))
            continue;
          g_clear_pointer (&search->plan, plg_plan_free);
          search->plan = plg_plan_copy (plan);
          search->rate = search->report->step.tokens_per_second;
        }
}

/* If PLAN does not fit in memory, replaces it with the fastest plan that fits. Tries other
 * degrees, with and without full recompute; shards the weights over DP only if none of these
 * plans fits. Keeps the values in HELD. Returns FALSE and leaves PLAN unchanged if
 * no plan fits. */
static gboolean
find_fitting_plan (PlgPlan *plan, const char *const *held)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgPlan) trial = plg_plan_copy (plan);
  PlanSearch search = { .report = report };

  if (fits (report, plan))
    return TRUE;
  try_degrees (&search, trial, held);
  if (!plg_settings_have_key (held, "training.recompute"))
    {
      trial->training.recompute = PLG_RECOMPUTE_FULL;
      try_degrees (&search, trial, held);
    }
  if (search.plan == NULL && !plg_settings_have_key (held, "parallelism.zero"))
    {
      trial->parallelism.zero = 3;
      try_degrees (&search, trial, held);
    }
  if (search.plan == NULL)
    return FALSE;
  plg_plan_assign (plan, search.plan);
  plg_plan_free (search.plan);
  return TRUE;
}

/* Takes back what can prevent every choice of TP, PP and EP, except for the values in HELD: CP, ETP,
 * chunks, and a schedule other than 1F1B. */
static void
simplify (PlgPlan *plan, const char *const *held)
{
  set_degree (plan, held, PLG_AXIS_CP, 1);
  if (!plg_settings_have_key (held, "parallelism.etp"))
    plan->parallelism.etp = 1;
  if (!plg_settings_have_key (held, "training.schedule") &&
      !plg_settings_have_key (held, "parallelism.chunks"))
    {
      plan->training.schedule = PLG_SCHEDULE_1F1B;
      plan->parallelism.chunks = 1;
    }
}

gboolean
plg_suggest_degrees (PlgPlan *plan, const char *const *held, GError **error)
{
  g_autoptr (PlgPlan) suggested = plg_plan_copy (plan);
  g_autoptr (GError) refusal = NULL;

  /* A placement and layers that were set by hand suit other degrees. */
  plg_placement_clear (&suggested->placement);
  if (!plg_settings_have_key (held, "parallelism.first-layers") &&
      !plg_settings_have_key (held, "parallelism.last-layers"))
    plg_parallelism_clear_layers (&suggested->parallelism);

  if (!choose_degrees (suggested, held, &refusal))
    {
      simplify (suggested, held);
      if (!choose_degrees (suggested, held, NULL))
        {
          g_propagate_error (error, g_steal_pointer (&refusal));
          return FALSE;
        }
    }
  find_fitting_plan (suggested, held);
  plg_plan_assign (plan, suggested);
  return TRUE;
}
