/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A surface is painted once, shown as a render node, and reused after the node has been freed.
 * Therefore a frame of a drag neither allocates nor copies megabytes of pixels.
 *
 * The surfaces come from a pool. The pool is reference-counted, because nodes on screen may
 * outlive the owner of the pool. */
typedef struct _PlgSurfacePool PlgSurfacePool;
typedef struct _PlgSurface PlgSurface;

PlgSurfacePool *plg_surface_pool_new (void) G_GNUC_WARN_UNUSED_RESULT;
void plg_surface_pool_unref (PlgSurfacePool *pool);

/* plg_surface_pool_take:
 * @width: width [points]
 * @height: height [points]
 * @scale: pixels per point in each direction
 *
 * Takes a transparent surface from the pool. May be called from any thread.
 *
 * Returns: (transfer full): the surface, which plg_surface_to_node() returns to the pool */
PlgSurface *plg_surface_pool_take (PlgSurfacePool *pool, int width, int height, int scale)
    G_GNUC_WARN_UNUSED_RESULT;

/* Returns the Cairo surface to paint on before plg_surface_to_node() is called (transfer none). */
cairo_surface_t *plg_surface_cairo (PlgSurface *surface);

/* plg_surface_to_node:
 * @surface: (transfer full): a painted surface
 *
 * Creates a render node that shows @surface. The surface returns to its pool when the node is
 * freed.
 *
 * Returns: (transfer full): a render node */
GskRenderNode *plg_surface_to_node (PlgSurface *surface) G_GNUC_WARN_UNUSED_RESULT;

/* plg_surface_pool_draw_figure:
 * @widget: the widget that shows @figure
 * @text_scale: the scale of the text in @widget; @figure was made for the size of @widget divided
 *   by it
 * @width: width of @widget [points]
 * @height: height of @widget [points]
 *
 * Paints @figure on a surface of @pool.
 *
 * Returns: (transfer full): a render node */
GskRenderNode *plg_surface_pool_draw_figure (PlgSurfacePool *pool,
                                             GtkWidget *widget,
                                             const PlgFigure *figure,
                                             const PlgTheme *theme,
                                             double text_scale,
                                             int width,
                                             int height) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
