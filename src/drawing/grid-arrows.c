/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What an arrow runs between. */
typedef struct
{
  PlgRect from, to;
  double dx, dy; /* from middle to middle */
  double gap;    /* between tiles of a row */
  double depth;  /* below the tiles that lie between */
} Leap;

/* Below tiles: of one arrow, and of the next ones where several would lie on each other. */
#define DEPTH 9.0
#define LANE 4.0
#define N_LANES 3

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
                             { a.x, bottom + leap->depth },
                             { b.x, bottom + leap->depth },
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
add_arrow (const PlgGrid *grid, int from, int to, PlgThing thing, PlgGridLook look, double depth)
{
  PlgColor color = look.color;
  double width = look.width;
  Leap leap = { plg_grid_layout_gpu (&grid->layout, from),
                plg_grid_layout_gpu (&grid->layout, to) };
  double next_row = MAX (grid->layout.node_step_y, grid->layout.tile_step_y) * 1.2;
  PlgShape *shape;

  leap.dx = middle_of (leap.to).x - middle_of (leap.from).x;
  leap.dy = middle_of (leap.to).y - middle_of (leap.from).y;
  leap.depth = depth;
  leap.gap = grid->layout.tile_step_x - grid->layout.tile_width;
  if (fabs (leap.dy) < 1)
    shape = add_arrow_in_row (grid, &leap, color, width);
  else if (fabs (leap.dy) < next_row && fabs (leap.dx) < grid->layout.card_width)
    shape = add_arrow_to_next_row (grid, &leap, color, width);
  else
    shape = add_arrow_far (grid, &leap, color, width);
  shape->arrow = TRUE;
  shape->dashed = plg_theme_axis_dash (thing.axis);
  shape->thing = thing;
}

/* Where GPUs come in a ring: nodes as the ranks meet them, GPUs of a node as its map has it. */
typedef struct
{
  GHashTable *slots; /* node: its place, plus 1 */
  int place[PLG_MAX_GPUS_PER_NODE];
  int gpus; /* a node */
} Order;

static int
compare_in_ring (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  int x = *(const int *) a, y = *(const int *) b;
  int slot_x = GPOINTER_TO_INT (g_hash_table_lookup (order->slots,
                                                     GINT_TO_POINTER (x / order->gpus)));
  int slot_y = GPOINTER_TO_INT (g_hash_table_lookup (order->slots,
                                                     GINT_TO_POINTER (y / order->gpus)));

  if (slot_x != slot_y)
    return slot_x - slot_y;
  return order->place[x % order->gpus] - order->place[y % order->gpus];
}

/* The ring that NCCL made inside the nodes, where the plan knows it. */
static void
order_as_ring (const PlgGrid *grid, GArray *gpus)
{
  const PlgNodeMap *map = &grid->plan->node_map;
  g_autoptr (GHashTable) slots = NULL;
  Order order = { .gpus = map->gpus };

  if (map->rings == 0 || map->gpus != grid->plan->cluster.gpus_per_node)
    return;
  slots = order.slots = g_hash_table_new (NULL, NULL);
  for (int i = 0; i < map->gpus; i++)
    order.place[plg_node_map_ring (map, 0)[i]] = i;
  for (guint i = 0; i < gpus->len; i++)
    {
      gpointer node = GINT_TO_POINTER (g_array_index (gpus, int, i) / map->gpus);

      if (!g_hash_table_contains (slots, node))
        g_hash_table_insert (slots, node, GUINT_TO_POINTER (g_hash_table_size (slots) + 1));
    }
  g_array_sort_with_data (gpus, compare_in_ring, &order);
}

/* What a GPU does in a step over AXIS, as a link would carry it: all collectives of the axis, which
 * the report counts per GPU on the busiest stage. */
static PlgLink
load_of_axis (const PlgGrid *grid, PlgAxis axis)
{
  PlgLink load = { 0 };

  for (guint i = 0; i < grid->report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (grid->report->collectives, PlgCollective,
                                                        i);

      if (collective->axis != axis)
        continue;
      load.calls += collective->calls;
      load.bytes_out += collective->bytes_sent;
      load.time += collective->time;
    }
  return load;
}

