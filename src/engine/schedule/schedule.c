/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule.h"

#include "engine/model/flops.h"
#include "engine/schedule/schedule-order.h"

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

/* Returns TRUE if positions p .. 2p-1 (virtual stages) are on the p stages in reverse order. */
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

int
plg_pipeline_position (const PlgPipeline *pipeline, int stage, int chunk)
{
  if (turns_back (pipeline) && chunk == 1)
    return 2 * pipeline->stages - 1 - stage;
  return chunk * pipeline->stages + stage;
}

gboolean
plg_pipeline_is_first (const PlgPipeline *pipeline, int position)
{
  return position == 0 || (is_dual (pipeline) && position == pipeline->stages);
}

gboolean
plg_pipeline_is_last (const PlgPipeline *pipeline, int position)
{
  return position == plg_pipeline_positions (pipeline) - 1 ||
         (is_dual (pipeline) && position == pipeline->stages - 1);
}

gboolean
plg_pipeline_splits_backward (const PlgPipeline *pipeline)
{
  return pipeline->schedule == PLG_SCHEDULE_ZB_H1 || turns_back (pipeline);
}

double
plg_pipeline_duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  const PlgPosition *times = &pipeline->positions[position];

  switch (kind)
    {
    case PLG_BLOCK_FORWARD:
      return times->forward;
    case PLG_BLOCK_BACKWARD_INPUT:
      return times->input;
    case PLG_BLOCK_BACKWARD_WEIGHT:
      return times->weight;
    case PLG_BLOCK_BACKWARD:
    default:
      return times->input + times->weight;
    }
}

double
plg_pipeline_wait (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  if (pipeline->overlap || kind == PLG_BLOCK_BACKWARD_WEIGHT)
    return 0.0;
  if (kind == PLG_BLOCK_FORWARD)
    return pipeline->positions[position].hop;
  return plg_pipeline_is_first (pipeline, position) ? 0.0 : pipeline->positions[position - 1].hop;
}

double
plg_pipeline_travel (const PlgPipeline *pipeline, int position)
{
  return pipeline->overlap ? pipeline->positions[position].hop : 0.0;
}

int
plg_pipeline_passes (const PlgPipeline *pipeline)
{
  return is_dual (pipeline) ? pipeline->micro_batches / 2 : pipeline->micro_batches;
}

/* The progress of a stage through its order of blocks, and the period from its first to its
 * latest block. */
typedef struct
{
  PlgScheduleOrder order;
  double free; /* end of the stage's latest block so far [s] */
  PlgStageSpan span;
} StageCursor;

/* The state of one simulation. BLOCK is indexed by position (virtual stage), micro-batch and
 * kind, so that dependencies are found quickly. A block with end < 0 has not run. */
typedef struct
{
  const PlgPipeline *pipeline;
  PlgBlock *block;
  int kinds; /* number of block kinds: 2, or 3 with separate weight gradients */
  int m;     /* micro-batches per position */
} Simulation;

static PlgBlock *
block_at (const Simulation *simulation, int position, int micro_batch, int kind)
{
  return &simulation
              ->block[((gsize) position * simulation->m + micro_batch) * simulation->kinds + kind];
}

/* Returns the time of a block, including its stage's wait for the message that the block sends
 * [s]. */
static double
duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  return plg_pipeline_duration (pipeline, kind, position) +
         plg_pipeline_wait (pipeline, kind, position);
}

static void
place_block (const Simulation *simulation,
             StageCursor *cursor,
             const PlgScheduleItem *item,
             int position,
             double start,
             double end)
{
  PlgBlock *block = block_at (simulation, position, item->micro_batch,
                              item->kind == PLG_BLOCK_FORWARD           ? 0
                              : item->kind == PLG_BLOCK_BACKWARD_WEIGHT ? 2
                                                                        : 1);
  int before = is_dual (simulation->pipeline) && item->chunk == 1 ? simulation->m : 0;

  *block = (PlgBlock) { .kind = item->kind,
                        .stage = cursor->order.stage,
                        .chunk = item->chunk,
                        .micro_batch = item->micro_batch + before,
                        .start = start,
                        .end = end };
}

/* Runs the next block of a stage, or the next pair of blocks, if it can start. A pair starts
 * when both blocks can start, and both results are ready when both blocks have ended. */
