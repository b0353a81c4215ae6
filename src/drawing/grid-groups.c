/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Outlines of all groups are drawn up to this many of them. */
#define MAX_OUTLINES 512

/* How far an outline stands off the tiles: groups of outer axes farther, so that they nest. */
static const double standoff[PLG_N_AXES] = {
  [PLG_AXIS_TP] = 4, [PLG_AXIS_CP] = 2.5, [PLG_AXIS_EP] = 2.5, [PLG_AXIS_PP] = 2, [PLG_AXIS_DP] = 3,
};

static PlgColor
axis_color (const PlgGrid *grid, PlgAxis axis)
{
  return grid->theme->role[PLG_ROLE_AXIS_TP + axis];
}

static double
grid_scale (const PlgGrid *grid)
{
  return grid->layout.detail == PLG_GRID_FULL ? 1 : 0.6;
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* The rectangles of the group of AXIS around RANK. */
static GArray *
group_cover (const PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);

  g_array_sort (gpus, compare_ints);
  return plg_grid_layout_cover (&grid->layout, (const int *) (gconstpointer) gpus->data, gpus->len);
}

static void
add_outline (const PlgGrid *grid, const GArray *cover, PlgAxis axis, int group, double width, gboolean dashed)
{
  double off = standoff[axis] * grid_scale (grid);
  PlgColor none = PLG_COLOR_NONE;

  for (guint i = 0; i < cover->len; i++)
    {
      const PlgRect *r = &g_array_index (cover, PlgRect, i);
      PlgShape *shape = plg_figure_rect (grid->figure, r->x - off, r->y - off, r->width + 2 * off,
                                         r->height + 2 * off, 5 + off, none);

      shape->stroke = axis_color (grid, axis);
      if (dashed)
        shape->stroke = plg_color_mix (shape->stroke, grid->theme->role[PLG_ROLE_CARD], 0.35);
      shape->stroke_width = width;
      shape->dashed = dashed;
      shape->thing = (PlgThing) { PLG_THING_GROUP, axis, group };
    }
}

/* The slowest tier that the collectives of AXIS cross, in words; NULL where there are none. */
static const char *
axis_tier (const PlgGrid *grid, PlgAxis axis)
{
  const char *title = NULL;
  PlgTier slowest = PLG_TIER_NVLINK;

  for (guint i = 0; i < grid->report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (grid->report->collectives, PlgCollective, i);

      if (collective->axis != axis || (title != NULL && collective->tier < slowest))
        continue;
      slowest = collective->tier;
      title = plg_tier_title (slowest);
    }
  return title;
}

static char *
group_name (const PlgGrid *grid, PlgAxis axis, int group)
{
  int n = grid->plan->parallelism.degree[axis];
  const char *tier = axis_tier (grid, axis);
  g_autofree char *name = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%s group %d · %d GPU", "%s group %d · %d GPUs", n),
      plg_axis_label (axis), group, n);

  return tier != NULL ? g_strdup_printf ("%s · %s", name, tier) : g_steal_pointer (&name);
}

/* A label like the tab of a card, on the upper edge of the first rectangle. */
static void
add_tab (const PlgGrid *grid, const PlgRect *first, PlgAxis axis, int group)
{
  g_autofree char *name = group_name (grid, axis, group);
  double size = 10.5, height = 16;
  double width = plg_text_width (name, size, TRUE) + 16;
  double x = MIN (first->x + 8, grid->layout.width - width - 2);
  double y = first->y - standoff[axis] - height + 5;
  PlgColor color = axis_color (grid, axis);

  plg_figure_rect (grid->figure, x, y, width, height, 4, color)->thing =
      (PlgThing) { PLG_THING_GROUP, axis, group };
  plg_figure_text (grid->figure, x + 8, y + height / 2 + size * 0.35, PLG_ANCHOR_START, size, TRUE,
                   plg_theme_text_on (grid->theme, color), name);
}

static void
add_group (PlgGrid *grid, PlgAxis axis, int rank, double width, gboolean has_tab)
{
  int group = plg_axis_group_of (&grid->plan->parallelism, axis, rank);
  g_autoptr (GArray) cover = group_cover (grid, axis, rank);
  g_autofree char *name = group_name (grid, axis, group);

  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "group-%s-%d", plg_axis_name (axis), group),
                   plg_figure_string (grid->figure, "group %s", plg_axis_name (axis)), name);
  add_outline (grid, cover, axis, group, width, width <= 1);
  if (has_tab && cover->len > 0 && grid->layout.detail == PLG_GRID_FULL)
    add_tab (grid, &g_array_index (cover, PlgRect, 0), axis, group);
  plg_figure_close (grid->figure);
}

