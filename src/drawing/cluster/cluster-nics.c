/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/cluster-drawing.h"
#include "drawing/cluster/cluster-link-map.h"
#include "drawing/cluster/cluster-network.h"

#include "plan/fault.h"

/* The share of the stub that is drawn if all NICs on it have failed. A stub is the short line
 * between a GPU and its NICs. */
#define BROKEN_STUB 0.3

/* Returns the last of the GPUs that share NIC. NIC is drawn next to this GPU. */
static int
gpu_of_nic (const PlgClusterLinkMap *link_map, int nic)
{
  return (int) ((((gint64) nic + 1) * link_map->fabric.gpus - 1) / link_map->nics);
}

int
plg_cluster_nic_column (const PlgClusterDrawing *drawing,
                        const PlgClusterLinkMap *link_map,
                        int nic)
{
  return gpu_of_nic (link_map, nic) % drawing->layout.gpu_columns;
}

/* Returns the position of NIC. NICs next to the same GPU are drawn one above the other. */
PlgPoint
plg_cluster_nic_point (const PlgClusterDrawing *drawing,
                       const PlgClusterLinkMap *link_map,
                       int node,
                       int nic)
{
  const PlgClusterLayout *layout = &drawing->layout;
  int local = gpu_of_nic (link_map, nic), slot = 0;
  PlgRect tile = plg_cluster_layout_gpu (layout, node * layout->gpus_per_node + local);
  double foot = plg_cluster_is_small (drawing) ? 6 : 9;

  while (nic + slot + 1 < link_map->nics && gpu_of_nic (link_map, nic + slot + 1) == local)
    slot++;
  return (PlgPoint) { tile.x + tile.width + (layout->tile_step_x - tile.width) / 2,
                      tile.y + tile.height - foot - slot * MIN (8, (tile.height - foot) / 5) };
}

/* Returns whether NIC and all other NICs on its stub have failed. */
static gboolean
have_failed (const PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map, int node, int nic)
{
  int gpu = gpu_of_nic (link_map, nic);

  for (; nic < link_map->nics && gpu_of_nic (link_map, nic) == gpu; nic++)
    if (plg_faults_rate (&drawing->plan->cluster, PLG_FAULT_NIC, node, nic) > 0.0)
      return FALSE;
  return TRUE;
}

void
plg_cluster_add_nics (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map)
{
  plg_figure_set_layer (drawing->figure, PLG_LAYER_LINKS);
  if (drawing->layout.detail > PLG_CLUSTER_DETAIL_SHORT)
    return;
  for (int node = 0; node < drawing->layout.nodes; node++)
    {
      if (!plg_cluster_shows_node (drawing, node))
        continue;
      /* Draw one stub for all NICs next to a GPU. It represents the PCIe link between the GPU
       * and these NICs. */
      for (int nic = 0; nic < link_map->nics; nic++)
        if (nic == 0 || gpu_of_nic (link_map, nic) != gpu_of_nic (link_map, nic - 1))
          {
            PlgPoint at = plg_cluster_nic_point (drawing, link_map, node, nic);
            int gpu = node * drawing->layout.gpus_per_node + gpu_of_nic (link_map, nic);
            PlgRect tile = plg_cluster_layout_gpu (&drawing->layout, gpu);
            int index = link_map->pcie_link[gpu];
            PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);
            gboolean is_open;

            /* With a PCIe tree, draw no stub, because the tree already shows the PCIe link of
             * the GPU. */
            if (drawing->plan->cluster.intra == PLG_INTRA_PCIE)
              continue;
            is_open = plg_cluster_open_link (drawing, index);
            style.width = MIN (style.width, 3);
            if (have_failed (drawing, link_map, node, nic))
              at.x = tile.x + tile.width + (at.x - tile.x - tile.width) * BROKEN_STUB;
            plg_cluster_add_link_line (drawing, tile.x + tile.width, at.y, at.x, at.y, index,
                                       style);
            if (is_open)
              plg_figure_close (drawing->figure);
          }
      for (int nic = 0; nic < link_map->nics; nic++)
        {
          PlgPoint at = plg_cluster_nic_point (drawing, link_map, node, nic);
          int index = link_map->nic_link[node * link_map->nics + nic];
          double radius = plg_cluster_is_small (drawing) ? 2 : 3.2;
          gboolean is_open = plg_cluster_open_link (drawing, index);
          PlgShape *shape;

          if (drawing->plan->cluster.network == PLG_NETWORK_TREE)
            {
              /* In a tree network, draw one line for the NICs of a node, along the upper edge of
               * the node's box. */
              PlgRect card = plg_cluster_layout_node (&drawing->layout, node);
              double y = card.y + 2.5;
              double right = nic + 1 < link_map->nics
                                 ? plg_cluster_nic_point (drawing, link_map, node, nic + 1).x
                                 : card.x + card.width + PLG_CLUSTER_LEAF_GAP;
              const PlgPoint wire[] = { { at.x, at.y }, { at.x, y }, { MAX (right, at.x), y } };
              PlgClusterLinkStyle style = plg_cluster_link_style (drawing, index);

              style.width = MIN (style.width, 2);
              plg_cluster_add_link_path (drawing, wire, G_N_ELEMENTS (wire), index, style);
            }
          if (!plg_cluster_draws_link (drawing, index))
            continue;
          shape = plg_figure_rect (drawing->figure, at.x - radius, at.y - radius, 2 * radius,
                                   2 * radius, plg_cluster_has_low_detail (drawing) ? 0 : radius,
                                   drawing->theme->role[PLG_ROLE_CARD]);
          shape->stroke = plg_cluster_link_style (drawing, index).color;
          shape->stroke_width = plg_cluster_is_small (drawing) ? 1 : 1.6;
          if (index >= 0)
            shape->entity = (PlgEntity) { PLG_ENTITY_LINK, 0, index };
          if (is_open)
            plg_figure_close (drawing->figure);
        }
    }
}
