/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/tiles.h"

#include "drawing/figure/figure-damage.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/text.h"
#include "widgets/rendering/worker-pool.h"
#include "widgets/rendering/surface.h"
#include "widgets/rendering/tile-range.h"

#include <math.h>

/* So many tiles out of sight are kept on each side. */
#define KEPT_MARGIN_TILES 2

/* So long a zoom rests before all becomes sharp: shorter than people notice, longer than it is from
 * one notch of a wheel to the next. In microseconds, as is what a frame of a zoom has for painting:
 * a third of the 16.7 ms that there are. */
#define ZOOM_REST_MICROSECONDS (80 * 1000)
#define PAINT_BUDGET_MICROSECONDS (5 * 1000)

/* A frame of a pan that has nothing to paint has so long for what comes into sight next, so that no
 * frame has a whole row of tiles to paint. */
#define PREPAINT_MICROSECONDS (4 * 1000)

/* What was painted is shown so many times as large, or as small, while a zoom goes on; then it is
 * painted anew, although people see it between two frames only. Beyond the second, it is no help.
 */
#define MAX_SCALING 1.42
#define MAX_SCALING_IN_ZOOM 4.0

typedef struct
{
  PlgTilePlace place;  /* also the key */
  GskRenderNode *node; /* NULL where the figure is empty */
} Tile;

/* What was painted for one zoom. */
typedef struct
{
  double zoom;
  GHashTable *tiles; /* PlgTilePlace to Tile */
} TileSet;

struct _PlgTiles
{
  PlgWorkerPool *worker_pool;
  PlgSurfacePool *surface_pool;
  PlgFigure *figure;
  PlgTheme theme;
  int scale;
  TileSet current_tiles;
  /* While a zoom goes on: what is shown, enlarged or reduced, in the place of what NOW lacks. TILES
   * is NULL when it lacks nothing. */
  TileSet old_tiles;
  double shown_zoom;
  PlgPoint shown_origin;  /* pixels */
  gint64 zoomed_at;       /* when the zoom became another, in microseconds */
  gboolean is_refined;    /* the figure is for another zoom than what NOW has */
  gboolean is_new_figure; /* it was not there when the last snapshot was made */
};

static void
tile_free (gpointer data)
{
  Tile *tile = data;

  g_clear_pointer (&tile->node, gsk_render_node_unref);
  g_free (tile);
}

static GHashTable *
new_tile_set (void)
{
  return g_hash_table_new_full (plg_tile_place_hash, plg_tile_place_equal, NULL, tile_free);
}

/* It takes a thread as long as some frames to find and open them. */
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
  tiles->current_tiles.tiles = new_tile_set ();
  return tiles;
}

void
plg_tiles_free (PlgTiles *tiles)
{
  g_hash_table_unref (tiles->current_tiles.tiles);
  g_clear_pointer (&tiles->old_tiles.tiles, g_hash_table_unref);
  g_clear_pointer (&tiles->figure, plg_figure_unref);
  plg_worker_pool_free (tiles->worker_pool);
  plg_surface_pool_unref (tiles->surface_pool);
  g_free (tiles);
}

/* Of a range, only so much as there can be tiles: what was damaged may be larger than all of them.
 */
static void
drop_damaged (PlgTiles *tiles, PlgTileRange kept, PlgRect rect)
{
  PlgTileRange range = plg_tile_range_common (kept,
                                              plg_tile_range_of_rect (rect,
                                                                      tiles->current_tiles.zoom));

  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      g_hash_table_remove (tiles->current_tiles.tiles, &(PlgTilePlace) { column, row });
}

/* From the first to the last column and row that have a tile. */
static PlgTileRange
range_of_tile_set (const TileSet *tile_set)
{
  PlgTileRange range = plg_tile_range_empty ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, tile_set->tiles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    plg_tile_range_widen (&range, key);
  return range;
}

static void
drop_all_damaged (PlgTiles *tiles, const GArray *damage)
{
  PlgTileRange kept = range_of_tile_set (&tiles->current_tiles);

  for (guint i = 0; i < damage->len && g_hash_table_size (tiles->current_tiles.tiles) > 0; i++)
    drop_damaged (tiles, kept, g_array_index (damage, PlgRect, i));
}

static void
take_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
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
  g_autoptr (GArray) damage = NULL;

  if (figure == tiles->figure)
    return;
  if (tiles->figure != NULL && tiles->theme.line_width == theme->line_width)
    damage = plg_figure_damage (tiles->figure, figure);
  else
    g_hash_table_remove_all (tiles->current_tiles.tiles);
  g_clear_pointer (&tiles->old_tiles.tiles, g_hash_table_unref);
  if (damage != NULL)
    drop_all_damaged (tiles, damage);
  take_figure (tiles, figure, theme);
}

