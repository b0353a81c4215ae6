/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-group-outlines.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-nodes.h"
#include "drawing/cluster/cluster-snapshot.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

gboolean
plg_cluster_single_axis (PlgShow show, PlgAxis *axis)
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

/* Writes A, B … Z, AA, AB …; TEXT has room for 8 bytes. */
const char *
plg_cluster_group_letters (int group, char *text)
{
  char *at = text + 7;

  *at = '\0';
  for (int rest = group + 1; rest > 0 && at > text; rest = (rest - 1) / 26)
    *--at = (char) ('A' + (rest - 1) % 26);
  return at;
}

/* The fill runs from the colour of the card to the accent; above the capacity it has the colour of
 * errors. */
PlgSwatch
plg_cluster_memory_swatch (const PlgTheme *theme, double share)
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


const PlgStageMemory *
plg_cluster_stage_memory (const PlgClusterDrawing *drawing, int stage)
{
  if (stage < 0 || stage >= (int) drawing->report->stages->len)
    return NULL;
  return &g_array_index (drawing->report->stages, PlgStageMemory, stage);
}

/* The share of the capacity that a GPU of STAGE uses; 0 if the share is not known. */
static double
memory_share (const PlgClusterDrawing *drawing, int stage)
{
  const PlgStageMemory *memory = plg_cluster_stage_memory (drawing, stage);

  if (memory == NULL || !(drawing->report->memory_capacity > 0) || !(memory->total >= 0))
    return 0;
  return memory->total / drawing->report->memory_capacity;
}

static PlgSwatch
cells_swatch (const PlgClusterCells *cells, int rank, const PlgCoordinate *at)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (drawing, at->index[PLG_AXIS_PP]);

  if (rank < 0)
    return cells->neutral;
  if (moment != NULL)
    return cells->snapshot_swatches[at->index[PLG_AXIS_PP]];
  if (drawing->options->show == PLG_SHOW_MEMORY)
    return plg_cluster_memory_swatch (drawing->theme,
                                      memory_share (drawing, at->index[PLG_AXIS_PP]));
  if (!cells->is_single)
    return cells->swatches[at->index[PLG_AXIS_DP] & 1][at->index[PLG_AXIS_PP]];
  if (parallelism->degree[cells->axis] <= 1)
    return cells->neutral;
  return cells->swatches[0][plg_axis_group_of (parallelism, cells->axis, rank)];
}

static void
cells_init (PlgClusterCells *cells, PlgClusterDrawing *drawing)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  const PlgColor *role = drawing->theme->role;

  *cells = (PlgClusterCells) { .drawing = drawing,
                               .neutral = { .fill = role[PLG_ROLE_GRID],
                                            .strong = role[PLG_ROLE_TEXT_DIM],
                                            .border = role[PLG_ROLE_CARD_BORDER],
                                            .text = plg_theme_text_on (drawing->theme,
                                                                       role[PLG_ROLE_GRID]) } };
  cells->is_single = plg_cluster_single_axis (drawing->options->show, &cells->axis);
  cells->two_lines = drawing->layout.detail == PLG_CLUSTER_DETAIL_FULL &&
                     plg_cluster_cells_need_two_lines (drawing);
  if (plg_cluster_layout_is_ranked (drawing->plan))
    {
      plg_cluster_cells_size_tags (cells);
      cells->row_tag_width = plg_cluster_cells_widest_tag (cells, FALSE);
    }
  plg_cluster_cells_set_stacked (cells);
  cells->outlined = drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES
                        ? plg_cluster_gpu_outline_axes (drawing)
                        : NULL;
  if (drawing->moment != NULL)
    {
      const PlgSnapshot *moment = drawing->moment;

      cells->snapshot_swatches = g_new (PlgSwatch, moment->n_stages);
      for (int i = 0; i < moment->n_stages; i++)
        {
          PlgSwatch stage = plg_theme_swatch (drawing->theme, i, moment->n_stages, FALSE);

          cells->snapshot_swatches[i] = plg_activity_swatch (drawing->theme, &stage,
                                                             moment->stages[i].activity);
        }
    }
  if (drawing->moment != NULL || !plg_cluster_layout_is_ranked (drawing->plan) ||
      drawing->options->show == PLG_SHOW_MEMORY)
    return;
  cells->n_swatches = cells->is_single ? plg_axis_groups (parallelism, cells->axis)
                                       : parallelism->degree[PLG_AXIS_PP];
  for (int pale = 0; pale < 2; pale++)
    {
      cells->swatches[pale] = g_new (PlgSwatch, cells->n_swatches);
      for (int i = 0; i < cells->n_swatches; i++)
        cells->swatches[pale][i] = plg_theme_swatch (drawing->theme, i, cells->n_swatches, pale);
    }
}

