/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"
#include "engine/network/traffic-matrix.h"
#include "engine/network/route.h"

G_BEGIN_DECLS

/* Each two GPUs of a cluster or of a part of it, or, where they are too many to be told apart, each
 * two nodes or each two rows of neighbouring nodes: the way between them, and what they send each
 * other. An item, that is a row or a column, is a range of GPUs. */

/* More cells a side cannot be told apart on a page, but for the GPUs of one node. */
#define PLG_PAIR_MATRIX_MAX_ITEMS 64

typedef struct
{
  const PlgPlan *plan; /* borrowed */
  PlgFabric fabric;
  PlgFabric healthy; /* without faults */
  PlgTrafficMatrixWindow window;
  int rows;
  int columns;
  int nodes; /* of an item, 0 where it is a GPU */
} PlgPairMatrix;

/* Of the nodes and columns in OPTIONS what there is; of the whole cluster where that is NULL. At
 * most MOST items a side, 1 or more. */
void plg_pair_matrix_init (PlgPairMatrix *matrix,
                           const PlgPlan *plan,
                           const PlgPictureOptions *options,
                           int most);
/* The I-th item of SIDE, the window's senders or receivers. */
PlgRange plg_pair_matrix_item (const PlgPairMatrix *matrix, PlgRange side, int i);
PlgRange plg_pair_matrix_row (const PlgPairMatrix *matrix, int row);
PlgRange plg_pair_matrix_column (const PlgPairMatrix *matrix, int column);
/* The first node of ITEM. */
int plg_pair_matrix_node (const PlgPairMatrix *matrix, PlgRange item);
/* "GPU 3 of node 0", "node 0", "nodes 0–31". g_free(). */
char *plg_pair_matrix_item_title (const PlgPairMatrix *matrix, PlgRange item);
/* "From node 3 to node 17 · A row is a GPU": which part this is, and what an item. g_free(). */
char *plg_pair_matrix_scope_text (const PlgPairMatrix *matrix);
/* The nodes of the cell with INDEX, its row times the columns and its column, as a part of the
 * cluster to be shown instead; COLUMNS are none where they are the rows. FALSE where the pairing
 * shows no more than that already. */
gboolean plg_pair_matrix_cell_nodes (const PlgPairMatrix *matrix,
                                     int index,
                                     PlgRange *nodes,
                                     PlgRange *columns);

/* The way from item A to B; of items of several GPUs between those that are farthest apart, as wide
 * as faults leave their worst. */
PlgRoute plg_pair_matrix_route (const PlgPairMatrix *matrix, PlgRange a, PlgRange b);
/* Whether a fault narrows ROUTE, the one from A to B. */
gboolean
plg_pair_matrix_is_faulty (const PlgPairMatrix *matrix, PlgRange a, PlgRange b, PlgRoute route);
/* "N", "P", "L", "S"; "×" for itself. */
const char *plg_route_letter (PlgRouteKind kind);
const char *plg_pair_matrix_route_name (const PlgPairMatrix *matrix, PlgRouteKind kind);

/* Of each kind of way the widest, and the narrowest where nothing is broken, in bytes/s; 0 where
 * there is none. */
typedef struct
{
  double most[PLG_N_ROUTE_KINDS];
  double least[PLG_N_ROUTE_KINDS];
} PlgPairMatrixBandwidths;

void plg_pair_matrix_find_bandwidths (const PlgPairMatrix *matrix, PlgPairMatrixBandwidths *widths);
/* "31.5 GB/s", or the narrowest and the widest. g_free(). */
char *plg_pair_matrix_bandwidth_text (const PlgPairMatrixBandwidths *widths, PlgRouteKind kind);
/* The legend in words, for whoever does not see it. g_free(). */
char *plg_pair_matrix_describe (const PlgPairMatrix *matrix, const PlgPairMatrixBandwidths *widths);

/* Bytes a step. */
typedef struct
{
  double *bytes; /* rows x columns, row by row */
  double sent[PLG_N_AXES];
} PlgPairMatrixTraffic;

/* REPORT is one of the pairing's plan with links. plg_pair_matrix_traffic_clear(). */
void plg_pair_matrix_sum_traffic (const PlgPairMatrix *matrix,
                                  const PlgReport *report,
                                  PlgPairMatrixTraffic *traffic);
void plg_pair_matrix_traffic_clear (PlgPairMatrixTraffic *traffic);
/* "in all 52 TB a step: TP 51 TB · PP 103 GB · DP 1.6 TB"; empty for nothing. g_free(). */
char *plg_pair_matrix_traffic_text (const double sent[PLG_N_AXES]);

G_END_DECLS
