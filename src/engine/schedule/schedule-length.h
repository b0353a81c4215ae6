/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* Code shared by schedule-length.c, interleaved-length.c and steady-state.c. Private to these
 * files. */

/* The tolerated relative difference between equal times whose sums were computed in a different
 * order. */
#define PLG_TIME_TOLERANCE 1e-12

/* The largest number of block end times (PlgScheduleTime) that fit in the memory reserved for a
 * timeline. A schedule with more end times may be estimated instead of simulated. */
#define PLG_MAX_SIMULATED_ENDS (PLG_MAX_BLOCKS * 3)

/* A time with and without messages between stages [s]. One simulation computes both values. */
typedef struct
{
  double with_comm;
  double compute_only;
} PlgScheduleTime;

static inline PlgScheduleTime
plg_schedule_time_max (PlgScheduleTime a, PlgScheduleTime b)
{
  return (PlgScheduleTime) { MAX (a.with_comm, b.with_comm), MAX (a.compute_only, b.compute_only) };
}

static inline PlgScheduleTime
plg_schedule_time_add (PlgScheduleTime a, PlgScheduleTime b)
{
  return (PlgScheduleTime) { a.with_comm + b.with_comm, a.compute_only + b.compute_only };
}

static inline PlgScheduleTime
plg_schedule_time_of_block (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  double compute_only = plg_pipeline_duration (pipeline, kind, position);

  return (PlgScheduleTime) { compute_only + plg_pipeline_wait (pipeline, kind, position),
                             compute_only };
}

/* Resizes BLOCKS to SIZE bytes and returns its data as scratch space. */
static inline void *
plg_work_space (GArray *blocks, gsize size)
{
  g_array_set_size (blocks, (size + sizeof (PlgBlock) - 1) / sizeof (PlgBlock));
  return blocks->data;
}

/* plg_steady_state_length:
 * @blocks: scratch space
 * @spans: receives the start and finish of each stage
 * @compute_only: (out): the length without messages [s]
 *
 * Simulates a schedule until it reaches a steady state, and extrapolates from there to the end
 * of the schedule.
 *
 * Returns: %FALSE if the simulation would need more memory than a timeline may use */
gboolean plg_steady_state_length (const PlgPipeline *pipeline,
                                  GArray *blocks,
                                  PlgStageSpan *spans,
                                  double *compute_only);

/* plg_interleaved_length:
 * @pipeline: an interleaved schedule whose number of micro-batches is a multiple of its stages
 * @blocks: scratch space
 * @spans: receives the start and finish of each stage
 * @compute_only: (out): the length without messages [s]
 *
 * Returns: %FALSE if the schedule has more blocks than a timeline may have and reaches no steady
 *   state before that number */
gboolean plg_interleaved_length (const PlgPipeline *pipeline,
                                 GArray *blocks,
                                 PlgStageSpan *spans,
                                 double *compute_only);

G_END_DECLS
