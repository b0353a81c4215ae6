/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* A set of layers, as bits 1 << PlgLayer. */
typedef guint PlgLayers;
#define PLG_LAYERS_ALL ((1u << PLG_N_LAYERS) - 1)
#define PLG_LAYERS_EXPORT (PLG_LAYERS_ALL & ~(1u << PLG_LAYER_HANDLES))

/* plg_paint:
 * @cr: the Cairo context
 * @figure: the figure
 * @theme: the colours
 * @layers: the layers to paint
 * @clip: (nullable): area in the units of the figure; %NULL for the whole figure
 *
 * Paints the shapes that intersect @clip. Uses the current transformation of @cr and paints no
 * background. */
void plg_paint (cairo_t *cr,
                const PlgFigure *figure,
                const PlgTheme *theme,
                PlgLayers layers,
                const PlgRect *clip);

/* Paint for the screen, faster than plg_paint(). The edges of rectangles are smoothed in steps
 * of a quarter pixel. SHAPES contains the indices of N visible shapes. */
void
plg_paint_on_screen (cairo_t *cr, const PlgFigure *figure, const PlgTheme *theme, PlgLayers layers);
void plg_paint_shapes (cairo_t *cr,
                       const PlgFigure *figure,
                       const PlgTheme *theme,
                       const int *shapes,
                       int n);

G_END_DECLS
