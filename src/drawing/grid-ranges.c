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
same_color (PlgColor a, PlgColor b)
{
  return fabsf (a.red - b.red) + fabsf (a.green - b.green) + fabsf (a.blue - b.blue) < 0.01f;
}

/* The text lies over as many tiles as it is long: all must carry its colour. Who points at it means
 * the GPU below. */
static void
add_range (const PlgGridCells *cells, int first, int n, double size)
{
  const PlgGrid *grid = cells->grid;
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, first);
  g_autofree char *text = range_text (grid, first, n);
  PlgColor ink = plg_grid_cells_ink (cells, first);
  double end = text != NULL ? INDENT + plg_text_width (text, size, FALSE) : 0;
  int under = (int) ceil (end / grid->layout.tile_step_x);

  if (text == NULL || under > n)
    return;
  for (int i = 1; i < under; i++)
    if (!same_color (plg_grid_cells_ink (cells, first + i), ink))
      return;
  plg_figure_text (grid->figure, tile.x + INDENT, tile.y + tile.height / 2 + size * 0.36,
                   PLG_ANCHOR_START, size, FALSE, ink, text);
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
