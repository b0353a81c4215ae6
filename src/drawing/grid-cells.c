/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-cells.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

gboolean
plg_grid_single_axis (PlgShow show, PlgAxis *axis)
{
  switch (show)
    {
    case PLG_SHOW_TP:
      *axis = PLG_AXIS_TP;
      return TRUE;
    case PLG_SHOW_CP:
      *axis = PLG_AXIS_CP;
      return TRUE;
    case PLG_SHOW_EP:
      *axis = PLG_AXIS_EP;
      return TRUE;
    case PLG_SHOW_PP:
      *axis = PLG_AXIS_PP;
      return TRUE;
    case PLG_SHOW_DP:
      *axis = PLG_AXIS_DP;
      return TRUE;
    case PLG_SHOW_ALL:
    case PLG_SHOW_MEMORY:
    default:
      *axis = PLG_AXIS_PP;
      return FALSE;
    }
}

/* A, B … Z, AA, AB …: groups told apart without colour. TEXT has room for 8 bytes. */
const char *
plg_grid_group_letters (int group, char *text)
{
  char *at = text + 7;

  *at = '\0';
  for (int rest = group + 1; rest > 0 && at > text; rest = (rest - 1) / 26)
    *--at = (char) ('A' + (rest - 1) % 26);
  return at;
}

/* From the colour of the card to that of the accent; what does not fit has the colour of errors. */
PlgSwatch
plg_grid_memory_swatch (const PlgTheme *theme, double share)
{
  PlgSwatch swatch = { 0 };
  PlgColor card = theme->role[PLG_ROLE_CARD];

  swatch.strong = theme->role[share > 1 ? PLG_ROLE_ERROR : PLG_ROLE_ACCENT];
  swatch.fill = plg_color_mix (card, swatch.strong,
                               share > 1 ? 0.55 : 0.08 + 0.47 * MAX (share, 0));
  swatch.border = plg_color_mix (swatch.fill, swatch.strong, 0.5);
  swatch.text = plg_theme_text_on (theme, swatch.fill);
  return swatch;
}

static PlgSwatch
neutral_swatch (const PlgTheme *theme)
{
  PlgSwatch swatch = {
    .fill = theme->role[PLG_ROLE_GRID],
    .strong = theme->role[PLG_ROLE_TEXT_DIM],
    .border = theme->role[PLG_ROLE_CARD_BORDER],
    .text = plg_theme_text_on (theme, theme->role[PLG_ROLE_GRID]),
  };

  return swatch;
}

const PlgStageMemory *
plg_grid_stage_memory (const PlgGrid *grid, int stage)
{
  if (stage < 0 || stage >= (int) grid->report->stages->len)
    return NULL;
  return &g_array_index (grid->report->stages, PlgStageMemory, stage);
}

/* The share of the capacity that a GPU of STAGE uses, 0 where it is not known. */
static double
memory_share (const PlgGrid *grid, int stage)
{
  const PlgStageMemory *memory = plg_grid_stage_memory (grid, stage);

  if (memory == NULL || !(grid->report->memory_capacity > 0) || !(memory->total >= 0))
    return 0;
  return memory->total / grid->report->memory_capacity;
}

static PlgSwatch
gpu_swatch (const PlgGridCells *cells, int rank, const PlgCoordinate *at)
{
  const PlgGrid *grid = cells->grid;
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  const PlgStageMoment *moment = plg_grid_moment_of (grid, at->index[PLG_AXIS_PP]);

  if (rank < 0)
    return cells->neutral;
  if (moment != NULL)
    return cells->playing[at->index[PLG_AXIS_PP]];
  if (grid->options->show == PLG_SHOW_MEMORY)
    return plg_grid_memory_swatch (grid->theme, memory_share (grid, at->index[PLG_AXIS_PP]));
  if (!cells->is_single)
    return cells->swatches[at->index[PLG_AXIS_DP] & 1][at->index[PLG_AXIS_PP]];
  if (parallelism->degree[cells->axis] <= 1)
    return cells->neutral;
  return cells->swatches[0][plg_axis_group_of (parallelism, cells->axis, rank)];
}

