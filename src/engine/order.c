/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/order.h"

/* The chunk of a weight gradient that waits in DualPipe's queue. */
#define QUEUED (-1)

#define FORWARD(c, i) ((PlgOp) { .kind = PLG_BLOCK_FORWARD, .chunk = (c), .index = (i) })
#define BACKWARD(c, i) ((PlgOp) { .kind = PLG_BLOCK_BACKWARD, .chunk = (c), .index = (i) })
#define INPUT(c, i) ((PlgOp) { .kind = PLG_BLOCK_BACKWARD_INPUT, .chunk = (c), .index = (i) })
#define WEIGHT(c, i) ((PlgOp) { .kind = PLG_BLOCK_BACKWARD_WEIGHT, .chunk = (c), .index = (i) })
#define WITH_NEXT(c, i) \
  ((PlgOp) { .kind = PLG_BLOCK_FORWARD, .chunk = (c), .index = (i), .paired = TRUE })

static void
add_op (PlgSegment *segment, PlgOp op)
{
  segment->ops[segment->n++] = op;
}

/* All forward, then all backward. */
static gboolean
gpipe_segment (const PlgPipeline *pipeline, int number, PlgSegment *segment)
{
  if (number > 1)
    return FALSE;
  segment->rounds = pipeline->micro_batches;
  add_op (segment, number == 0 ? FORWARD (0, 0) : BACKWARD (0, 0));
  return TRUE;
}

/* N blocks each way, of which WARM_UP forward ones come first. */
static gboolean
one_by_one_segment (int n, int warm_up, int number, PlgSegment *segment)
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
interleaved_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
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
zb_h1_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
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
zb_v_start (int p, int r, int number, PlgSegment *segment)
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
zb_v_middle (int p, int r, int n, gboolean forward, PlgSegment *segment)
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
zb_v_end (int p, int r, int n, int number, PlgSegment *segment)
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
zb_v_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
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
dual_start (const Dual *dual, int number, PlgSegment *segment)
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
dual_middle (const Dual *dual, int number, PlgSegment *segment)
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
dual_drain (const Dual *dual, int number, PlgSegment *segment)
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
dual_end (const Dual *dual, int number, PlgSegment *segment)
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
dual_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
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
resolve_queued (const PlgPipeline *pipeline, int stage, PlgOp *op)
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
resolve_interleaved (const PlgPipeline *pipeline, PlgOp *op)
{
  int group = op->index / (pipeline->stages * pipeline->chunks);
  int first = group * pipeline->stages;
  int size = MIN (pipeline->stages, pipeline->micro_batches - first);
  int rest = op->index - first * pipeline->chunks;
  int chunk = rest / size;

  op->chunk = op->kind == PLG_BLOCK_FORWARD ? chunk : pipeline->chunks - 1 - chunk;
  op->index = first + rest % size;
}

gboolean
plg_order_has (const PlgPipeline *pipeline, const PlgOp *op, int round)
{
  return pipeline->schedule != PLG_SCHEDULE_ZB_V || op->index + round < pipeline->micro_batches;
}

void
plg_order_resolve (const PlgPipeline *pipeline, int stage, PlgOp *op)
{
  if (op->chunk == QUEUED)
    resolve_queued (pipeline, stage, op);
  else if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED && pipeline->chunks > 1)
    resolve_interleaved (pipeline, op);
}

gboolean
plg_order_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
{
  int m = pipeline->micro_batches;

  *segment = (PlgSegment) { 0 };
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
