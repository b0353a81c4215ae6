/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"
#include "engine/schedule/snapshot.h"

G_BEGIN_DECLS

/* How an activity looks, in the timeline and on the GPUs alike: light forward, dark backward,
 * between the two what is computed again, hatched where it is a part of backward, grey idle. */

/* STAGE: of a stage, as plg_theme_swatch() makes it. */
PlgSwatch plg_activity_swatch (const PlgTheme *theme, const PlgSwatch *stage, PlgActivity activity);
/* As in PlgShape. */
int plg_activity_hatch (PlgActivity activity);
/* Of its lines over FILL: away from the ink on it, so that letters on them are no less legible. */
PlgColor plg_activity_hatch_color (const PlgTheme *theme, PlgColor fill);
/* What a block of the schedule is, in words. */
const char *plg_activity_block_title (PlgBlockKind kind);

/* "S waits for replicas": as a legend has it beside its colour. g_free() */
char *plg_activity_legend_name (PlgActivity activity);
/* Whether a step of REPORT has any of it. */
gboolean plg_activity_occurs (const PlgReport *report, PlgActivity activity);
/* What is on at MOMENT, bit 1 << activity, where it is more than the ordinary: 0 while the legend
 * is the same as at other moments, however little room it has. */
guint plg_activity_unusual_mask (const PlgSnapshot *moment);
/* The activities that a step of PLAN has, each with its letter; where there is little room those of
 * MOMENT (or NULL) before others. HAS_NUMBERS: the numbers of micro-batches are drawn. */
void plg_activity_add_legend (PlgLegend *legend,
                              const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgSnapshot *moment,
                              gboolean has_numbers);

/* "3.42 s of 10.2 s": g_free(). */
char *plg_snapshot_describe_time (double time, double end);
/* "2 stages forward, 1 backward, 1 idle · micro-batches 4–7 · TP all-reduce": g_free(). */
char *plg_snapshot_describe (const PlgReport *report, const PlgSnapshot *moment);

G_END_DECLS