static void
set_playing (PlgGridCells *cells)
{
  const PlgGrid *grid = cells->grid;
  int n = grid->moment->n_stages;

  cells->playing = g_new (PlgSwatch, n);
  for (int i = 0; i < n; i++)
    {
      PlgSwatch stage = plg_theme_swatch (grid->theme, i, n, FALSE);

      cells->playing[i] = plg_activity_swatch (grid->theme, &stage,
                                               grid->moment->stages[i].activity);
    }
}

static void
cells_init (PlgGridCells *cells, PlgGrid *grid)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;

  *cells = (PlgGridCells) { .grid = grid, .neutral = neutral_swatch (grid->theme) };
  cells->is_single = plg_grid_single_axis (grid->options->show, &cells->axis);
  cells->two_lines = grid->layout.detail == PLG_GRID_FULL && plg_grid_cells_need_two_lines (grid);
  if (plg_grid_is_ranked (grid->plan))
    {
      plg_grid_cells_size_tags (cells);
      cells->row_tag_width = plg_grid_cells_widest_tag (cells, FALSE);
    }
  plg_grid_cells_stack_texts (cells);
  cells->outlined = grid->layout.detail == PLG_GRID_TILES ? plg_grid_outlined_gpus (grid) : NULL;
  if (grid->moment != NULL)
    set_playing (cells);
  if (grid->moment != NULL || !plg_grid_is_ranked (grid->plan) ||
      grid->options->show == PLG_SHOW_MEMORY)
    return;
  cells->n_swatches = cells->is_single ? plg_axis_groups (parallelism, cells->axis)
                                       : parallelism->degree[PLG_AXIS_PP];
  for (int pale = 0; pale < 2; pale++)
    {
      cells->swatches[pale] = g_new (PlgSwatch, cells->n_swatches);
      for (int i = 0; i < cells->n_swatches; i++)
        cells->swatches[pale][i] = plg_theme_swatch (grid->theme, i, cells->n_swatches, pale);
    }
}

static void
cells_clear (PlgGridCells *cells)
{
  g_free (cells->swatches[0]);
  g_free (cells->swatches[1]);
  g_free (cells->playing);
  g_free (cells->outlined);
}

/* The thin bar of memory used. Where it is more than there is, the bar is full and hatched. */
static void
add_memory_bar (const PlgGridCells *cells,
                PlgRect tile,
                int stage,
                const PlgSwatch *swatch,
                gboolean lit)
{
  const PlgGrid *grid = cells->grid;
  gboolean is_small = plg_grid_is_small (grid);
  double pad = is_small ? 5 : PLG_GRID_TILE_PAD, height = is_small ? 3.5 : 5;
  double radius = plg_grid_is_terse (grid) ? 0 : height / 2;
  double width = tile.width - 2 * pad;
  double y = tile.y + tile.height - (is_small ? 8 : 11.5);
  double share = memory_share (grid, stage);
  PlgColor track = plg_color_mix (swatch->fill, grid->theme->role[PLG_ROLE_CARD], 0.7);
  PlgColor bar = share > 1 ? grid->theme->role[PLG_ROLE_ERROR] : swatch->strong;
  PlgShape *shape;

  plg_figure_rect (grid->figure, tile.x + pad, y, width, height, radius,
                   plg_grid_fade (grid, track, lit));
  if (!(share > 0))
    return;
  shape = plg_figure_rect (grid->figure, tile.x + pad, y, width * MIN (share, 1), height, radius,
                           plg_grid_fade (grid, bar, lit));
  if (share > 1)
    {
      shape->hatch = 1;
      shape->stroke = plg_theme_text_on (grid->theme, bar);
    }
}

/* The classes by which a style sheet finds the members of a group: the number of the group on
 * each axis, 0 where the axis divides nothing. */
