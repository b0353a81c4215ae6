/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule.h"

G_BEGIN_DECLS

/* The order in which a stage runs its blocks, as each schedule was published with (schedule.h).
 * Private to the simulation. */

/* One block of a stage's order. In the interleaved schedule INDEX counts through chunks and
 * micro-batches, in DualPipe's queue of weight gradients through both directions (then the chunk is
 * not known yet); else it is the micro-batch. */
typedef struct
{
  PlgBlockKind kind;
  int chunk;
  int index;
  gboolean paired; /* runs as one with the next block, as DualPipe's forward with its backward */
} PlgOp;

#define PLG_MAX_OPS 6

/* A stretch of the order: its blocks once a round, each with an index higher by one. */
typedef struct
{
  int rounds;
  int n;
  PlgOp ops[PLG_MAX_OPS];
} PlgSegment;

/* The NUMBER-th stretch of STAGE's order, 0 on; FALSE behind the last. It may have no rounds. */
gboolean
plg_order_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment);
/* Whether OP of a segment, with ROUND added to its index, is there: zb-v leaves out micro-batches
 * that the order has and the plan has not. */
gboolean plg_order_has (const PlgPipeline *pipeline, const PlgOp *op, int round);
/* Makes chunk and micro-batch of an index that counts through several. */
void plg_order_resolve (const PlgPipeline *pipeline, int stage, PlgOp *op);

/* What stages do together: length and idle share. */
void plg_pipeline_summarize (const PlgPipeline *pipeline,
                             const PlgStageSpan *spans,
                             PlgPipelineResult *result);

G_END_DECLS
