/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-cells.h"
#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-marks.h"

#include "plan/edit.h"

#include <glib/gi18n-lib.h>

/* With more blocks than this, no block has a handle, because the handles would hide the picture.
 * A block is a group of an axis together with the groups nested inside it. */
#define MAX_BLOCKS 64

/* The size of a handle, which is a pill-shaped mark across an edge, and the width of the margin
 * around the pill that also reacts to the pointer [points]. */
#define HANDLE_LENGTH 30.0
#define HANDLE_WIDTH 10.0
#define HANDLE_MARGIN 6.0
/* The maximum enlargement of handles when the view is zoomed out. */
#define MAX_POINTS_PER_PIXEL 3.0
/* The maximum enlargement of the visible pill. It is smaller than the maximum for the area
 * around the pill, so that the pill does not cover neighbouring GPUs. */
#define MAX_VISIBLE_SCALE 1.4

/* The handles lie side by side on a lower edge, at these shares of its width from the left. */
#define PLACE_SHARD 0.1
#define PLACE_EP 0.3
#define PLACE_MIDDLE 0.5
#define PLACE_OUTER 0.75
/* On the right edge of a block within a row of GPUs, otherwise in the middle of its lower edge. */
#define PLACE_RIGHT (-1.0)

/* Adds a handle for ENTITY centred at (X, Y): upright on a right edge, horizontal on a lower
 * edge. */
static void
add_handle (PlgClusterDrawing *drawing, PlgEntity entity, double x, double y, gboolean is_upright)
{
  gboolean is_shard = entity.kind == PLG_ENTITY_SHARD;
  PlgAxis axis = entity.axis;
  const char *name = is_shard ? "shard" : plg_axis_name (axis);
  PlgColor color = drawing->theme->role[PLG_ROLE_AXIS_TP + axis];
  PlgColor none = PLG_COLOR_NONE;
  double points_per_pixel = MIN (drawing->layout.points_per_pixel, MAX_POINTS_PER_PIXEL);
  double margin = HANDLE_MARGIN * points_per_pixel;
  double width = points_per_pixel * (is_upright ? HANDLE_WIDTH : HANDLE_LENGTH);
  double height = points_per_pixel * (is_upright ? HANDLE_LENGTH : HANDLE_WIDTH);
  double visible_share = MIN (points_per_pixel, MAX_VISIBLE_SCALE) / points_per_pixel;
  const char *title = is_shard ? _ ("Drag to change the shard groups (HSDP)")
                               : plg_figure_string (drawing->figure, _ ("Drag to change %s"),
                                                    plg_axis_label (axis));
  PlgShape *area;

  plg_figure_open (drawing->figure,
                   plg_figure_string (drawing->figure, "handle-%s-%d", name, entity.index),
                   plg_figure_string (drawing->figure, "handle %s", name), title);
  area = plg_figure_rect (drawing->figure, x - width / 2 - margin, y - height / 2 - margin,
                          width + 2 * margin, height + 2 * margin, 0, none);
  area->entity = entity;
  area->title = title;
  width *= visible_share;
  height *= visible_share;
  plg_figure_rect (drawing->figure, x - width / 2, y - height / 2, width, height,
                   MIN (width, height) / 2, color);
  if (points_per_pixel < 2)
    {
      PlgColor ink = plg_theme_text_on (drawing->theme, color);

      for (int i = -1; i <= 1; i += 2)
        if (is_upright)
          plg_figure_line (drawing->figure, x + i * 1.8, y - 5, x + i * 1.8, y + 5, ink, 1.2);
        else
          plg_figure_line (drawing->figure, x - 5, y + i * 1.8, x + 5, y + i * 1.8, ink, 1.2);
    }
  plg_figure_close (drawing->figure);
}

/* Adds a handle for ENTITY to the edge of N consecutive ranks, at PLACE. The index of ENTITY is the
 * first of these ranks. A block that is split into separate areas gets no handle. */
static void
add_edge_handle (PlgClusterDrawing *drawing, PlgEntity entity, int n, double place)
{
  g_autofree int *gpus = g_new (int, MAX (n, 1));
  g_autoptr (GArray) cover = NULL;
  PlgRect edge;
  int first;

  if (!plg_placement_block (&drawing->plan->placement, entity.index, n, &first))
    return;
  /* Place the handle on the edge of the last rectangle that the block covers. */
  for (int i = 0; i < n; i++)
    gpus[i] = first + i;
  cover = plg_cluster_layout_regions (&drawing->layout, gpus, n);
  edge = g_array_index (cover, PlgRect, cover->len - 1);
  if (n <= drawing->layout.gpu_columns && place == PLACE_RIGHT)
    add_handle (drawing, entity, edge.x + edge.width + 4, edge.y + edge.height / 2, TRUE);
  else
    add_handle (drawing, entity,
                edge.x + edge.width * (place == PLACE_RIGHT ? PLACE_MIDDLE : place),
                edge.y + edge.height + 4, FALSE);
}

