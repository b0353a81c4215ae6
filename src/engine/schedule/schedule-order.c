/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-order.h"

/* The chunk of a weight gradient that was put off: the one that has waited longest. */
#define DEFERRED (-1)

/* A stretch as people write it down: so many rounds of some blocks. F is forward, I backward for
 * inputs, W for weights, B for both, and then comes the chunk; a + joins two that run as one. W
 * without a chunk is what was put off. */
typedef struct
{
  int rounds;
  const char *blocks;
} SegmentPattern;

static PlgBlockKind
kind_of (char letter)
{
  switch (letter)
    {
    case 'F':
      return PLG_BLOCK_FORWARD;
    case 'I':
      return PLG_BLOCK_BACKWARD_INPUT;
    case 'W':
      return PLG_BLOCK_BACKWARD_WEIGHT;
    case 'B':
    default:
      return PLG_BLOCK_BACKWARD;
    }
}

/* Makes the NUMBER-th of N phases a segment. SWAPPED: chunk 0 is chunk 1 and the other way round.
 */
static gboolean
set_segment (const SegmentPattern *patterns,
             int n,
             int number,
             gboolean swapped,
             PlgSegment *segment)
{
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
      segment->items[segment->n++] = (PlgScheduleItem) { .kind = kind_of (*c), .chunk = DEFERRED };
  return TRUE;
}

static gboolean
gpipe_segment (int m, int number, PlgSegment *segment)
{
  const SegmentPattern patterns[] = { { m, "F0" }, { m, "B0" } };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
}

/* N blocks each way, of which WARM_UP forward ones come first. */
static gboolean
one_f_one_b_segment (int n, int warm_up, int number, PlgSegment *segment)
{
  const SegmentPattern patterns[] = { { warm_up, "F0" },
                                      { n - warm_up, "F0 B0" },
                                      { warm_up, "B0" } };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
}

static gboolean
interleaved_segment (const PlgPipeline *pipeline, int stage, int number, PlgSegment *segment)
{
  int n = pipeline->micro_batches * pipeline->chunks;
  int warm_up = pipeline->stages - stage - 1;

  if (pipeline->chunks > 1)
    warm_up = 2 * warm_up + (pipeline->chunks - 1) * pipeline->stages;
  return one_f_one_b_segment (n, MIN (warm_up, n), number, segment);
}

/* Stage r puts off weight gradients by r micro-batches: the last stages fill their wait at the end
 * with them, and none holds more than the first does. */
static gboolean
zb_h1_segment (int p, int r, int m, int number, PlgSegment *segment)
{
  int warm_up = MIN (m, p - r - 1);
  int deferred = MIN (r, m - warm_up);
  const SegmentPattern patterns[] = { { warm_up, "F0" },
                                      { deferred, "F0 I0" },
                                      { m - warm_up - deferred, "F0 I0 W0" },
                                      { warm_up, "I0 W0" },
                                      { deferred, "W0" } };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
}

/* The phases of PyTorch's ScheduleZBVZeroBubble. With fewer micro-batches than fill the pipeline it
 * takes the order for more, and leaves out those missing; see is_there(). */
static gboolean
zb_v_segment (int p, int r, int m, int number, PlgSegment *segment)
{
  int n = MAX (m, 2 * p - 1);
  const SegmentPattern patterns[] = {
    /* warm-up: down the first chunk until the second comes back, and its backward pass after it */
    { 2 * (p - r) - 1, "F0" },
    { r, "F1 F0" },
    { p - r, "F1 I1 W1" },
    /* stable, the latter part with no forward left on the first chunk */
    { n - 2 * p + r + 1, "F0 I0 W0 F1 I1 W1" },
    { p - r - 1, "I0 W0 F1 I1 W1" },
    /* cool-down, and the weight gradients that it has put off */
    { r, "I0 I1" },
    { p - r, "I0 W0" },
    { r, "W1" },
    { r, "W0" },
  };

  return set_segment (patterns, G_N_ELEMENTS (patterns), number, FALSE, segment);
}

