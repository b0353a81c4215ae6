/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/moment.h"

#include "engine/schedule.h"

#include <math.h>

/* What follows the blocks, in this order. */
typedef enum
{
  TAIL_REDUCE,
  TAIL_TIED,
  TAIL_UPDATE,
  TAIL_GATHER,
} TailPart;
#define N_TAIL_PARTS 4

/* The collectives once a step: all of their time, and what of it nothing hides. */
typedef struct
{
  guint rows; /* bit 1 << i: collective i of the report */
  double time;
  double exposed;
} Once;

/* What is the same for all stages. */
typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgPipeline pipeline;
  double blocks_end; /* when the last block ends */
  double end;
  double tail[N_TAIL_PARTS]; /* seconds */
  double tail_length;
  Once reduce, tied, gather;
  guint messages; /* the rows of collectives between stages */
  double hop;     /* seconds of a message */
  double recompute_share;
  gboolean slanted;
} Course;

/* The blocks of a stage that matter at a moment: the last ones to start. */
#define REMEMBERED 3
typedef struct
{
  int n;
  int block[REMEMBERED]; /* the latest first */
  double first_start;    /* of the stage; slanted schedules only */
  double last_start;     /* of its last block */
  double last_end;
} StageCourse;

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

/* Blocks are sorted by start, so the last to end is among the last to start: one of each stage. */
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
plg_moment_end (const PlgReport *report)
{
  double end;

  if (report->blocks->len == 0)
    return 0.0;
  end = last_end (report);
  return isfinite (report->step.time) ? MAX (report->step.time, end) : end;
}

static void
add_once (Once *once, const PlgCollective *row, guint i)
{
  once->rows |= 1u << i;
  once->time += row->time;
  once->exposed += row->exposed;
}

static void
sort_collectives (Course *course)
{
  for (guint i = 0; i < course->report->collectives->len && i < 32; i++)
    {
      const PlgCollective *row = collective_at (course->report, i);

      switch (row->when)
        {
        case PLG_WHEN_BETWEEN_STAGES:
          course->messages |= 1u << i;
          course->hop = row->calls > 0.0 ? row->time / row->calls : 0.0;
          break;
        case PLG_WHEN_AFTER_BLOCKS:
          add_once (&course->reduce, row, i);
          break;
        case PLG_WHEN_TIED:
          add_once (&course->tied, row, i);
          break;
        case PLG_WHEN_BEFORE_BLOCKS:
          add_once (&course->gather, row, i);
          break;
        case PLG_WHEN_IN_BLOCKS:
        default:
          break;
        }
    }
}

double
plg_moment_recompute_share (const PlgReport *report)
{
  const PlgStep *step = &report->step;

  return step->backward > 0.0 ? MIN (step->part[PLG_PART_RECOMPUTE] / step->backward, 1.0) : 0.0;
}

/* What follows the blocks fills what is left of the step. That is what it takes, but for the
 * textbooks' profiles, whose steps are no simulation. */
static void
set_tail (Course *course)
{
  double room = course->end - course->blocks_end, sum = 0.0;

  course->tail[TAIL_REDUCE] = course->reduce.exposed;
  course->tail[TAIL_TIED] = course->tied.exposed;
  course->tail[TAIL_UPDATE] = course->report->step.part[PLG_PART_OPTIMIZER];
  course->tail[TAIL_GATHER] = course->gather.exposed;
  for (int i = 0; i < N_TAIL_PARTS; i++)
    sum += course->tail[i];
  course->tail_length = sum;
  if (course->slanted || sum <= 0.0)
    return;
  for (int i = 0; i < N_TAIL_PARTS; i++)
    course->tail[i] *= room / sum;
  course->tail_length = room;
}

static void
course_init (Course *course, const PlgPlan *plan, const PlgReport *report)
{
  *course = (Course) { .plan = plan, .report = report };
  plg_pipeline_init (&course->pipeline, plan);
  course->slanted = course->pipeline.schedule == PLG_SCHEDULE_ZB_V &&
                    report->profile == PLG_PROFILE_STANDARD;
  course->blocks_end = last_end (report);
  course->end = plg_moment_end (report);
  sort_collectives (course);
  course->recompute_share = plg_moment_recompute_share (report);
  set_tail (course);
}

/* The first block that starts after TIME. */
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

/* Goes back from TIME until the last blocks of all stages are found. A stage starts no block while
 * others start many only before its first and after its last one, so that the way is short. */
