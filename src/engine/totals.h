/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/schedule.h"

G_BEGIN_DECLS

/* What the ways to plg_pipeline_totals() share. Private to them. */

/* Times that are the same but for what adding them up in another order rounds off. */
#define PLG_SAME_TIME 1e-12

/* Two clocks run at once: one with the messages between stages, one as if they took no time. */
typedef struct
{
  double real;
  double alone;
} PlgClock;

static inline PlgClock
plg_clock_later (PlgClock a, PlgClock b)
{
  return (PlgClock) { MAX (a.real, b.real), MAX (a.alone, b.alone) };
}

static inline PlgClock
plg_clock_plus (PlgClock a, PlgClock b)
{
  return (PlgClock) { a.real + b.real, a.alone + b.alone };
}

static inline PlgClock
plg_clock_duration (const PlgPipeline *pipeline, PlgBlockKind kind, int position)
{
  double alone = plg_pipeline_duration (pipeline, kind, position);

  return (PlgClock) { alone + plg_pipeline_wait (pipeline, kind, position), alone };
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
gboolean
plg_course_totals (const PlgPipeline *pipeline, GArray *blocks, PlgStageSpan *spans, double *alone);

G_END_DECLS
