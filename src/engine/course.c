/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/order.h"
#include "engine/totals.h"

#include <math.h>

/* The order of a schedule block by block, with so few micro-batches that nothing new comes after.
 */

/* Results of a run that are kept, in as much memory as a timeline may have. */
#define MAX_ENDS (PLG_MAX_BLOCKS * 3)

/* A position, ready to run. */
typedef struct
{
  PlgClock time[PLG_BLOCK_BACKWARD_WEIGHT + 1]; /* by PlgBlockKind */
  int from[2];      /* the position whose result forward, backward waits for; -1: none */
  double travel[2]; /* of that */
} Place;

/* A stage on its way through its order. */
typedef struct
{
  PlgOrder order;
  PlgClock free; /* when its last block ends */
  PlgClock start;
} Walker;

/* One run. ENDS has the ends of results by position, micro-batch, and forward or backward; negative
 * while they are not there. */
typedef struct
{
  PlgPipeline pipeline;
  int m; /* micro-batches of a position */
  Place *places;
  Walker *walkers;
  PlgClock *ends;
} Course;

static void
set_places (const PlgPipeline *pipeline, Place *places)
{
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    {
      gboolean first = plg_pipeline_is_first (pipeline, i);
      gboolean last = plg_pipeline_is_last (pipeline, i);

      for (PlgBlockKind kind = PLG_BLOCK_FORWARD; kind <= PLG_BLOCK_BACKWARD_WEIGHT; kind++)
        places[i].time[kind] = plg_clock_duration (pipeline, kind, i);
      places[i].from[0] = first ? -1 : i - 1;
      places[i].from[1] = last ? -1 : i + 1;
      places[i].travel[0] = first ? 0.0 : plg_pipeline_travel (pipeline, i - 1);
      places[i].travel[1] = plg_pipeline_travel (pipeline, i);
    }
}

static inline PlgClock *
end_of (const Course *course, int position, int micro_batch, int back)
{
  return &course->ends[((gsize) position * course->m + micro_batch) * 2 + back];
}

/* A block about to run. */
typedef struct
{
  const Place *place;
  PlgBlockKind kind;
  PlgClock *end; /* NULL where nothing waits for it */
} Task;

/* Makes a task of OP on STAGE, and puts off START until it can; FALSE while what it waits for is
 * not there. */
static inline gboolean
prepare (const Course *course, int stage, const PlgOp *op, Task *task, PlgClock *start)
{
  int position = plg_pipeline_position (&course->pipeline, stage, op->chunk);
  int back = op->kind != PLG_BLOCK_FORWARD;
  const PlgClock *ready;

  task->place = &course->places[position];
  task->kind = op->kind;
  task->end = NULL;
  if (op->kind == PLG_BLOCK_BACKWARD_WEIGHT)
    return TRUE;
  task->end = end_of (course, position, op->micro_batch, back);
  if (task->place->from[back] < 0)
    return TRUE;
  ready = end_of (course, task->place->from[back], op->micro_batch, back);
  if (ready->alone < 0.0)
    return FALSE;
  start->real = MAX (start->real, ready->real + task->place->travel[back]);
  start->alone = MAX (start->alone, ready->alone);
  return TRUE;
}

/* Runs the walker's next block, or two that run as one: both can start, and both end. */
static gboolean
advance (const Course *course, Walker *walker)
{
  PlgClock start = walker->free, end;
  Task tasks[2];
  int n = 1;

  for (int i = 0; i < n; i++)
    {
      PlgOp op = plg_order_peek (&walker->order, &course->pipeline, i);

      n = i == 0 && op.paired ? 2 : n;
      if (!prepare (course, walker->order.stage, &op, &tasks[i], &start))
        return FALSE;
    }
  end = start;
  for (int i = 0; i < n; i++)
    end = plg_clock_plus (end, tasks[i].place->time[tasks[i].kind]);
  for (int i = 0; i < n; i++)
    if (tasks[i].end != NULL)
      *tasks[i].end = end;
  if (walker->start.alone < 0.0)
    walker->start = start;
  walker->free = end;
  plg_order_take (&walker->order, &course->pipeline);
  return TRUE;
}

