/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/order.h"

#include <math.h>

/* How long a schedule takes without a picture of it: in closed form where there is one, else by
 * running few enough micro-batches to see it repeat. Exact, but for the schedules of
 * more stages than fit into memory (bound_totals()). */

/* Times that are the same but for what adding them up in another order rounds off. */
#define SAME 1e-12

/* Results of a run that are kept, in as much memory as a timeline may have. */
#define MAX_ENDS (PLG_MAX_BLOCKS * 3)

/* Two clocks run at once: one with the messages between stages, one as if they took no time. */
typedef struct
{
  double real;
  double alone;
} Clock;

static inline Clock
later (Clock a, Clock b)
{
  return (Clock) { MAX (a.real, b.real), MAX (a.alone, b.alone) };
}

static inline Clock
plus (Clock a, Clock b)
{
  return (Clock) { a.real + b.real, a.alone + b.alone };
}

static Clock
duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  double alone = plg_pipeline_duration (pipeline, kind, position);

  return (Clock) { alone + plg_pipeline_wait (pipeline, kind, position), alone };
}

/* What STAGE does from the first block to the last. */
static double
stage_work (const PlgPipeline *pipeline, int stage)
{
  double work = 0.0;

  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = plg_pipeline_position (pipeline, stage, chunk);

      work += duration (pipeline, PLG_BLOCK_FORWARD, position).real +
              duration (pipeline, PLG_BLOCK_BACKWARD, position).real;
    }
  return work * plg_pipeline_passes (pipeline);
}

/* The working space: as much of BLOCKS as SIZE bytes need. */
static void *
work_space (GArray *blocks, gsize size)
{
  g_array_set_size (blocks, (size + sizeof (PlgBlock) - 1) / sizeof (PlgBlock));
  return blocks->data;
}

/* GPipe. Equal jobs through a row of machines take the sum over the machines once, and the slowest
 * for each further job; GPipe does so forward, then backward. */

/* Adds the way through one stage, and the message on to the next. */
static void
pass (const PlgPipeline *pipeline, PlgBlockKind kind, int position, Clock *sum, Clock *slowest)
{
  Clock time = duration (pipeline, kind, position);

  *sum = plus (*sum, time);
  *slowest = later (*slowest, time);
}

static Clock
queued (const PlgPipeline *pipeline, Clock sum, Clock slowest)
{
  double more = pipeline->micro_batches - 1.0;

  return (Clock) { sum.real + more * slowest.real, sum.alone + more * slowest.alone };
}

static double
gpipe_totals (const PlgPipeline *pipeline, PlgStageSpan *spans)
{
  int last = pipeline->stages - 1;
  Clock sum = { 0.0, 0.0 }, slowest = { 0.0, 0.0 };
  double alone = 0.0;

  for (int i = 0; i <= last; i++)
    {
      spans[i].start = sum.real;
      pass (pipeline, PLG_BLOCK_FORWARD, i, &sum, &slowest);
      if (i < last)
        sum.real += plg_pipeline_travel (pipeline, i);
    }
  sum = queued (pipeline, sum, slowest);
  slowest = (Clock) { 0.0, 0.0 };
  for (int i = last; i >= 0; i--)
    {
      Clock finish;

      pass (pipeline, PLG_BLOCK_BACKWARD, i, &sum, &slowest);
      finish = queued (pipeline, sum, slowest);
      spans[i].finish = finish.real;
      alone = MAX (alone, finish.alone);
      if (i > 0)
        sum.real += plg_pipeline_travel (pipeline, i - 1);
    }
  return alone;
}

/* 1F1B while messages do not travel beside computing.
 *
 * A stage's finish is the longest path through its blocks. Number the rounds so that stage i does
 * the forward block of micro-batch r in round r, and the backward block of micro-batch r - w(i),
 * with w(i) = p - 1 - i. Then a path goes up to the next stage within a round, and back down to the
 * one before in the next round, and each crossing up is paired with one down. So each round that
 * passes adds to a path
 *   f(i) where it stays on stage i before that has its first backward block,
 *   b(i) where it stays there after the last forward block,
 *   c(i) = f(i) + b(i) where it stays there in between, or leaves it downwards.
 * The longest path goes up to a stage x, waiting w(x) rounds at the largest f on the way, comes
 * down to a stage k, stays there for m - p + k rounds, goes up to a stage y and drains from there,
 * waiting w(y) rounds at the largest b on the way down:
 *   c(0) + max over k of ( max over x >= k of (w(x) max f(0..x) + c(k+1) + .. + c(x))
 *                          + (m - p + k) c(k)
 *                          + max over y >= k of (c(1) + .. + c(y) + w(y) max b(0..y)) ).
 * Stages with w >= m do all forward blocks first: x, k and y are none of those. A path that ends on
 * stage s waits in the end on stages from s to y only, and leaves out b(0) to b(s - 1). */
