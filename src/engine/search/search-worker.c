/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-private.h"

#include "engine/model/kernel.h"
#include "engine/search/order-class.h"
#include "engine/workload.h"
#include "plan/plan-check.h"

#include <math.h>
#include <string.h>

#define N_SCHEDULES 6

/* Bounds */

/* Returns the longest step time with which a plan of MEMORY bytes can be among the best [s].
 * Metrics that grow or shrink with the step time have a limit once enough plans are found. The
 * factor between the metric and the step time is the same for all plans of a base. */
static double
best_time_limit (const PlgSearchWorker *worker, double memory)
{
  const PlgSearchOptions *options = &worker->search->options;
  const GArray *best = worker->result->ranking.best, *seeds = worker->search->seeds;
  double last;

  /* The seeds limit the search too, because each of them is a plan of the space. */
  if (seeds->len == options->top &&
      (best->len < options->top ||
       plg_found_plan_compare (options, &g_array_index (seeds, PlgFoundPlan, seeds->len - 1),
                               &g_array_index (best, PlgFoundPlan, best->len - 1)) < 0))
    best = seeds;
  if (best->len < options->top)
    return G_MAXDOUBLE;
  last = g_array_index (best, PlgFoundPlan, best->len - 1).by;
  if (g_str_equal (options->by->name, "memory"))
    return memory > last ? 0.0 : G_MAXDOUBLE;
  switch (plg_metric_trend (options->by))
    {
    case PLG_METRIC_GROWS_WITH_TIME:
      return worker->by_over_time > 0.0 ? last / worker->by_over_time : G_MAXDOUBLE;
    case PLG_METRIC_SHRINKS_WITH_TIME:
      return worker->by_over_time > 0.0 && last > 0.0 ? worker->by_over_time / last : G_MAXDOUBLE;
    case PLG_METRIC_HAS_NO_TREND:
    default:
      return G_MAXDOUBLE;
    }
}

/* Returns the longest step time with which a plan of MEMORY bytes can be on the Pareto front [s].
 * Only fronts of the memory and a metric that follows the step time have a limit, and only within
 * one base plan. */
static double
front_time_limit (const PlgSearchWorker *worker, double memory)
{
  const PlgSearch *search = worker->search;
  const PlgMetric *const *metrics = search->options.front;
  int of_time = g_str_equal (metrics[0]->name, "memory") ? 1 : 0;
  double limit = G_MAXDOUBLE;

  if (search->space->bases->len > 1 || !g_str_equal (metrics[1 - of_time]->name, "memory") ||
      plg_metric_trend (metrics[of_time]) == PLG_METRIC_HAS_NO_TREND)
    return G_MAXDOUBLE;
  for (guint i = 0; i < worker->result->ranking.front->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (worker->result->ranking.front, PlgFoundPlan, i);

      if (found->memory <= memory)
        limit = MIN (limit, found->time);
    }
  return limit;
}

/* Returns the longest step time with which a plan of MEMORY bytes belongs to the result [s]. */
static double
time_limit (const PlgSearchWorker *worker, double memory)
{
  double limit = best_time_limit (worker, memory);

  if (worker->search->options.front[0] != NULL)
    limit = MAX (limit, front_time_limit (worker, memory));
  if (worker->search->options.slowest > 0.0)
    limit = MIN (limit, worker->search->options.slowest);
  return limit;
}

/* Returns the compute time of one micro-batch through the whole model on one GPU of each stage,
 * without communication [s]. */
static double
model_work (const PlgPlan *plan)
{
  PlgPieceCounts pieces = plg_model_piece_counts (plan);
  double work = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    if (pieces.count[i] > 0.0 && plg_plan_has_piece (plan, i))
      {
        PlgKernelTime time = plg_kernel_time (plan, i);

        work += pieces.count[i] * (time.forward + time.input + time.weight + time.recompute);
      }
  return work;
}

/* Returns a lower bound of the step time of the worker's plan [s]: the compute time of the average
 * stage. MICRO_BATCH is the index of the plan's micro-batch. */
static double
shortest_step (PlgSearchWorker *worker, guint micro_batch)
{
  const PlgPlan *plan = worker->plan;
  double *work = &worker->work[(micro_batch * 2 + !!plan->parallelism.sequence) * PLG_N_RECOMPUTES +
                               plan->training.recompute];

  if (isnan (*work))
    *work = model_work (plan);
  return *work * plg_plan_micro_batches (plan) / plan->parallelism.degree[PLG_AXIS_PP] *
         (1.0 - 1e-9);
}

/* The plans of a unit */

/* Lists the values of a key that only matters if IS_USED; otherwise only one value is tried.
 * Returns the number of values. */
