/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "drawing/text.h"

#include <math.h>

/* Where a GPU is too small for its rank, its row says which ranks it has: "248–255". */

/* On the screen, in pixels. */
#define USUAL_SIZE 10.0
#define LEAST_SIZE 9.0
/* Of a tile's height, and points from its left edge at the natural size. */
#define SHARE 0.92
#define INDENT 4.0

/* As large as fits the height of a tile, or 0. */
static double
text_size (const PlgGrid *grid)
{
  double grain = grid->layout.grain;
  double size = MIN (USUAL_SIZE * grain, grid->layout.tile_height * SHARE);

  return size >= LEAST_SIZE * grain && size >= plg_grid_least_text (grid) ? size : 0;
}

/* "248–255", or "3…" where the ranks of the row do not follow each other; NULL where its first GPU
 * has none. */
static char *
range_text (const PlgGrid *grid, int first, int n)
{
  const int *ranks = grid->rank_of_gpu + first;

  if (ranks[0] < 0)
    return NULL;
  for (int i = 1; i < n; i++)
    if (ranks[i] != ranks[0] + i)
      return g_strdup_printf ("%d…", ranks[0]);
  if (n == 1)
    return g_strdup_printf ("%d", ranks[0]);
  return g_strdup_printf ("%d–%d", ranks[0], ranks[n - 1]);
}

static gboolean
is_broken (const char *text)
{
  return g_str_has_suffix (text, "…");
}

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return fabsf (a.red - b.red) + fabsf (a.green - b.green) + fabsf (a.blue - b.blue) < 0.01f;
}

/* Closes the gaps between N tiles of one colour, so that what is written over them stands on one
 * ground. FALSE where their colours differ. */
static gboolean
join_tiles (const PlgGridCells *cells, int first, int n)
{
  const PlgGrid *grid = cells->grid;
  PlgColor fill = plg_grid_cells_fill (cells, first);
  double gap = grid->layout.tile_step_x - grid->layout.tile_width;

  for (int i = 1; i < n; i++)
    if (!same_color (plg_grid_cells_fill (cells, first + i), fill))
      return FALSE;
  for (int i = 0; i + 1 < n; i++)
    {
      PlgRect tile = plg_grid_layout_gpu (&grid->layout, first + i);

      plg_figure_rect (grid->figure, tile.x + tile.width, tile.y, gap, tile.height, 0, fill);
    }
  return TRUE;
}

/* Whether all of N tiles carry the ink of the first. */
static gboolean
have_one_ink (const PlgGridCells *cells, int first, int n)
{
  PlgColor ink = plg_grid_cells_ink (cells, first);

  for (int i = 1; i < n; i++)
    if (!same_color (plg_grid_cells_ink (cells, first + i), ink))
      return FALSE;
  return TRUE;
}

/* Over as many tiles as it is long, or where these are not one ground the first rank alone; that
 * more are to follow which do not is worth a gap between tiles. Who points at it means the GPU
 * below. */
static void
add_range (const PlgGridCells *cells, int first, int n, double size)
{
  const PlgGrid *grid = cells->grid;
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, first);
  g_autofree char *text = range_text (grid, first, n);
  double end = text != NULL ? INDENT + plg_text_width (text, size, FALSE) : 0;
  int under = (int) ceil (end / grid->layout.tile_step_x);

  if (text == NULL)
    return;
  if (under > n || (!join_tiles (cells, first, under) &&
                    !(is_broken (text) && have_one_ink (cells, first, under))))
    {
      g_free (text);
      text = g_strdup_printf ("%d", grid->rank_of_gpu[first]);
      if (INDENT + plg_text_width (text, size, FALSE) > tile.width)
        return;
    }
  plg_figure_text (grid->figure, tile.x + INDENT, tile.y + tile.height / 2 + size * 0.36,
                   PLG_ANCHOR_START, size, FALSE, plg_grid_cells_ink (cells, first), text);
}

void
plg_grid_cells_add_ranges (const PlgGridCells *cells)
{
  const PlgGrid *grid = cells->grid;
  const PlgGridLayout *layout = &grid->layout;
  double size = text_size (grid);

  if (!plg_grid_is_terse (grid) || layout->detail != PLG_GRID_TILES || size <= 0)
    return;
  for (int node = 0; node < layout->nodes; node++)
    for (int before = 0; before < layout->gpus_per_node && plg_grid_shows_node (grid, node);
         before += layout->gpu_columns)
      add_range (cells, node * layout->gpus_per_node + before,
                 MIN (layout->gpu_columns, layout->gpus_per_node - before), size);
}