static void
find_started (const Course *course, StageCourse *stages, double time)
{
  int n = stage_count (course->report), full = 0;

  for (guint i = first_after (course->report, time); i-- > 0 && full < n;)
    {
      StageCourse *stage = &stages[block_at (course->report, i)->stage];

      if (stage->n == REMEMBERED)
        continue;
      stage->block[stage->n++] = i;
      if (stage->n == REMEMBERED)
        full++;
    }
}

static void
find_last (const Course *course, StageCourse *stages)
{
  int n = stage_count (course->report), seen = 0;

  for (guint i = course->report->blocks->len; i-- > 0 && seen < n;)
    {
      const PlgBlock *block = block_at (course->report, i);
      StageCourse *stage = &stages[block->stage];

      if (stage->last_end > 0.0)
        continue;
      stage->last_start = block->start;
      stage->last_end = block->end;
      seen++;
    }
}

static void
find_first (const Course *course, StageCourse *stages)
{
  int n = stage_count (course->report), seen = 0;

  for (int i = 0; i < n; i++)
    stages[i].first_start = course->slanted ? -1.0 : 0.0;
  for (guint i = 0; course->slanted && i < course->report->blocks->len && seen < n; i++)
    {
      StageCourse *stage = &stages[block_at (course->report, i)->stage];

      if (stage->first_start >= 0.0)
        continue;
      stage->first_start = block_at (course->report, i)->start;
      seen++;
    }
}

/* When what follows the blocks begins on a stage. */
static double
tail_start (const Course *course, const StageCourse *stage)
{
  if (course->slanted)
    return stage->first_start + course->report->step.time - course->tail_length;
  return course->blocks_end;
}

