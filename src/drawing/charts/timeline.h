/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"
#include "drawing/charts/stage-name.h"

G_BEGIN_DECLS

/* The state of a timeline while it is drawn; private to timeline-*.c. */

/* Neighbouring blocks of a stage that are too narrow to be drawn one by one. */
typedef struct
{
  double from, to; /* x of the start and the end; the run is empty if FROM > TO */
  double backward; /* total length of the backward blocks in the run [points] */
} PlgTimelineRun;

typedef struct
{
  PlgChart chart;
  const PlgPlan *plan;
  const PlgReport *report;
  PlgStageNameForm name_form;
  int stages;
  int chunks;
  double step_time;
  double pipeline_end; /* end of the last block; if there are no blocks, the estimated end [s] */
  double from, to;     /* part of the step that is shown [s] */
  double pitch;
  double top;
  double recompute_share; /* share of each backward block that is recomputation, which is drawn
                             at the start of the block */
  guint rests;            /* activities that are drawn outside blocks, such as the optimizer, as
                             bits 1 << PlgActivity */
  guint letters;          /* activities that have only a letter where their title does not fit,
                             as bits 1 << PlgActivity; the legend explains these letters */
  gboolean is_without_ids;
  gboolean is_named; /* whether each block has an id and a title */
  gboolean has_weight_blocks;
  gboolean has_tail;
  gboolean is_summary;  /* whether the timeline has no blocks and shows only the busy share of
                           each stage */
  gboolean has_numbers; /* whether at least one block shows the number of its micro-batch */
  gboolean is_too_long; /* whether the schedule has too many blocks to draw */
  PlgTimelineRun *runs; /* the current run of each stage */
  PlgSwatch *swatches;
} PlgTimeline;

/* Chooses the visible part of the step and the height of the rows, and adds the title of the
 * chart. Defined in timeline-span.c. */
void plg_timeline_begin (PlgTimeline *timeline,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgTheme *theme,
                         const PlgPictureOptions *options);
const PlgBlock *plg_timeline_block (const PlgReport *report, guint i);
/* Returns FALSE if BLOCK has a stage that does not exist or times that are not valid. */
gboolean plg_timeline_is_valid_block (const PlgTimeline *timeline, const PlgBlock *block);
gboolean plg_timeline_is_forward (const PlgBlock *block);
/* Returns whether the step and its time are hidden until the learner has made a prediction. */
gboolean plg_timeline_is_hidden (const PlgReport *report);
/* Returns: (nullable): the message that is shown while the step is hidden, or NULL if it is not
 *   hidden. */
const char *plg_timeline_redaction_text (const PlgReport *report);
/* Returns the message that explains why bars replace the blocks: there are too many blocks to
 * draw. */
const char *plg_timeline_summary_text (void);

G_END_DECLS
