/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"

/* Where a row of tiles begins and how many it has. */
typedef struct
{
  int first;
  int n;
} Row;

static PlgRect
gpu_rect (const PlgClusterDrawing *drawing, int gpu)
{
  return plg_cluster_layout_gpu (&drawing->layout, gpu);
}

/* A port down to the switch, and the GPU's piece of the switch. The pieces overlap a little, so
 * that no seams show. */
static void
add_switch_port (PlgClusterDrawing *drawing, Row row, int gpu, int index)
{
  PlgRect tile = gpu_rect (drawing, gpu);
  double gap = (drawing->layout.tile_step_x - tile.width) / 2 + 0.25;
  double bottom = tile.y + tile.height, middle = tile.x + tile.width / 2;
  double y = bottom + (plg_cluster_is_small (drawing) ? 5 : 7.5);
  double left = gpu > row.first ? tile.x - gap : tile.x;
  double right = tile.x + tile.width + (gpu < row.first + row.n - 1 ? gap : 0);
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
  gboolean is_open = plg_cluster_open_link (drawing, index);

  plg_cluster_add_link_line (drawing, middle, bottom + 0.5, middle, y, index, style);
  plg_cluster_add_link_line (drawing, left, y, right, y, index, style);
  if (is_open)
    plg_figure_close (drawing->figure);
}

/* Pairs of GPUs join, then the pairs join at the root: a tree. */
static void
add_tree_port (PlgClusterDrawing *drawing, Row row, int gpu, int index)
{
  PlgRect tile = gpu_rect (drawing, gpu);
  int place = gpu - row.first;
  double bottom = tile.y + tile.height, middle = tile.x + tile.width / 2;
  double depth = drawing->layout.wiring - 3, fork = bottom + depth * 0.5;
  double half = drawing->layout.tile_step_x / 2;
  double join = place % 2 == 1 ? middle - half : place + 1 < row.n ? middle + half : middle;
  const PlgPoint port[] = { { middle, bottom + 0.5 }, { middle, fork }, { join, fork } };
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
  gboolean is_open = plg_cluster_open_link (drawing, index);

  plg_cluster_add_link_path (drawing, port, G_N_ELEMENTS (port), index, style);
  if (is_open)
    plg_figure_close (drawing->figure);
  if (place % 2 == 0)
    plg_cluster_add_link_line (drawing, join, fork, join, bottom + depth, -1, style);
}

/* The root of the tree: the host's bridge, which all GPUs share. */
static void
add_tree_root (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, Row row)
{
  PlgRect left = gpu_rect (drawing, row.first), right = gpu_rect (drawing, row.first + row.n - 1);
  double y = left.y + left.height + drawing->layout.wiring - 3;
  int busiest = -1;

  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    busiest = plg_cluster_busier_link (drawing, busiest, link_map->pcie_link[gpu]);
  plg_cluster_add_link_line (drawing, left.x + left.width / 2, y, right.x + right.width / 2, y, -1,
                             plg_cluster_link_style (drawing, busiest));
}

static void
add_row (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, Row row)
{
  gboolean is_tree = drawing->plan->cluster.intra == PLG_INTRA_PCIE;

  if (is_tree)
    add_tree_root (drawing, link_map, row);
  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    if (is_tree)
      add_tree_port (drawing, row, gpu, link_map->pcie_link[gpu]);
    else
      add_switch_port (drawing, row, gpu, link_map->port_link[gpu]);
}

/* An arc from GPU to GPU, deeper the farther they are. The ends are spread along the tiles, so
 * that the arcs of a GPU can be told apart. */
static void
add_arc (PlgClusterDrawing *drawing, int index)
{
  const PlgLink *link = plg_cluster_link (drawing, index);
  int base = link->node * drawing->layout.gpus_per_node;
  PlgRect from = gpu_rect (drawing, base + MIN (link->local, link->other));
  PlgRect to = gpu_rect (drawing, base + MAX (link->local, link->other));
  /* 0 for neighbours, 1 from end to end. */
  double far = (to.x - from.x - drawing->layout.tile_step_x) /
               MAX (drawing->layout.card_width - drawing->layout.tile_step_x, 1);
  double y = from.y + from.height + 0.5;
  /* The middle of a cubic curve lies at three quarters of its controls. */
  double depth = (drawing->layout.wiring - 4) / 0.75 * (0.3 + 0.7 * far);
  double x1 = from.x + from.width * (0.92 - 0.5 * far), x2 = to.x + to.width * (0.08 + 0.5 * far);
  const PlgPoint curve[] = { { x1, y }, { x1, y + depth }, { x2, y + depth }, { x2, y } };
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);

  if (!plg_cluster_open_link (drawing, index))
    return;
  style.width = 0.9;
  plg_cluster_add_link_path (drawing, curve, G_N_ELEMENTS (curve), index, style)->smooth = TRUE;
  plg_figure_close (drawing->figure);
}

/* A mesh that is too small for arcs, or whose links are not known: a dashed bar under the tiles,
 * as busy as its busiest link. */
