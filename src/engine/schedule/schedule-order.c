/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-order.h"

#include <string.h>

/* A placeholder for the chunk of the oldest deferred weight gradient; see deferred_chunk(). */
#define DEFERRED (-1)

/* A segment in short form: the number of rounds, and the blocks of one round. F is a forward
 * block. I is a backward block for gradients of inputs, W for gradients of weights, and B for
 * both. The chunk follows the letter; W without a chunk is a deferred weight gradient. + pairs
 * two blocks. */
typedef struct
{
  int rounds;
  const char *blocks;
} SegmentPattern;

/* Parses PATTERNS[NUMBER], one of N patterns, into SEGMENT. If SWAPPED is set, exchanges chunks
 * 0 and 1. Returns FALSE after the last pattern. */
static gboolean
set_segment (const SegmentPattern *patterns,
             int n,
             int number,
             gboolean swapped,
             PlgSegment *segment)
{
  static const char letters[] = "FBIW";
  static const PlgBlockKind kinds[] = { PLG_BLOCK_FORWARD, PLG_BLOCK_BACKWARD,
                                        PLG_BLOCK_BACKWARD_INPUT, PLG_BLOCK_BACKWARD_WEIGHT };

  if (number >= n)
    return FALSE;
  segment->rounds = patterns[number].rounds;
  segment->n = 0;
  for (const char *c = patterns[number].blocks; *c != '\0'; c++)
    if (*c == '0' || *c == '1')
      segment->items[segment->n - 1].chunk = (*c - '0') ^ (swapped ? 1 : 0);
    else if (*c == '+')
      segment->items[segment->n - 1].paired = TRUE;
    else if (*c != ' ')
      segment->items[segment->n++] = (PlgScheduleItem) {
        .kind = kinds[strchr (letters, *c) - letters],
        .chunk = DEFERRED
      };
  return TRUE;
}

/* Builds segment NUMBER of an order with N forward and N backward blocks: WARM_UP forward
 * blocks, then forward and backward blocks in turn, then the remaining backward blocks. Returns
 * FALSE after the last segment. */
static gboolean
one_f_one_b_segment (int n, int warm_up, int number, PlgSegment *segment)
{
  const SegmentPattern patterns[] = { { warm_up, "F0" },
                                      { n - warm_up, "F0 B0" },
                                      { warm_up, "B0" } };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
}

/* Returns the distance of STAGE from the nearer end of the pipeline. */
static int
distance_from_end (int p, int stage)
{
  return MIN (stage, p - 1 - stage);
}

/* Builds segment NUMBER of DualPipe's order of blocks. The segments come from the eight steps of
 * DualPipe.step() in dualpipe.py. Chunk 0 here is phase 0 in dualpipe.py: the direction whose
 * micro-batches come from the nearer end of the pipeline. That direction differs between the two
 * halves of the pipeline, so chunks 0 and 1 are exchanged on the second half of the stages. In
 * step 4, the middle stages do not pair their first two blocks. Step 6 defers the weight
 * gradients of its second half. */
static gboolean
dual_segment (int p, int stage, int m, int number, PlgSegment *segment)
{
  int h = distance_from_end (p, stage), outside = p / 2 - h - 1;
  int middle = outside == 0 ? 1 : 0;
  const SegmentPattern patterns[] = {
    { 2 * outside, "F0" },                         /* step 1 */
    { h + 1, "F0 F1" },                            /* step 2 */
    { outside, "I1 W1 F1" },                       /* step 3 */
    { middle, "F0 B1 F1+B0" },                     /* step 4, middle stages only */
    { m / 2 - p + h + 1 - middle, "F0+B1 F1+B0" }, /* step 4 */
    { outside, "B1 F1+B0" },                       /* step 5 */
    { (h + 1) / 2, "B1 B0" },                      /* step 6 */
    { (h + 1) % 2, "B1 I0" },                      /* step 6 */
    { (h + 1) / 2, "I1 I0" },                      /* step 6 */
    { outside, "W I0" },                           /* step 7 */
    { h + 1, "W" },                                /* step 8 */
  };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, stage >= p / 2, segment);
}

/* DualPipe computes deferred weight gradients in the order in which they were deferred. Returns the
 * chunk of the next one when DONE of them are finished. With h = distance_from_end(), step 6 defers
 * h + 1 weight gradients, alternating between the chunks and ending with chunk 0; step 7 defers
 * only weight gradients of chunk 0. */
static int
deferred_chunk (const PlgPipeline *pipeline, int stage, int done)
{
  int h = distance_from_end (pipeline->stages, stage);
  gboolean other = done < h && (h - done) % 2 == 1;

  return stage >= pipeline->stages / 2 ? !other : other;
}

