/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-private.h"

#include "engine/model/program.h"
#include "engine/search/order-class.h"
#include "plan/plan-check.h"

#include <math.h>
#include <string.h>

#define N_SCHEDULES 6

/* Bounds */

/* Returns the longest step time with which a plan whose ranking metric is VALUE, for any step time,
 * can come before LAST [s]. Plans with the same value are ranked by their step time. */
static double
tie_time_limit (const PlgFoundPlan *last, double value)
{
  if (value == last->by)
    return last->time;
  return value > last->by ? 0.0 : G_MAXDOUBLE;
}

/* Returns the longest step time with which a plan of MEMORY bytes can be among the best [s].
 * Metrics that grow or shrink with the step time have a limit once enough plans are found. The
 * factor between the metric and the step time is the same for all plans of a base, and so are the
 * numbers of nodes and GPUs. */
static double
best_time_limit (const PlgSearchWorker *worker, double memory)
{
  const PlgSearchOptions *options = &worker->search->options;
  const GArray *best = worker->result->ranking.best, *seeds = worker->search->seeds;
  const PlgPlan *base = g_ptr_array_index (worker->search->space->bases, worker->base);
  const PlgFoundPlan *last_plan;
  double last;

  /* The seeds limit the search too, because each of them is a plan of the space. */
  if (seeds->len == options->top &&
      (best->len < options->top ||
       plg_found_plan_compare (options, &g_array_index (seeds, PlgFoundPlan, seeds->len - 1),
                               &g_array_index (best, PlgFoundPlan, best->len - 1)) < 0))
    best = seeds;
  if (best->len < options->top)
    return G_MAXDOUBLE;
  last_plan = &g_array_index (best, PlgFoundPlan, best->len - 1);
  last = last_plan->by;
  if (g_str_equal (options->by->name, "memory"))
    return tie_time_limit (last_plan, memory);
  if (g_str_equal (options->by->name, "world-size"))
    return tie_time_limit (last_plan, plg_plan_world (base));
  if (g_str_equal (options->by->name, "nodes"))
    return tie_time_limit (last_plan, base->cluster.nodes);
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

/* Returns the longest step time with which a plan can meet the requirements [s]. Only requirements
 * on metrics that grow or shrink with the step time have a limit. */
static double
required_time_limit (const PlgSearchWorker *worker)
{
  const PlgSearchOptions *options = &worker->search->options;
  double limit = G_MAXDOUBLE;

  for (guint i = 0; i < options->n_requirements; i++)
    {
      const PlgAssertion *requirement = &options->requirements[i];
      double factor = worker->required_over_time[i];
      PlgMetricTrend trend = plg_metric_trend (requirement->metric);

      if (!(factor > 0.0) || requirement->comparison == NULL)
        continue;
      if (trend == PLG_METRIC_GROWS_WITH_TIME && requirement->comparison[0] == '<')
        limit = MIN (limit, requirement->limit / factor * (1.0 + 1e-9));
      else if (trend == PLG_METRIC_SHRINKS_WITH_TIME && requirement->comparison[0] == '>' &&
               requirement->limit > 0.0)
        limit = MIN (limit, factor / requirement->limit * (1.0 + 1e-9));
    }
  return limit;
}

/* Returns the most memory with which a plan can meet the requirements [bytes]. */
static double
required_memory (const PlgSearchOptions *options)
{
  double most = G_MAXDOUBLE;

  for (guint i = 0; i < options->n_requirements; i++)
    if (g_str_equal (options->requirements[i].metric->name, "memory") &&
        options->requirements[i].comparison != NULL &&
        options->requirements[i].comparison[0] == '<')
      most = MIN (most, options->requirements[i].limit);
  return most;
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
  return MIN (limit, required_time_limit (worker));
}

/* Returns the least work of a micro-batch of the worker's plan in the whole model.  MICRO_BATCH is
 * the index of the micro-batch. */
static const PlgLeastWork *
least_work (PlgSearchWorker *worker, guint micro_batch)
{
  const PlgPlan *plan = worker->plan;
  PlgLeastWork
      *work = &worker->work[(micro_batch * 2 + !!plan->parallelism.sequence) * PLG_N_RECOMPUTES +
                            plan->training.recompute];

  if (isnan (work->usual))
    *work = plg_workload_least (&worker->scratch, plan, FALSE);
  return work;
}

/* Returns a lower bound of the step time of the worker's plan [s] if a micro-batch takes at least
 * WORK in the whole model: the work of the average stage. The busiest stage takes at least this
 * time. */
static double
shortest_step (const PlgSearchWorker *worker, double work)
{
  const PlgPlan *plan = worker->plan;
  double samples = (double) plan->training.global_batch / plan->parallelism.degree[PLG_AXIS_DP];

  return work * samples / plan->training.micro_batch / plan->parallelism.degree[PLG_AXIS_PP] *
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

static void
set_order (PlgPlan *plan, int order)
{
  memcpy (plan->parallelism.order, plg_search_order (order), sizeof plan->parallelism.order);
}

/* Returns TRUE if no plan but PLAN has its workload: messages take link time from the collectives
 * of a stage, and DualPipe hides the calls of experts. */
static gboolean
needs_own_workload (const PlgPlan *plan)
{
  return (plan->parallelism.overlap_pp && plan->parallelism.degree[PLG_AXIS_PP] > 1) ||
         (plan->training.schedule == PLG_SCHEDULE_DUALPIPE &&
          plg_transformer_is_moe (&plan->model));
}

/* Forgets the workloads of all orders, because the plan changed. */
static void
begin_workloads (PlgSearchWorker *worker)
{
  for (guint i = 0; i < worker->orders->len; i++)
    {
      plg_evaluation_begin_workload (&worker->evaluations[i]);
      g_array_index (worker->orders, PlgOrderClass, i).shortest = 0.0;
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
  for (guint i = 0; i < options->n_requirements; i++)
    {
      const PlgMetric *metric = options->requirements[i].metric;
      double value = plg_metric_value (metric, worker->report);

      worker->required_over_time[i] = plg_metric_trend (metric) == PLG_METRIC_GROWS_WITH_TIME
                                          ? value / found->time
                                          : value * found->time;
    }
  if (options->slowest > 0.0 && found->time > options->slowest)
    return FALSE;
  for (guint i = 0; i < options->n_requirements; i++)
    if (!plg_assertion_holds (&options->requirements[i], worker->report))
      return FALSE;
  return !isnan (found->by);
}

/* Returns the key of the schedule of the worker's plan in the cache of lengths. MICRO_BATCH is the
 * index of the micro-batch. */
static guint64
length_key (const PlgSearchPoint *point, guint micro_batch)
{
  guint64 key = micro_batch;

  key = key << 20 | (guint) point->chunks;
  key = key << 5 | point->order;
  key = key << 3 | point->schedule;
  key = key << 2 | point->recompute;
  return key << 1 | point->sequence;
}

/* Evaluates the worker's plan with the I-th order and adds it to the results, unless a lower bound
 * shows that the plan does not belong there. */
static void
judge (PlgSearchWorker *worker, PlgSearchPoint *point, guint micro_batch, guint i, double memory)
{
  PlgSearch *search = worker->search;
  const PlgSearchOptions *options = &search->options;
  PlgOrderClass *class = &g_array_index (worker->orders, PlgOrderClass, i);
  PlgEvaluation *evaluation = &worker->evaluations[i];
  PlgFoundPlan found = { .n_orders = class->n, .memory = memory };
  double limit = time_limit (worker, memory);

  point->order = class->order;
  set_order (worker->plan, class->order);
  /* The blocks of plans that reduce gradients once per step take the same time, with any ZeRO stage
   * and any replicate. */
  evaluation->lengths = !plg_scatters_each_micro_batch (worker->plan) ? worker->lengths : NULL;
  evaluation->length_key = length_key (point, micro_batch);
  if (class->shortest == 0.0)
    class->shortest = plg_evaluation_shortest (evaluation, worker->plan);
  if (class->shortest > limit ||
      !plg_evaluation_finish (evaluation, worker->report, worker->plan, limit))
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

/* Returns the lowest bound of the step time over all orders [s]; 0 while the bound of an order is
 * unknown. */
static double
shortest_order (const PlgSearchWorker *worker)
{
  double shortest = G_MAXDOUBLE;

  for (guint i = 0; i < worker->orders->len; i++)
    shortest = MIN (shortest, g_array_index (worker->orders, PlgOrderClass, i).shortest);
  return shortest;
}

/* Tries all schedules and orders with the micro-batch, sequence parallelism, ZeRO stage and
 * recompute of POINT. MICRO_BATCH is the index of the micro-batch. */
static void
try_schedules (PlgSearchWorker *worker, PlgSearchPoint *point, guint micro_batch, gint64 n_orders)
{
  const PlgSearchSpace *space = worker->search->space;
  gboolean has_front = worker->search->options.front[0] != NULL;
  PlgPlan *plan = worker->plan;

  begin_workloads (worker);
  for (guint i = 0; i < worker->schedules->len; i++)
    {
      const PlgScheduleChoice *choice = &g_array_index (worker->schedules, PlgScheduleChoice, i);
      gboolean is_own;
      double memory, work;

      point->schedule = choice->schedule;
      point->chunks = choice->chunks;
      plg_search_space_set (space, point, plan);
      if (!plg_plan_check_schedule (plan, NULL))
        {
          worker->result->counts.illegal += n_orders;
          continue;
        }
      is_own = needs_own_workload (plan);
      if (is_own)
        begin_workloads (worker);
      work = choice->schedule == PLG_SCHEDULE_DUALPIPE ? least_work (worker, micro_batch)->dualpipe
                                                       : least_work (worker, micro_batch)->usual;
      if (!has_front &&
          MAX (shortest_order (worker), shortest_step (worker, work)) > time_limit (worker, 0.0))
        {
          worker->result->counts.bounded += n_orders;
          continue;
        }
      memory = plg_memory_peak (plan, plan->cluster.memory);
      if (memory > plan->cluster.memory)
        {
          worker->result->counts.too_large += n_orders;
          continue;
        }
      if (memory > required_memory (&worker->search->options))
        {
          worker->result->counts.judged += n_orders;
          worker->result->counts.rejected += n_orders;
          continue;
        }
      if (!worker->is_joined)
        plg_order_classes_join (worker->orders, plan, worker->evaluations);
      worker->is_joined = TRUE;
      for (guint j = 0; j < worker->orders->len; j++)
        judge (worker, point, micro_batch, j, memory);
      if (is_own)
        begin_workloads (worker);
    }
}

/* The number of values of the settings that try_stages() varies besides the micro-batch. */
typedef struct
{
  int sequences[2];
  int zeros[4];
  int recomputes[PLG_N_RECOMPUTES];
  int n_sequences;
  int n_zeros;
  int n_recomputes;
  gint64 n_orders;
} StageChoices;

/* Lists the values of all settings with the degrees of POINT. IS_FIRST is TRUE for the first
 * replicate that is tried with these degrees: the others have no effect with ZeRO 0. */
static void
list_stage_choices (PlgSearchWorker *worker,
                    const PlgSearchPoint *point,
                    gboolean is_first,
                    StageChoices *choices)
{
  const PlgSearchSpace *space = worker->search->space;
  const PlgPlan *base = g_ptr_array_index (space->bases, worker->base);
  PlgPlan *plan = worker->plan;
  int *recomputes = choices->recomputes;

  plg_search_space_set (space, point, plan);
  plg_order_classes_list (worker->orders, space, base, &plan->parallelism);
  worker->is_joined = FALSE;
  plg_search_worker_list_schedules (worker);
  choices->n_orders = worker->orders->len;
  choices->n_sequences = list_choices (space, PLG_SEARCH_SEQUENCE, FALSE, TRUE, point->tp > 1,
                                       !!base->parallelism.sequence, choices->sequences);
  /* Without replicas the ZeRO stage still changes the buffers, so it is always tried. */
  choices->n_zeros = list_choices (space, PLG_SEARCH_ZERO, is_first ? 0 : 1, 3, TRUE, 0,
                                   choices->zeros);
  choices->n_recomputes = list_choices (space, PLG_SEARCH_RECOMPUTE, PLG_RECOMPUTE_NONE,
                                        PLG_RECOMPUTE_FULL, TRUE, 0, recomputes);
  /* With flash attention, selective recompute repeats nothing. */
  if (plan->training.flash_attention && choices->n_recomputes > 1 &&
      recomputes[0] == PLG_RECOMPUTE_NONE && recomputes[1] == PLG_RECOMPUTE_SELECTIVE)
    recomputes[1] = recomputes[--choices->n_recomputes];
}

/* Returns TRUE if the worker's plan cannot belong to the result with any order and schedule. WORK is
 * the least work of a micro-batch. */
static gboolean
is_too_slow (const PlgSearchWorker *worker, const PlgLeastWork *work)
{
  return worker->search->options.front[0] == NULL &&
         shortest_step (worker, MIN (work->usual, work->dualpipe)) > time_limit (worker, 0.0);
}

/* Returns TRUE if the micro-batch of POINT divides the samples of a replica. */
static gboolean
divides_batch (const PlgPlan *plan, const PlgSearchPoint *point)
{
  return plan->training.global_batch %
             ((gint64) point->micro_batch * plan->parallelism.degree[PLG_AXIS_DP]) ==
         0;
}

/* Tries all plans with the degrees and the replicate of POINT. */
static void
try_stages (PlgSearchWorker *worker, PlgSearchPoint *point, gboolean is_first)
{
  const PlgSearch *search = worker->search;
  const PlgSearchSpace *space = search->space;
  PlgPlan *plan = worker->plan;
  StageChoices choices;

  list_stage_choices (worker, point, is_first, &choices);
  for (guint i = 0; i < worker->micro_batches->len; i++)
    for (int j = 0; j < choices.n_sequences; j++)
      {
        gint64 rest = (gint64) choices.n_zeros * choices.n_recomputes * worker->schedules->len *
                      choices.n_orders;

        if (g_atomic_int_get (&search->is_cancelled))
          return;
        point->micro_batch = g_array_index (worker->micro_batches, int, i);
        point->sequence = choices.sequences[j];
        worker->result->counts.plans += rest;
        if (!divides_batch (plan, point))
          {
            worker->result->counts.illegal += rest;
            continue;
          }
        plg_search_space_set (space, point, plan);
        if (!plg_plan_check_split (plan, NULL))
          {
            worker->result->counts.illegal += rest;
            continue;
          }
        rest = worker->schedules->len * choices.n_orders;
        for (int k = 0; k < choices.n_zeros * choices.n_recomputes; k++)
          {
            point->zero = choices.zeros[k / choices.n_recomputes];
            point->recompute = choices.recomputes[k % choices.n_recomputes];
            plg_search_space_set (space, point, plan);
            /* ZeRO 2 that keeps whole gradients until the end of the step is ZeRO 1 under another
             * name, so it cannot be better. */
            if (point->zero == 2 && k >= choices.n_recomputes &&
                choices.zeros[k / choices.n_recomputes - 1] == 1 &&
                !plg_gradients_are_sharded (plan))
              {
                worker->result->counts.bounded += rest;
                continue;
              }
            if (is_too_slow (worker, least_work (worker, i)))
              worker->result->counts.bounded += rest;
            else
              try_schedules (worker, point, i, choices.n_orders);
          }
      }
}

/* Returns TRUE if no plan with the TP, CP, EP and ETP of POINT can belong to the result.
 *
 * The bound of the step time does not depend on PP: with half as many stages, twice as many
 * replicas share the batch, so each stage runs twice the layers for half of the micro-batches. No
 * operation and no collective takes more than k times as long for k times the micro-batch, so the
 * work per sample is least with the least common multiple of all micro-batches that divide the
 * samples of a replica, even if that multiple is not among the choices. (The largest micro-batch does
 * not suffice: the last wave of a product's tiles can be emptier than with a smaller micro-batch.)
 * Recompute only adds work. */
static gboolean
is_unit_too_slow (PlgSearchWorker *worker, PlgSearchPoint *point)
{
  const PlgSearchSpace *space = worker->search->space;
  int recompute = PLG_RECOMPUTE_NONE;

  while (recompute < PLG_RECOMPUTE_FULL &&
         !plg_search_space_allows (space, PLG_SEARCH_RECOMPUTE, recompute))
    recompute++;
  point->recompute = (guint8) recompute;
  point->micro_batch = 0;
  for (guint j = 0; j < worker->degrees->len; j++)
    {
      PlgSearchPoint trial = *point;
      int common = 1;
      gboolean divides = FALSE;

      trial.pp = g_array_index (worker->degrees, int, j);
      for (guint i = 0; i < worker->micro_batches->len; i++)
        {
          trial.micro_batch = g_array_index (worker->micro_batches, int, i);
          plg_search_space_set (space, &trial, worker->plan);
          if (!divides_batch (worker->plan, &trial))
            continue;
          common = (int) plg_least_common_multiple (common, trial.micro_batch);
          divides = TRUE;
        }
      trial.micro_batch = common;
      if (!divides)
        continue;
      if (point->micro_batch == 0 || common % point->micro_batch == 0)
        *point = trial;
      else if (point->micro_batch % common != 0)
        return FALSE;
    }
  if (point->micro_batch == 0)
    return FALSE;
  for (int sequence = 0; sequence < (point->tp > 1 ? 2 : 1); sequence++)
    {
      PlgLeastWork work;

      point->sequence = (guint8) sequence;
      plg_search_space_set (space, point, worker->plan);
      work = plg_workload_least (&worker->scratch, worker->plan, TRUE);
      if (!is_too_slow (worker, &work))
        return FALSE;
    }
  return TRUE;
}

/* Tries the plans with the PP of POINT and all values of replicate. If SKIPS_ALL is
 * set, counts them as bounded instead. */
static void
try_replicates (PlgSearchWorker *worker, PlgSearchPoint *point, gboolean skips_all)
{
  const PlgSearchSpace *space = worker->search->space;
  gboolean is_first = TRUE;
  StageChoices choices;
  int limit;

  plg_length_cache_clear (worker->lengths);
  point->replicate = 1;
  plg_search_space_set (space, point, worker->plan);
  limit = plg_parallelism_replicate_limit (&worker->plan->parallelism);
  plg_search_space_list (space, PLG_SEARCH_REPLICATE, limit, worker->replicates);
  for (guint i = 0; i < worker->replicates->len; i++)
    {
      point->replicate = g_array_index (worker->replicates, int, i);
      if (limit % point->replicate != 0)
        continue;
      if (skips_all)
        {
          gint64 n;

          list_stage_choices (worker, point, is_first, &choices);
          n = (gint64) worker->micro_batches->len * choices.n_sequences * choices.n_zeros *
              choices.n_recomputes * worker->schedules->len * choices.n_orders;
          worker->result->counts.plans += n;
          worker->result->counts.bounded += n;
        }
      else
        try_stages (worker, point, is_first);
      is_first = FALSE;
    }
}

void
plg_search_worker_try (PlgSearchWorker *worker, const PlgSearchUnit *unit)
{
  const PlgSearch *search = worker->search;
  const PlgSearchSpace *space = search->space;
  const PlgPlan *base = g_ptr_array_index (space->bases, unit->base);
  PlgSearchPoint point;
  int stages = plg_plan_world (base) / unit->tp / unit->cp;
  gboolean skips_all;
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
  worker->work = g_renew (PlgLeastWork, worker->work, n_work);
  for (gsize i = 0; i < n_work; i++)
    worker->work[i].usual = NAN;
  plg_search_worker_forget_factors (worker);
  if (g_str_equal (search->options.by->name, "step-time"))
    worker->by_over_time = 1.0;

  plg_search_space_list (space, PLG_SEARCH_PP, stages, worker->degrees);
  for (guint i = 0; i < worker->degrees->len;)
    {
      int pp = g_array_index (worker->degrees, int, i);

      if (pp <= base->model.layers + 2 && stages % pp == 0 &&
          plg_search_space_allows (space, PLG_SEARCH_DP, stages / pp))
        i++;
      else
        g_array_remove_index (worker->degrees, i);
    }
  skips_all = is_unit_too_slow (worker, &point);
  for (guint i = 0; i < worker->degrees->len; i++)
    {
      point.pp = g_array_index (worker->degrees, int, i);
      try_replicates (worker, &point, skips_all);
    }
}

void
plg_search_worker_forget_factors (PlgSearchWorker *worker)
{
  worker->by_over_time = 0.0;
  for (guint i = 0; i < worker->search->options.n_requirements; i++)
    worker->required_over_time[i] = 0.0;
}

void
plg_search_worker_init (PlgSearchWorker *worker, PlgSearch *search)
{
  worker->search = search;
  worker->base = -1;
  worker->required_over_time = g_new0 (double, search->options.n_requirements);
  worker->report = plg_report_new ();
  worker->lengths = plg_length_cache_new ();
  worker->micro_batches = g_array_new (FALSE, FALSE, sizeof (int));
  worker->degrees = g_array_new (FALSE, FALSE, sizeof (int));
  worker->replicates = g_array_new (FALSE, FALSE, sizeof (int));
  worker->schedules = g_array_new (FALSE, FALSE, sizeof (PlgScheduleChoice));
  worker->orders = g_array_new (FALSE, FALSE, sizeof (PlgOrderClass));
}

void
plg_search_worker_clear (PlgSearchWorker *worker)
{
  plg_report_unref (worker->report);
  plg_length_cache_free (worker->lengths);
  if (worker->plan != NULL)
    plg_plan_free (worker->plan);
  g_array_unref (worker->micro_batches);
  g_array_unref (worker->degrees);
  g_array_unref (worker->replicates);
  g_array_unref (worker->schedules);
  g_array_unref (worker->orders);
  g_free (worker->work);
  g_free (worker->required_over_time);
}