void
plg_tiles_set_zoomed_figure (PlgTiles *tiles, PlgFigure *figure, const PlgTheme *theme)
{
  if (figure == tiles->figure)
    return;
  tiles->is_refined = TRUE;
  take_figure (tiles, figure, theme);
}

/* Which shapes meet which tile of a range: an array of int each, row by row. */
typedef struct
{
  PlgTileRange range;
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
sort_shapes (const PlgTiles *tiles, PlgTileRange range)
{
  Sorted sorted = { range, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };
  int n = plg_figure_n_shapes (tiles->figure);

  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      g_ptr_array_add (sorted.shapes, g_array_new (FALSE, FALSE, sizeof (int)));
  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (tiles->figure, i);
      PlgTileRange met;

      if (!plg_shape_is_visible (shape))
        continue;
      met = plg_tile_range_common (range, plg_tile_range_of_rect (plg_shape_extents (shape),
                                                                  tiles->current_tiles.zoom));
      for (int row = met.first_row; row <= met.last_row; row++)
        for (int column = met.first_column; column <= met.last_column; column++)
          g_array_append_val (shapes_at (&sorted, column, row), i);
    }
  return sorted;
}

/* Painting of some tiles, each by whichever thread is free. */
typedef struct
{
  const PlgTiles *tiles;
  const Sorted *sorted;
  GArray *places;      /* PlgTilePlace */
  PlgSurface **slates; /* one a place; NULL where the figure is empty */
} Painting;

static PlgSurface *
paint_tile (const PlgTiles *tiles, PlgTilePlace place, const GArray *shapes)
{
  PlgSurface *tile_surface = plg_surface_pool_take (tiles->surface_pool, PLG_TILE_SIDE,
                                                    PLG_TILE_SIDE, tiles->scale);
  cairo_t *cr = cairo_create (plg_surface_cairo (tile_surface));

  cairo_translate (cr, -(double) place.column * PLG_TILE_SIDE, -(double) place.row * PLG_TILE_SIDE);
  cairo_scale (cr, tiles->current_tiles.zoom, tiles->current_tiles.zoom);
  plg_paint_shapes (cr, tiles->figure, &tiles->theme, &g_array_index (shapes, int, 0), shapes->len);
  cairo_destroy (cr);
  return tile_surface;
}

static void
paint_cb (gpointer work, int job)
{
  Painting *painting = work;
  PlgTilePlace place = g_array_index (painting->places, PlgTilePlace, job);
  const GArray *shapes = shapes_at (painting->sorted, place.column, place.row);

  if (shapes->len > 0)
    painting->slates[job] = paint_tile (painting->tiles, place, shapes);
}

/* Takes over SLATE, which may be NULL. */
static void
keep_tile (PlgTiles *tiles, PlgTilePlace place, PlgSurface *tile_surface)
{
  Tile *tile = g_new0 (Tile, 1);

  tile->place = place;
  if (tile_surface != NULL)
    tile->node = plg_surface_to_node (tile_surface);
  g_hash_table_insert (tiles->current_tiles.tiles, &tile->place, tile);
}

/* What is far out of sight would only take memory. */
static void
drop_distant_tiles (PlgTiles *tiles, PlgTileRange range)
{
  GHashTableIter iter;
  gpointer key;

  range.first_column -= KEPT_MARGIN_TILES;
  range.first_row -= KEPT_MARGIN_TILES;
  range.last_column += KEPT_MARGIN_TILES;
  range.last_row += KEPT_MARGIN_TILES;
  g_hash_table_iter_init (&iter, tiles->current_tiles.tiles);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!plg_tile_range_has (&range, key))
      g_hash_table_iter_remove (&iter);
}

static GArray *
missing_tiles (const PlgTiles *tiles, PlgTileRange range)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (PlgTilePlace));

  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      if (!g_hash_table_contains (tiles->current_tiles.tiles, &(PlgTilePlace) { column, row }))
        g_array_append_val (places, ((PlgTilePlace) { column, row }));
  return places;
}

static PlgTileRange
range_of_places (const GArray *places)
{
  PlgTileRange range = plg_tile_range_empty ();

  for (guint i = 0; i < places->len; i++)
    plg_tile_range_widen (&range, &g_array_index (places, PlgTilePlace, i));
  return range;
}

