/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* The positions of nodes and GPUs in the picture of the cluster. They depend only on the plan,
 * so gestures and pictures use the same positions whatever the report contains. Lengths are
 * points at scale 1. */

/* The lowest zoom with full detail on the screen, at which coordinates of 9.5 points are 7
 * pixels high. */
#define PLG_CLUSTER_FULL_DETAIL_ZOOM 0.74

/* The detail with which a GPU is drawn. In files, it decreases with the number of GPUs; on the
 * screen, it depends on the size of a GPU in pixels. */
typedef enum
{
  PLG_CLUSTER_DETAIL_FULL,  /* rank, coordinates and memory: up to 512 GPUs in files, from 74 %
                               of natural size on the screen */
  PLG_CLUSTER_DETAIL_SHORT, /* rank and memory: up to 2,048 GPUs in files, from 36 % on the
                               screen */
  PLG_CLUSTER_DETAIL_TILES, /* a plain tile: up to 8,192 GPUs in files, from 18 % on the screen */
  PLG_CLUSTER_DETAIL_NODES, /* one tile per node */
} PlgClusterDetail;

typedef struct
{
  PlgClusterDetail detail;
  gboolean is_small;     /* whether a GPU has less room than full detail needs */
  gboolean is_node_tile; /* whether each node is drawn as one tile, which is divided equally
                            between its GPUs */
  /* Whether several nodes, one below the other, are drawn as one tile, because the view is
   * zoomed out so far that rows of GPUs are too thin to be distinct. The choice of nodes that
   * share a tile depends only on the plan. */
  gboolean is_rack_tile;
  int rack_nodes; /* number of nodes in a full rack; 1 if each node is a rack with trays */
  int nodes;
  int begin, end; /* only the nodes BEGIN .. END - 1 are in the picture */
  int first;      /* first node of the first column: BEGIN, or an earlier node on the same rails
                     as BEGIN */
  int gpus_per_node;
  int gpu_columns; /* number of columns of GPUs in a node; many GPUs wrap into several rows */
  int gpu_rows;
  int trays;        /* number of trays if the node is a rack with one row per tray, otherwise 0 */
  int node_columns; /* number of columns of nodes; nodes are numbered down the first column, then
                       down the next */
  int node_rows;
  int bands; /* number of bands; a band consists of columns of nodes side by side under a header
                of their own, and all nodes of a column share the same rails */
  double band_step;
  double label_width; /* width of the label to the left of a node's box */
  double names_width; /* width of the node names to the left of the first column if only a few
                         nodes have labels, otherwise 0 */
  double header;      /* y of the first node's box, below the spine and the rails */
  double margin;
  double tile_width, tile_height;
  double tile_step_x, tile_step_y;
  double pad_left, pad_top; /* distance from the upper left corner of a node's box to its first
                               tile */
  double wiring;            /* height of the node's switch or mesh below a row of tiles */
  double leaf_width;        /* width of the leaf switches to the right of the nodes in a tree
                               network, otherwise 0 */
  double card_width, card_height;
  double node_step_x, node_step_y;
  double width, height; /* size of the picture without the legend */
  /* The enlargement of the legend. It is more than 1 if the whole picture fits on the canvas
   * only when zoomed out. */
  double enlarged;
  /* enlargement of the header; smaller than that of the legend, because the header would
   * otherwise fill the screen when the view is zoomed in */
  double header_enlargement;
  /* Points per pixel, at least 1. Text and lines are enlarged by this factor, so that they
   * remain legible. The factor changes in steps, so that a figure is valid for a range of zooms. */
  double points_per_pixel;
} PlgClusterLayout;

/* Returns the natural layout, which is used in files. */
PlgClusterLayout plg_cluster_layout (const PlgPlan *plan);

/* plg_cluster_layout_of_nodes:
 * @zoom: screen pixels per point, or 0 for the natural layout
 * @first: the first node
 * @n: number of nodes, 0 for all
 *
 * Returns: the layout of @n nodes, starting at @first, as if the cluster had no other nodes */
PlgClusterLayout plg_cluster_layout_of_nodes (const PlgPlan *plan, double zoom, int first, int n);

/* Returns the layout of N nodes, as plg_cluster_layout_of_nodes() does, but with rows of
 * ROW_GPUS GPUs. If ROW_GPUS is 0, the length of rows is chosen automatically. */
PlgClusterLayout
plg_cluster_layout_with_rows (const PlgPlan *plan, double zoom, int first, int n, int row_gpus);

/* Returns the layout on the screen at ZOOM pixels per point. Positions do not depend on ZOOM,
 * because each GPU has the room that full detail needs. Up to 512 GPUs, this is the natural
 * layout. */
PlgClusterLayout plg_cluster_layout_on_screen (const PlgPlan *plan, double zoom);

/* Returns the enlargement that keeps text legible when all of WIDTH × HEIGHT is visible. */
double plg_cluster_layout_enlargement (double width, double height);

/* Returns the lowest zoom in the range of zooms that show the same figure as ZOOM. */
double plg_cluster_layout_zoom_step (double zoom);

/* Returns whether NODE is in the picture, which may show only some of the nodes. */
gboolean plg_cluster_layout_has_place (const PlgClusterLayout *layout, int node);

/* Return whether NODE, or the column of NODE with the header above it, overlaps RECT or is close
 * to it. A RECT of width 0 means that the whole picture is visible. */
gboolean plg_cluster_layout_shows (const PlgClusterLayout *layout, int node, PlgRect rect);
gboolean plg_cluster_layout_shows_column (const PlgClusterLayout *layout, int node, PlgRect rect);

/* Returns whether each GPU has a rank. GPUs have no ranks if the product of the degrees differs
 * from the number of GPUs; plg_plan_check() rejects such a plan. */
gboolean plg_cluster_layout_is_ranked (const PlgPlan *plan);

/* Racks are numbered down the first column of nodes, then down the next.
 * plg_cluster_layout_rack_first() returns the first node of RACK and sets N to the number of
 * nodes in RACK. */
int plg_cluster_layout_n_racks (const PlgClusterLayout *layout);
int plg_cluster_layout_rack_of_node (const PlgClusterLayout *layout, int node);
int plg_cluster_layout_rack_first (const PlgClusterLayout *layout, int rack, int *n);
PlgRect plg_cluster_layout_rack (const PlgClusterLayout *layout, int rack);

PlgRect plg_cluster_layout_node (const PlgClusterLayout *layout, int node);
PlgRect plg_cluster_layout_gpu (const PlgClusterLayout *layout, int gpu);
/* Returns the GPU whose tile or surrounding gap contains (X, Y). If there is no such GPU,
 * returns the GPU nearest to (X, Y). */
int plg_cluster_layout_gpu_near (const PlgClusterLayout *layout, double x, double y);

/* plg_cluster_layout_regions:
 * @gpus: GPU numbers in ascending order
 *
 * Covers @gpus with as few rectangles as possible. A rectangle contains neighbouring GPUs of one
 * row. Rectangles in consecutive rows of the same column of nodes are merged if they have the
 * same left and right edges. The gap around GPUs is not covered.
 *
 * Returns: (transfer full) (element-type PlgRect): the rectangles */
GArray *plg_cluster_layout_regions (const PlgClusterLayout *layout, const int *gpus, int n);

G_END_DECLS
