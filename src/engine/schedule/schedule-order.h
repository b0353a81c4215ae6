/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The published order in which each stage runs its blocks (see schedule.h). Private to the
 * simulation. */

/* One block in the order in which a stage runs its blocks. */
typedef struct
{
  PlgBlockKind kind;
  int chunk;
  int micro_batch;
  gboolean paired; /* TRUE if the block runs together with the next block; DualPipe pairs forward
                      and backward blocks */
} PlgScheduleItem;

#define PLG_MAX_SEGMENT_ITEMS 6

/* A segment of a stage's order: a sequence of N items that is repeated ROUNDS times. Each
 * repetition of an item uses the next micro-batch of the item's chunk. */
typedef struct
{
  int rounds;
  int n;
  /* A negative chunk means a deferred weight gradient; see plg_schedule_order_peek(). */
  PlgScheduleItem items[PLG_MAX_SEGMENT_ITEMS];
} PlgSegment;

/* The three passes of a micro-batch through a chunk, in running order. */
typedef enum
{
  PLG_PASS_KIND_FORWARD,
  PLG_PASS_KIND_BACKWARD, /* gradients of inputs, or gradients of inputs and weights together */
  PLG_PASS_KIND_WEIGHT,
} PlgPassKind;
#define PLG_N_PASS_KINDS 3

/* The progress of a stage through its order of blocks. */
typedef struct
{
  int stage;
  int number; /* number of the next segment */
  int round;
  int step;
  gboolean done;
  PlgSegment segment;
  /* The next micro-batch of each chunk, by pass. Interleaving uses only row 0, for the current
   * chunk of each pass. */
  int next[2][PLG_N_PASS_KINDS];
  int chunk[2]; /* interleaving: chunk of the next forward and of the next backward block */
  int deferred; /* DualPipe: number of deferred weight gradients that have finished */
} PlgScheduleOrder;

void plg_schedule_order_init (PlgScheduleOrder *order, const PlgPipeline *pipeline, int stage);
/* Returns the block that is AHEAD items after the current block. Both must be in the same round. */
PlgScheduleItem
plg_schedule_order_peek (const PlgScheduleOrder *order, const PlgPipeline *pipeline, int ahead);
/* Advances by one block, or by two paired blocks. Sets done after the last block. */
void plg_schedule_order_advance (PlgScheduleOrder *order, const PlgPipeline *pipeline);

/* Computes the length and the idle share from the spans of the stages. */
void plg_pipeline_summarize (const PlgPipeline *pipeline,
                             const PlgStageSpan *spans,
                             PlgPipelineResult *result);

G_END_DECLS
