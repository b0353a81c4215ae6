/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search.h"

#include "engine/evaluation.h"
#include "engine/model/flops.h"
#include "engine/model/kernel.h"
#include "engine/model/memory.h"
#include "engine/network/groups.h"
#include "plan/plan-check.h"

#include <math.h>
#include <string.h>

/* The search tries the space in units, the plans with the same base, TP, CP, EP and ETP. Threads
 * try the units of a batch at the same time. The bound that decides which plans are skipped is
 * taken from the batches before, and from the unit itself, so it does not depend on the timing of
 * the threads. The first batches are small, so that a good bound is known early. */
#define FIRST_BATCH 1
#define LARGEST_BATCH 32

#define N_RECOMPUTES 3
#define N_SCHEDULES 6

typedef struct
{
  int base;
  int tp;
  int cp;
  int ep;
  int etp;
} Unit;

/* The schedule of a plan and its number of chunks. */
typedef struct
{
  int schedule;
  int chunks;
} ScheduleChoice;

/* The plans that compete: the best ones, sorted, and those on the Pareto front, sorted by the
 * first metric. */
typedef struct
{
  GArray *best;  /* PlgFoundPlan */
  GArray *front; /* PlgFoundPlan */
} Ranking;

/* The results of a unit. The ranking starts with the best plans of the earlier batches. */
typedef struct
{
  Ranking ranking;
  GArray *found; /* PlgFoundPlan: the plans that entered the ranking, or all evaluated plans */
  PlgSearchProgress counts;
} UnitResult;

/* The state of one thread. */
typedef struct
{
  PlgSearch *search;
  PlgReport *report;
  PlgPlan *plan; /* a copy of the base plan of the unit, changed to the plan being tried */
  int base;      /* the base plan of PLAN; -1 for none */
  GArray *stages;
  GArray *micro_batches;
  GArray *pp_degrees;
  GArray *schedules;                       /* ScheduleChoice */
  GArray *orders;                          /* OrderClass */
  gboolean is_joined;                      /* whether the orders have been joined */
  PlgEvaluation evaluations[PLG_N_ORDERS]; /* prepared for each of the orders */
  PlgEvaluation own_evaluation;
  double *work;        /* see shortest_step(); NaN if unknown; indexed by micro-batch, sequence
                           parallelism and recompute */
  double by_over_time; /* see best_time_limit(); 0 if unknown */
  UnitResult *result;
} Worker;

struct _PlgSearch
{
  PlgSearchSpace *space;
  PlgSearchOptions options;
  GArray *units; /* Unit */
  gint is_cancelled;

  /* The batch that the threads try. */
  guint batch_first;
  guint batch_size;
  gint next; /* the next unit of the batch that no thread has taken */
  UnitResult results[LARGEST_BATCH];


  GMutex mutex;  /* protects the members below */
  GArray *seeds; /* PlgFoundPlan: the best plans of a quick first look, sorted; they change only
                    before the first batch */
  PlgSearchProgress progress;
  Ranking ranking;
  GArray *judged; /* PlgFoundPlan; empty unless all evaluated plans are kept */
};

/* Nesting orders that place all groups alike, so that all figures are equal. */
typedef struct
{
  int order; /* the order that stands for the class */
  int n;
  double shortest; /* lower bound of the step time, if the worker has an evaluation of the order
                      [s] */
} OrderClass;

/* Stores the divisors of N in DIVISORS, in ascending order. */
static void
set_divisors (GArray *divisors, int n)
{
  guint middle = 0;

  g_array_set_size (divisors, 0);
  for (int i = 1; (gint64) i * i <= n; i++)
    if (n % i == 0)
      {
        int other = n / i;

        g_array_insert_val (divisors, middle, i);
        middle++;
        if (other != i)
          g_array_insert_val (divisors, middle, other);
      }
}

/* Stores the values to try for KEY: the listed values, or the divisors of N. */
static void
set_values (GArray *values, const PlgSearchSpace *space, PlgSearchKey key, int n)
{
  const GArray *allowed = space->allowed[key];

  if (allowed == NULL)
    set_divisors (values, n);
  else
    {
      g_array_set_size (values, 0);
      g_array_append_vals (values, allowed->data, allowed->len);
    }
}