static int
list_choices (const PlgSearchSpace *space,
              PlgSearchKey key,
              int first,
              int last,
              gboolean is_used,
              int own,
              int *choices)
{
  int n = 0;

  if (!is_used && plg_search_space_allows (space, key, own))
    {
      choices[0] = own;
      return 1;
    }
  for (int value = first; value <= last; value++)
    if (plg_search_space_allows (space, key, value))
      choices[n++] = value;
  return is_used ? n : MIN (n, 1);
}

/* Adds SCHEDULE with all numbers of chunks that it can have with PP stages. */
static void
add_schedule (GArray *choices, const PlgSearchSpace *space, int schedule, int pp, int layers)
{
  const GArray *allowed = space->allowed[PLG_SEARCH_CHUNKS];
  gboolean is_interleaved = schedule == PLG_SCHEDULE_INTERLEAVED;
  /* zb-v and DualPipe always have two chunks, whether the plan says 1 or 2. */
  gboolean is_double = schedule == PLG_SCHEDULE_ZB_V || schedule == PLG_SCHEDULE_DUALPIPE;
  int first = is_interleaved ? 2 : 1;
  int last = is_interleaved ? layers / pp + 2 : (is_double ? 2 : 1);
  guint before = choices->len;

  for (int chunks = first; chunks <= last; chunks++)
    if (plg_search_space_allows (space, PLG_SEARCH_CHUNKS, chunks))
      {
        PlgScheduleChoice choice = { schedule, chunks };

        g_array_append_val (choices, choice);
        if (is_double || pp == 1)
          return;
      }
  /* Without a pipeline, the number of chunks has no effect. */
  if (pp == 1 && choices->len == before && (!is_interleaved || allowed == NULL))
    {
      PlgScheduleChoice choice = { schedule, first };

      g_array_append_val (choices, choice);
    }
}

void
plg_search_worker_list_schedules (PlgSearchWorker *worker)
{
  static const PlgSchedule schedules[N_SCHEDULES] = {
    PLG_SCHEDULE_1F1B,  PLG_SCHEDULE_GPIPE, PLG_SCHEDULE_INTERLEAVED,
    PLG_SCHEDULE_ZB_H1, PLG_SCHEDULE_ZB_V,  PLG_SCHEDULE_DUALPIPE,
  };
  const PlgSearchSpace *space = worker->search->space;
  int pp = worker->plan->parallelism.degree[PLG_AXIS_PP];

  g_array_set_size (worker->schedules, 0);
  for (gsize i = 0; i < N_SCHEDULES; i++)
    if (plg_search_space_allows (space, PLG_SEARCH_SCHEDULE, schedules[i]) &&
        (pp > 1 || worker->schedules->len == 0))
      add_schedule (worker->schedules, space, schedules[i], pp, worker->plan->model.layers);
}

double
plg_search_worker_memory (PlgSearchWorker *worker)
{
  int stages = worker->plan->parallelism.degree[PLG_AXIS_PP];
  PlgStageMemory *memory;
  double peak = 0.0;

  g_array_set_size (worker->stages, stages);
  memory = (PlgStageMemory *) (void *) worker->stages->data;
  plg_memory_ledger (worker->plan, memory);
  for (int i = 0; i < stages; i++)
    peak = MAX (peak, memory[i].total);
  return peak;
}

static void
set_order (PlgPlan *plan, int order)
{
  memcpy (plan->parallelism.order, plg_search_order (order), sizeof plan->parallelism.order);
}

/* Returns TRUE if the workload of PLAN depends on its schedule or differs between stages. */
static gboolean
needs_own_workload (const PlgPlan *plan)
{
  return plan->cluster.n_faults > 0 ||
         (plan->parallelism.overlap_pp && plan->parallelism.degree[PLG_AXIS_PP] > 1) ||
         (plan->training.schedule == PLG_SCHEDULE_DUALPIPE &&
          plg_transformer_is_moe (&plan->model));
}

/* Computes the workload of the worker's plan for each of its orders, and the shortest step that
 * each order allows. */
static void
prepare_orders (PlgSearchWorker *worker)
{
  for (guint i = 0; i < worker->orders->len; i++)
    {
      PlgOrderClass *class = &g_array_index (worker->orders, PlgOrderClass, i);

      set_order (worker->plan, class->order);
      plg_evaluation_prepare (&worker->evaluations[i], worker->plan);
      class->shortest = plg_evaluation_shortest (&worker->evaluations[i]);
    }
}

