/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* The cards of nodes and the boxes of racks. */

/* Adds the cards of nodes, with their labels. */
void plg_cluster_add_nodes (PlgClusterDrawing *drawing);
/* Adds the tile of each node if each node is one tile. */
void plg_cluster_add_node_tiles (PlgClusterDrawing *drawing);
/* Opens the group of shapes of NODE. */
void plg_cluster_open_node (const PlgClusterDrawing *drawing, int node);

/* Adds the racks if each rack is one box. */
void plg_cluster_add_racks (PlgClusterDrawing *drawing);
/* Adds the links that leave the racks. */
void plg_cluster_add_rack_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);

G_END_DECLS