static void
cells_clear (PlgClusterCells *cells)
{
  g_free (cells->swatches[0]);
  g_free (cells->swatches[1]);
  g_free (cells->snapshot_swatches);
  g_free (cells->outlined);
}

/* The classes by which a style sheet finds the members of a group: the number of the group on each
 * axis, 0 on an axis of degree 1. */
static const char *
gpu_classes (const PlgClusterDrawing *drawing, int rank, int node, gboolean is_moved)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  GString *classes = g_string_new ("gpu");
  const char *kept;

  for (int axis = 0; rank >= 0 && axis < PLG_N_AXES; axis++)
    {
      int group = parallelism->degree[axis] > 1 ? plg_axis_group_of (parallelism, axis, rank) : 0;

      g_string_append_printf (classes, " %s-%d", plg_axis_name (axis), group);
    }
  g_string_append_printf (classes, " node-%d%s", node, is_moved ? " moved" : "");
  kept = plg_figure_string (drawing->figure, "%s", classes->str);
  g_string_free (classes, TRUE);
  return kept;
}

static const char *
gpu_title (const PlgClusterDrawing *drawing, int gpu, int rank, const PlgCoordinate *at)
{
  g_autofree char *node = plg_plan_node_title (drawing->plan, gpu / drawing->layout.gpus_per_node);
  int local = gpu % drawing->layout.gpus_per_node;
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (drawing, at->index[PLG_AXIS_PP]);
  double rate = plg_cluster_gpu_rate (drawing, gpu);
  g_autofree char *words = plg_cluster_rate_describe (rate);
  const char *title;

  if (rank < 0)
    title = plg_figure_string (drawing->figure, _ ("GPU %d of %s, no rank"), local, node);
  else if (moment != NULL)
    title = plg_figure_string (drawing->figure, _ ("Rank %d on GPU %d of %s: %s"), rank, local,
                               node, plg_cluster_activity_title (drawing, moment));
  else
    title = plg_figure_string (drawing->figure, _ ("Rank %d on GPU %d of %s: TP %d, PP %d, DP %d"),
                               rank, local, node, at->index[PLG_AXIS_TP], at->index[PLG_AXIS_PP],
                               at->index[PLG_AXIS_DP]);
  return rate < 1.0 ? plg_figure_string (drawing->figure, "%s · %s", title, words) : title;
}

static void
add_tile (const PlgClusterCells *cells,
          PlgRect tile,
          int gpu,
          const PlgSwatch *swatch,
          int hatch,
          gboolean highlighted)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  gboolean is_plain = drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES;
  double radius = plg_cluster_has_low_detail (drawing) ? 0 : MIN (6, tile.height / 6 + 1);
  PlgShape *shape = plg_figure_rect (drawing->figure, tile.x, tile.y, tile.width, tile.height,
                                     radius, plg_cluster_dim (drawing, swatch->fill, highlighted));

  shape->stroke = plg_cluster_dim (drawing, swatch->border, highlighted);
  shape->stroke_width = is_plain ? 0 : drawing->theme->line_width;
  shape->hatch = hatch;
  if (swatch->hatch_color.alpha > 0)
    shape->hatch_color = plg_cluster_dim (drawing, swatch->hatch_color, highlighted);
  shape->entity = (PlgEntity) { PLG_ENTITY_GPU, 0, gpu };
}

/* Adds the thin bar of used memory. A bar above the capacity is full and hatched. */
static void
add_memory_bar (const PlgClusterDrawing *drawing,
                PlgRect tile,
                int stage,
                const PlgSwatch *swatch,
                gboolean highlighted)
{
  gboolean is_small = plg_cluster_is_small (drawing);
  double pad = is_small ? 5 : PLG_CLUSTER_TILE_PAD, height = is_small ? 3.5 : 5;
  double radius = plg_cluster_has_low_detail (drawing) ? 0 : height / 2;
  double width = tile.width - 2 * pad, y = tile.y + tile.height - (is_small ? 8 : 11.5);
  double share = memory_share (drawing, stage);
  PlgColor track = plg_color_mix (swatch->fill, drawing->theme->role[PLG_ROLE_CARD], 0.7);
  PlgColor bar = share > 1 ? drawing->theme->role[PLG_ROLE_ERROR] : swatch->strong;
  PlgShape *shape;

  plg_figure_rect (drawing->figure, tile.x + pad, y, width, height, radius,
                   plg_cluster_dim (drawing, track, highlighted));
  if (!(share > 0))
    return;
  shape = plg_figure_rect (drawing->figure, tile.x + pad, y, width * MIN (share, 1), height, radius,
                           plg_cluster_dim (drawing, bar, highlighted));
  if (share > 1)
    {
      shape->hatch = 1;
      shape->stroke = plg_theme_text_on (drawing->theme, bar);
    }
}