/* A curve from one tile to another, ending in an arrow head: across the gap between neighbours,
 * else bowed beside the tiles that lie between. */
static void
add_arrow (const PlgGrid *grid, int from, int to, PlgColor color, double width)
{
  PlgRect a = plg_grid_layout_gpu (&grid->layout, from), b = plg_grid_layout_gpu (&grid->layout, to);
  double ax = a.x + a.width / 2, ay = a.y + a.height / 2, bx = b.x + b.width / 2, by = b.y + b.height / 2;
  double step_x = grid->layout.tile_step_x, step_y = MAX (grid->layout.node_step_y, a.height);
  PlgPoint points[4];
  PlgShape *shape;

  if (fabs (by - ay) < 1)
    {
      double side = bx > ax ? 1 : -1;
      double y = ay + (fabs (bx - ax) > step_x * 1.5 ? a.height / 2 : 0);
      double bow = fabs (bx - ax) > step_x * 1.5 ? 14 : 0;

      points[0] = (PlgPoint) { ax + side * (bow > 0 ? 0 : a.width / 2), y };
      points[3] = (PlgPoint) { bx - side * (bow > 0 ? 0 : b.width / 2), y };
      points[1] = (PlgPoint) { points[0].x, y + bow };
      points[2] = (PlgPoint) { points[3].x, y + bow };
    }
  else if (fabs (by - ay) <= step_y * 1.2)
    {
      double side = by > ay ? 1 : -1;
      double reach = (fabs (by - ay) - a.height) / 2;

      points[0] = (PlgPoint) { ax, ay + side * a.height / 2 };
      points[3] = (PlgPoint) { bx, by - side * b.height / 2 };
      points[1] = (PlgPoint) { ax, points[0].y + side * reach };
      points[2] = (PlgPoint) { bx, points[3].y - side * reach };
    }
  else
    {
      double side = bx < ax ? -1 : 1;
      double bow = step_x * 0.5;

      points[0] = (PlgPoint) { ax + side * a.width / 2, ay };
      points[3] = (PlgPoint) { bx + side * b.width / 2 * (fabs (bx - ax) < 1 ? 1 : -1), by };
      points[1] = (PlgPoint) { points[0].x + side * bow, ay + (by - ay) * 0.15 };
      points[2] = (PlgPoint) { points[3].x + (fabs (bx - ax) < 1 ? side : -side) * bow,
                               by - (by - ay) * 0.15 };
    }
  shape = plg_figure_path (grid->figure, points, 4, color, width);
  shape->smooth = TRUE;
  shape->arrow = TRUE;
}

/* Arrows from member to member of a group; back to the first where it is a ring. */
static void
add_chain (PlgGrid *grid, PlgAxis axis, int rank, gboolean is_ring)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);
  int group = plg_axis_group_of (&grid->plan->parallelism, axis, rank);
  int n = gpus->len, arrows = is_ring && n > 2 ? n : n - 1;

  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "%s-%s-%d", is_ring ? "ring" : "chain",
                                      plg_axis_name (axis), group),
                   plg_figure_string (grid->figure, "ring %s", plg_axis_name (axis)), NULL);
  for (int i = 0; i < arrows; i++)
    add_arrow (grid, g_array_index (gpus, int, i), g_array_index (gpus, int, (i + 1) % n),
               axis_color (grid, axis), 2 * grid_scale (grid) + 0.4);
  plg_figure_close (grid->figure);
}

static int
degree (const PlgGrid *grid, PlgAxis axis)
{
  return grid->plan->parallelism.degree[axis];
}

static gboolean
can_outline (const PlgGrid *grid)
{
  return plg_grid_has_ranks (grid) && grid->layout.detail <= PLG_GRID_TILES;
}

/* The groups that RANK is in: TP solid with its name, the stages before and after as a chain, the
 * peers on the other axes outlined. */
