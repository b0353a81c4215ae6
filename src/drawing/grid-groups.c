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

/* The rectangles of the group of AXIS around RANK. Members that only send to the next are
 * outlined one by one: arrows join them. */
static GArray *
group_cover (const PlgGrid *grid, PlgAxis axis, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);

  g_array_sort (gpus, compare_ints);
  if (axis == PLG_AXIS_PP)
    {
      GArray *cells = g_array_new (FALSE, FALSE, sizeof (PlgRect));

      for (guint i = 0; i < gpus->len; i++)
        {
          PlgRect cell = plg_grid_layout_gpu (&grid->layout, g_array_index (gpus, int, i));

          g_array_append_val (cells, cell);
        }
      return cells;
    }
  return plg_grid_layout_cover (&grid->layout, (const int *) (gconstpointer) gpus->data, gpus->len);
}

static void
add_outline (const PlgGrid *grid,
             const GArray *cover,
             PlgAxis axis,
             int group,
             double width,
             gboolean dashed)
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
        shape->stroke = plg_color_mix (shape->stroke, grid->theme->role[PLG_ROLE_CARD], 0.45);
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
      const PlgCollective *collective = &g_array_index (grid->report->collectives, PlgCollective,
                                                        i);

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
  g_autofree char *name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s group %d · %d GPU",
                                                        "%s group %d · %d GPUs", n),
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

  plg_figure_rect (grid->figure, x, y, width, height, 4, color)->thing = (PlgThing) {
    PLG_THING_GROUP, axis, group
  };
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

/* What an arrow runs between. */
typedef struct
{
  PlgRect from, to;
  double dx, dy; /* from middle to middle */
  double gap;    /* between tiles of a row */
} Leap;

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

/* In a row: across the gap to the next tile, else below the tiles that lie between. */
static PlgShape *
add_arrow_in_row (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double side = leap->dx > 0 ? 1 : -1, bottom = leap->from.y + leap->from.height;
  const PlgPoint below[] = { { a.x, bottom },
                             { a.x, bottom + 9 },
                             { b.x, bottom + 9 },
                             { b.x, bottom } };

  if (fabs (leap->dx) < leap->from.width + 1.5 * leap->gap)
    return plg_figure_line (grid->figure, a.x + side * leap->from.width / 2, a.y,
                            b.x - side * leap->to.width / 2, b.y, color, width);
  return plg_figure_path (grid->figure, below, G_N_ELEMENTS (below), color, width);
}

/* To the row below or above: from edge to edge. */
static PlgShape *
add_arrow_to_next_row (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double side = leap->dy > 0 ? 1 : -1;
  double start = a.y + side * leap->from.height / 2, end = b.y - side * leap->to.height / 2;
  double reach = (end - start) * 0.5;
  const PlgPoint curve[] = { { a.x, start },
                             { a.x, start + reach },
                             { b.x, end - reach },
                             { b.x, end } };
  PlgShape *shape = plg_figure_path (grid->figure, curve, G_N_ELEMENTS (curve), color, width);

  shape->smooth = TRUE;
  return shape;
}

/* Farther: out at a side and in again at a side, in the gaps beside the tiles that lie between. */
static PlgShape *
add_arrow_far (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  gboolean is_straight = fabs (leap->dx) < 1;
  double out = leap->dx < 0 ? -1 : 1, in = is_straight ? out : -out;
  double bow = leap->gap * (is_straight ? 1.2 : 2);
  double start = a.x + out * leap->from.width / 2, end = b.x + in * leap->to.width / 2;
  const PlgPoint curve[] = { { start, a.y },
                             { start + out * bow, a.y },
                             { end + in * bow, b.y },
                             { end, b.y } };
  PlgShape *shape = plg_figure_path (grid->figure, curve, G_N_ELEMENTS (curve), color, width);

  shape->smooth = TRUE;
  return shape;
}

static void
add_arrow (const PlgGrid *grid, int from, int to, PlgColor color, double width)
{
  Leap leap = { plg_grid_layout_gpu (&grid->layout, from),
                plg_grid_layout_gpu (&grid->layout, to) };
  double next_row = MAX (grid->layout.node_step_y, grid->layout.tile_step_y) * 1.2;
  PlgShape *shape;

  leap.dx = middle_of (leap.to).x - middle_of (leap.from).x;
  leap.dy = middle_of (leap.to).y - middle_of (leap.from).y;
  leap.gap = grid->layout.tile_step_x - grid->layout.tile_width;
  if (fabs (leap.dy) < 1)
    shape = add_arrow_in_row (grid, &leap, color, width);
  else if (fabs (leap.dy) < next_row && fabs (leap.dx) < grid->layout.card_width)
    shape = add_arrow_to_next_row (grid, &leap, color, width);
  else
    shape = add_arrow_far (grid, &leap, color, width);
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
  static const PlgAxis order[] = { PLG_AXIS_DP, PLG_AXIS_EP, PLG_AXIS_CP, PLG_AXIS_PP,
                                   PLG_AXIS_TP };

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

/* The GPU itself, so that it is found among its groups. */
static void
add_gpu_outline (const PlgGrid *grid, int gpu)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, gpu);
  PlgColor none = PLG_COLOR_NONE;
  PlgShape *shape = plg_figure_rect (grid->figure, tile.x, tile.y, tile.width, tile.height,
                                     MIN (6, tile.height / 6 + 1), none);

  shape->stroke = grid->theme->role[PLG_ROLE_TEXT];
  shape->stroke_width = 2 * grid_scale (grid);
}

static void
add_groups_of_link (PlgGrid *grid, int index)
{
  const PlgLink *link;
  int first, last;

  if (index < 0 || index >= (int) grid->report->links->len)
    return;
  link = &g_array_index (grid->report->links, PlgLink, index);
  /* One GPU of those that share a NIC stands for all. */
  if (plg_grid_gpus_of_link (grid, link, &first, &last) && grid->rank_of_gpu[last] >= 0)
    add_groups_of_rank (grid, grid->rank_of_gpu[last], link->axes);
}

/* What is drawn strong for THING, selected or focused. */
static void
add_strong (PlgGrid *grid, PlgThing thing)
{
  int rank = plg_grid_rank_of (grid, thing);

  if (thing.kind == PLG_THING_GPU && rank >= 0)
    {
      add_groups_of_rank (grid, rank, (1u << PLG_N_AXES) - 1);
      add_gpu_outline (grid, thing.index);
    }
  else if ((thing.kind == PLG_THING_GROUP || thing.kind == PLG_THING_HANDLE) && rank >= 0)
    add_group (grid, thing.axis, rank, 2.5 * grid_scale (grid), TRUE);
  else if (thing.kind == PLG_THING_LINK)
    add_groups_of_link (grid, thing.index);
  else if (thing.kind == PLG_THING_NODE)
    add_node_outline (grid, thing.index);
}

/* Whether the TP group around RANK is a node: then the node's card is its outline. */
static gboolean
is_node (const PlgGrid *grid, int rank)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, PLG_AXIS_TP, rank);
  int per_node = grid->layout.gpus_per_node;

  if ((int) gpus->len != per_node)
    return FALSE;
  for (guint i = 1; i < gpus->len; i++)
    if (g_array_index (gpus, int, i) / per_node != g_array_index (gpus, int, 0) / per_node)
      return FALSE;
  return TRUE;
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
    if (plg_rank_coordinate (&grid->plan->parallelism, rank).index[PLG_AXIS_TP] == 0 &&
        !is_node (grid, rank))
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
