/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-private.h"

#include "plan/plan-check.h"

#include <string.h>

/* The number of rounds of the first look. */
#define LOOK_ROUNDS 3

static gboolean
is_allowed (const PlgSearchSpace *space, const PlgSearchPoint *point, const PlgPlan *plan)
{
  const int values[PLG_N_SEARCH_KEYS] = {
    [PLG_SEARCH_TP] = point->tp,
    [PLG_SEARCH_CP] = point->cp,
    [PLG_SEARCH_EP] = point->ep,
    [PLG_SEARCH_ETP] = point->etp,
    [PLG_SEARCH_PP] = point->pp,
    [PLG_SEARCH_DP] = plan->parallelism.degree[PLG_AXIS_DP],
    [PLG_SEARCH_ORDER] = point->order,
    [PLG_SEARCH_MICRO_BATCH] = point->micro_batch,
    [PLG_SEARCH_SCHEDULE] = point->schedule,
    [PLG_SEARCH_CHUNKS] = point->chunks,
    [PLG_SEARCH_RECOMPUTE] = point->recompute,
    [PLG_SEARCH_ZERO] = point->zero,
    [PLG_SEARCH_SEQUENCE] = point->sequence,
    [PLG_SEARCH_REPLICATE] = point->replicate,
  };

  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (!plg_search_space_allows (space, key, values[key]))
      return FALSE;
  return TRUE;
}

/* Evaluates the plan at POINT. Adds it to the seeds if it fits and belongs to the space. Returns
 * a score that is lower for better plans: the step time, or a large number that grows with the
 * memory that is missing. Returns G_MAXDOUBLE for a plan that is not legal. */
static double
look_at (PlgSearchWorker *worker, const PlgSearchPoint *point)
{
  PlgSearch *search = worker->search;
  PlgFoundPlan found = { .point = *point, .n_orders = 1 };
  PlgPlan *plan = worker->plan;
  int world = plg_plan_world (plan);
  gint64 product = (gint64) point->tp * point->cp * point->pp;
  gboolean is_new = TRUE;

  if (product > world || world % product != 0 || g_atomic_int_get (&search->is_cancelled))
    return G_MAXDOUBLE;
  plg_search_space_set (search->space, point, plan);
  plg_parallelism_fit_replicate (&plan->parallelism);
  found.point.replicate = plan->parallelism.replicate;
  if (!plg_plan_check_split (plan, NULL) || !plg_plan_check_schedule (plan, NULL))
    return G_MAXDOUBLE;
  found.memory = plg_memory_peak (plan, G_MAXDOUBLE);
  if (found.memory > plan->cluster.memory)
    return 1e30 * found.memory;
  plg_evaluation_begin (&worker->evaluations[0]);
  plg_evaluation_finish (&worker->evaluations[0], worker->report, plan, G_MAXDOUBLE);
  if (!plg_search_worker_read (worker, &found) || !is_allowed (search->space, &found.point, plan))
    return found.time;

  /* Plans with equal figures may be one entry of the result, so count them once. */
  for (guint i = 0; i < search->seeds->len && is_new; i++)
    {
      const PlgFoundPlan *other = &g_array_index (search->seeds, PlgFoundPlan, i);

      is_new = other->by != found.by || other->memory != found.memory;
    }
  if (is_new)
    {
      g_mutex_lock (&search->mutex);
      plg_found_plans_add (search->seeds, &search->options, &found);
      g_mutex_unlock (&search->mutex);
    }
  return found.time;
}

/* Replaces POINT by CHANGED if CHANGED is better. */
static void
look_further (PlgSearchWorker *worker,
              PlgSearchPoint *point,
              double *score,
              const PlgSearchPoint *changed)
{
  double other = look_at (worker, changed);

  if (other >= *score)
    return;
  *score = other;
  *point = *changed;
}