PlgGridLook
plg_grid_ring_look (const PlgGrid *grid, PlgAxis axis)
{
  PlgGridLook look = { grid->theme->role[PLG_ROLE_AXIS_TP + axis],
                       plg_grid_is_small (grid) ? 1.6 : 2.4 };
  PlgLink load;

  if (!grid->options->rings || grid->options->link_color == PLG_LINK_COLOR_OFF ||
      grid->report->links->len == 0)
    return look;
  load = load_of_axis (grid, axis);
  look.color = plg_theme_link_color (grid->theme, plg_link_scale_share (&grid->scale, &load));
  look.width = plg_link_widths_of (&grid->widths, plg_link_bytes (&load));
  return look;
}

/* "TP ring: 13 184 calls, 67.6 GB per step", as a link has it. */
static char *
ring_title (const PlgGrid *grid, PlgAxis axis)
{
  PlgLink load = load_of_axis (grid, axis);
  g_autofree char *calls = plg_calls_in_words (load.calls);
  g_autofree char *volume = plg_format_volume (plg_link_bytes (&load));
  g_autofree char *name = g_strdup_printf (axis == PLG_AXIS_PP ? _ ("%s send") : _ ("%s ring"),
                                           plg_axis_label (axis));

  return g_strdup_printf (_ ("%s: %s, %s per step"), name, calls, volume);
}

void
plg_grid_add_chain (PlgGrid *grid, PlgAxis axis, int rank, gboolean is_ring)
{
  g_autoptr (GArray) gpus = plg_grid_group_gpus (grid, axis, rank);
  int group = plg_axis_group_of (&grid->plan->parallelism, axis, rank);
  int n = gpus->len, arrows = is_ring && n > 2 ? n : n - 1, lane = 0;
  PlgGridLook look = plg_grid_ring_look (grid, axis);
  g_autofree char *title = grid->options->rings && !plg_grid_is_nameless (grid)
                               ? ring_title (grid, axis)
                               : NULL;

  if (is_ring)
    order_as_ring (grid, gpus);
  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "%s-%s-%d", is_ring ? "ring" : "chain",
                                      plg_axis_name (axis), group),
                   plg_figure_string (grid->figure, "ring %s", plg_axis_name (axis)), title);
  for (int i = 0; i < arrows; i++)
    {
      int from = g_array_index (gpus, int, i), to = g_array_index (gpus, int, (i + 1) % n);
      double depth = DEPTH + lane * LANE;

      add_arrow (grid, from, to, (PlgThing) { PLG_THING_GROUP, axis, group }, look, depth);
      /* A ring in the order of its GPUs goes back once, one of NCCL's jumps more often. */
      if (ABS (to - from) > 1 && is_ring && grid->plan->node_map.rings > 0)
        lane = (lane + 1) % N_LANES;
    }
  plg_figure_close (grid->figure);
}

static int
degree (const PlgGrid *grid, PlgAxis axis)
{
  return grid->plan->parallelism.degree[axis];
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

/* The rank whose ring of AXIS is drawn: of what is pointed at, which comes last, else of a pin,
 * else of what is selected; -1 where none of them is about one. A lit group says nothing of the
 * other axes, or their rings would jump away from under the pointer. */
static int
shown_rank (const PlgGrid *grid, PlgAxis axis)
{
  for (int i = grid->options->n_lit - 1; i >= 0; i--)
    {
      PlgThing thing = grid->options->lit[i];
      int rank = plg_grid_rank_of (grid, thing);

      if (rank >= 0 && (thing.kind != PLG_THING_GROUP || thing.axis == axis))
        return rank;
    }
  return plg_grid_rank_of (grid, grid->options->selected);
}

/* The logical view: who sends to whom, for the focused GPU or for one group of each axis. */
void
plg_grid_add_rings (PlgGrid *grid)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (!plg_grid_can_outline (grid))
    return;
  for (int axis = PLG_N_AXES - 1; axis >= 0; axis--)
    {
      int rank = shown_rank (grid, axis);
      int member = rank >= 0 ? rank : representative (grid, axis);

      if (degree (grid, axis) > 1 && plg_grid_axis_runs (grid, axis, member))
        plg_grid_add_chain (grid, axis, member, axis != PLG_AXIS_PP);
    }
}
