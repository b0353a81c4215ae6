/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

/* With more spines than this, one line represents several uplinks. */
#define MAX_UPLINKS 16

double
plg_cluster_uplink_spacing (const PlgClusterLinkMap *link_map, double room)
{
  return MIN (5.0, room / link_map->fabric.spines);
}

double
plg_cluster_uplink_offset (const PlgClusterLinkMap *link_map, int spine, double room)
{
  return (MAX (spine, 0) - (link_map->fabric.spines - 1) / 2.0) *
         plg_cluster_uplink_spacing (link_map, room);
}

int *
plg_cluster_busiest_uplinks (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  int *busiest = g_new (int, MAX (link_map->fabric.leaves, 1));

  for (int leaf = 0; leaf < link_map->fabric.leaves; leaf++)
    busiest[leaf] = -1;
  for (guint i = 0; i < link_map->uplinks->len; i++)
    {
      int index = g_array_index (link_map->uplinks, int, i);
      int leaf = plg_cluster_link (drawing, index)->local;

      if (leaf >= 0 && leaf < link_map->fabric.leaves)
        busiest[leaf] = plg_cluster_busier_link (drawing, busiest[leaf], index);
    }
  return busiest;
}

gboolean
plg_cluster_has_single_uplinks (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  return link_map->fabric.spines <= MAX_UPLINKS &&
         (drawing->plan->cluster.network != PLG_NETWORK_RAIL ||
          link_map->nics <= drawing->layout.gpu_columns);
}

/* Adds the line of an uplink. If the nodes of the uplink's leaf continue in further columns,
 * adds the line above each of these columns. */
static void
add_rail_uplink (PlgClusterDrawing *drawing,
                 const PlgClusterLinkMap *link_map,
                 int leaf,
                 int index,
                 double offset,
                 double max_width)
{
  int unit, rail = plg_fabric_rail (&link_map->fabric, leaf, &unit);
  int head = MAX (unit * link_map->fabric.nodes_per_leaf, drawing->layout.first);
  int end = MIN ((unit + 1) * link_map->fabric.nodes_per_leaf, drawing->layout.end);
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);

  if (head >= end || !plg_cluster_open_link (drawing, index))
    return;
  style.width = MIN (style.width, max_width);
  for (; head < end; head += drawing->layout.node_rows)
    {
      double x = plg_cluster_rail_x (drawing, head,
                                     plg_cluster_nic_column (drawing, link_map, rail)) +
                 offset;

      if (plg_cluster_shows_column (drawing, head))
        plg_cluster_add_link_line (drawing, x,
                                   plg_cluster_header_y (drawing, head, PLG_CLUSTER_RAIL_TOP), x,
                                   plg_cluster_spine_y (drawing, head,
                                                        PLG_CLUSTER_SPINE_TOP +
                                                            PLG_CLUSTER_SPINE_HEIGHT),
                                   index, style);
    }
  plg_figure_close (drawing->figure);
}

/* Returns the leaf in UNIT with the busiest uplink among the leaves whose NICs are in COLUMN, or
 * -1 if there is no such uplink. */
static int
busiest_leaf (const PlgClusterDrawing *drawing,
              const PlgClusterLinkMap *link_map,
              const int *busiest,
              int unit,
              int column)
{
  int found = -1, index = -1;

  for (int leaf = 0; leaf < link_map->fabric.leaves; leaf++)
    {
      int unit_of_leaf, rail = plg_fabric_rail (&link_map->fabric, leaf, &unit_of_leaf);

      if (unit_of_leaf != unit || busiest[leaf] < 0 ||
          plg_cluster_nic_column (drawing, link_map, rail) != column)
        continue;
      index = plg_cluster_busier_link (drawing, index, busiest[leaf]);
      if (index == busiest[leaf])
        found = leaf;
    }
  return found;
}

/* The maximum width of uplinks as a share of the distance between them. Long uplinks are
 * narrower, because they would otherwise hide everything between them. */
#define UPLINK_WIDTH 0.7
#define LONG_UPLINK_WIDTH 0.35

void
plg_cluster_add_rail_uplinks (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  double room = plg_cluster_is_small (drawing) ? 26 : 40;

  if (!plg_cluster_has_single_uplinks (drawing, link_map))
    {
      g_autofree int *busiest = plg_cluster_busiest_uplinks (drawing, link_map);

      for (int unit = 0; unit < link_map->fabric.units; unit++)
        for (int column = 0; column < drawing->layout.gpu_columns; column++)
          {
            int leaf = busiest_leaf (drawing, link_map, busiest, unit, column);

            if (leaf >= 0)
              add_rail_uplink (drawing, link_map, leaf, busiest[leaf], 0, room * 0.175);
          }

      return;
    }
  for (guint i = 0; i < link_map->uplinks->len; i++)
    {
      int index = g_array_index (link_map->uplinks, int, i);
      const PlgLink *link = plg_cluster_link (drawing, index);

      if (link->local >= 0 && link->local < link_map->fabric.leaves)
        {
          double spacing = plg_cluster_uplink_spacing (link_map, room);
          double share = drawing->layout.header_enlargement > 2
                             ? LONG_UPLINK_WIDTH * drawing->layout.points_per_pixel
                             : UPLINK_WIDTH;

          add_rail_uplink (drawing, link_map, link->local, index,
                           plg_cluster_uplink_offset (link_map, link->other, room),
                           spacing * MIN (share, UPLINK_WIDTH));
        }
    }
}
