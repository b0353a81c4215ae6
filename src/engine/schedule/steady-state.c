/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-order.h"
#include "engine/schedule/schedule-length.h"

#include <math.h>

/* Simulates a schedule block by block, with only as many micro-batches as it takes to reach a
 * steady state. */

/* The block times and the dependencies of a position (a virtual stage, see PlgPosition). */
typedef struct
{
  PlgScheduleTime time[PLG_BLOCK_BACKWARD_WEIGHT + 1]; /* by PlgBlockKind */
  int from[2];      /* by direction (forward, backward): the position that a block depends on, or
                       -1 */
  double travel[2]; /* by direction: time of the message from position FROM [s] */
} PositionCost;

/* The progress of a stage through its order of blocks. */
typedef struct
{
  PlgScheduleOrder order;
  PlgScheduleTime free; /* end of the stage's latest block so far [s] */
  PlgScheduleTime start;
} StageCursor;

/* One simulation. ENDS has the time at which each result is ready, by position, micro-batch and
 * direction (forward, backward). A negative time means that the result is not ready. */
typedef struct
{
  PlgPipeline pipeline;
  int m; /* micro-batches per position */
  PositionCost *costs;
  StageCursor *cursors;
  PlgScheduleTime *ends;
} Simulation;

static inline PlgScheduleTime *
end_of (const Simulation *simulation, int position, int micro_batch, int back)
{
  return &simulation->ends[((gsize) position * simulation->m + micro_batch) * 2 + back];
}

/* A block that the simulation is about to run. */
typedef struct
{
  const PositionCost *cost;
  PlgBlockKind kind;
  PlgScheduleTime *end; /* storage for the block's end time; NULL if no block depends on this
                           block */
} Task;

/* Prepares TASK for ITEM on STAGE, and delays START until the result that ITEM needs has
 * arrived. Returns FALSE if the block with this result has not run. */
static inline gboolean
prepare_task (const Simulation *simulation,
              int stage,
              const PlgScheduleItem *item,
              Task *task,
              PlgScheduleTime *start)
{
  int position = plg_pipeline_position (&simulation->pipeline, stage, item->chunk);
  int back = item->kind != PLG_BLOCK_FORWARD;
  const PlgScheduleTime *ready;

  task->cost = &simulation->costs[position];
  task->kind = item->kind;
  task->end = NULL;
  if (item->kind == PLG_BLOCK_BACKWARD_WEIGHT)
    return TRUE;
  task->end = end_of (simulation, position, item->micro_batch, back);
  if (task->cost->from[back] < 0)
    return TRUE;
  ready = end_of (simulation, task->cost->from[back], item->micro_batch, back);
  if (ready->compute_only < 0.0)
    return FALSE;
  start->with_comm = MAX (start->with_comm, ready->with_comm + task->cost->travel[back]);
  start->compute_only = MAX (start->compute_only, ready->compute_only);
  return TRUE;
}

/* Runs the next block of CURSOR, or a pair of blocks. The blocks of a pair start and end
 * together. */
static gboolean
advance (const Simulation *simulation, StageCursor *cursor)
{
  PlgScheduleTime start = cursor->free, end;
  Task tasks[2];
  int n = 1;

  for (int i = 0; i < n; i++)
    {
      PlgScheduleItem item = plg_schedule_order_peek (&cursor->order, &simulation->pipeline, i);

      n = i == 0 && item.paired ? 2 : n;
      if (!prepare_task (simulation, cursor->order.stage, &item, &tasks[i], &start))
        return FALSE;
    }
  end = start;
  for (int i = 0; i < n; i++)
    end = plg_schedule_time_add (end, tasks[i].cost->time[tasks[i].kind]);
  for (int i = 0; i < n; i++)
    if (tasks[i].end != NULL)
      *tasks[i].end = end;
  if (cursor->start.compute_only < 0.0)
    cursor->start = start;
  cursor->free = end;
  plg_schedule_order_advance (&cursor->order, &simulation->pipeline);
  return TRUE;
}

