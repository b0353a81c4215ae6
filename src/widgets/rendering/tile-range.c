/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/tile-range.h"

#include <math.h>

guint
plg_tile_place_hash (gconstpointer key)
{
  const PlgTilePlace *place = key;

  return (guint) place->column * 31337u + (guint) place->row;
}

gboolean
plg_tile_place_equal (gconstpointer a, gconstpointer b)
{
  const PlgTilePlace *one = a, *other = b;

  return one->column == other->column && one->row == other->row;
}

PlgTileRange
plg_tile_range_of (double left, double top, double right, double bottom)
{
  return (PlgTileRange) { (int) floor (left / PLG_TILE_SIDE), (int) floor (right / PLG_TILE_SIDE),
                          (int) floor (top / PLG_TILE_SIDE), (int) floor (bottom / PLG_TILE_SIDE) };
}

PlgTileRange
plg_tile_range_of_rect (PlgRect rect, double zoom)
{
  return plg_tile_range_of (rect.x * zoom - 1, rect.y * zoom - 1, (rect.x + rect.width) * zoom + 1,
                            (rect.y + rect.height) * zoom + 1);
}

PlgTileRange
plg_tile_range_common (PlgTileRange a, PlgTileRange b)
{
  return (PlgTileRange) { MAX (a.first_column, b.first_column), MIN (a.last_column, b.last_column),
                          MAX (a.first_row, b.first_row), MIN (a.last_row, b.last_row) };
}

gboolean
plg_tile_range_has (const PlgTileRange *range, const PlgTilePlace *place)
{
  return place->column >= range->first_column && place->column <= range->last_column &&
         place->row >= range->first_row && place->row <= range->last_row;
}

PlgTileRange
plg_tile_range_empty (void)
{
  return (PlgTileRange) { G_MAXINT, G_MININT, G_MAXINT, G_MININT };
}

void
plg_tile_range_widen (PlgTileRange *range, const PlgTilePlace *place)
{
  range->first_column = MIN (range->first_column, place->column);
  range->last_column = MAX (range->last_column, place->column);
  range->first_row = MIN (range->first_row, place->row);
  range->last_row = MAX (range->last_row, place->row);
}
