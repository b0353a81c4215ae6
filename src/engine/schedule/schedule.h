/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The simulation of a pipeline schedule. Each stage runs its blocks in the published order of
 * the schedule. A block starts when the previous block of its stage and all blocks that it
 * depends on have ended.
 *
 * gpipe: all forward blocks, then all backward blocks (Huang 2019, arXiv 1811.06965). 1f1b: p -
 * r - 1 forward blocks on stage r of p, then forward and backward blocks in turn (Narayanan
 * 2019). interleaved: 1f1b in chunks, p micro-batches of one chunk at a time (Narayanan 2021,
 * arXiv 2104.04473, sec. 2.2; Megatron-LM, core/pipeline_parallel/schedules.py). zb-h1: 1f1b
 * with weight gradients r micro-batches later on stage r (Qi 2023, arXiv 2401.10241, and its
 * patch to Megatron-LM). zb-v: two chunks per stage in the shape of a V (Qi 2023, sec. 6; order
 * as in PyTorch, torch/distributed/pipelining/schedules.py). dualpipe: micro-batches from both
 * ends (DeepSeek-V3, arXiv 2412.19437, sec. 3.2; order as in github.com/deepseek-ai/DualPipe). */

/* A virtual stage: one chunk of the model on one stage. Positions are numbered along the path of
 * a micro-batch. DualPipe places the model on the stages twice: positions 0 .. p-1 are on stages
 * 0 .. p-1, and positions p .. 2p-1 are on the same stages in reverse order. */
typedef struct
{
  double forward; /* forward time per micro-batch [s] */
  double input;   /* backward time per micro-batch for gradients of inputs, including recompute
                     [s] */
  double weight;  /* backward time per micro-batch for gradients of weights [s] */
  double hop;     /* time of the message to the next position [s]; 0 at the last position or if
                     the next position is on the same stage */
} PlgPosition;

typedef struct
{
  PlgSchedule schedule;
  int stages;
  int chunks; /* virtual stages per stage: interleaved 1 or more, zb-v 2, dualpipe 2, other
                 schedules 1 */
  int micro_batches;
  gboolean overlap;             /* TRUE if messages travel during compute; otherwise the sender
                                   waits */
  const PlgPosition *positions; /* one element per virtual stage */
} PlgPipeline;

/* The period from the first to the last block of a stage [s]. */
typedef struct
{
  double start;
  double finish;
  double busy; /* time between start and finish in which the stage runs a block [s] */
} PlgStageSpan;

typedef struct
{
  /* Time until the last stage finishes [s]. With zb-v, the longest time from the first to the
   * last block of a stage, because the stages start the next step with the same offsets. */
  double length;
  double idle_share;          /* share of LENGTH during which a stage is idle, averaged over all
                                 stages */
  double length_compute_only; /* LENGTH without messages; set only by plg_pipeline_length() */
} PlgPipelineResult;

/* Initializes PIPELINE from PLAN, except for the positions, which the caller must set. A
 * pipeline with one stage always uses 1f1b. */
void plg_pipeline_init (PlgPipeline *pipeline, const PlgPlan *plan);
int plg_pipeline_positions (const PlgPipeline *pipeline);
/* Return the stage and the chunk of a position, and the position of a stage's chunk. */
int plg_pipeline_stage (const PlgPipeline *pipeline, int position);
int plg_pipeline_chunk (const PlgPipeline *pipeline, int position);
int plg_pipeline_position (const PlgPipeline *pipeline, int stage, int chunk);
/* Returns the number of micro-batches that pass through each position. With DualPipe this is
 * half of all micro-batches, because the other half runs in the opposite direction. */
int plg_pipeline_passes (const PlgPipeline *pipeline);
/* Returns TRUE if weight gradients have their own blocks. */
gboolean plg_pipeline_splits_backward (const PlgPipeline *pipeline);
/* Return TRUE if the forward pass of a micro-batch starts (is_first) or ends (is_last) at
 * POSITION. */
gboolean plg_pipeline_is_first (const PlgPipeline *pipeline, int position);
gboolean plg_pipeline_is_last (const PlgPipeline *pipeline, int position);

/* Returns the time of a block, excluding the wait for its message (plg_pipeline_wait()) [s]. */
double plg_pipeline_duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position);
/* Returns the time for which a stage waits for the message that its block sends [s]; 0 with
 * overlap. */
double plg_pipeline_wait (const PlgPipeline *pipeline, PlgBlockKind kind, int position);
/* Returns the time of a message between POSITION and the next position, in either direction [s];
 * 0 without overlap. */
double plg_pipeline_travel (const PlgPipeline *pipeline, int position);

#define PLG_MAX_BLOCKS (1 << 20)
/* plg_pipeline_simulate:
 * @blocks: (element-type PlgBlock): receives all blocks sorted by start; its memory is reused
 * @spans: (nullable): one element per stage
 *
 * Runs all micro-batches block by block.
 *
 * Returns: %FALSE if there are more than %PLG_MAX_BLOCKS blocks; @blocks is then empty */
gboolean plg_pipeline_simulate (const PlgPipeline *pipeline,
                                GArray *blocks,
                                PlgStageSpan *spans,
                                PlgPipelineResult *result);

/* plg_pipeline_length:
 * @blocks: scratch space, left empty
 * @spans: one element per stage
 *
 * Computes the same totals as plg_pipeline_simulate(), without creating blocks
 * (schedule-length.c). Also computes the length without messages. */
void plg_pipeline_length (const PlgPipeline *pipeline,
                          GArray *blocks,
                          PlgStageSpan *spans,
                          PlgPipelineResult *result);
/* Returns a lower bound of the length that plg_pipeline_length() computes, in much less time [s]. */
double plg_pipeline_shortest (const PlgPipeline *pipeline);

G_END_DECLS
