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
  PlgPoint gap;  /* between tiles of a row, and between rows */
  double bow;    /* into it, beside the tiles that lie between */
  double depth;  /* below the tiles that lie between */
} Leap;

/* Below tiles: of one arrow, and of the next ones where several would lie on each other. */
#define DEPTH 9.0
#define LANE 4.0
#define N_LANES 3
/* What arrives and what leaves are so far from the middle, as a share of the width. */
#define BESIDE 0.15

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

static PlgShape *
add_line_below (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double bottom = leap->from.y + leap->from.height;
  const PlgPoint below[] = { { a.x, bottom },
                             { a.x, bottom + leap->depth },
                             { b.x, bottom + leap->depth },
                             { b.x, bottom } };

  return plg_figure_path (grid->figure, below, G_N_ELEMENTS (below), color, width);
}

/* In a row: across the gap to the next tile, else below the tiles that lie between. */
static PlgShape *
add_arrow_in_row (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double side = leap->dx > 0 ? 1 : -1;

  if (fabs (leap->dx) >= leap->from.width + 1.5 * leap->gap.x)
    return add_line_below (grid, leap, color, width);
  return plg_figure_line (grid->figure, a.x + side * leap->from.width / 2, a.y,
                          b.x - side * leap->to.width / 2, b.y, color, width);
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

/* Farther in the same column: out at a side and in again, in the gap beside what lies between. */
static PlgShape *
add_arrow_in_column (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double start = a.x + leap->from.width / 2, end = b.x + leap->to.width / 2;
  double bow = leap->bow * 1.2;
  const PlgPoint curve[] = { { start, a.y },
                             { start + bow, a.y },
                             { end + bow, b.y },
                             { end, b.y } };
  PlgShape *shape = plg_figure_path (grid->figure, curve, G_N_ELEMENTS (curve), color, width);

  shape->smooth = TRUE;
  return shape;
}

/* Anywhere else: along the gaps between rows and left of where it goes, so that it crosses neither
 * tiles nor names. What goes back leaves below, away from what goes on. */
static PlgShape *
add_arrow_round (const PlgGrid *grid, const Leap *leap, PlgColor color, double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  gboolean is_back = leap->dx < 0;
  double out = a.x + leap->from.width * BESIDE, in = b.x - leap->to.width * BESIDE;
  double start = a.y + (is_back ? 0.5 : -0.5) * leap->from.height;
  double end = b.y - leap->to.height / 2;
  double along = start + (is_back ? leap->depth : -leap->depth);
  double aside = leap->to.x - leap->bow / 2;
  const PlgPoint route[] = {
    { out, start },
    { out, along },
    { aside, along },
    { aside, end - leap->depth },
    { in, end - leap->depth },
    { in, end },
  };

  return plg_figure_path (grid->figure, route, G_N_ELEMENTS (route), color, width);
}

/* From box to box; GAP is between boxes of a row, and LANE keeps those apart that would lie on each
 * other. */
static void
add_arrow (const PlgGrid *grid, Leap leap, PlgThing thing, PlgGridLook look, int lane)
{
  double next_row = MAX (grid->layout.node_step_y, grid->layout.tile_step_y) * 1.2;
  PlgShape *shape;

  leap.dx = middle_of (leap.to).x - middle_of (leap.from).x;
  leap.dy = middle_of (leap.to).y - middle_of (leap.from).y;
  leap.depth = MAX (DEPTH, leap.gap.y / 3) + lane % N_LANES * LANE;
  leap.bow = leap.gap.x * (1 - 0.2 * (lane % (N_LANES + 1)));
  if (fabs (leap.dy) < 1)
    shape = add_arrow_in_row (grid, &leap, look.color, look.width);
  else if (fabs (leap.dy) < next_row && fabs (leap.dx) < grid->layout.card_width)
    shape = add_arrow_to_next_row (grid, &leap, look.color, look.width);
  else if (fabs (leap.dx) < 1)
    shape = add_arrow_in_column (grid, &leap, look.color, look.width);
  else
    shape = add_arrow_round (grid, &leap, look.color, look.width);
  shape->arrow = TRUE;
  shape->dashed = plg_theme_axis_dash (thing.axis);
  shape->thing = thing;
}

static gboolean
is_shown (const PlgGrid *grid, PlgRect from, PlgRect to)
{
  PlgRect seen = grid->options->visible;
  double left = MIN (from.x, to.x) - from.width, top = MIN (from.y, to.y) - from.height;
  double right = MAX (from.x, to.x) + 2 * from.width, bottom = MAX (from.y, to.y) + 2 * from.height;

  return seen.width <= 0 || (left <= seen.x + seen.width && seen.x <= right &&
                             top <= seen.y + seen.height && seen.y <= bottom);
}

void
plg_grid_add_arrow (const PlgGrid *grid,
                    PlgRect from,
                    PlgRect to,
                    PlgPoint gap,
                    PlgThing thing,
                    PlgGridLook look,
                    int lane)
{
  if (is_shown (grid, from, to))
    add_arrow (grid, (Leap) { .from = from, .to = to, .gap = gap }, thing, look, lane);
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

static int
side_of (int from, int to)
{
  return from < to ? 1 : -1;
}

/* How often a ring turns round, of the arrows inside nodes or of those between nodes: in the order
 * of its GPUs twice, at its ends. */
static int
count_turns (const GArray *gpus, int per_node, gboolean is_inside)
{
  int first = 0, last = 0, turns = 0;

  for (guint i = 0; i < gpus->len; i++)
    {
      int from = g_array_index (gpus, int, i), to = g_array_index (gpus, int, (i + 1) % gpus->len);
      int side = side_of (from, to);

      if ((from / per_node == to / per_node) != is_inside)
        continue;
      turns += last != 0 && side != last;
      first = first != 0 ? first : side;
      last = side;
    }
  return turns + (first != last);
}

gboolean
plg_grid_ring_jumps (const PlgGrid *grid, const GArray *gpus, gboolean inside)
{
  return count_turns (gpus, grid->layout.gpus_per_node, inside) > 2;
}

PlgPoint
plg_grid_ring_stop (const PlgGrid *grid, int gpu)
{
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, gpu);

  return (PlgPoint) { tile.x + tile.width / 2, tile.y + tile.height + DEPTH };
}

/* Of the arrows of all rings of an axis, those that would lie on each other are put beside each
 * other: in a row of GPUs by GPU, from node to node by node. */
static int
lane_of (const PlgGrid *grid, int from, int to)
{
  int gpus = grid->layout.gpus_per_node;

  return from / gpus == to / gpus ? MIN (from, to) % gpus % MAX (ABS (to - from), 1)
                                  : MIN (from, to) / gpus;
}

GArray *
plg_grid_ring_gpus (const PlgGrid *grid, PlgAxis axis, int rank)
{
  GArray *gpus = plg_grid_group_gpus (grid, axis, rank);

  if (axis != PLG_AXIS_PP)
    order_as_ring (grid, gpus);
  return gpus;
}

int
plg_grid_ring_arrows (PlgAxis axis, int n)
{
  return axis != PLG_AXIS_PP && n > 2 ? n : n - 1;
}

/* What goes to nodes that were not asked for is not drawn. */
static gboolean
has_place (const PlgGrid *grid, int gpu)
{
  int node = gpu / grid->layout.gpus_per_node;

  return node >= grid->layout.begin && node < grid->layout.end;
}

typedef struct
{
  PlgThing thing;
  PlgGridLook look;
  const GArray *gpus;
  PlgPoint gap;
  gboolean apart;
  gboolean has_lines; /* in the place of arrows inside nodes */
} Chain;

static void
add_arrows (PlgGrid *grid, const Chain *chain)
{
  int n = chain->gpus->len, per_node = grid->layout.gpus_per_node;
  int arrows = plg_grid_ring_arrows (chain->thing.axis, n);

  for (int i = 0; i < arrows; i++)
    {
      int from = g_array_index (chain->gpus, int, i);
      int to = g_array_index (chain->gpus, int, (i + 1) % n);

      if (!has_place (grid, from) || !has_place (grid, to) ||
          (chain->has_lines && from / per_node == to / per_node))
        continue;
      plg_grid_add_arrow (grid, plg_grid_layout_gpu (&grid->layout, from),
                          plg_grid_layout_gpu (&grid->layout, to), chain->gap, chain->thing,
                          chain->look, chain->apart ? lane_of (grid, from, to) : 0);
    }
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

/* Arrows to and fro would lie on each other: a line below each row joins its GPUs, whatever their
 * order, which numbers tell. */
static void
add_lines (PlgGrid *grid, const Chain *chain)
{
  g_autoptr (GArray) gpus = g_array_copy ((GArray *) chain->gpus);
  int per_node = grid->layout.gpus_per_node;

  g_array_sort (gpus, compare_ints);
  for (guint i = 0; i + 1 < gpus->len; i++)
    {
      int from = g_array_index (gpus, int, i), to = g_array_index (gpus, int, i + 1);
      Leap leap = { .from = plg_grid_layout_gpu (&grid->layout, from),
                    .to = plg_grid_layout_gpu (&grid->layout, to),
                    .depth = DEPTH };
      PlgShape *shape;

      if (from / per_node != to / per_node || leap.from.y < leap.to.y || !has_place (grid, from))
        continue;
      shape = add_line_below (grid, &leap, chain->look.color, chain->look.width);
      shape->thing = chain->thing;
    }
}

void
plg_grid_add_chain (PlgGrid *grid, PlgAxis axis, int rank, PlgGridLook look, gboolean apart)
{
  const PlgGridLayout *layout = &grid->layout;
  g_autoptr (GArray) gpus = plg_grid_ring_gpus (grid, axis, rank);
  int group = plg_axis_group_of (&grid->plan->parallelism, axis, rank);
  Chain chain = { .thing = { PLG_THING_GROUP, axis, group },
                  .look = look,
                  .gpus = gpus,
                  .gap = { layout->tile_step_x - layout->tile_width,
                           layout->node_step_y - layout->card_height },
                  .apart = apart,
                  .has_lines = axis != PLG_AXIS_PP && plg_grid_ring_jumps (grid, gpus, TRUE) };
  g_autofree char *title = grid->options->rings && !plg_grid_is_nameless (grid)
                               ? ring_title (grid, axis)
                               : NULL;

  plg_figure_open (grid->figure,
                   plg_figure_string (grid->figure, "%s-%s-%d",
                                      axis == PLG_AXIS_PP ? "chain" : "ring", plg_axis_name (axis),
                                      group),
                   plg_figure_string (grid->figure, "ring %s", plg_axis_name (axis)), title);
  if (chain.has_lines)
    add_lines (grid, &chain);
  add_arrows (grid, &chain);
  plg_figure_close (grid->figure);
}
