/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-network.h"

#include <glib/gi18n-lib.h>

/* Seen from afar: the leaves of a unit are one box above its columns, and their uplinks one wire.
 */

/* "unit 3: 8 leaves", as much of it as fits; "8 leaves" where there is one unit. */
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
unit_of (const PlgClusterLinkMap *link_map, int node)
{
  return node / MAX (link_map->fabric.nodes_per_leaf, 1);
}

/* The head of the last column beside HEAD's whose nodes have the same leaves. */
static int
last_of_unit (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  int last = plg_cluster_last_column_of_band (&drawing->layout, head);

  while (last > head && link_map->fabric.units > 1 &&
         unit_of (link_map, last) != unit_of (link_map, head))
    last -= drawing->layout.node_rows;
  return last;
}

/* How the header is shared by the spine and the boxes of units, in points of a natural one. */
typedef struct
{
  double spine_bottom;
  double leaves_top, leaves_height; /* without height there is no room for them */
} Lines;

/* Between boxes of units and what is below them; only where there is room. */
#define LEAVES_GAP 6.0
/* What leads from the leaves to the spine is seen between them, where there is room: of the lowest
 * box with a name. */
#define UPLINK_SHARE 0.25

/* As high as both are in full detail where their names can be read so, else as high as they must be
 * for that, down to the nodes; and where that is more than the header has, the spine alone, for the
 * racks below have their own names. */
static Lines
share_header (const PlgClusterDrawing *drawing, int head, gboolean has_spine)
{
  double scale = plg_cluster_header_y (drawing, head, 1) - plg_cluster_header_y (drawing, head, 0);
  double least = plg_cluster_min_box_height (drawing) * 1.001;
  double leaves = MAX (plg_cluster_rail_height (drawing) / scale, least);
  double bottom = PLG_CLUSTER_RAIL_TOP + plg_cluster_rail_height (drawing) / scale;
  Lines lines = { PLG_CLUSTER_FAR_SPINE_TOP + MAX (PLG_CLUSTER_SPINE_HEIGHT, least),
                  bottom - leaves, leaves };

  if (has_spine && bottom - leaves < lines.spine_bottom + least * UPLINK_SHARE)
    {
      lines.leaves_height = MAX (bottom - lines.spine_bottom - least * UPLINK_SHARE, least);
      bottom = MAX (bottom, MIN (lines.spine_bottom + least, bottom + LEAVES_GAP));
      lines.leaves_height = MIN (lines.leaves_height, bottom - lines.spine_bottom);
    }
  if (lines.leaves_height < least)
    lines.leaves_height = 0;
  lines.leaves_top = bottom - lines.leaves_height;
  return lines;
}

/* The box of the leaves of the unit that begins with HEAD; without height, at the nodes, where
 * there is no room for its name. */
static PlgRect
leaves_box (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head)
{
  Lines lines = share_header (drawing, head, plg_cluster_has_spine (drawing, link_map));
  PlgRect card = plg_cluster_layout_node (&drawing->layout, head);
  PlgRect last = plg_cluster_layout_node (&drawing->layout, last_of_unit (drawing, link_map, head));
  double width = last.x + last.width - card.x;
  double top = plg_cluster_header_y (drawing, head, lines.leaves_top);
  double bottom = plg_cluster_header_y (drawing, head, lines.leaves_top + lines.leaves_height);

  if (*leaves_name (drawing, link_map, unit_of (link_map, head), width) == '\0' || bottom <= top)
    return (PlgRect) { card.x, card.y, width, 0 };
  return (PlgRect) { card.x, top, width, bottom - top };
}

static double
spine_bottom (const PlgClusterDrawing *drawing, int head)
{
  return plg_cluster_spine_y (drawing, head, share_header (drawing, head, TRUE).spine_bottom);
}

static void
add_leaves (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int head, int uplink)
{
  PlgRect box = leaves_box (drawing, link_map, head);
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, uplink);
  double x = box.x + box.width / 2;

  style.width = plg_cluster_legible_length (drawing, style.width, 60);
  if (uplink >= 0)
    plg_cluster_add_link_bar (drawing, x, box.y, x, spine_bottom (drawing, head), uplink, style);
  if (box.height > 0)
    plg_cluster_add_named_switch (drawing, box, NULL, "leaf",
                                  leaves_name (drawing, link_map, unit_of (link_map, head),
                                               box.width));
}

PlgPoint
plg_cluster_overview_uplink_point (const PlgClusterDrawing *drawing,
                                   const PlgClusterLinkMap *link_map,
                                   int head)
{
  PlgRect box = leaves_box (drawing, link_map, head);

  return (PlgPoint) { box.x + box.width / 2, (box.y + spine_bottom (drawing, head)) / 2 };
}

/* The busiest uplink of the leaves of UNIT, or -1. */
static int
uplink_of_unit (const PlgClusterDrawing *drawing,
                const PlgClusterLinkMap *link_map,
                const int *of_leaf,
                int unit)
{
  int busiest = -1;

  for (int leaf = 0; leaf < link_map->fabric.leaves; leaf++)
    {
      int its_unit;

      plg_fabric_rail (&link_map->fabric, leaf, &its_unit);
      if (its_unit == unit)
        busiest = plg_cluster_busier_link (drawing, busiest, of_leaf[leaf]);
    }
  return busiest;
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
      int unit = unit_of (link_map, head);

      if (spine)
        plg_cluster_add_spine (drawing, link_map, head,
                               share_header (drawing, head, TRUE).spine_bottom -
                                   PLG_CLUSTER_FAR_SPINE_TOP,
                               TRUE);
      if (head < next)
        continue;
      next = last_of_unit (drawing, link_map, head) + 1;
      add_leaves (drawing, link_map, head,
                  spine ? uplink_of_unit (drawing, link_map, of_leaf, unit) : -1);
    }
}