/* Where the next position of BLOCK is, -1 where it sends nothing or keeps it on its stage. */
static int
receiver (const Course *course, const PlgBlock *block)
{
  const PlgPipeline *pipeline = &course->pipeline;
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

/* Seconds at the end of a block in which its stage waits for its message. */
static double
wait_of (const Course *course, const PlgBlock *block)
{
  if (course->pipeline.overlap || receiver (course, block) < 0)
    return 0.0;
  return MIN (course->hop, block->end - block->start);
}

static gboolean
is_travelling (const Course *course, const PlgBlock *block, double time)
{
  if (course->pipeline.overlap)
    return time >= block->end && time < block->end + course->hop;
  return time >= block->end - wait_of (course, block) && time < block->end;
}

static void
add_messages (const Course *course, PlgMoment *moment, const StageCourse *stage)
{
  for (int i = 0; i < stage->n; i++)
    {
      const PlgBlock *block = block_at (course->report, stage->block[i]);
      int to = receiver (course, block);

      if (to < 0 || to >= moment->n_stages || !is_travelling (course, block, moment->time))
        continue;
      moment->stages[block->stage].running |= course->messages;
      moment->stages[to].running |= course->messages;
    }
}

static guint
called_in (const PlgReport *report, PlgBlockKind kind)
{
  guint rows = 0;

  for (guint i = 0; i < report->collectives->len && i < 32; i++)
    {
      const PlgCollective *row = collective_at (report, i);

      if (row->when == PLG_WHEN_IN_BLOCKS && (row->blocks & (1u << kind)) != 0)
        rows |= 1u << i;
    }
  return rows;
}

static PlgActivity
activity_in (const Course *course, const PlgBlock *block, double time)
{
  double again = block->start + course->recompute_share * (block->end - block->start);

  if (block->kind == PLG_BLOCK_FORWARD)
    return PLG_ACTIVITY_FORWARD;
  if (block->kind == PLG_BLOCK_BACKWARD_WEIGHT)
    return PLG_ACTIVITY_WEIGHT;
  return time < again ? PLG_ACTIVITY_RECOMPUTE : PLG_ACTIVITY_BACKWARD;
}

/* Inside a block, if there is one. */
static gboolean
set_block (const Course *course, const StageCourse *stage, PlgStageMoment *at, double time)
{
  for (int i = 0; i < stage->n; i++)
    {
      const PlgBlock *block = block_at (course->report, stage->block[i]);

      if (time >= block->end)
        continue;
      at->block = stage->block[i];
      at->activity = activity_in (course, block, time);
      if (time < block->end - wait_of (course, block))
        at->running |= called_in (course->report, block->kind);
      return TRUE;
    }
  return FALSE;
}

/* When gradients are reduced on a stage: behind its last block as far as that hides them. */
static void
reduce_span (const Course *course, const StageCourse *stage, double *from, double *to)
{
  double hidden = course->reduce.time - course->reduce.exposed;

  *from = *to = stage->last_end;
  if (course->reduce.rows == 0)
    return;
  if (course->plan->parallelism.overlap_dp)
    *from = MAX (stage->last_start, stage->last_end - MAX (hidden, 0.0));
  *to = MIN (*from + course->reduce.time, tail_start (course, stage) + course->tail[TAIL_REDUCE]);
}

static gboolean
is_tied_stage (const Course *course, int stage)
{
  return stage == 0 || stage == stage_count (course->report) - 1;
}

/* After the last block of the stage, SINCE seconds into what follows. */
static void
set_tail_part (const Course *course, PlgStageMoment *at, int stage, double since)
{
  int part = 0;

  while (part < N_TAIL_PARTS && since >= course->tail[part])
    since -= course->tail[part++];
  if (part == TAIL_TIED && is_tied_stage (course, stage))
    {
      at->activity = PLG_ACTIVITY_SYNC;
      at->running |= course->tied.rows;
    }
  else if (part == TAIL_UPDATE)
    at->activity = PLG_ACTIVITY_OPTIMIZER;
  else if (part == TAIL_GATHER)
    {
      at->activity = PLG_ACTIVITY_SYNC;
      at->running |= course->gather.rows;
    }
}

/* What of a stage's step is not in blocks. */
static void
set_rest (const Course *course, const StageCourse *stage, PlgStageMoment *at, int i, double time)
{
  double from, to, since;

  /* The stages of a slanted schedule end the step before while others have begun this one. */
  if (course->slanted && time < stage->first_start)
    time += course->report->step.time;
  reduce_span (course, stage, &from, &to);
  if (time >= from && time < to)
    {
      at->running |= course->reduce.rows;
      if (at->block < 0)
        at->activity = PLG_ACTIVITY_SYNC;
    }
  if (course->gather.rows != 0 && time - stage->first_start >= 0.0 &&
      time - stage->first_start < course->gather.time - course->gather.exposed)
    at->running |= course->gather.rows;
  since = time - tail_start (course, stage);
  if (at->block < 0 && since >= course->tail[TAIL_REDUCE])
    set_tail_part (course, at, i, since);
}

static void
set_stage (const Course *course, PlgMoment *moment, const StageCourse *stages, int i)
{
  PlgStageMoment *at = &moment->stages[i];

  set_block (course, &stages[i], at, moment->time);
  set_rest (course, &stages[i], at, i, moment->time);
  add_messages (course, moment, &stages[i]);
}

PlgMoment *
plg_moment_new (const PlgPlan *plan, const PlgReport *report, double time)
{
  int n = stage_count (report);
  g_autofree StageCourse *stages = NULL;
  PlgMoment *moment;
  Course course;

  if (report->blocks->len == 0)
    return NULL;
  course_init (&course, plan, report);
  stages = g_new0 (StageCourse, n);
  moment = g_malloc0 (sizeof (PlgMoment) + n * sizeof (PlgStageMoment));
  moment->end = course.end;
  moment->time = CLAMP (time, 0.0, course.end);
  moment->n_stages = n;
  for (int i = 0; i < n; i++)
    moment->stages[i].block = -1;
  find_started (&course, stages, moment->time);
  find_last (&course, stages);
  find_first (&course, stages);
  for (int i = 0; i < n; i++)
    set_stage (&course, moment, stages, i);
  return moment;
}

/* Times at which what a stage does outside of blocks can change, counted from the start of its own
 * step: see reduce_span() and tail_start(). */
#define N_TURNS (N_TAIL_PARTS + 3)

static void
add_turn (GArray *turns, double time, double from, double to)
{
  if (time > from && time < to)
    g_array_append_val (turns, time);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

/* Those between FROM and TO, and these two, sorted. */
static GArray *
turns_of (const Course *course, const StageCourse *stage, double from, double to)
{
  GArray *turns = g_array_sized_new (FALSE, FALSE, sizeof (double), 2 * N_TURNS + 2);
  double turn[N_TURNS], at = tail_start (course, stage);

  reduce_span (course, stage, &turn[0], &turn[1]);
  turn[2] = at;
  for (int part = 0; part < N_TAIL_PARTS; part++)
    turn[3 + part] = at += course->tail[part];
  g_array_append_val (turns, from);
  for (int i = 0; i < N_TURNS; i++)
    {
      add_turn (turns, turn[i], from, to);
      if (course->slanted)
        add_turn (turns, turn[i] - course->report->step.time, from, to);
    }
  g_array_append_val (turns, to);
  g_array_sort (turns, compare_times);
  return turns;
}

/* What stage I does from FROM to TO, when it has no block. */
static void
add_rests (GArray *rests,
           const Course *course,
           const StageCourse *stage,
           int i,
           double from,
           double to)
{
  g_autoptr (GArray) turns = turns_of (course, stage, from, to);

  for (guint k = 0; k + 1 < turns->len; k++)
    {
      double start = g_array_index (turns, double, k), end = g_array_index (turns, double, k + 1);
      PlgStageMoment at = { .block = -1 };
      PlgRest *last = rests->len > 0 ? &g_array_index (rests, PlgRest, rests->len - 1) : NULL;
      PlgRest rest = { i, PLG_ACTIVITY_IDLE, start, end };

      if (end <= start)
        continue;
      set_rest (course, stage, &at, i, (start + end) / 2);
      rest.activity = at.activity;
      if (rest.activity == PLG_ACTIVITY_IDLE)
        continue;
      if (last != NULL && last->stage == i && last->activity == rest.activity && last->end == start)
        last->end = end;
      else
        g_array_append_val (rests, rest);
    }
}

GArray *
plg_moment_rests (const PlgPlan *plan, const PlgReport *report)
{
  GArray *rests = g_array_new (FALSE, FALSE, sizeof (PlgRest));
  int n = stage_count (report);
  g_autofree StageCourse *stages = g_new0 (StageCourse, n);
  Course course;

  if (report->blocks->len == 0)
    return rests;
  course_init (&course, plan, report);
  find_last (&course, stages);
  find_first (&course, stages);
  for (int i = 0; i < n; i++)
    {
      if (course.slanted)
        add_rests (rests, &course, &stages[i], i, 0.0, stages[i].first_start);
      add_rests (rests, &course, &stages[i], i, stages[i].last_end, course.end);
    }
  return rests;
}

void
plg_moment_free (PlgMoment *moment)
{
  g_free (moment);
}

gboolean
plg_moment_equal (const PlgMoment *a, const PlgMoment *b)
{
  if (a == NULL || b == NULL || a->n_stages != b->n_stages)
    return a == b;
  for (int i = 0; i < a->n_stages; i++)
    if (a->stages[i].activity != b->stages[i].activity ||
        a->stages[i].block != b->stages[i].block || a->stages[i].running != b->stages[i].running)
      return FALSE;
  return TRUE;
}

/* Keeps in NEAREST what lies nearest to TIME on the side of DIRECTION. */
static void
consider (double *nearest, double time, double event, int direction)
{
  if ((event - time) * direction > 0.0 && (event - *nearest) * direction < 0.0)
    *nearest = event;
}

static double
neighbour (const PlgPlan *plan, const PlgReport *report, double time, int direction)
{
  g_autoptr (GArray) rests = NULL;
  double nearest, from, slack;
  Course course;

  if (report->blocks->len == 0)
    return 0.0;
  course_init (&course, plan, report);
  /* Sums that should be equal differ by what is rounded off; that is no event. */
  slack = course.end * 1e-9;
  from = CLAMP (time, 0.0, course.end) + direction * slack;
  nearest = direction > 0 ? course.end : 0.0;
  for (guint i = 0; i < report->blocks->len; i++)
    {
      consider (&nearest, from, block_at (report, i)->start, direction);
      consider (&nearest, from, block_at (report, i)->end, direction);
    }
  rests = plg_moment_rests (plan, report);
  for (guint i = 0; i < rests->len; i++)
    {
      consider (&nearest, from, g_array_index (rests, PlgRest, i).start, direction);
      consider (&nearest, from, g_array_index (rests, PlgRest, i).end, direction);
    }
  return nearest;
}

double
plg_moment_next (const PlgPlan *plan, const PlgReport *report, double time)
{
  return neighbour (plan, report, time, 1);
}

double
plg_moment_previous (const PlgPlan *plan, const PlgReport *report, double time)
{
  return neighbour (plan, report, time, -1);
}
