/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"

G_BEGIN_DECLS

/* The state of a timeline while it is drawn; private to timeline-*.c. */

/* Neighbouring blocks of a stage that are too narrow to be drawn one by one. */
typedef struct
{
  double from, to; /* x of the start and the end; the run is empty if FROM > TO */
  double backward; /* share of the run's length that is backward, in [0, 1] */
} PlgTimelineRun;

typedef struct
{
  PlgChart chart;
  const PlgReport *report;
  int stages;
  int chunks;
  double step_time;
  double pipeline_end; /* end of the last block; if there are no blocks, the estimated end [s] */
  double from, to;     /* part of the step that is shown [s] */
  double pitch;
  double top;
  double recompute_share; /* share of each backward block that recomputation takes up; the
                             recomputation is at the start of the block */
  guint rests;            /* activities that are drawn although no block represents them, as a
                             set of 1 << PlgActivity */
  guint letters;          /* activities that are marked with only their letter in at least one
                             place, as a set of 1 << PlgActivity */
  gboolean is_without_ids;
  gboolean is_named; /* whether each block has an id and a title */
  gboolean has_weight_blocks;
  gboolean has_tail;
  gboolean is_summary;  /* whether the timeline has no blocks and shows only the busy share of
                           each stage */
  gboolean has_numbers; /* whether some blocks have a number */
  gboolean is_too_long; /* whether there are too many blocks to draw */
  PlgTimelineRun *runs; /* one run per stage */
  PlgSwatch *swatches;
} PlgTimeline;

/* Chooses the part of the step and the sizes, and adds the title of the chart. Defined in
 * timeline-span.c. */
void plg_timeline_begin (PlgTimeline *timeline,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgTheme *theme,
                         const PlgPictureOptions *options);
const PlgBlock *plg_timeline_block (const PlgReport *report, guint i);
/* Returns FALSE if the stage of BLOCK does not exist or its time is not valid. */
gboolean plg_timeline_is_valid_block (const PlgTimeline *timeline, const PlgBlock *block);
gboolean plg_timeline_is_forward (const PlgBlock *block);
/* Returns whether the step and its time are hidden until the learner has made a prediction. */
gboolean plg_timeline_is_hidden (const PlgReport *report);
/* Returns the text that replaces a hidden step. */
const char *plg_timeline_redaction_text (const PlgReport *report);
/* Returns the text that replaces the blocks if there are too many. */
const char *plg_timeline_summary_text (void);

G_END_DECLS
