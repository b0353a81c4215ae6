/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/network/traffic-matrix.h"
#include "engine/network/route.h"

G_BEGIN_DECLS

/* The route and the traffic between each pair of items of a cluster or of a part of it. An item
 * is what one row or column of the matrix represents: one GPU, one node or several neighbouring
 * nodes. */

/* The maximum number of items per side that can be distinguished on a page. A single node may
 * have more GPUs. */
#define PLG_PAIR_MATRIX_MAX_ITEMS 64

typedef struct
{
  const PlgPlan *plan; /* borrowed */
  PlgFabric fabric;
  PlgFabric healthy; /* the fabric without faults */
  PlgTrafficMatrixWindow window;
  int rows;
  int columns;
  int nodes; /* number of nodes per item; 0 if an item is a GPU */
} PlgPairMatrix;

/* plg_pair_matrix_init:
 * @matrix: the matrix
 * @plan: the plan; borrowed
 * @options: (nullable): the nodes of the rows and columns; %NULL for the whole cluster
 * @most: maximum number of items per side, at least 1; a single node always shows all of its
 *   GPUs
 *
 * Divides the nodes that @options selects into items. */
void plg_pair_matrix_init (PlgPairMatrix *matrix,
                           const PlgPlan *plan,
                           const PlgPictureOptions *options,
                           int most);
/* Returns the range of GPUs that item I on SIDE represents. SIDE is one of the two ranges in the
 * window of MATRIX: the senders (rows) or the receivers (columns). */
PlgRange plg_pair_matrix_item (const PlgPairMatrix *matrix, PlgRange side, int i);
PlgRange plg_pair_matrix_row (const PlgPairMatrix *matrix, int row);
PlgRange plg_pair_matrix_column (const PlgPairMatrix *matrix, int column);
/* Returns the first node of ITEM. */
int plg_pair_matrix_node (const PlgPairMatrix *matrix, PlgRange item);
/* Returns: (transfer full): a title such as "GPU 3 of node 0", "node 0" or "nodes 0–31". */
char *plg_pair_matrix_item_title (const PlgPairMatrix *matrix, PlgRange item);
/* Returns: (transfer full): a text that names the shown part of the cluster and says what a row
 *   represents, for example "From node 3 to node 17 · Each row is a GPU". */
char *plg_pair_matrix_scope_text (const PlgPairMatrix *matrix);

/* plg_pair_matrix_cell_nodes:
 * @matrix: the matrix
 * @index: index of a cell: row × number of columns + column
 * @nodes: (out): nodes of the rows
 * @columns: (out): nodes of the columns; an empty range if they are the same as @nodes
 *
 * Finds the nodes that a new matrix must show to present one cell in more detail.
 *
 * Returns: %FALSE if the new matrix would show no more detail than @matrix */
gboolean plg_pair_matrix_cell_nodes (const PlgPairMatrix *matrix,
                                     int index,
                                     PlgRange *nodes,
                                     PlgRange *columns);

/* Returns the route from item A to item B. If the items contain several GPUs, this is the route
 * between the two GPUs that are farthest apart. If faults slow down GPUs in the items, the
 * bandwidth is that of the slowest of these GPUs. If A and B are the same range of several nodes,
 * faults inside the nodes are ignored. */
PlgRoute plg_pair_matrix_route (const PlgPairMatrix *matrix, PlgRange a, PlgRange b);
/* Returns whether a fault reduces the bandwidth of ROUTE, which is the route from A to B. */
gboolean
plg_pair_matrix_is_faulty (const PlgPairMatrix *matrix, PlgRange a, PlgRange b, PlgRoute route);
/* Returns the letter for KIND: "N" for NVLink, "P" for PCIe, "L" for a leaf switch, "S" for a
 * spine switch, or "×" for the route from an item to itself. */
const char *plg_route_letter (PlgRouteKind kind);
const char *plg_pair_matrix_route_name (const PlgPairMatrix *matrix, PlgRouteKind kind);

/* The bandwidths of the routes in a matrix, indexed by the kind of route [bytes/s]; 0 if no
 * route is of this kind. */
typedef struct
{
  double most[PLG_N_ROUTE_KINDS];  /* highest bandwidth of a route of each kind */
  double least[PLG_N_ROUTE_KINDS]; /* lowest bandwidth that a route of each kind would have
                                      without faults */
} PlgPairMatrixBandwidths;

void plg_pair_matrix_find_bandwidths (const PlgPairMatrix *matrix, PlgPairMatrixBandwidths *widths);
/* Returns: (transfer full): the bandwidth, for example "31.5 GB/s", or the lowest and the
 *   highest bandwidth if they differ. */
char *plg_pair_matrix_bandwidth_text (const PlgPairMatrixBandwidths *widths, PlgRouteKind kind);
/* Returns: (transfer full): the legend in words, for screen readers. */
char *plg_pair_matrix_describe (const PlgPairMatrix *matrix, const PlgPairMatrixBandwidths *widths);

/* The traffic of each cell and of each axis [bytes per step]. */
typedef struct
{
  double *bytes;           /* rows × columns values, row by row; owned */
  double sent[PLG_N_AXES]; /* traffic of each axis, summed over all cells */
} PlgPairMatrixTraffic;

/* Sums the traffic in REPORT for each cell of MATRIX. REPORT must be computed from the plan of
 * MATRIX and include the links. Free TRAFFIC with plg_pair_matrix_traffic_clear(). */
void plg_pair_matrix_sum_traffic (const PlgPairMatrix *matrix,
                                  const PlgReport *report,
                                  PlgPairMatrixTraffic *traffic);
void plg_pair_matrix_traffic_clear (PlgPairMatrixTraffic *traffic);
/* Returns: (transfer full): a text such as "in all 52 TB per step: TP 51 TB · PP 103 GB · DP 1.6
 *   TB", or an empty string if there is no traffic. */
char *plg_pair_matrix_traffic_text (const double sent[PLG_N_AXES]);

G_END_DECLS
