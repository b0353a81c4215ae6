/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-highlight.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-rings.h"

#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The geometry of an arrow between two tiles. */
typedef struct
{
  PlgRect from, to;
  double dx, dy; /* distance between the middles of the two tiles */
  PlgPoint gap;  /* gap between the tiles of a row, and between rows */
  double bow;    /* how far an arrow to another row bends into the gap next to the tiles that it
                    passes */
  double depth;  /* how far an arrow within a row bends below the tiles that it passes */
} ArrowRoute;

/* The minimum depth of an arrow below its tiles, and the distance between parallel arrows
 * [points]. */
#define DEPTH 9.0
#define LANE 4.0
#define N_LANES 3
/* The horizontal distance from the middle of a tile to the start or the end of an arrow, as a
 * share of the tile's width. */
#define SIDE_SHARE 0.15

static PlgPoint
middle_of (PlgRect r)
{
  return (PlgPoint) { r.x + r.width / 2, r.y + r.height / 2 };
}

static PlgShape *
add_line_below (const PlgClusterDrawing *drawing,
                const ArrowRoute *leap,
                PlgColor color,
                double width)
{
  PlgPoint a = middle_of (leap->from), b = middle_of (leap->to);
  double bottom = leap->from.y + leap->from.height;
  const PlgPoint below[] = { { a.x, bottom },
                             { a.x, bottom + leap->depth },
                             { b.x, bottom + leap->depth },
                             { b.x, bottom } };

  return plg_figure_path (drawing->figure, below, G_N_ELEMENTS (below), color, width);
}