static const char *
gpu_classes (const PlgGrid *grid, int rank, int node, gboolean is_moved)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  GString *classes = g_string_new ("gpu");
  const char *kept;

  for (int axis = 0; rank >= 0 && axis < PLG_N_AXES; axis++)
    {
      int group = parallelism->degree[axis] > 1 ? plg_axis_group_of (parallelism, axis, rank) : 0;

      g_string_append_printf (classes, " %s-%d", plg_axis_name (axis), group);
    }
  g_string_append_printf (classes, " node-%d%s", node, is_moved ? " moved" : "");
  kept = plg_figure_string (grid->figure, "%s", classes->str);
  g_string_free (classes, TRUE);
  return kept;
}

static const char *
sound_title (const PlgGrid *grid, int gpu, int rank, const PlgCoordinate *at)
{
  g_autofree char *node = plg_plan_node_title (grid->plan, gpu / grid->layout.gpus_per_node);
  int local = gpu % grid->layout.gpus_per_node;
  const PlgStageMoment *moment = plg_grid_moment_of (grid, at->index[PLG_AXIS_PP]);

  if (rank < 0)
    return plg_figure_string (grid->figure, _ ("GPU %d of %s, no rank"), local, node);
  if (moment != NULL)
    return plg_figure_string (grid->figure, _ ("Rank %d on GPU %d of %s: %s"), rank, local, node,
                              plg_grid_activity_title (grid, moment));
  return plg_figure_string (grid->figure, _ ("Rank %d on GPU %d of %s: TP %d, PP %d, DP %d"), rank,
                            local, node, at->index[PLG_AXIS_TP], at->index[PLG_AXIS_PP],
                            at->index[PLG_AXIS_DP]);
}

static const char *
gpu_title (const PlgGrid *grid, int gpu, int rank, const PlgCoordinate *at)
{
  const char *title = sound_title (grid, gpu, rank, at);
  double rate = plg_grid_gpu_rate (grid, gpu);
  g_autofree char *words = plg_grid_rate_in_words (rate);

  return rate < 1.0 ? plg_figure_string (grid->figure, "%s · %s", title, words) : title;
}

static void
add_tile (const PlgGridCells *cells,
          PlgRect tile,
          int gpu,
          const PlgSwatch *swatch,
          int hatch,
          gboolean lit)
{
  const PlgGrid *grid = cells->grid;
  gboolean is_plain = grid->layout.detail == PLG_GRID_TILES;
  double radius = plg_grid_is_terse (grid) ? 0 : MIN (6, tile.height / 6 + 1);
  PlgShape *shape = plg_figure_rect (grid->figure, tile.x, tile.y, tile.width, tile.height, radius,
                                     plg_grid_fade (grid, swatch->fill, lit));

  shape->stroke = plg_grid_fade (grid, swatch->border, lit);
  shape->stroke_width = is_plain ? 0 : grid->theme->line_width;
  shape->hatch = hatch;
  if (swatch->hatch_color.alpha > 0)
    shape->hatch_color = plg_grid_fade (grid, swatch->hatch_color, lit);
  shape->thing = (PlgThing) { PLG_THING_GPU, 0, gpu };
}

/* Lines over the fill: at a moment they say what the GPU does, else which group it is in. Small
 * tiles have none, which would only grey them. */
static int
hatch_of (const PlgGridCells *cells, int rank, const PlgCoordinate *at, const PlgSwatch *swatch)
{
  const PlgStageMoment *moment = plg_grid_moment_of (cells->grid, at->index[PLG_AXIS_PP]);

  if (rank < 0 || cells->grid->layout.detail > PLG_GRID_SHORT)
    return 0;
  return moment != NULL ? plg_activity_hatch (moment->activity) : swatch->hatch;
}