static void
run_course (const Course *course)
{
  int stages = course->pipeline.stages, open = stages;
  gsize n = (gsize) plg_pipeline_positions (&course->pipeline) * course->m * 2;

  for (gsize i = 0; i < n; i++)
    course->ends[i] = (PlgClock) { -1.0, -1.0 };
  for (int i = 0; i < stages; i++)
    {
      course->walkers[i] = (Walker) { .start = { -1.0, -1.0 } };
      plg_order_init (&course->walkers[i].order, &course->pipeline, i);
    }
  while (open > 0)
    {
      open = 0;
      for (int i = 0; i < stages; i++)
        {
          while (!course->walkers[i].order.done && advance (course, &course->walkers[i]))
            ;
          open += !course->walkers[i].order.done;
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
} Depth;

static Depth
depth_of (const PlgPipeline *pipeline)
{
  int p = pipeline->stages;

  switch (pipeline->schedule)
    {
    case PLG_SCHEDULE_INTERLEAVED:
      return (Depth) { .fill = 2 * p, .drain = 2 * p, .reach = 3 * p };
    case PLG_SCHEDULE_ZB_V:
      return (Depth) { .fill = 2 * p, .drain = 2 * p, .reach = p + 1 };
    case PLG_SCHEDULE_GPIPE:
    case PLG_SCHEDULE_1F1B:
    case PLG_SCHEDULE_ZB_H1:
    case PLG_SCHEDULE_DUALPIPE:
    default:
      return (Depth) { .fill = p + 1, .drain = p + 1, .reach = p + 1 };
    }
}

/* By how much all results are later than those PERIOD micro-batches before, where no stage has
 * begun or ended; FALSE when they differ. What comes then depends on as many results before it as
 * are compared, by sums and maxima alone, and so is later by the same again. */
static gboolean
repeats (const Course *course, Depth depth, int period, PlgClock *growth)
{
  int until = course->m - depth.drain;
  int from = until - depth.reach;

  *growth = (PlgClock) {
    end_of (course, 0, from, 0)->real - end_of (course, 0, from - period, 0)->real,
    end_of (course, 0, from, 0)->alone - end_of (course, 0, from - period, 0)->alone
  };
  for (int i = 0; i < plg_pipeline_positions (&course->pipeline); i++)
    for (int j = from; j < until; j++)
      for (int back = 0; back < 2; back++)
        {
          const PlgClock *end = end_of (course, i, j, back);
          const PlgClock *before = end_of (course, i, j - period, back);

          if (fabs (end->real - before->real - growth->real) > PLG_SAME_TIME * end->real ||
              fabs (end->alone - before->alone - growth->alone) > PLG_SAME_TIME * end->alone)
            return FALSE;
        }
  return TRUE;
}

/* Lays out COURSE for so many micro-batches. FALSE when they are too many. */
static gboolean
course_init (Course *course, const PlgPipeline *pipeline, int micro_batches, GArray *blocks)
{
  gsize positions = plg_pipeline_positions (pipeline), stages = pipeline->stages, ends;
  char *space;

  course->pipeline = *pipeline;
  course->pipeline.micro_batches = micro_batches;
  course->m = plg_pipeline_passes (&course->pipeline);
  ends = positions * course->m * 2;
  if (ends > MAX_ENDS)
    return FALSE;
  space = plg_work_space (blocks, positions * sizeof (Place) + stages * sizeof (Walker) +
                                      ends * sizeof (PlgClock));
  course->places = (Place *) (void *) space;
  course->walkers = (Walker *) (void *) (course->places + positions);
  course->ends = (PlgClock *) (void *) (course->walkers + stages);
  set_places (pipeline, course->places);
  return TRUE;
}

static double
write_course (const Course *course, double times, PlgClock growth, PlgStageSpan *spans)
{
  gboolean slanted = course->pipeline.schedule == PLG_SCHEDULE_ZB_V;
  double alone = 0.0;

  for (int i = 0; i < course->pipeline.stages; i++)
    {
      const Walker *walker = &course->walkers[i];
      double start = slanted ? walker->start.alone : 0.0;

      spans[i].start = walker->start.real;
      spans[i].finish = walker->free.real + times * growth.real;
      alone = MAX (alone, walker->free.alone + times * growth.alone - start);
    }
  return alone;
}

/* Micro-batches of a position in a round of the order. */
static int
round_passes (const PlgPipeline *pipeline)
{
  return pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->stages : 1;
}

/* Runs N micro-batches of a schedule; FALSE when they are too many, or do not come to repeat. */
static gboolean
try_course (const PlgPipeline *pipeline, int n, GArray *blocks, PlgStageSpan *spans, double *alone)
{
  int period = round_passes (pipeline), left;
  PlgClock growth = { 0.0, 0.0 };
  Course course;

  if (!course_init (&course, pipeline, n, blocks))
    return FALSE;
  left = plg_pipeline_passes (pipeline) - course.m;
  run_course (&course);
  if (left > 0 && !repeats (&course, depth_of (pipeline), period, &growth))
    return FALSE;
  *alone = write_course (&course, (double) left / period, growth, spans);
  return TRUE;
}

/* At least N micro-batches of a position, so that whole rounds are left over. */
static gint64
leave_rounds (const PlgPipeline *pipeline, gint64 n)
{
  int passes = plg_pipeline_passes (pipeline), period = round_passes (pipeline);

  return n + (passes - n % period + period) % period;
}

/* Begins with the fewest that can show that they repeat. Megatron-LM has no interleaved order for
 * a last round that is not full; ours differs from all before it, and is run to the end. */
gboolean
plg_course_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans, double *alone)
{
  int passes = plg_pipeline_passes (pipeline), ways = MAX (pipeline->micro_batches / passes, 1);
  Depth depth = depth_of (pipeline);
  gint64 n = depth.fill + depth.drain + depth.reach + round_passes (pipeline);

  if (passes % round_passes (pipeline) == 0)
    for (n = leave_rounds (pipeline, n); n < passes; n = leave_rounds (pipeline, 2 * n))
      if (try_course (pipeline, ways * n, blocks, spans, alone))
        return TRUE;
  return try_course (pipeline, pipeline->micro_batches, blocks, spans, alone);
}