/* Ranking */

static double
signed_value (const PlgMetric *metric, double value)
{
  return plg_metric_is_better_high (metric) ? -value : value;
}

/* Compares by rank, then by memory, then by the plan, so that the order of equally good plans is
 * always the same. */
static int
compare_found (const PlgSearchOptions *options, const PlgFoundPlan *a, const PlgFoundPlan *b)
{
  double first = signed_value (options->by, a->by), second = signed_value (options->by, b->by);

  if (first != second)
    return first < second ? -1 : 1;
  if (a->memory != b->memory)
    return a->memory < b->memory ? -1 : 1;
  return memcmp (&a->point, &b->point, sizeof a->point);
}

/* Returns TRUE if FOUND is among the best. */
static gboolean
add_to_best (GArray *best, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  guint at = best->len;

  while (at > 0 && compare_found (options, found, &g_array_index (best, PlgFoundPlan, at - 1)) < 0)
    at--;
  if (at >= options->top)
    return FALSE;
  g_array_insert_val (best, at, *found);
  if (best->len > options->top)
    g_array_set_size (best, options->top);
  return TRUE;
}

/* Adds FOUND to the Pareto front unless a plan of the front is at least as good in both metrics,
 * and removes the plans that FOUND beats. Returns TRUE if FOUND is on the front. */
static gboolean
add_to_front (GArray *front, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  double x = signed_value (options->front[0], found->front[0]);
  double y = signed_value (options->front[1], found->front[1]);
  guint at = 0;

  for (guint i = 0; i < front->len;)
    {
      const PlgFoundPlan *other = &g_array_index (front, PlgFoundPlan, i);
      double other_x = signed_value (options->front[0], other->front[0]);
      double other_y = signed_value (options->front[1], other->front[1]);

      if (other_x == x && other_y == y && compare_found (options, found, other) < 0)
        {
          g_array_index (front, PlgFoundPlan, i) = *found;
          return TRUE;
        }
      if (other_x <= x && other_y <= y)
        return FALSE;
      if (other_x >= x && other_y >= y)
        {
          g_array_remove_index (front, i);
          continue;
        }
      i++;
      if (other_x < x)
        at = i;
    }
  g_array_insert_val (front, at, *found);
  return TRUE;
}

/* Returns TRUE if FOUND is among the best or on the front. */
static gboolean
ranking_add (Ranking *ranking, const PlgSearchOptions *options, const PlgFoundPlan *found)
{
  gboolean is_best = add_to_best (ranking->best, options, found);

  return (options->front[0] != NULL && add_to_front (ranking->front, options, found)) || is_best;
}

static void
ranking_copy (Ranking *to, const Ranking *from)
{
  g_array_set_size (to->best, 0);
  g_array_append_vals (to->best, from->best->data, from->best->len);
  g_array_set_size (to->front, 0);
  g_array_append_vals (to->front, from->front->data, from->front->len);
}

static Ranking
ranking_new (void)
{
  return (Ranking) { g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan)),
                     g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan)) };
}

static void
ranking_clear (Ranking *ranking)
{
  g_array_unref (ranking->best);
  g_array_unref (ranking->front);
}

/* Bounds */

/* Returns the longest step time with which a plan of MEMORY bytes can be among the best [s].
 * Metrics that grow or shrink with the step time have a limit once enough plans are found. The
 * factor between the metric and the step time is the same for all plans of a base. */