static void
run_simulation (const Simulation *simulation)
{
  int stages = simulation->pipeline.stages, open = stages;
  gsize n = (gsize) plg_pipeline_positions (&simulation->pipeline) * simulation->m * 2;

  for (gsize i = 0; i < n; i++)
    simulation->ends[i] = (PlgScheduleTime) { -1.0, -1.0 };
  for (int i = 0; i < stages; i++)
    {
      simulation->cursors[i] = (StageCursor) { .start = { -1.0, -1.0 } };
      plg_schedule_order_init (&simulation->cursors[i].order, &simulation->pipeline, i);
    }
  while (open > 0)
    {
      open = 0;
      for (int i = 0; i < stages; i++)
        {
          while (!simulation->cursors[i].order.done &&
                 advance (simulation, &simulation->cursors[i]))
            ;
          open += !simulation->cursors[i].order.done;
        }
    }
}

/* Numbers of micro-batches per position. FILL is how many micro-batches pass before every stage
 * runs the longest segment of its order (see schedule-order.c), DRAIN is how many remain after
 * the first stage finishes this segment, and REACH is the largest distance between a block and a
 * block on which it depends. */
typedef struct
{
  int fill;
  int drain;
  int reach;
} PipelineDepth;

static PipelineDepth
depth_of (const PlgPipeline *pipeline)
{
  int p = pipeline->stages;

  switch (pipeline->schedule)
    {
    case PLG_SCHEDULE_ZB_V:
      return (PipelineDepth) { .fill = 2 * p, .drain = 2 * p, .reach = p + 1 };
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_INTERLEAVED:
    case PLG_SCHEDULE_ZB_H1:
    case PLG_SCHEDULE_DUALPIPE:
    default:
      return (PipelineDepth) { .fill = p + 1, .drain = p + 1, .reach = p + 1 };
    }
}

/* Computes how much the end times grow per micro-batch, and stores the growth in GROWTH. Uses only
 * micro-batches between the filling and the draining of the pipeline. Returns FALSE if their end
 * times grow by different amounts. If they all grow by the same amount, all later end times do too,
 * because they are sums and maxima of these end times. */
static gboolean
find_growth (const Simulation *simulation, PipelineDepth depth, PlgScheduleTime *growth)
{
  int until = simulation->m - depth.drain;
  int from = until - depth.reach;

  *growth = (PlgScheduleTime) { end_of (simulation, 0, from, 0)->with_comm -
                                    end_of (simulation, 0, from - 1, 0)->with_comm,
                                end_of (simulation, 0, from, 0)->compute_only -
                                    end_of (simulation, 0, from - 1, 0)->compute_only };
  for (int i = 0; i < plg_pipeline_positions (&simulation->pipeline); i++)
    for (int j = from; j < until; j++)
      for (int back = 0; back < 2; back++)
        {
          const PlgScheduleTime *end = end_of (simulation, i, j, back);
          const PlgScheduleTime *before = end_of (simulation, i, j - 1, back);

          if (fabs (end->with_comm - before->with_comm - growth->with_comm) >
                  PLG_TIME_TOLERANCE * end->with_comm ||
              fabs (end->compute_only - before->compute_only - growth->compute_only) >
                  PLG_TIME_TOLERANCE * end->compute_only)
            return FALSE;
        }
  return TRUE;
}

/* Allocates SIMULATION for MICRO_BATCHES micro-batches. Returns FALSE if it would need more than
 * PLG_MAX_SIMULATED_ENDS end times. */
