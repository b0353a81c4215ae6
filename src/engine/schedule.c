/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule.h"

#include "engine/flops.h"

#include <math.h>

/* One block of a stage's order. In the interleaved schedule INDEX counts through chunks and
 * micro-batches, in DualPipe's queue of weight gradients through both directions (chunk QUEUED);
 * else it is the micro-batch. */
typedef struct
{
  PlgBlockKind kind;
  int chunk;
  int index;
  gboolean paired; /* runs as one with the next block, as DualPipe's forward with its backward */
} Op;

#define QUEUED (-1)
#define MAX_OPS 6

/* A stretch of the order: its blocks once a round, each with an index higher by one. */
typedef struct
{
  int rounds;
  int n;
  Op ops[MAX_OPS];
} Segment;

#define FORWARD(c, i) ((Op) { .kind = PLG_BLOCK_FORWARD, .chunk = (c), .index = (i) })
#define BACKWARD(c, i) ((Op) { .kind = PLG_BLOCK_BACKWARD, .chunk = (c), .index = (i) })
#define INPUT(c, i) ((Op) { .kind = PLG_BLOCK_BACKWARD_INPUT, .chunk = (c), .index = (i) })
#define WEIGHT(c, i) ((Op) { .kind = PLG_BLOCK_BACKWARD_WEIGHT, .chunk = (c), .index = (i) })
#define WITH_NEXT(c, i) \
  ((Op) { .kind = PLG_BLOCK_FORWARD, .chunk = (c), .index = (i), .paired = TRUE })

void
plg_pipeline_init (PlgPipeline *pipeline, const PlgPlan *plan)
{
  *pipeline = (PlgPipeline) { .schedule = plan->training.schedule };
  pipeline->stages = MAX (plan->parallelism.degree[PLG_AXIS_PP], 1);
  pipeline->micro_batches = MAX (plg_plan_micro_batches (plan), 1);
  pipeline->overlap = plan->parallelism.overlap_pp;
  pipeline->chunks = plg_stage_chunks (plan);
  if (pipeline->schedule == PLG_SCHEDULE_DUALPIPE)
    pipeline->chunks = 2;
  if (pipeline->stages == 1)
    {
      pipeline->schedule = PLG_SCHEDULE_1F1B;
      pipeline->chunks = 1;
    }
}

int
plg_pipeline_positions (const PlgPipeline *pipeline)
{
  return pipeline->stages * pipeline->chunks;
}

static gboolean
is_dual (const PlgPipeline *pipeline)
{
  return pipeline->schedule == PLG_SCHEDULE_DUALPIPE;
}

/* The second half of the positions comes back down the stages. */
static gboolean
turns_back (const PlgPipeline *pipeline)
{
  return is_dual (pipeline) || pipeline->schedule == PLG_SCHEDULE_ZB_V;
}

int
plg_pipeline_stage (const PlgPipeline *pipeline, int position)
{
  if (turns_back (pipeline) && position >= pipeline->stages)
    return 2 * pipeline->stages - 1 - position;
  return position % pipeline->stages;
}

int
plg_pipeline_chunk (const PlgPipeline *pipeline, int position)
{
  return position / pipeline->stages;
}

static int
position_of (const PlgPipeline *pipeline, int stage, int chunk)
{
  if (turns_back (pipeline) && chunk == 1)
    return 2 * pipeline->stages - 1 - stage;
  return chunk * pipeline->stages + stage;
}

static gboolean
is_first (const PlgPipeline *pipeline, int position)
{
  return position == 0 || (is_dual (pipeline) && position == pipeline->stages);
}

gboolean
plg_pipeline_is_last (const PlgPipeline *pipeline, int position)
{
  return position == plg_pipeline_positions (pipeline) - 1 ||
         (is_dual (pipeline) && position == pipeline->stages - 1);
}

static gboolean
splits_backward (const PlgPipeline *pipeline)
{
  return pipeline->schedule == PLG_SCHEDULE_ZB_H1 || turns_back (pipeline);
}

int
plg_pipeline_passes (const PlgPipeline *pipeline)
{
  return is_dual (pipeline) ? pipeline->micro_batches / 2 : pipeline->micro_batches;
}

static void
add_op (Segment *segment, Op op)
{
  segment->ops[segment->n++] = op;
}