void
plg_cluster_add_arrow (const PlgClusterDrawing *drawing,
                       PlgRect from,
                       PlgRect to,
                       PlgPoint gap,
                       PlgEntity entity,
                       PlgClusterLinkStyle style,
                       int lane)
{
  PlgRect seen = drawing->options->visible;
  double left = MIN (from.x, to.x) - from.width, top = MIN (from.y, to.y) - from.height;
  double right = MAX (from.x, to.x) + 2 * from.width, bottom = MAX (from.y, to.y) + 2 * from.height;
  ArrowRoute leap = { .from = from, .to = to, .gap = gap };
  double next_row = MAX (drawing->layout.node_step_y, drawing->layout.tile_step_y) * 1.2;
  PlgShape *shape;

  if (seen.width > 0 && !(left <= seen.x + seen.width && seen.x <= right &&
                          top <= seen.y + seen.height && seen.y <= bottom))
    return;
  leap.dx = middle_of (leap.to).x - middle_of (leap.from).x;
  leap.dy = middle_of (leap.to).y - middle_of (leap.from).y;
  leap.depth = MAX (DEPTH, leap.gap.y / 3) + lane % N_LANES * LANE;
  leap.bow = leap.gap.x * (1 - 0.2 * (lane % (N_LANES + 1)));
  if (fabs (leap.dy) < 1)
    {
      /* Within a row, draw the arrow straight across the gap to the next tile, or below the
       * tiles if its target is farther away. */
      PlgPoint a = middle_of (leap.from), b = middle_of (leap.to);
      double side = leap.dx > 0 ? 1 : -1;

      if (fabs (leap.dx) >= leap.from.width + 1.5 * leap.gap.x)
        shape = add_line_below (drawing, &leap, style.color, style.width);
      else
        shape = plg_figure_line (drawing->figure, a.x + side * leap.from.width / 2, a.y,
                                 b.x - side * leap.to.width / 2, b.y, style.color, style.width);
    }
  else if (fabs (leap.dy) < next_row && fabs (leap.dx) < drawing->layout.card_width)
    {
      /* To a neighbouring row, draw the arrow between the facing edges of the two tiles. */
      PlgPoint a = middle_of (leap.from), b = middle_of (leap.to);
      double side = leap.dy > 0 ? 1 : -1;
      double start = a.y + side * leap.from.height / 2, end = b.y - side * leap.to.height / 2;
      double reach = (end - start) * 0.5;
      const PlgPoint curve[] = { { a.x, start },
                                 { a.x, start + reach },
                                 { b.x, end - reach },
                                 { b.x, end } };

      shape = plg_figure_path (drawing->figure, curve, G_N_ELEMENTS (curve), style.color,
                               style.width);
      shape->smooth = TRUE;
    }
  else if (fabs (leap.dx) < 1)
    {
      /* To a row farther away in the same column, draw the arrow in the gap to the right of the
       * tiles, from the right edge of one tile to the right edge of the other tile. */
      PlgPoint a = middle_of (leap.from), b = middle_of (leap.to);
      double start = a.x + leap.from.width / 2, end = b.x + leap.to.width / 2;
      double bow = leap.bow * 1.2;
      const PlgPoint curve[] = { { start, a.y },
                                 { start + bow, a.y },
                                 { end + bow, b.y },
                                 { end, b.y } };

      shape = plg_figure_path (drawing->figure, curve, G_N_ELEMENTS (curve), style.color,
                               style.width);
      shape->smooth = TRUE;
    }
  else
    {
      /* In all other cases, draw the arrow through a gap between rows and the gap to the left of
       * its target, so that it crosses neither tiles nor names. An arrow that points left starts
       * at the lower edge of its tile, so that it does not meet the arrows that point right,
       * which start at the upper edge. */
      PlgPoint a = middle_of (leap.from), b = middle_of (leap.to);
      gboolean is_back = leap.dx < 0;
      double out = a.x + leap.from.width * SIDE_SHARE, in = b.x - leap.to.width * SIDE_SHARE;
      double start = a.y + (is_back ? 0.5 : -0.5) * leap.from.height;
      double end = b.y - leap.to.height / 2;
      double along = start + (is_back ? leap.depth : -leap.depth);
      double aside = leap.to.x - leap.bow / 2;
      const PlgPoint route[] = {
        { out, start },           { out, along }, { aside, along }, { aside, end - leap.depth },
        { in, end - leap.depth }, { in, end },
      };

      shape = plg_figure_path (drawing->figure, route, G_N_ELEMENTS (route), style.color,
                               style.width);
    }
  shape->arrow = TRUE;
  shape->dashed = plg_theme_axis_dash (entity.axis);
  shape->entity = entity;
}

/* The positions by which the GPUs of a ring are sorted. Nodes are in the order of their ranks,
 * and the GPUs of a node are in the order of NCCL's ring in the node topology. */
typedef struct
{
  GHashTable *slots; /* maps a node to its position in the ring, counted from 1 */
  int place[PLG_MAX_GPUS_PER_NODE];
  int gpus; /* number of GPUs per node */
} RingPosition;

static int
compare_in_ring (gconstpointer a, gconstpointer b, gpointer data)
{
  const RingPosition *order = data;
  int x = *(const int *) a, y = *(const int *) b;
  int slot_x = GPOINTER_TO_INT (g_hash_table_lookup (order->slots,
                                                     GINT_TO_POINTER (x / order->gpus)));
  int slot_y = GPOINTER_TO_INT (g_hash_table_lookup (order->slots,
                                                     GINT_TO_POINTER (y / order->gpus)));

  if (slot_x != slot_y)
    return slot_x - slot_y;
  return order->place[x % order->gpus] - order->place[y % order->gpus];
}

/* Returns the traffic of one GPU over AXIS per step, as a PlgLink. Adds up all collectives of
 * AXIS. The traffic of each collective is that of a GPU in the stage PlgCollective.stage. */
static PlgLink
axis_load (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  PlgLink load = { 0 };

  for (guint i = 0; i < drawing->report->collectives->len; i++)
    {
      const PlgCollective *collective = &g_array_index (drawing->report->collectives, PlgCollective,
                                                        i);

      if (collective->axis != axis)
        continue;
      load.calls += collective->calls;
      load.bytes_out += collective->bytes_sent;
      load.time += collective->time;
    }
  return load;
}

