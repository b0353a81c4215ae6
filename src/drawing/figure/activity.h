/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"
#include "engine/schedule/snapshot.h"

G_BEGIN_DECLS

/* The colours and hatches of activities, which are the same in the timeline and on GPUs: light
 * for forward, dark for backward, hatched dark for weight gradients, a hatched colour between
 * light and dark for recomputation, grey for idle. */

/* Returns the swatch of ACTIVITY on a stage. STAGE is the swatch of the stage from
 * plg_theme_swatch(). */
PlgSwatch plg_activity_swatch (const PlgTheme *theme, const PlgSwatch *stage, PlgActivity activity);
/* Returns the hatch of ACTIVITY, a value of PlgShape.hatch, or 0 for no hatch. */
int plg_activity_hatch (PlgActivity activity);
/* Returns the colour of hatch lines over FILL. This colour differs from the text colour, so that
 * text on the hatch stays legible. */
PlgColor plg_activity_hatch_color (const PlgTheme *theme, PlgColor fill);
/* Returns the translated name of a kind of schedule block. */
const char *plg_activity_block_title (PlgBlockKind kind);

/* Returns the name of ACTIVITY in a legend, for example "S waits for replicas". Free with
 * g_free(). */
char *plg_activity_legend_name (PlgActivity activity) G_GNUC_WARN_UNUSED_RESULT;
/* Returns whether ACTIVITY takes any time in a step of REPORT. */
gboolean plg_activity_occurs (const PlgReport *report, PlgActivity activity);
/* Returns the activities that run at MOMENT, as bits 1 << PlgActivity, if gradient
 * synchronization or the optimizer is one of them. Otherwise returns 0. If the result is not 0,
 * a short legend lists only these activities. */
guint plg_activity_unusual_mask (const PlgSnapshot *moment);
/* plg_activity_add_legend:
 * @moment: (nullable): the snapshot; if a rare activity runs in it, a short legend lists only
 *   the activities in the snapshot
 * @has_numbers: whether the picture shows the numbers of micro-batches
 *
 * Adds an entry with a letter for each activity that occurs in a step of @plan. */
void plg_activity_add_legend (PlgLegend *legend,
                              const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgSnapshot *moment,
                              gboolean has_numbers);

/* Returns the time as text, for example "3.42 s of 10.2 s". TIME and END are in seconds. Free
 * with g_free(). */
char *plg_snapshot_describe_time (double time, double end) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a summary of the moment, for example "2 stages forward, 1 backward, 1 idle ·
 * micro-batches 4–7 · TP all-reduce". Free with g_free(). */
char *plg_snapshot_describe (const PlgReport *report,
                             const PlgSnapshot *moment) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