static double
best_time_limit (const Worker *worker, double memory)
{
  const PlgSearchOptions *options = &worker->search->options;
  const GArray *best = worker->result->ranking.best, *seeds = worker->search->seeds;
  double last;

  /* The seeds limit the search too, because each of them is a plan of the space. */
  if (seeds->len == options->top &&
      (best->len < options->top ||
       compare_found (options, &g_array_index (seeds, PlgFoundPlan, seeds->len - 1),
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
front_time_limit (const Worker *worker, double memory)
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
time_limit (const Worker *worker, double memory)
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
  double mtp = MAX (plan->model.mtp_layers, 0);
  int moe_layers = plg_transformer_moe_layers (&plan->model);
  const double count[PLG_N_PIECES] = {
    [PLG_PIECE_EMBEDDING] = 1.0,
    [PLG_PIECE_DENSE] = plan->model.layers - moe_layers + (moe_layers > 0 ? 0.0 : mtp),
    [PLG_PIECE_MOE] = moe_layers > 0 ? moe_layers + mtp : 0.0,
    [PLG_PIECE_PROJECTION] = mtp,
    [PLG_PIECE_OUTPUT] = 1.0 + mtp,
  };
  double work = 0.0;

  for (int i = 0; i < PLG_N_PIECES; i++)
    if (count[i] > 0.0 && plg_plan_has_piece (plan, i))
      {
        PlgKernelTime time = plg_kernel_time (plan, i);

        work += count[i] * (time.forward + time.input + time.weight + time.recompute);
      }
  return work;
}

/* Returns a lower bound of the step time of the worker's plan [s]: the compute time of the average
 * stage. MICRO_BATCH is the index of the plan's micro-batch. */
static double
shortest_step (Worker *worker, guint micro_batch)
{
  const PlgPlan *plan = worker->plan;
  double *work = &worker->work[(micro_batch * 2 + !!plan->parallelism.sequence) * N_RECOMPUTES +
                               plan->training.recompute];

  if (isnan (*work))
    *work = model_work (plan);
  return *work * plg_plan_micro_batches (plan) / plan->parallelism.degree[PLG_AXIS_PP] *
         (1.0 - 1e-9);
}

/* Orders */

static gboolean
equal_extents (const PlgGroupExtent *a, const PlgGroupExtent *b)
{
  return a->size == b->size && a->nodes == b->nodes && a->per_node == b->per_node &&
         a->ring_uplink_use == b->ring_uplink_use && a->pair_uplink_use == b->pair_uplink_use &&
         a->intra_loss == b->intra_loss && a->inter_loss == b->inter_loss && a->inside == b->inside;
}

/* Returns the extents of all groups of PLAN and of the hops between its stages, as an array of
 * PlgGroupExtent. Two plans with equal extents that differ only in their order have equal
 * figures. */
static GArray *
group_extents (const PlgPlan *plan)
{
  GArray *extents = g_array_new (FALSE, FALSE, sizeof (PlgGroupExtent));
  int stages = plan->parallelism.degree[PLG_AXIS_PP];
  PlgGroupExtent extent;
  PlgFabric fabric;
  PlgGroups groups;

  plg_fabric_of_plan (&fabric, plan);
  for (int kind = 0; kind < PLG_N_GROUP_KINDS; kind++)
    {
      plg_groups_init (&groups, &plan->parallelism, kind);
      extent = plg_groups_extent (&groups, plan, &fabric);
      g_array_append_val (extents, extent);
      if (kind == PLG_GROUP_CP)
        {
          extent = plg_groups_neighbours (&groups, plan, &fabric);
          g_array_append_val (extents, extent);
        }
    }
  plg_groups_init (&groups, &plan->parallelism, PLG_GROUP_PP);
  for (int i = 0; i < stages && stages > 1; i++)
    {
      extent = plg_groups_hop (&groups, plan, &fabric, i, (i + 1) % stages);
      g_array_append_val (extents, extent);
    }
  return extents;
}

/* Returns TRUE if the axes with a degree above 1 are in the same order in A and B. */
static gboolean
is_same_order (const PlgAxis *a, const PlgAxis *b, const int *degree)
{
  int i = 0, j = 0;

  for (;;)
    {
      while (i < PLG_N_NESTED_AXES && degree[a[i]] == 1)
        i++;
      while (j < PLG_N_NESTED_AXES && degree[b[j]] == 1)
        j++;
      if (i == PLG_N_NESTED_AXES || j == PLG_N_NESTED_AXES)
        return i == j;
      if (a[i++] != b[j++])
        return FALSE;
    }
}

/* Lists the orders of the worker's degrees, one for each group of orders that name the same
 * placement. Starts with the order of the base plan, which then stands for its class. */
static void
set_orders (Worker *worker)
{
  const PlgSearchSpace *space = worker->search->space;
  const PlgPlan *base = g_ptr_array_index (space->bases, worker->base);
  const int *degree = worker->plan->parallelism.degree;

  g_array_set_size (worker->orders, 0);
  for (int i = -1; i < PLG_N_ORDERS; i++)
    {
      OrderClass class = { i, 1, 0.0 };
      gboolean is_new = TRUE;

      for (int j = 0; i < 0 && j < PLG_N_ORDERS; j++)
        if (memcmp (plg_search_order (j), base->parallelism.order,
                    sizeof base->parallelism.order) == 0)
          class.order = j;
      for (guint j = 0; j < worker->orders->len && is_new; j++)
        is_new = !is_same_order (plg_search_order (g_array_index (worker->orders, OrderClass, j)
                                                       .order),
                                 plg_search_order (class.order), degree);
      if (is_new && plg_search_space_allows (space, PLG_SEARCH_ORDER, class.order))
        g_array_append_val (worker->orders, class);
    }
}

/* Joins the orders of the worker that place all groups alike. A fault slows only the groups that
 * use the faulty part, so no orders are joined in a cluster with faults. */
static void
join_orders (Worker *worker)
{
  g_autoptr (GPtrArray) extents = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  PlgPlan *plan = worker->plan;

  if (plan->cluster.n_faults > 0)
    return;
  for (guint i = 0; i < worker->orders->len;)
    {
      GArray *own;
      gboolean is_new = TRUE;

      memcpy (plan->parallelism.order,
              plg_search_order (g_array_index (worker->orders, OrderClass, i).order),
              sizeof plan->parallelism.order);
      own = group_extents (plan);
      for (guint j = 0; j < extents->len && is_new; j++)
        {
          const GArray *other = g_ptr_array_index (extents, j);

          is_new = FALSE;
          for (guint k = 0; k < own->len && !is_new; k++)
            is_new = !equal_extents (&g_array_index (own, PlgGroupExtent, k),
                                     &g_array_index (other, PlgGroupExtent, k));
          if (!is_new)
            g_array_index (worker->orders, OrderClass, j).n++;
        }
      if (is_new)
        {
          g_ptr_array_add (extents, own);
          i++;
          continue;
        }
      g_array_unref (own);
      g_array_remove_index (worker->orders, i);
    }
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
        ScheduleChoice choice = { schedule, chunks };

        g_array_append_val (choices, choice);
        if (is_double || pp == 1)
          return;
      }
  /* Without a pipeline, the number of chunks has no effect. */
  if (pp == 1 && choices->len == before && (!is_interleaved || allowed == NULL))
    {
      ScheduleChoice choice = { schedule, first };

      g_array_append_val (choices, choice);
    }
}

/* Lists the schedules of the worker's plan, whose PP is set. Without a pipeline all schedules
 * that can exist are the same, so only one of them is listed. */
static void
set_schedules (Worker *worker)
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

static gboolean
has_replicas (const PlgPlan *plan)
{
  const int *degree = plan->parallelism.degree;

  return degree[PLG_AXIS_DP] * degree[PLG_AXIS_CP] > 1 ||
         (plg_transformer_is_moe (&plan->model) && plg_expert_data_parallel (plan) > 1);
}

static double
memory_peak (Worker *worker)
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
prepare_orders (Worker *worker)
{
  for (guint i = 0; i < worker->orders->len; i++)
    {
      OrderClass *class = &g_array_index (worker->orders, OrderClass, i);

      set_order (worker->plan, class->order);
      plg_evaluation_prepare (&worker->evaluations[i], worker->plan);
      class->shortest = plg_evaluation_shortest (&worker->evaluations[i]);
    }
}

/* Fills FOUND from the worker's report. Returns FALSE if the report does not meet the requirements
 * or lacks the ranking metric. */
static gboolean
read_report (Worker *worker, PlgFoundPlan *found)
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
judge (Worker *worker, PlgSearchPoint *point, guint i, double memory)
{
  PlgSearch *search = worker->search;
  const PlgSearchOptions *options = &search->options;
  const OrderClass *class = &g_array_index (worker->orders, OrderClass, i);
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
  if (!read_report (worker, &found))
    worker->result->counts.rejected += class->n;
  else if (ranking_add (&worker->result->ranking, options, &found) ||
           (options->keeps_judged &&
            search->judged->len + worker->result->found->len < PLG_MAX_JUDGED_KEPT))
    g_array_append_val (worker->result->found, found);
}

/* Tries all schedules and orders with the micro-batch, sequence parallelism, ZeRO stage and
 * recompute of POINT. */
static void
try_schedules (Worker *worker, PlgSearchPoint *point, gint64 n_orders)
{
  const PlgSearchSpace *space = worker->search->space;
  PlgPlan *plan = worker->plan;
  gboolean is_prepared = FALSE;

  for (guint i = 0; i < worker->schedules->len; i++)
    {
      const ScheduleChoice *choice = &g_array_index (worker->schedules, ScheduleChoice, i);
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
            shortest = MIN (shortest, g_array_index (worker->orders, OrderClass, j).shortest);
          if (shortest > time_limit (worker, 0.0))
            {
              worker->result->counts.bounded += n_orders;
              continue;
            }
        }
      memory = memory_peak (worker);
      if (memory > plan->cluster.memory)
        {
          worker->result->counts.too_large += n_orders;
          continue;
        }
      if (!worker->is_joined)
        join_orders (worker);
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
try_stages (Worker *worker, PlgSearchPoint *point)
{
  const PlgSearch *search = worker->search;
  const PlgSearchSpace *space = search->space;
  PlgPlan *plan = worker->plan;
  int sequences[2], zeros[4], recomputes[N_RECOMPUTES];
  int n_sequences, n_zeros, n_recomputes;
  const PlgPlan *base = g_ptr_array_index (space->bases, worker->base);
  gint64 n_orders = 0;

  plg_search_space_set (space, point, plan);
  set_orders (worker);
  worker->is_joined = FALSE;
  set_schedules (worker);
  n_orders = worker->orders->len;
  n_sequences = list_choices (space, PLG_SEARCH_SEQUENCE, FALSE, TRUE, point->tp > 1,
                              !!base->parallelism.sequence, sequences);
  n_zeros = list_choices (space, PLG_SEARCH_ZERO, 0, 3, has_replicas (plan), base->parallelism.zero,
                          zeros);
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

static void
try_unit (Worker *worker, const Unit *unit)
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
  set_values (worker->micro_batches, space, PLG_SEARCH_MICRO_BATCH, base->training.global_batch);
  n_work = (gsize) worker->micro_batches->len * 2 * N_RECOMPUTES;
  worker->work = g_renew (double, worker->work, n_work);
  for (gsize i = 0; i < n_work; i++)
    worker->work[i] = NAN;
  worker->by_over_time = g_str_equal (search->options.by->name, "step-time") ? 1.0 : 0.0;

  set_values (worker->pp_degrees, space, PLG_SEARCH_PP, world / unit->tp / unit->cp);
  for (guint i = 0; i < worker->pp_degrees->len; i++)
    {
      point.pp = g_array_index (worker->pp_degrees, int, i);
      if (point.pp <= base->model.layers + 2 && world / unit->tp / unit->cp % point.pp == 0 &&
          plg_search_space_allows (space, PLG_SEARCH_DP, world / unit->tp / unit->cp / point.pp))
        try_stages (worker, &point);
    }
}

/* The quick first look */

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
look_at (Worker *worker, const PlgSearchPoint *point)
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
  if (!plg_plan_check_split (plan, NULL) || !plg_plan_check_schedule (plan, NULL))
    return G_MAXDOUBLE;
  found.memory = memory_peak (worker);
  if (found.memory > plan->cluster.memory)
    return 1e30 * found.memory;
  worker->own_evaluation.workload_stage = -1;
  plg_evaluation_finish (&worker->own_evaluation, worker->report, plan, G_MAXDOUBLE);
  if (!read_report (worker, &found) || !is_allowed (search->space, point, plan))
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
      add_to_best (search->seeds, &search->options, &found);
      g_mutex_unlock (&search->mutex);
    }
  return found.time;
}

/* Replaces POINT by CHANGED if CHANGED is better. */
static void
look_further (Worker *worker, PlgSearchPoint *point, double *score, const PlgSearchPoint *changed)
{
  double other = look_at (worker, changed);

  if (other >= *score)
    return;
  *score = other;
  *point = *changed;
}

/* Changes one degree of the plan at POINT at a time to the degree that gives the best plan. */
static void
look_at_degrees (Worker *worker, PlgSearchPoint *point, double *score)
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

      set_values (worker->pp_degrees, space, degrees[i].key, degrees[i].multiple);
      for (guint j = 0; j < worker->pp_degrees->len; j++)
        {
          changed = *point;
          G_STRUCT_MEMBER (int, &changed, offset) = g_array_index (worker->pp_degrees, int, j);
          look_further (worker, point, score, &changed);
        }
    }
}

