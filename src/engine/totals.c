/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/totals.h"

#include "engine/order.h"

#include <math.h>

/* How long a schedule takes without a picture of it: in closed form where there is one, else as in
 * course.c. Exact, but for schedules of more stages than fit into memory (bound_totals()). */

/* What STAGE does from the first block to the last. */
static double
stage_work (const PlgPipeline *pipeline, int stage)
{
  double work = 0.0;

  for (int chunk = 0; chunk < pipeline->chunks; chunk++)
    {
      int position = plg_pipeline_position (pipeline, stage, chunk);

      work += plg_clock_duration (pipeline, PLG_BLOCK_FORWARD, position).real +
              plg_clock_duration (pipeline, PLG_BLOCK_BACKWARD, position).real;
    }
  return work * plg_pipeline_passes (pipeline);
}

/* GPipe. Equal jobs through a row of machines take the sum over the machines once, and the slowest
 * for each further job; GPipe does so forward, then backward. */

/* Adds the way through one stage, and the message on to the next. */
static void
pass (const PlgPipeline *pipeline,
      PlgBlockKind kind,
      int position,
      PlgClock *sum,
      PlgClock *slowest)
{
  PlgClock time = plg_clock_duration (pipeline, kind, position);

  *sum = plg_clock_plus (*sum, time);
  *slowest = plg_clock_later (*slowest, time);
}

static PlgClock
queued (const PlgPipeline *pipeline, PlgClock sum, PlgClock slowest)
{
  double more = pipeline->micro_batches - 1.0;

  return (PlgClock) { sum.real + more * slowest.real, sum.alone + more * slowest.alone };
}

static double
gpipe_totals (const PlgPipeline *pipeline, PlgStageSpan *spans)
{
  int last = pipeline->stages - 1;
  PlgClock sum = { 0.0, 0.0 }, slowest = { 0.0, 0.0 };
  double alone = 0.0;

  for (int i = 0; i <= last; i++)
    {
      spans[i].start = sum.real;
      pass (pipeline, PLG_BLOCK_FORWARD, i, &sum, &slowest);
      if (i < last)
        sum.real += plg_pipeline_travel (pipeline, i);
    }
  sum = queued (pipeline, sum, slowest);
  slowest = (PlgClock) { 0.0, 0.0 };
  for (int i = last; i >= 0; i--)
    {
      PlgClock finish;

      pass (pipeline, PLG_BLOCK_BACKWARD, i, &sum, &slowest);
      finish = queued (pipeline, sum, slowest);
      spans[i].finish = finish.real;
      alone = MAX (alone, finish.alone);
      if (i > 0)
        sum.real += plg_pipeline_travel (pipeline, i - 1);
    }
  return alone;
}

/* 1F1B while messages do not travel beside computing.
 *
 * A stage's finish is the longest path through its blocks. Number the rounds so that stage i does
 * the forward block of micro-batch r in round r, and the backward block of micro-batch r - w(i),
 * with w(i) = p - 1 - i. Then a path goes up to the next stage within a round, and back down to the
 * one before in the next round, and each crossing up is paired with one down. So each round that
 * passes adds to a path
 *   f(i) where it stays on stage i before that has its first backward block,
 *   b(i) where it stays there after the last forward block,
 *   c(i) = f(i) + b(i) where it stays there in between, or leaves it downwards.
 * The longest path goes up to a stage x, waiting w(x) rounds at the largest f on the way, comes
 * down to a stage k, stays there for m - p + k rounds, goes up to a stage y and drains from there,
 * waiting w(y) rounds at the largest b on the way down:
 *   c(0) + max over k of ( max over x >= k of (w(x) max f(0..x) + c(k+1) + .. + c(x))
 *                          + (m - p + k) c(k)
 *                          + max over y >= k of (c(1) + .. + c(y) + w(y) max b(0..y)) ).
 * Stages with w >= m do all forward blocks first: x, k and y are none of those. A path that ends on
 * stage s waits in the end on stages from s to y only, and leaves out b(0) to b(s - 1). */
typedef struct
{
  double forward;
  double backward;
  double forward_sum; /* of this stage and those before it */
  double sum;         /* the same, of both */
  double slowest;     /* forward, of this stage and those before it */
  double stayed;      /* the longest path up to the end of a stay on one of them, c(0) apart */
  double finish;
} Link;

/* The first stage that does not do all its forward blocks first. */
static int
first_alternating (int stages, int micro_batches)
{
  return MAX (stages - micro_batches, 0);
}

