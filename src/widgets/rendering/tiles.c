/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/tiles.h"

#include "drawing/figure/figure-damage.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/text.h"
#include "widgets/rendering/surface.h"
#include "widgets/rendering/tile-range.h"
#include "widgets/rendering/worker-pool.h"

#include <math.h>

/* The number of invisible tiles to keep on each side of the visible tiles. */
#define KEPT_MARGIN_TILES 2

/* The time that the zoom must remain unchanged before all tiles are painted again. This time is
 * too short to be noticed, but longer than the time between two notches of a scroll wheel. */
#define ZOOM_REST_MICROSECONDS (80 * 1000)
/* The maximum time for painting in a frame while the zoom changes: a third of the frame's 16.7
 * ms. */
#define PAINT_BUDGET_MICROSECONDS (5 * 1000)

/* The maximum time that each frame of a pan spends on painting tiles that will become visible
 * next. Such tiles are painted only if no visible tile is missing. A frame then seldom has to
 * paint a whole row of tiles. */
#define PREPAINT_MICROSECONDS (4 * 1000)

/* Old tiles that are scaled by at most MAX_SCALING are kept during a zoom. Beyond MAX_SCALING,
 * new tiles are painted, and the old tiles are shown only until the new tiles are ready. Beyond
 * MAX_SCALING_IN_ZOOM, old tiles are not shown. */
#define MAX_SCALING 1.42
#define MAX_SCALING_IN_ZOOM 4.0

typedef struct
{
  PlgTilePlace place;  /* the key in the hash table */
  GskRenderNode *node; /* NULL if the figure is empty in this tile */
} Tile;

/* The tiles that were painted for one zoom. */
typedef struct
{
  double zoom;
  GHashTable *tiles; /* maps PlgTilePlace to Tile */
} TileSet;

struct _PlgTiles
{
  PlgWorkerPool *worker_pool;
  PlgSurfacePool *surface_pool;
  PlgFigure *figure;
  PlgTheme theme;
  int scale;
  TileSet current_set;
  TileSet old_set;        /* the tiles of an earlier zoom, shown scaled where a current tile is
                        missing; old_set.tiles is NULL if no current tile is missing */
  double shown_zoom;      /* the zoom of the last snapshot */
  PlgPoint shown_origin;  /* the origin of the last snapshot [pixels] */
  gint64 zoom_time;       /* the time of the last change in zoom [µs, monotonic] */
  gboolean is_refined;    /* whether the figure is laid out for a zoom other than that of the
                             current tiles */
  gboolean is_new_figure; /* whether the figure was set after the last snapshot */
};

/* The position and the scale at which tiles are drawn on screen. */
typedef struct
{
  GtkSnapshot *snapshot;
  double x, y;   /* the origin of the figure [pixels] */
  double factor; /* the magnification of the tiles; 1 if they were painted for the zoom on screen */
  int scale;     /* the scale of the screen [device pixels per pixel] */
} TileView;

static void
tile_free (gpointer data)
{
  Tile *tile = data;

  g_clear_pointer (&tile->node, gsk_render_node_unref);
  g_free (tile);
}

static GHashTable *
tile_table_new (void)
{
  return g_hash_table_new_full (plg_tile_place_hash, plg_tile_place_equal, NULL, tile_free);
}

/* Loads the fonts when a new thread starts. Loading takes as long as several frames, so it must
 * not delay the first tile. */
static void
load_fonts (void)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  for (int bold = 0; bold < 2; bold++)
    plg_text_show (cr, "0 …", (PlgPoint) { 0, 0 }, PLG_ANCHOR_START, 10, bold);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

PlgTiles *
plg_tiles_new (int painters)
{
  PlgTiles *tiles = g_new0 (PlgTiles, 1);

  tiles->worker_pool = plg_worker_pool_new (painters, load_fonts);
  tiles->surface_pool = plg_surface_pool_new ();
  tiles->current_set.tiles = tile_table_new ();
  return tiles;
}

void
plg_tiles_free (PlgTiles *tiles)
{
  g_hash_table_unref (tiles->current_set.tiles);
  g_clear_pointer (&tiles->old_set.tiles, g_hash_table_unref);
  g_clear_pointer (&tiles->figure, plg_figure_unref);
  plg_worker_pool_free (tiles->worker_pool);
  plg_surface_pool_unref (tiles->surface_pool);
  g_free (tiles);
}

/* Figures -------------------------------------------------------------------------------------- */

static void
tiles_take_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
{
  plg_figure_ref (figure);
  g_clear_pointer (&tiles->figure, plg_figure_unref);
  tiles->figure = figure;
  tiles->theme = *theme;
  tiles->is_new_figure = TRUE;
}