/* All forward, then all backward. */
static gboolean
gpipe_segment (const PlgPipeline *pipeline, int number, Segment *segment)
{
  if (number > 1)
    return FALSE;
  segment->rounds = pipeline->micro_batches;
  add_op (segment, number == 0 ? FORWARD (0, 0) : BACKWARD (0, 0));
  return TRUE;
}

/* N blocks each way, of which WARM_UP forward ones come first. */
static gboolean
one_by_one_segment (int n, int warm_up, int number, Segment *segment)
{
  switch (number)
    {
    case 0:
      segment->rounds = warm_up;
      add_op (segment, FORWARD (0, 0));
      return TRUE;
    case 1:
      segment->rounds = n - warm_up;
      add_op (segment, FORWARD (0, warm_up));
      add_op (segment, BACKWARD (0, 0));
      return TRUE;
    case 2:
      segment->rounds = warm_up;
      add_op (segment, BACKWARD (0, n - warm_up));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
interleaved_segment (const PlgPipeline *pipeline, int stage, int number, Segment *segment)
{
  int n = pipeline->micro_batches * pipeline->chunks;
  int warm_up = pipeline->stages - stage - 1;

  if (pipeline->chunks > 1)
    warm_up = 2 * warm_up + (pipeline->chunks - 1) * pipeline->stages;
  return one_by_one_segment (n, MIN (warm_up, n), number, segment);
}

/* Stage r puts off weight gradients by r micro-batches: the last stages fill their wait at the end
 * with them, and none holds more than the first does. */
static gboolean
zb_h1_segment (const PlgPipeline *pipeline, int stage, int number, Segment *segment)
{
  int m = pipeline->micro_batches;
  int warm_up = MIN (m, pipeline->stages - stage - 1);
  int steady = m - warm_up;
  int late = MIN (stage, steady);

  switch (number)
    {
    case 0:
      segment->rounds = warm_up;
      add_op (segment, FORWARD (0, 0));
      return TRUE;
    case 1:
      segment->rounds = late;
      add_op (segment, FORWARD (0, warm_up));
      add_op (segment, INPUT (0, 0));
      return TRUE;
    case 2:
      segment->rounds = steady - late;
      add_op (segment, FORWARD (0, warm_up + late));
      add_op (segment, INPUT (0, late));
      add_op (segment, WEIGHT (0, 0));
      return TRUE;
    case 3:
      segment->rounds = warm_up;
      add_op (segment, INPUT (0, steady));
      add_op (segment, WEIGHT (0, steady - late));
      return TRUE;
    case 4:
      segment->rounds = late;
      add_op (segment, WEIGHT (0, m - late));
      return TRUE;
    default:
      return FALSE;
    }
}

/* Forward down the first chunk until the second comes back, and its backward pass after it. */
static gboolean
zb_v_start (int p, int r, int number, Segment *segment)
{
  switch (number)
    {
    case 0:
      segment->rounds = 2 * (p - r) - 1;
      add_op (segment, FORWARD (0, 0));
      return TRUE;
    case 1:
      segment->rounds = r;
      add_op (segment, FORWARD (1, 0));
      add_op (segment, FORWARD (0, 2 * (p - r) - 1));
      return TRUE;
    case 2:
    default:
      segment->rounds = p - r;
      add_op (segment, FORWARD (1, r));
      add_op (segment, INPUT (1, 0));
      add_op (segment, WEIGHT (1, 0));
      return TRUE;
    }
}

/* Both chunks forward and backward in turn; in the end the first has no more forward. */
static gboolean
zb_v_middle (int p, int r, int n, gboolean forward, Segment *segment)
{
  int full = n - 2 * p + r + 1;
  int done = forward ? 0 : full;

  segment->rounds = forward ? full : p - r - 1;
  if (forward)
    add_op (segment, FORWARD (0, 2 * p - r - 1));
  add_op (segment, INPUT (0, done));
  add_op (segment, WEIGHT (0, done));
  add_op (segment, FORWARD (1, p + done));
  add_op (segment, INPUT (1, p - r + done));
  add_op (segment, WEIGHT (1, p - r + done));
  return TRUE;
}

static gboolean
zb_v_end (int p, int r, int n, int number, Segment *segment)
{
  switch (number)
    {
    case 5:
      segment->rounds = r;
      add_op (segment, INPUT (0, n - p));
      add_op (segment, INPUT (1, n - r));
      return TRUE;
    case 6:
      segment->rounds = p - r;
      add_op (segment, INPUT (0, n - p + r));
      add_op (segment, WEIGHT (0, n - p));
      return TRUE;
    case 7:
    case 8:
      segment->rounds = r;
      add_op (segment, WEIGHT (number == 7 ? 1 : 0, n - r));
      return TRUE;
    default:
      return FALSE;
    }
}

/* With fewer micro-batches than fill the pipeline, the order for more, without those missing. */
static gboolean
zb_v_segment (const PlgPipeline *pipeline, int stage, int number, Segment *segment)
{
  int p = pipeline->stages;
  int n = MAX (pipeline->micro_batches, 2 * p - 1);

  if (number <= 2)
    return zb_v_start (p, stage, number, segment);
  if (number <= 4)
    return zb_v_middle (p, stage, n, number == 3, segment);
  return zb_v_end (p, stage, n, number, segment);
}

/* DualPipe seen from a stage: how far from the nearer end it is, and which chunk is which. */
typedef struct
{
  int half;   /* of the stages */
  int from;   /* the nearer end */
  int first;  /* the chunk whose micro-batches come from the nearer end */
  int second; /* the other */
  int m;      /* micro-batches of each */
  int steady; /* rounds of the main stretch */
} Dual;

static Dual
dual_at (const PlgPipeline *pipeline, int stage)
{
  int p = pipeline->stages;
  gboolean upper = stage >= p / 2;
  Dual dual = { .half = p / 2, .m = pipeline->micro_batches / 2 };

  dual.from = MIN (stage, p - 1 - stage);
  dual.first = upper ? 1 : 0;
  dual.second = upper ? 0 : 1;
  dual.steady = dual.m - p + dual.from + 1;
  return dual;
}

static void
dual_start (const Dual *dual, int number, Segment *segment)
{
  int outside = dual->half - dual->from - 1;

  switch (number)
    {
    case 0:
      segment->rounds = 2 * outside;
      add_op (segment, FORWARD (dual->first, 0));
      break;
    case 1:
      segment->rounds = dual->from + 1;
      add_op (segment, FORWARD (dual->first, 2 * outside));
      add_op (segment, FORWARD (dual->second, 0));
      break;
    case 2:
    default:
      segment->rounds = outside;
      add_op (segment, INPUT (dual->second, 0));
      add_op (segment, WEIGHT (dual->second, 0));
      add_op (segment, FORWARD (dual->second, dual->from + 1));
      break;
    }
}

/* Forward of one direction together with backward of the other. The middle stages do not join the
 * first two. */
static void
dual_middle (const Dual *dual, int number, Segment *segment)
{
  int outside = dual->half - dual->from - 1;
  gboolean apart = number == 3 && outside == 0;
  int done = number == 3 ? 0 : outside == 0 ? 1 : 0;
  int first = dual->half + outside + done, second = dual->half + done;

  segment->rounds = number == 3 ? (outside == 0 ? 1 : 0) : dual->steady - done;
  if (apart)
    add_op (segment, FORWARD (dual->first, first));
  else
    add_op (segment, WITH_NEXT (dual->first, first));
  add_op (segment, BACKWARD (dual->second, outside + done));
  add_op (segment, WITH_NEXT (dual->second, second));
  add_op (segment, BACKWARD (dual->first, done));
}

/* The last backward blocks of both directions; from the middle of them on, weight gradients wait.
 */
static void
dual_drain (const Dual *dual, int number, Segment *segment)
{
  int rounds = dual->from + 1, full = rounds / 2;
  int second = dual->m - rounds, first = dual->m - dual->half;
  gboolean odd = dual->from % 2 == 1;

  switch (number)
    {
    case 6:
      segment->rounds = full;
      add_op (segment, BACKWARD (dual->second, second));
      add_op (segment, BACKWARD (dual->first, first));
      break;
    case 7:
      segment->rounds = 1;
      add_op (segment,
              odd ? INPUT (dual->second, second + full) : BACKWARD (dual->second, second + full));
      add_op (segment, INPUT (dual->first, first + full));
      break;
    case 8:
    default:
      segment->rounds = rounds - full - 1;
      add_op (segment, INPUT (dual->second, second + full + 1));
      add_op (segment, INPUT (dual->first, first + full + 1));
      break;
    }
}

static gboolean
dual_end (const Dual *dual, int number, Segment *segment)
{
  int outside = dual->half - dual->from - 1;

  switch (number)
    {
    case 5:
      segment->rounds = outside;
      add_op (segment, BACKWARD (dual->second, outside + dual->steady));
      add_op (segment, WITH_NEXT (dual->second, dual->half + dual->steady));
      add_op (segment, BACKWARD (dual->first, dual->steady));
      return TRUE;
    case 9:
      segment->rounds = outside;
      add_op (segment, WEIGHT (QUEUED, 0));
      add_op (segment, INPUT (dual->first, dual->m - outside));
      return TRUE;
    case 10:
      segment->rounds = dual->from + 1;
      add_op (segment, WEIGHT (QUEUED, outside));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
dual_segment (const PlgPipeline *pipeline, int stage, int number, Segment *segment)
{
  Dual dual = dual_at (pipeline, stage);

  if (number <= 2)
    dual_start (&dual, number, segment);
  else if (number <= 4)
    dual_middle (&dual, number, segment);
  else if (number >= 6 && number <= 8)
    dual_drain (&dual, number, segment);
  else
    return dual_end (&dual, number, segment);
  return TRUE;
}

/* The weight gradients that dual_drain() and dual_end() put off, in the order in which they were:
 * the two directions in turn while both drain, then the first alone. */
static void
resolve_queued (const PlgPipeline *pipeline, int stage, Op *op)
{
  Dual dual = dual_at (pipeline, stage);
  int rounds = dual.from + 1, full = rounds / 2, i = op->index;
  gboolean odd = dual.from % 2 == 1;

  if (i < rounds && (i + dual.from) % 2 == 1)
    {
      op->chunk = dual.second;
      op->index = dual.m - rounds + full + (odd ? 0 : 1) + i / 2;
      return;
    }
  op->chunk = dual.first;
  op->index = dual.m - dual.half + full + (i < rounds ? i / 2 : i - rounds + (rounds + 1) / 2);
}

/* Chunks take turns with a group of as many micro-batches as there are stages; backward starts with
 * the last chunk. */
static void
resolve_interleaved (const PlgPipeline *pipeline, Op *op)
{
  int group = op->index / (pipeline->stages * pipeline->chunks);
  int first = group * pipeline->stages;
  int size = MIN (pipeline->stages, pipeline->micro_batches - first);
  int rest = op->index - first * pipeline->chunks;
  int chunk = rest / size;

  op->chunk = op->kind == PLG_BLOCK_FORWARD ? chunk : pipeline->chunks - 1 - chunk;
  op->index = first + rest % size;
}

static void
resolve (const PlgPipeline *pipeline, int stage, Op *op)
{
  if (op->chunk == QUEUED)
    resolve_queued (pipeline, stage, op);
  else if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED && pipeline->chunks > 1)
    resolve_interleaved (pipeline, op);
}

static gboolean
make_segment (const PlgPipeline *pipeline, int stage, int number, Segment *segment)
{
  int m = pipeline->micro_batches;

  *segment = (Segment) { 0 };
  switch (pipeline->schedule)
    {
    case PLG_SCHEDULE_GPIPE:
      return gpipe_segment (pipeline, number, segment);
    case PLG_SCHEDULE_INTERLEAVED:
      return interleaved_segment (pipeline, stage, number, segment);
    case PLG_SCHEDULE_ZB_H1:
      return zb_h1_segment (pipeline, stage, number, segment);
    case PLG_SCHEDULE_ZB_V:
      return zb_v_segment (pipeline, stage, number, segment);
    case PLG_SCHEDULE_DUALPIPE:
      return dual_segment (pipeline, stage, number, segment);
    case PLG_SCHEDULE_1F1B:
    default:
      return one_by_one_segment (m, MIN (m, pipeline->stages - stage - 1), number, segment);
    }
}

/* Where a stage is in its order. */
typedef struct
{
  int stage;
  int number; /* of the segment */
  int round;
  int step;
  gboolean done;
  double free; /* when its last block ends */
  PlgStageSpan span;
  Segment segment;
} Cursor;

/* One run. Blocks lie in BLOCK by position, micro-batch and kind, so that what a block waits for is
 * found at once; end < 0: not there yet. */
typedef struct
{
  const PlgPipeline *pipeline;
  PlgBlock *block;
  int kinds; /* 2, or 3 with weight gradients apart */
  int m;     /* micro-batches of a position */
} Run;

/* Steps to the next block of the order that there is. */
static void
settle (const PlgPipeline *pipeline, Cursor *cursor)
{
  while (!cursor->done)
    {
      const Segment *segment = &cursor->segment;

      if (cursor->round < segment->rounds && cursor->step < segment->n)
        {
          if (segment->ops[cursor->step].index + cursor->round < pipeline->micro_batches ||
              pipeline->schedule != PLG_SCHEDULE_ZB_V)
            return;
          cursor->step++;
        }
      else if (cursor->round + 1 < segment->rounds)
        {
          cursor->round++;
          cursor->step = 0;
        }
      else
        {
          cursor->round = cursor->step = 0;
          cursor->done = !make_segment (pipeline, cursor->stage, cursor->number++,
                                        &cursor->segment);
        }
    }
}

static void
cursor_init (Cursor *cursor, const PlgPipeline *pipeline, int stage)
{
  *cursor = (Cursor) { .stage = stage, .span.start = -1.0 };
  settle (pipeline, cursor);
}

/* The block AHEAD steps on, inside the same round. */
static Op
cursor_op (const PlgPipeline *pipeline, const Cursor *cursor, int ahead)
{
  Op op = cursor->segment.ops[cursor->step + ahead];

  op.index += cursor->round;
  resolve (pipeline, cursor->stage, &op);
  return op;
}

static PlgBlock *
block_at (const Run *run, int position, int micro_batch, int kind)
{
  return &run->block[((gsize) position * run->m + micro_batch) * run->kinds + kind];
}

/* Seconds of the message from POSITION to the next. */
static double
message (const PlgPipeline *pipeline, int position)
{
  return pipeline->instant ? 0.0 : pipeline->positions[position].hop;
}

/* When what OP needs is there; -1 while it is not. */
static double
ready_time (const Run *run, const Op *op, int position)
{
  const PlgPipeline *pipeline = run->pipeline;
  gboolean forward = op->kind == PLG_BLOCK_FORWARD;
  int from = forward ? position - 1 : position + 1;
  double end, hop;

  if (op->kind == PLG_BLOCK_BACKWARD_WEIGHT ||
      (forward ? is_first (pipeline, position) : plg_pipeline_is_last (pipeline, position)))
    return 0.0;
  end = block_at (run, from, op->index, forward ? 0 : 1)->end;
  hop = pipeline->overlap ? message (pipeline, MIN (from, position)) : 0.0;
  return end < 0.0 ? -1.0 : end + hop;
}

static double
duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  const PlgPosition *times = &pipeline->positions[position];
  gboolean wait = !pipeline->overlap;

  switch (kind)
    {
    case PLG_BLOCK_FORWARD:
      return times->forward + (wait ? message (pipeline, position) : 0.0);
    case PLG_BLOCK_BACKWARD_WEIGHT:
      return times->weight;
    case PLG_BLOCK_BACKWARD:
    case PLG_BLOCK_BACKWARD_INPUT:
    default:
      return times->input + (kind == PLG_BLOCK_BACKWARD ? times->weight : 0.0) +
             (wait && !is_first (pipeline, position) ? message (pipeline, position - 1) : 0.0);
    }
}

/* Which slot of a position and micro-batch. */
static int
slot_of (PlgBlockKind kind)
{
  if (kind == PLG_BLOCK_FORWARD)
    return 0;
  return kind == PLG_BLOCK_BACKWARD_WEIGHT ? 2 : 1;
}

static void
place (const Run *run, Cursor *cursor, const Op *op, int position, double start, double end)
{
  PlgBlock *block = block_at (run, position, op->index, slot_of (op->kind));
  int before = is_dual (run->pipeline) && op->chunk == 1 ? run->m : 0;

  *block = (PlgBlock) { .kind = op->kind,
                        .stage = cursor->stage,
                        .chunk = op->chunk,
                        .micro_batch = op->index + before,
                        .start = start,
                        .end = end };
}

/* Runs the next block of a stage, or pair of blocks, if it can start. A pair is ready when both
 * are, and its results are there when both have ended. */
static gboolean
advance (const Run *run, Cursor *cursor)
{
  const PlgPipeline *pipeline = run->pipeline;
  double start = cursor->free, end;
  Op ops[2];
  int positions[2], n = cursor->segment.ops[cursor->step].paired ? 2 : 1;

  for (int i = 0; i < n; i++)
    {
      double ready;

      ops[i] = cursor_op (pipeline, cursor, i);
      positions[i] = position_of (pipeline, cursor->stage, ops[i].chunk);
      ready = ready_time (run, &ops[i], positions[i]);
      if (ready < 0.0)
        return FALSE;
      start = MAX (start, ready);
    }
  end = start;
  for (int i = 0; i < n; i++)
    end += duration (pipeline, ops[i].kind, positions[i]);
  place (run, cursor, &ops[0], positions[0], start, end);
  if (n == 2)
    place (run, cursor, &ops[1], positions[1], end - duration (pipeline, ops[1].kind, positions[1]),
           end);
  if (cursor->span.start < 0.0)
    cursor->span.start = start;
  cursor->span.busy += end - start;
  cursor->free = cursor->span.finish = end;
  cursor->step += n;
  settle (pipeline, cursor);
  return TRUE;
}

/* FALSE when the stages wait for each other. */
static gboolean
run_all (const Run *run, Cursor *cursors)
{
  int stages = run->pipeline->stages, open = stages;

  while (open > 0)
    {
      gboolean moved = FALSE;

      open = 0;
      for (int i = 0; i < stages; i++)
        {
          while (!cursors[i].done && advance (run, &cursors[i]))
            moved = TRUE;
          if (!cursors[i].done)
            open++;
        }
      if (open > 0 && !moved)
        return FALSE;
    }
  return TRUE;
}

static void
summarize (const PlgPipeline *pipeline, const PlgStageSpan *spans, PlgPipelineResult *result)
{
  gboolean slanted = pipeline->schedule == PLG_SCHEDULE_ZB_V;
  int stages = pipeline->stages;
  double busy = 0.0;

  *result = (PlgPipelineResult) { 0 };
  for (int i = 0; i < stages; i++)
    {
      double start = slanted ? spans[i].start : 0.0;

      result->length = MAX (result->length, spans[i].finish - start);
      busy += spans[i].busy;
    }
  if (result->length > 0.0)
    result->idle_share = MAX (0.0, 1.0 - busy / stages / result->length);
}

/* Stages of this many need no memory of their own. */
#define FEW_STAGES 64

/* Fills BLOCKS, unsorted and with gaps, and SPANS. */
static gboolean
run_pipeline (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  Cursor few[FEW_STAGES];
  g_autofree Cursor *many = NULL;
  Cursor *cursors = few;
  Run run = { .pipeline = pipeline, .m = plg_pipeline_passes (pipeline) };
  gint64 n;
  gboolean whole;

  run.kinds = splits_backward (pipeline) ? 3 : 2;
  n = (gint64) plg_pipeline_positions (pipeline) * run.m * run.kinds;
  if (n > PLG_MAX_BLOCKS)
    return FALSE;
  g_array_set_size (blocks, n);
  run.block = (PlgBlock *) (void *) blocks->data;
  for (gint64 i = 0; i < n; i++)
    run.block[i].end = -1.0;
  if (pipeline->stages > FEW_STAGES)
    cursors = many = g_new (Cursor, pipeline->stages);
  for (int i = 0; i < pipeline->stages; i++)
    cursor_init (&cursors[i], pipeline, i);
  whole = run_all (&run, cursors);
  for (int i = 0; i < pipeline->stages; i++)
    spans[i] = cursors[i].span;
  return whole;
}

static gboolean
is_before (const PlgBlock *a, const PlgBlock *b)
{
  if (a->start != b->start)
    return a->start < b->start;
  if (a->stage != b->stage)
    return a->stage < b->stage;
  return a->end < b->end;
}

static void
sink (PlgBlock *block, int root, int n)
{
  for (int child; (child = 2 * root + 1) < n; root = child)
    {
      PlgBlock swap = block[root];

      if (child + 1 < n && is_before (&block[child], &block[child + 1]))
        child++;
      if (!is_before (&swap, &block[child]))
        return;
      block[root] = block[child];
      block[child] = swap;
    }
}

/* Heap sort: g_array_sort() would allocate. */
static void
sort_blocks (PlgBlock *block, int n)
{
  for (int i = n / 2 - 1; i >= 0; i--)
    sink (block, i, n);
  for (int i = n - 1; i > 0; i--)
    {
      PlgBlock swap = block[0];

      block[0] = block[i];
      block[i] = swap;
      sink (block, 0, i);
    }
}

/* Leaves out the gaps, and draws the blocks of a pair one after the other. */
static void
tidy_blocks (const PlgPipeline *pipeline, GArray *blocks)
{
  PlgBlock *block = (PlgBlock *) (void *) blocks->data;
  int n = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      if (block[i].end < 0.0)
        continue;
      block[n] = block[i];
      if (block[n].kind == PLG_BLOCK_FORWARD)
        {
          int position = position_of (pipeline, block[n].stage, block[n].chunk);
          double end = block[n].start + duration (pipeline, PLG_BLOCK_FORWARD, position);

          block[n].end = MIN (block[n].end, end);
        }
      n++;
    }
  g_array_set_size (blocks, n);
  sort_blocks (block, n);
}

gboolean
plg_pipeline_simulate (const PlgPipeline *pipeline,
                       GArray *blocks,
                       PlgStageSpan *spans,
                       PlgPipelineResult *result)
{
  PlgStageSpan few[FEW_STAGES];
  g_autofree PlgStageSpan *many = NULL;
  gboolean whole;

  if (spans == NULL && pipeline->stages > FEW_STAGES)
    spans = many = g_new (PlgStageSpan, pipeline->stages);
  else if (spans == NULL)
    spans = few;
  whole = run_pipeline (pipeline, blocks, spans);
  if (!whole)
    {
      g_array_set_size (blocks, 0);
      return FALSE;
    }
  tidy_blocks (pipeline, blocks);
  summarize (pipeline, spans, result);
  return TRUE;
}

/* Micro-batches after which the order of a schedule repeats. */
static int
round_size (const PlgPipeline *pipeline)
{
  if (is_dual (pipeline))
    return 2;
  return pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->stages : 1;
}

/* What STAGE has to do in a round. */
static double
round_work (const PlgPipeline *pipeline, int stage)
{
  double work = 0.0;

  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = position_of (pipeline, stage, chunk);

      work += duration (pipeline, PLG_BLOCK_FORWARD, position) +
              duration (pipeline, PLG_BLOCK_BACKWARD, position);
    }
  return work * (is_dual (pipeline) ? 1.0 : round_size (pipeline));
}