typedef struct
{
  double forward;
  double backward;
  double forward_sum; /* of this stage and those before it */
  double sum;         /* the same, of both */
  double slowest;     /* forward, of this stage and those before it */
  double stayed;      /* the longest path up to the end of a stay on one of them, c(0) apart */
  double finish;
} Link;

/* The first stage that does not do all its forward blocks first. */
static int
first_alternating (int stages, int micro_batches)
{
  return MAX (stages - micro_batches, 0);
}

static void
add_up_links (Link *links, int stages)
{
  double forward_sum = 0.0, sum = 0.0, slowest = 0.0;

  for (int i = 0; i < stages; i++)
    {
      links[i].forward_sum = forward_sum += links[i].forward;
      links[i].sum = sum += links[i].forward + links[i].backward;
      links[i].slowest = slowest = MAX (slowest, links[i].forward);
    }
}

static void
find_longest_stays (Link *links, int stages, int micro_batches)
{
  int first = first_alternating (stages, micro_batches);
  double fill = 0.0, longest = 0.0;

  for (int k = stages - 1; k >= first; k--)
    {
      double both = links[k].forward + links[k].backward;

      fill = MAX (fill, (stages - 1.0 - k) * links[k].slowest);
      links[k].stayed = fill + (micro_batches - (double) stages + k) * both;
      fill += both;
    }
  for (int k = first; k < stages; k++)
    links[k].stayed = longest = MAX (longest, links[k].stayed);
}

/* The longest path that waits on STAGE while it drains. From behind a slower stage it would rather
 * wait there. */
static double
longest_drain (const Link *links, int stages, int micro_batches, int stage)
{
  int first = first_alternating (stages, micro_batches);
  double backward = links[stage].backward, longest = 0.0;

  for (int y = stage; y < stages && (y == stage || links[y].backward < backward); y++)
    if (y >= first)
      longest = MAX (longest, links[y].stayed + links[y].sum + (stages - 1.0 - y) * backward);
  return longest;
}

/* Sets when each stage ends. In the order of the stages squared at worst, else in their order. */
static void
finish_links (Link *links, int stages, int micro_batches)
{
  double longest = 0.0;

  add_up_links (links, stages);
  find_longest_stays (links, stages, micro_batches);
  for (int i = stages - 1; i >= 0; i--)
    {
      longest = MAX (longest, longest_drain (links, stages, micro_batches, i));
      links[i].finish = longest + links[i].forward_sum + links[i].backward - links[i].sum;
    }
}

static void
set_links (const PlgPipeline *pipeline, gboolean alone, Link *links)
{
  for (int i = 0; i < pipeline->stages; i++)
    {
      Clock forward = duration (pipeline, PLG_BLOCK_FORWARD, i);
      Clock backward = duration (pipeline, PLG_BLOCK_BACKWARD, i);

      links[i].forward = alone ? forward.alone : forward.real;
      links[i].backward = alone ? backward.alone : backward.real;
    }
}

/* 1F1B with messages that travel: the rounds above one by one. Once all stages run both ways, a
 * round makes of the times in which stages end others by sums and maxima alone; when the times
 * have all grown by the same since an earlier round, they do so for good. */
typedef struct
{
  double free;  /* when the stage's last block ended */
  double mark;  /* the same in the round that is compared with */
  double there; /* when the last backward result of the stage is there for the one before */
} Lane;

static void
run_round (const PlgPipeline *pipeline, int round, Lane *lanes)
{
  int last = pipeline->stages - 1;
  double ready = 0.0;

  for (int i = 0; i <= last; i++)
    {
      int back = round - (last - i);
      double travel = plg_pipeline_travel (pipeline, i);

      if (round < pipeline->micro_batches)
        {
          lanes[i].free = MAX (lanes[i].free, ready) +
                          plg_pipeline_duration (pipeline, PLG_BLOCK_FORWARD, i);
          ready = lanes[i].free + travel;
        }
      if (back < 0 || back >= pipeline->micro_batches)
        continue;
      if (i < last)
        lanes[i].free = MAX (lanes[i].free, lanes[i + 1].there + travel);
      lanes[i].free += plg_pipeline_duration (pipeline, PLG_BLOCK_BACKWARD, i);
    }
  for (int i = 0; i <= last; i++)
    lanes[i].there = lanes[i].free;
}