/* Changes one degree of the plan at POINT at a time to the degree that gives the best plan. */
static void
look_at_degrees (PlgSearchWorker *worker, PlgSearchPoint *point, double *score)
{
  const PlgSearchSpace *space = worker->search->space;
  const PlgPlan *plan = worker->plan;
  gboolean is_moe = plg_transformer_is_moe (&plan->model);
  const struct
  {
    PlgSearchKey key;
    int *degree;
    int multiple; /* without a list of values, the divisors of this number are tried */
  } degrees[] = {
    { PLG_SEARCH_PP, &point->pp, plg_plan_world (plan) },
    { PLG_SEARCH_TP, &point->tp, plg_plan_world (plan) },
    { PLG_SEARCH_CP, &point->cp, plg_plan_world (plan) },
    { PLG_SEARCH_EP, &point->ep, is_moe ? plan->model.experts : 1 },
    { PLG_SEARCH_MICRO_BATCH, &point->micro_batch, plan->training.global_batch },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      PlgSearchPoint changed = *point;
      gsize offset = (gsize) ((char *) degrees[i].degree - (char *) point);

      plg_search_space_list (space, degrees[i].key, degrees[i].multiple, worker->degrees);
      for (guint j = 0; j < worker->degrees->len; j++)
        {
          changed = *point;
          G_STRUCT_MEMBER (int, &changed, offset) = g_array_index (worker->degrees, int, j);
          look_further (worker, point, score, &changed);
        }
    }
}

/* Changes one of the other settings of the plan at POINT at a time. */
static void
look_at_settings (PlgSearchWorker *worker, PlgSearchPoint *point, double *score)
{
  const PlgSearchSpace *space = worker->search->space;
  PlgSearchPoint changed;

  for (int zero = 0; zero <= 3; zero++)
    for (int recompute = 0; recompute < PLG_N_RECOMPUTES; recompute++)
      {
        changed = *point;
        changed.zero = (guint8) zero;
        changed.recompute = (guint8) recompute;
        changed.sequence = point->tp > 1 && plg_search_space_allows (space, PLG_SEARCH_SEQUENCE, 1);
        look_further (worker, point, score, &changed);
      }
  plg_search_space_set (space, point, worker->plan);
  plg_search_worker_list_schedules (worker);
  for (guint i = 0; i < worker->schedules->len; i++)
    {
      const PlgScheduleChoice *choice = &g_array_index (worker->schedules, PlgScheduleChoice, i);

      /* Few numbers of chunks are enough for a first look. */
      if (choice->chunks > 4 && i % 4 != 0)
        continue;
      changed = *point;
      changed.schedule = (guint8) choice->schedule;
      changed.chunks = choice->chunks;
      look_further (worker, point, score, &changed);
    }
  for (int order = 0; order < PLG_N_ORDERS; order++)
    {
      changed = *point;
      changed.order = (guint8) order;
      look_further (worker, point, score, &changed);
    }
  plg_search_space_set (space, point, worker->plan);
  plg_search_space_list (space, PLG_SEARCH_REPLICATE,
                         plg_parallelism_replicate_limit (&worker->plan->parallelism),
                         worker->replicates);
  for (guint i = 0; i < worker->replicates->len && point->zero > 0; i++)
    {
      changed = *point;
      changed.replicate = g_array_index (worker->replicates, int, i);
      look_further (worker, point, score, &changed);
    }
}

void
plg_search_worker_look (PlgSearchWorker *worker)
{
  const PlgSearch *search = worker->search;
  const PlgPlan *base = g_ptr_array_index (search->space->bases, 0);
  const PlgParallelism *parallelism = &base->parallelism;
  PlgSearchPoint point;
  double score;

  memset (&point, 0, sizeof point);
  point.tp = parallelism->degree[PLG_AXIS_TP];
  point.cp = parallelism->degree[PLG_AXIS_CP];
  point.ep = parallelism->degree[PLG_AXIS_EP];
  point.pp = parallelism->degree[PLG_AXIS_PP];
  point.etp = parallelism->etp;
  point.replicate = MAX (parallelism->replicate, 1);
  point.chunks = parallelism->chunks;
  point.zero = (guint8) parallelism->zero;
  point.sequence = !!parallelism->sequence;
  point.micro_batch = base->training.micro_batch;
  point.schedule = (guint8) base->training.schedule;
  point.recompute = (guint8) base->training.recompute;
  point.order = (guint8) plg_search_order_index (parallelism->order);
  if (worker->plan == NULL)
    worker->plan = plg_plan_copy (base);
  worker->base = 0;
  plg_search_worker_forget_factors (worker);
  score = look_at (worker, &point);
  for (int round = 0; round < LOOK_ROUNDS && !g_atomic_int_get (&search->is_cancelled); round++)
    {
      double before = score;

      look_at_degrees (worker, &point, &score);
      look_at_settings (worker, &point, &score);
      if (score == before)
        return;
    }
}
