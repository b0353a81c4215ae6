/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

#include "plan/fault.h"

/* The NICs of the nodes, and what leads to them. */

/* What is left of the stub to a NIC that has failed. */
#define BROKEN_STUB 0.3

/* NIC k stands beside the last of the GPUs that share it. */
static int
gpu_of_nic (const PlgGridWires *wires, int nic)
{
  return (int) ((((gint64) nic + 1) * wires->fabric.gpus - 1) / wires->nics);
}

int
plg_grid_nic_column (const PlgGrid *grid, const PlgGridWires *wires, int nic)
{
  return gpu_of_nic (wires, nic) % grid->layout.gpu_columns;
}

/* NICs of the same GPU stand above each other. */
PlgPoint
plg_grid_nic_point (const PlgGrid *grid, const PlgGridWires *wires, int node, int nic)
{
  const PlgGridLayout *layout = &grid->layout;
  int local = gpu_of_nic (wires, nic), slot = 0;
  PlgRect tile = plg_grid_layout_gpu (layout, node * layout->gpus_per_node + local);
  double foot = plg_grid_is_small (grid) ? 6 : 9;

  while (nic + slot + 1 < wires->nics && gpu_of_nic (wires, nic + slot + 1) == local)
    slot++;
  return (PlgPoint) { tile.x + tile.width + (layout->tile_step_x - tile.width) / 2,
                      tile.y + tile.height - foot - slot * MIN (8, (tile.height - foot) / 5) };
}

/* Whether NIC, and all that share its stub, have failed: there is a gap before them. */
static gboolean
have_failed (const PlgGrid *grid, const PlgGridWires *wires, int node, int nic)
{
  int gpu = gpu_of_nic (wires, nic);

  for (; nic < wires->nics && gpu_of_nic (wires, nic) == gpu; nic++)
    if (plg_faults_rate (&grid->plan->cluster, PLG_FAULT_NIC, node, nic) > 0.0)
      return FALSE;
  return TRUE;
}

/* From the GPU to its NIC: what a GPU sends to other nodes crosses PCIe first. */
static void
add_stub (PlgGrid *grid, const PlgGridWires *wires, int node, int nic, PlgPoint at)
{
  int gpu = node * grid->layout.gpus_per_node + gpu_of_nic (wires, nic);
  PlgRect tile = plg_grid_layout_gpu (&grid->layout, gpu);
  int index = wires->pcie_link[gpu];
  PlgGridLook look = plg_grid_look (grid, index);
  gboolean is_open;

  /* In a PCIe tree the link is drawn as a part of it. */
  if (grid->plan->cluster.intra == PLG_INTRA_PCIE)
    return;
  is_open = plg_grid_open_link (grid, index);
  look.width = MIN (look.width, 3);
  if (have_failed (grid, wires, node, nic))
    at.x = tile.x + tile.width + (at.x - tile.x - tile.width) * BROKEN_STUB;
  plg_grid_add_straight (grid, tile.x + tile.width, at.y, at.x, at.y, index, look);
  if (is_open)
    plg_figure_close (grid->figure);
}

/* In a tree network the NICs of a node share a wire along the upper edge of its card. */
static void
add_collector (PlgGrid *grid, const PlgGridWires *wires, int node, int nic, PlgPoint at)
{
  PlgRect card = plg_grid_layout_node (&grid->layout, node);
  int index = wires->nic_link[node * wires->nics + nic];
  double y = card.y + 2.5;
  double right = nic + 1 < wires->nics ? plg_grid_nic_point (grid, wires, node, nic + 1).x
                                       : card.x + card.width + PLG_GRID_LEAF_GAP;
  const PlgPoint wire[] = { { at.x, at.y }, { at.x, y }, { MAX (right, at.x), y } };
  PlgGridLook look = plg_grid_look (grid, index);

  look.width = MIN (look.width, 2);
  plg_grid_add_wire (grid, wire, G_N_ELEMENTS (wire), index, look);
}

static void
add_nic (PlgGrid *grid, const PlgGridWires *wires, int node, int nic)
{
  PlgPoint at = plg_grid_nic_point (grid, wires, node, nic);
  int index = wires->nic_link[node * wires->nics + nic];
  double radius = plg_grid_is_small (grid) ? 2 : 3.2;
  gboolean is_open = plg_grid_open_link (grid, index);
  PlgShape *shape;

  if (grid->plan->cluster.network == PLG_NETWORK_TREE)
    add_collector (grid, wires, node, nic, at);
  if (!plg_grid_draws_link (grid, index))
    return;
  shape = plg_figure_rect (grid->figure, at.x - radius, at.y - radius, 2 * radius, 2 * radius,
                           plg_grid_is_terse (grid) ? 0 : radius, grid->theme->role[PLG_ROLE_CARD]);
  shape->stroke = plg_grid_look (grid, index).color;
  shape->stroke_width = plg_grid_is_small (grid) ? 1 : 1.6;
  if (index >= 0)
    shape->thing = (PlgThing) { PLG_THING_LINK, 0, index };
  if (is_open)
    plg_figure_close (grid->figure);
}

void
plg_grid_add_nics (PlgGrid *grid, const PlgGridWires *wires)
{
  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (grid->layout.detail > PLG_GRID_SHORT)
    return;
  for (int node = 0; node < grid->layout.nodes; node++)
    {
      if (!plg_grid_shows_node (grid, node))
        continue;
      /* Several NICs of a GPU share its stub. */
      for (int nic = 0; nic < wires->nics; nic++)
        if (nic == 0 || gpu_of_nic (wires, nic) != gpu_of_nic (wires, nic - 1))
          add_stub (grid, wires, node, nic, plg_grid_nic_point (grid, wires, node, nic));
      for (int nic = 0; nic < wires->nics; nic++)
        add_nic (grid, wires, node, nic);
    }
}