/* What all lanes have grown by since they were marked; 0 when they differ. */
static double
equal_growth (const Lane *lanes, int n)
{
  double growth = lanes[0].free - lanes[0].mark;

  for (int i = 1; i < n; i++)
    if (fabs (lanes[i].free - lanes[i].mark - growth) > SAME * lanes[i].free)
      return 0.0;
  return growth;
}

/* Rounds that need not be run after ROUND, when as many after MARK as there are between the two
 * make the same difference again. Else the mark moves on, each time twice as far. */
static int
rounds_to_skip (const PlgPipeline *pipeline, int round, int *mark, Lane *lanes)
{
  double growth = round > *mark ? equal_growth (lanes, pipeline->stages) : 0.0;
  int period = MAX (round - *mark, 1), times = (pipeline->micro_batches - 1 - round) / period;

  for (int i = 0; i < pipeline->stages && growth > 0.0; i++)
    lanes[i].free = lanes[i].there += times * growth;
  if (growth > 0.0)
    return times * period;
  if (round < 2 * *mark && round > pipeline->stages - 1)
    return 0;
  for (int i = 0; i < pipeline->stages; i++)
    lanes[i].mark = lanes[i].free;
  *mark = round;
  return 0;
}

static void
run_travelling (const PlgPipeline *pipeline, Lane *lanes)
{
  int all_run = pipeline->stages - 1, mark = all_run;

  for (int i = 0; i < pipeline->stages; i++)
    lanes[i] = (Lane) { 0 };
  for (int round = 0; round < pipeline->micro_batches + all_run; round++)
    {
      run_round (pipeline, round, lanes);
      if (round >= all_run && round < pipeline->micro_batches)
        round += rounds_to_skip (pipeline, round, &mark, lanes);
    }
}

static gboolean
has_messages (const PlgPipeline *pipeline)
{
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    if (pipeline->positions[i].hop > 0.0)
      return TRUE;
  return FALSE;
}

static double
one_by_one_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages;
  Link *links = work_space (blocks, stages * (sizeof (Link) + sizeof (Lane)));
  Lane *lanes = (Lane *) (void *) (links + stages);
  gboolean travel = pipeline->overlap && has_messages (pipeline);
  double alone, start = 0.0;

  set_links (pipeline, TRUE, links);
  finish_links (links, stages, pipeline->micro_batches);
  alone = links[0].finish;
  if (travel)
    run_travelling (pipeline, lanes);
  else if (has_messages (pipeline))
    {
      set_links (pipeline, FALSE, links);
      finish_links (links, stages, pipeline->micro_batches);
    }
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start;
      spans[i].finish = travel ? lanes[i].free : links[i].finish;
      start += duration (pipeline, PLG_BLOCK_FORWARD, i).real + plg_pipeline_travel (pipeline, i);
    }
  return alone;
}

/* The other schedules: their order block by block, with so few micro-batches that nothing new comes
 * after. */

/* A position, ready to run. */
typedef struct
{
  Clock time[PLG_BLOCK_BACKWARD_WEIGHT + 1]; /* by PlgBlockKind */
  int from[2];      /* the position whose result forward, backward waits for; -1: none */
  double travel[2]; /* of that */
} Place;

/* How far a stage is with the blocks of one direction in the interleaved schedule, which
 * plg_order_resolve() would find by dividing for each. */
typedef struct
{
  int chunk;
  int micro_batch;
} Count;

/* Where a stage is in its order. */
typedef struct
{
  int stage;
  int number; /* of the segment */
  int round;
  int step;
  gboolean done;
  PlgSegment segment;
  Count next[2]; /* forward, backward; interleaved only */
  Clock free;    /* when its last block ends */
  Clock start;
} Walker;

/* One run. ENDS has the ends of results by position, micro-batch, and forward or backward; negative
 * while they are not there. */
typedef struct
{
  PlgPipeline pipeline;
  int m;             /* micro-batches of a position */
  gboolean whole;    /* all blocks of the order are there: see plg_order_has() */
  gboolean counting; /* by walkers */
  Place *places;
  Walker *walkers;
  Clock *ends;
} Course;