static double
busiest_round (const PlgPipeline *pipeline)
{
  double busiest = 0.0;

  for (int stage = 0; stage < pipeline->stages; stage++)
    busiest = MAX (busiest, round_work (pipeline, stage));
  return busiest;
}

/* Equal jobs through a row of machines take the sum over the machines once, and the slowest for
 * each further job; GPipe does so forward, then backward. */
static void
gpipe_totals (const PlgPipeline *pipeline, PlgStageSpan *spans)
{
  int last = pipeline->stages - 1;
  double more = pipeline->micro_batches - 1.0;
  double sum = 0.0, slowest = 0.0;

  for (int i = 0; i <= last; i++)
    {
      spans[i].start = sum;
      sum += duration (pipeline, PLG_BLOCK_FORWARD, i);
      slowest = MAX (slowest, duration (pipeline, PLG_BLOCK_FORWARD, i));
      if (pipeline->overlap && i < last)
        sum += message (pipeline, i);
    }
  sum += more * slowest;
  slowest = 0.0;
  for (int i = last; i >= 0; i--)
    {
      sum += duration (pipeline, PLG_BLOCK_BACKWARD, i);
      slowest = MAX (slowest, duration (pipeline, PLG_BLOCK_BACKWARD, i));
      spans[i].finish = sum + more * slowest;
      spans[i].busy = pipeline->micro_batches * round_work (pipeline, i);
      if (pipeline->overlap && i > 0)
        sum += message (pipeline, i - 1);
    }
}

