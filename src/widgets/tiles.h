/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A figure, painted in square tiles that are kept. To move it costs nothing but the tiles that come
 * into sight, and another figure only those where it differs. */
typedef struct _PlgTiles PlgTiles;

PlgTiles *plg_tiles_new (void);
void plg_tiles_free (PlgTiles *tiles);

/* What is to be seen from now on. */
void plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme);

/* Shows it at ZOOM (pixels a point) and SCALE (pixels of the screen a pixel), its origin at ORIGIN,
 * in WIDTH x HEIGHT pixels. Returns how many tiles were painted. */
int plg_tiles_snapshot (PlgTiles *tiles,
                        GtkSnapshot *snapshot,
                        double zoom,
                        int scale,
                        PlgPoint origin,
                        int width,
                        int height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTiles, plg_tiles_free)

G_END_DECLS