static void
add_mesh_bar (PlgClusterDrawing *drawing, Row row, int index)
{
  PlgRect left = gpu_rect (drawing, row.first), right = gpu_rect (drawing, row.first + row.n - 1);
  double y = left.y + left.height + (plg_cluster_is_small (drawing) ? 4.5 : 7.5);
  PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
  PlgShape *shape;

  style.width = MAX (style.width, 1.5);
  shape = plg_cluster_add_link_line (drawing, left.x, y, right.x + right.width, y, index, style);
  if (shape != NULL)
    shape->dashed = TRUE;
}

/* The busiest of the direct links of each node; -1 where there is none. */
static int *
busiest_pairs (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  int *busiest = g_new (int, drawing->layout.nodes);

  for (int node = 0; node < drawing->layout.nodes; node++)
    busiest[node] = -1;
  for (guint i = 0; i < link_map->pairs->len; i++)
    {
      int index = g_array_index (link_map->pairs, int, i);
      int *best = &busiest[plg_cluster_link (drawing, index)->node];

      *best = plg_cluster_busier_link (drawing, *best, index);
    }
  return busiest;
}

static Row
nth_row (const PlgClusterDrawing *drawing, int node, int i)
{
  int before = i * drawing->layout.gpu_columns;

  return (Row) { node * drawing->layout.gpus_per_node + before,
                 MIN (drawing->layout.gpu_columns, drawing->layout.gpus_per_node - before) };
}

/* A pair that reaches each other over PCIe has no link of its own to be drawn, but what crosses
 * there is seen. */
static gboolean
shows_pair (const PlgClusterDrawing *drawing, int index)
{
  const PlgLink *link = plg_cluster_link (drawing, index);

  return plg_cluster_shows_node (drawing, link->node) &&
         (link->tier == PLG_TIER_NVLINK || link->calls > 0.0);
}

static void
add_mesh (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  g_autofree int *busiest = NULL;

  if (!plg_cluster_is_small (drawing) && link_map->pairs->len > 0)
    {
      for (guint i = 0; i < link_map->pairs->len; i++)
        if (shows_pair (drawing, g_array_index (link_map->pairs, int, i)))
          add_arc (drawing, g_array_index (link_map->pairs, int, i));
      return;
    }
  busiest = busiest_pairs (drawing, link_map);
  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      add_mesh_bar (drawing, nth_row (drawing, node, 0), busiest[node]);
}

static int
busiest_port (const PlgClusterDrawing *drawing,
              const PlgClusterLinkMap *link_map,
              int node,
              int index)
{
  for (int i = 0; i < drawing->layout.gpus_per_node; i++)
    {
      int gpu = node * drawing->layout.gpus_per_node + i;
      int port = link_map->port_link[gpu] >= 0 ? link_map->port_link[gpu]
                                               : link_map->pcie_link[gpu];

      index = plg_cluster_busier_link (drawing, index, port);
    }
  return index;
}

static int
busiest_nic (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int node)
{
  int index = -1;

  for (int nic = 0; nic < link_map->nics; nic++)
    index = plg_cluster_busier_link (drawing, index,
                                     link_map->nic_link[node * link_map->nics + nic]);
  return index;
}

/* Where the tiles are too small for wires, a bar under a node says what its busiest link does,
 * and one to the right of it what its busiest NIC does. On the screen that one goes on up to the
 * node above and so to the switch, as the cable does. */
static void
add_node_bars (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int node, int pair)
{
  const PlgClusterLayout *layout = &drawing->layout;
  PlgRect card = plg_cluster_layout_node (layout, node);
  double right = card.x + card.width, bottom = card.y + card.height - 2, top = card.y + 2;
  int port = busiest_port (drawing, link_map, node, pair),
      nic = busiest_nic (drawing, link_map, node);
  PlgClusterLinkStyle port_look = plg_cluster_link_style (drawing, port),
                      nic_look = plg_cluster_link_style (drawing, nic);

  if (!layout->is_small)
    {
      bottom = card.y + card.height - layout->wiring / 2;
      right -= 5;
      top = card.y + layout->wiring / 2 - layout->node_step_y + layout->card_height;
      port_look.width = MIN (port_look.width, 8);
      nic_look.width = plg_cluster_legible_length (drawing, nic_look.width, 12);
    }
  if (port >= 0)
    plg_cluster_add_link_bar (drawing, card.x + 2, bottom, right - 2, bottom, port, port_look);
  if (nic >= 0)
    plg_cluster_add_link_bar (drawing, right + 1, top, right + 1, bottom, nic, nic_look);
}

static void
add_all_node_bars (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  g_autofree int *busiest = busiest_pairs (drawing, link_map);

  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      add_node_bars (drawing, link_map, node, busiest[node]);
}

void
plg_cluster_add_node_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  const PlgClusterLayout *layout = &drawing->layout;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (layout->is_rack_tile)
    plg_cluster_add_rack_links (drawing, link_map);
  else if (layout->detail >= PLG_CLUSTER_DETAIL_TILES)
    add_all_node_bars (drawing, link_map);
  else if (plg_fabric_has_pairs (&link_map->fabric))
    add_mesh (drawing, link_map);
  else if (layout->gpus_per_node > 1)
    for (int node = 0; node < layout->nodes; node++)
      for (int row = 0; plg_cluster_shows_node (drawing, node) && row < layout->gpu_rows; row++)
        add_row (drawing, link_map, nth_row (drawing, node, row));
}
