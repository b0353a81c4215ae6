/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include <glib/gi18n-lib.h>

/* The network in a zoomed-out view. The leaf switches of a unit (a set of nodes that share
 * rails) are drawn as one box above the columns of the unit, and their uplinks as one line. */

/* Returns the name of the box that represents the leaves of a unit: "unit 3: 8 leaves" or, if
 * there is little room, "unit 3". If there is only one unit, the name is "8 leaves"; in a flat
 * network, it is "network switch". Returns "" if no name fits. */
static const char *
leaves_name (const PlgClusterDrawing *drawing,
             const PlgClusterLinkMap *link_map,
             int unit,
             double width)
{
  int leaves = MAX (link_map->fabric.leaves / MAX (link_map->fabric.units, 1), 1);
  const char *brief = plg_figure_string (drawing->figure, _ ("unit %d"), unit);
  const char *name;

  if (drawing->plan->cluster.network == PLG_NETWORK_FLAT)
    return plg_cluster_fit_name (drawing, _ ("network switch"), "", width);
  if (link_map->fabric.units <= 1)
    {
      name = plg_figure_string (drawing->figure,
                                g_dngettext (GETTEXT_PACKAGE, "%d leaf", "%d leaves", leaves),
                                leaves);
      return plg_cluster_fit_name (drawing, name, "", width);
    }
  name = plg_figure_string (drawing->figure,
                            g_dngettext (GETTEXT_PACKAGE, "unit %d: %d leaf", "unit %d: %d leaves",
                                         leaves),
                            unit, leaves);
  return plg_cluster_fit_name (drawing, name, plg_cluster_fit_name (drawing, brief, "", width),
                               width);
}

static int
unit_of_node (const PlgClusterLinkMap *link_map, int node)
{
  return node / MAX (link_map->fabric.nodes_per_leaf, 1);
}

/* Returns the first node of the last column that contains nodes of HEAD's unit and is in the
 * same band as HEAD. */
static int
last_column_of_unit (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  int last = plg_cluster_last_column_of_band (&drawing->layout, head);

  while (last > head && link_map->fabric.units > 1 &&
         unit_of_node (link_map, last) != unit_of_node (link_map, head))
    last -= drawing->layout.node_rows;
  return last;
}

/* The vertical positions of the spine and of the boxes of units in a header of natural size
 * [points]. */
typedef struct
{
  double spine_bottom;
  double leaves_top, leaves_height; /* top and height of the boxes; the height is 0 if the boxes
                                       do not fit */
} HeaderPlaces;

/* The gap between the boxes of units and the nodes if there is enough room [points]. */
#define LEAVES_GAP 6.0
/* The length of uplinks between the spine and the boxes of units if there is enough room, as a
 * share of the minimum height of a box with a legible name. */
#define UPLINK_SHARE 0.25

/* Divides the header between the spine and the boxes of units. The boxes are as high as in the
 * detailed view if their names are legible at that height. Otherwise they have the minimum
 * legible height, and may extend down to the nodes. If the header is too low even for that, the
 * boxes are left out, because the racks below them have names of their own. */
static HeaderPlaces
share_header (const PlgClusterDrawing *drawing, int head, gboolean has_spine)
{
  double scale = plg_cluster_header_y (drawing, head, 1) - plg_cluster_header_y (drawing, head, 0);
  double least = plg_cluster_min_box_height (drawing) * 1.001;
  double leaves = MAX (plg_cluster_rail_height (drawing) / scale, least);
  double bottom = PLG_CLUSTER_RAIL_TOP + plg_cluster_rail_height (drawing) / scale;
  HeaderPlaces places = { PLG_CLUSTER_FAR_SPINE_TOP + MAX (PLG_CLUSTER_SPINE_HEIGHT, least),
                          bottom - leaves, leaves };

  if (has_spine && bottom - leaves < places.spine_bottom + least * UPLINK_SHARE)
    {
      places.leaves_height = MAX (bottom - places.spine_bottom - least * UPLINK_SHARE, least);
      bottom = MAX (bottom, MIN (places.spine_bottom + least, bottom + LEAVES_GAP));
      places.leaves_height = MIN (places.leaves_height, bottom - places.spine_bottom);
    }
  if (places.leaves_height < least)
    places.leaves_height = 0;
  places.leaves_top = bottom - places.leaves_height;
  return places;
}

/* Returns the box for the leaves of a unit. HEAD is the first node of the unit's first column.
 * If there is no room for the box or its name, the height is 0 and the box is at the upper edge
 * of the nodes. */
static PlgRect
leaves_box (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  HeaderPlaces places = share_header (drawing, head, plg_cluster_has_spine (drawing, link_map));
  PlgRect card = plg_cluster_layout_node (&drawing->layout, head);
  PlgRect last = plg_cluster_layout_node (&drawing->layout,
                                          last_column_of_unit (drawing, link_map, head));
  double width = last.x + last.width - card.x;
  double top = plg_cluster_header_y (drawing, head, places.leaves_top);
  double bottom = plg_cluster_header_y (drawing, head, places.leaves_top + places.leaves_height);

  if (*leaves_name (drawing, link_map, unit_of_node (link_map, head), width) == '\0' ||
      bottom <= top)
    return (PlgRect) { card.x, card.y, width, 0 };
  return (PlgRect) { card.x, top, width, bottom - top };
}

static double
spine_bottom (const PlgClusterDrawing *drawing, int head)
{
  return plg_cluster_spine_y (drawing, head, share_header (drawing, head, TRUE).spine_bottom);
}

PlgPoint
plg_cluster_overview_uplink_point (const PlgClusterDrawing *drawing,
                                   const PlgClusterLinkMap *link_map,
                                   int head)
{
  PlgRect box = leaves_box (drawing, link_map, head);

  return (PlgPoint) { box.x + box.width / 2, (box.y + spine_bottom (drawing, head)) / 2 };
}


void
plg_cluster_add_overview (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  gboolean spine = plg_cluster_has_spine (drawing, link_map);
  g_autofree int *of_leaf = plg_cluster_busiest_uplinks (drawing, link_map);
  int next = 0;

  for (int head = drawing->layout.first; head < drawing->layout.end;
       head += drawing->layout.node_rows)
    {
      int unit = unit_of_node (link_map, head), uplink = -1;
      PlgClusterLinkStyle style;
      PlgRect box;
      double x;

      if (spine)
        plg_cluster_add_spine (drawing, link_map, head,
                               share_header (drawing, head, TRUE).spine_bottom -
                                   PLG_CLUSTER_FAR_SPINE_TOP,
                               TRUE);
      if (head < next)
        continue;
      next = last_column_of_unit (drawing, link_map, head) + 1;

      /* Draw one line for all uplinks of the unit, in the style of the busiest one. */
      for (int leaf = 0; spine && leaf < link_map->fabric.leaves; leaf++)
        {
          int unit_of_leaf;

          plg_fabric_rail (&link_map->fabric, leaf, &unit_of_leaf);
          if (unit_of_leaf == unit)
            uplink = plg_cluster_busier_link (drawing, uplink, of_leaf[leaf]);
        }
      box = leaves_box (drawing, link_map, head);
      x = box.x + box.width / 2;
      style = plg_cluster_link_style (drawing, uplink);
      style.width = plg_cluster_legible_length (drawing, style.width, 60);
      if (uplink >= 0)
        plg_cluster_add_link_bar (drawing, x, box.y, x, spine_bottom (drawing, head), uplink,
                                  style);
      if (box.height > 0)
        plg_cluster_add_named_switch (drawing, box, NULL, "leaf",
                                      leaves_name (drawing, link_map, unit, box.width));
    }
}
