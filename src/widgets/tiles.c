/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tiles.h"

#include "drawing/figure-damage.h"
#include "drawing/outline.h"

#include <math.h>

/* In pixels. Small ones are many, large ones take long when one comes into sight. */
#define SIDE 256

/* So many tiles out of sight are kept on each side. */
#define KEPT 2

/* Where a tile is, counted from the figure's origin. */
typedef struct
{
  int column, row;
} Place;

typedef struct
{
  Place place;         /* also the key */
  GskRenderNode *node; /* NULL where the figure is empty */
} Tile;

struct _PlgTiles
{
  PlgFigure *figure;
  PlgTheme theme;
  double zoom;
  int scale;
  GHashTable *tiles; /* Place to Tile */
};

static guint
place_hash (gconstpointer key)
{
  const Place *place = key;

  return (guint) place->column * 31337u + (guint) place->row;
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  const Place *one = a, *other = b;

  return one->column == other->column && one->row == other->row;
}

static void
tile_free (gpointer data)
{
  Tile *tile = data;

  g_clear_pointer (&tile->node, gsk_render_node_unref);
  g_free (tile);
}

PlgTiles *
plg_tiles_new (void)
{
  PlgTiles *tiles = g_new0 (PlgTiles, 1);

  tiles->tiles = g_hash_table_new_full (place_hash, place_equal, NULL, tile_free);
  return tiles;
}

void
plg_tiles_free (PlgTiles *tiles)
{
  g_hash_table_unref (tiles->tiles);
  g_clear_pointer (&tiles->figure, plg_figure_unref);
  g_free (tiles);
}

/* The tiles that a stretch of pixels meets. */
typedef struct
{
  int first_column, last_column, first_row, last_row;
} Range;

static Range
range_of (double left, double top, double right, double bottom)
{
  return (Range) { (int) floor (left / SIDE), (int) floor (right / SIDE), (int) floor (top / SIDE),
                   (int) floor (bottom / SIDE) };
}

/* RECT is in points. A pixel more on each side, for what is antialiased. */
static Range
range_of_rect (PlgRect rect, double zoom)
{
  return range_of (rect.x * zoom - 1, rect.y * zoom - 1, (rect.x + rect.width) * zoom + 1,
                   (rect.y + rect.height) * zoom + 1);
}

static Range
common (Range a, Range b)
{
  return (Range) { MAX (a.first_column, b.first_column), MIN (a.last_column, b.last_column),
                   MAX (a.first_row, b.first_row), MIN (a.last_row, b.last_row) };
}

static gboolean
is_in_range (const Range *range, const Place *place)
{
  return place->column >= range->first_column && place->column <= range->last_column &&
         place->row >= range->first_row && place->row <= range->last_row;
}

static void
drop_damaged (PlgTiles *tiles, PlgRect rect)
{
  Range range = range_of_rect (rect, tiles->zoom);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, tiles->tiles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (is_in_range (&range, key))
      g_hash_table_iter_remove (&iter);
}

void
plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
{
  g_autoptr (GArray) damage = NULL;

  if (figure == tiles->figure)
    return;
  if (tiles->figure != NULL && tiles->theme.line_width == theme->line_width)
    damage = plg_figure_damage (tiles->figure, figure);
  else
    g_hash_table_remove_all (tiles->tiles);
  for (guint i = 0; damage != NULL && i < damage->len && g_hash_table_size (tiles->tiles) > 0; i++)
    drop_damaged (tiles, g_array_index (damage, PlgRect, i));
  g_clear_pointer (&tiles->figure, plg_figure_unref);
  tiles->figure = plg_figure_ref (figure);
  tiles->theme = *theme;
}

/* Which shapes meet which tile of a range: an array of int each, row by row. */
typedef struct
{
  Range range;
  GPtrArray *shapes;
} Sorted;

static GArray *
shapes_at (const Sorted *sorted, int column, int row)
{
  int columns = sorted->range.last_column - sorted->range.first_column + 1;

  return g_ptr_array_index (sorted->shapes, (row - sorted->range.first_row) * columns + column -
                                                sorted->range.first_column);
}