static void
set_places (const PlgPipeline *pipeline, Place *places)
{
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    {
      gboolean first = plg_pipeline_is_first (pipeline, i);
      gboolean last = plg_pipeline_is_last (pipeline, i);

      for (PlgBlockKind kind = PLG_BLOCK_FORWARD; kind <= PLG_BLOCK_BACKWARD_WEIGHT; kind++)
        places[i].time[kind] = duration (pipeline, kind, i);
      places[i].from[0] = first ? -1 : i - 1;
      places[i].from[1] = last ? -1 : i + 1;
      places[i].travel[0] = first ? 0.0 : plg_pipeline_travel (pipeline, i - 1);
      places[i].travel[1] = plg_pipeline_travel (pipeline, i);
    }
}

static inline Clock *
end_of (const Course *course, int position, int micro_batch, int back)
{
  return &course->ends[((gsize) position * course->m + micro_batch) * 2 + back];
}

/* Steps to the next block of the order that there is. */
static void
settle (const Course *course, Walker *walker)
{
  while (!walker->done)
    {
      const PlgSegment *segment = &walker->segment;

      if (walker->round < segment->rounds && walker->step < segment->n)
        {
          if (course->whole ||
              plg_order_has (&course->pipeline, &segment->ops[walker->step], walker->round))
            return;
          walker->step++;
        }
      else if (walker->round + 1 < segment->rounds)
        {
          walker->round++;
          walker->step = 0;
        }
      else
        {
          walker->round = walker->step = 0;
          walker->done = !plg_order_segment (&course->pipeline, walker->stage, walker->number++,
                                             &walker->segment);
        }
    }
}

/* A block about to run. */
typedef struct
{
  const Place *place;
  PlgBlockKind kind;
  Clock *end; /* NULL where nothing waits for it */
} Task;

/* Finds chunk and micro-batch of a block. */
static inline void
resolve (const Course *course, const Walker *walker, int back, PlgOp *op)
{
  op->index += walker->round;
  if (course->counting)
    {
      op->chunk = walker->next[back].chunk;
      op->index = walker->next[back].micro_batch;
    }
  else if (op->chunk < 0)
    plg_order_resolve (&course->pipeline, walker->stage, op);
}

/* A group of micro-batches passes all chunks before the next does, backward from the last one. */
static inline void
count (const Course *course, Walker *walker, int back)
{
  int stages = course->pipeline.stages, chunks = course->pipeline.chunks;
  Count *next = &walker->next[back];

  if (++next->micro_batch % stages != 0 && next->micro_batch < course->m)
    return;
  next->chunk += back ? -1 : 1;
  if (next->chunk < 0 || next->chunk == chunks)
    next->chunk = back ? chunks - 1 : 0;
  else
    next->micro_batch -= 1 + (next->micro_batch - 1) % stages;
}

/* Makes a task of the walker's block AHEAD steps on, and puts off START until it can; FALSE while
 * what it waits for is not there. */
static inline gboolean
prepare (const Course *course, const Walker *walker, int ahead, Task *task, Clock *start)
{
  PlgOp op = walker->segment.ops[walker->step + ahead];
  int position, back = op.kind != PLG_BLOCK_FORWARD;
  const Clock *ready;

  resolve (course, walker, back, &op);
  position = plg_pipeline_position (&course->pipeline, walker->stage, op.chunk);
  task->place = &course->places[position];
  task->kind = op.kind;
  task->end = NULL;
  if (op.kind == PLG_BLOCK_BACKWARD_WEIGHT)
    return TRUE;
  task->end = end_of (course, position, op.index, back);
  if (task->place->from[back] < 0)
    return TRUE;
  ready = end_of (course, task->place->from[back], op.index, back);
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
  int n = walker->segment.ops[walker->step].paired ? 2 : 1;
  Clock start = walker->free, end;
  Task tasks[2];

  for (int i = 0; i < n; i++)
    if (!prepare (course, walker, i, &tasks[i], &start))
      return FALSE;
  end = start;
  for (int i = 0; i < n; i++)
    end = plus (end, tasks[i].place->time[tasks[i].kind]);
  for (int i = 0; i < n; i++)
    if (tasks[i].end != NULL)
      *tasks[i].end = end;
  if (walker->start.alone < 0.0)
    walker->start = start;
  walker->free = end;
  if (course->counting)
    count (course, walker, tasks[0].kind != PLG_BLOCK_FORWARD);
  walker->step += n;
  settle (course, walker);
  return TRUE;
}