static void
add_gpu (const PlgGridCells *cells, int gpu)
{
  const PlgGrid *grid = cells->grid;
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, gpu);
  int rank = grid->rank_of_gpu[gpu];
  gboolean lit = plg_grid_gpu_lit (grid, gpu);
  PlgCoordinate at = { 0 };
  PlgSwatch swatch;
  PlgColor ink;

  if (rank >= 0)
    at = plg_rank_coordinate (&grid->plan->parallelism, rank);
  swatch = gpu_swatch (cells, rank, &at);
  ink = plg_grid_fade (grid, swatch.text, lit);
  if (plg_grid_is_nameless (grid))
    plg_figure_open (grid->figure, NULL, NULL, NULL);
  else
    plg_figure_open (grid->figure, plg_figure_string (grid->figure, "gpu-%d", gpu),
                     gpu_classes (grid, rank, gpu / grid->layout.gpus_per_node,
                                  plg_grid_is_moved (grid, gpu)),
                     gpu_title (grid, gpu, rank, &at));
  add_tile (cells, tile, gpu, &swatch, hatch_of (cells, rank, &at, &swatch), lit);
  if (rank >= 0 && grid->layout.detail <= PLG_GRID_SHORT)
    {
      plg_grid_cells_add_texts (cells, tile, rank, &at, ink);
      if (plg_grid_cells_have_bars (cells))
        add_memory_bar (cells, tile, at.index[PLG_AXIS_PP], &swatch, lit);
    }
  plg_grid_add_moved_mark (cells->grid, gpu, ink, plg_grid_fade (grid, swatch.strong, lit));
  plg_figure_close (grid->figure);
}

static void
add_gpus_of_node (const PlgGridCells *cells, int node)
{
  int n = cells->grid->layout.gpus_per_node;

  for (int gpu = node * n; gpu < (node + 1) * n; gpu++)
    add_gpu (cells, gpu);
  plg_grid_cells_add_row_texts (cells, node);
}

gboolean
plg_grid_has_stacked_texts (PlgGrid *grid)
{
  PlgGridCells cells;
  gboolean is_stacked;

  cells_init (&cells, grid);
  is_stacked = cells.is_stacked;
  cells_clear (&cells);
  return is_stacked;
}

PlgGridCells *
plg_grid_cells_new (PlgGrid *grid)
{
  PlgGridCells *cells = g_new0 (PlgGridCells, 1);

  cells_init (cells, grid);
  return cells;
}

void
plg_grid_cells_free (PlgGridCells *cells)
{
  cells_clear (cells);
  g_free (cells);
}

static PlgSwatch
swatch_of (const PlgGridCells *cells, int gpu)
{
  int rank = cells->grid->rank_of_gpu[gpu];
  PlgCoordinate at = { 0 };

  if (rank >= 0)
    at = plg_rank_coordinate (&cells->grid->plan->parallelism, rank);
  return gpu_swatch (cells, rank, &at);
}

PlgColor
plg_grid_cells_fill (const PlgGridCells *cells, int gpu)
{
  return plg_grid_fade (cells->grid, swatch_of (cells, gpu).fill,
                        plg_grid_gpu_lit (cells->grid, gpu));
}

PlgColor
plg_grid_cells_ink (const PlgGridCells *cells, int gpu)
{
  return plg_grid_fade (cells->grid, swatch_of (cells, gpu).text,
                        plg_grid_gpu_lit (cells->grid, gpu));
}

static void
add_single_gpus (PlgGrid *grid)
{
  PlgGridCells cells;

  cells_init (&cells, grid);
  for (int node = 0; node < grid->layout.nodes; node++)
    if (plg_grid_shows_node (grid, node))
      add_gpus_of_node (&cells, node);
  cells_clear (&cells);
}

void
plg_grid_add_gpus (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_CLUSTER);
  if (grid->layout.is_rack_tile)
    plg_grid_add_racks (grid);
  else if (grid->layout.detail == PLG_GRID_NODES)
    plg_grid_add_node_tiles (grid);
  else
    add_single_gpus (grid);
}