static gboolean
order_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
{
  int p = pipeline->stages, m = pipeline->micro_batches;

  switch (pipeline->schedule)
    {
    case PLG_SCHEDULE_GPIPE:
      {
        const SegmentPattern patterns[] = { { m, "F0" }, { m, "B0" } };

        return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
      }
    case PLG_SCHEDULE_INTERLEAVED:
      {
        int n = m * pipeline->chunks;
        int warm_up = p - stage - 1;

        if (pipeline->chunks > 1)
          warm_up = 2 * warm_up + (pipeline->chunks - 1) * p;
        return one_f_one_b_segment (n, MIN (warm_up, n), number, segment);
      }
    case PLG_SCHEDULE_ZB_H1:
      {
        /* Stage r defers weight gradients by r micro-batches. The last stages then fill their
         * idle time at the end with the deferred gradients, and no stage needs more memory than
         * the first. */
        int warm_up = MIN (m, p - stage - 1);
        int deferred = MIN (stage, m - warm_up);
        const SegmentPattern patterns[] = { { warm_up, "F0" },
                                            { deferred, "F0 I0" },
                                            { m - warm_up - deferred, "F0 I0 W0" },
                                            { warm_up, "I0 W0" },
                                            { deferred, "W0" } };

        return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
      }
    case PLG_SCHEDULE_ZB_V:
      {
        /* The phases of PyTorch's ScheduleZBVZeroBubble. With too few micro-batches to fill the
         * pipeline, use the order of a full pipeline; skip_absent_items() skips the missing
         * blocks. */
        int n = MAX (m, 2 * p - 1);
        const SegmentPattern patterns[] = {
          /* warm-up: the first chunk runs alone until the first micro-batch comes back to this
           * stage; then the second chunk also runs, and starts its backward pass */
          { 2 * (p - stage) - 1, "F0" },
          { stage, "F1 F0" },
          { p - stage, "F1 I1 W1" },
          /* steady state; in its later part, the first chunk has no forward blocks left */
          { n - 2 * p + stage + 1, "F0 I0 W0 F1 I1 W1" },
          { p - stage - 1, "I0 W0 F1 I1 W1" },
          /* cool-down, with the deferred weight gradients */
          { stage, "I0 I1" },
          { p - stage, "I0 W0" },
          { stage, "W1" },
          { stage, "W0" },
        };

        return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
      }
    case PLG_SCHEDULE_DUALPIPE:
      return dual_segment (p, stage, m, number, segment);
    case PLG_SCHEDULE_1F1B:
    default:
      return one_f_one_b_segment (m, MIN (m, p - stage - 1), number, segment);
    }
}

static PlgPassKind
pass_kind_of (PlgBlockKind kind)
{
  if (kind == PLG_BLOCK_FORWARD)
    return PLG_PASS_KIND_FORWARD;
  return kind == PLG_BLOCK_BACKWARD_WEIGHT ? PLG_PASS_KIND_WEIGHT : PLG_PASS_KIND_BACKWARD;
}

/* Advances the micro-batch counter of the current block and moves to the next block. */
static void
step (PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  const PlgScheduleItem *item = &order->segment.items[order->step++];
  PlgPassKind pass_kind = pass_kind_of (item->kind);

  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED)
    {
      /* Interleaving divides the micro-batches into groups. Each group has as many micro-batches
       * as there are stages, and runs through all chunks before the next group starts. The
       * backward pass starts with the last chunk. */
      int stages = pipeline->stages, last = pipeline->chunks - 1;
      int *next = &order->next[0][pass_kind], *chunk = &order->chunk[pass_kind];
      gboolean back = pass_kind == PLG_PASS_KIND_BACKWARD;

      if (++*next % stages == 0 || *next >= pipeline->micro_batches)
        {
          if (*chunk == (back ? 0 : last))
            *chunk = back ? last : 0;
          else
            {
              *chunk += back ? -1 : 1;
              *next -= 1 + (*next - 1) % stages;
            }
        }
    }
  else if (item->chunk == DEFERRED)
    order->next[deferred_chunk (pipeline, order->stage, order->deferred++)][pass_kind]++;
  else
    order->next[item->chunk][pass_kind]++;
  if (item->kind == PLG_BLOCK_BACKWARD)
    order->next[item->chunk][PLG_PASS_KIND_WEIGHT]++;
}

/* Moves to the next block that exists. With too few micro-batches to fill the pipeline, the
 * order of zb-v contains blocks of micro-batches that do not exist. */
static void
skip_absent_items (PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  while (!order->done)
    {
      const PlgSegment *segment = &order->segment;

      if (order->round < segment->rounds && order->step < segment->n)
        {
          const PlgScheduleItem *item = &order->segment.items[order->step];

          if (pipeline->schedule != PLG_SCHEDULE_ZB_V ||
              order->next[item->chunk][pass_kind_of (item->kind)] < pipeline->micro_batches)
            return;
          step (order, pipeline);
        }
      else if (order->round + 1 < segment->rounds)
        {
          order->round++;
          order->step = 0;
        }
      else
        {
          order->round = order->step = 0;
          order->done = !order_segment (pipeline, order->stage, order->number++, &order->segment);
        }
    }
}

void
plg_schedule_order_init (PlgScheduleOrder *order, const PlgPipeline *pipeline, int stage)
{
  *order = (PlgScheduleOrder) { .stage = stage,
                                .chunk[PLG_PASS_KIND_BACKWARD] = pipeline->chunks - 1 };
  skip_absent_items (order, pipeline);
}

PlgScheduleItem
plg_schedule_order_peek (const PlgScheduleOrder *order, const PlgPipeline *pipeline, int ahead)
{
  PlgScheduleItem item = order->segment.items[order->step + ahead];
  PlgPassKind pass_kind = pass_kind_of (item.kind);

  if (item.chunk == DEFERRED)
    item.chunk = deferred_chunk (pipeline, order->stage, order->deferred);
  item.micro_batch = order->next[item.chunk][pass_kind];
  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED)
    item.chunk = order->chunk[pass_kind];
  return item;
}

void
plg_schedule_order_advance (PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  if (order->segment.items[order->step].paired)
    step (order, pipeline);
  step (order, pipeline);
  skip_absent_items (order, pipeline);
}