static void
add_up_links (Link *links, int stages)
{
  double forward_sum = 0.0, sum = 0.0, slowest = 0.0;

  for (int i = 0; i < stages; i++)
    {
      links[i].forward_sum = forward_sum += links[i].forward;
      links[i].sum = sum += links[i].forward + links[i].backward;
      links[i].slowest = slowest = MAX (slowest, links[i].forward);
    }
}

static void
find_longest_stays (Link *links, int stages, int micro_batches)
{
  int first = first_alternating (stages, micro_batches);
  double fill = 0.0, longest = 0.0;

  for (int k = stages - 1; k >= first; k--)
    {
      double both = links[k].forward + links[k].backward;

      fill = MAX (fill, (stages - 1.0 - k) * links[k].slowest);
      links[k].stayed = fill + (micro_batches - (double) stages + k) * both;
      fill += both;
    }
  for (int k = first; k < stages; k++)
    links[k].stayed = longest = MAX (longest, links[k].stayed);
}

/* The longest path that waits on STAGE while it drains. From behind a slower stage it would rather
 * wait there. */
static double
longest_drain (const Link *links, int stages, int micro_batches, int stage)
{
  int first = first_alternating (stages, micro_batches);
  double backward = links[stage].backward, longest = 0.0;

  for (int y = stage; y < stages && (y == stage || links[y].backward < backward); y++)
    if (y >= first)
      longest = MAX (longest, links[y].stayed + links[y].sum + (stages - 1.0 - y) * backward);
  return longest;
}

/* Sets when each stage ends. In the order of the stages squared at worst, else in their order. */
static void
finish_links (Link *links, int stages, int micro_batches)
{
  double longest = 0.0;

  add_up_links (links, stages);
  find_longest_stays (links, stages, micro_batches);
  for (int i = stages - 1; i >= 0; i--)
    {
      longest = MAX (longest, longest_drain (links, stages, micro_batches, i));
      links[i].finish = longest + links[i].forward_sum + links[i].backward - links[i].sum;
    }
}

static void
set_links (const PlgPipeline *pipeline, gboolean alone, Link *links)
{
  for (int i = 0; i < pipeline->stages; i++)
    {
      PlgClock forward = plg_clock_duration (pipeline, PLG_BLOCK_FORWARD, i);
      PlgClock backward = plg_clock_duration (pipeline, PLG_BLOCK_BACKWARD, i);

      links[i].forward = alone ? forward.alone : forward.real;
      links[i].backward = alone ? backward.alone : backward.real;
    }
}

/* 1F1B with messages that travel: the rounds above one by one. Once all stages run both ways, a
 * round makes of the times in which stages end others by sums and maxima alone; when the times
 * have all grown by the same since an earlier round, they do so for good. */
typedef struct
{
  double free;  /* when the stage's last block ended */
  double mark;  /* the same in the round that is compared with */
  double there; /* when the last backward result of the stage is there for the one before */
} Lane;

static void
run_round (const PlgPipeline *pipeline, int round, Lane *lanes)
{
  int last = pipeline->stages - 1;
  double ready = 0.0;

  for (int i = 0; i <= last; i++)
    {
      int back = round - (last - i);
      double travel = plg_pipeline_travel (pipeline, i);

      if (round < pipeline->micro_batches)
        {
          lanes[i].free = MAX (lanes[i].free, ready) +
                          plg_pipeline_duration (pipeline, PLG_BLOCK_FORWARD, i);
          ready = lanes[i].free + travel;
        }
      if (back < 0 || back >= pipeline->micro_batches)
        continue;
      if (i < last)
        lanes[i].free = MAX (lanes[i].free, lanes[i + 1].there + travel);
      lanes[i].free += plg_pipeline_duration (pipeline, PLG_BLOCK_BACKWARD, i);
    }
  for (int i = 0; i <= last; i++)
    lanes[i].there = lanes[i].free;
}

/* What all lanes have grown by since they were marked; 0 when they differ. */
static double
equal_growth (const Lane *lanes, int n)
{
  double growth = lanes[0].free - lanes[0].mark;

  for (int i = 1; i < n; i++)
    if (fabs (lanes[i].free - lanes[i].mark - growth) > PLG_SAME_TIME * lanes[i].free)
      return 0.0;
  return growth;
}

/* Rounds that need not be run after ROUND, when as many after MARK as there are between the two
 * make the same difference again. Else the mark moves on, each time twice as far. */
