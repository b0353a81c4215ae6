/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-network.h"

#include <glib/gi18n-lib.h>

/* Seen from afar: the leaves of a unit are one box above its columns, and their uplinks one wire.
 */

/* "unit 3: 8 leaves", as much of it as fits; "8 leaves" where there is one unit. */
static const char *
leaves_name (const PlgGrid *grid, const PlgGridWires *wires, int unit, double width)
{
  int leaves = MAX (wires->fabric.leaves / MAX (wires->fabric.units, 1), 1);
  const char *brief = plg_figure_string (grid->figure, _ ("unit %d"), unit);
  const char *name;

  if (grid->plan->cluster.network == PLG_NETWORK_FLAT)
    return plg_grid_fitting (grid, _ ("network switch"), "", width);
  if (wires->fabric.units <= 1)
    {
      name = plg_figure_string (grid->figure,
                                g_dngettext (GETTEXT_PACKAGE, "%d leaf", "%d leaves", leaves),
                                leaves);
      return plg_grid_fitting (grid, name, "", width);
    }
  name = plg_figure_string (grid->figure,
                            g_dngettext (GETTEXT_PACKAGE, "unit %d: %d leaf", "unit %d: %d leaves",
                                         leaves),
                            unit, leaves);
  return plg_grid_fitting (grid, name, plg_grid_fitting (grid, brief, "", width), width);
}

static int
unit_of (const PlgGridWires *wires, int node)
{
  return node / MAX (wires->fabric.nodes_per_leaf, 1);
}

/* The head of the last column beside HEAD's whose nodes have the same leaves. */
static int
last_of_unit (const PlgGrid *grid, const PlgGridWires *wires, int head)
{
  int last = plg_grid_last_of_band (&grid->layout, head);

  while (last > head && wires->fabric.units > 1 && unit_of (wires, last) != unit_of (wires, head))
    last -= grid->layout.node_rows;
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
share_header (const PlgGrid *grid, int head, gboolean has_spine)
{
  double scale = plg_grid_header_y (grid, head, 1) - plg_grid_header_y (grid, head, 0);
  double least = plg_grid_least_box (grid) * 1.001;
  double leaves = MAX (plg_grid_rail_height (grid) / scale, least);
  double bottom = PLG_GRID_RAIL_TOP + plg_grid_rail_height (grid) / scale;
  Lines lines = { PLG_GRID_FAR_SPINE_TOP + MAX (PLG_GRID_SPINE_HEIGHT, least), bottom - leaves,
                  leaves };

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
leaves_box (const PlgGrid *grid, const PlgGridWires *wires, int head)
{
  Lines lines = share_header (grid, head, plg_grid_has_spine (grid, wires));
  PlgRect card = plg_grid_layout_node (&grid->layout, head);
  PlgRect last = plg_grid_layout_node (&grid->layout, last_of_unit (grid, wires, head));
  double width = last.x + last.width - card.x;
  double top = plg_grid_header_y (grid, head, lines.leaves_top);
  double bottom = plg_grid_header_y (grid, head, lines.leaves_top + lines.leaves_height);

  if (*leaves_name (grid, wires, unit_of (wires, head), width) == '\0' || bottom <= top)
    return (PlgRect) { card.x, card.y, width, 0 };
  return (PlgRect) { card.x, top, width, bottom - top };
}

static double
spine_bottom (const PlgGrid *grid, int head)
{
  return plg_grid_spine_y (grid, head, share_header (grid, head, TRUE).spine_bottom);
}

static void
add_leaves (PlgGrid *grid, const PlgGridWires *wires, int head, int uplink)
{
  PlgRect box = leaves_box (grid, wires, head);
  PlgGridLook look = plg_grid_look (grid, uplink);
  double x = box.x + box.width / 2;

  look.width = plg_grid_legible (grid, look.width, 60);
  if (uplink >= 0)
    plg_grid_add_bar (grid, x, box.y, x, spine_bottom (grid, head), uplink, look);
  if (box.height > 0)
    plg_grid_add_box (grid, box, NULL, "leaf",
                      leaves_name (grid, wires, unit_of (wires, head), box.width));
}

PlgPoint
plg_grid_overview_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int head)
{
  PlgRect box = leaves_box (grid, wires, head);

  return (PlgPoint) { box.x + box.width / 2, (box.y + spine_bottom (grid, head)) / 2 };
}

/* The busiest uplink of the leaves of UNIT, or -1. */
static int
uplink_of_unit (const PlgGrid *grid, const PlgGridWires *wires, const int *of_leaf, int unit)
{
  int busiest = -1;

  for (int leaf = 0; leaf < wires->fabric.leaves; leaf++)
    {
      int its_unit;

      plg_fabric_rail (&wires->fabric, leaf, &its_unit);
      if (its_unit == unit)
        busiest = plg_grid_busier (grid, busiest, of_leaf[leaf]);
    }
  return busiest;
}

void
plg_grid_add_overview (PlgGrid *grid, const PlgGridWires *wires)
{
  gboolean spine = plg_grid_has_spine (grid, wires);
  g_autofree int *of_leaf = plg_grid_busiest_uplinks (grid, wires);
  int next = 0;

  for (int head = grid->layout.first; head < grid->layout.end; head += grid->layout.node_rows)
    {
      int unit = unit_of (wires, head);

      if (spine)
        plg_grid_add_spine (grid, wires, head,
                            share_header (grid, head, TRUE).spine_bottom - PLG_GRID_FAR_SPINE_TOP,
                            TRUE);
      if (head < next)
        continue;
      next = last_of_unit (grid, wires, head) + 1;
      add_leaves (grid, wires, head, spine ? uplink_of_unit (grid, wires, of_leaf, unit) : -1);
    }
}
