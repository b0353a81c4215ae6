/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-length.h"

#include "engine/schedule/schedule-order.h"

#include <math.h>

/* Computes the length of a schedule without creating its blocks. GPipe, and 1F1B without
 * overlapping messages, have closed forms; 1F1B with overlapping messages is simulated round by
 * round; interleaved-length.c and steady-state.c simulate the other schedules until they reach a
 * steady state. The length is exact, except for pipelines with more blocks than a timeline may
 * have (estimate_length()). The closed forms exist in addition to the simulation because sweeps and
 * advice evaluate many plans: the run time of a closed form usually grows with the number of
 * stages, and the run time of a simulated steady state with about the square of that number. */

/* GPipe: the stages are like a row of machines that process equal jobs. The first job takes the
 * sum of the times on all machines, and each further job takes the time on the slowest machine.
 * GPipe runs all jobs forward, then all jobs backward. */

/* Adds the time of a stage's block to SUM, and raises SLOWEST to this time if SLOWEST is
 * smaller. */
static void
pass_stage (const PlgPipeline *pipeline,
            PlgBlockKind kind,
            int position,
            PlgScheduleTime *sum,
            PlgScheduleTime *slowest)
{
  PlgScheduleTime time = plg_schedule_time_of_block (pipeline, kind, position);

  *sum = plg_schedule_time_add (*sum, time);
  *slowest = plg_schedule_time_max (*slowest, time);
}

static PlgScheduleTime
add_queued_batches (const PlgPipeline *pipeline, PlgScheduleTime sum, PlgScheduleTime slowest)
{
  double more = pipeline->micro_batches - 1.0;

  return (PlgScheduleTime) { sum.with_comm + more * slowest.with_comm,
                             sum.compute_only + more * slowest.compute_only };
}

/* 1F1B without overlapping messages, with p stages and m micro-batches.
 *
 * The finish of a stage is the length of the longest path of dependent blocks that ends on this
 * stage. Let f(i) and b(i) be the times of a forward and a backward block on stage i, c(i) =
 * f(i) + b(i), and w(i) = p - 1 - i, the number of stages after stage i. Number the rounds so
 * that in round r stage i runs the forward block of micro-batch r and the backward block of
 * micro-batch r - w(i). A path goes up to the next stage within a round, and down to the
 * previous stage in the following round, so each step up is paired with a step down. In each
 * round on stage i, a path grows by f(i) if it stays on the stage before the stage's first
 * backward block, by b(i) if it stays there after the last forward block, and by c(i) if it
 * stays there in between or goes down from there.
 *
 * The longest path to stage 0 goes up to a stage x, waiting w(x) rounds on the stage with the
 * largest f on the way; goes down to a stage k and stays there for m - p + k rounds; then goes
 * up to a stage y and down to stage 0, waiting w(y) rounds on the stage with the largest b on
 * the way down. Its length is c(0) + max over k of ( max over x >= k of (w(x) max f(0..x) +
 * c(k+1) + .. + c(x)) + (m - p + k) c(k) + max over y >= k of (c(1) + .. + c(y) + w(y) max
 * b(0..y)) ). Stages with w >= m run all their forward blocks before their first backward block,
 * so they cannot be x, k or y. A path that ends on another stage s waits on the way down only on
 * stages s to y, and omits b(0) to b(s - 1). */
typedef struct
{
  double forward;
  double backward;
  double forward_sum; /* sum of FORWARD over this stage and all earlier stages [s] */
  double sum;         /* sum of FORWARD + BACKWARD over this stage and all earlier stages [s] */
  double slowest;     /* largest FORWARD of this stage and all earlier stages [s] */
  double stayed;      /* maximum, over all k up to this stage, of the formula's first two terms:
                         max over x (…) + (m - p + k) c(k) [s] */
  double finish;
} StageTimes;

/* Computes when each stage finishes, and stores these times in STAGE_TIMES. The run time is
 * usually linear in the number of stages, and at worst quadratic. */