static int
rounds_to_skip (const PlgPipeline *pipeline, int round, int *mark, Lane *lanes)
{
  double growth = round > *mark ? equal_growth (lanes, pipeline->stages) : 0.0;
  int period = MAX (round - *mark, 1), times = (pipeline->micro_batches - 1 - round) / period;

  for (int i = 0; i < pipeline->stages && growth > 0.0; i++)
    lanes[i].free = lanes[i].there += times * growth;
  if (growth > 0.0)
    return times * period;
  if (round < 2 * *mark && round > pipeline->stages - 1)
    return 0;
  for (int i = 0; i < pipeline->stages; i++)
    lanes[i].mark = lanes[i].free;
  *mark = round;
  return 0;
}

static void
run_travelling (const PlgPipeline *pipeline, Lane *lanes)
{
  int all_run = pipeline->stages - 1, mark = all_run;

  for (int i = 0; i < pipeline->stages; i++)
    lanes[i] = (Lane) { 0 };
  for (int round = 0; round < pipeline->micro_batches + all_run; round++)
    {
      run_round (pipeline, round, lanes);
      if (round >= all_run && round < pipeline->micro_batches)
        round += rounds_to_skip (pipeline, round, &mark, lanes);
    }
}

static gboolean
has_messages (const PlgPipeline *pipeline)
{
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    if (pipeline->positions[i].hop > 0.0)
      return TRUE;
  return FALSE;
}

static double
one_by_one_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages;
  Link *links = plg_work_space (blocks, stages * (sizeof (Link) + sizeof (Lane)));
  Lane *lanes = (Lane *) (void *) (links + stages);
  gboolean travel = pipeline->overlap && has_messages (pipeline);
  double alone, start = 0.0;

  set_links (pipeline, TRUE, links);
  finish_links (links, stages, pipeline->micro_batches);
  alone = links[0].finish;
  if (travel)
    run_travelling (pipeline, lanes);
  else if (has_messages (pipeline))
    {
      set_links (pipeline, FALSE, links);
      finish_links (links, stages, pipeline->micro_batches);
    }
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start;
      spans[i].finish = travel ? lanes[i].free : links[i].finish;
      start += plg_clock_duration (pipeline, PLG_BLOCK_FORWARD, i).real +
               plg_pipeline_travel (pipeline, i);
    }
  return alone;
}

/* So many stages that no run of theirs fits into memory: what 1F1B would take for the same stages,
 * which waits for every message. The other schedules were published as shorter than that;
 * interleaving shortens what is not work by its chunks (Narayanan 2021, sec. 2.2). */
static double
bound_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages, m = pipeline->micro_batches;
  double share = (double) plg_pipeline_passes (pipeline) / m, start = 0.0, busiest = 0.0;
  double chunks = pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->chunks : 1.0;
  Link *links = plg_work_space (blocks, stages * sizeof (Link));

  for (int i = 0; i < stages; i++)
    {
      links[i] = (Link) { 0 };
      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          int position = plg_pipeline_position (pipeline, i, chunk);
          double hops = 2.0 * plg_pipeline_travel (pipeline, position);

          links[i].forward += share *
                              plg_clock_duration (pipeline, PLG_BLOCK_FORWARD, position).real;
          links[i].backward += share *
                               (plg_clock_duration (pipeline, PLG_BLOCK_BACKWARD, position).real +
                                hops);
        }
      busiest = MAX (busiest, m * (links[i].forward + links[i].backward));
    }
  finish_links (links, stages, m);
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start / chunks;
      spans[i].finish = busiest + (links[i].finish - busiest) / chunks;
      start += links[i].forward;
    }
  return spans[0].finish;
}

void
plg_pipeline_totals (const PlgPipeline *pipeline,
                     GArray *blocks,
                     PlgStageSpan *spans,
                     PlgPipelineResult *result)
{
  double alone = 0.0;

  if (pipeline->schedule == PLG_SCHEDULE_GPIPE)
    alone = gpipe_totals (pipeline, spans);
  else if (pipeline->schedule == PLG_SCHEDULE_1F1B ||
           (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED && pipeline->chunks == 1))
    alone = one_by_one_totals (pipeline, blocks, spans);
  else if (!plg_course_totals (pipeline, blocks, spans, &alone))
    alone = bound_totals (pipeline, blocks, spans);
  g_array_set_size (blocks, 0);
  for (int i = 0; i < pipeline->stages; i++)
    spans[i].busy = stage_work (pipeline, i);
  plg_pipeline_summarize (pipeline, spans, result);
  result->length_alone = has_messages (pipeline) ? MIN (alone, result->length) : result->length;
}