static gboolean
simulation_init (Simulation *simulation,
                 const PlgPipeline *pipeline,
                 int micro_batches,
                 GArray *blocks)
{
  gsize positions = plg_pipeline_positions (pipeline), stages = pipeline->stages, ends;
  char *space;

  simulation->pipeline = *pipeline;
  simulation->pipeline.micro_batches = micro_batches;
  simulation->m = plg_pipeline_passes (&simulation->pipeline);
  ends = positions * simulation->m * 2;
  if (ends > PLG_MAX_SIMULATED_ENDS)
    return FALSE;
  space = plg_work_space (blocks, positions * sizeof (PositionCost) +
                                      stages * sizeof (StageCursor) +
                                      ends * sizeof (PlgScheduleTime));
  simulation->costs = (PositionCost *) (void *) space;
  simulation->cursors = (StageCursor *) (void *) (simulation->costs + positions);
  simulation->ends = (PlgScheduleTime *) (void *) (simulation->cursors + stages);

  PositionCost *costs = simulation->costs;

  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    {
      gboolean first = plg_pipeline_is_first (pipeline, i);
      gboolean last = plg_pipeline_is_last (pipeline, i);

      for (PlgBlockKind kind = PLG_BLOCK_FORWARD; kind <= PLG_BLOCK_BACKWARD_WEIGHT; kind++)
        costs[i].time[kind] = plg_schedule_time_of_block (pipeline, kind, i);
      costs[i].from[0] = first ? -1 : i - 1;
      costs[i].from[1] = last ? -1 : i + 1;
      costs[i].travel[0] = first ? 0.0 : plg_pipeline_travel (pipeline, i - 1);
      costs[i].travel[1] = plg_pipeline_travel (pipeline, i);
    }

  return TRUE;
}

/* Runs N micro-batches of a schedule and extrapolates the times to the end of the schedule.
 * Returns FALSE if the simulation needs too much memory, or does not reach a steady state. */
static gboolean
try_simulation (const PlgPipeline *pipeline,
                int n,
                GArray *blocks,
                PlgStageSpan *spans,
                double *compute_only)
{
  gboolean slanted = pipeline->schedule == PLG_SCHEDULE_ZB_V;
  int left;
  PlgScheduleTime growth = { 0.0, 0.0 };
  Simulation simulation;

  if (!simulation_init (&simulation, pipeline, n, blocks))
    return FALSE;
  left = plg_pipeline_passes (pipeline) - simulation.m;
  run_simulation (&simulation);
  if (left > 0 && !find_growth (&simulation, depth_of (pipeline), &growth))
    return FALSE;
  *compute_only = 0.0;
  for (int i = 0; i < pipeline->stages; i++)
    {
      const StageCursor *cursor = &simulation.cursors[i];
      double start = slanted ? cursor->start.compute_only : 0.0;

      spans[i].start = cursor->start.with_comm;
      spans[i].finish = cursor->free.with_comm + left * growth.with_comm;
      *compute_only = MAX (*compute_only,
                           cursor->free.compute_only + left * growth.compute_only - start);
    }
  return TRUE;
}

/* Runs more and more micro-batches until the schedule reaches a steady state, starting with the
 * smallest number that can reach one. An incomplete last round of an interleaved schedule
 * differs from all earlier rounds, so a schedule with an incomplete round is simulated to its
 * end. Megatron-LM defines no order for an incomplete round. */
gboolean
plg_steady_state_length (const PlgPipeline *pipeline,
                         GArray *blocks,
                         PlgStageSpan *spans,
                         double *compute_only)
{
  int passes = plg_pipeline_passes (pipeline), ways = MAX (pipeline->micro_batches / passes, 1);
  PipelineDepth depth = depth_of (pipeline);

  if (pipeline->schedule != PLG_SCHEDULE_INTERLEAVED)
    for (gint64 n = depth.fill + depth.drain + depth.reach + 1; n < passes; n *= 2)
      if (try_simulation (pipeline, ways * n, blocks, spans, compute_only))
        return TRUE;
  return try_simulation (pipeline, pipeline->micro_batches, blocks, spans, compute_only);
}