/* Those of RANGE, one at least, until END. Returns how many; *LACKS is whether some are left. */
static int
paint_missing (PlgTiles *tiles, PlgTileRange range, gint64 end, gboolean *lacks)
{
  g_autoptr (GArray) places = missing_tiles (tiles, range);
  g_autofree PlgSurface **slates = g_new0 (PlgSurface *, places->len);
  Sorted sorted;
  int painted;

  *lacks = FALSE;
  if (places->len == 0)
    return 0;
  sorted = sort_shapes (tiles, range_of_places (places));
  painted = plg_worker_pool_run (tiles->worker_pool, paint_cb,
                                 &(Painting) { tiles, &sorted, places, slates }, (int) places->len,
                                 end);
  for (int i = 0; i < painted; i++)
    keep_tile (tiles, g_array_index (places, PlgTilePlace, i), slates[i]);
  *lacks = painted < (int) places->len;
  g_ptr_array_unref (sorted.shapes);
  return painted;
}

/* Zoom ------------------------------------------------------------------------------------------
 */

static gboolean
is_within (double a, double b, double factor)
{
  return a <= b * factor && b <= a * factor;
}

/* An empty sheet for ZOOM. The last one that lacked nothing is shown in the place of what this one
 * lacks. */
static void
swap_tile_sets (PlgTiles *tiles, double zoom)
{
  if (tiles->old_tiles.tiles != NULL)
    g_hash_table_remove_all (tiles->current_tiles.tiles);
  else
    {
      tiles->old_tiles = tiles->current_tiles;
      tiles->current_tiles.tiles = new_tile_set ();
    }
  if (g_hash_table_size (tiles->old_tiles.tiles) == 0 ||
      !is_within (tiles->old_tiles.zoom, zoom, MAX_SCALING_IN_ZOOM))
    g_clear_pointer (&tiles->old_tiles.tiles, g_hash_table_unref);
  tiles->current_tiles.zoom = zoom;
  tiles->is_refined = FALSE;
}

static gboolean
zoom_has_rested (const PlgTiles *tiles)
{
  return g_get_monotonic_time () - tiles->zoomed_at >= ZOOM_REST_MICROSECONDS;
}

static void
drop_tile_sets (PlgTiles *tiles, const PlgTilesView *view)
{
  g_hash_table_remove_all (tiles->current_tiles.tiles);
  g_clear_pointer (&tiles->old_tiles.tiles, g_hash_table_unref);
  tiles->current_tiles.zoom = view->zoom;
  tiles->scale = view->scale;
  tiles->is_refined = FALSE;
}

/* While a zoom goes on, what is painted stays for a while. */
static void
choose_tile_set (PlgTiles *tiles, const PlgTilesView *view)
{
  gboolean is_other = view->zoom != tiles->current_tiles.zoom;

  if (view->zoom != tiles->shown_zoom)
    tiles->zoomed_at = g_get_monotonic_time ();
  tiles->shown_zoom = view->zoom;
  if (view->scale != tiles->scale || g_hash_table_size (tiles->current_tiles.tiles) == 0 ||
      (!view->may_blur && (is_other || tiles->is_refined)))
    drop_tile_sets (tiles, view);
  else if (tiles->is_refined || !is_within (view->zoom, tiles->current_tiles.zoom, MAX_SCALING) ||
           (is_other && zoom_has_rested (tiles)))
    swap_tile_sets (tiles, view->zoom);
}

/* Showing ---------------------------------------------------------------------------------------
 */

/* Where the figure's origin is, and how many times as large as painted a sheet is shown. */
typedef struct
{
  GtkSnapshot *snapshot;
  double x, y, factor;
  int scale;
} SnapshotState;

/* On whole pixels of the screen, so that tiles are copied and not blended, and have no gaps. */
static double
edge (const SnapshotState *show, double origin, int index)
{
  return round ((origin + index * PLG_TILE_SIDE * show->factor) * show->scale) / show->scale;
}

static graphene_rect_t
rect_of (const SnapshotState *show, PlgTilePlace place)
{
  double left = edge (show, show->x, place.column), top = edge (show, show->y, place.row);

  return GRAPHENE_RECT_INIT (left, top, edge (show, show->x, place.column + 1) - left,
                             edge (show, show->y, place.row + 1) - top);
}

static void
show_tile (const SnapshotState *show, const TileSet *tile_set, PlgTilePlace place)
{
  const Tile *tile = g_hash_table_lookup (tile_set->tiles, &place);
  graphene_rect_t rect;

  if (tile == NULL || tile->node == NULL)
    return;
  rect = rect_of (show, place);
  gtk_snapshot_save (show->snapshot);
  gtk_snapshot_translate (show->snapshot, &rect.origin);
  if (show->factor != 1)
    gtk_snapshot_scale (show->snapshot, rect.size.width / PLG_TILE_SIDE,
                        rect.size.height / PLG_TILE_SIDE);
  gtk_snapshot_append_node (show->snapshot, tile->node);
  gtk_snapshot_restore (show->snapshot);
}

