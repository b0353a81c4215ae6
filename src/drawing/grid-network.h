/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/grid.h"

G_BEGIN_DECLS

/* What lies above the nodes; only the files grid-network.c, grid-uplinks.c, grid-tree.c and
 * grid-overview.c use this. */

/* Boxes above the nodes: the spine, and below it the rails or the switch. */
#define PLG_GRID_SPINE_TOP 5.0
#define PLG_GRID_SPINE_HEIGHT 15.0
#define PLG_GRID_FAR_SPINE_TOP 1.0
#define PLG_GRID_RAIL_TOP 26.0

/* Y of the header above the column of nodes that HEAD begins, for a distance from the top of one
 * that has no more room than it needs: of what stands above the nodes, and of the spine, which
 * stands at the upper end of the room that there is. */
double plg_grid_header_y (const PlgGrid *grid, int head, double distance);
double plg_grid_spine_y (const PlgGrid *grid, int head, double distance);
gboolean plg_grid_shows_column (const PlgGrid *grid, int head);
/* The size of the names of switches. */
double plg_grid_network_text (const PlgGrid *grid);
/* Whether texts of SIZE are large enough at this zoom; in a file all are. */
gboolean plg_grid_can_read (const PlgGrid *grid, double size);
double plg_grid_rail_height (const PlgGrid *grid);
/* The lowest box whose name can be read, as high as it would be in a natural header. */
double plg_grid_least_box (const PlgGrid *grid);
/* NAME where it fits WIDTH at the size of the texts, else BRIEF. */
const char *
plg_grid_fitting (const PlgGrid *grid, const char *name, const char *brief, double width);
/* A switch, whose NAME, "" where it has none, is of SIZE. */
void plg_grid_add_block (PlgGrid *grid,
                         PlgRect box,
                         const char *id,
                         const char *classes,
                         const char *name,
                         double size);
/* The same with a name of the usual size, and only where that can be read. */
void plg_grid_add_box (PlgGrid *grid,
                       PlgRect box,
                       const char *id,
                       const char *classes,
                       const char *name);
gboolean plg_grid_has_spine (const PlgGrid *grid, const PlgGridWires *wires);
/* The x of what runs beside COLUMN of the tiles, in the column of nodes that begins with HEAD. */
double plg_grid_rail_x (const PlgGrid *grid, int head, int column);
/* grid-uplinks.c: from the leaves of rails to the spine. */
void plg_grid_add_rail_uplinks (PlgGrid *grid, const PlgGridWires *wires);
/* How far apart the uplinks of a leaf stand on the side of its box, ROOM points long. */
double plg_grid_uplink_spacing (const PlgGridWires *wires, double room);
/* How far the uplink to SPINE stands off the middle of its leaf. */
double plg_grid_uplink_offset (const PlgGridWires *wires, int spine, double room);
/* The busiest of the uplinks of each leaf, or -1. g_free(). */
int *plg_grid_busiest_uplinks (const PlgGrid *grid, const PlgGridWires *wires);
/* The head of the last column of nodes beside HEAD's. */
int plg_grid_last_of_band (const PlgGridLayout *layout, int head);
/* One box above all columns of nodes beside HEAD, where that is the first of them. */
void plg_grid_add_spine (PlgGrid *grid,
                         const PlgGridWires *wires,
                         int head,
                         double natural_height,
                         gboolean is_far);
/* grid-overview.c: the middle of what leads from the leaves of the unit that begins with HEAD to
 * the spine, seen from afar. */
PlgPoint plg_grid_overview_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int head);
/* grid-tree.c: leaves to the right of the nodes that they serve. */
void plg_grid_add_tree (PlgGrid *grid, const PlgGridWires *wires);
/* The middle of what leads from LEAF to SPINE there. */
PlgPoint
plg_grid_leaf_uplink_point (const PlgGrid *grid, const PlgGridWires *wires, int leaf, int spine);
/* grid-overview.c: seen from afar, with the leaves of a unit as one box. */
void plg_grid_add_overview (PlgGrid *grid, const PlgGridWires *wires);

G_END_DECLS
