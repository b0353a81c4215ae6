/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* The side of a tile [pixels]. Small tiles are many, and a large tile takes long to paint when it
 * comes into sight. */
#define PLG_TILE_SIDE 256

/* The place of a tile, counted from the origin of the figure. */
typedef struct
{
  int column, row;
} PlgTilePlace;

guint plg_tile_place_hash (gconstpointer key);
gboolean plg_tile_place_equal (gconstpointer a, gconstpointer b);

/* A range of tiles, both ends included. */
typedef struct
{
  int first_column, last_column, first_row, last_row;
} PlgTileRange;

/* The tiles that meet a rectangle [pixels]. */
PlgTileRange plg_tile_range_of (double left, double top, double right, double bottom);

/* The tiles that meet @rect [points] at @zoom [pixels per point], with one pixel on each side for
 * antialiasing. */
PlgTileRange plg_tile_range_of_rect (PlgRect rect, double zoom);

/* An empty range, for plg_tile_range_widen(). */
PlgTileRange plg_tile_range_empty (void);
void plg_tile_range_widen (PlgTileRange *range, const PlgTilePlace *place);

/* The intersection, which may be empty. */
PlgTileRange plg_tile_range_common (PlgTileRange a, PlgTileRange b);

gboolean plg_tile_range_has (const PlgTileRange *range, const PlgTilePlace *place);

G_END_DECLS
