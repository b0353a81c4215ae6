/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* A set of layers: 1 << PlgLayer. */
typedef guint PlgLayers;
#define PLG_LAYERS_ALL ((1u << PLG_N_LAYERS) - 1)
#define PLG_LAYERS_EXPORT (PLG_LAYERS_ALL & ~(1u << PLG_LAYER_HANDLES))

/* Paints the shapes of LAYERS that meet CLIP (NULL: all; in the figure's units) at the current
 * transformation. The background is the caller's: a figure may be painted layer by layer. */
void plg_paint (cairo_t *cr,
                const PlgFigure *figure,
                const PlgTheme *theme,
                PlgLayers layers,
                const PlgRect *clip);

/* For a screen, where time is short: edges of rectangles are smoothed in quarters of a pixel.
 * All of the layers, or the N shapes with these numbers, which can be seen. */
void
plg_paint_on_screen (cairo_t *cr, const PlgFigure *figure, const PlgTheme *theme, PlgLayers layers);
void plg_paint_shapes (cairo_t *cr,
                       const PlgFigure *figure,
                       const PlgTheme *theme,
                       const int *shapes,
                       int n);

G_END_DECLS
