/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-marks.h"
#include "drawing/cluster/cluster-nodes.h"
#include "drawing/cluster/cluster-snapshot.h"

#include <glib/gi18n-lib.h>

/* Opens the group of shapes for GPU and gives it one class per axis. Each class contains the
 * index of the GPU's parallel group on that axis (0 on an axis of degree 1), so that a style
 * sheet can select the members of a parallel group. */
static void
open_gpu (const PlgClusterDrawing *drawing, int gpu, int rank, const PlgCoordinate *at)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  int node = gpu / drawing->layout.gpus_per_node, local = gpu % drawing->layout.gpus_per_node;
  const PlgStageSnapshot *moment = plg_cluster_stage_snapshot (drawing, at->index[PLG_AXIS_PP]);
  double rate = plg_cluster_gpu_rate (drawing, gpu);
  g_autofree char *name = plg_plan_node_title (drawing->plan, node);
  g_autofree char *rate_text = plg_cluster_rate_describe (rate);
  gboolean is_fullest = plg_cluster_is_rank_fullest (drawing->plan, rank);
  g_autofree char *load_text = is_fullest ? plg_cluster_load_describe (drawing->plan) : NULL;
  g_autoptr (GString) classes = g_string_new ("gpu");
  const char *title;

  for (int axis = 0; rank >= 0 && axis < PLG_N_AXES; axis++)
    {
      int group = parallelism->degree[axis] > 1 ? plg_axis_group_of (parallelism, axis, rank) : 0;

      g_string_append_printf (classes, " %s-%d", plg_axis_name (axis), group);
    }
  g_string_append_printf (classes, " node-%d%s%s", node,
                          plg_cluster_is_gpu_moved (drawing, gpu) ? " moved" : "",
                          is_fullest ? " fullest" : "");

  if (rank < 0)
    title = plg_figure_string (drawing->figure, _ ("GPU %d of %s, no rank"), local, name);
  else if (moment != NULL)
    title = plg_figure_string (drawing->figure, _ ("Rank %d on GPU %d of %s: %s"), rank, local,
                               name, plg_cluster_activity_title (drawing, moment));
  else
    title = plg_figure_string (drawing->figure, _ ("Rank %d on GPU %d of %s: TP %d, PP %d, DP %d"),
                               rank, local, name, at->index[PLG_AXIS_TP], at->index[PLG_AXIS_PP],
                               at->index[PLG_AXIS_DP]);
  for (PlgAxis axis = PLG_AXIS_CP; rank >= 0 && moment == NULL && axis <= PLG_AXIS_EP; axis++)
    if (parallelism->degree[axis] > 1)
      title = plg_figure_string (drawing->figure, "%s, %s %d", title, plg_axis_label (axis),
                                 at->index[axis]);
  if (rate < 1.0)
    title = plg_figure_string (drawing->figure, "%s · %s", title, rate_text);
  if (is_fullest)
    title = plg_figure_string (drawing->figure, "%s · %s", title, load_text);
  plg_figure_open (drawing->figure, plg_figure_string (drawing->figure, "gpu-%d", gpu),
                   plg_figure_string (drawing->figure, "%s", classes->str), title);
}

/* Adds the thin bar that shows the memory use of a GPU. If the use is above the capacity, the
 * bar is full and hatched. */
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
  double share = plg_cluster_memory_share (drawing, stage);
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
  int rank = drawing->rank_of_gpu[gpu];
  gboolean highlighted = plg_cluster_is_gpu_highlighted (drawing, gpu);
  const PlgStageSnapshot *moment;
  PlgCoordinate at = { 0 };
  double radius = plg_cluster_has_low_detail (drawing) ? 0 : MIN (6, tile.height / 6 + 1);
  PlgSwatch swatch;
  PlgShape *shape;
  PlgColor ink;

  if (rank >= 0)
    at = plg_rank_coordinate (&drawing->plan->parallelism, rank);
  swatch = plg_cluster_cells_swatch (cells, gpu);
  ink = plg_cluster_dim (drawing, swatch.text, highlighted);
  if (plg_cluster_is_without_ids (drawing))
    plg_figure_open (drawing->figure, NULL, NULL, NULL);
  else
    open_gpu (drawing, gpu, rank, &at);
  moment = plg_cluster_stage_snapshot (drawing, at.index[PLG_AXIS_PP]);
  /* The hatch represents the activity at the moment shown, or the group if the whole step is
   * shown. Leave it out on small cells, because it would only make them look grey. */
  shape = plg_figure_rect (drawing->figure, tile.x, tile.y, tile.width, tile.height, radius,
                           plg_cluster_dim (drawing, swatch.fill, highlighted));
  shape->stroke = plg_cluster_dim (drawing, swatch.border, highlighted);
  shape->stroke_width = drawing->layout.detail == PLG_CLUSTER_DETAIL_TILES
                            ? 0
                            : drawing->theme->line_width;
  if (rank >= 0 && drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    shape->hatch = moment != NULL ? plg_activity_hatch (moment->activity) : swatch.hatch;
  if (swatch.hatch_color.alpha > 0)
    shape->hatch_color = plg_cluster_dim (drawing, swatch.hatch_color, highlighted);
  shape->entity = (PlgEntity) { PLG_ENTITY_GPU, 0, gpu };
  if (rank >= 0 && drawing->layout.detail <= PLG_CLUSTER_DETAIL_SHORT)
    {
      plg_cluster_cells_add_texts (cells, tile, rank, &at, ink);
      if (plg_cluster_cells_have_bars (cells))
        add_memory_bar (drawing, tile, at.index[PLG_AXIS_PP], &swatch, highlighted);
    }
  plg_cluster_add_load_mark (cells->drawing, gpu, highlighted);
  plg_cluster_add_placement_mark (cells->drawing, gpu, ink,
                                  plg_cluster_dim (drawing, swatch.strong, highlighted));
  plg_figure_close (drawing->figure);
}

void
plg_cluster_add_gpus (PlgClusterDrawing *drawing)
{
  int n = drawing->layout.gpus_per_node;
  g_autoptr (PlgClusterCells) cells = NULL;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_CLUSTER);
  if (drawing->layout.is_rack_tile)
    {
      plg_cluster_add_racks (drawing);
      return;
    }
  if (drawing->layout.detail == PLG_CLUSTER_DETAIL_NODES)
    {
      plg_cluster_add_node_tiles (drawing);
      return;
    }
  cells = plg_cluster_cells_new (drawing);
  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      {
        for (int gpu = node * n; gpu < (node + 1) * n; gpu++)
          add_gpu (cells, gpu);
        plg_cluster_cells_add_row_texts (cells, node);
      }
}
