/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* What the cluster does at one second of the step: read off the report's blocks, collectives and
 * parts, so that it cannot say anything else than they do.
 *
 * Known are when blocks start and end, and how long what follows them takes. Not known, and so
 * spread out, is what happens inside: collectives of a block are said to run all through it, what
 * is computed again stands at the start of a backward block, though it belongs to each layer, and
 * DualPipe's pairs, which run together, follow each other as they do in the timeline. Reducing
 * gradients behind the backward pass is put as late as it can be on each stage. A message takes as
 * long as the slowest one. All GPUs of a stage do the same. */

typedef enum
{
  PLG_ACTIVITY_IDLE,
  PLG_ACTIVITY_FORWARD,
  PLG_ACTIVITY_RECOMPUTE,
  PLG_ACTIVITY_BACKWARD, /* of inputs alone where weight gradients have blocks of their own */
  PLG_ACTIVITY_WEIGHT,
  PLG_ACTIVITY_SYNC,      /* waits for gradients or weights from other replicas */
  PLG_ACTIVITY_OPTIMIZER, /* updates its weights */
} PlgActivity;
#define PLG_N_ACTIVITIES 7

typedef struct
{
  PlgActivity activity;
  int block;     /* in report->blocks, or -1 */
  guint running; /* bit 1 << i: collective i of the report */
} PlgStageSnapshot;

typedef struct
{
  double time; /* from the start of the step, 0 .. end */
  double end;  /* plg_snapshot_end() */
  int n_stages;
  PlgStageSnapshot stages[];
} PlgSnapshot;

/* What a stage does when it has no block and does not idle either. */
typedef struct
{
  int stage;
  PlgActivity activity; /* PLG_ACTIVITY_SYNC or PLG_ACTIVITY_OPTIMIZER */
  double start, end;    /* seconds from the start of the step */
} PlgStageInterval;

/* How long a step can be played, in seconds: the step, or until the last block ends where that is
 * later (zb-v: stages start the next step in the same slant as this one). 0 where the report has no
 * blocks. */
double plg_snapshot_end (const PlgReport *report);

/* The share 0..1 of a backward block, from its start, in which is computed again what the forward
 * pass did not keep. The parts of a step follow its busiest stage; it is the same share of all
 * blocks, and none of those that are for weight gradients alone. */
double plg_snapshot_recompute_share (const PlgReport *report);

/* TIME is clamped to the step. NULL where the report has no blocks. */
PlgSnapshot *plg_snapshot_new (const PlgPlan *plan, const PlgReport *report, double time);
void plg_snapshot_free (PlgSnapshot *snapshot);
/* All that a PlgSnapshot says of stages without a block, from when to when, by stage and time. Array
 * of PlgStageInterval, empty where the report has no blocks. */
GArray *plg_snapshot_stage_intervals (const PlgPlan *plan, const PlgReport *report);
/* Whether the same GPUs do the same and the same collectives run, at whatever time. */
gboolean plg_snapshot_equal (const PlgSnapshot *a, const PlgSnapshot *b);

/* The nearest time after TIME, or before it, at which something starts or ends; the end or the
 * start of the step where there is no more. */
double plg_snapshot_next (const PlgPlan *plan, const PlgReport *report, double time);
double plg_snapshot_previous (const PlgPlan *plan, const PlgReport *report, double time);

/* For each link of the report whether a collective that crosses it runs on a GPU that uses it, on
 * both GPUs where it joins two. RUNNING: one byte a link. */
void plg_snapshot_links (const PlgSnapshot *snapshot,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         guint8 *running);

const char *plg_activity_name (PlgActivity activity);   /* "forward": in files */
const char *plg_activity_title (PlgActivity activity);  /* translated */
const char *plg_activity_letter (PlgActivity activity); /* "F", the same in every language */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgSnapshot, plg_snapshot_free)

G_END_DECLS
