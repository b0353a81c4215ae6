/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/fitting-plan.h"

#include "engine/evaluate.h"
#include "engine/search/quick-search.h"
#include "engine/search/search.h"
#include "plan/settings/setting.h"

#include <string.h>

/* Returns TRUE if the search varies KEY. LAST is TRUE for the last resort. */
static gboolean
is_varied (PlgSearchKey key, const char *const *held, gboolean last)
{
  switch (key)
    {
    case PLG_SEARCH_TP:
    case PLG_SEARCH_EP:
    case PLG_SEARCH_PP:
    case PLG_SEARCH_RECOMPUTE:
      return !plg_settings_have_key (held, plg_search_key_setting (key));
    case PLG_SEARCH_ZERO:
      return last && !plg_settings_have_key (held, plg_search_key_setting (key));
    case PLG_SEARCH_DP: /* the caller sets DP */
    case PLG_SEARCH_CP:
    case PLG_SEARCH_ETP:
    case PLG_SEARCH_ORDER:
    case PLG_SEARCH_MICRO_BATCH:
    case PLG_SEARCH_SCHEDULE:
    case PLG_SEARCH_CHUNKS:
    case PLG_SEARCH_SEQUENCE:
    case PLG_SEARCH_REPLICATE:
    default:
      return FALSE;
    }
}

/* Limits TP to the GPUs of a node. */
static void
keep_tp_inside_node (PlgSearchSpace *space, const PlgPlan *plan)
{
  GArray *allowed = g_array_new (FALSE, FALSE, sizeof (int));

  for (int tp = 1; tp <= plan->cluster.gpus_per_node; tp++)
    if (plan->cluster.gpus_per_node % tp == 0)
      g_array_append_val (allowed, tp);
  g_clear_pointer (&space->allowed[PLG_SEARCH_TP], g_array_unref);
  space->allowed[PLG_SEARCH_TP] = allowed;
}

/* Searches the plans with the DP and the batch of PLAN, with TP inside a node and the ZeRO stage of
 * PLAN, or with any TP and ZeRO stage if LAST is set. If a plan trains more than *RATE tokens per second, returns it and sets *RATE. */
static PlgPlan *
search_replicas (const PlgPlan *plan, const char *const *held, gboolean last, double *rate)
{
  double tokens = (double) plan->training.global_batch * plan->training.sequence;
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .top = 1,
                               .slowest = *rate > 0.0 ? tokens / *rate : 0.0 };
  PlgSearchSpace *space = plg_search_space_new (plan);
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (PlgSearch) search = NULL;
  PlgSearchProgress progress;
  const PlgFoundPlan *found;

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (!is_varied (key, held, last))
      plg_search_space_keep (space, plg_search_key_setting (key), NULL);
  if (!last && !plg_settings_have_key (held, "parallelism.tp"))
    keep_tp_inside_node (space, plan);
  search = plg_search_new (space, &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  if (best->len == 0)
    return NULL;
  found = &g_array_index (best, PlgFoundPlan, 0);
  if (tokens / found->time <= *rate)
    return NULL;
  *rate = tokens / found->time;
  return plg_search_space_plan (space, &found->point);
}

/* Returns the plan that trains most tokens per second among those that fit, or NULL. */
static PlgPlan *
search_all_replicas (const PlgPlan *plan, const char *const *held, gboolean last, int micro_batches)
{
  g_autoptr (PlgPlan) trial = plg_plan_copy (plan);
  gboolean holds_dp = plg_settings_have_key (held, "parallelism.dp");
  gboolean holds_batch = plg_settings_have_key (held, "training.global-batch");
  int world = plg_plan_world (plan);
  PlgPlan *best = NULL;
  double rate = 0.0;

  for (int dp = 1; dp <= world; dp++)
    {
      gint64 batch = holds_batch ? plan->training.global_batch
                                 : (gint64) micro_batches * plan->training.micro_batch * dp;
      PlgPlan *found;

      if (world % dp != 0 || batch > G_MAXINT ||
          (holds_dp && dp != plan->parallelism.degree[PLG_AXIS_DP]))
        continue;
      trial->parallelism.degree[PLG_AXIS_DP] = dp;
      trial->training.global_batch = (int) batch;
      found = search_replicas (trial, held, last, &rate);
      if (found == NULL)
        continue;
      g_clear_pointer (&best, plg_plan_free);
      best = found;
    }
  return best;
}

/* Returns a plan that fits among all plans of a search with the batch of PLAN, or NULL. */
static PlgPlan *
search_all_settings (const PlgPlan *plan, const char *const *held)
{
  g_autoptr (GPtrArray) keep = g_ptr_array_new_with_free_func (g_free);
  double time;

  for (int i = 0; held != NULL && held[i] != NULL; i++)
    g_ptr_array_add (keep, g_strndup (held[i], strcspn (held[i], "=")));
  g_ptr_array_add (keep, NULL);
  return plg_quick_search (plan, (const char *const *) keep->pdata, &time);
}

gboolean
plg_search_fitting_plan (PlgPlan *plan, const char *const *held, int micro_batches)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgPlan) best = NULL;

  if (!plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL))
    g_return_val_if_reached (FALSE);
  if (plg_report_fits_cluster (report, &plan->cluster))
    return TRUE;
  best = search_all_replicas (plan, held, FALSE, micro_batches);
  if (best == NULL)
    best = search_all_replicas (plan, held, TRUE, micro_batches);
  if (best == NULL)
    best = search_all_settings (plan, held);
  if (best == NULL)
    return FALSE;
  plg_plan_assign (plan, best);
  return TRUE;
}
