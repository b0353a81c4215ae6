/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/theme.h"
#include "drawing/charts/timeline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is drawn over a picture for each frame, while the picture stays. */

/* The cursor of a timeline, SCALE pixels to a point; nothing where MOMENT is not in SPAN. */
void plg_picture_overlay_cursor (GtkSnapshot *snapshot,
                                 const PlgTheme *theme,
                                 const PlgTimelineSpan *span,
                                 double moment,
                                 double scale);

/* Around RECT, in pixels; dark and light, so that it is seen on any colour. */
void plg_picture_overlay_frame (GtkSnapshot *snapshot, const PlgTheme *theme, PlgRect rect);

G_END_DECLS