/* How far STAGE is from the nearer end. */
static int
half_rank (int p, int stage)
{
  return MIN (stage, p - 1 - stage);
}

/* The eight steps of DualPipe.step() in dualpipe.py. Phase 0 there, chunk 0 here, is the direction
 * whose micro-batches come from the nearer end, so that the upper half of the stages swaps them.
 * Step 4 does not pair the first two blocks of the stages in the middle; in step 6 weight gradients
 * are put off from the middle of its blocks on. */
static gboolean
dual_segment (int p, int stage, int m, int number, PlgSegment *segment)
{
  int h = half_rank (p, stage), outside = p / 2 - h - 1;
  int middle = outside == 0 ? 1 : 0;
  const SegmentPattern patterns[] = {
    { 2 * outside, "F0" },                         /* step 1 */
    { h + 1, "F0 F1" },                            /* step 2 */
    { outside, "I1 W1 F1" },                       /* step 3 */
    { middle, "F0 B1 F1+B0" },                     /* step 4, the main one */
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

/* The chunk of the weight gradient that has waited longest in DualPipe, when so many are done of
 * those put off. Step 6 puts off h + 1 of them, of both chunks in turn and of chunk 0 last; step 7
 * those of chunk 0. */
static int
deferred_chunk (const PlgPipeline *pipeline, int stage, int done)
{
  int h = half_rank (pipeline->stages, stage);
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
      return gpipe_segment (m, number, segment);
    case PLG_SCHEDULE_INTERLEAVED:
      return interleaved_segment (pipeline, stage, number, segment);
    case PLG_SCHEDULE_ZB_H1:
      return zb_h1_segment (p, stage, m, number, segment);
    case PLG_SCHEDULE_ZB_V:
      return zb_v_segment (p, stage, m, number, segment);
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

/* A group of as many micro-batches as there are stages passes all chunks, backward from the last
 * one, before the next group does. */
static void
count_interleaved (PlgScheduleOrder *order, const PlgPipeline *pipeline, PlgPassKind pass_kind)
{
  int stages = pipeline->stages, last = pipeline->chunks - 1;
  int *next = &order->next[0][pass_kind], *chunk = &order->chunk[pass_kind];
  gboolean back = pass_kind == PLG_PASS_KIND_BACKWARD;

  if (++*next % stages != 0 && *next < pipeline->micro_batches)
    return;
  if (*chunk == (back ? 0 : last))
    *chunk = back ? last : 0;
  else
    {
      *chunk += back ? -1 : 1;
      *next -= 1 + (*next - 1) % stages;
    }
}

/* Counts the block that the order is at, and steps behind it. */
static void
step (PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  const PlgScheduleItem *item = &order->segment.items[order->step++];
  PlgPassKind pass_kind = pass_kind_of (item->kind);

  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED)
    count_interleaved (order, pipeline, pass_kind);
  else if (item->chunk == DEFERRED)
    order->next[deferred_chunk (pipeline, order->stage, order->deferred++)][pass_kind]++;
  else
    order->next[item->chunk][pass_kind]++;
  if (item->kind == PLG_BLOCK_BACKWARD)
    order->next[item->chunk][PLG_PASS_KIND_WEIGHT]++;
}

/* Whether the plan has the block that the order is at. */
static gboolean
item_exists (const PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  const PlgScheduleItem *item = &order->segment.items[order->step];

  return pipeline->schedule != PLG_SCHEDULE_ZB_V ||
         order->next[item->chunk][pass_kind_of (item->kind)] < pipeline->micro_batches;
}

/* Goes on to the next block that there is. */
static void
skip_absent_items (PlgScheduleOrder *order, const PlgPipeline *pipeline)
{
  while (!order->done)
    {
      const PlgSegment *segment = &order->segment;

      if (order->round < segment->rounds && order->step < segment->n)
        {
          if (item_exists (order, pipeline))
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