void
plg_tiles_set_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
{
  GHashTable *table = tiles->current_set.tiles;
  PlgTileRange all = plg_tile_range_empty ();
  g_autoptr (GArray) damage = NULL;
  GHashTableIter iter;
  gpointer key;

  if (figure == tiles->figure)
    return;
  g_clear_pointer (&tiles->old_set.tiles, g_hash_table_unref);
  if (tiles->figure != NULL && tiles->theme.line_width == theme->line_width)
    damage = plg_figure_damage (tiles->figure, figure);
  else
    g_hash_table_remove_all (table);

  /* Drop the tiles that intersect a damaged rectangle. Limit each rectangle to the range of all
   * tiles, because a damaged rectangle may be much larger than this range. */
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    plg_tile_range_widen (&all, key);
  for (guint i = 0; damage != NULL && i < damage->len && g_hash_table_size (table) > 0; i++)
    {
      PlgRect rect = g_array_index (damage, PlgRect, i);
      PlgTileRange range = plg_tile_range_of_rect (rect, tiles->current_set.zoom);

      range = plg_tile_range_common (all, range);
      for (int row = range.first_row; row <= range.last_row; row++)
        for (int column = range.first_column; column <= range.last_column; column++)
          g_hash_table_remove (table, &(PlgTilePlace) { column, row });
    }
  tiles_take_figure (tiles, figure, theme);
}

void
plg_tiles_set_zoomed_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
{
  if (figure == tiles->figure)
    return;
  tiles->is_refined = TRUE;
  tiles_take_figure (tiles, figure, theme);
}

/* Painting ------------------------------------------------------------------------------------- */

/* A task for the worker pool, with one job per tile. */
typedef struct
{
  PlgTiles *tiles;
  PlgTileRange range;
  GPtrArray *shapes;     /* the indices of the shapes in each tile of the range (a GArray of int per
                        tile), row by row */
  GArray *places;        /* elements of type PlgTilePlace */
  PlgSurface **surfaces; /* the surface of each tile, at the same index as in PLACES; NULL where
                            the figure is empty */
} Painting;

static GArray *
painting_shapes_at (const Painting *painting, int column, int row)
{
  const PlgTileRange *range = &painting->range;
  int columns = range->last_column - range->first_column + 1;

  return g_ptr_array_index (painting->shapes,
                            (row - range->first_row) * columns + column - range->first_column);
}

/* Assigns the shapes to the tiles. Each shape is visited only once, regardless of the number of
 * tiles. */
static void
painting_sort_shapes (Painting *painting)
{
  const PlgFigure *figure = painting->tiles->figure;
  PlgTileRange range = plg_tile_range_empty ();
  int n = plg_figure_n_shapes (figure);

  for (guint i = 0; i < painting->places->len; i++)
    plg_tile_range_widen (&range, &g_array_index (painting->places, PlgTilePlace, i));
  painting->range = range;
  painting->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      g_ptr_array_add (painting->shapes, g_array_new (FALSE, FALSE, sizeof (int)));
  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      PlgTileRange met;

      if (!plg_shape_is_visible (shape))
        continue;
      met = plg_tile_range_of_rect (plg_shape_extents (shape), painting->tiles->current_set.zoom);
      met = plg_tile_range_common (range, met);
      for (int row = met.first_row; row <= met.last_row; row++)
        for (int column = met.first_column; column <= met.last_column; column++)
          g_array_append_val (painting_shapes_at (painting, column, row), i);
    }
}

static void
paint_tile_cb (gpointer task, int job)
{
  Painting *painting = task;
  PlgTiles *tiles = painting->tiles;
  PlgTilePlace place = g_array_index (painting->places, PlgTilePlace, job);
  const GArray *shapes = painting_shapes_at (painting, place.column, place.row);
  PlgSurface *surface;
  cairo_t *cr;

  if (shapes->len == 0)
    return;
  surface = plg_surface_pool_take (tiles->surface_pool, PLG_TILE_SIDE, PLG_TILE_SIDE, tiles->scale);
  cr = cairo_create (plg_surface_cairo (surface));
  cairo_translate (cr, -(double) place.column * PLG_TILE_SIDE, -(double) place.row * PLG_TILE_SIDE);
  cairo_scale (cr, tiles->current_set.zoom, tiles->current_set.zoom);
  plg_paint_shapes (cr, tiles->figure, &tiles->theme, &g_array_index (shapes, int, 0), shapes->len);
  cairo_destroy (cr);
  painting->surfaces[job] = surface;
}

/* Paints missing tiles in @range until the monotonic time @end [µs], but at least one tile. Sets
 * @lacks_tiles to TRUE if tiles are still missing, otherwise to FALSE. Returns the number of
 * painted tiles. */
