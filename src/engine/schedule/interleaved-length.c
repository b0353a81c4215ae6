/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/schedule/schedule-length.h"

#include <math.h>
#include <string.h>

/* The length of the interleaved schedule with complete rounds (m is a multiple of p).
 *
 * Number the forward blocks of a stage 0, 1, 2 … in running order, and the backward blocks too.
 * Both numbers mean the same chunk and micro-batch on every stage: p micro-batches of the first
 * chunk, then of the next chunk, and for backward blocks from the last chunk to the first. So a
 * forward block needs the block with the same number on the previous stage, and a backward block
 * the block with the same number on the next stage. Only at the ends of the pipeline, forward block
 * i of stage 0 needs block i - p of the last stage, and backward block i of the last stage needs
 * block i - p of stage 0.
 *
 * Stage s runs forward block k + 2 (p - 1 - s) + (v - 1) p right before backward block k. Call
 * k + p - 1 - s the tick of these two blocks. Then each block needs a block that its neighbour on
 * the ring of stages has run in the previous tick. So the end times of a tick follow from those of
 * the previous tick, by sums and maxima that repeat every p v ticks. If all end times have grown
 * by the same amount over p v ticks, they keep growing at this rate until stage 0 runs out of
 * forward blocks. */

/* The times of the blocks of one kind, by chunk and stage [s]. */
typedef struct
{
  double *block;
  double *travel; /* time of the message that the block needs */
} BlockTimes;

/* The end times of one tick [s]. */
typedef struct
{
  /* The end of the latest block of each stage. */
  double *free;
  /* [s + 1] is the end of the latest forward block of stage s, and [0] the end of the block that
   * stage 0 needs. */
  double *forwards;
  /* [s] is the end of the latest backward block of stage s, and [p] the end of the block that the
   * last stage needs. */
  double *backwards;
  int n; /* number of values, which follow each other in memory, from FREE on */
} TickEnds;

typedef struct
{
  int stages;
  int chunks;
  gint64 blocks; /* forward blocks of a stage, and backward blocks of a stage */
  BlockTimes forward;
  BlockTimes backward;
  TickEnds ends;
  double *mark; /* ENDS of an earlier tick */
} Ring;

/* Runs the forward blocks of CHUNK on the stages FROM to TO - 1, the last stage first, because a
 * stage needs the end time of the previous stage in the previous tick. */
static inline void
run_forwards_of_chunk (const Ring *ring, int chunk, int from, int to)
{
  const double *block = ring->forward.block + (gsize) chunk * ring->stages;
  const double *travel = ring->forward.travel + (gsize) chunk * ring->stages;
  double *free = ring->ends.free, *forwards = ring->ends.forwards;

  for (int i = to - 1; i >= from; i--)
    forwards[i + 1] = free[i] = MAX (free[i], forwards[i] + travel[i]) + block[i];
}

static inline void
run_backwards_of_chunk (const Ring *ring, int chunk, int from, int to)
{
  const double *block = ring->backward.block + (gsize) chunk * ring->stages;
  const double *travel = ring->backward.travel + (gsize) chunk * ring->stages;
  double *free = ring->ends.free, *backwards = ring->ends.backwards;

  for (int i = from; i < to; i++)
    backwards[i] = free[i] = MAX (free[i], backwards[i + 1] + travel[i]) + block[i];
}

/* The place of a block in the running order of a stage. */
typedef struct
{
  int chunk;
  int in_group; /* from 0 to p - 1: the place among the p micro-batches that run CHUNK in turn */
} BlockPlace;

/* Moves PLACE to the next block. STEP is 1 for forward and -1 for backward blocks. */
static inline void
advance (const Ring *ring, BlockPlace *place, int step)
{
  if (++place->in_group < ring->stages)
    return;
  place->in_group = 0;
  place->chunk += step;
  if (place->chunk == ring->chunks)
    place->chunk = 0;
  else if (place->chunk < 0)
    place->chunk = ring->chunks - 1;
}

/* Runs the forward blocks of one tick. Stage 0 runs block FIRST, which is at PLACE, stage 1 runs
 * block FIRST - 1, and so on. */
static void
run_forwards (const Ring *ring, gint64 first, const BlockPlace *place)
{
  int p = ring->stages, before = place->chunk > 0 ? place->chunk - 1 : ring->chunks - 1;
  int from = (int) CLAMP (first - ring->blocks + 1, 0, p), to = (int) CLAMP (first + 1, 0, p);
  /* The stages before EDGE run the chunk of PLACE, and the other stages still run the chunk
   * before. */
  int edge = CLAMP (place->in_group + 1, from, MAX (from, to));

  ring->ends.forwards[0] = place->chunk == 0 ? -INFINITY : ring->ends.forwards[p];
  run_forwards_of_chunk (ring, before, edge, to);
  run_forwards_of_chunk (ring, place->chunk, from, edge);
}

/* Runs the backward blocks of one tick. The last stage runs block LAST, which is at PLACE, the
 * stage before it runs block LAST - 1, and so on. */
