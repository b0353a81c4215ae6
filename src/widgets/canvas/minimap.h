/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All of a plan in a corner of the canvas, and what of it the canvas shows. Signal "position-requested" (x, y):
 * somebody wants the canvas to show that point of the figure. */
#define PLG_TYPE_MINIMAP (plg_minimap_get_type ())
G_DECLARE_FINAL_TYPE (PlgMinimap, plg_minimap, PLG, MINIMAP, GtkWidget)

GtkWidget *plg_minimap_new (void);

/* Pixels a point at which a figure of this size is shown. */
double plg_minimap_zoom (double figure_width, double figure_height);
/* What it takes with its figure, in pixels. */
void plg_minimap_get_size (PlgMinimap *self, int *width, int *height);

/* What is shown; kept as long as it stays. */
void plg_minimap_set_figure (PlgMinimap *self, PlgFigure *figure, const PlgTheme *theme);
/* What the canvas shows, in points. */
const PlgFigure *plg_minimap_figure (PlgMinimap *self); /* for tests */
/* Where what is lit is: N rectangles of the figure, copied. */
void plg_minimap_set_highlight (PlgMinimap *self, const PlgRect *rects, int n);
void plg_minimap_set_visible_rect (PlgMinimap *self, PlgRect seen);

G_END_DECLS
