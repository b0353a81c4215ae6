/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "drawing/text.h"

#include <math.h>

/* Where GPUs are too small for texts of their own, their row says which ranks it has, "248–255", or
 * from farther off some rows whose they are, "node 31"; and each run of GPUs that are filled alike
 * what their fill stands for, "p3". */

/* On the screen in pixels, at the lowest zoom that shows the same figure; in files in points. */
#define USUAL_SIZE 10.0
#define LEAST_RANGE 9.0
#define LEAST_TAG 5.5
/* Of a tile's height: figures fill less of their line than letters, which may reach over its edge
 * before they are not to be read. */
#define RANGE_SHARE 0.92
#define TAG_SHARE 1.05
/* A letter itself is three quarters of that, so that what could not be read otherwise still lies on
 * its tile, or close to it. */
#define MOST_TAG_SHARE 1.5
/* Every so many rows a node is named, to count by. */
#define NAMED_ROWS 8
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

/* Of tags, and of what else stands on rows as small. */
static double
tag_height (const PlgGrid *grid)
{
  double least = LEAST_TAG * grid->layout.grain;

  return MAX (text_size (grid, TAG_SHARE), MIN (least, grid->layout.tile_height * MOST_TAG_SHARE));
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

/* How large a tag is in WIDTH, 0 where it could not be read: by the widest of all, for were it
 * asked of each, some would be missing between their neighbours. */
static double
tag_size (const PlgGridCells *cells, double width)
{
  double size = MIN (tag_height (cells->grid), width / cells->row_tag_width);

  return is_legible (cells->grid, size, LEAST_TAG) ? size : 0;
}

/* At the right end of RUN, if it can be within its last tile; where there is no room otherwise up
 * to its edges. Gives what is left free of RUN, to the left of it. */
static double
add_tag (const PlgGridCells *cells, const Run *run)
{
  PlgRect tile = plg_grid_layout_gpu (&cells->grid->layout, run->first);
  double indent = indent_of (&tile), size, width;

  if (run->tag == NULL)
    return run->area.width;
  width = plg_text_width (run->tag, 1, FALSE);
  size = tag_size (cells, tile.width - 2 * indent);
  if (size <= 0)
    size = tag_size (cells, run->area.width);
  if (size <= 0)
    return run->area.width;
  indent = MIN (indent, (run->area.width - size * width) / 2);
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

/* Whether rows are so small that neither ranks nor the numbers beside nodes can be read, and the
 * row that begins with GPU FIRST is one of those whose node has its name on it. */
static gboolean
is_named (const PlgGrid *grid, int first)
{
  const PlgGridLayout *layout = &grid->layout;
  int node = first / layout->gpus_per_node;

  return plg_grid_is_terse (grid) && !plg_grid_has_node_numbers (grid) &&
         !is_legible (grid, text_size (grid, RANGE_SHARE), LEAST_RANGE) &&
         first % layout->gpus_per_node == 0 &&
         (node - layout->first) % layout->node_rows % NAMED_ROWS == 0;
}

/* In ROOM at the left end of RUN, or not at all: a number alone would be taken for a rank. */
static void
add_name (const PlgGridCells *cells, const Run *run, double room)
{
  const PlgGrid *grid = cells->grid;
  g_autofree char *name = plg_plan_node_title (grid->plan, run->first / grid->layout.gpus_per_node);
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, run->first);
  double indent = indent_of (&tile), size = tag_height (grid);

  if (indent + plg_text_width (name, size, FALSE) <= room)
    add_text (cells, run, run->area.x + indent, size, name);
}

/* The N GPUs from FIRST on. */
static void
add_row (const PlgGridCells *cells, int first, int n)
{
  const PlgGrid *grid = cells->grid;
  gboolean has_range = plg_grid_is_terse (grid) && grid->layout.detail == PLG_GRID_TILES;
  gboolean has_name = is_named (grid, first);

  for (int gpu = first; gpu < first + n;)
    {
      Run run = run_from (cells, gpu, first + n - gpu);
      double room = add_tag (cells, &run);

      if (has_range && gpu == first)
        add_range (cells, &run, n, room);
      if (has_name && gpu == first)
        add_name (cells, &run, room);
      g_free (run.tag);
      gpu += run.n;
    }
}

void
plg_grid_cells_add_row_texts (const PlgGridCells *cells, int node)
{
  const PlgGridLayout *layout = &cells->grid->layout;

  if (layout->detail < PLG_GRID_TILES || layout->is_rack_tile ||
      !is_legible (cells->grid, tag_height (cells->grid), LEAST_TAG))
    return;
  for (int before = 0; before < layout->gpus_per_node; before += layout->gpu_columns)
    add_row (cells, node * layout->gpus_per_node + before,
             MIN (layout->gpu_columns, layout->gpus_per_node - before));
}