static int
tiles_paint_missing (PlgTiles *tiles, PlgTileRange range, gint64 end, gboolean *lacks_tiles)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (PlgTilePlace));
  g_autofree PlgSurface **surfaces = NULL;
  Painting painting = { .tiles = tiles, .places = places };
  int painted;

  *lacks_tiles = FALSE;
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      if (!g_hash_table_contains (tiles->current_set.tiles, &(PlgTilePlace) { column, row }))
        g_array_append_val (places, ((PlgTilePlace) { column, row }));
  if (places->len == 0)
    return 0;
  painting.surfaces = surfaces = g_new0 (PlgSurface *, places->len);
  painting_sort_shapes (&painting);
  painted = plg_worker_pool_run (tiles->worker_pool, paint_tile_cb, &painting, (int) places->len,
                                 end);
  for (int i = 0; i < painted; i++)
    {
      Tile *tile = g_new0 (Tile, 1);

      tile->place = g_array_index (places, PlgTilePlace, i);
      if (surfaces[i] != NULL)
        tile->node = plg_surface_to_node (surfaces[i]);
      g_hash_table_insert (tiles->current_set.tiles, &tile->place, tile);
    }
  *lacks_tiles = painted < (int) places->len;
  g_ptr_array_unref (painting.shapes);
  return painted;
}

/* Zoom ----------------------------------------------------------------------------------------- */

static gboolean
is_within_factor (double a, double b, double factor)
{
  return a <= b * factor && b <= a * factor;
}

static gboolean
tiles_zoom_rests (const PlgTiles *tiles)
{
  return g_get_monotonic_time () - tiles->zoom_time >= ZOOM_REST_MICROSECONDS;
}

/* Chooses how to show @view: with the current tiles, with new tiles, or with new tiles and old
 * tiles where new tiles are still missing. */
static void
tiles_choose_set (PlgTiles *tiles, const PlgTilesView *view)
{
  TileSet *current = &tiles->current_set, *old = &tiles->old_set;
  gboolean is_other_zoom = view->zoom != current->zoom;

  if (view->zoom != tiles->shown_zoom)
    tiles->zoom_time = g_get_monotonic_time ();
  tiles->shown_zoom = view->zoom;
  if (view->scale != tiles->scale || g_hash_table_size (current->tiles) == 0 ||
      (!view->may_blur && (is_other_zoom || tiles->is_refined)))
    {
      g_hash_table_remove_all (current->tiles);
      g_clear_pointer (&old->tiles, g_hash_table_unref);
      tiles->scale = view->scale;
    }
  else if (tiles->is_refined || !is_within_factor (view->zoom, current->zoom, MAX_SCALING) ||
           (is_other_zoom && tiles_zoom_rests (tiles)))
    {
      /* Keep the last complete set, so that it can be shown where tiles of the new set are
       * missing. */
      if (old->tiles != NULL)
        g_hash_table_remove_all (current->tiles);
      else
        {
          *old = *current;
          current->tiles = tile_table_new ();
        }
      if (g_hash_table_size (old->tiles) == 0 ||
          !is_within_factor (old->zoom, view->zoom, MAX_SCALING_IN_ZOOM))
        g_clear_pointer (&old->tiles, g_hash_table_unref);
    }
  else
    return;
  current->zoom = view->zoom;
  tiles->is_refined = FALSE;
}

/* Showing -------------------------------------------------------------------------------------- */

/* Returns the edge of a tile. The edge is rounded to a device pixel, so that neighbouring tiles
 * have no gap and are copied rather than blended. */
static double
tile_view_edge (const TileView *view, double origin, int index)
{
  return round ((origin + index * PLG_TILE_SIDE * view->factor) * view->scale) / view->scale;
}

static graphene_rect_t
tile_view_rect (const TileView *view, PlgTilePlace place)
{
  double left = tile_view_edge (view, view->x, place.column);
  double top = tile_view_edge (view, view->y, place.row);

  return GRAPHENE_RECT_INIT (left, top, tile_view_edge (view, view->x, place.column + 1) - left,
                             tile_view_edge (view, view->y, place.row + 1) - top);
}

/* Returns the tiles that intersect @rect, a part of the screen. */
static PlgTileRange
tile_view_range (const TileView *view, const graphene_rect_t *rect)
{
  double left = (rect->origin.x - view->x) / view->factor;
  double top = (rect->origin.y - view->y) / view->factor;

  return plg_tile_range_of (left, top, left + (rect->size.width - 1) / view->factor,
                            top + (rect->size.height - 1) / view->factor);
}

