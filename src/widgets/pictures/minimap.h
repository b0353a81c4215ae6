/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small figure of the whole plan, with a frame around the part that the canvas shows.
 *
 * Signal: "position-requested" (x, y): the canvas should show this point of the figure. */
#define PLG_TYPE_MINIMAP (plg_minimap_get_type ())
G_DECLARE_FINAL_TYPE (PlgMinimap, plg_minimap, PLG, MINIMAP, GtkWidget)

GtkWidget *plg_minimap_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the zoom [pixels per point] at which the minimap shows a figure of @figure_width ×
 * @figure_height points. */
double plg_minimap_zoom (double figure_width, double figure_height);
/* Returns the size of the minimap, including the padding around its figure [pixels]. */
void plg_minimap_get_size (PlgMinimap *self, int *width, int *height);

/* Sets the figure. The minimap keeps a reference. */
void plg_minimap_set_figure (PlgMinimap *self, PlgFigure *figure, const PlgTheme *theme);
/* Returns the figure, for tests. */
const PlgFigure *plg_minimap_figure (PlgMinimap *self);
/* Marks @n rectangles in the figure [points]. */
void plg_minimap_set_highlight (PlgMinimap *self, const PlgRect *rects, int n);
/* Sets the part of the figure that the canvas shows [points]. */
void plg_minimap_set_visible_rect (PlgMinimap *self, PlgRect visible_rect);

G_END_DECLS