/* So many stages that even a short run is too long: the busiest one works all the time, the others
 * once before and after it. */
static void
estimate_totals (const PlgPipeline *pipeline, PlgStageSpan *spans)
{
  double rounds = (double) pipeline->micro_batches / round_size (pipeline);
  double busiest = busiest_round (pipeline), ramp = 0.0;

  for (int i = 0; i < pipeline->stages; i++)
    {
      spans[i].busy = rounds * round_work (pipeline, i);
      ramp += round_work (pipeline, i) / round_size (pipeline) / pipeline->chunks;
    }
  for (int i = 0; i < pipeline->stages; i++)
    {
      spans[i].start = ramp / 3.0 * i / pipeline->stages;
      spans[i].finish = spans[i].start + rounds * busiest +
                        ramp * (pipeline->stages - i) / pipeline->stages;
    }
}

/* Two runs a round apart; when the second took longer by ROUND on every stage, so will all that
 * follow. The time of a run is convex in its micro-batches, and nothing is slower than ROUND. */
static gboolean
extrapolate (const PlgPipeline *pipeline, int n, double round, GArray *blocks, PlgStageSpan *spans)
{
  PlgStageSpan few[FEW_STAGES];
  g_autofree PlgStageSpan *many = NULL;
  PlgStageSpan *before = few;
  PlgPipeline shorter = *pipeline;
  int size = round_size (pipeline);
  double rounds;

  if (pipeline->stages > FEW_STAGES)
    before = many = g_new (PlgStageSpan, pipeline->stages);
  shorter.micro_batches = n;
  if (!run_pipeline (&shorter, blocks, before))
    return FALSE;
  shorter.micro_batches = n + size;
  if (!run_pipeline (&shorter, blocks, spans))
    return FALSE;
  rounds = (double) (pipeline->micro_batches - n - size) / size;
  for (int i = 0; i < pipeline->stages; i++)
    {
      double grown = spans[i].finish - before[i].finish;

      if (fabs (grown - round) > 1e-12 * spans[i].finish)
        return FALSE;
      spans[i].finish += rounds * round;
      spans[i].busy = round_work (pipeline, i) * pipeline->micro_batches / size;
    }
  return TRUE;
}

