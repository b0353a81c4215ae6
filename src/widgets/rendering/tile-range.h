/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* In pixels. Small ones are many, large ones take long when one comes into sight. */
#define PLG_TILE_SIDE 256

/* Where a tile is, counted from the figure's origin. */
typedef struct
{
  int column, row;
} PlgTilePlace;

guint plg_tile_place_hash (gconstpointer key);
gboolean plg_tile_place_equal (gconstpointer a, gconstpointer b);

/* The tiles that a stretch of pixels meets, both ends included. */
typedef struct
{
  int first_column, last_column, first_row, last_row;
} PlgTileRange;

PlgTileRange plg_tile_range_of (double left, double top, double right, double bottom);

/* RECT is in points, ZOOM in pixels a point. A pixel more on each side, for what is antialiased. */
PlgTileRange plg_tile_range_of_rect (PlgRect rect, double zoom);

/* Of no tile, until it is widened. */
PlgTileRange plg_tile_range_empty (void);
void plg_tile_range_widen (PlgTileRange *range, const PlgTilePlace *place);

/* What is in both, which may be no tile. */
PlgTileRange plg_tile_range_common (PlgTileRange a, PlgTileRange b);

gboolean plg_tile_range_has (const PlgTileRange *range, const PlgTilePlace *place);

G_END_DECLS
