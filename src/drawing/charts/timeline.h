/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/chart.h"

G_BEGIN_DECLS

/* A timeline while it is made; only the files timeline-*.c use this. */

/* Blocks of a stage that are too narrow to be drawn one by one. */
typedef struct
{
  double from, to; /* x; FROM > TO: none */
  double backward; /* how much of the length is backward */
} PlgTimelineRun;

typedef struct
{
  PlgChart chart;
  const PlgReport *report;
  int stages;
  int chunks;
  double step_time;
  double pipeline_end; /* when the last block ends, or would end */
  double from, to;     /* seconds shown */
  double pitch;
  double top;
  double recompute_share; /* of backward blocks, from their start */
  guint rests;            /* bit 1 << PlgActivity: those drawn without a block */
  guint letters;          /* the same of those that only have a letter somewhere */
  gboolean is_without_ids;
  gboolean is_named; /* each block */
  gboolean has_weight_blocks;
  gboolean has_tail;
  gboolean is_summary;  /* no blocks: how much of the time each stage works */
  gboolean has_numbers; /* in some blocks */
  gboolean is_too_long; /* there would be too many of them */
  PlgTimelineRun *runs; /* of each stage */
  PlgSwatch *swatches;
} PlgTimeline;

/* timeline-span.c: what is shown and how large; the chart has its title then. */
void plg_timeline_begin (PlgTimeline *timeline,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgTheme *theme,
                         const PlgPictureOptions *options);
const PlgBlock *plg_timeline_block (const PlgReport *report, guint i);
/* FALSE for a block that is no piece of time of one of the stages. */
gboolean plg_timeline_is_valid_block (const PlgTimeline *timeline, const PlgBlock *block);
gboolean plg_timeline_is_forward (const PlgBlock *block);
/* While a prediction is open there is neither a step nor a time. */
gboolean plg_timeline_is_hidden (const PlgReport *report);
/* What stands in for them. */
const char *plg_timeline_redaction_text (const PlgReport *report);
/* What stands in for blocks that are too many. */
const char *plg_timeline_summary_text (void);

G_END_DECLS
