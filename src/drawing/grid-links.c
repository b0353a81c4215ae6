/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/grid.h"

/* Where a row of tiles begins and how many it has. */
typedef struct
{
  int first;
  int n;
} Row;

static PlgRect
gpu_rect (const PlgGrid *grid, int gpu)
{
  return plg_grid_layout_gpu (&grid->layout, gpu);
}

/* A port down to the switch, and the GPU's piece of the switch. The pieces overlap a little, so
 * that no seams show. */
static void
add_switch_port (PlgGrid *grid, Row row, int gpu, int index)
{
  PlgRect tile = gpu_rect (grid, gpu);
  double gap = (grid->layout.tile_step_x - tile.width) / 2 + 0.25;
  double bottom = tile.y + tile.height, middle = tile.x + tile.width / 2;
  double y = bottom + (plg_grid_is_small (grid) ? 5 : 7.5);
  double left = gpu > row.first ? tile.x - gap : tile.x;
  double right = tile.x + tile.width + (gpu < row.first + row.n - 1 ? gap : 0);
  PlgGridLook look = plg_grid_look (grid, index);
  gboolean is_open = plg_grid_open_link (grid, index);

  plg_grid_add_straight (grid, middle, bottom + 0.5, middle, y, index, look);
  plg_grid_add_straight (grid, left, y, right, y, index, look);
  if (is_open)
    plg_figure_close (grid->figure);
}

/* Pairs of GPUs join, then the pairs join at the root: a tree. */
static void
add_tree_port (PlgGrid *grid, Row row, int gpu, int index)
{
  PlgRect tile = gpu_rect (grid, gpu);
  int place = gpu - row.first;
  double bottom = tile.y + tile.height, middle = tile.x + tile.width / 2;
  double depth = grid->layout.wiring - 3, fork = bottom + depth * 0.5;
  double half = grid->layout.tile_step_x / 2;
  double join = place % 2 == 1 ? middle - half : place + 1 < row.n ? middle + half : middle;
  const PlgPoint port[] = { { middle, bottom + 0.5 }, { middle, fork }, { join, fork } };
  PlgGridLook look = plg_grid_look (grid, index);
  gboolean is_open = plg_grid_open_link (grid, index);

  plg_grid_add_wire (grid, port, G_N_ELEMENTS (port), index, look);
  if (is_open)
    plg_figure_close (grid->figure);
  if (place % 2 == 0)
    plg_grid_add_straight (grid, join, fork, join, bottom + depth, -1, look);
}

/* The root of the tree: the host's bridge, which all GPUs share. */
static void
add_tree_root (PlgGrid *grid, const PlgGridWires *wires, Row row)
{
  PlgRect left = gpu_rect (grid, row.first), right = gpu_rect (grid, row.first + row.n - 1);
  double y = left.y + left.height + grid->layout.wiring - 3;
  int busiest = -1;

  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    busiest = plg_grid_busier (grid, busiest, wires->pcie_link[gpu]);
  plg_grid_add_straight (grid, left.x + left.width / 2, y, right.x + right.width / 2, y, -1,
                         plg_grid_look (grid, busiest));
}

static void
add_row (PlgGrid *grid, const PlgGridWires *wires, Row row)
{
  gboolean is_tree = grid->plan->cluster.intra == PLG_INTRA_PCIE;

  if (is_tree)
    add_tree_root (grid, wires, row);
  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    if (is_tree)
      add_tree_port (grid, row, gpu, wires->pcie_link[gpu]);
    else
      add_switch_port (grid, row, gpu, wires->port_link[gpu]);
}

/* An arc from GPU to GPU, deeper the farther they are. The ends are spread along the tiles, so
 * that the arcs of a GPU can be told apart. */
static void
add_arc (PlgGrid *grid, int index)
{
  const PlgLink *link = plg_grid_link (grid, index);
  int base = link->node * grid->layout.gpus_per_node;
  PlgRect from = gpu_rect (grid, base + MIN (link->local, link->other));
  PlgRect to = gpu_rect (grid, base + MAX (link->local, link->other));
  /* 0 for neighbours, 1 from end to end. */
  double far = (to.x - from.x - grid->layout.tile_step_x) /
               MAX (grid->layout.card_width - grid->layout.tile_step_x, 1);
  double y = from.y + from.height + 0.5;
  /* The middle of a cubic curve lies at three quarters of its controls. */
  double depth = (grid->layout.wiring - 4) / 0.75 * (0.3 + 0.7 * far);
  double x1 = from.x + from.width * (0.92 - 0.5 * far), x2 = to.x + to.width * (0.08 + 0.5 * far);
  const PlgPoint curve[] = { { x1, y }, { x1, y + depth }, { x2, y + depth }, { x2, y } };
  PlgGridLook look = plg_grid_look (grid, index);

  if (!plg_grid_open_link (grid, index))
    return;
  look.width = 0.9;
  plg_grid_add_wire (grid, curve, G_N_ELEMENTS (curve), index, look)->smooth = TRUE;
  plg_figure_close (grid->figure);
}

/* A mesh that is too small for arcs, or whose links are not known: a dashed bar under the tiles,
 * as busy as its busiest link. */
static void
add_mesh_bar (PlgGrid *grid, Row row, int index)
{
  PlgRect left = gpu_rect (grid, row.first), right = gpu_rect (grid, row.first + row.n - 1);
  double y = left.y + left.height + (plg_grid_is_small (grid) ? 4.5 : 7.5);
  PlgGridLook look = plg_grid_look (grid, index);
  PlgShape *shape;

  look.width = MAX (look.width, 1.5);
  shape = plg_grid_add_straight (grid, left.x, y, right.x + right.width, y, index, look);
  if (shape != NULL)
    shape->dashed = TRUE;
}