/* Returns whether the ranks of each block of AXIS are consecutive. The ranks of an EP group are
 * consecutive within their stage, so stages must not lie inside the group. */
static gboolean
has_blocks (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;

  if (axis != PLG_AXIS_EP)
    return TRUE;
  return plg_transformer_is_moe (&drawing->plan->model) &&
         (parallelism->degree[PLG_AXIS_PP] == 1 ||
          plg_axis_stride (parallelism, PLG_AXIS_PP) % plg_axis_block (parallelism, axis) == 0);
}

/* Adds a handle to the block of AXIS that contains RANK, if the degree of AXIS can change. Except
 * for EP, it can change only together with the degree of a compensating axis, so that their
 * product stays the same. */
static void
add_block_handle (PlgClusterDrawing *drawing, PlgAxis axis, int rank, double place)
{
  int n = plg_axis_bounded_block (&drawing->plan->parallelism, axis);
  gboolean can_change = FALSE;

  for (gboolean other = FALSE; other <= TRUE; other++)
    can_change |= plg_edit_degree_choices (drawing->plan, axis,
                                           plg_edit_compensating_axis (axis, other), NULL, 0) > 1;
  if (can_change && has_blocks (drawing, axis))
    add_edge_handle (drawing, (PlgEntity) { PLG_ENTITY_HANDLE, axis, rank - rank % n }, n, place);
}

/* Adds a handle to the shard group that contains RANK, if the plan can have another number of shard
 * groups. */
static void
add_shard_handle (PlgClusterDrawing *drawing, int rank)
{
  int n = plg_shard_block (&drawing->plan->parallelism);

  if (plg_edit_replicate_choices (drawing->plan, NULL, 0) > 1)
    add_edge_handle (drawing, (PlgEntity) { PLG_ENTITY_SHARD, PLG_AXIS_DP, rank - rank % n }, n,
                     PLACE_SHARD);
}

void
plg_cluster_add_handles (PlgClusterDrawing *drawing)
{
  const PlgParallelism *parallelism = &drawing->plan->parallelism;
  int rank = MAX (plg_cluster_rank_of (drawing, drawing->options->selected), 0);
  gboolean is_pp_outer;
  PlgAxis axis;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_HANDLES);
  if (!plg_cluster_layout_is_ranked (drawing->plan) ||
      drawing->layout.detail > PLG_CLUSTER_DETAIL_TILES)
    return;
  if (plg_cluster_single_axis (drawing->options->show, &axis))
    {
      /* In a zoomed-out view, only one block has a handle, because handles are large compared to
       * GPUs. */
      int n = plg_axis_bounded_block (parallelism, axis);

      if (axis == PLG_AXIS_DP)
        add_shard_handle (drawing, rank);
      if (drawing->gpus / n > MAX_BLOCKS)
        return;
      if (drawing->layout.points_per_pixel > 1)
        {
          add_block_handle (drawing, axis, rank, PLACE_RIGHT);
          return;
        }
      for (int first = 0; first < drawing->gpus; first += n)
        add_block_handle (drawing, axis, first, PLACE_RIGHT);
      return;
    }
  if (drawing->options->show != PLG_SHOW_ALL)
    return;
  is_pp_outer = plg_axis_bounded_block (parallelism, PLG_AXIS_PP) >=
                plg_axis_bounded_block (parallelism, PLG_AXIS_TP);
  add_block_handle (drawing, PLG_AXIS_PP, rank, is_pp_outer ? PLACE_OUTER : PLACE_RIGHT);
  add_block_handle (drawing, PLG_AXIS_TP, rank, is_pp_outer ? PLACE_RIGHT : PLACE_OUTER);
  if (parallelism->degree[PLG_AXIS_EP] > 1)
    add_block_handle (drawing, PLG_AXIS_EP, rank, PLACE_EP);
  if (plg_parallelism_replicate (parallelism) > 1)
    add_shard_handle (drawing, rank);
}
