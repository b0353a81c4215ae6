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

/* Returns whether GPU has a rank other than the one that the nesting order assigns to it. */
gboolean plg_cluster_is_gpu_moved (const PlgClusterDrawing *drawing, int gpu);
void
plg_cluster_add_placement_mark (PlgClusterDrawing *drawing, int gpu, PlgColor ink, PlgColor line);
/* Marks the box of NODE if at least one of its GPUs has a moved rank. */
void plg_cluster_mark_node_moved (PlgClusterDrawing *drawing, int node, PlgColor color);
/* Explains the marks of moved ranks in the legend, if any rank is moved. */
void plg_cluster_add_placement_note (const PlgClusterDrawing *drawing, PlgLegend *legend);
/* Explains the marks of moved ranks or, if no rank is moved, the widths of links. Both
 * explanations have the same width in the legend. */
void plg_cluster_add_widths_or_moved (const PlgClusterDrawing *drawing, PlgLegend *legend);

/* Returns TRUE if the pictures of PLAN mark ranks that receive more tokens than others. */
gboolean plg_cluster_has_fullest_ranks (const PlgPlan *plan);
/* Returns TRUE if the pictures of PLAN mark RANK as the rank of its EP group that receives the most
 * tokens. Stages without experts have no such rank. */
gboolean plg_cluster_is_rank_fullest (const PlgPlan *plan, int rank);
/* Returns what the mark means, with the load of the rank. Free with g_free(). */
char *plg_cluster_load_describe (const PlgPlan *plan);
/* Marks GPU if its rank is the fullest of its EP group. */
void plg_cluster_add_load_mark (PlgClusterDrawing *drawing, int gpu, gboolean highlighted);
/* Explains the marks of the fullest ranks in the legend, if there are any. */
void plg_cluster_add_load_legend (PlgClusterDrawing *drawing, PlgLegend *legend);

/* Marks each pinned entity with a disc that contains the number of the pin. */
void plg_cluster_add_pins (PlgClusterDrawing *drawing);

/* Adds the handles that can be dragged to change degrees. */
void plg_cluster_add_handles (PlgClusterDrawing *drawing);

G_END_DECLS