/* The busiest of the direct links of each node; -1 where there is none. */
static int *
busiest_pairs (const PlgGrid *grid, const PlgGridWires *wires)
{
  int *busiest = g_new (int, grid->layout.nodes);

  for (int node = 0; node < grid->layout.nodes; node++)
    busiest[node] = -1;
  for (guint i = 0; i < wires->pairs->len; i++)
    {
      int index = g_array_index (wires->pairs, int, i);
      int *best = &busiest[plg_grid_link (grid, index)->node];

      *best = plg_grid_busier (grid, *best, index);
    }
  return busiest;
}

static Row
nth_row (const PlgGrid *grid, int node, int i)
{
  int before = i * grid->layout.gpu_columns;

  return (Row) { node * grid->layout.gpus_per_node + before,
                 MIN (grid->layout.gpu_columns, grid->layout.gpus_per_node - before) };
}

/* A pair that reaches each other over PCIe has no link of its own to be drawn, but what crosses
 * there is seen. */
static gboolean
shows_pair (const PlgGrid *grid, int index)
{
  const PlgLink *link = plg_grid_link (grid, index);

  return plg_grid_shows_node (grid, link->node) &&
         (link->tier == PLG_TIER_NVLINK || link->calls > 0.0);
}

static void
add_mesh (PlgGrid *grid, const PlgGridWires *wires)
{
  g_autofree int *busiest = NULL;

  if (!plg_grid_is_small (grid) && wires->pairs->len > 0)
    {
      for (guint i = 0; i < wires->pairs->len; i++)
        if (shows_pair (grid, g_array_index (wires->pairs, int, i)))
          add_arc (grid, g_array_index (wires->pairs, int, i));
      return;
    }
  busiest = busiest_pairs (grid, wires);
  for (int node = 0; node < grid->layout.nodes; node++)
    if (plg_grid_shows_node (grid, node))
      add_mesh_bar (grid, nth_row (grid, node, 0), busiest[node]);
}

static int
busiest_port (const PlgGrid *grid, const PlgGridWires *wires, int node, int index)
{
  for (int i = 0; i < grid->layout.gpus_per_node; i++)
    {
      int gpu = node * grid->layout.gpus_per_node + i;
      int port = wires->port_link[gpu] >= 0 ? wires->port_link[gpu] : wires->pcie_link[gpu];

      index = plg_grid_busier (grid, index, port);
    }
  return index;
}

static int
busiest_nic (const PlgGrid *grid, const PlgGridWires *wires, int node)
{
  int index = -1;

  for (int nic = 0; nic < wires->nics; nic++)
    index = plg_grid_busier (grid, index, wires->nic_link[node * wires->nics + nic]);
  return index;
}

/* Where the tiles are too small for wires, a bar under a node says what its busiest link does,
 * and one to the right of it what its busiest NIC does. On the screen that one goes on up to the
 * node above and so to the switch, as the cable does. */
static void
add_node_bars (PlgGrid *grid, const PlgGridWires *wires, int node, int pair)
{
  const PlgGridLayout *layout = &grid->layout;
  PlgRect card = plg_grid_layout_node (layout, node);
  double right = card.x + card.width, bottom = card.y + card.height - 2, top = card.y + 2;
  int port = busiest_port (grid, wires, node, pair), nic = busiest_nic (grid, wires, node);
  PlgGridLook port_look = plg_grid_look (grid, port), nic_look = plg_grid_look (grid, nic);

  if (!layout->is_small)
    {
      bottom = card.y + card.height - layout->wiring / 2;
      right -= 5;
      top = card.y + layout->wiring / 2 - layout->node_step_y + layout->card_height;
      port_look.width = MIN (port_look.width, 8);
      nic_look.width = plg_grid_legible (grid, nic_look.width, 12);
    }
  if (port >= 0)
    plg_grid_add_bar (grid, card.x + 2, bottom, right - 2, bottom, port, port_look);
  if (nic >= 0)
    plg_grid_add_bar (grid, right + 1, top, right + 1, bottom, nic, nic_look);
}

static void
add_all_node_bars (PlgGrid *grid, const PlgGridWires *wires)
{
  g_autofree int *busiest = busiest_pairs (grid, wires);

  for (int node = 0; node < grid->layout.nodes; node++)
    if (plg_grid_shows_node (grid, node))
      add_node_bars (grid, wires, node, busiest[node]);
}

void
plg_grid_add_wiring (PlgGrid *grid, const PlgGridWires *wires)
{
  const PlgGridLayout *layout = &grid->layout;

  plg_figure_set_layer (grid->figure, PLG_LAYER_LINKS);
  if (layout->is_rack_tile)
    plg_grid_add_links_of_racks (grid, wires);
  else if (layout->detail >= PLG_GRID_TILES)
    add_all_node_bars (grid, wires);
  else if (plg_fabric_has_pairs (&wires->fabric))
    add_mesh (grid, wires);
  else if (layout->gpus_per_node > 1)
    for (int node = 0; node < layout->nodes; node++)
      for (int row = 0; plg_grid_shows_node (grid, node) && row < layout->gpu_rows; row++)
        add_row (grid, wires, nth_row (grid, node, row));
}
