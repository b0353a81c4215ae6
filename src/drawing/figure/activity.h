/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"
#include "engine/schedule/snapshot.h"

G_BEGIN_DECLS

/* The look of activities, the same in the timeline and on GPUs: light for forward, dark for
 * backward, between them for recomputation, hatched for a part of backward, grey for idle. */

/* The swatch of ACTIVITY on a stage whose swatch plg_theme_swatch() made. */
PlgSwatch plg_activity_swatch (const PlgTheme *theme, const PlgSwatch *stage, PlgActivity activity);
/* A hatch number of PlgShape; 0 for no hatch. */
int plg_activity_hatch (PlgActivity activity);
/* The colour of hatch lines over FILL; it differs from the text colour, so that letters stay
 * legible. */
PlgColor plg_activity_hatch_color (const PlgTheme *theme, PlgColor fill);
/* The translated name of a kind of schedule block. */
const char *plg_activity_block_title (PlgBlockKind kind);

/* The name of ACTIVITY in a legend: "S waits for replicas". g_free() */
char *plg_activity_legend_name (PlgActivity activity) G_GNUC_WARN_UNUSED_RESULT;
/* Whether ACTIVITY takes any time in a step of REPORT. */
gboolean plg_activity_occurs (const PlgReport *report, PlgActivity activity);
/* The rare activities at MOMENT, as bits 1 << activity; 0 while the legend is the same as at other
 * moments, even at its shortest. */
guint plg_activity_unusual_mask (const PlgSnapshot *moment);
/* plg_activity_add_legend:
 * @moment: (nullable): the snapshot whose activities come first if the legend is short
 * @has_numbers: whether the picture shows the numbers of micro-batches
 *
 * Adds each activity in a step of @plan with its letter.
 */
void plg_activity_add_legend (PlgLegend *legend,
                              const PlgPlan *plan,
                              const PlgReport *report,
                              const PlgSnapshot *moment,
                              gboolean has_numbers);

/* "3.42 s of 10.2 s". TIME and END are in seconds. g_free() */
char *plg_snapshot_describe_time (double time, double end) G_GNUC_WARN_UNUSED_RESULT;
/* "2 stages forward, 1 backward, 1 idle · micro-batches 4–7 · TP all-reduce". g_free() */
char *plg_snapshot_describe (const PlgReport *report,
                             const PlgSnapshot *moment) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