static void
set_stage_finishes (StageTimes *stage_times, int stages, int micro_batches)
{
  double forward_sum = 0.0, sum = 0.0, slowest = 0.0;
  double fill = 0.0, longest_stays = 0.0, longest = 0.0;
  /* first stage that has a backward block before its last forward block */
  int first = MAX (stages - micro_batches, 0);

  for (int i = 0; i < stages; i++)
    {
      stage_times[i].forward_sum = forward_sum += stage_times[i].forward;
      stage_times[i].sum = sum += stage_times[i].forward + stage_times[i].backward;
      stage_times[i].slowest = slowest = MAX (slowest, stage_times[i].forward);
    }
  for (int k = stages - 1; k >= first; k--)
    {
      double both = stage_times[k].forward + stage_times[k].backward;

      fill = MAX (fill, (stages - 1.0 - k) * stage_times[k].slowest);
      stage_times[k].stayed = fill + (micro_batches - (double) stages + k) * both;
      fill += both;
    }
  for (int k = first; k < stages; k++)
    stage_times[k].stayed = longest_stays = MAX (longest_stays, stage_times[k].stayed);

  for (int i = stages - 1; i >= 0; i--)
    {
      double backward = stage_times[i].backward;

      /* Find the longest path that waits on stage I while the pipeline drains. The search ends
       * at the next stage with a slower backward block, because a path from beyond that stage
       * waits there instead. */
      for (int y = i; y < stages && (y == i || stage_times[y].backward < backward); y++)
        if (y >= first)
          longest = MAX (longest, stage_times[y].stayed + stage_times[y].sum +
                                      (stages - 1.0 - y) * backward);
      stage_times[i].finish = longest + stage_times[i].forward_sum + stage_times[i].backward -
                              stage_times[i].sum;
    }
}

static void
set_stage_times (const PlgPipeline *pipeline, gboolean compute_only, StageTimes *stage_times)
{
  for (int i = 0; i < pipeline->stages; i++)
    {
      PlgScheduleTime forward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, i);
      PlgScheduleTime backward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD, i);

      stage_times[i].forward = compute_only ? forward.compute_only : forward.with_comm;
      stage_times[i].backward = compute_only ? backward.compute_only : backward.with_comm;
    }
}

/* 1F1B with overlapping messages is simulated round by round; the comment on StageTimes defines
 * a round. Once all stages run both forward and backward blocks, each end time in a round is a
 * sum or maximum of earlier end times. So if all end times have grown by the same amount since
 * an earlier round, they keep growing at this rate. */
typedef struct
{
  double free;           /* end of the stage's latest block so far [s] */
  double mark;           /* value of FREE in the round from which growth is measured */
  double backward_ready; /* end of the stage's latest backward block, whose result the previous
                            stage needs */
} StageProgress;

/* If all end times have grown by the same amount since round MARK, advances them by a multiple
 * of ROUND - MARK rounds and returns the number of rounds to skip. Otherwise returns 0, and sets
 * MARK to ROUND if ROUND is the first round with all stages running or is at least twice MARK. */
static int
rounds_to_skip (const PlgPipeline *pipeline, int round, int *mark, StageProgress *stage_progress)
{
  double growth = round > *mark ? stage_progress[0].free - stage_progress[0].mark : 0.0;
  int period = MAX (round - *mark, 1), times = (pipeline->micro_batches - 1 - round) / period;

  for (int i = 1; i < pipeline->stages; i++)
    if (fabs (stage_progress[i].free - stage_progress[i].mark - growth) >
        PLG_TIME_TOLERANCE * stage_progress[i].free)
      growth = 0.0;
  for (int i = 0; i < pipeline->stages && growth > 0.0; i++)
    stage_progress[i].free = stage_progress[i].backward_ready += times * growth;
  if (growth > 0.0)
    return times * period;
  if (round < 2 * *mark && round > pipeline->stages - 1)
    return 0;
  for (int i = 0; i < pipeline->stages; i++)
    stage_progress[i].mark = stage_progress[i].free;
  *mark = round;
  return 0;
}

static void
run_overlapped_rounds (const PlgPipeline *pipeline, StageProgress *stage_progress)
{
  int all_run = pipeline->stages - 1, mark = all_run;

  for (int i = 0; i < pipeline->stages; i++)
    stage_progress[i] = (StageProgress) { 0 };
  for (int round = 0; round < pipeline->micro_batches + all_run; round++)
    {
      int last = pipeline->stages - 1;
      double ready = 0.0;

      for (int i = 0; i <= last; i++)
        {
          int back = round - (last - i);
          double travel = plg_pipeline_travel (pipeline, i);

          if (round < pipeline->micro_batches)
            {
              stage_progress[i].free = MAX (stage_progress[i].free, ready) +
                                       plg_pipeline_duration (pipeline, PLG_BLOCK_FORWARD, i);
              ready = stage_progress[i].free + travel;
            }
          if (back < 0 || back >= pipeline->micro_batches)
            continue;
          if (i < last)
            stage_progress[i].free = MAX (stage_progress[i].free,
                                          stage_progress[i + 1].backward_ready + travel);
          stage_progress[i].free += plg_pipeline_duration (pipeline, PLG_BLOCK_BACKWARD, i);
        }
      for (int i = 0; i <= last; i++)
        stage_progress[i].backward_ready = stage_progress[i].free;

      if (round >= all_run && round < pipeline->micro_batches)
        round += rounds_to_skip (pipeline, round, &mark, stage_progress);
    }
}