/* Whether a stage is what sets the pace in the long run, so that no loop of blocks and messages
 * over several stages can be slower. Interleaved stages do other chunks before they need an answer;
 * that reserve holds when blocks do not differ much (but for the ends, with embedding and logits)
 * and messages are shorter than half of one. The others have none for messages that travel. */
static gboolean
stage_sets_pace (const PlgPipeline *pipeline)
{
  int n = plg_pipeline_positions (pipeline);
  double low[2] = { G_MAXDOUBLE, G_MAXDOUBLE }, high[2] = { 0.0, 0.0 }, hop = 0.0;

  for (int i = 1; i < n - 1; i++)
    for (int back = 0; back < 2; back++)
      {
        double time = duration (pipeline, back ? PLG_BLOCK_BACKWARD : PLG_BLOCK_FORWARD, i);

        low[back] = MIN (low[back], time);
        high[back] = MAX (high[back], time);
      }
  for (int i = 0; i < n && pipeline->overlap; i++)
    hop = MAX (hop, message (pipeline, i));
  if (pipeline->schedule != PLG_SCHEDULE_INTERLEAVED)
    return hop == 0.0;
  return high[0] <= 1.4 * low[0] && high[1] <= 1.4 * low[1] && hop < MIN (low[0], low[1]) / 2.0;
}

