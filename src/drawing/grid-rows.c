/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "drawing/text.h"

#include <math.h>

/* Where GPUs are too small for texts of their own, their row says which ranks it has, "248–255",
 * and each run of GPUs that are filled alike what their fill stands for, "p3". */

/* On the screen in pixels, at the lowest zoom that shows the same figure; in files in points. */
#define USUAL_SIZE 10.0
#define LEAST_RANGE 9.0
#define LEAST_TAG 5.5
/* Of a tile's height: figures fill less of their line than letters, which may reach over its edge
 * before they are not to be read. */
#define RANGE_SHARE 0.92
#define TAG_SHARE 1.05
/* Points from the edge of a tile at the natural size. */
#define INDENT 4.0
/* Between a range and a tag, of their size. */
#define APART 0.5

/* GPUs of one row beside each other that say the same. */
typedef struct
{
  int first, n;
  PlgRect area;
  char *tag; /* owned, or NULL */
} Run;

static double
text_size (const PlgGrid *grid, double share)
{
  return MIN (USUAL_SIZE * grid->layout.grain, grid->layout.tile_height * share);
}

static gboolean
is_legible (const PlgGrid *grid, double size, double least)
{
  return size >= least * grid->layout.grain && size >= plg_grid_least_text (grid);
}

static double
indent_of (const PlgRect *tile)
{
  return MIN (INDENT, tile->width * 0.08);
}

static gboolean
same_color (PlgColor a, PlgColor b)
{
  return fabsf (a.red - b.red) + fabsf (a.green - b.green) + fabsf (a.blue - b.blue) < 0.01f;
}

static char *
tag_of (const PlgGridCells *cells, int gpu)
{
  int rank = cells->grid->rank_of_gpu[gpu];
  PlgCoordinate at;

  if (rank < 0)
    return NULL;
  at = plg_rank_coordinate (&cells->grid->plan->parallelism, rank);
  return plg_grid_cells_tag (cells, rank, &at);
}

/* As many of the GPUs FIRST .. FIRST + MOST - 1 as say the same. */
static Run
run_from (const PlgGridCells *cells, int first, int most)
{
  const PlgGridLayout *layout = &cells->grid->layout;
  PlgColor fill = plg_grid_cells_fill (cells, first);
  Run run = { first, 1, plg_grid_layout_gpu (layout, first), tag_of (cells, first) };
  PlgRect last;

  while (run.n < most && same_color (plg_grid_cells_fill (cells, first + run.n), fill))
    {
      g_autofree char *next = tag_of (cells, first + run.n);

      if (g_strcmp0 (next, run.tag) != 0)
        break;
      run.n++;
    }
  last = plg_grid_layout_gpu (layout, first + run.n - 1);
  run.area.width = last.x + last.width - run.area.x;
  return run;
}

/* Closes the gaps between the tiles of RUN on which FROM .. TO lies, so that what is written there
 * stands on one ground. */
static void
close_gaps (const PlgGridCells *cells, const Run *run, double from, double to)
{
  const PlgGrid *grid = cells->grid;
  PlgColor fill = plg_grid_cells_fill (cells, run->first);

  for (int i = 0; i + 1 < run->n; i++)
    {
      PlgRect tile = plg_grid_layout_gpu (&grid->layout, run->first + i);
      PlgRect next = plg_grid_layout_gpu (&grid->layout, run->first + i + 1);
      double right = tile.x + tile.width;

      if (next.x > right && from < next.x && to > right)
        plg_figure_rect (grid->figure, right, tile.y, next.x - right, tile.height, 0, fill);
    }
}

static void
add_text (const PlgGridCells *cells, const Run *run, double x, double size, const char *text)
{
  const PlgRect *area = &run->area;

  close_gaps (cells, run, x, x + plg_text_width (text, size, FALSE));
  plg_figure_text (cells->grid->figure, x, area->y + area->height / 2 + size * 0.36,
                   PLG_ANCHOR_START, size, FALSE, plg_grid_cells_ink (cells, run->first), text);
}

/* At the right end of RUN, if it can be within its last tile. Gives what is left free of RUN, to
 * the left of it. */
static double
add_tag (const PlgGridCells *cells, const Run *run)
{
  const PlgGrid *grid = cells->grid;
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, run->first);
  double indent = indent_of (&tile), size = text_size (grid, TAG_SHARE), width, within;

  if (run->tag == NULL)
    return run->area.width;
  width = plg_text_width (run->tag, 1, FALSE);
  within = MIN (size, (tile.width - 2 * indent) / width);
  size = is_legible (grid, within, LEAST_TAG) ? within
                                              : MIN (size, (run->area.width - 2 * indent) / width);
  if (!is_legible (grid, size, LEAST_TAG))
    return run->area.width;
  add_text (cells, run, run->area.x + run->area.width - indent - size * width, size, run->tag);
  return run->area.width - indent - size * (width + APART);
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

/* The ranks of the row of N GPUs that RUN begins, in ROOM at its left end: whole, or else the first
 * one, where that has a tile to itself, or none, for a number without its last digits is another
 * one. Who points at it means the GPU below. */
static void
add_range (const PlgGridCells *cells, const Run *run, int n, double room)
{
  const PlgGrid *grid = cells->grid;
  g_autofree char *range = range_text (grid, run->first, n);
  g_autofree char *first = g_strdup_printf ("%d", grid->rank_of_gpu[run->first]);
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, run->first);
  double indent = indent_of (&tile), size = text_size (grid, RANGE_SHARE);

  if (range == NULL || !is_legible (grid, size, LEAST_RANGE))
    return;
  if (indent + plg_text_width (range, size, FALSE) <= room)
    add_text (cells, run, run->area.x + indent, size, range);
  else if (indent + plg_text_width (first, size, FALSE) <= room && room >= tile.width)
    add_text (cells, run, run->area.x + indent, size, first);
}

/* The N GPUs from FIRST on. */
static void
add_row (const PlgGridCells *cells, int first, int n)
{
  const PlgGrid *grid = cells->grid;
  gboolean has_range = plg_grid_is_terse (grid) && grid->layout.detail == PLG_GRID_TILES;

  for (int gpu = first; gpu < first + n;)
    {
      Run run = run_from (cells, gpu, first + n - gpu);
      double room = add_tag (cells, &run);

      if (has_range && gpu == first)
        add_range (cells, &run, n, room);
      g_free (run.tag);
      gpu += run.n;
    }
}

void
plg_grid_cells_add_row_texts (const PlgGridCells *cells, int node)
{
  const PlgGridLayout *layout = &cells->grid->layout;

  if (layout->detail < PLG_GRID_TILES || layout->is_rack_tile ||
      !is_legible (cells->grid, text_size (cells->grid, TAG_SHARE), LEAST_TAG))
    return;
  for (int before = 0; before < layout->gpus_per_node; before += layout->gpu_columns)
    add_row (cells, node * layout->gpus_per_node + before,
             MIN (layout->gpu_columns, layout->gpus_per_node - before));
}
