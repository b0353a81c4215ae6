/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include <glib/gi18n-lib.h>

/* The network when the view is zoomed out: the leaves of a unit are one box above its columns,
 * and their uplinks are one line. */

/* Returns the name of a unit's leaves, for example "unit 3: 8 leaves", or "unit 3" if there is
 * little room; "8 leaves" if there is only one unit. */
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

/* Returns the head of the last column that is in the same band as HEAD and whose nodes belong to
 * the same unit as HEAD. */
static int
last_column_of_unit (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  int last = plg_cluster_last_column_of_band (&drawing->layout, head);

  while (last > head && link_map->fabric.units > 1 &&
         unit_of_node (link_map, last) != unit_of_node (link_map, head))
    last -= drawing->layout.node_rows;
  return last;
}

/* The positions of the spine and of the boxes of units, in a header of natural size [points]. */
typedef struct
{
  double spine_bottom;
  double leaves_top, leaves_height; /* position of the boxes; the height is 0 if there is no room
                                       for them */
} HeaderPlaces;

/* The gap between the boxes of units and the nodes, if there is room for it. */
#define LEAVES_GAP 6.0
/* The visible length of uplinks as a share of the minimum height of a box with a name, if there
 * is room for it. */
#define UPLINK_SHARE 0.25

/* Divides the header between the spine and the boxes of units. The boxes are as high as in the
 * detailed view if their names are legible at that height. Otherwise they have the smallest
 * legible height, and may extend down to the nodes. If the header is too low even for that, only
 * the spine is drawn, because the racks below have their own names. */
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

/* Returns the box of the leaves of the unit that begins with HEAD. If there is no room for the
 * name of the box, the box has no height and is at the upper edge of the nodes. */
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

      /* Draw only the busiest uplink from the leaves of the unit, in place of all of them. */
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
