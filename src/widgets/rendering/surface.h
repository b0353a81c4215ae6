/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Pixels that are painted once, shown as a render node for as long as that lives, and painted
 * again: in each frame of a drag some megabytes that are neither allocated nor copied.
 *
 * Slates are taken from a rack, which nodes on the screen may outlive: so it is counted. */
typedef struct _PlgSurfacePool PlgSurfacePool;
typedef struct _PlgSurface PlgSurface;

PlgSurfacePool *plg_surface_pool_new (void);
void plg_surface_pool_unref (PlgSurfacePool *pool);

/* A transparent slate of WIDTH × HEIGHT points, SCALE × SCALE pixels each. Any thread may ask. */
PlgSurface *plg_surface_pool_take (PlgSurfacePool *pool, int width, int height, int scale);

/* To paint on, until plg_surface_to_node(). It belongs to the slate. */
cairo_surface_t *plg_surface_cairo (PlgSurface *surface);

/* Takes over SLATE, which goes back to its rack with the node. */
GskRenderNode *plg_surface_to_node (PlgSurface *surface);

G_END_DECLS
