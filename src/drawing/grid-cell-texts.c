/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "drawing/text.h"
#include "plan/quantity.h"

/* What stands in the cell of a GPU: its rank, and its place, group, memory or activity. */

static const struct
{
  PlgAxis axis;
  char letter;
  gboolean always; /* shown also where the degree is 1 */
} coordinates[] = { { PLG_AXIS_TP, 't', TRUE },
                    { PLG_AXIS_CP, 'c', FALSE },
                    { PLG_AXIS_EP, 'e', FALSE },
                    { PLG_AXIS_PP, 'p', TRUE },
                    { PLG_AXIS_DP, 'd', TRUE } };

#define RANK_SIZE 16.0
#define COORDINATE_SIZE 9.5
/* On the screen, in pixels, at the lowest zoom with full detail. */
#define SMALLEST 5.5

/* The baseline of what stands right below the rank. */
#define STACKED_BASELINE 27.0

/* Whether texts must be so large that a cell has room for its rank alone. */
static gboolean
has_large_texts (const PlgGrid *grid)
{
  return plg_grid_least_text (grid) > COORDINATE_SIZE;
}

/* "t0 p1 d0", the first LINE (0) or the second (1) of it, or all (-1). */
static char *
coordinate_text (const PlgGrid *grid, const PlgCoordinate *at, int line)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    {
      int axis_line = coordinates[i].axis == PLG_AXIS_PP || coordinates[i].axis == PLG_AXIS_DP;

      if (!coordinates[i].always && grid->plan->parallelism.degree[coordinates[i].axis] <= 1)
        continue;
      if (line >= 0 && line != axis_line)
        continue;
      g_string_append_printf (text, "%s%c%d", text->len > 0 ? " " : "", coordinates[i].letter,
                              at->index[coordinates[i].axis]);
    }
  return g_string_free (text, FALSE);
}

static char
axis_letter (PlgAxis axis)
{
  for (int i = 0; i < (int) G_N_ELEMENTS (coordinates); i++)
    if (coordinates[i].axis == axis)
      return coordinates[i].letter;
  return '?';
}

/* Whether the longest coordinates need a second line beside the longest rank. */
gboolean
plg_grid_cells_need_two_lines (const PlgGrid *grid)
{
  PlgCoordinate last = { 0 };
  g_autofree char *rank = g_strdup_printf ("%d", grid->gpus - 1);
  g_autofree char *text = NULL;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    last.index[axis] = MAX (grid->plan->parallelism.degree[axis] - 1, 0);
  text = coordinate_text (grid, &last, -1);
  return plg_text_width (rank, RANK_SIZE, TRUE) + plg_text_width (text, COORDINATE_SIZE, FALSE) +
             7 >
         grid->layout.tile_width - 2 * PLG_GRID_TILE_PAD;
}

/* "63 H", or the rank alone. */
static char *
lone_rank_text (const PlgGridCells *cells, int rank)
{
  const PlgParallelism *parallelism = &cells->grid->plan->parallelism;
  char letters[8];

  if (!cells->has_lone_letters)
    return g_strdup_printf ("%d", rank);
  return g_strdup_printf ("%d %s", rank,
                          plg_grid_group_letters (plg_axis_group_of (parallelism, cells->axis,
                                                                     rank),
                                                  letters));
}

/* As large as lets the longest rank fit. */
double
plg_grid_cells_lone_rank_size (const PlgGridCells *cells)
{
  g_autofree char *text = lone_rank_text (cells, cells->grid->gpus - 1);
  double room = cells->grid->layout.tile_width - 10;

  return MIN (MAX (24, plg_grid_least_text (cells->grid)), room / plg_text_width (text, 1, TRUE));
}

/* Whether coordinates on two lines fit beside the longest rank. */
static gboolean
has_room_beside (const PlgGrid *grid, const char *rank, const PlgCoordinate *last)
{
  g_autofree char *first = coordinate_text (grid, last, 0);
  g_autofree char *second = coordinate_text (grid, last, 1);
  double width = MAX (plg_text_width (first, COORDINATE_SIZE, FALSE),
                      plg_text_width (second, COORDINATE_SIZE, FALSE));

  return plg_text_width (rank, RANK_SIZE, TRUE) + width <=
         grid->layout.tile_width - 2 * PLG_GRID_TILE_PAD - 3;
}

/* Where two lines do not fit beside the longest rank either, all coordinates stand on one below it,
 * both as large as there is room for. */
