/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The simulation of a pipeline schedule. Each stage has a fixed order of blocks, published with
 * the schedule; a block starts when the one before it on its stage and those whose results it needs
 * have ended.
 *
 * gpipe: all forward, then all backward (Huang 2019, arXiv 1811.06965).
 * 1f1b: p - r - 1 forward on stage r, then one forward and one backward in turn (Narayanan 2019).
 * interleaved: the same in chunks, p micro-batches of a chunk at a time (Narayanan 2021, arXiv
 *   2104.04473, sec. 2.2; Megatron-LM, core/pipeline_parallel/schedules.py).
 * zb-h1: 1f1b with weight gradients r micro-batches later on stage r (Qi 2023, arXiv 2401.10241,
 *   and its patch to Megatron-LM).
 * zb-v: two chunks a stage in the shape of a V (the same, sec. 6; order as in PyTorch,
 *   torch/distributed/pipelining/schedules.py).
 * dualpipe: micro-batches from both ends (DeepSeek-V3, arXiv 2412.19437, sec. 3.2; order as in
 *   github.com/deepseek-ai/DualPipe). */

/* A virtual stage, in the order in which a micro-batch passes them. DualPipe has the model twice:
 * positions 0 .. p-1 go from stage 0 up, p .. 2p-1 from stage p-1 down. */
typedef struct
{
  double forward; /* seconds of one micro-batch */
  double input;   /* backward: gradients of inputs, and what is computed again for them */
  double weight;  /* backward: gradients of weights */
  double hop;     /* of the message to the next position; 0 after the last and inside a stage */
} PlgPosition;

typedef struct
{
  PlgSchedule schedule;
  int stages;
  int chunks; /* virtual stages a stage: interleaved 1 or more, zb-v 2, dualpipe 2, else 1 */
  int micro_batches;
  gboolean overlap; /* messages travel while their sender goes on, else it waits for them */
  const PlgPosition *positions; /* stages x chunks */
} PlgPipeline;

/* When a stage is at work, and how much of that it has something to do. */
typedef struct
{
  double start;
  double finish;
  double busy;
} PlgStageSpan;

typedef struct
{
  /* Until the last stage has ended. zb-v: from the first block of a stage to its last, on the stage
   * where that is longest, since its stages start the next step in the same slant. */
  double length;
  double idle_share;          /* of LENGTH, mean over the stages */
  double length_compute_only; /* LENGTH if messages took no time; of plg_pipeline_length() only */
} PlgPipelineResult;

/* What the plan says: chunks by the schedule, micro-batches. One stage is always 1f1b. */
void plg_pipeline_init (PlgPipeline *pipeline, const PlgPlan *plan);
int plg_pipeline_positions (const PlgPipeline *pipeline);
/* The stage and chunk of a position, and back. */
int plg_pipeline_stage (const PlgPipeline *pipeline, int position);
int plg_pipeline_chunk (const PlgPipeline *pipeline, int position);
/* Micro-batches that pass each position: DualPipe sends half of them each way. */
int plg_pipeline_passes (const PlgPipeline *pipeline);
/* Whether gradients of weights have blocks of their own. */
gboolean plg_pipeline_splits_backward (const PlgPipeline *pipeline);
int plg_pipeline_position (const PlgPipeline *pipeline, int stage, int chunk);
/* Whether a micro-batch begins, ends its way forward at POSITION. */
gboolean plg_pipeline_is_first (const PlgPipeline *pipeline, int position);
gboolean plg_pipeline_is_last (const PlgPipeline *pipeline, int position);

/* Seconds of a block, without messages; of the message that its stage then waits for; and of the
 * one from POSITION to the next, either way, while stages go on. */
double plg_pipeline_duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position);
double plg_pipeline_wait (const PlgPipeline *pipeline, PlgBlockKind kind, int position);
double plg_pipeline_travel (const PlgPipeline *pipeline, int position);

/* Runs all micro-batches one block at a time. BLOCKS (of PlgBlock) gets all blocks by start; its
 * memory is reused. SPANS: one a stage, or NULL. FALSE, and no blocks, when there would be more
 * than PLG_MAX_BLOCKS. */
#define PLG_MAX_BLOCKS (1 << 20)
gboolean plg_pipeline_simulate (const PlgPipeline *pipeline,
                                GArray *blocks,
                                PlgStageSpan *spans,
                                PlgPipelineResult *result);

/* The same totals without the blocks, and the length without messages (totals.c). BLOCKS is working
 * space and left empty. SPANS: one a stage. */
void plg_pipeline_length (const PlgPipeline *pipeline,
                          GArray *blocks,
                          PlgStageSpan *spans,
                          PlgPipelineResult *result);

G_END_DECLS