PlgClusterLinkStyle
plg_cluster_ring_style (const PlgClusterDrawing *drawing, PlgAxis axis)
{
  PlgClusterLinkStyle style = { drawing->theme->role[PLG_ROLE_AXIS_TP + axis],
                                plg_cluster_is_small (drawing) ? 1.6 : 2.4 };
  PlgLink load;

  if (!drawing->options->rings || drawing->options->link_color == PLG_LINK_COLOR_OFF ||
      drawing->report->links->len == 0)
    return style;
  load = axis_load (drawing, axis);
  style.color = plg_theme_link_color (drawing->theme,
                                      plg_link_scale_share (&drawing->scale, &load));
  style.width = plg_link_width (&drawing->widths, plg_link_bytes (&load));
  return style;
}

gboolean
plg_cluster_ring_turns_back (const PlgClusterDrawing *drawing, const GArray *gpus, gboolean inside)
{
  /* Count how often the arrows inside nodes or, if INSIDE is FALSE, the arrows between nodes
   * change direction. A ring whose GPUs are in ascending order changes direction only twice: at
   * its highest and at its lowest GPU. */
  int per_node = drawing->layout.gpus_per_node;
  int first = 0, last = 0, turns = 0;

  for (guint i = 0; i < gpus->len; i++)
    {
      int from = g_array_index (gpus, int, i), to = g_array_index (gpus, int, (i + 1) % gpus->len);
      int side = from < to ? 1 : -1;

      if ((from / per_node == to / per_node) != inside)
        continue;
      turns += last != 0 && side != last;
      first = first != 0 ? first : side;
      last = side;
    }
  return turns + (first != last) > 2;
}

PlgPoint
plg_cluster_ring_point (const PlgClusterDrawing *drawing, int gpu)
{
  PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, gpu);

  return (PlgPoint) { tile.x + tile.width / 2, tile.y + tile.height + DEPTH };
}

GArray *
plg_cluster_ring_gpus (const PlgClusterDrawing *drawing, PlgAxis axis, int rank)
{
  GArray *gpus = plg_cluster_group_gpus (drawing, axis, rank);

  if (axis != PLG_AXIS_PP)
    {
      /* Inside a node, use the order of NCCL's ring if the plan contains that ring. */
      const PlgNodeTopology *map = &drawing->plan->node_topology;
      g_autoptr (GHashTable) slots = NULL;
      RingPosition order = { .gpus = map->gpus };

      if (map->rings != 0 && map->gpus == drawing->plan->cluster.gpus_per_node)
        {
          slots = order.slots = g_hash_table_new (NULL, NULL);
          for (int i = 0; i < map->gpus; i++)
            order.place[plg_node_topology_ring (map, 0)[i]] = i;
          for (guint i = 0; i < gpus->len; i++)
            {
              gpointer node = GINT_TO_POINTER (g_array_index (gpus, int, i) / map->gpus);

              if (!g_hash_table_contains (slots, node))
                g_hash_table_insert (slots, node, GUINT_TO_POINTER (g_hash_table_size (slots) + 1));
            }
          g_array_sort_with_data (gpus, compare_in_ring, &order);
        }
    }
  return gpus;
}

int
plg_cluster_n_ring_arrows (PlgAxis axis, int n)
{
  return axis != PLG_AXIS_PP && n > 2 ? n : n - 1;
}

/* Returns whether GPU is in the picture, which may show only some of the nodes. */
static gboolean
has_place (const PlgClusterDrawing *drawing, int gpu)
{
  int node = gpu / drawing->layout.gpus_per_node;

  return node >= drawing->layout.begin && node < drawing->layout.end;
}

