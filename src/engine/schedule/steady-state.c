/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-order.h"
#include "engine/schedule/schedule-length.h"

#include <math.h>

/* The order of a schedule block by block, with so few micro-batches that nothing new comes after.
 */

/* Results of a run that are kept, in as much memory as a timeline may have. */
#define MAX_ENDS (PLG_MAX_BLOCKS * 3)

/* A position, ready to run. */
typedef struct
{
  PlgScheduleTime time[PLG_BLOCK_BACKWARD_WEIGHT + 1]; /* by PlgBlockKind */
  int from[2];      /* the position whose result forward, backward waits for; -1: none */
  double travel[2]; /* of that */
} PositionCost;

/* A stage on its way through its order. */
typedef struct
{
  PlgScheduleOrder order;
  PlgScheduleTime free; /* when its last block ends */
  PlgScheduleTime start;
} StageCursor;

/* One run. ENDS has the ends of results by position, micro-batch, and forward or backward; negative
 * while they are not there. */
typedef struct
{
  PlgPipeline pipeline;
  int m; /* micro-batches of a position */
  PositionCost *costs;
  StageCursor *cursors;
  PlgScheduleTime *ends;
} Simulation;

static void
set_position_costs (const PlgPipeline *pipeline, PositionCost *costs)
{
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
}

static inline PlgScheduleTime *
end_of (const Simulation *simulation, int position, int micro_batch, int back)
{
  return &simulation->ends[((gsize) position * simulation->m + micro_batch) * 2 + back];
}

/* A block about to run. */
typedef struct
{
  const PositionCost *cost;
  PlgBlockKind kind;
  PlgScheduleTime *end; /* NULL where nothing waits for it */
} Task;

/* Makes a task of OP on STAGE, and puts off START until it can; FALSE while what it waits for is
 * not there. */
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

/* Runs the walker's next block, or two that run as one: both can start, and both end. */
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

/* Micro-batches of a position until all stages are in the middle of their order, from their last
 * ones there to the end, and how many further back the one is that a block waits for: the end of
 * order.c's longest segments before and after it, and the largest difference of indices in it. */
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
    case PLG_SCHEDULE_INTERLEAVED:
      return (PipelineDepth) { .fill = 2 * p, .drain = 2 * p, .reach = 3 * p };
    case PLG_SCHEDULE_ZB_V:
      return (PipelineDepth) { .fill = 2 * p, .drain = 2 * p, .reach = p + 1 };
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_ZB_H1:
    case PLG_SCHEDULE_DUALPIPE:
    default:
      return (PipelineDepth) { .fill = p + 1, .drain = p + 1, .reach = p + 1 };
    }
}

/* By how much all results are later than those PERIOD micro-batches before, where no stage has
 * begun or ended; FALSE when they differ. What comes then depends on as many results before it as
 * are compared, by sums and maxima alone, and so is later by the same again. */
static gboolean
find_growth (const Simulation *simulation, PipelineDepth depth, int period, PlgScheduleTime *growth)
{
  int until = simulation->m - depth.drain;
  int from = until - depth.reach;

  *growth = (PlgScheduleTime) { end_of (simulation, 0, from, 0)->with_comm -
                                    end_of (simulation, 0, from - period, 0)->with_comm,
                                end_of (simulation, 0, from, 0)->compute_only -
                                    end_of (simulation, 0, from - period, 0)->compute_only };
  for (int i = 0; i < plg_pipeline_positions (&simulation->pipeline); i++)
    for (int j = from; j < until; j++)
      for (int back = 0; back < 2; back++)
        {
          const PlgScheduleTime *end = end_of (simulation, i, j, back);
          const PlgScheduleTime *before = end_of (simulation, i, j - period, back);

          if (fabs (end->with_comm - before->with_comm - growth->with_comm) >
                  PLG_TIME_TOLERANCE * end->with_comm ||
              fabs (end->compute_only - before->compute_only - growth->compute_only) >
                  PLG_TIME_TOLERANCE * end->compute_only)
            return FALSE;
        }
  return TRUE;
}

/* Lays out COURSE for so many micro-batches. FALSE when they are too many. */
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
  if (ends > MAX_ENDS)
    return FALSE;
  space = plg_work_space (blocks, positions * sizeof (PositionCost) +
                                      stages * sizeof (StageCursor) +
                                      ends * sizeof (PlgScheduleTime));
  simulation->costs = (PositionCost *) (void *) space;
  simulation->cursors = (StageCursor *) (void *) (simulation->costs + positions);
  simulation->ends = (PlgScheduleTime *) (void *) (simulation->cursors + stages);
  set_position_costs (pipeline, simulation->costs);
  return TRUE;
}

static double
write_simulation (const Simulation *simulation,
                  double times,
                  PlgScheduleTime growth,
                  PlgStageSpan *spans)
{
  gboolean slanted = simulation->pipeline.schedule == PLG_SCHEDULE_ZB_V;
  double compute_only = 0.0;

  for (int i = 0; i < simulation->pipeline.stages; i++)
    {
      const StageCursor *cursor = &simulation->cursors[i];
      double start = slanted ? cursor->start.compute_only : 0.0;

      spans[i].start = cursor->start.with_comm;
      spans[i].finish = cursor->free.with_comm + times * growth.with_comm;
      compute_only = MAX (compute_only,
                          cursor->free.compute_only + times * growth.compute_only - start);
    }
  return compute_only;
}

/* Micro-batches of a position in a round of the order. */
static int
round_passes (const PlgPipeline *pipeline)
{
  return pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->stages : 1;
}

/* Runs N micro-batches of a schedule; FALSE when they are too many, or do not come to repeat. */
static gboolean
try_simulation (const PlgPipeline *pipeline,
                int n,
                GArray *blocks,
                PlgStageSpan *spans,
                double *compute_only)
{
  int period = round_passes (pipeline), left;
  PlgScheduleTime growth = { 0.0, 0.0 };
  Simulation simulation;

  if (!simulation_init (&simulation, pipeline, n, blocks))
    return FALSE;
  left = plg_pipeline_passes (pipeline) - simulation.m;
  run_simulation (&simulation);
  if (left > 0 && !find_growth (&simulation, depth_of (pipeline), period, &growth))
    return FALSE;
  *compute_only = write_simulation (&simulation, (double) left / period, growth, spans);
  return TRUE;
}

/* At least N micro-batches of a position, so that whole rounds are left over. */
static gint64
complete_rounds (const PlgPipeline *pipeline, gint64 n)
{
  int passes = plg_pipeline_passes (pipeline), period = round_passes (pipeline);

  return n + (passes - n % period + period) % period;
}

/* Begins with the fewest that can show that they repeat. Megatron-LM has no interleaved order for
 * a last round that is not full; ours differs from all before it, and is run to the end. */
gboolean
plg_steady_state_length (const PlgPipeline *pipeline,
                         GArray *blocks,
                         PlgStageSpan *spans,
                         double *compute_only)
{
  int passes = plg_pipeline_passes (pipeline), ways = MAX (pipeline->micro_batches / passes, 1);
  PipelineDepth depth = depth_of (pipeline);
  gint64 n = depth.fill + depth.drain + depth.reach + round_passes (pipeline);

  if (passes % round_passes (pipeline) == 0)
    for (n = complete_rounds (pipeline, n); n < passes; n = complete_rounds (pipeline, 2 * n))
      if (try_simulation (pipeline, ways * n, blocks, spans, compute_only))
        return TRUE;
  return try_simulation (pipeline, pipeline->micro_batches, blocks, spans, compute_only);
}
