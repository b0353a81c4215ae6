/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* What the ways to plg_pipeline_length() share. Private to them. */

/* Times that are the same but for what adding them up in another order rounds off. */
#define PLG_TIME_TOLERANCE 1e-12

/* Two clocks run at once: one with the messages between stages, one as if they took no time. */
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

/* Working space: as much of BLOCKS as SIZE bytes need. */
static inline void *
plg_work_space (GArray *blocks, gsize size)
{
  g_array_set_size (blocks, (size + sizeof (PlgBlock) - 1) / sizeof (PlgBlock));
  return blocks->data;
}

/* Sets start and finish of SPANS by running the order of a schedule until it repeats; ALONE gets
 * the length without messages. FALSE when that takes more memory than a timeline may have. */
gboolean plg_steady_state_length (const PlgPipeline *pipeline,
                                  GArray *blocks,
                                  PlgStageSpan *spans,
                                  double *compute_only);

G_END_DECLS