static gboolean
advance (const Simulation *simulation, StageCursor *cursor)
{
  const PlgPipeline *pipeline = simulation->pipeline;
  double start = cursor->free, end;
  PlgScheduleItem items[2];
  int positions[2], n = 1;

  for (int i = 0; i < n; i++)
    {
      gboolean forward;
      double ready;
      int from;

      items[i] = plg_schedule_order_peek (&cursor->order, pipeline, i);
      n = items[0].paired ? 2 : 1;
      positions[i] = plg_pipeline_position (pipeline, cursor->order.stage, items[i].chunk);
      forward = items[i].kind == PLG_BLOCK_FORWARD;
      if (items[i].kind == PLG_BLOCK_BACKWARD_WEIGHT ||
          (forward ? plg_pipeline_is_first (pipeline, positions[i])
                   : plg_pipeline_is_last (pipeline, positions[i])))
        continue;

      from = forward ? positions[i] - 1 : positions[i] + 1;
      ready = block_at (simulation, from, items[i].micro_batch, forward ? 0 : 1)->end;
      if (ready < 0.0)
        return FALSE; /* the dependency has not run */
      start = MAX (start, ready + plg_pipeline_travel (pipeline, MIN (from, positions[i])));
    }
  end = start;
  for (int i = 0; i < n; i++)
    end += duration (pipeline, items[i].kind, positions[i]);
  place_block (simulation, cursor, &items[0], positions[0], start, end);
  if (n == 2)
    place_block (simulation, cursor, &items[1], positions[1],
                 end - duration (pipeline, items[1].kind, positions[1]), end);
  if (cursor->span.start < 0.0)
    cursor->span.start = start;
  cursor->span.busy += end - start;
  cursor->free = cursor->span.finish = end;
  plg_schedule_order_advance (&cursor->order, pipeline);
  return TRUE;
}

void
plg_pipeline_summarize (const PlgPipeline *pipeline,
                        const PlgStageSpan *spans,
                        PlgPipelineResult *result)
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
  /* Leave the idle share of a single stage at 0. Any difference between the length of the
   * schedule and the busy time of the stage would be a rounding error. */
  if (stages > 1 && result->length > 0.0)
    result->idle_share = MAX (0.0, 1.0 - busy / stages / result->length);
}

/* Up to this number of stages, arrays with one element per stage are on the stack. */
#define FEW_STAGES 256

/* Runs all blocks. Stores them in BLOCKS, unsorted and with unused elements between them, and
 * fills SPANS. Returns FALSE if there are too many blocks or the schedule deadlocks. */
static gboolean
run_pipeline (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  StageCursor few[FEW_STAGES];
  g_autofree StageCursor *many = NULL;
  StageCursor *cursors = few;
  Simulation simulation = { .pipeline = pipeline, .m = plg_pipeline_passes (pipeline) };
  gint64 n;
  gboolean whole = TRUE;

  simulation.kinds = plg_pipeline_splits_backward (pipeline) ? 3 : 2;
  n = (gint64) plg_pipeline_positions (pipeline) * simulation.m * simulation.kinds;
  if (n > PLG_MAX_BLOCKS)
    return FALSE;
  g_array_set_size (blocks, n);
  simulation.block = (PlgBlock *) (void *) blocks->data;
  for (gint64 i = 0; i < n; i++)
    simulation.block[i].end = -1.0;
  if (pipeline->stages > FEW_STAGES)
    cursors = many = g_new (StageCursor, pipeline->stages);
  for (int i = 0; i < pipeline->stages; i++)
    {
      cursors[i] = (StageCursor) { .span.start = -1.0 };
      plg_schedule_order_init (&cursors[i].order, pipeline, i);
    }
  for (int open = pipeline->stages; open > 0 && whole;)
    {
      whole = FALSE; /* remains FALSE if no stage can advance, which is a deadlock */
      open = 0;
      for (int i = 0; i < pipeline->stages; i++)
        {
          while (!cursors[i].order.done && advance (&simulation, &cursors[i]))
            whole = TRUE;
          open += !cursors[i].order.done;
        }
    }
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
sift_down (PlgBlock *block, int root, int n)
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

/* Removes the unused elements of BLOCKS, ends the forward block of each pair at the start of the
 * pair's backward block, and sorts the blocks by start. */
static void
compact_blocks (const PlgPipeline *pipeline, GArray *blocks)
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
          int position = plg_pipeline_position (pipeline, block[n].stage, block[n].chunk);
          double end = block[n].start + duration (pipeline, PLG_BLOCK_FORWARD, position);

          block[n].end = MIN (block[n].end, end);
        }
      n++;
    }
  g_array_set_size (blocks, n);

  /* Use heap sort, because g_array_sort() would allocate memory. */
  for (int i = n / 2 - 1; i >= 0; i--)
    sift_down (block, i, n);
  for (int i = n - 1; i > 0; i--)
    {
      PlgBlock swap = block[0];

      block[0] = block[i];
      block[i] = swap;
      sift_down (block, 0, i);
    }
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
  compact_blocks (pipeline, blocks);
  plg_pipeline_summarize (pipeline, spans, result);
  return TRUE;
}
