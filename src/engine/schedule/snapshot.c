/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/snapshot.h"

#include "engine/schedule/schedule.h"

#include <math.h>

/* The phases after the last block of a stage, in order. */
typedef enum
{
  TAIL_REDUCE,
  TAIL_TIED,
  TAIL_UPDATE,
  TAIL_GATHER,
} TailPart;
#define N_TAIL_PARTS 4

/* Collectives that run once per step, with their total and their exposed time [s]. */
typedef struct
{
  guint rows; /* bit 1 << i marks collective i of the report */
  double time;
  double exposed;
} PerStepCollectives;

/* Values that are the same for all stages. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgPipeline pipeline;
  double blocks_end; /* end of the last block */
  double end;
  double tail[N_TAIL_PARTS]; /* length of each phase [s] */
  double tail_length;
  PerStepCollectives reduce, tied, gather;
  guint messages; /* bit 1 << i is set if collective i of the report runs between stages */
  double hop;     /* time per message [s] */
  double recompute_share;
  gboolean slanted;
} StepContext;

/* The maximum number of blocks to keep per stage. The blocks are the latest ones that have
 * started by the time of the snapshot. */
#define MAX_RECENT_BLOCKS 3
typedef struct
{
  int n;
  int block[MAX_RECENT_BLOCKS]; /* latest first */
  double first_start;           /* start of the stage's first block; only in slanted schedules
                                   (zb-v) */
  double last_start;            /* start of the stage's last block */
  double last_end;
} StageBlocks;

static const PlgBlock *
block_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->blocks, PlgBlock, i);
}

static const PlgCollective *
collective_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->collectives, PlgCollective, i);
}

static int
stage_count (const PlgReport *report)
{
  return MAX (report->degree[PLG_AXIS_PP], 1);
}

/* Returns the time at which the last block ends. Blocks are sorted by start, and on each stage
 * the last block to start is also the last to end, so only the last block of each stage matters. */
static double
last_end (const PlgReport *report)
{
  int stages = stage_count (report), seen = 0;
  g_autofree gboolean *found = g_new0 (gboolean, stages);
  double end = 0.0;

  for (guint i = report->blocks->len; i-- > 0 && seen < stages;)
    {
      const PlgBlock *block = block_at (report, i);

      end = MAX (end, block->end);
      if (!found[block->stage])
        seen++;
      found[block->stage] = TRUE;
    }
  return end;
}

double
plg_snapshot_end (const PlgReport *report)
{
  double end;

  if (report->blocks->len == 0)
    return 0.0;
  end = last_end (report);
  return isfinite (report->step.time) ? MAX (report->step.time, end) : end;
}

static void
add_per_step (PerStepCollectives *per_step, const PlgCollective *row, guint i)
{
  per_step->rows |= 1u << i;
  per_step->time += row->time;
  per_step->exposed += row->exposed;
}

double
plg_snapshot_recompute_share (const PlgReport *report)
{
  const PlgStep *step = &report->step;

  return step->backward > 0.0 ? MIN (step->part[PLG_PART_RECOMPUTE] / step->backward, 1.0) : 0.0;
}

