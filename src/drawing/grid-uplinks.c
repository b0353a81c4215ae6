/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid-network.h"

/* What leads from the leaves of rails up to the spine. */

/* With more spines than this the uplinks of a leaf are drawn as one. */
#define MAX_UPLINKS 16

/* How far apart the uplinks of a leaf stand on the side of its box, ROOM points long. */
double
plg_grid_uplink_spacing (const PlgGridWires *wires, double room)
{
  return MIN (5.0, room / wires->fabric.spines);
}

/* How far the uplink to SPINE stands off the middle of its leaf. */
double
plg_grid_uplink_offset (const PlgGridWires *wires, int spine, double room)
{
  return (MAX (spine, 0) - (wires->fabric.spines - 1) / 2.0) *
         plg_grid_uplink_spacing (wires, room);
}

/* The busiest of the uplinks of each leaf, or -1. */
int *
plg_grid_busiest_uplinks (const PlgGrid *grid, const PlgGridWires *wires)
{
  int *busiest = g_new (int, MAX (wires->fabric.leaves, 1));

  for (int leaf = 0; leaf < wires->fabric.leaves; leaf++)
    busiest[leaf] = -1;
  for (guint i = 0; i < wires->uplinks->len; i++)
    {
      int index = g_array_index (wires->uplinks, int, i);
      int leaf = plg_grid_link (grid, index)->local;

      if (leaf >= 0 && leaf < wires->fabric.leaves)
        busiest[leaf] = plg_grid_busier (grid, busiest[leaf], index);
    }
  return busiest;
}

/* Where a leaf has so many uplinks that each would be a hair, or several rails run in one place,
 * the busiest stands for all. */
static gboolean
has_single_uplinks (const PlgGrid *grid, const PlgGridWires *wires)
{
  return wires->fabric.spines <= MAX_UPLINKS && (grid->plan->cluster.network != PLG_NETWORK_RAIL ||
                                                 wires->nics <= grid->layout.gpu_columns);
}

/* A unit whose nodes go on in further columns, such as racks, has its leaves above each of them,
 * and what leads up from there too. */
static void
add_rail_uplink (PlgGrid *grid,
                 const PlgGridWires *wires,
                 int leaf,
                 int index,
                 double off,
                 double wide)
{
  int unit, rail = plg_fabric_rail (&wires->fabric, leaf, &unit);
  int head = MAX (unit * wires->fabric.nodes_per_leaf, grid->layout.first);
  int end = MIN ((unit + 1) * wires->fabric.nodes_per_leaf, grid->layout.end);
  PlgGridLook look = plg_grid_look (grid, index);

  if (head >= end || !plg_grid_open_link (grid, index))
    return;
  look.width = MIN (look.width, wide);
  for (; head < end; head += grid->layout.node_rows)
    {
      double x = plg_grid_rail_x (grid, head, plg_grid_nic_column (grid, wires, rail)) + off;

      if (plg_grid_shows_column (grid, head))
        plg_grid_add_straight (grid, x, plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP), x,
                               plg_grid_spine_y (grid, head,
                                                 PLG_GRID_SPINE_TOP + PLG_GRID_SPINE_HEIGHT),
                               index, look);
    }
  plg_figure_close (grid->figure);
}

/* The leaf of UNIT whose uplink is the busiest of those beside COLUMN, or -1. */
static int
busiest_leaf (const PlgGrid *grid,
              const PlgGridWires *wires,
              const int *busiest,
              int unit,
              int column)
{
  int found = -1, index = -1;

  for (int leaf = 0; leaf < wires->fabric.leaves; leaf++)
    {
      int its_unit, rail = plg_fabric_rail (&wires->fabric, leaf, &its_unit);

      if (its_unit != unit || busiest[leaf] < 0 ||
          plg_grid_nic_column (grid, wires, rail) != column)
        continue;
      index = plg_grid_busier (grid, index, busiest[leaf]);
      if (index == busiest[leaf])
        found = leaf;
    }
  return found;
}

static void
add_uplink_bundles (PlgGrid *grid, const PlgGridWires *wires, double room)
{
  g_autofree int *busiest = plg_grid_busiest_uplinks (grid, wires);

  for (int unit = 0; unit < wires->fabric.units; unit++)
    for (int column = 0; column < grid->layout.gpu_columns; column++)
      {
        int leaf = busiest_leaf (grid, wires, busiest, unit, column);

        if (leaf >= 0)
          add_rail_uplink (grid, wires, leaf, busiest[leaf], 0, room * 0.175);
      }
}

/* Of the distance between the uplinks of a leaf: so wide they are at most, and so wide where they
 * are long, for a wall of them would be all that one sees. */
#define UPLINK_WIDTH 0.7
#define LONG_UPLINK_WIDTH 0.35

static double
most_uplink_width (const PlgGrid *grid, double spacing)
{
  double share = grid->layout.header_enlarged > 2 ? LONG_UPLINK_WIDTH * grid->layout.grain
                                                  : UPLINK_WIDTH;

  return spacing * MIN (share, UPLINK_WIDTH);
}

void
plg_grid_add_rail_uplinks (PlgGrid *grid, const PlgGridWires *wires)
{
  double room = plg_grid_is_small (grid) ? 26 : 40;

  if (!has_single_uplinks (grid, wires))
    {
      add_uplink_bundles (grid, wires, room);
      return;
    }
  for (guint i = 0; i < wires->uplinks->len; i++)
    {
      int index = g_array_index (wires->uplinks, int, i);
      const PlgLink *link = plg_grid_link (grid, index);

      if (link->local >= 0 && link->local < wires->fabric.leaves)
        add_rail_uplink (grid, wires, link->local, index,
                         plg_grid_uplink_offset (wires, link->other, room),
                         most_uplink_width (grid, plg_grid_uplink_spacing (wires, room)));
    }
}

PlgPoint
plg_grid_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int leaf, int spine)
{
  int unit, rail = plg_fabric_rail (&wires->fabric, leaf, &unit), head;

  spine = has_single_uplinks (grid, wires) ? spine : wires->fabric.spines / 2;
  if (grid->plan->cluster.network == PLG_NETWORK_TREE)
    return plg_grid_leaf_uplink_point (grid, wires, leaf, spine);
  head = CLAMP (unit * wires->fabric.nodes_per_leaf, grid->layout.first, grid->layout.end - 1);
  if (grid->layout.detail > PLG_GRID_SHORT)
    return plg_grid_overview_uplink_point (grid, wires, head);
  return (PlgPoint) { plg_grid_rail_x (grid, head, plg_grid_nic_column (grid, wires, rail)) +
                          plg_grid_uplink_offset (wires, spine, plg_grid_is_small (grid) ? 26 : 40),
                      (plg_grid_header_y (grid, head, PLG_GRID_RAIL_TOP) +
                       plg_grid_spine_y (grid, head, PLG_GRID_SPINE_TOP + PLG_GRID_SPINE_HEIGHT)) /
                          2 };
}