gboolean
plg_search_worker_read (PlgSearchWorker *worker, PlgFoundPlan *found)
{
  const PlgSearchOptions *options = &worker->search->options;

  found->time = worker->report->step.time;
  found->by = plg_metric_value (options->by, worker->report);
  if (plg_metric_trend (options->by) == PLG_METRIC_GROWS_WITH_TIME)
    worker->by_over_time = found->by / found->time;
  else
    worker->by_over_time = found->by * found->time;
  for (int i = 0; i < 2 && options->front[i] != NULL; i++)
    found->front[i] = plg_metric_value (options->front[i], worker->report);
  if (options->slowest > 0.0 && found->time > options->slowest)
    return FALSE;
  for (guint i = 0; i < options->n_requirements; i++)
    if (!plg_assertion_holds (&options->requirements[i], worker->report))
      return FALSE;
  return !isnan (found->by);
}

/* Evaluates the worker's plan with the I-th order and adds it to the results. */
static void
judge (PlgSearchWorker *worker, PlgSearchPoint *point, guint i, double memory)
{
  PlgSearch *search = worker->search;
  const PlgSearchOptions *options = &search->options;
  const PlgOrderClass *class = &g_array_index (worker->orders, PlgOrderClass, i);
  PlgEvaluation *evaluation = &worker->evaluations[i];
  PlgFoundPlan found = { .n_orders = class->n, .memory = memory };
  double limit = time_limit (worker, memory);

  point->order = class->order;
  set_order (worker->plan, class->order);
  if (needs_own_workload (worker->plan))
    {
      evaluation = &worker->own_evaluation;
      evaluation->workload_stage = -1;
    }
  else if (class->shortest > limit)
    {
      worker->result->counts.bounded += class->n;
      return;
    }
  if (!plg_evaluation_finish (evaluation, worker->report, worker->plan, limit))
    {
      worker->result->counts.bounded += class->n;
      return;
    }
  worker->result->counts.judged += class->n;
  found.point = *point;
  if (!plg_search_worker_read (worker, &found))
    worker->result->counts.rejected += class->n;
  else if (plg_ranking_add (&worker->result->ranking, options, &found) ||
           (options->keeps_judged &&
            search->judged->len + worker->result->found->len < PLG_MAX_JUDGED_KEPT))
    g_array_append_val (worker->result->found, found);
}

/* Tries all schedules and orders with the micro-batch, sequence parallelism, ZeRO stage and
 * recompute of POINT. */
static void
try_schedules (PlgSearchWorker *worker, PlgSearchPoint *point, gint64 n_orders)
{
  const PlgSearchSpace *space = worker->search->space;
  PlgPlan *plan = worker->plan;
  gboolean is_prepared = FALSE;

  for (guint i = 0; i < worker->schedules->len; i++)
    {
      const PlgScheduleChoice *choice = &g_array_index (worker->schedules, PlgScheduleChoice, i);
      double memory;

      point->schedule = choice->schedule;
      point->chunks = choice->chunks;
      plg_search_space_set (space, point, plan);
      if (!plg_plan_check_schedule (plan, NULL))
        {
          worker->result->counts.illegal += n_orders;
          continue;
        }
      if (is_prepared && !needs_own_workload (plan))
        {
          double shortest = G_MAXDOUBLE;

          for (guint j = 0; j < worker->orders->len; j++)
            shortest = MIN (shortest, g_array_index (worker->orders, PlgOrderClass, j).shortest);
          if (shortest > time_limit (worker, 0.0))
            {
              worker->result->counts.bounded += n_orders;
              continue;
            }
        }
      memory = plg_search_worker_memory (worker);
      if (memory > plan->cluster.memory)
        {
          worker->result->counts.too_large += n_orders;
          continue;
        }
      if (!worker->is_joined)
        plg_order_classes_join (worker->orders, plan);
      worker->is_joined = TRUE;
      if (!is_prepared && !needs_own_workload (plan))
        {
          prepare_orders (worker);
          is_prepared = TRUE;
        }
      for (guint j = 0; j < worker->orders->len; j++)
        judge (worker, point, j, memory);
    }
}

