/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* The boxes of nodes and racks. */

/* Adds the boxes of nodes and their labels. */
void plg_cluster_add_nodes (PlgClusterDrawing *drawing);
/* Adds the GPUs of nodes when GPUs are too small to be drawn individually: as one tile per node
 * or, on the screen, as one strip per row of GPUs. */
void plg_cluster_add_node_tiles (PlgClusterDrawing *drawing);
/* Opens the group of shapes of NODE. */
void plg_cluster_open_node (const PlgClusterDrawing *drawing, int node);

/* Adds each rack as one box, with bands and a label. */
void plg_cluster_add_racks (PlgClusterDrawing *drawing);
/* Adds the busiest outgoing link of each rack. */
void plg_cluster_add_rack_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);

G_END_DECLS