static void
add_gpu (const PlgClusterCells *cells, int gpu)
{
  const PlgClusterDrawing *drawing = cells->drawing;
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, gpu);
  int rank = drawing->rank_of_gpu[gpu], hatch = 0;
  gboolean highlighted = plg_cluster_is_gpu_highlighted (drawing, gpu);
  const PlgStageSnapshot *moment;
  PlgCoordinate at = { 0 };
  PlgSwatch swatch;
  PlgColor ink;

  if (rank >= 0)
    at = plg_rank_coordinate (&drawing->plan->parallelism, rank);
  swatch = cells_swatch (cells, rank, &at);
  ink = plg_cluster_dim (drawing, swatch.text, highlighted);
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_open (drawing->figure, NULL, NULL, NULL);
  else
    plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "gpu-%d", gpu),
                     gpu_classes (drawing, rank, gpu / drawing->layout.gpus_per_node,
                                  plg_cluster_is_gpu_moved (drawing, gpu)),
                     gpu_title (drawing, gpu, rank, &at));
  moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);
  /* The hatch stands for the activity at a moment, else for the group. Small cells have no hatch,
   * which would only make them grey. */
  if (rank >= 0 && drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    hatch = moment != NULL ? plg_activity_hatch (moment->activity) : swatch.hatch;
  add_tile (cells, tile, gpu, &swatch, hatch, highlighted);
  if (rank >= 0 && drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    {
      plg_cluster_cells_add_texts (cells, tile, rank, &at, ink);
      if (plg_cluster_cells_have_bars (cells))
        add_memory_bar (drawing, tile, at.index[PLG_AXIS_PP], &swatch, highlighted);
    }
  plg_cluster_add_placement_mark (cells->drawing, gpu, ink,
                                  plg_cluster_dim (drawing, swatch.strong, highlighted));
  plg_figure_close (drawing->figure);
}

gboolean
plg_cluster_has_stacked_texts (PlgClusterDrawing *drawing)
{
  PlgClusterCells cells;
  gboolean is_stacked;

  cells_init (&cells, drawing);
  is_stacked = cells.is_stacked;
  cells_clear (&cells);
  return is_stacked;
}

PlgClusterCells *
plg_cluster_cells_new (PlgClusterDrawing *drawing)
{
  PlgClusterCells *cells = g_new0 (PlgClusterCells, 1);

  cells_init (cells, drawing);
  return cells;
}

void
plg_cluster_cells_free (PlgClusterCells *cells)
{
  cells_clear (cells);
  g_free (cells);
}

static PlgSwatch
cells_swatch_of_gpu (const PlgClusterCells *cells, int gpu)
{
  int rank = cells->drawing->rank_of_gpu[gpu];
  PlgCoordinate at = { 0 };

  if (rank >= 0)
    at = plg_rank_coordinate (&cells->drawing->plan->parallelism, rank);
  return cells_swatch (cells, rank, &at);
}

PlgColor
plg_cluster_cells_fill (const PlgClusterCells *cells, int gpu)
{
  return plg_cluster_dim (cells->drawing, cells_swatch_of_gpu (cells, gpu).fill,
                          plg_cluster_is_gpu_highlighted (cells->drawing, gpu));
}

PlgColor
plg_cluster_cells_text_color (const PlgClusterCells *cells, int gpu)
{
  return plg_cluster_dim (cells->drawing, cells_swatch_of_gpu (cells, gpu).text,
                          plg_cluster_is_gpu_highlighted (cells->drawing, gpu));
}

void
plg_cluster_add_gpus (PlgClusterDrawing *drawing)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_CLUSTER);
  if (drawing->layout.is_rack_tile)
    plg_cluster_add_racks (drawing);
  else if (drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    plg_cluster_add_node_tiles (drawing);
  else
    {
      PlgClusterCells cells;

      cells_init (&cells, drawing);
      for (int node = 0; node < drawing->layout.nodes; node++)
        if (plg_cluster_shows_node (drawing, node))
          {
            int n = drawing->layout.gpus_per_node;

            for (int gpu = node * n; gpu < (node + 1) * n; gpu++)
              add_gpu (&cells, gpu);
            plg_cluster_cells_add_row_texts (&cells, node);
          }
      cells_clear (&cells);
    }
}