/* Each shape is looked at once, however many tiles there are. */
static Sorted
sort_shapes (const PlgTiles *tiles, Range range)
{
  Sorted sorted = { range, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };
  int n = plg_figure_n_shapes (tiles->figure);

  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      g_ptr_array_add (sorted.shapes, g_array_new (FALSE, FALSE, sizeof (int)));
  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (tiles->figure, i);
      Range met;

      if (!plg_outline_is_visible (shape))
        continue;
      met = common (range, range_of_rect (plg_outline_extents (shape), tiles->zoom));
      for (int row = met.first_row; row <= met.last_row; row++)
        for (int column = met.first_column; column <= met.last_column; column++)
          g_array_append_val (shapes_at (&sorted, column, row), i);
    }
  return sorted;
}

/* A texture would be converted pixel by pixel, through floats, whenever the software renderer shows
 * it; the surface is copied as it is, and the other renderers upload it once. */
static GskRenderNode *
node_of (cairo_surface_t *surface)
{
  GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, SIDE, SIDE));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  return node;
}

static Tile *
paint_tile (const PlgTiles *tiles, Place place, const GArray *shapes)
{
  Tile *tile = g_new0 (Tile, 1);
  cairo_surface_t *surface;
  cairo_t *cr;

  tile->place = place;
  if (shapes->len == 0)
    return tile;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIDE * tiles->scale,
                                        SIDE * tiles->scale);
  cairo_surface_set_device_scale (surface, tiles->scale, tiles->scale);
  cr = cairo_create (surface);
  cairo_translate (cr, -(double) place.column * SIDE, -(double) place.row * SIDE);
  cairo_scale (cr, tiles->zoom, tiles->zoom);
  plg_paint_shapes (cr, tiles->figure, &tiles->theme, &g_array_index (shapes, int, 0), shapes->len);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  tile->node = node_of (surface);
  cairo_surface_destroy (surface);
  return tile;
}

/* What is far out of sight would only take memory. */
static void
forget_far (PlgTiles *tiles, Range range)
{
  GHashTableIter iter;
  gpointer key;

  range.first_column -= KEPT;
  range.first_row -= KEPT;
  range.last_column += KEPT;
  range.last_row += KEPT;
  g_hash_table_iter_init (&iter, tiles->tiles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!is_in_range (&range, key))
      g_hash_table_iter_remove (&iter);
}

static void
show_tile (const PlgTiles *tiles, GtkSnapshot *snapshot, Place place, double x, double y)
{
  const Tile *tile = g_hash_table_lookup (tiles->tiles, &place);

  if (tile->node == NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_node (snapshot, tile->node);
  gtk_snapshot_restore (snapshot);
}

/* Returns how many. */
static int
paint_missing (PlgTiles *tiles, Range range)
{
  Sorted sorted = { range, NULL };
  int painted = 0;

  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      {
        Place place = { column, row };
        Tile *tile;

        if (g_hash_table_contains (tiles->tiles, &place))
          continue;
        if (sorted.shapes == NULL)
          sorted = sort_shapes (tiles, range);
        tile = paint_tile (tiles, place, shapes_at (&sorted, column, row));
        g_hash_table_insert (tiles->tiles, &tile->place, tile);
        painted++;
      }
  g_clear_pointer (&sorted.shapes, g_ptr_array_unref);
  return painted;
}

int
plg_tiles_snapshot (PlgTiles *tiles,
                    GtkSnapshot *snapshot,
                    double zoom,
                    int scale,
                    PlgPoint origin,
                    int width,
                    int height)
{
  /* On whole pixels, so that tiles are copied and not blended. */
  double x = round (origin.x * scale) / scale, y = round (origin.y * scale) / scale;
  Range range = range_of (-x, -y, width - x - 1, height - y - 1);
  int painted;

  g_return_val_if_fail (tiles->figure != NULL, 0);

  if (zoom != tiles->zoom || scale != tiles->scale)
    g_hash_table_remove_all (tiles->tiles);
  tiles->zoom = zoom;
  tiles->scale = scale;
  forget_far (tiles, range);
  painted = paint_missing (tiles, range);
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      show_tile (tiles, snapshot, (Place) { column, row }, x + (double) column * SIDE,
                 y + (double) row * SIDE);
  return painted;
}
