/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* The places of nodes and GPUs in the picture of the cluster. They depend on the plan alone, so
 * that gestures and pictures agree for any report. Lengths are points at scale 1. */

/* The lowest zoom with full detail on the screen: coordinates of 9.5 points have 7 pixels there. */
#define PLG_CLUSTER_FULL_DETAIL_ZOOM 0.74

/* The detail of a GPU. In files it falls with the number of GPUs, on the screen with their size. */
typedef enum
{
  PLG_CLUSTER_DETAIL_FULL,  /* rank, coordinates, memory: to 512 GPUs, from 74 % of natural size */
  PLG_CLUSTER_DETAIL_SHORT, /* rank, memory: to 2,048, from 36 % */
  PLG_CLUSTER_DETAIL_TILES, /* a plain tile: to 8,192, from 18 % */
  PLG_CLUSTER_DETAIL_NODES, /* a node is one tile */
} PlgClusterDetail;

typedef struct
{
  PlgClusterDetail detail;
  gboolean is_small;     /* a GPU has less room than full detail needs */
  gboolean is_node_tile; /* GPUs have no room: they are equal parts of the tile of their node */
  /* Nodes below each other are one tile, since the screen is zoomed out so far that a row of GPUs
   * is as thin as a hair. Only the plan decides which nodes share a tile. */
  gboolean is_rack_tile;
  int rack_nodes; /* nodes of a whole rack; 1 if each node is one tile */
  int nodes;
  int begin, end; /* only the nodes BEGIN .. END - 1 have a place */
  int first;      /* the head of the first column: BEGIN, or an earlier node of its unit of rails */
  int gpus_per_node;
  int gpu_columns; /* for one node; many GPUs wrap */
  int gpu_rows;
  int trays;        /* number of trays if the node is a rack with a row per tray, else 0 */
  int node_columns; /* nodes run down the first column, then down the next */
  int node_rows;
  int bands; /* number of bands of columns; a column is as long as a unit of rails */
  double band_step;
  double label_width; /* left of a node's card */
  double names_width; /* left of the first column of nodes if only few nodes have labels, else 0 */
  double header;      /* y of the first card, below spine and rails */
  double margin;
  double tile_width, tile_height;
  double tile_step_x, tile_step_y;
  double pad_left, pad_top; /* from a card's corner to its first tile */
  double wiring;            /* height of the switch or mesh of the node under a row of tiles */
  double leaf_width;        /* width of the leaf of a tree network right of a card, else 0 */
  double card_width, card_height;
  double node_step_x, node_step_y;
  double width, height; /* for the picture without the legend */
  /* The enlargement of the legend; more than 1 if the whole picture fits only zoomed out. */
  double enlarged;
  double header_enlargement; /* the smaller enlargement of the header, which is drawn at any zoom */
  /* The points per pixel, at least 1, by which texts and lines grow to stay legible. The value
   * changes in steps, so that a picture stays valid over a range of zooms. */
  double points_per_pixel;
} PlgClusterLayout;

/* The natural layout, for files. */
PlgClusterLayout plg_cluster_layout (const PlgPlan *plan);

/* plg_cluster_layout_of_nodes:
 * @zoom: pixels per point of the screen, or 0 for the natural layout
 * @first: the first node
 * @n: number of nodes, 0 for all
 *
 * Returns: the layout of @n nodes from @first on, as if the cluster had no others
 */
PlgClusterLayout plg_cluster_layout_of_nodes (const PlgPlan *plan, double zoom, int first, int n);

/* The same layout with ROW_GPUS GPUs of a node per row; 0: automatic. */
PlgClusterLayout
plg_cluster_layout_with_rows (const PlgPlan *plan, double zoom, int first, int n, int row_gpus);

/* The layout on the screen at ZOOM pixels per point. Places do not depend on ZOOM: each GPU has the
 * room that full detail needs. Up to 512 GPUs this is the natural layout. */
PlgClusterLayout plg_cluster_layout_on_screen (const PlgPlan *plan, double zoom);

/* The enlargement that keeps texts legible when all of WIDTH × HEIGHT is visible. */
double plg_cluster_layout_enlargement (double width, double height);

/* The lowest zoom with the same figure as ZOOM. */
double plg_cluster_layout_zoom_step (double zoom);

/* Whether NODE has a place. */
gboolean plg_cluster_layout_has_place (const PlgClusterLayout *layout, int node);

/* Whether NODE, or its column of nodes with the header above, lies in RECT or close to it. A RECT
 * without width contains everything. */
gboolean plg_cluster_layout_shows (const PlgClusterLayout *layout, int node, PlgRect rect);
gboolean plg_cluster_layout_shows_column (const PlgClusterLayout *layout, int node, PlgRect rect);

/* Whether each GPU has a rank. GPUs have no ranks if the product of the degrees is not the number
 * of GPUs, which plg_plan_check() refuses. */
gboolean plg_cluster_layout_is_ranked (const PlgPlan *plan);

/* Racks are numbered like nodes, down the columns. plg_cluster_layout_rack_first() returns the
 * first of the N nodes of RACK. */
int plg_cluster_layout_n_racks (const PlgClusterLayout *layout);
int plg_cluster_layout_rack_of_node (const PlgClusterLayout *layout, int node);
int plg_cluster_layout_rack_first (const PlgClusterLayout *layout, int rack, int *n);
PlgRect plg_cluster_layout_rack (const PlgClusterLayout *layout, int rack);

PlgRect plg_cluster_layout_node (const PlgClusterLayout *layout, int node);
PlgRect plg_cluster_layout_gpu (const PlgClusterLayout *layout, int gpu);
/* The GPU whose cell, with the gap around it, holds (X, Y), or the nearest GPU. */
int plg_cluster_layout_gpu_near (const PlgClusterLayout *layout, double x, double y);

/* plg_cluster_layout_regions:
 * @gpus: GPU numbers in ascending order
 *
 * Covers @gpus with the fewest rectangles: runs in a row of tiles, and rows of the same extent that
 * follow each other in one column of nodes. The gap around cells is not covered.
 *
 * Returns: (transfer full) (element-type PlgRect): the rectangles
 */
GArray *plg_cluster_layout_regions (const PlgClusterLayout *layout, const int *gpus, int n);

G_END_DECLS
