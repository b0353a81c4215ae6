/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tiles.h"

#include "drawing/figure-damage.h"

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

static gboolean
is_in_range (const Range *range, const Place *place)
{
  return place->column >= range->first_column && place->column <= range->last_column &&
         place->row >= range->first_row && place->row <= range->last_row;
}

/* A pixel more on each side, for what is antialiased. */
static void
drop_damaged (PlgTiles *tiles, PlgRect rect)
{
  double zoom = tiles->zoom;
  Range range = range_of (rect.x * zoom - 1, rect.y * zoom - 1, (rect.x + rect.width) * zoom + 1,
                          (rect.y + rect.height) * zoom + 1);
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
paint_tile (const PlgTiles *tiles, Place place)
{
  Tile *tile = g_new0 (Tile, 1);
  double left = (double) place.column * SIDE, top = (double) place.row * SIDE, zoom = tiles->zoom;
  PlgRect clip = { left / zoom, top / zoom, SIDE / zoom, SIDE / zoom };
  cairo_surface_t *surface;
  cairo_t *cr;

  tile->place = place;
  if (plg_paint_is_empty (tiles->figure, PLG_LAYERS_ALL, &clip))
    return tile;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIDE * tiles->scale,
                                        SIDE * tiles->scale);
  cairo_surface_set_device_scale (surface, tiles->scale, tiles->scale);
  cr = cairo_create (surface);
  cairo_translate (cr, -left, -top);
  cairo_scale (cr, zoom, zoom);
  plg_paint (cr, tiles->figure, &tiles->theme, PLG_LAYERS_ALL, &clip);
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

static gboolean
show_tile (PlgTiles *tiles, GtkSnapshot *snapshot, Place place, double x, double y)
{
  Tile *tile = g_hash_table_lookup (tiles->tiles, &place);
  gboolean is_new = tile == NULL;

  if (is_new)
    {
      tile = paint_tile (tiles, place);
      g_hash_table_insert (tiles->tiles, &tile->place, tile);
    }
  if (tile->node == NULL)
    return is_new;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_node (snapshot, tile->node);
  gtk_snapshot_restore (snapshot);
  return is_new;
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
  int painted = 0;

  g_return_val_if_fail (tiles->figure != NULL, 0);

  if (zoom != tiles->zoom || scale != tiles->scale)
    g_hash_table_remove_all (tiles->tiles);
  tiles->zoom = zoom;
  tiles->scale = scale;
  forget_far (tiles, range);
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      painted += show_tile (tiles, snapshot, (Place) { column, row }, x + (double) column * SIDE,
                            y + (double) row * SIDE);
  return painted;
}
