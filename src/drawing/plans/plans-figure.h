/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* The number of pairs of embedded pictures that show entities: clusters, timelines and memory.
 * The embedded picture N of the figure belongs to plan A if N is even, and to plan B if N is odd. */
#define PLG_PLANS_FIGURE_PAIRS 3

/* Draws the plan and OPTIONS->compared, which must not be NULL, side by side. */
PlgFigure *plg_plans_figure (const PlgPlan *plan,
                             const PlgReport *report,
                             const PlgTheme *theme,
                             const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
