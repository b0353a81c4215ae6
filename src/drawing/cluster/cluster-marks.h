/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* Marks on GPUs, nodes and links: faults, moved ranks, pins, and the handles of groups. */

/* Adds a fault marker at (X, Y) that extends SIZE points to each side. A RATE of 0 is a failure. */
void plg_cluster_add_fault_mark (PlgClusterDrawing *drawing,
                                 double x,
                                 double y,
                                 double size,
                                 double rate);
/* Adds the markers of all slow and failed GPUs and links. */
void plg_cluster_add_faults (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Explains the fault markers in the legend, if there are any. */
void plg_cluster_add_fault_legend (PlgClusterDrawing *drawing, PlgLegend *legend);

/* Returns whether the rank of GPU differs from the rank that the nesting order assigns to GPU. */
gboolean plg_cluster_is_gpu_moved (const PlgClusterDrawing *drawing, int gpu);
void
plg_cluster_add_placement_mark (PlgClusterDrawing *drawing, int gpu, PlgColor ink, PlgColor line);
/* Marks NODE if it has a moved rank and each node is one tile. */
void plg_cluster_mark_node_moved (PlgClusterDrawing *drawing, int node, PlgColor color);
/* Explains the marks of moved ranks in the legend, if any rank is moved. */
void plg_cluster_add_placement_note (const PlgClusterDrawing *drawing, PlgLegend *legend);
/* Explains the marks of moved ranks. If no rank is moved, explains the widths of links in the
 * same place. */
void plg_cluster_add_widths_or_moved (const PlgClusterDrawing *drawing, PlgLegend *legend);

/* Adds the numbers of pinned entities on top of the entities. */
void plg_cluster_add_pins (PlgClusterDrawing *drawing);

/* Adds the handles that change the degrees of groups. */
void plg_cluster_add_handles (PlgClusterDrawing *drawing);

G_END_DECLS
