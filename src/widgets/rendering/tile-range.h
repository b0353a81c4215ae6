/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* The side of a tile [pixels]. With smaller tiles, there would be too many tiles. A larger tile
 * would take too long to paint when it becomes visible. */
#define PLG_TILE_SIDE 256

/* The position of a tile, counted in tiles from the origin of the figure. */
typedef struct
{
  int column, row;
} PlgTilePlace;

guint plg_tile_place_hash (gconstpointer key);
gboolean plg_tile_place_equal (gconstpointer a, gconstpointer b);

/* A range of tiles that includes its first and last tiles. */
typedef struct
{
  int first_column, last_column, first_row, last_row;
} PlgTileRange;

/* Returns the tiles that intersect a rectangle [pixels]. */
PlgTileRange plg_tile_range_of (double left, double top, double right, double bottom);

/* Returns the tiles that intersect @rect [points] at @zoom [pixels per point]. The rectangle is
 * extended by one pixel on each side for antialiasing. */
PlgTileRange plg_tile_range_of_rect (PlgRect rect, double zoom);

/* Returns an empty range, which plg_tile_range_widen() can then extend. */
PlgTileRange plg_tile_range_empty (void);
void plg_tile_range_widen (PlgTileRange *range, const PlgTilePlace *place);

/* Returns the intersection of @a and @b, which may be empty. */
PlgTileRange plg_tile_range_common (PlgTileRange a, PlgTileRange b);

gboolean plg_tile_range_has (const PlgTileRange *range, const PlgTilePlace *place);

G_END_DECLS
