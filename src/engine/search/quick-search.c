/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/quick-search.h"

#include "engine/evaluate.h"
#include "engine/model/flops.h"
#include "engine/search/part-recompute.h"
#include "engine/search/search.h"

/* Most plans need one or two rounds. */
#define MAX_ROUNDS 4

typedef struct
{
  const char *const *keep;
  PlgPlan *best; /* the best plan so far, at first the given plan */
  double time;   /* the step time of BEST [s]; 0 while no plan fits */
} QuickSearch;

/* Sets the values of KEY to VALUES and the value in the plan of SPACE. */
static void
list_values (PlgSearchSpace *space, PlgSearchKey key, const int *values, gsize n)
{
  GArray *allowed;

  g_assert_true (plg_search_space_keep (space, plg_search_key_setting (key), NULL));
  allowed = space->allowed[key];
  for (gsize i = 0; i < n; i++)
    if (!plg_search_space_allows (space, key, values[i]))
      g_array_append_val (allowed, values[i]);
}

#define LIST_VALUES(space, key, ...)                      \
  list_values (space, key, (const int[]) { __VA_ARGS__ }, \
               sizeof (const int[]) { __VA_ARGS__ } / sizeof (int))

static void
keep_keys (PlgSearchSpace *space, const PlgSearchKey *keys, gsize n)
{
  for (gsize i = 0; i < n; i++)
    plg_search_space_keep (space, plg_search_key_setting (keys[i]), NULL);
}

static gboolean
keeps_part_recompute (const QuickSearch *self)
{
  for (int i = 0; self->keep != NULL && self->keep[i] != NULL; i++)
    if (g_str_has_prefix (self->keep[i], "training.recompute"))
      return TRUE;
  return FALSE;
}

/* Returns the space around the best plan so far, in which full recompute repeats all layers. */
static PlgSearchSpace *
new_space (const QuickSearch *self)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (self->best);

  if (!keeps_part_recompute (self))
    plan->training.recompute_method = PLG_RECOMPUTE_METHOD_ALL;
  return plg_search_space_new (plan);
}

/* Searches SPACE (taken) and makes its best plan the best plan so far if it is faster. Returns
 * TRUE if a plan was found. */
static gboolean
search_part (QuickSearch *self, PlgSearchSpace *space)
{
  PlgSearchOptions options = { .by = plg_metric_find ("step-time"),
                               .top = 1,
                               .slowest = self->time };
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (PlgSearch) search = NULL;
  PlgSearchProgress progress;
  const PlgFoundPlan *found;

  for (int i = 0; self->keep != NULL && self->keep[i] != NULL; i++)
    plg_search_space_keep (space, self->keep[i], NULL);
  search = plg_search_new (space, &options);
  plg_search_run (search);
  plg_search_snapshot (search, &progress, best, NULL, NULL);
  if (best->len == 0)
    return FALSE;
  found = &g_array_index (best, PlgFoundPlan, 0);
  if (self->time > 0.0 && found->time >= self->time)
    return TRUE;
  plg_plan_free (self->best);
  self->best = plg_search_space_plan (space, &found->point);
  self->time = found->time;
  return TRUE;
}

/* Tries all TP, PP and EP with the usual values of the other settings. */
static gboolean
search_usual_settings (QuickSearch *self)
{
  PlgSearchSpace *space = new_space (self);

  LIST_VALUES (space, PLG_SEARCH_CP, 1, 2, 4);
  LIST_VALUES (space, PLG_SEARCH_ETP, 1);
  LIST_VALUES (space, PLG_SEARCH_ORDER, 0, 1);
  LIST_VALUES (space, PLG_SEARCH_MICRO_BATCH, 1, 2, 4);
  LIST_VALUES (space, PLG_SEARCH_SCHEDULE, PLG_SCHEDULE_1F1B, PLG_SCHEDULE_INTERLEAVED,
               PLG_SCHEDULE_ZB_V);
  /* DualPipe hides the communication of experts. */
  if (plg_transformer_is_moe (&self->best->model))
    LIST_VALUES (space, PLG_SEARCH_SCHEDULE, PLG_SCHEDULE_1F1B, PLG_SCHEDULE_INTERLEAVED,
                 PLG_SCHEDULE_ZB_V, PLG_SCHEDULE_DUALPIPE);
  LIST_VALUES (space, PLG_SEARCH_CHUNKS, 1, 2, 4);
  LIST_VALUES (space, PLG_SEARCH_SEQUENCE, TRUE);
  LIST_VALUES (space, PLG_SEARCH_REPLICATE, 1);
  return search_part (self, space);
}

/* Tries the plans that need least memory: one of them fits if any plan does. Other micro-batches,
 * schedules and recompute modes need more memory, and the order needs the same. */
static gboolean
search_small_plans (QuickSearch *self)
{
  PlgSearchSpace *space = new_space (self);

  LIST_VALUES (space, PLG_SEARCH_MICRO_BATCH, 1);
  LIST_VALUES (space, PLG_SEARCH_SCHEDULE, PLG_SCHEDULE_1F1B, PLG_SCHEDULE_ZB_V);
  LIST_VALUES (space, PLG_SEARCH_CHUNKS, 1, 2);
  LIST_VALUES (space, PLG_SEARCH_RECOMPUTE, PLG_RECOMPUTE_NONE, PLG_RECOMPUTE_FULL);
  LIST_VALUES (space, PLG_SEARCH_SEQUENCE, TRUE);
  LIST_VALUES (space, PLG_SEARCH_REPLICATE, 1);
  keep_keys (space, (const PlgSearchKey[]) { PLG_SEARCH_ORDER }, 1);
  return search_part (self, space);
}