/* FALSE when nothing shorter than all micro-batches will do. */
static gboolean
shorten (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int m = pipeline->micro_batches, size = round_size (pipeline);
  double round = busiest_round (pipeline);

  if (!stage_sets_pace (pipeline))
    return FALSE;
  for (gint64 n = 3 * (gint64) pipeline->stages; 2 * n + size < m; n *= 2)
    if (extrapolate (pipeline, n + (m - n) % size, round, blocks, spans))
      return TRUE;
  return FALSE;
}

void
plg_pipeline_totals (const PlgPipeline *pipeline,
                     GArray *blocks,
                     PlgStageSpan *spans,
                     PlgPipelineResult *result)
{
  PlgStageSpan few[FEW_STAGES];
  g_autofree PlgStageSpan *many = NULL;

  if (spans == NULL && pipeline->stages > FEW_STAGES)
    spans = many = g_new (PlgStageSpan, pipeline->stages);
  else if (spans == NULL)
    spans = few;
  if (pipeline->schedule == PLG_SCHEDULE_GPIPE)
    gpipe_totals (pipeline, spans);
  else if (!shorten (pipeline, blocks, spans) && !run_pipeline (pipeline, blocks, spans))
    estimate_totals (pipeline, spans);
  g_array_set_size (blocks, 0);
  summarize (pipeline, spans, result);
}
