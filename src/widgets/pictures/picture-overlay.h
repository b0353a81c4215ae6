/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/charts/timeline.h"
#include "drawing/figure/theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The marks that are drawn over an unchanged picture in each frame. */

/* plg_picture_overlay_cursor:
 * @moment: the time of the cursor [s]
 * @scale: pixels per point
 *
 * Draws the cursor of a timeline if @moment is within @span. */
void plg_picture_overlay_cursor (GtkSnapshot *snapshot,
                                 const PlgTheme *theme,
                                 const PlgTimelineSpan *span,
                                 double moment,
                                 double scale);

/* Draws a dark and a light frame around @rect [pixels], so that at least one of them is visible
 * on any colour. */
void plg_picture_overlay_frame (GtkSnapshot *snapshot, const PlgTheme *theme, PlgRect rect);

/* Draws a handle on the edge between two rows at @y, across @width [pixels]. */
void
plg_picture_overlay_edge (GtkSnapshot *snapshot, const PlgTheme *theme, double width, double y);

G_END_DECLS