static void
run_backwards (const Ring *ring, gint64 last, const BlockPlace *place)
{
  int p = ring->stages, before = place->chunk < ring->chunks - 1 ? place->chunk + 1 : 0;
  int from = (int) CLAMP (p - 1 - last, 0, p), to = (int) CLAMP (ring->blocks + p - 1 - last, 0, p);
  /* The stages from EDGE on run the chunk of PLACE, and the other stages still run the chunk
   * before. */
  int edge = CLAMP (p - 1 - place->in_group, from, MAX (from, to));

  ring->ends.backwards[p] = place->chunk == ring->chunks - 1 ? -INFINITY : ring->ends.backwards[0];
  run_backwards_of_chunk (ring, before, from, edge);
  run_backwards_of_chunk (ring, place->chunk, edge, to);
}

/* Returns by how much all end times have grown since MARK [s], or 0 if they have grown by different
 * amounts. */
static double
growth_since_mark (const Ring *ring)
{
  const double *ends = ring->ends.free;
  double growth = ends[0] - ring->mark[0];

  /* The difference is not a number where no block is needed; see run_forwards(). */
  for (int i = 1; i < ring->ends.n; i++)
    if (fabs (ends[i] - ring->mark[i] - growth) > PLG_TIME_TOLERANCE * ends[i])
      return 0.0;
  return growth;
}

/* Runs all ticks, except for those of the steady state. Returns FALSE if there are more than a
 * timeline may have and no steady state is found. */
static gboolean
run_ticks (const Ring *ring)
{
  int p = ring->stages, period = p * ring->chunks;
  gint64 start = 1 - period, steady = p, mark = steady, next_check = steady;
  gint64 end = ring->blocks - period + 1; /* the tick in which stage 0 has no forward block */
  gint64 last = MIN (ring->blocks + p - 1, PLG_MAX_SIMULATED_ENDS / (2 * p) + period + p);
  BlockPlace forward = { 0, 0 }, backward = { ring->chunks - 1, 0 };

  memset (ring->ends.free, 0, ring->ends.n * sizeof (double));
  for (gint64 tick = start; tick < ring->blocks + p - 1; tick++)
    {
      if (tick >= last)
        return FALSE;
      if (tick == next_check && tick < end)
        {
          double growth = tick > mark ? growth_since_mark (ring) : 0.0;

          next_check += period;
          if (growth > 0.0)
            {
              gint64 times = (end - tick) / (tick - mark);

              for (int i = 0; i < ring->ends.n; i++)
                ring->ends.free[i] += times * growth;
              tick += times * (tick - mark);
              last = G_MAXINT64;
              end = tick; /* the steady state has ended */
            }
          else if (tick == steady || tick - steady >= 2 * (mark - steady))
            {
              memcpy (ring->mark, ring->ends.free, ring->ends.n * sizeof (double));
              mark = tick;
            }
        }
      if (tick - start < ring->blocks + p - 1)
        run_forwards (ring, tick - start, &forward);
      advance (ring, &forward, 1);
      if (tick < 0)
        continue;
      run_backwards (ring, tick, &backward);
      advance (ring, &backward, -1);
    }
  return TRUE;
}

/* Fills the times of the blocks, with or without messages between stages. */
static void
set_block_times (const Ring *ring, const PlgPipeline *pipeline, gboolean compute_only)
{
  for (int i = 0; i < plg_pipeline_positions (pipeline); i++)
    {
      PlgScheduleTime forward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_FORWARD, i);
      PlgScheduleTime backward = plg_schedule_time_of_block (pipeline, PLG_BLOCK_BACKWARD, i);
      gboolean is_last = plg_pipeline_is_last (pipeline, i);

      ring->forward.block[i] = compute_only ? forward.compute_only : forward.with_comm;
      ring->backward.block[i] = compute_only ? backward.compute_only : backward.with_comm;
      ring->forward.travel[i] = compute_only || i == 0 ? 0.0
                                                       : plg_pipeline_travel (pipeline, i - 1);
      ring->backward.travel[i] = compute_only || is_last ? 0.0 : plg_pipeline_travel (pipeline, i);
    }
}

static double
latest_end (const Ring *ring)
{
  double latest = 0.0;

  for (int i = 0; i < ring->stages; i++)
    latest = MAX (latest, ring->ends.free[i]);
  return latest;
}

gboolean
plg_interleaved_length (const PlgPipeline *pipeline,
                        GArray *blocks,
                        PlgStageSpan *spans,
                        double *compute_only)
{
  int stages = pipeline->stages, positions = plg_pipeline_positions (pipeline);
  int n_ends = 3 * stages + 2;
  double *space = plg_work_space (blocks, (4 * (gsize) positions + 2 * n_ends) * sizeof (double));
  double start = 0.0;
  Ring ring = {
    .stages = stages,
    .chunks = pipeline->chunks,
    .blocks = (gint64) pipeline->micro_batches * pipeline->chunks,
    .forward = { space, space + positions },
    .backward = { space + 2 * (gsize) positions, space + 3 * (gsize) positions },
    .ends = { space + 4 * (gsize) positions, space + 4 * (gsize) positions + stages,
              space + 4 * (gsize) positions + 2 * stages + 1, n_ends },
    .mark = space + 4 * (gsize) positions + n_ends,
  };

  set_block_times (&ring, pipeline, TRUE);
  if (!run_ticks (&ring))
    return FALSE;
  *compute_only = latest_end (&ring);
  set_block_times (&ring, pipeline, FALSE);
  if (!run_ticks (&ring))
    return FALSE;
  for (int i = 0; i < stages; i++)
    {
      spans[i].start = start;
      spans[i].finish = ring.ends.free[i];
      start += ring.forward.block[i] + plg_pipeline_travel (pipeline, i);
    }
  return TRUE;
}
