/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The order in which a stage runs its blocks, as each schedule was published with (schedule.h).
 * Private to the simulation. */

/* A block of the order. */
typedef struct
{
  PlgBlockKind kind;
  int chunk;
  int micro_batch;
  gboolean paired; /* runs as one with the next block, as DualPipe's forward with its backward */
} PlgScheduleItem;

#define PLG_MAX_SEGMENT_ITEMS 6

/* A stretch of the order: its blocks once a round, each with the micro-batch that is next. */
typedef struct
{
  int rounds;
  int n;
  PlgScheduleItem items[PLG_MAX_SEGMENT_ITEMS]; /* chunk < 0: see plg_schedule_order_peek() */
} PlgSegment;

/* The three things that are done to each micro-batch on each chunk, one after the other. */
typedef enum
{
  PLG_PASS_KIND_FORWARD,
  PLG_PASS_KIND_BACKWARD, /* for inputs, or for both */
  PLG_PASS_KIND_WEIGHT,
} PlgPassKind;
#define PLG_N_PASS_KINDS 3

/* Where a stage is in its order. */
typedef struct
{
  int stage;
  int number; /* of the segment that comes next */
  int round;
  int step;
  gboolean done;
  PlgSegment segment;
  int next[2]
          [PLG_N_PASS_KINDS]; /* micro-batch, by chunk; interleaved: of any chunk, in the first */
  int chunk[2];               /* interleaved: of the next forward and backward block */
  int deferred;               /* DualPipe: weight gradients done that had been put off */
} PlgScheduleOrder;

void plg_schedule_order_init (PlgScheduleOrder *order, const PlgPipeline *pipeline, int stage);
/* The next block, or the one AHEAD of it in the same round. */
PlgScheduleItem
plg_schedule_order_peek (const PlgScheduleOrder *order, const PlgPipeline *pipeline, int ahead);
/* Goes on by a block, or by two that run as one; DONE behind the last. */
void plg_schedule_order_advance (PlgScheduleOrder *order, const PlgPipeline *pipeline);

/* What stages do together: length and idle share. */
void plg_pipeline_summarize (const PlgPipeline *pipeline,
                             const PlgStageSpan *spans,
                             PlgPipelineResult *result);

G_END_DECLS
