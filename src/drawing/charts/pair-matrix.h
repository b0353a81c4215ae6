/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/network/traffic-matrix.h"
#include "engine/network/route.h"

G_BEGIN_DECLS

/* The route and the traffic between each pair of items of a cluster, or of a part of the
 * cluster. An item is a row or a column of the matrix and stands for a range of GPUs: one GPU,
 * one node or several neighbouring nodes. */

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
 * @most: maximum number of items per side, at least 1
 *
 * Divides the part of the cluster in @options into items.
 */
void plg_pair_matrix_init (PlgPairMatrix *matrix,
                           const PlgPlan *plan,
                           const PlgPictureOptions *options,
                           int most);
/* Returns the GPUs of item I on SIDE, which is either the senders (rows) or the receivers
 * (columns) in the window of a matrix. */
PlgRange plg_pair_matrix_item (const PlgPairMatrix *matrix, PlgRange side, int i);
PlgRange plg_pair_matrix_row (const PlgPairMatrix *matrix, int row);
PlgRange plg_pair_matrix_column (const PlgPairMatrix *matrix, int column);
/* Returns the first node of ITEM. */
int plg_pair_matrix_node (const PlgPairMatrix *matrix, PlgRange item);
/* Returns: (transfer full): a title such as "GPU 3 of node 0", "node 0" or "nodes 0–31". */
char *plg_pair_matrix_item_title (const PlgPairMatrix *matrix, PlgRange item);
/* Returns: (transfer full): the part that is shown and the size of an item, for example "From
 *   node 3 to node 17 · Each row is a GPU". */
char *plg_pair_matrix_scope_text (const PlgPairMatrix *matrix);

/* plg_pair_matrix_cell_nodes:
 * @matrix: the matrix
 * @index: index of a cell, row times the number of columns plus column
 * @nodes: (out): nodes of the rows
 * @columns: (out): nodes of the columns; an empty range if they are the same as @nodes
 *
 * Finds the part of the cluster that shows one cell in more detail.
 *
 * Returns: %FALSE if that part shows no more detail than @matrix */
gboolean plg_pair_matrix_cell_nodes (const PlgPairMatrix *matrix,
                                     int index,
                                     PlgRange *nodes,
                                     PlgRange *columns);

/* Returns the route from item A to item B. For items of several GPUs, the route connects the
 * GPUs that are farthest apart and has the lowest bandwidth that remains after faults. */
PlgRoute plg_pair_matrix_route (const PlgPairMatrix *matrix, PlgRange a, PlgRange b);
/* Returns whether a fault reduces the bandwidth of ROUTE, which is the route from A to B. */
gboolean
plg_pair_matrix_is_faulty (const PlgPairMatrix *matrix, PlgRange a, PlgRange b, PlgRoute route);
/* Returns the letter for KIND: "N" for NVLink, "P" for PCIe, "L" for a leaf switch, "S" for a
 * spine switch, or "×" for the route from an item to itself. */
const char *plg_route_letter (PlgRouteKind kind);
const char *plg_pair_matrix_route_name (const PlgPairMatrix *matrix, PlgRouteKind kind);

/* Bandwidths of the routes of each kind [bytes/s]; 0 if there is no route of the kind. */
typedef struct
{
  double most[PLG_N_ROUTE_KINDS];  /* highest bandwidth of a route of each kind */
  double least[PLG_N_ROUTE_KINDS]; /* lowest bandwidth of a route of each kind, without faults */
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
  double sent[PLG_N_AXES]; /* total of each axis */
} PlgPairMatrixTraffic;

/* Sums the traffic in REPORT, which is a report with links on the plan of MATRIX. Free TRAFFIC
 * with plg_pair_matrix_traffic_clear(). */
void plg_pair_matrix_sum_traffic (const PlgPairMatrix *matrix,
                                  const PlgReport *report,
                                  PlgPairMatrixTraffic *traffic);
void plg_pair_matrix_traffic_clear (PlgPairMatrixTraffic *traffic);
/* Returns: (transfer full): a text such as "in all 52 TB per step: TP 51 TB · PP 103 GB · DP 1.6
 *   TB", or an empty string if there is no traffic. */
char *plg_pair_matrix_traffic_text (const double sent[PLG_N_AXES]);

G_END_DECLS
