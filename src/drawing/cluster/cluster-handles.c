/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

#include "plan/edit.h"

#include <glib/gi18n-lib.h>

/* With more blocks than this, grips on all of them would hide the picture. */
#define MAX_BLOCKS 64

/* A grip: a pill across an edge, and a larger area around it that can be hit. */
#define HANDLE_LENGTH 30.0
#define HANDLE_WIDTH 10.0
#define HANDLE_MARGIN 6.0
/* Zoomed out, grips stay large enough to be taken, but no larger than this many times. */
#define MAX_POINTS_PER_PIXEL 3.0
/* What is seen of one grows less than what can be hit, or it would lie on the GPUs beside it. */
#define MAX_VISIBLE_SCALE 1.4

/* Whether AXIS can have another degree, with one absorber or the other. */
static gboolean
has_room (const PlgPlan *plan, PlgAxis axis)
{
  for (gboolean other = FALSE; other <= TRUE; other++)
    if (plg_edit_degree_choices (plan, axis, plg_edit_compensating_axis (axis, other), NULL, 0) > 1)
      return TRUE;
  return FALSE;
}

/* The last rectangle of the GPUs FIRST .. FIRST + N - 1: its edge is the block's. */
static PlgRect
last_part (const PlgClusterDrawing *drawing, int first, int n)
{
  g_autofree int *gpus = g_new (int, MAX (n, 1));
  g_autoptr (GArray) cover = NULL;

  for (int i = 0; i < n; i++)
    gpus[i] = first + i;
  cover = plg_cluster_layout_regions (&drawing->layout, gpus, n);
  return g_array_index (cover, PlgRect, cover->len - 1);
}

static void
add_handle_lines (PlgClusterDrawing *drawing,
                  double x,
                  double y,
                  gboolean is_upright,
                  PlgColor color)
{
  for (int i = -1; i <= 1; i += 2)
    if (is_upright)
      plg_figure_line (drawing->figure, x + i * 1.8, y - 5, x + i * 1.8, y + 5, color, 1.2);
    else
      plg_figure_line (drawing->figure, x - 5, y + i * 1.8, x + 5, y + i * 1.8, color, 1.2);
}

/* A grip around (X, Y): upright on a right edge, lying on a lower one. */
static void
add_handle (PlgClusterDrawing *drawing,
            PlgAxis axis,
            int rank,
            double x,
            double y,
            gboolean is_upright)
{
  PlgColor color = drawing->theme->role[PLG_ROLE_AXIS_TP + axis];
  PlgColor none = PLG_COLOR_NONE;
  double points_per_pixel = MIN (drawing->layout.points_per_pixel, MAX_POINTS_PER_PIXEL),
         margin = HANDLE_MARGIN * points_per_pixel;
  double width = points_per_pixel * (is_upright ? HANDLE_WIDTH : HANDLE_LENGTH);
  double height = points_per_pixel * (is_upright ? HANDLE_LENGTH : HANDLE_WIDTH);
  double less = MIN (points_per_pixel, MAX_VISIBLE_SCALE) / points_per_pixel;
  const char *title = plg_figure_string (drawing->figure, _ ("Drag to change %s"),
                                         plg_axis_label (axis));
  PlgShape *area;

  plg_figure_open (drawing->figure,
                   plg_figure_string (drawing->figure, "handle-%s-%d", plg_axis_name (axis), rank),
                   plg_figure_string (drawing->figure, "handle %s", plg_axis_name (axis)), title);
  area = plg_figure_rect (drawing->figure, x - width / 2 - margin, y - height / 2 - margin,
                          width + 2 * margin, height + 2 * margin, 0, none);
  area->entity = (PlgEntity) { PLG_ENTITY_HANDLE, axis, rank };
  area->title = title;
  width *= less;
  height *= less;
  plg_figure_rect (drawing->figure, x - width / 2, y - height / 2, width, height,
                   MIN (width, height) / 2, color);
  if (points_per_pixel < 2)
    add_handle_lines (drawing, x, y, is_upright, plg_theme_text_on (drawing->theme, color));
  plg_figure_close (drawing->figure);
}

/* The grip of the block that the edge of AXIS bounds around RANK: on its right edge while it lies
 * within a row, else on its lower edge. IS_OUTER: a block around another one, whose grip must not
 * lie on that one's. Blocks that are torn apart have no edge. */
static void
add_block_handle (PlgClusterDrawing *drawing, PlgAxis axis, int rank, gboolean is_outer)
{
  int n = plg_axis_bounded_block (&drawing->plan->parallelism, axis);
  PlgRect edge;
  int first;

  rank -= rank % n;
  if (!has_room (drawing->plan, axis) ||
      !plg_placement_block (&drawing->plan->placement, rank, n, &first))
    return;
  edge = last_part (drawing, first, n);
  if (n <= drawing->layout.gpu_columns && !is_outer)
    add_handle (drawing, axis, rank, edge.x + edge.width + 4, edge.y + edge.height / 2, TRUE);
  else
    add_handle (drawing, axis, rank, edge.x + edge.width * (is_outer ? 0.75 : 0.5),
                edge.y + edge.height + 4, FALSE);
}

/* Zoomed out, where grips are large beside the GPUs, only that of the block around one. */
static void
add_axis_handles (PlgClusterDrawing *drawing, PlgAxis axis, int rank_of_one)
{
  int n = plg_axis_bounded_block (&drawing->plan->parallelism, axis);

  if (drawing->gpus / n > MAX_BLOCKS)
    return;
  if (drawing->layout.points_per_pixel > 1)
    {
      add_block_handle (drawing, axis, rank_of_one, FALSE);
      return;
    }
  for (int rank = 0; rank < drawing->gpus; rank += n)
    add_block_handle (drawing, axis, rank, FALSE);
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
      /* EP is no factor of the world size: its groups have no edge of their own. */
      if (axis != PLG_AXIS_EP)
        add_axis_handles (drawing, axis, rank);
      return;
    }
  if (drawing->options->show != PLG_SHOW_ALL)
    return;
  is_pp_outer = plg_axis_bounded_block (parallelism, PLG_AXIS_PP) >=
                plg_axis_bounded_block (parallelism, PLG_AXIS_TP);
  add_block_handle (drawing, PLG_AXIS_PP, rank, is_pp_outer);
  add_block_handle (drawing, PLG_AXIS_TP, rank, !is_pp_outer);
}
