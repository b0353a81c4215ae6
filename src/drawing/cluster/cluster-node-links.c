/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-nodes.h"

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

/* Adds a PCIe tree with the host bridge at its root. Neighbouring GPUs are joined in pairs, and
 * each pair is connected to the root. */
static void
add_pcie_tree (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, Row row)
{
  PlgRect left = gpu_rect (drawing, row.first);
  PlgRect right = gpu_rect (drawing, row.first + row.n - 1);
  double root = left.y + left.height + drawing->layout.wiring - 3;
  int busiest = -1;

  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    busiest = plg_cluster_busier_link (drawing, busiest, link_map->pcie_link[gpu]);
  plg_cluster_add_link_line (drawing, left.x + left.width / 2, root, right.x + right.width / 2,
                             root, -1, plg_cluster_link_style (drawing, busiest));
  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    {
      int index = link_map->pcie_link[gpu], place = gpu - row.first;
      PlgRect tile = gpu_rect (drawing, gpu);
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
}

/* Adds the port of each GPU in a row, and the section of the switch below the GPU. The sections
 * overlap slightly, so that no gaps are visible between them. */
static void
add_switch (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, Row row)
{
  for (int gpu = row.first; gpu < row.first + row.n; gpu++)
    {
      int index = link_map->port_link[gpu];
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
}

/* Returns an array with the index of the busiest direct link in each node, or -1 if the node has
 * none. */
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

/* Adds an arc for each pair of GPUs. The farther apart the GPUs are, the deeper the arc. The
 * ends are spread along the tiles, so the arcs of a GPU are distinct. */
static void
add_arcs (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  for (guint i = 0; i < link_map->pairs->len; i++)
    {
      int index = g_array_index (link_map->pairs, int, i);
      const PlgLink *link = plg_cluster_link (drawing, index);
      int base = link->node * drawing->layout.gpus_per_node;
      PlgRect from = gpu_rect (drawing, base + MIN (link->local, link->other));
      PlgRect to = gpu_rect (drawing, base + MAX (link->local, link->other));
      /* FAR is 0 for neighbours and 1 for the first and the last GPU of the row. */
      double far = (to.x - from.x - drawing->layout.tile_step_x) /
                   MAX (drawing->layout.card_width - drawing->layout.tile_step_x, 1);
      double y = from.y + from.height + 0.5;
      /* Divide by 0.75, because the middle of a cubic curve has three quarters of the depth of
       * its control points. */
      double depth = (drawing->layout.wiring - 4) / 0.75 * (0.3 + 0.7 * far);
      double x1 = from.x + from.width * (0.92 - 0.5 * far);
      double x2 = to.x + to.width * (0.08 + 0.5 * far);
      const PlgPoint curve[] = { { x1, y }, { x1, y + depth }, { x2, y + depth }, { x2, y } };
      PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);

      /* A pair of GPUs without a direct link communicates over PCIe. Draw an arc for such a pair
       * only if it has traffic. */
      if (!plg_cluster_shows_node (drawing, link->node) ||
          (link->tier != PLG_TIER_NVLINK && !(link->calls > 0.0)) ||
          !plg_cluster_open_link (drawing, index))
        continue;
      style.width = 0.9;
      plg_cluster_add_link_path (drawing, curve, G_N_ELEMENTS (curve), index, style)->smooth = TRUE;
      plg_figure_close (drawing->figure);
    }
}

/* Adds a dashed bar below the tiles of each node, in the style of the node's busiest link. The
 * bar represents a mesh whose arcs would be too small to draw or whose links are not known. */
static void
add_mesh_bars (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  g_autofree int *busiest = busiest_pairs (drawing, link_map);

  for (int node = 0; node < drawing->layout.nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      {
        Row row = nth_row (drawing, node, 0);
        int index = busiest[node];
        PlgRect left = gpu_rect (drawing, row.first);
        PlgRect right = gpu_rect (drawing, row.first + row.n - 1);
        double y = left.y + left.height + (plg_cluster_is_small (drawing) ? 4.5 : 7.5);
        PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
        PlgShape *shape;

        style.width = MAX (style.width, 1.5);
        shape = plg_cluster_add_link_line (drawing, left.x, y, right.x + right.width, y, index,
                                           style);
        if (shape != NULL)
          shape->dashed = TRUE;
      }
}


/* Adds two bars per node: one in the style of the node's busiest link, one in the style of its
 * busiest NIC. */
static void
add_node_bars (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  const PlgClusterLayout *layout = &drawing->layout;
  g_autofree int *busiest = busiest_pairs (drawing, link_map);

  for (int node = 0; node < layout->nodes; node++)
    if (plg_cluster_shows_node (drawing, node))
      {
        PlgRect card = plg_cluster_layout_node (layout, node);
        double right = card.x + card.width, bottom = card.y + card.height - 2, top = card.y + 2;
        int port = busiest[node], nic = -1;
        PlgClusterLinkStyle port_style, nic_style;

        for (int gpu = node * layout->gpus_per_node; gpu < (node + 1) * layout->gpus_per_node;
             gpu++)
          port = plg_cluster_busier_link (drawing, port,
                                          link_map->port_link[gpu] >= 0 ? link_map->port_link[gpu]
                                                                        : link_map->pcie_link[gpu]);
        for (int i = node * link_map->nics; i < (node + 1) * link_map->nics; i++)
          nic = plg_cluster_busier_link (drawing, nic, link_map->nic_link[i]);
        port_style = plg_cluster_link_style (drawing, port);
        nic_style = plg_cluster_link_style (drawing, nic);
        if (!layout->is_small)
          {
            bottom = card.y + card.height - layout->wiring / 2;
            right -= 5;
            top = card.y + layout->wiring / 2 - layout->node_step_y + layout->card_height;
            port_style.width = MIN (port_style.width, 8);
            nic_style.width = plg_cluster_legible_length (drawing, nic_style.width, 12);
          }
        if (port >= 0)
          plg_cluster_add_link_bar (drawing, card.x + 2, bottom, right - 2, bottom, port,
                                    port_style);
        if (nic >= 0)
          plg_cluster_add_link_bar (drawing, right + 1, top, right + 1, bottom, nic, nic_style);
      }
}

void
plg_cluster_add_node_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  const PlgClusterLayout *layout = &drawing->layout;

  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (layout->is_rack_tile)
    plg_cluster_add_rack_links (drawing, link_map);
  else if (layout->detail >= PLG_CLUSTER_DETAIL_TILES)
    add_node_bars (drawing, link_map);
  else if (plg_fabric_has_pairs (&link_map->fabric) &&
           (plg_cluster_is_small (drawing) || link_map->pairs->len == 0))
    add_mesh_bars (drawing, link_map);
  else if (plg_fabric_has_pairs (&link_map->fabric))
    add_arcs (drawing, link_map);
  else if (layout->gpus_per_node > 1)
    for (int node = 0; node < layout->nodes; node++)
      for (int row = 0; plg_cluster_shows_node (drawing, node) && row < layout->gpu_rows; row++)
        {
          if (drawing->plan->cluster.intra == PLG_INTRA_PCIE)
            add_pcie_tree (drawing, link_map, nth_row (drawing, node, row));
          else
            add_switch (drawing, link_map, nth_row (drawing, node, row));
        }
}