static void
run_course (const Course *course)
{
  int stages = course->pipeline.stages, open = stages;
  gsize n = (gsize) plg_pipeline_positions (&course->pipeline) * course->m * 2;

  for (gsize i = 0; i < n; i++)
    course->ends[i] = (Clock) { -1.0, -1.0 };
  for (int i = 0; i < stages; i++)
    {
      course->walkers[i] = (Walker) { .stage = i,
                                      .start = { -1.0, -1.0 },
                                      .next[1].chunk = course->pipeline.chunks - 1 };
      settle (course, &course->walkers[i]);
    }
  while (open > 0)
    {
      open = 0;
      for (int i = 0; i < stages; i++)
        {
          while (!course->walkers[i].done && advance (course, &course->walkers[i]))
            ;
          open += !course->walkers[i].done;
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
repeats (const Course *course, Depth depth, int period, Clock *growth)
{
  int until = course->m - depth.drain;
  int from = until - depth.reach;

  *growth = (Clock) {
    end_of (course, 0, from, 0)->real - end_of (course, 0, from - period, 0)->real,
    end_of (course, 0, from, 0)->alone - end_of (course, 0, from - period, 0)->alone
  };
  for (int i = 0; i < plg_pipeline_positions (&course->pipeline); i++)
    for (int j = from; j < until; j++)
      for (int back = 0; back < 2; back++)
        {
          const Clock *end = end_of (course, i, j, back);
          const Clock *before = end_of (course, i, j - period, back);

          if (fabs (end->real - before->real - growth->real) > SAME * end->real ||
              fabs (end->alone - before->alone - growth->alone) > SAME * end->alone)
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
  course->whole = pipeline->schedule != PLG_SCHEDULE_ZB_V;
  course->counting = pipeline->schedule == PLG_SCHEDULE_INTERLEAVED;
  ends = positions * course->m * 2;
  if (ends > MAX_ENDS)
    return FALSE;
  space = work_space (blocks, positions * sizeof (Place) + stages * sizeof (Walker) +
                                  ends * sizeof (Clock));
  course->places = (Place *) (void *) space;
  course->walkers = (Walker *) (void *) (course->places + positions);
  course->ends = (Clock *) (void *) (course->walkers + stages);
  set_places (pipeline, course->places);
  return TRUE;
}

static double
write_course (const Course *course, double times, Clock growth, PlgStageSpan *spans)
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
  Clock growth = { 0.0, 0.0 };
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
static gboolean
run_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans, double *alone)
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

/* So many stages that no run of theirs fits into memory: what 1F1B would take for the same stages,
 * which waits for every message. The other schedules were published as shorter than that;
 * interleaving shortens what is not work by its chunks (Narayanan 2021, sec. 2.2). */
static double
bound_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages, m = pipeline->micro_batches;
  double share = (double) plg_pipeline_passes (pipeline) / m, start = 0.0, busiest = 0.0;
  double chunks = pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->chunks : 1.0;
  Link *links = work_space (blocks, stages * sizeof (Link));

  for (int i = 0; i < stages; i++)
    {
      links[i] = (Link) { 0 };
      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          int position = plg_pipeline_position (pipeline, i, chunk);
          double hops = 2.0 * plg_pipeline_travel (pipeline, position);

          links[i].forward += share * duration (pipeline, PLG_BLOCK_FORWARD, position).real;
          links[i].backward += share *
                               (duration (pipeline, PLG_BLOCK_BACKWARD, position).real + hops);
        }
      busiest = MAX (busiest, m * (links[i].forward + links[i].backward));
    }
  finish_links (links, stages, m);
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start / chunks;
      spans[i].finish = busiest + (links[i].finish - busiest) / chunks;
      start += links[i].forward;
    }
  return spans[0].finish;
}

void
plg_pipeline_totals (const PlgPipeline *pipeline,
                     GArray *blocks,
                     PlgStageSpan *spans,
                     PlgPipelineResult *result)
{
  double alone = 0.0;

  if (pipeline->schedule == PLG_SCHEDULE_GPIPE)
    alone = gpipe_totals (pipeline, spans);
  else if (pipeline->schedule == PLG_SCHEDULE_1F1B ||
           (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED && pipeline->chunks == 1))
    alone = one_by_one_totals (pipeline, blocks, spans);
  else if (!run_totals (pipeline, blocks, spans, &alone))
    alone = bound_totals (pipeline, blocks, spans);
  g_array_set_size (blocks, 0);
  for (int i = 0; i < pipeline->stages; i++)
    spans[i].busy = stage_work (pipeline, i);
  plg_pipeline_summarize (pipeline, spans, result);
  result->length_alone = has_messages (pipeline) ? MIN (alone, result->length) : result->length;
}