/* Changes one of the other settings of the plan at POINT at a time. */
static void
look_at_settings (Worker *worker, PlgSearchPoint *point, double *score)
{
  const PlgSearchSpace *space = worker->search->space;
  PlgSearchPoint changed;

  for (int zero = 0; zero <= 3; zero++)
    for (int recompute = 0; recompute < N_RECOMPUTES; recompute++)
      {
        changed = *point;
        changed.zero = (guint8) zero;
        changed.recompute = (guint8) recompute;
        changed.sequence = point->tp > 1 && plg_search_space_allows (space, PLG_SEARCH_SEQUENCE, 1);
        look_further (worker, point, score, &changed);
      }
  plg_search_space_set (space, point, worker->plan);
  set_schedules (worker);
  for (guint i = 0; i < worker->schedules->len; i++)
    {
      const ScheduleChoice *choice = &g_array_index (worker->schedules, ScheduleChoice, i);

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
}

/* Finds good plans near the plan of the space, changing one setting at a time. Their times limit
 * the search from its start. */
static void
take_first_look (Worker *worker)
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
  point.chunks = parallelism->chunks;
  point.zero = (guint8) parallelism->zero;
  point.sequence = !!parallelism->sequence;
  point.micro_batch = base->training.micro_batch;
  point.schedule = (guint8) base->training.schedule;
  point.recompute = (guint8) base->training.recompute;
  for (int i = 0; i < PLG_N_ORDERS; i++)
    if (memcmp (plg_search_order (i), parallelism->order, sizeof parallelism->order) == 0)
      point.order = (guint8) i;
  if (worker->plan == NULL)
    worker->plan = plg_plan_copy (base);
  worker->base = 0;
  worker->by_over_time = 0.0;
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

/* Units */

/* Compares units so that those come first that usually contain the best plans: the unit of the
 * best seed, then small CP and ETP, TP near the number of GPUs in a node, and large EP. */
static int
compare_units (gconstpointer a, gconstpointer b, gpointer data)
{
  const PlgSearch *search = data;
  const Unit *first = a, *second = b;
  const PlgPlan *base = g_ptr_array_index (search->space->bases, first->base);
  double node = base->cluster.gpus_per_node;

  if (search->seeds->len > 0)
    {
      const PlgSearchPoint *seed = &g_array_index (search->seeds, PlgFoundPlan, 0).point;
      gboolean is_first = first->base == seed->base && first->tp == seed->tp &&
                          first->cp == seed->cp && first->ep == seed->ep && first->etp == seed->etp;
      gboolean is_second = second->base == seed->base && second->tp == seed->tp &&
                           second->cp == seed->cp && second->ep == seed->ep &&
                           second->etp == seed->etp;

      if (is_first != is_second)
        return is_first ? -1 : 1;
    }
  if (first->cp != second->cp)
    return first->cp - second->cp;
  if (first->etp != second->etp)
    return first->etp - second->etp;
  if (first->tp != second->tp)
    {
      double far = fabs (log2 (first->tp / node)), other = fabs (log2 (second->tp / node));

      return far != other ? (far < other ? -1 : 1) : first->tp - second->tp;
    }
  if (first->ep != second->ep)
    return second->ep - first->ep;
  return first->base - second->base;
}

/* Batches */

static void
worker_init (Worker *worker, PlgSearch *search)
{
  memset (worker, 0, sizeof *worker);
  worker->search = search;
  worker->base = -1;
  worker->report = plg_report_new ();
  worker->stages = g_array_new (FALSE, FALSE, sizeof (PlgStageMemory));
  worker->micro_batches = g_array_new (FALSE, FALSE, sizeof (int));
  worker->pp_degrees = g_array_new (FALSE, FALSE, sizeof (int));
  worker->schedules = g_array_new (FALSE, FALSE, sizeof (ScheduleChoice));
  worker->orders = g_array_new (FALSE, FALSE, sizeof (OrderClass));
}

static void
worker_clear (Worker *worker)
{
  plg_report_unref (worker->report);
  if (worker->plan != NULL)
    plg_plan_free (worker->plan);
  g_array_unref (worker->stages);
  g_array_unref (worker->micro_batches);
  g_array_unref (worker->pp_degrees);
  g_array_unref (worker->schedules);
  g_array_unref (worker->orders);
  g_free (worker->work);
}

static gpointer
run_thread (gpointer data)
{
  Worker *worker = data;
  PlgSearch *search = worker->search;

  for (;;)
    {
      guint i = (guint) g_atomic_int_add (&search->next, 1);

      if (i >= search->batch_size || g_atomic_int_get (&search->is_cancelled))
        return NULL;
      worker->result = &search->results[i];
      try_unit (worker, &g_array_index (search->units, Unit, search->batch_first + i));
    }
}

/* Adds the results of the batch to those of the search, in the order of the units. */
static void
collect_batch (PlgSearch *search)
{
  g_mutex_lock (&search->mutex);
  for (guint i = 0; i < search->batch_size; i++)
    {
      const UnitResult *result = &search->results[i];
      const PlgSearchProgress *counts = &result->counts;

      for (guint j = 0; j < result->found->len; j++)
        ranking_add (&search->ranking, &search->options,
                     &g_array_index (result->found, PlgFoundPlan, j));
      if (search->options.keeps_judged)
        g_array_append_vals (search->judged, result->found->data, result->found->len);
      search->progress.plans += counts->plans;
      search->progress.illegal += counts->illegal;
      search->progress.too_large += counts->too_large;
      search->progress.bounded += counts->bounded;
      search->progress.judged += counts->judged;
      search->progress.rejected += counts->rejected;
    }
  search->progress.share_done = (double) (search->batch_first + search->batch_size) /
                                search->units->len;
  g_mutex_unlock (&search->mutex);
}

/* Tries the units of the batch in N threads, of which one is the calling thread. */
static void
run_batch (PlgSearch *search, Worker *workers, guint n)
{
  g_autofree GThread **threads = g_new (GThread *, n);

  for (guint i = 0; i < search->batch_size; i++)
    {
      UnitResult *result = &search->results[i];

      ranking_copy (&result->ranking, &search->ranking);
      g_array_set_size (result->found, 0);
      result->counts = (PlgSearchProgress) { 0 };
    }
  g_atomic_int_set (&search->next, 0);
  n = MIN (n, search->batch_size);
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("search", run_thread, &workers[i]);
  run_thread (&workers[0]);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}

void
plg_search_run (PlgSearch *search)
{
  guint n = search->options.threads > 0 ? search->options.threads : g_get_num_processors ();
  guint size = FIRST_BATCH;
  g_autofree Worker *workers = NULL;

  n = MIN (n, LARGEST_BATCH);
  workers = g_new (Worker, n);
  for (guint i = 0; i < n; i++)
    worker_init (&workers[i], search);
  /* The step time of a known plan limits the search as well as a first look. */
  if (search->options.slowest == 0.0)
    take_first_look (&workers[0]);
  g_array_sort_with_data (search->units, compare_units, search);
  while (search->batch_first < search->units->len)
    {
      search->batch_size = MIN (size, search->units->len - search->batch_first);
      run_batch (search, workers, n);
      if (g_atomic_int_get (&search->is_cancelled))
        break;
      collect_batch (search);
      search->batch_first += search->batch_size;
      size = MIN (2 * size, LARGEST_BATCH);
    }
  for (guint i = 0; i < n; i++)
    worker_clear (&workers[i]);
  g_mutex_lock (&search->mutex);
  search->progress.is_complete = !g_atomic_int_get (&search->is_cancelled);
  g_mutex_unlock (&search->mutex);
}

void
plg_search_cancel (PlgSearch *search)
{
  g_atomic_int_set (&search->is_cancelled, TRUE);
}

/* Lists the units of the base plan with index BASE. Omits the degrees with which no plan is
 * legal, whatever its PP, batch and schedule. */
static void
add_units (PlgSearch *search, int base)
{
  const PlgSearchSpace *space = search->space;
  g_autoptr (PlgPlan) plan = plg_plan_copy (g_ptr_array_index (space->bases, base));
  int world = plg_plan_world (plan);
  gboolean is_moe = plg_transformer_is_moe (&plan->model);
  g_autoptr (GArray) tp = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) cp = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) ep = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) etp = g_array_new (FALSE, FALSE, sizeof (int));

  set_values (tp, space, PLG_SEARCH_TP, world);
  set_values (cp, space, PLG_SEARCH_CP, world);
  set_values (ep, space, PLG_SEARCH_EP, is_moe ? plan->model.experts : 1);
  set_values (etp, space, PLG_SEARCH_ETP, is_moe ? plan->model.expert_ffn : 1);
  for (guint i = 0; i < tp->len; i++)
    for (guint j = 0; j < cp->len; j++)
      for (guint k = 0; k < ep->len; k++)
        for (guint l = 0; l < etp->len; l++)
          {
            Unit unit = { base, g_array_index (tp, int, i), g_array_index (cp, int, j),
                          g_array_index (ep, int, k), g_array_index (etp, int, l) };
            PlgParallelism *parallelism = &plan->parallelism;

            if ((gint64) unit.tp * unit.cp > world || world % (unit.tp * unit.cp) != 0 ||
                (gint64) unit.ep * unit.etp > world || world % (unit.ep * unit.etp) != 0)
              continue;
            parallelism->degree[PLG_AXIS_TP] = unit.tp;
            parallelism->degree[PLG_AXIS_CP] = unit.cp;
            parallelism->degree[PLG_AXIS_EP] = unit.ep;
            parallelism->degree[PLG_AXIS_PP] = 1;
            parallelism->etp = unit.etp;
            parallelism->sequence = FALSE;
            parallelism->replicate = 1;
            if (plg_plan_check_split (plan, NULL))
              g_array_append_val (search->units, unit);
          }
}