/* The tiles of a sheet that is shown so, in RECT. */
static PlgTileRange
range_in (const SnapshotState *show, const graphene_rect_t *rect)
{
  double left = (rect->origin.x - show->x) / show->factor;
  double top = (rect->origin.y - show->y) / show->factor;

  return plg_tile_range_of (left, top, left + (rect->size.width - 1) / show->factor,
                            top + (rect->size.height - 1) / show->factor);
}

/* What the sheet before had where the tile at PLACE is not yet painted. */
static void
show_scaled_tile (const PlgTiles *tiles, const SnapshotState *show, PlgTilePlace place)
{
  graphene_rect_t rect = rect_of (show, place);
  SnapshotState instead = *show;
  PlgTileRange range;

  instead.factor = tiles->shown_zoom / tiles->old_tiles.zoom;
  range = range_in (&instead, &rect);
  gtk_snapshot_push_clip (show->snapshot, &rect);
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      show_tile (&instead, &tiles->old_tiles, (PlgTilePlace) { column, row });
  gtk_snapshot_pop (show->snapshot);
}

/* RANGE with the column and the row that come into sight when the view moves on as it has since
 * its origin was LAST. */
static PlgTileRange
range_to_prepaint (PlgTileRange range, const SnapshotState *show, PlgPoint last)
{
  range.first_column -= show->x > last.x;
  range.last_column += show->x < last.x;
  range.first_row -= show->y > last.y;
  range.last_row += show->y < last.y;
  return range;
}

/* Some of what comes into sight next, unless this frame had to make another figure. Returns how
 * many. */
static int
prepaint (PlgTiles *tiles, PlgTileRange range, const SnapshotState *show)
{
  PlgPoint last = tiles->shown_origin;
  gboolean lacks;

  if (tiles->is_new_figure || (show->x == last.x && show->y == last.y))
    return 0;
  return paint_missing (tiles, range_to_prepaint (range, show, last),
                        g_get_monotonic_time () + PREPAINT_MICROSECONDS, &lacks);
}

/* Without anything to show instead, all must be painted. */
static gint64
painting_end (const PlgTiles *tiles)
{
  return tiles->old_tiles.tiles != NULL ? g_get_monotonic_time () + PAINT_BUDGET_MICROSECONDS
                                        : G_MAXINT64;
}

int
plg_tiles_snapshot (PlgTiles *tiles, GtkSnapshot *snapshot, const PlgTilesView *view)
{
  int scale = view->scale, painted;
  SnapshotState show = { snapshot, round (view->origin.x * scale) / scale,
                         round (view->origin.y * scale) / scale, 1, scale };
  gboolean lacks;
  PlgTileRange range;

  g_return_val_if_fail (tiles->figure != NULL, 0);

  choose_tile_set (tiles, view);
  show.factor = view->zoom / tiles->current_tiles.zoom;
  range = range_in (&show, &GRAPHENE_RECT_INIT (0, 0, view->width, view->height));
  drop_distant_tiles (tiles, range);
  painted = paint_missing (tiles, range, painting_end (tiles), &lacks);
  if (!lacks)
    g_clear_pointer (&tiles->old_tiles.tiles, g_hash_table_unref);
  if (painted == 0 && plg_tiles_are_sharp (tiles))
    painted = prepaint (tiles, range, &show);
  tiles->shown_origin = (PlgPoint) { show.x, show.y };
  tiles->is_new_figure = FALSE;
  for (int row = range.first_row; row <= range.last_row; row++)
    for (int column = range.first_column; column <= range.last_column; column++)
      if (lacks &&
          !g_hash_table_contains (tiles->current_tiles.tiles, &(PlgTilePlace) { column, row }))
        show_scaled_tile (tiles, &show, (PlgTilePlace) { column, row });
      else
        show_tile (&show, &tiles->current_tiles, (PlgTilePlace) { column, row });
  return painted;
}

gboolean
plg_tiles_are_sharp (const PlgTiles *tiles)
{
  return tiles->old_tiles.tiles == NULL && tiles->current_tiles.zoom == tiles->shown_zoom;
}

gboolean
plg_tiles_can_sharpen (const PlgTiles *tiles)
{
  return tiles->old_tiles.tiles != NULL ||
         (tiles->current_tiles.zoom != tiles->shown_zoom && zoom_has_rested (tiles));
}