typedef struct
{
  PlgEntity entity;
  PlgClusterLinkStyle style;
  const GArray *gpus;
  PlgPoint gap;
  gboolean has_lines; /* whether lines replace the arrows inside nodes */
} RingArrows;

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

void
plg_cluster_add_ring_arrows (PlgClusterDrawing *drawing,
                             PlgAxis axis,
                             int rank,
                             PlgClusterLinkStyle style,
                             gboolean apart)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autoptr (GArray) gpus = plg_cluster_ring_gpus (drawing, axis, rank);
  int group = plg_axis_group_of (&drawing->plan->parallelism, axis, rank);
  RingArrows ring = {
    .entity = { PLG_ENTITY_GROUP, axis, group },
    .style = style,
    .gpus = gpus,
    .gap = { layout->tile_step_x - layout->tile_width, layout->node_step_y - layout->card_height },
    .has_lines = axis != PLG_AXIS_PP && plg_cluster_ring_turns_back (drawing, gpus, TRUE)
  };
  int n = gpus->len, per_node = layout->gpus_per_node;
  g_autofree char *title = NULL;

  if (drawing->options->rings && !plg_cluster_is_without_ids (drawing))
    {
      /* Make the title, for example "TP ring: 13 184 calls, 67.6 GB per step". */
      PlgLink load = axis_load (drawing, axis);
      g_autofree char *calls = plg_describe_calls (load.calls);
      g_autofree char *volume = plg_format_volume (plg_link_bytes (&load));
      g_autofree char *name = g_strdup_printf (axis == PLG_AXIS_PP ? _ ("%s send") : _ ("%s ring"),
                                               plg_axis_label (axis));

      title = g_strdup_printf (_ ("%s: %s, %s per step"), name, calls, volume);
    }
  plg_figure_open (drawing->figure,
                   plg_figure_string (drawing->figure, "%s-%s-%d",
                                      axis == PLG_AXIS_PP ? "chain" : "ring", plg_axis_name (axis),
                                      group),
                   plg_figure_string (drawing->figure, "ring %s", plg_axis_name (axis)), title);
  if (ring.has_lines)
    {
      /* Connect the GPUs of each row with a line below them, regardless of their order, because
       * arrows in both directions would overlap. The numbers that add_order() in cluster-rings.c
       * adds show the order. */
      g_autoptr (GArray) sorted = g_array_copy ((GArray *) ring.gpus);

      g_array_sort (sorted, compare_ints);
      for (guint i = 0; i + 1 < sorted->len; i++)
        {
          int from = g_array_index (sorted, int, i);
          int to = g_array_index (sorted, int, i + 1);
          ArrowRoute leap = { .from = plg_cluster_layout_gpu (&drawing->layout, from),
                              .to = plg_cluster_layout_gpu (&drawing->layout, to),
                              .depth = DEPTH };
          PlgShape *shape;

          if (from / per_node != to / per_node || leap.from.y < leap.to.y ||
              !has_place (drawing, from))
            continue;
          shape = add_line_below (drawing, &leap, ring.style.color, ring.style.width);
          shape->entity = ring.entity;
        }
    }
  for (int i = 0; i < plg_cluster_n_ring_arrows (axis, n); i++)
    {
      int from = g_array_index (gpus, int, i), to = g_array_index (gpus, int, (i + 1) % n);
      int first = MIN (from, to), lane = 0;

      if (apart)
        lane = from / per_node == to / per_node ? first % per_node % MAX (ABS (to - from), 1)
                                                : first / per_node;
      if (!has_place (drawing, from) || !has_place (drawing, to) ||
          (ring.has_lines && from / per_node == to / per_node))
        continue;
      plg_cluster_add_arrow (drawing, plg_cluster_layout_gpu (layout, from),
                             plg_cluster_layout_gpu (layout, to), ring.gap, ring.entity, style,
                             lane);
    }
  plg_figure_close (drawing->figure);
}
