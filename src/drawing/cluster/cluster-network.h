/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-link-map.h"

G_BEGIN_DECLS

/* The network between the nodes: the NICs, the rails or a switch above the nodes, and the spine
 * above the rails. The lines of rails cross the boxes of nodes. */

#define PLG_CLUSTER_SPINE_TOP 5.0
#define PLG_CLUSTER_SPINE_HEIGHT 15.0
#define PLG_CLUSTER_FAR_SPINE_TOP 1.0
#define PLG_CLUSTER_RAIL_TOP 26.0
/* The gap between the nodes and the leaf switches to their right in a tree network [points]. */
#define PLG_CLUSTER_LEAF_GAP 10.0

void plg_cluster_add_network (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Returns the middle of the uplink from LEAF to SPINE. */
PlgPoint plg_cluster_uplink_point (const PlgClusterDrawing *drawing,
                                   const PlgClusterLinkMap *link_map,
                                   int leaf,
                                   int spine);

/* plg_cluster_header_y:
 * @head: the first node of a column
 * @distance: y in a header of minimum height [points]
 *
 * Returns: the corresponding y in the header above the column of @head; this header may be
 *   higher than the minimum */
double plg_cluster_header_y (const PlgClusterDrawing *drawing, int head, double distance);
/* Returns the y that is DISTANCE below the upper end of the header. This y is used for the
 * spine, which is at the upper end even if the header is higher than the minimum. DISTANCE is
 * measured in a header of minimum height [points]. */
double plg_cluster_spine_y (const PlgClusterDrawing *drawing, int head, double distance);
gboolean plg_cluster_shows_column (const PlgClusterDrawing *drawing, int head);
/* Returns the text size of switch names [points]. */
double plg_cluster_network_text_size (const PlgClusterDrawing *drawing);
/* Returns whether text of SIZE is legible at the current zoom; always TRUE in a file. */
gboolean plg_cluster_is_text_legible (const PlgClusterDrawing *drawing, double size);
double plg_cluster_rail_height (const PlgClusterDrawing *drawing);
/* Returns the height that a box needs so that its name is legible, measured in a header of
 * minimum height [points]. */
double plg_cluster_min_box_height (const PlgClusterDrawing *drawing);
/* Returns NAME if it fits into WIDTH at the size of switch names, otherwise BRIEF. */
const char *plg_cluster_fit_name (const PlgClusterDrawing *drawing,
                                  const char *name,
                                  const char *brief,
                                  double width);
/* Adds a switch with NAME in text of SIZE. NAME may be "". */
void plg_cluster_add_switch (PlgClusterDrawing *drawing,
                             PlgRect box,
                             const char *id,
                             const char *classes,
                             const char *name,
                             double size);
/* Adds a switch with NAME in the usual text size, or without a name if the name would not be
 * legible. */
void plg_cluster_add_named_switch (PlgClusterDrawing *drawing,
                                   PlgRect box,
                                   const char *id,
                                   const char *classes,
                                   const char *name);
/* Adds a switch with NAME in a text size of at most MOST. */
void plg_cluster_add_fitted_switch (PlgClusterDrawing *drawing,
                                    PlgRect box,
                                    const char *id,
                                    const char *classes,
                                    const char *name,
                                    double most);
/* Returns the x of the rail that is drawn next to COLUMN, a column of GPU tiles, in the column
 * of nodes whose first node is HEAD. */
double plg_cluster_rail_x (const PlgClusterDrawing *drawing, int head, int column);
/* Returns the box that extends from the first rail to the last, and slightly beyond both. */
PlgRect plg_cluster_rails_box (const PlgClusterDrawing *drawing, int head, double y, double height);

gboolean plg_cluster_has_spine (const PlgClusterDrawing *drawing,
                                const PlgClusterLinkMap *link_map);
/* Returns the first node of the last column of nodes in the band of HEAD. */
int plg_cluster_last_column_of_band (const PlgClusterLayout *layout, int head);
/* Adds the spine as one box above all columns of a band, if HEAD is the first node of the band's
 * first column. Otherwise adds nothing. */
void plg_cluster_add_spine (PlgClusterDrawing *drawing,
                            const PlgClusterLinkMap *link_map,
                            int head,
                            double natural_height,
                            gboolean is_far);

/* Adds the links from the leaves of rails to the spine. */
void plg_cluster_add_rail_uplinks (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Returns whether each uplink has its own line. Returns FALSE if a leaf has too many uplinks or
 * if several rails share a line; only the busiest uplink is then drawn. */
gboolean plg_cluster_has_single_uplinks (const PlgClusterDrawing *drawing,
                                         const PlgClusterLinkMap *link_map);
/* Returns the distance between neighbouring uplinks of a leaf [points]. The uplinks share ROOM
 * points on a side of the leaf's box. */
double plg_cluster_uplink_spacing (const PlgClusterLinkMap *link_map, double room);
/* Returns how far the uplink to SPINE is from the middle of a side of the leaf's box [points].
 * The uplinks of the leaf share ROOM points on this side. */
double plg_cluster_uplink_offset (const PlgClusterLinkMap *link_map, int spine, double room);
/* Returns an array with the index of the busiest uplink of each leaf, or -1 for a leaf without
 * an uplink. Free with g_free(). */
int *plg_cluster_busiest_uplinks (const PlgClusterDrawing *drawing,
                                  const PlgClusterLinkMap *link_map) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the network for a zoomed-out view, with the leaves of each unit as one box. */
void plg_cluster_add_overview (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Returns the middle of the line that represents all uplinks of a unit in a zoomed-out view.
 * HEAD is the first node of the unit's first column. */
PlgPoint plg_cluster_overview_uplink_point (const PlgClusterDrawing *drawing,
                                            const PlgClusterLinkMap *link_map,
                                            int head);

/* Adds the leaves of a tree network to the right of their nodes. */
void plg_cluster_add_tree (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Returns the middle of the uplink from LEAF to SPINE in a tree network. */
PlgPoint plg_cluster_leaf_uplink_point (const PlgClusterDrawing *drawing,
                                        const PlgClusterLinkMap *link_map,
                                        int leaf,
                                        int spine);

/* Draws the NICs of the nodes and their links over the node boxes and the rails. */
void plg_cluster_add_nics (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* Returns the column of GPU tiles that NIC is drawn next to. This column is the same in every
 * node. */
int plg_cluster_nic_column (const PlgClusterDrawing *drawing,
                            const PlgClusterLinkMap *link_map,
                            int nic);
/* Returns the centre of the dot that represents NIC. */
PlgPoint plg_cluster_nic_point (const PlgClusterDrawing *drawing,
                                const PlgClusterLinkMap *link_map,
                                int node,
                                int nic);

G_END_DECLS