PlgSearch *
plg_search_new (PlgSearchSpace *space, const PlgSearchOptions *options)
{
  PlgSearch *search = g_new0 (PlgSearch, 1);

  g_return_val_if_fail (options->by != NULL && options->top > 0, NULL);
  search->space = space;
  search->options = *options;
  search->units = g_array_new (FALSE, FALSE, sizeof (Unit));
  search->seeds = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  search->ranking = ranking_new ();
  search->judged = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  for (guint i = 0; i < LARGEST_BATCH; i++)
    {
      search->results[i].ranking = ranking_new ();
      search->results[i].found = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
    }
  g_mutex_init (&search->mutex);
  for (guint i = 0; i < space->bases->len; i++)
    add_units (search, (int) i);
  return search;
}

void
plg_search_free (PlgSearch *search)
{
  if (search == NULL)
    return;
  for (guint i = 0; i < LARGEST_BATCH; i++)
    {
      ranking_clear (&search->results[i].ranking);
      g_array_unref (search->results[i].found);
    }
  ranking_clear (&search->ranking);
  g_array_unref (search->seeds);
  g_array_unref (search->judged);
  g_array_unref (search->units);
  g_mutex_clear (&search->mutex);
  plg_search_space_free (search->space);
  g_free (search);
}

const PlgSearchSpace *
plg_search_get_space (const PlgSearch *search)
{
  return search->space;
}

/* Replaces the contents of TO, which may be NULL, with those of FROM. */
static void
copy_found (GArray *to, const GArray *from)
{
  if (to == NULL)
    return;
  g_array_set_size (to, 0);
  g_array_append_vals (to, from->data, from->len);
}

void
plg_search_snapshot (PlgSearch *search,
                     PlgSearchProgress *progress,
                     GArray *best,
                     GArray *front,
                     GArray *judged)
{
  g_mutex_lock (&search->mutex);
  *progress = search->progress;
  /* Until the first batch is done, the seeds are the best plans. */
  copy_found (best, search->ranking.best->len > 0 || search->progress.is_complete
                        ? search->ranking.best
                        : search->seeds);
  copy_found (front, search->ranking.front);
  if (judged != NULL)
    g_array_append_vals (judged, &g_array_index (search->judged, PlgFoundPlan, judged->len),
                         search->judged->len - judged->len);
  g_mutex_unlock (&search->mutex);
}
