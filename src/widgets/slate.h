/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Pixels that are painted once, shown as a render node for as long as that lives, and painted
 * again: in each frame of a drag some megabytes that are neither allocated nor copied.
 *
 * Slates are taken from a rack, which nodes on the screen may outlive: so it is counted. */
typedef struct _PlgSlateRack PlgSlateRack;
typedef struct _PlgSlate PlgSlate;

PlgSlateRack *plg_slate_rack_new (void);
void plg_slate_rack_unref (PlgSlateRack *rack);

/* A transparent slate of WIDTH × HEIGHT points, SCALE × SCALE pixels each. Any thread may ask. */
PlgSlate *plg_slate_take (PlgSlateRack *rack, int width, int height, int scale);

/* To paint on, until plg_slate_show(). It belongs to the slate. */
cairo_surface_t *plg_slate_surface (PlgSlate *slate);

/* Takes over SLATE, which goes back to its rack with the node. */
GskRenderNode *plg_slate_show (PlgSlate *slate);

G_END_DECLS