void
plg_grid_cells_stack_texts (PlgGridCells *cells)
{
  const PlgGrid *grid = cells->grid;
  PlgCoordinate last = { 0 };
  g_autofree char *rank = g_strdup_printf ("%d", grid->gpus - 1);
  g_autofree char *text = NULL;
  double room = grid->layout.tile_width - 2 * PLG_GRID_TILE_PAD;

  for (int axis = 0; axis < PLG_N_AXES; axis++)
    last.index[axis] = MAX (grid->plan->parallelism.degree[axis] - 1, 0);
  cells->rank_size = RANK_SIZE;
  cells->coordinate_size = COORDINATE_SIZE;
  cells->is_stacked = cells->two_lines && !has_room_beside (grid, rank, &last);
  if (!cells->is_stacked)
    return;
  text = coordinate_text (grid, &last, -1);
  cells->rank_size = MIN (14, room / plg_text_width (rank, 1, TRUE));
  cells->coordinate_size = MIN (COORDINATE_SIZE, room / plg_text_width (text, 1, FALSE));
}

static void
add_rank (const PlgGridCells *cells, PlgRect tile, int rank, PlgColor color)
{
  const PlgGrid *grid = cells->grid;
  gboolean is_small = plg_grid_is_small (grid);
  gboolean is_large = has_large_texts (grid);
  gboolean is_lone = (grid->layout.detail == PLG_GRID_SHORT && !is_small) || is_large;
  g_autofree char *text = is_lone ? lone_rank_text (cells, rank) : g_strdup_printf ("%d", rank);

  if (is_lone)
    plg_figure_text (grid->figure, tile.x + tile.width / 2, tile.y + 26, PLG_ANCHOR_MIDDLE,
                     cells->lone_rank_size, TRUE, color, text);
  else
    plg_figure_text (grid->figure, tile.x + (is_small ? 5 : PLG_GRID_TILE_PAD),
                     tile.y + (is_small            ? 14
                               : cells->is_stacked ? 16
                                                   : 20),
                     PLG_ANCHOR_START, is_small ? 11.5 : cells->rank_size, TRUE, color, text);
}

/* What stands to the right of the rank, or below it: where it is on every axis. */
static void
add_coordinates (const PlgGridCells *cells, PlgRect tile, const PlgCoordinate *at, PlgColor color)
{
  const PlgGrid *grid = cells->grid;
  double size = cells->coordinate_size;
  double right = tile.x + tile.width - PLG_GRID_TILE_PAD;
  gboolean is_split = cells->two_lines && !cells->is_stacked;
  g_autofree char *first = coordinate_text (grid, at, is_split ? 0 : -1);
  g_autofree char *second = is_split ? coordinate_text (grid, at, 1) : NULL;

  if (cells->is_stacked)
    {
      /* Better none than such that nobody can read from where this detail ends: by the step of the
       * zoom, for the figure stays while one zooms within it. */
      if (!(grid->options->zoom > 0) || size * PLG_GRID_FULL_ZOOM >= SMALLEST)
        plg_figure_text (grid->figure, tile.x + PLG_GRID_TILE_PAD, tile.y + STACKED_BASELINE,
                         PLG_ANCHOR_START, size, FALSE, color, first);
      return;
    }
  plg_figure_text (grid->figure, right, tile.y + (is_split ? 13 : 18), PLG_ANCHOR_END, size, FALSE,
                   color, first);
  if (second != NULL)
    plg_figure_text (grid->figure, right, tile.y + 24, PLG_ANCHOR_END, size, FALSE, color, second);
}

static void
add_letter (const PlgGridCells *cells,
            PlgRect tile,
            int rank,
            const PlgCoordinate *at,
            PlgColor color)
{
  const PlgGrid *grid = cells->grid;
  double right = tile.x + tile.width - PLG_GRID_TILE_PAD;
  g_autofree char *place = g_strdup_printf ("%c%d", axis_letter (cells->axis),
                                            at->index[cells->axis]);
  double baseline = tile.y + (cells->is_stacked ? STACKED_BASELINE : 18);
  char letters[8];

  if (grid->plan->parallelism.degree[cells->axis] <= 1)
    return;
  plg_figure_text (grid->figure, right - plg_text_width (place, COORDINATE_SIZE, FALSE) - 4,
                   baseline, PLG_ANCHOR_END, cells->is_stacked ? 10.5 : 12, TRUE, color,
                   plg_grid_group_letters (plg_axis_group_of (&grid->plan->parallelism, cells->axis,
                                                              rank),
                                           letters));
  plg_figure_text (grid->figure, right, baseline, PLG_ANCHOR_END, COORDINATE_SIZE, FALSE, color,
                   place);
}

