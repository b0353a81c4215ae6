/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The activity of each stage at a given time of the step, derived from the report's blocks,
 * collectives and parts.
 *
 * The report has the start and end of each block, and the length of the phases after the blocks.
 * Inside a block the snapshot makes assumptions: collectives run during the whole block;
 * recompute comes at the start of a backward block, although in training each layer recomputes
 * just before its own backward pass; and DualPipe's paired blocks follow one another, as in the
 * timeline. Gradient reduction that overlaps the backward pass runs as late as possible on each
 * stage. Every message takes as long as the slowest message, and all GPUs of a stage do the
 * same. */

typedef enum
{
  PLG_ACTIVITY_IDLE,
  PLG_ACTIVITY_FORWARD,
  PLG_ACTIVITY_RECOMPUTE,
  PLG_ACTIVITY_BACKWARD, /* gradients of inputs only, if weight gradients have their own blocks */
  PLG_ACTIVITY_WEIGHT,
  PLG_ACTIVITY_SYNC,      /* waiting for gradients or weights from other replicas */
  PLG_ACTIVITY_OPTIMIZER, /* updating weights */
} PlgActivity;
#define PLG_N_ACTIVITIES 7

typedef struct
{
  PlgActivity activity;
  int block;     /* index in report->blocks, or -1 */
  guint running; /* bit 1 << i is set if collective i of the report is running */
} PlgStageSnapshot;

typedef struct
{
  double time; /* time since the start of the step, 0 .. end [s] */
  double end;  /* value of plg_snapshot_end() */
  int n_stages;
  PlgStageSnapshot stages[];
} PlgSnapshot;

/* An interval in which a stage runs no block but synchronizes or updates weights. */
typedef struct
{
  int stage;
  PlgActivity activity; /* PLG_ACTIVITY_SYNC or PLG_ACTIVITY_OPTIMIZER */
  double start, end;    /* times since the start of the step [s] */
} PlgStageInterval;

/* Returns the largest possible time of a snapshot [s]: the end of the step or of the last block,
 * whichever is later. A block of zb-v may end after the step, because its stages start the next
 * step with the same offsets. Returns 0 without blocks. */
double plg_snapshot_end (const PlgReport *report);

/* Returns the share of a backward block that recompute takes at the start of the block, 0..1.
 * The share comes from the busiest stage and applies to all backward blocks, except blocks for
 * weight gradients only. */
double plg_snapshot_recompute_share (const PlgReport *report);

/* plg_snapshot_new:
 * @time: seconds since the start of the step; clamped to 0 .. plg_snapshot_end()
 *
 * Returns: (transfer full) (nullable): the snapshot, or %NULL if @report has no blocks */
PlgSnapshot *plg_snapshot_new (const PlgPlan *plan,
                               const PlgReport *report,
                               double time) G_GNUC_WARN_UNUSED_RESULT;
void plg_snapshot_free (PlgSnapshot *snapshot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSnapshot, plg_snapshot_free)

/* plg_snapshot_stage_intervals:
 *
 * Lists the intervals in which stages synchronize or update weights, sorted by stage and time.
 *
 * Returns: (transfer full) (element-type PlgStageInterval): the intervals; empty if @report has
 *   no blocks */
GArray *plg_snapshot_stage_intervals (const PlgPlan *plan,
                                      const PlgReport *report) G_GNUC_WARN_UNUSED_RESULT;
/* Returns TRUE if two snapshots have the same activity, block and running collectives on every
 * stage, even if their times differ. */
gboolean plg_snapshot_equal (const PlgSnapshot *a, const PlgSnapshot *b);

/* Return the nearest time after or before TIME at which any activity starts or ends. If there is
 * no such time, return the end or the start of the step. */
double plg_snapshot_next (const PlgPlan *plan, const PlgReport *report, double time);
double plg_snapshot_previous (const PlgPlan *plan, const PlgReport *report, double time);

/* plg_snapshot_links:
 * @running: (out): one byte per link of the report
 *
 * Marks the links in use. A link between two GPUs is in use if a collective that crosses it runs
 * on both GPUs. Any other link is in use if a collective that crosses it runs on a GPU whose
 * traffic can use the link. */
void plg_snapshot_links (const PlgSnapshot *snapshot,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         guint8 *running);

/* Returns the untranslated name for use in files, for example "forward". */
const char *plg_activity_name (PlgActivity activity);
const char *plg_activity_title (PlgActivity activity); /* translated */
/* Returns the untranslated letter of ACTIVITY, for example "F". */
const char *plg_activity_letter (PlgActivity activity);

G_END_DECLS