static void
context_init (StepContext *context, const PlgPlan *plan, const PlgReport *report)
{
  double room, sum = 0.0;

  *context = (StepContext) { .plan = plan, .report = report };
  plg_pipeline_init (&context->pipeline, plan);
  context->slanted = context->pipeline.schedule == PLG_SCHEDULE_ZB_V &&
                     report->profile == PLG_PROFILE_STANDARD;
  context->blocks_end = last_end (report);
  context->end = plg_snapshot_end (report);
  room = context->end - context->blocks_end;
  for (guint i = 0; i < context->report->collectives->len && i < 32; i++)
    {
      const PlgCollective *row = collective_at (context->report, i);

      switch (row->when)
        {
        case PLG_WHEN_BETWEEN_STAGES:
          context->messages |= 1u << i;
          context->hop = row->calls > 0.0 ? row->time / row->calls : 0.0;
          break;
        case PLG_WHEN_AFTER_BLOCKS:
          add_per_step (&context->reduce, row, i);
          break;
        case PLG_WHEN_TIED:
          add_per_step (&context->tied, row, i);
          break;
        case PLG_WHEN_BEFORE_BLOCKS:
          add_per_step (&context->gather, row, i);
          break;
        case PLG_WHEN_IN_BLOCKS:
        default:
          break;
        }
    }
  context->recompute_share = plg_snapshot_recompute_share (report);

  /* Scale the phases after the blocks so that they fill the rest of the step. This changes their
   * lengths only in the textbook profiles, whose steps are not simulated. */
  context->tail[TAIL_REDUCE] = context->reduce.exposed;
  context->tail[TAIL_TIED] = context->tied.exposed;
  context->tail[TAIL_UPDATE] = context->report->step.part[PLG_PART_OPTIMIZER];
  context->tail[TAIL_GATHER] = context->gather.exposed;
  for (int i = 0; i < N_TAIL_PARTS; i++)
    sum += context->tail[i];
  context->tail_length = sum;
  if (context->slanted || sum <= 0.0)
    return;
  for (int i = 0; i < N_TAIL_PARTS; i++)
    context->tail[i] *= room / sum;
  context->tail_length = room;
}