/* Tries all plans of UNIT with the PP of POINT. */
static void
try_stages (PlgSearchWorker *worker, PlgSearchPoint *point)
{
  const PlgSearch *search = worker->search;
  const PlgSearchSpace *space = search->space;
  PlgPlan *plan = worker->plan;
  int sequences[2], zeros[4], recomputes[PLG_N_RECOMPUTES];
  int n_sequences, n_zeros, n_recomputes;
  const PlgPlan *base = g_ptr_array_index (space->bases, worker->base);
  gint64 n_orders = 0;

  plg_search_space_set (space, point, plan);
  plg_order_classes_list (worker->orders, space, base, &plan->parallelism);
  worker->is_joined = FALSE;
  plg_search_worker_list_schedules (worker);
  n_orders = worker->orders->len;
  n_sequences = list_choices (space, PLG_SEARCH_SEQUENCE, FALSE, TRUE, point->tp > 1,
                              !!base->parallelism.sequence, sequences);
  /* Without replicas the ZeRO stage still changes the buffers, so it is always tried. */
  n_zeros = list_choices (space, PLG_SEARCH_ZERO, 0, 3, TRUE, 0, zeros);
  n_recomputes = list_choices (space, PLG_SEARCH_RECOMPUTE, PLG_RECOMPUTE_NONE, PLG_RECOMPUTE_FULL,
                               TRUE, 0, recomputes);
  /* With flash attention, selective recompute repeats nothing. */
  if (plan->training.flash_attention && n_recomputes > 1 && recomputes[0] == PLG_RECOMPUTE_NONE &&
      recomputes[1] == PLG_RECOMPUTE_SELECTIVE)
    recomputes[1] = recomputes[--n_recomputes];

  for (guint i = 0; i < worker->micro_batches->len; i++)
    for (int j = 0; j < n_sequences; j++)
      {
        gint64 rest = (gint64) n_zeros * n_recomputes * worker->schedules->len * n_orders;

        if (g_atomic_int_get (&search->is_cancelled))
          return;
        point->micro_batch = g_array_index (worker->micro_batches, int, i);
        point->sequence = sequences[j];
        plg_search_space_set (space, point, plan);
        worker->result->counts.plans += rest;
        if (!plg_plan_check_split (plan, NULL))
          {
            worker->result->counts.illegal += rest;
            continue;
          }
        for (int k = 0; k < n_zeros * n_recomputes; k++)
          {
            rest = worker->schedules->len * n_orders;
            point->zero = zeros[k / n_recomputes];
            point->recompute = recomputes[k % n_recomputes];
            plg_search_space_set (space, point, plan);
            if (search->options.front[0] == NULL && plg_plan_micro_batches (plan) > 0 &&
                shortest_step (worker, i) > time_limit (worker, 0.0))
              {
                worker->result->counts.bounded += rest;
                continue;
              }
            try_schedules (worker, point, n_orders);
          }
      }
}

void
plg_search_worker_try (PlgSearchWorker *worker, const PlgSearchUnit *unit)
{
  const PlgSearch *search = worker->search;
  const PlgSearchSpace *space = search->space;
  const PlgPlan *base = g_ptr_array_index (space->bases, unit->base);
  PlgSearchPoint point;
  int world = plg_plan_world (base);
  gsize n_work;

  /* Clear the padding too, because plans are compared by their bytes. */
  memset (&point, 0, sizeof point);
  point.base = unit->base;
  point.tp = unit->tp;
  point.cp = unit->cp;
  point.ep = unit->ep;
  point.etp = unit->etp;
  if (worker->base != unit->base)
    {
      if (worker->plan != NULL)
        plg_plan_free (worker->plan);
      worker->plan = plg_plan_copy (base);
      worker->base = unit->base;
    }
  plg_search_space_list (space, PLG_SEARCH_MICRO_BATCH, base->training.global_batch,
                         worker->micro_batches);
  n_work = (gsize) worker->micro_batches->len * 2 * PLG_N_RECOMPUTES;
  worker->work = g_renew (double, worker->work, n_work);
  for (gsize i = 0; i < n_work; i++)
    worker->work[i] = NAN;
  worker->by_over_time = g_str_equal (search->options.by->name, "step-time") ? 1.0 : 0.0;

  plg_search_space_list (space, PLG_SEARCH_PP, world / unit->tp / unit->cp, worker->degrees);
  for (guint i = 0; i < worker->degrees->len; i++)
    {
      point.pp = g_array_index (worker->degrees, int, i);
      if (point.pp <= base->model.layers + 2 && world / unit->tp / unit->cp % point.pp == 0 &&
          plg_search_space_allows (space, PLG_SEARCH_DP, world / unit->tp / unit->cp / point.pp))
        try_stages (worker, &point);
    }
}

void
plg_search_worker_init (PlgSearchWorker *worker, PlgSearch *search)
{
  memset (worker, 0, sizeof *worker);
  worker->search = search;
  worker->base = -1;
  worker->report = plg_report_new ();
  worker->stages = g_array_new (FALSE, FALSE, sizeof (PlgStageMemory));
  worker->micro_batches = g_array_new (FALSE, FALSE, sizeof (int));
  worker->degrees = g_array_new (FALSE, FALSE, sizeof (int));
  worker->schedules = g_array_new (FALSE, FALSE, sizeof (PlgScheduleChoice));
  worker->orders = g_array_new (FALSE, FALSE, sizeof (PlgOrderClass));
}

void
plg_search_worker_clear (PlgSearchWorker *worker)
{
  plg_report_unref (worker->report);
  if (worker->plan != NULL)
    plg_plan_free (worker->plan);
  g_array_unref (worker->stages);
  g_array_unref (worker->micro_batches);
  g_array_unref (worker->degrees);
  g_array_unref (worker->schedules);
  g_array_unref (worker->orders);
  g_free (worker->work);
}