static void
add_groups_of_rank (PlgGrid *grid, int rank, guint axes)
{
  static const PlgAxis order[] = { PLG_AXIS_DP, PLG_AXIS_EP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_TP };

  for (int i = 0; i < (int) G_N_ELEMENTS (order); i++)
    {
      PlgAxis axis = order[i];

      if (degree (grid, axis) <= 1 || !(axes & (1u << axis)))
        continue;
      add_group (grid, axis, rank, 2.5 * grid_scale (grid), axis == PLG_AXIS_TP);
      if (axis == PLG_AXIS_PP && !grid->options->rings)
        add_chain (grid, axis, rank, FALSE);
    }
}

static void
add_node_outline (const PlgGrid *grid, int node)
{
  PlgRect card;
  PlgColor none = PLG_COLOR_NONE;
  PlgShape *shape;

  if (node < 0 || node >= grid->layout.nodes)
    return;
  card = plg_grid_layout_node (&grid->layout, node);
  shape = plg_figure_rect (grid->figure, card.x, card.y, card.width, card.height, 9, none);
  shape->stroke = grid->theme->role[PLG_ROLE_ACCENT];
  shape->stroke_width = 2;
}

static void
add_groups_of_link (PlgGrid *grid, int index)
{
  const PlgLink *link;
  int gpu;

  if (index < 0 || index >= (int) grid->report->links->len)
    return;
  link = &g_array_index (grid->report->links, PlgLink, index);
  gpu = plg_grid_gpu_of_link (grid, link);
  if (gpu >= 0 && grid->rank_of_gpu[gpu] >= 0)
    add_groups_of_rank (grid, grid->rank_of_gpu[gpu], link->axes);
}

/* What is drawn strong for THING, selected or focused. */
static void
add_strong (PlgGrid *grid, PlgThing thing)
{
  int rank = plg_grid_rank_of (grid, thing);

  if (thing.kind == PLG_THING_GPU && rank >= 0)
    add_groups_of_rank (grid, rank, (1u << PLG_N_AXES) - 1);
  else if ((thing.kind == PLG_THING_GROUP || thing.kind == PLG_THING_HANDLE) && rank >= 0)
    add_group (grid, thing.axis, rank, 2.5 * grid_scale (grid), TRUE);
  else if (thing.kind == PLG_THING_LINK)
    add_groups_of_link (grid, thing.index);
  else if (thing.kind == PLG_THING_NODE)
    add_node_outline (grid, thing.index);
}

/* Thin outlines of all TP groups, where they say more than the nodes' cards do already. */
static void
add_all_outlines (PlgGrid *grid)
{
  PlgShow show = grid->options->show;
  int groups = plg_axis_groups (&grid->plan->parallelism, PLG_AXIS_TP);

  if ((show != PLG_SHOW_ALL && show != PLG_SHOW_TP) || degree (grid, PLG_AXIS_TP) <= 1 ||
      groups > MAX_OUTLINES || grid->layout.detail > PLG_GRID_SHORT)
    return;
  for (int rank = 0; rank < grid->gpus; rank++)
    if (plg_rank_coordinate (&grid->plan->parallelism, rank).index[PLG_AXIS_TP] == 0)
      add_group (grid, PLG_AXIS_TP, rank, 1, FALSE);
}

void
plg_grid_add_groups (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_GROUPS);
  if (!can_outline (grid))
    return;
  if (grid->lit_gpu == NULL)
    add_all_outlines (grid);
  if (!plg_thing_equal (grid->options->selected, grid->options->focus))
    add_strong (grid, grid->options->selected);
  add_strong (grid, grid->options->focus);
}

/* A rank whose groups stand for all others: chosen so that the rings do not lie on each other. */
static int
representative (const PlgGrid *grid, PlgAxis axis)
{
  PlgCoordinate at = { 0 };

  if (axis == PLG_AXIS_PP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) * 5 / 8;
  else if (axis == PLG_AXIS_DP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) - 1;
  else if (axis == PLG_AXIS_CP || axis == PLG_AXIS_EP)
    at.index[PLG_AXIS_TP] = degree (grid, PLG_AXIS_TP) / 4;
  return plg_coordinate_rank (&grid->plan->parallelism, &at);
}

/* The logical view: who sends to whom, for the focused GPU or for one group of each axis. */
void
plg_grid_add_rings (PlgGrid *grid)
{
  int focus = plg_grid_rank_of (grid, grid->options->focus);
  int rank = focus >= 0 ? focus : plg_grid_rank_of (grid, grid->options->selected);

  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (!can_outline (grid))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    if (degree (grid, axis) > 1)
      add_chain (grid, axis, rank >= 0 ? rank : representative (grid, axis), axis != PLG_AXIS_PP);
}