/* Computes the length of a schedule that has no closed form. Returns FALSE if it has too many
 * blocks to simulate. */
static gboolean
simulated_length (const PlgPipeline *pipeline,
                  GArray *blocks,
                  PlgStageSpan *spans,
                  double *compute_only)
{
  if (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED &&
      pipeline->micro_batches % pipeline->stages == 0)
    return plg_interleaved_length (pipeline, blocks, spans, compute_only);
  return plg_steady_state_length (pipeline, blocks, spans, compute_only);
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
one_f_one_b_length (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages;
  StageTimes *stage_times = plg_work_space (blocks, stages * (sizeof (StageTimes) +
                                                              sizeof (StageProgress)));
  StageProgress *stage_progress = (StageProgress *) (void *) (stage_times + stages);
  gboolean travel = pipeline->overlap && has_messages (pipeline);
  double compute_only, start = 0.0;

  set_stage_times (pipeline, TRUE, stage_times);
  set_stage_finishes (stage_times, stages, pipeline->micro_batches);
  compute_only = stage_times[0].finish;
  if (travel)
    run_overlapped_rounds (pipeline, stage_progress);
  else if (has_messages (pipeline))
    {
      set_stage_times (pipeline, FALSE, stage_times);
      set_stage_finishes (stage_times, stages, pipeline->micro_batches);
    }
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start;
      spans[i].finish = travel ? stage_progress[i].free : stage_times[i].finish;
      start += plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, i).with_comm +
               plg_pipeline_travel (pipeline, i);
    }
  return compute_only;
}

/* Estimates the length of a pipeline with too many stages for the memory limit of the
 * simulation: the length of 1F1B on the same stages, with a wait for every message. The other
 * schedules are shorter than 1F1B according to their papers. For interleaving, the idle time is
 * divided by the number of chunks (Narayanan 2021, sec. 2.2). */
static double
estimate_length (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans)
{
  int stages = pipeline->stages, m = pipeline->micro_batches;
  double share = (double) plg_pipeline_passes (pipeline) / m, start = 0.0, busiest = 0.0;
  double chunks = pipeline->schedule == PLG_SCHEDULE_INTERLEAVED ? pipeline->chunks : 1.0;
  StageTimes *stage_times = plg_work_space (blocks, stages * sizeof (StageTimes));

  for (int i = 0; i < stages; i++)
    {
      stage_times[i] = (StageTimes) { 0 };
      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          int position = plg_pipeline_position (pipeline, i, chunk);
          double hops = 2.0 * plg_pipeline_travel (pipeline, position);

          stage_times[i].forward += share * plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD,
                                                                        position)
                                                .with_comm;
          stage_times[i].backward += share *
                                     (plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD,
                                                                  position)
                                          .with_comm +
                                      hops);
        }
      busiest = MAX (busiest, m * (stage_times[i].forward + stage_times[i].backward));
    }
  set_stage_finishes (stage_times, stages, m);
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start / chunks;
      spans[i].finish = busiest + (stage_times[i].finish - busiest) / chunks;
      start += stage_times[i].forward;
    }
  return spans[0].finish;
}