/* Tries all settings with the degrees of the best plan. */
static void
search_settings (QuickSearch *self)
{
  static const PlgSearchKey degrees[] = { PLG_SEARCH_TP, PLG_SEARCH_CP, PLG_SEARCH_EP,
                                          PLG_SEARCH_ETP, PLG_SEARCH_PP };
  PlgSearchSpace *space = new_space (self);

  keep_keys (space, degrees, G_N_ELEMENTS (degrees));
  search_part (self, space);
}

/* Tries all degrees with the schedule of the best plan and similar micro-batches. Many replicas with
 * ZeRO 3 are only fast in shard groups of a suitable size. */
static void
search_degrees (QuickSearch *self)
{
  static const PlgSearchKey settings[] = { PLG_SEARCH_CHUNKS, PLG_SEARCH_SCHEDULE,
                                           PLG_SEARCH_SEQUENCE };
  PlgSearchSpace *space = new_space (self);
  int micro_batch = self->best->training.micro_batch;

  keep_keys (space, settings, G_N_ELEMENTS (settings));
  LIST_VALUES (space, PLG_SEARCH_ORDER, 0, 1);
  LIST_VALUES (space, PLG_SEARCH_REPLICATE, 1, 4, 16, 64, 256);
  LIST_VALUES (space, PLG_SEARCH_MICRO_BATCH, 2 * micro_batch, MAX (micro_batch / 2, 1));
  search_part (self, space);
}

/* Makes PLAN (taken) the best plan so far if it is faster, and frees the other one. */
static void
offer_plan (QuickSearch *self, PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_report_new ();

  if (plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL) &&
      plg_report_fits_cluster (report, &plan->cluster) && report->step.time < self->time)
    {
      PlgPlan *last = self->best;

      self->best = plan;
      self->time = report->step.time;
      plan = last;
    }
  plg_plan_free (plan);
}

/* Tries full recompute of a part of the layers with the degrees of the best plan, and then repeats as
 * few layers as the memory allows. */
static void
search_part_recompute (QuickSearch *self)
{
  static const PlgSearchKey kept[] = { PLG_SEARCH_TP,  PLG_SEARCH_CP,     PLG_SEARCH_EP,
                                       PLG_SEARCH_ETP, PLG_SEARCH_PP,     PLG_SEARCH_ORDER,
                                       PLG_SEARCH_DP,  PLG_SEARCH_CHUNKS, PLG_SEARCH_RECOMPUTE };
  g_autoptr (PlgPlan) trial = plg_plan_copy (self->best);
  int chunks = plg_stage_chunks (trial) * trial->parallelism.degree[PLG_AXIS_PP];
  PlgSearchSpace *space;

  if (keeps_part_recompute (self))
    return;
  trial->training.recompute = PLG_RECOMPUTE_FULL;
  trial->training.recompute_method = PLG_RECOMPUTE_METHOD_FIRST;
  trial->training.recompute_layers = MAX (trial->model.layers / chunks / 2, 1);
  space = plg_search_space_new (trial);
  keep_keys (space, kept, G_N_ELEMENTS (kept));
  search_part (self, space);
  if (self->best->training.recompute != PLG_RECOMPUTE_FULL)
    return;
  plg_plan_assign (trial, self->best);
  if (plg_plan_recompute_fewest_layers (trial))
    offer_plan (self, g_steal_pointer (&trial));
}

/* Improves the best plan until nothing helps any more. Returns FALSE if no plan fits. */
static gboolean
improve (QuickSearch *self)
{
  if (!search_usual_settings (self) && self->time == 0.0 && !search_small_plans (self))
    return FALSE;
  for (int i = 0; i < MAX_ROUNDS; i++)
    {
      double last;

      search_settings (self);
      last = self->time;
      search_degrees (self);
      if (self->time == last)
        break;
    }
  search_part_recompute (self);
  return TRUE;
}

PlgPlan *
plg_quick_search (const PlgPlan *plan, const char *const *keep, double *time)
{
  g_autoptr (PlgReport) report = plg_report_new ();
  g_autoptr (PlgPlan) healthy = plg_plan_copy (plan);
  QuickSearch self = { .keep = keep };
  double before;

  healthy->cluster.n_faults = 0;
  if (!plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL))
    g_return_val_if_reached (NULL);
  before = plg_report_fits_cluster (report, &plan->cluster) ? report->step.time : 0.0;
  if (!plg_evaluate_into (report, healthy, PLG_EVALUATE_TOTALS, NULL))
    g_return_val_if_reached (NULL);
  self.time = plg_report_fits_cluster (report, &plan->cluster) ? report->step.time : 0.0;
  self.best = g_steal_pointer (&healthy);
  if (improve (&self))
    {
      self.best->cluster = plan->cluster;
      if (plg_evaluate_into (report, self.best, PLG_EVALUATE_TOTALS, NULL) &&
          (before == 0.0 || report->step.time < before))
        {
          *time = report->step.time;
          return self.best;
        }
    }
  plg_plan_free (self.best);
  return NULL;
}