static void
add_use (const PlgGridCells *cells, PlgRect tile, int stage, PlgColor color)
{
  const PlgStageMemory *memory = plg_grid_stage_memory (cells->grid, stage);
  g_autofree char *number = NULL, *text = NULL;

  if (memory == NULL)
    return;
  number = plg_format_number (memory->total / PLG_GIB, 3);
  text = plg_text_fit (number, tile.width / 2, 10.5, FALSE);
  plg_figure_text (cells->grid->figure, tile.x + tile.width - PLG_GRID_TILE_PAD,
                   tile.y + (cells->is_stacked ? STACKED_BASELINE : 18), PLG_ANCHOR_END, 10.5,
                   FALSE, color, text);
}

/* What the GPU does, beside the rank. */
static void
add_activity_beside (const PlgGridCells *cells,
                     PlgRect tile,
                     int rank,
                     const PlgStageMoment *moment,
                     PlgColor color)
{
  const PlgGrid *grid = cells->grid;
  gboolean is_idle = moment->activity == PLG_ACTIVITY_IDLE;
  g_autofree char *letter = plg_grid_activity_text (grid, moment);

  add_rank (cells, tile, rank, color);
  plg_figure_text (grid->figure, tile.x + tile.width - PLG_GRID_TILE_PAD,
                   tile.y + (cells->is_stacked ? STACKED_BASELINE : 19), PLG_ANCHOR_END,
                   is_idle || cells->is_stacked ? 10.5 : 13, !is_idle, color,
                   is_idle ? plg_activity_title (moment->activity) : letter);
}

/* Where a tile has room for short texts alone, TEXT stands below the rank, both as large as the
 * tile lets them. */
static void
add_below_rank (const PlgGridCells *cells, PlgRect tile, int rank, const char *text, PlgColor color)
{
  PlgFigure *figure = cells->grid->figure;
  g_autofree char *number = g_strdup_printf ("%d", rank);
  double middle = tile.x + tile.width / 2, size = tile.height * 0.45;

  plg_figure_text (figure, middle, tile.y + tile.height * 0.42, PLG_ANCHOR_MIDDLE, size, FALSE,
                   color, number);
  plg_figure_text (figure, middle, tile.y + tile.height * 0.9, PLG_ANCHOR_MIDDLE, size, TRUE, color,
                   text);
}

/* What a tile with room for short texts alone says besides its rank: what the GPU does, or how much
 * memory it needs; NULL where neither is asked for. */
static char *
short_text (const PlgGridCells *cells, const PlgStageMoment *moment, int stage)
{
  const PlgStageMemory *memory = plg_grid_stage_memory (cells->grid, stage);

  if (cells->grid->layout.detail == PLG_GRID_FULL)
    return NULL;
  if (moment != NULL)
    return plg_grid_activity_text (cells->grid, moment);
  if (cells->grid->options->show == PLG_SHOW_MEMORY && memory != NULL)
    return plg_format_number (memory->total / PLG_GIB, 3);
  return NULL;
}

void
plg_grid_cells_add_texts (const PlgGridCells *cells,
                          PlgRect tile,
                          int rank,
                          const PlgCoordinate *at,
                          PlgColor color)
{
  const PlgStageMoment *moment = plg_grid_moment_of (cells->grid, at->index[PLG_AXIS_PP]);
  gboolean is_large = has_large_texts (cells->grid);
  g_autofree char *below = is_large ? NULL : short_text (cells, moment, at->index[PLG_AXIS_PP]);

  if (below != NULL)
    add_below_rank (cells, tile, rank, below, color);
  else if (moment != NULL && !is_large)
    add_activity_beside (cells, tile, rank, moment, color);
  else
    add_rank (cells, tile, rank, color);
  if (cells->grid->layout.detail != PLG_GRID_FULL || is_large || moment != NULL)
    return;
  if (cells->grid->options->show == PLG_SHOW_MEMORY)
    add_use (cells, tile, at->index[PLG_AXIS_PP], color);
  else if (cells->is_single)
    add_letter (cells, tile, rank, at, color);
  else
    add_coordinates (cells, tile, at, color);
}

gboolean
plg_grid_cells_have_bars (const PlgGridCells *cells)
{
  gboolean is_large = has_large_texts (cells->grid);

  return cells->grid->moment == NULL && (is_large || cells->grid->layout.detail == PLG_GRID_FULL ||
                                         cells->grid->options->show != PLG_SHOW_MEMORY);
}
