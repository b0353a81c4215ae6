/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* What lies above the nodes; only the files grid-network.c, grid-uplinks.c, grid-tree.c and
 * grid-overview.c use this. */

/* Boxes above the nodes: the spine, and below it the rails or the switch. */
#define PLG_CLUSTER_SPINE_TOP 5.0
#define PLG_CLUSTER_SPINE_HEIGHT 15.0
#define PLG_CLUSTER_FAR_SPINE_TOP 1.0
#define PLG_CLUSTER_RAIL_TOP 26.0

/* Y of the header above the column of nodes that HEAD begins, for a distance from the top of one
 * that has no more room than it needs: of what stands above the nodes, and of the spine, which
 * stands at the upper end of the room that there is. */
double plg_cluster_header_y (const PlgClusterDrawing *drawing, int head, double distance);
double plg_cluster_spine_y (const PlgClusterDrawing *drawing, int head, double distance);
gboolean plg_cluster_shows_column (const PlgClusterDrawing *drawing, int head);
/* The size of the names of switches. */
double plg_cluster_network_text_size (const PlgClusterDrawing *drawing);
/* Whether texts of SIZE are large enough at this zoom; in a file all are. */
gboolean plg_cluster_is_text_legible (const PlgClusterDrawing *drawing, double size);
double plg_cluster_rail_height (const PlgClusterDrawing *drawing);
/* The lowest box whose name can be read, as high as it would be in a natural header. */
double plg_cluster_min_box_height (const PlgClusterDrawing *drawing);
/* NAME where it fits WIDTH at the size of the texts, else BRIEF. */
const char *plg_cluster_fit_name (const PlgClusterDrawing *drawing,
                                  const char *name,
                                  const char *brief,
                                  double width);
/* A switch, whose NAME, "" where it has none, is of SIZE. */
void plg_cluster_add_switch (PlgClusterDrawing *drawing,
                             PlgRect box,
                             const char *id,
                             const char *classes,
                             const char *name,
                             double size);
/* The same with a name of the usual size, and only where that can be read. */
void plg_cluster_add_named_switch (PlgClusterDrawing *drawing,
                                   PlgRect box,
                                   const char *id,
                                   const char *classes,
                                   const char *name);
gboolean plg_cluster_has_spine (const PlgClusterDrawing *drawing,
                                const PlgClusterLinkMap *link_map);
/* The x of what runs beside COLUMN of the tiles, in the column of nodes that begins with HEAD. */
double plg_cluster_rail_x (const PlgClusterDrawing *drawing, int head, int column);
/* grid-uplinks.c: from the leaves of rails to the spine. */
void plg_cluster_add_rail_uplinks (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* How far apart the uplinks of a leaf stand on the side of its box, ROOM points long. */
double plg_cluster_uplink_spacing (const PlgClusterLinkMap *link_map, double room);
/* How far the uplink to SPINE stands off the middle of its leaf. */
double plg_cluster_uplink_offset (const PlgClusterLinkMap *link_map, int spine, double room);
/* The busiest of the uplinks of each leaf, or -1. g_free(). */
int *plg_cluster_busiest_uplinks (const PlgClusterDrawing *drawing,
                                  const PlgClusterLinkMap *link_map);
/* The head of the last column of nodes beside HEAD's. */
int plg_cluster_last_column_of_band (const PlgClusterLayout *layout, int head);
/* One box above all columns of nodes beside HEAD, where that is the first of them. */
void plg_cluster_add_spine (PlgClusterDrawing *drawing,
                            const PlgClusterLinkMap *link_map,
                            int head,
                            double natural_height,
                            gboolean is_far);
/* grid-overview.c: the middle of what leads from the leaves of the unit that begins with HEAD to
 * the spine, seen from afar. */
PlgPoint plg_cluster_overview_uplink_point (const PlgClusterDrawing *drawing,
                                            const PlgClusterLinkMap *link_map,
                                            int head);
/* grid-tree.c: leaves to the right of the nodes that they serve. */
void plg_cluster_add_tree (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);
/* The middle of what leads from LEAF to SPINE there. */
PlgPoint plg_cluster_leaf_uplink_point (const PlgClusterDrawing *drawing,
                                        const PlgClusterLinkMap *link_map,
                                        int leaf,
                                        int spine);
/* grid-overview.c: seen from afar, with the leaves of a unit as one box. */
void plg_cluster_add_overview (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);

G_END_DECLS
