/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/edit.h"

#include <glib/gi18n-lib.h>

/* With more blocks than this, grips on all of them would hide the picture. */
#define MAX_BLOCKS 64

/* A grip: a pill across an edge, and a larger area around it that can be hit. */
#define GRIP_LONG 30.0
#define GRIP_SHORT 10.0
#define GRIP_MARGIN 6.0
/* Zoomed out, grips stay large enough to be taken, but no larger than this many times. */
#define MAX_GRAIN 3.0
/* What is seen of one grows less than what can be hit, or it would lie on the GPUs beside it. */
#define MAX_SEEN 1.4

/* Whether AXIS can have another degree, with one absorber or the other. */
static gboolean
has_room (const PlgPlan *plan, PlgAxis axis)
{
  for (gboolean other = FALSE; other <= TRUE; other++)
    if (plg_edit_degree_choices (plan, axis, plg_edit_absorber (axis, other), NULL, 0) > 1)
      return TRUE;
  return FALSE;
}

/* The last rectangle of the GPUs FIRST .. FIRST + N - 1: its edge is the block's. */
static PlgRect
last_part (const PlgGrid *grid, int first, int n)
{
  g_autofree int *gpus = g_new (int, MAX (n, 1));
  g_autoptr (GArray) cover = NULL;

  for (int i = 0; i < n; i++)
    gpus[i] = first + i;
  cover = plg_grid_layout_cover (&grid->layout, gpus, n);
  return g_array_index (cover, PlgRect, cover->len - 1);
}

static void
add_grip_lines (PlgGrid *grid, double x, double y, gboolean is_upright, PlgColor color)
{
  for (int i = -1; i <= 1; i += 2)
    if (is_upright)
      plg_figure_line (grid->figure, x + i * 1.8, y - 5, x + i * 1.8, y + 5, color, 1.2);
    else
      plg_figure_line (grid->figure, x - 5, y + i * 1.8, x + 5, y + i * 1.8, color, 1.2);
}

/* A grip around (X, Y): upright on a right edge, lying on a lower one. */
static void
add_grip (PlgGrid *grid, PlgAxis axis, int rank, double x, double y, gboolean is_upright)
{
  PlgColor color = grid->theme->role[PLG_ROLE_AXIS_TP + axis];
  PlgColor none = PLG_COLOR_NONE;
  double grain = MIN (grid->layout.grain, MAX_GRAIN), margin = GRIP_MARGIN * grain;
  double width = grain * (is_upright ? GRIP_SHORT : GRIP_LONG);
  double height = grain * (is_upright ? GRIP_LONG : GRIP_SHORT);
  double less = MIN (grain, MAX_SEEN) / grain;
  const char *title = plg_figure_string (grid->figure, _ ("Drag to change %s"),
                                         plg_axis_label (axis));
  PlgShape *area;

  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "handle-%s-%d", plg_axis_name (axis), rank),
                   plg_figure_string (grid->figure, "handle %s", plg_axis_name (axis)), title);
  area = plg_figure_rect (grid->figure, x - width / 2 - margin, y - height / 2 - margin,
                          width + 2 * margin, height + 2 * margin, 0, none);
  area->thing = (PlgThing) { PLG_THING_HANDLE, axis, rank };
  area->title = title;
  width *= less;
  height *= less;
  plg_figure_rect (grid->figure, x - width / 2, y - height / 2, width, height,
                   MIN (width, height) / 2, color);
  if (grain < 2)
    add_grip_lines (grid, x, y, is_upright, plg_theme_text_on (grid->theme, color));
  plg_figure_close (grid->figure);
}

/* The grip of the block that the edge of AXIS bounds around RANK: on its right edge while it lies
 * within a row, else on its lower edge. IS_OUTER: a block around another one, whose grip must not
 * lie on that one's. Blocks that are torn apart have no edge. */
static void
add_block_grip (PlgGrid *grid, PlgAxis axis, int rank, gboolean is_outer)
{
  int n = plg_axis_bounded_block (&grid->plan->parallelism, axis);
  PlgRect edge;
  int first;

  rank -= rank % n;
  if (!has_room (grid->plan, axis) ||
      !plg_placement_block (&grid->plan->placement, rank, n, &first))
    return;
  edge = last_part (grid, first, n);
  if (n <= grid->layout.gpu_columns && !is_outer)
    add_grip (grid, axis, rank, edge.x + edge.width + 4, edge.y + edge.height / 2, TRUE);
  else
    add_grip (grid, axis, rank, edge.x + edge.width * (is_outer ? 0.75 : 0.5),
              edge.y + edge.height + 4, FALSE);
}

/* Zoomed out, where grips are large beside the GPUs, only that of the block around one. */
static void
add_all_grips (PlgGrid *grid, PlgAxis axis, int rank_of_one)
{
  int n = plg_axis_bounded_block (&grid->plan->parallelism, axis);

  if (grid->gpus / n > MAX_BLOCKS)
    return;
  if (grid->layout.grain > 1)
    {
      add_block_grip (grid, axis, rank_of_one, FALSE);
      return;
    }
  for (int rank = 0; rank < grid->gpus; rank += n)
    add_block_grip (grid, axis, rank, FALSE);
}

void
plg_grid_add_handles (PlgGrid *grid)
{
  const PlgParallelism *parallelism = &grid->plan->parallelism;
  int rank = MAX (plg_grid_rank_of (grid, grid->options->selected), 0);
  gboolean is_pp_outer;
  PlgAxis axis;

  plg_figure_set_layer (grid->figure, PLG_LAYER_HANDLES);
  if (!plg_grid_is_ranked (grid->plan) || grid->layout.detail > PLG_GRID_TILES)
    return;
  if (plg_grid_single_axis (grid->options->show, &axis))
    {
      /* EP is no factor of the world size: its groups have no edge of their own. */
      if (axis != PLG_AXIS_EP)
        add_all_grips (grid, axis, rank);
      return;
    }
  if (grid->options->show != PLG_SHOW_ALL)
    return;
  is_pp_outer = plg_axis_bounded_block (parallelism, PLG_AXIS_PP) >=
                plg_axis_bounded_block (parallelism, PLG_AXIS_TP);
  add_block_grip (grid, PLG_AXIS_PP, rank, is_pp_outer);
  add_block_grip (grid, PLG_AXIS_TP, rank, !is_pp_outer);
}