static void
tile_view_show (const TileView *view, const TileSet *set, PlgTilePlace place)
{
  const Tile *tile = g_hash_table_lookup (set->tiles, &place);
  graphene_rect_t rect;

  if (tile == NULL || tile->node == NULL)
    return;
  rect = tile_view_rect (view, place);
  gtk_snapshot_save (view->snapshot);
  gtk_snapshot_translate (view->snapshot, &rect.origin);
  if (view->factor != 1)
    gtk_snapshot_scale (view->snapshot, rect.size.width / PLG_TILE_SIDE,
                        rect.size.height / PLG_TILE_SIDE);
  gtk_snapshot_append_node (view->snapshot, tile->node);
  gtk_snapshot_restore (view->snapshot);
}

/* Shows the old tiles, scaled, at @place, because the current tile is missing there. */
static void
tile_view_show_old (const TileView *view, const PlgTiles *tiles, PlgTilePlace place)
{
  graphene_rect_t rect = tile_view_rect (view, place);
  TileView old_view = *view;
  PlgTileRange range;

  old_view.factor = tiles->shown_zoom / tiles->old_set.zoom;
  range = tile_view_range (&old_view, &rect);
  gtk_snapshot_push_clip (view->snapshot, &rect);
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      tile_view_show (&old_view, &tiles->old_set, (PlgTilePlace) { column, row });
  gtk_snapshot_pop (view->snapshot);
}

/* Paints the tiles that will become visible if the view keeps moving in the same direction.
 * Returns the number of painted tiles. */
static int
tiles_prepaint (PlgTiles *tiles, PlgTileRange range, const TileView *view)
{
  PlgPoint last = tiles->shown_origin;
  gboolean lacks_tiles;

  /* In a frame with a new figure, no time is left for further tiles. */
  if (tiles->is_new_figure || (view->x == last.x && view->y == last.y))
    return 0;
  range.first_column -= view->x > last.x;
  range.last_column += view->x < last.x;
  range.first_row -= view->y > last.y;
  range.last_row += view->y < last.y;
  return tiles_paint_missing (tiles, range, g_get_monotonic_time () + PREPAINT_MICROSECONDS,
                              &lacks_tiles);
}

int
plg_tiles_snapshot (PlgTiles *tiles, GtkSnapshot *snapshot, const PlgTilesView *view)
{
  int scale = view->scale, painted;
  TileView tile_view = { snapshot, round (view->origin.x * scale) / scale,
                         round (view->origin.y * scale) / scale, 1, scale };
  gboolean lacks_tiles;
  PlgTileRange range, kept;
  GHashTableIter iter;
  gpointer key;
  gint64 end;

  g_return_val_if_fail (tiles->figure != NULL, 0);

  tiles_choose_set (tiles, view);
  tile_view.factor = view->zoom / tiles->current_set.zoom;
  range = tile_view_range (&tile_view, &GRAPHENE_RECT_INIT (0, 0, view->width, view->height));

  /* Free the memory of distant tiles. */
  kept = (PlgTileRange) { .first_column = range.first_column - KEPT_MARGIN_TILES,
                          .last_column = range.last_column + KEPT_MARGIN_TILES,
                          .first_row = range.first_row - KEPT_MARGIN_TILES,
                          .last_row = range.last_row + KEPT_MARGIN_TILES };
  g_hash_table_iter_init (&iter, tiles->current_set.tiles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!plg_tile_range_has (&kept, key))
      g_hash_table_iter_remove (&iter);

  /* If there are no old tiles to show, all missing tiles must be painted now. */
  end = tiles->old_set.tiles != NULL ? g_get_monotonic_time () + PAINT_BUDGET_MICROSECONDS
                                     : G_MAXINT64;
  painted = tiles_paint_missing (tiles, range, end, &lacks_tiles);
  if (!lacks_tiles)
    g_clear_pointer (&tiles->old_set.tiles, g_hash_table_unref);
  if (painted == 0 && plg_tiles_are_sharp (tiles))
    painted = tiles_prepaint (tiles, range, &tile_view);
  tiles->shown_origin = (PlgPoint) { tile_view.x, tile_view.y };
  tiles->is_new_figure = FALSE;
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      if (lacks_tiles &&
          !g_hash_table_contains (tiles->current_set.tiles, &(PlgTilePlace) { column, row }))
        tile_view_show_old (&tile_view, tiles, (PlgTilePlace) { column, row });
      else
        tile_view_show (&tile_view, &tiles->current_set, (PlgTilePlace) { column, row });
  return painted;
}

gboolean
plg_tiles_are_sharp (const PlgTiles *tiles)
{
  return tiles->old_set.tiles == NULL && tiles->current_set.zoom == tiles->shown_zoom;
}

gboolean
plg_tiles_can_sharpen (const PlgTiles *tiles)
{
  return tiles->old_set.tiles != NULL ||
         (tiles->current_set.zoom != tiles->shown_zoom && tiles_zoom_rests (tiles));
}