void
plg_pipeline_length (const PlgPipeline *pipeline,
                     GArray *blocks,
                     PlgStageSpan *spans,
                     PlgPipelineResult *result)
{
  double compute_only = 0.0;

  if (pipeline->schedule == PLG_SCHEDULE_GPIPE)
    {
      int last = pipeline->stages - 1;
      PlgScheduleTime sum = { 0.0, 0.0 }, slowest = { 0.0, 0.0 };

      for (int i = 0; i <= last; i++)
        {
          spans[i].start = sum.with_comm;
          pass_stage (pipeline, PLG_BLOCK_FORWARD, i, &sum, &slowest);
          if (i < last)
            sum.with_comm += plg_pipeline_travel (pipeline, i);
        }
      sum = add_queued_batches (pipeline, sum, slowest);
      slowest = (PlgScheduleTime) { 0.0, 0.0 };
      for (int i = last; i >= 0; i--)
        {
          PlgScheduleTime finish;

          pass_stage (pipeline, PLG_BLOCK_BACKWARD, i, &sum, &slowest);
          finish = add_queued_batches (pipeline, sum, slowest);
          spans[i].finish = finish.with_comm;
          compute_only = MAX (compute_only, finish.compute_only);
          if (i > 0)
            sum.with_comm += plg_pipeline_travel (pipeline, i - 1);
        }
    }
  else if (pipeline->schedule == PLG_SCHEDULE_1F1B ||
           (pipeline->schedule == PLG_SCHEDULE_INTERLEAVED && pipeline->chunks == 1))
    compute_only = one_f_one_b_length (pipeline, blocks, spans);
  else if (!simulated_length (pipeline, blocks, spans, &compute_only))
    compute_only = estimate_length (pipeline, blocks, spans);
  g_array_set_size (blocks, 0);
  for (int i = 0; i < pipeline->stages; i++)
    {
      /* Add up the times of all blocks of the stage, including their waits for messages. */
      double work = 0.0;

      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          int position = plg_pipeline_position (pipeline, i, chunk);

          work += plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, position).with_comm +
                  plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD, position).with_comm;
        }
      spans[i].busy = work * plg_pipeline_passes (pipeline);
    }
  plg_pipeline_summarize (pipeline, spans, result);
  result->length_compute_only = has_messages (pipeline) ? MIN (compute_only, result->length)
                                                        : result->length;
}

/* Returns a lower bound of the time from the start of the first stage to its last backward block
 * [s]: the forward blocks of all micro-batches but the last one, then the way of the last micro-batch
 * through all virtual stages and back. Where backward passes are split, blocks for weight gradients
 * can run beside this way. */
static double
longest_batch (const PlgPipeline *pipeline)
{
  PlgBlockKind back = plg_pipeline_splits_backward (pipeline) ? PLG_BLOCK_BACKWARD_INPUT
                                                              : PLG_BLOCK_BACKWARD;
  double time = (plg_pipeline_passes (pipeline) - 1.0) *
                plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, 0).with_comm;

  for (int i = 0;; i++)
    {
      time += plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, i).with_comm +
              plg_schedule_time_of_block (pipeline, back, i).with_comm;
      if (plg_pipeline_is_last (pipeline, i))
        return time;
      time += 2.0 * plg_pipeline_travel (pipeline, i);
    }
}

/* A stage cannot start before the first micro-batch has passed all earlier stages. Without split
 * backward passes, its last block is a backward block of its first chunk, which must still pass
 * back through all earlier stages. With split backward passes, blocks for weight gradients can
 * run during that time. The length with zb-v does not include the wait before a stage starts, and
 * DualPipe starts at both ends. The result is rounded down, because sums in a different order
 * differ by rounding errors. */
double
plg_pipeline_shortest (const PlgPipeline *pipeline)
{
  gboolean splits = plg_pipeline_splits_backward (pipeline);
  gint64 ends = (gint64) plg_pipeline_positions (pipeline) * plg_pipeline_passes (pipeline) * 2;
  /* An estimated length can be shorter than the bound with the wait. */
  gboolean is_exact = ends <= PLG_MAX_SIMULATED_ENDS;
  gboolean waits = pipeline->schedule != PLG_SCHEDULE_ZB_V &&
                   pipeline->schedule != PLG_SCHEDULE_DUALPIPE && is_exact;
  double shortest = is_exact ? longest_batch (pipeline) : 0.0, lead = 0.0;

  for (int i = 0; i < pipeline->stages; i++)
    {
      PlgScheduleTime forward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, i);
      PlgScheduleTime backward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD, i);
      double work = 0.0;

      for (int chunk = 0; chunk < pipeline->chunks; chunk++)
        {
          int position = plg_pipeline_position (pipeline, i, chunk);

          work += plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, position).with_comm +
                  plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD, position).with_comm;
        }
      shortest = MAX (shortest, plg_pipeline_passes (pipeline) * work + lead);
      if (waits)
        lead += forward.with_comm + plg_pipeline_travel (pipeline, i) +
                (splits ? 0.0 : backward.with_comm + plg_pipeline_travel (pipeline, i));
    }
  return shortest * (1.0 - 1e-9);
}