/* Returns the index of the first block that starts after TIME. */
static guint
first_after (const PlgReport *report, double time)
{
  guint low = 0, high = report->blocks->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (block_at (report, middle)->start > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
find_last (const StepContext *context, StageBlocks *stages)
{
  int n = stage_count (context->report), seen = 0;

  for (guint i = context->report->blocks->len; i-- > 0 && seen < n;)
    {
      const PlgBlock *block = block_at (context->report, i);
      StageBlocks *stage = &stages[block->stage];

      if (stage->last_end > 0.0)
        continue;
      stage->last_start = block->start;
      stage->last_end = block->end;
      seen++;
    }
}

static void
find_first (const StepContext *context, StageBlocks *stages)
{
  int n = stage_count (context->report), seen = 0;

  for (int i = 0; i < n; i++)
    stages[i].first_start = context->slanted ? -1.0 : 0.0;
  for (guint i = 0; context->slanted && i < context->report->blocks->len && seen < n; i++)
    {
      StageBlocks *stage = &stages[block_at (context->report, i)->stage];

      if (stage->first_start >= 0.0)
        continue;
      stage->first_start = block_at (context->report, i)->start;
      seen++;
    }
}

/* Returns the start of the phases after the stage's last block. */
static double
tail_start (const StepContext *context, const StageBlocks *stage)
{
  if (context->slanted)
    return stage->first_start + context->report->step.time - context->tail_length;
  return context->blocks_end;
}

/* Returns the stage that receives the result of BLOCK, or -1 if no other stage receives it. */
static int
receiver (const StepContext *context, const PlgBlock *block)
{
  const PlgPipeline *pipeline = &context->pipeline;
  int position = plg_pipeline_position (pipeline, block->stage, MAX (block->chunk, 0));
  gboolean forward = block->kind == PLG_BLOCK_FORWARD;
  int to;

  if (block->kind == PLG_BLOCK_BACKWARD_WEIGHT ||
      (forward ? plg_pipeline_is_last (pipeline, position)
               : plg_pipeline_is_first (pipeline, position)))
    return -1;
  to = plg_pipeline_stage (pipeline, forward ? position + 1 : position - 1);
  return to == block->stage ? -1 : to;
}

/* Returns how long the stage of BLOCK waits at the end of BLOCK for its message to be sent [s]. */
static double
wait_of (const StepContext *context, const PlgBlock *block)
{
  if (context->pipeline.overlap || receiver (context, block) < 0)
    return 0.0;
  return MIN (context->hop, block->end - block->start);
}

/* Sets AT to the activity of the block that runs at TIME. Returns FALSE if no block runs then. */
static gboolean
set_block (const StepContext *context, const StageBlocks *stage, PlgStageSnapshot *at, double time)
{
  for (int i = 0; i < stage->n; i++)
    {
      const PlgBlock *block = block_at (context->report, stage->block[i]);
      double recompute_end = block->start + context->recompute_share * (block->end - block->start);

      if (time >= block->end)
        continue;
      at->block = stage->block[i];
      if (block->kind == PLG_BLOCK_FORWARD)
        at->activity = PLG_ACTIVITY_FORWARD;
      else if (block->kind == PLG_BLOCK_BACKWARD_WEIGHT)
        at->activity = PLG_ACTIVITY_WEIGHT;
      else
        at->activity = time < recompute_end ? PLG_ACTIVITY_RECOMPUTE : PLG_ACTIVITY_BACKWARD;

      if (time < block->end - wait_of (context, block))
        {
          for (guint j = 0; j < context->report->collectives->len && j < 32; j++)
            {
              const PlgCollective *row = collective_at (context->report, j);

              if (row->when == PLG_WHEN_IN_BLOCKS && (row->blocks & (1u << block->kind)) != 0)
                at->running |= 1u << j;
            }
        }
      return TRUE;
    }
  return FALSE;
}

/* Finds the period in which a stage reduces gradients. With DP overlap, the hidden part of the
 * reduction runs during the stage's last block. */
static void
reduce_span (const StepContext *context, const StageBlocks *stage, double *from, double *to)
{
  double hidden = context->reduce.time - context->reduce.exposed;

  *from = *to = stage->last_end;
  if (context->reduce.rows == 0)
    return;
  if (context->plan->parallelism.overlap_dp)
    *from = MAX (stage->last_start, stage->last_end - MAX (hidden, 0.0));
  *to = MIN (*from + context->reduce.time,
             tail_start (context, stage) + context->tail[TAIL_REDUCE]);
}

/* Marks the once-per-step collectives that run at TIME as running in AT, and sets the activity
 * of AT if no block runs at TIME. */
static void
set_outside_blocks (const StepContext *context,
                    const StageBlocks *stage,
                    PlgStageSnapshot *at,
                    int i,
                    double time)
{
  double from, to, since;

  /* In a slanted schedule (zb-v), a stage may still be finishing the previous step after other
   * stages have begun this step. Look up such a stage one step later, because all steps are
   * alike. */
  if (context->slanted && time < stage->first_start)
    time += context->report->step.time;
  reduce_span (context, stage, &from, &to);
  if (time >= from && time < to)
    {
      at->running |= context->reduce.rows;
      if (at->block < 0)
        at->activity = PLG_ACTIVITY_SYNC;
    }
  if (context->gather.rows != 0 && time - stage->first_start >= 0.0 &&
      time - stage->first_start < context->gather.time - context->gather.exposed)
    at->running |= context->gather.rows;
  since = time - tail_start (context, stage);
  if (at->block < 0 && since >= context->tail[TAIL_REDUCE])
    {
      int part = 0;

      while (part < N_TAIL_PARTS && since >= context->tail[part])
        since -= context->tail[part++];
      if (part == TAIL_TIED &&
          (i == 0 || i == context->report->embedding_copy_stage))
        {
          at->activity = PLG_ACTIVITY_SYNC;
          at->running |= context->tied.rows;
        }
      else if (part == TAIL_UPDATE)
        at->activity = PLG_ACTIVITY_OPTIMIZER;
      else if (part == TAIL_GATHER)
        {
          at->activity = PLG_ACTIVITY_SYNC;
          at->running |= context->gather.rows;
        }
    }
}

PlgSnapshot *
plg_snapshot_new (const PlgPlan *plan, const PlgReport *report, double time)
{
  int n = stage_count (report), n_full = 0;
  g_autofree StageBlocks *stages = NULL;
  PlgSnapshot *snapshot;
  StepContext context;

  if (report->blocks->len == 0)
    return NULL;
  context_init (&context, plan, report);
  stages = g_new0 (StageBlocks, n);
  snapshot = g_malloc0 (sizeof (PlgSnapshot) + n * sizeof (PlgStageSnapshot));
  snapshot->end = context.end;
  snapshot->time = CLAMP (time, 0.0, context.end);
  snapshot->n_stages = n;
  for (int i = 0; i < n; i++)
    snapshot->stages[i].block = -1;

  /* Search backwards for the latest blocks of each stage. The search is short, because no stage
   * pauses between its first and last block for so long that the other stages start many blocks. */
  for (guint i = first_after (report, snapshot->time); i-- > 0 && n_full < n;)
    {
      StageBlocks *stage = &stages[block_at (report, i)->stage];

      if (stage->n == MAX_RECENT_BLOCKS)
        continue;
      stage->block[stage->n++] = i;
      if (stage->n == MAX_RECENT_BLOCKS)
        n_full++;
    }
  find_last (&context, stages);
  find_first (&context, stages);
  for (int i = 0; i < n; i++)
    {
      PlgStageSnapshot *at = &snapshot->stages[i];
      const StageBlocks *stage = &stages[i];

      set_block (&context, stage, at, snapshot->time);
      set_outside_blocks (&context, stage, at, i, snapshot->time);
      for (int j = 0; j < stage->n; j++)
        {
          const PlgBlock *block = block_at (report, stage->block[j]);
          double wait = wait_of (&context, block);
          double sent = context.pipeline.overlap ? block->end : block->end - wait;
          double received = context.pipeline.overlap ? block->end + context.hop : block->end;
          int to = receiver (&context, block);

          if (to < 0 || to >= n || snapshot->time < sent || snapshot->time >= received)
            continue;
          snapshot->stages[block->stage].running |= context.messages;
          snapshot->stages[to].running |= context.messages;
        }
    }
  return snapshot;
}

/* The number of points in time per step at which a stage's activity can change outside its
 * blocks; see reduce_span() and tail_start(). */
#define N_CHANGE_TIMES (N_TAIL_PARTS + 3)

static void
add_change_time (GArray *change_times, double time, double from, double to)
{
  if (time > from && time < to)
    g_array_append_val (change_times, time);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

/* Returns FROM, TO and the times between them at which the stage's activity can change, sorted. */
static GArray *
change_times_of (const StepContext *context, const StageBlocks *stage, double from, double to)
{
  GArray *change_times = g_array_sized_new (FALSE, FALSE, sizeof (double), 2 * N_CHANGE_TIMES + 2);
  double change_time[N_CHANGE_TIMES], at = tail_start (context, stage);

  reduce_span (context, stage, &change_time[0], &change_time[1]);
  change_time[2] = at;
  for (int part = 0; part < N_TAIL_PARTS; part++)
    change_time[3 + part] = at += context->tail[part];
  g_array_append_val (change_times, from);
  for (int i = 0; i < N_CHANGE_TIMES; i++)
    {
      add_change_time (change_times, change_time[i], from, to);
      if (context->slanted)
        add_change_time (change_times, change_time[i] - context->report->step.time, from, to);
    }
  g_array_append_val (change_times, to);
  g_array_sort (change_times, compare_times);
  return change_times;
}

/* Appends the activities of stage I between FROM and TO, a period in which the stage runs no
 * block. */
static void
add_intervals (GArray *intervals,
               const StepContext *context,
               const StageBlocks *stage,
               int i,
               double from,
               double to)
{
  g_autoptr (GArray) change_times = change_times_of (context, stage, from, to);

  for (guint k = 0; k + 1 < change_times->len; k++)
    {
      double start = g_array_index (change_times, double, k),
             end = g_array_index (change_times, double, k + 1);
      PlgStageSnapshot at = { .block = -1 };
      PlgStageInterval *last = intervals->len > 0 ? &g_array_index (intervals, PlgStageInterval,
                                                                    intervals->len - 1)
                                                  : NULL;
      PlgStageInterval interval = { i, PLG_ACTIVITY_IDLE, start, end };

      if (end <= start)
        continue;
      set_outside_blocks (context, stage, &at, i, (start + end) / 2);
      interval.activity = at.activity;
      if (interval.activity == PLG_ACTIVITY_IDLE)
        continue;
      if (last != NULL && last->stage == i && last->activity == interval.activity &&
          last->end == start)
        last->end = end;
      else
        g_array_append_val (intervals, interval);
    }
}

GArray *
plg_snapshot_stage_intervals (const PlgPlan *plan, const PlgReport *report)
{
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (PlgStageInterval));
  int n = stage_count (report);
  g_autofree StageBlocks *stages = g_new0 (StageBlocks, n);
  StepContext context;

  if (report->blocks->len == 0)
    return intervals;
  context_init (&context, plan, report);
  find_last (&context, stages);
  find_first (&context, stages);
  for (int i = 0; i < n; i++)
    {
      if (context.slanted)
        add_intervals (intervals, &context, &stages[i], i, 0.0, stages[i].first_start);
      add_intervals (intervals, &context, &stages[i], i, stages[i].last_end, context.end);
    }
  return intervals;
}

void
plg_snapshot_free (PlgSnapshot *snapshot)
{
  g_free (snapshot);
}

gboolean
plg_snapshot_equal (const PlgSnapshot *a, const PlgSnapshot *b)
{
  if (a == NULL || b == NULL || a->n_stages != b->n_stages)
    return a == b;
  for (int i = 0; i < a->n_stages; i++)
    if (a->stages[i].activity != b->stages[i].activity ||
        a->stages[i].block != b->stages[i].block || a->stages[i].running != b->stages[i].running)
      return FALSE;
  return TRUE;
}

/* Sets NEAREST to EVENT if EVENT is in DIRECTION from TIME, and closer to TIME than NEAREST is. */
static void
keep_if_nearest (double *nearest, double time, double event, int direction)
{
  if ((event - time) * direction > 0.0 && (event - *nearest) * direction < 0.0)
    *nearest = event;
}

static double
nearest_event (const PlgPlan *plan, const PlgReport *report, double time, int direction)
{
  g_autoptr (GArray) intervals = NULL;
  double nearest, from, tolerance;
  StepContext context;

  if (report->blocks->len == 0)
    return 0.0;
  context_init (&context, plan, report);
  /* Rounding differences between equal sums must not be treated as events. */
  tolerance = context.end * 1e-9;
  from = CLAMP (time, 0.0, context.end) + direction * tolerance;
  nearest = direction > 0 ? context.end : 0.0;
  for (guint i = 0; i < report->blocks->len; i++)
    {
      keep_if_nearest (&nearest, from, block_at (report, i)->start, direction);
      keep_if_nearest (&nearest, from, block_at (report, i)->end, direction);
    }
  intervals = plg_snapshot_stage_intervals (plan, report);
  for (guint i = 0; i < intervals->len; i++)
    {
      keep_if_nearest (&nearest, from, g_array_index (intervals, PlgStageInterval, i).start,
                       direction);
      keep_if_nearest (&nearest, from, g_array_index (intervals, PlgStageInterval, i).end,
                       direction);
    }
  return nearest;
}

double
plg_snapshot_next (const PlgPlan *plan, const PlgReport *report, double time)
{
  return nearest_event (plan, report, time, 1);
}

double
plg_snapshot_previous (const PlgPlan *plan, const PlgReport *report, double time)
{
  return nearest_event (plan, report, time, -1);
}
