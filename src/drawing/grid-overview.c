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
  if (!plg_grid_can_read (grid, plg_grid_network_text (grid)))
    return "";
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

static void
add_leaves (PlgGrid *grid, const PlgGridWires *wires, int head, int last, int uplink)
{
  int unit = unit_of (wires, head);
  PlgRect card = plg_grid_layout_node (&grid->layout, head);
  double width = plg_grid_layout_node (&grid->layout, last).x + card.width - card.x;
  PlgRect box = { card.x, plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP), width,
                  plg_grid_rail_height (grid) };
  double x = box.x + box.width / 2;
  PlgGridLook look = plg_grid_look (grid, uplink);

  look.width = plg_grid_legible (grid, look.width, 60);
  if (uplink >= 0)
    plg_grid_add_bar (grid, x, box.y, x,
                      plg_grid_header_y (grid, head, PLG_GRID_SPINE_TOP + PLG_GRID_SPINE_HEIGHT),
                      uplink, look);
  plg_grid_add_box (grid, box, NULL, "leaf", leaves_name (grid, wires, unit, box.width));
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
      int unit = unit_of (wires, head), last = last_of_unit (grid, wires, head);

      if (spine)
        plg_grid_add_spine (grid, wires, head, TRUE);
      if (head < next)
        continue;
      next = last + 1;
      add_leaves (grid, wires, head, last,
                  spine ? uplink_of_unit (grid, wires, of_leaf, unit) : -1);
    }
}
