/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* Where nodes and GPUs lie in the picture of the cluster. A function of the plan alone, so that
 * gestures and pictures agree whatever the report says. Lengths are points at scale 1. */

/* The lowest zoom at which there is full detail on the screen: its coordinates, 9.5 points large,
 * have 7 pixels then. */
#define PLG_CLUSTER_FULL_DETAIL_ZOOM 0.74

/* How much a GPU says of itself. In files it gets less as there are more of them, on the screen as
 * they get smaller. */
typedef enum
{
  PLG_CLUSTER_DETAIL_FULL, /* rank, coordinates, memory: to 512 GPUs, from 74 % of the natural size */
  PLG_CLUSTER_DETAIL_SHORT, /* rank, memory: to 2,048, from 36 % */
  PLG_CLUSTER_DETAIL_TILES, /* a plain tile: to 8,192, from 18 % */
  PLG_CLUSTER_DETAIL_NODES, /* a node is one tile */
} PlgClusterDetail;

typedef struct
{
  PlgClusterDetail detail;
  gboolean is_small;     /* there is less room for a GPU than full detail needs */
  gboolean is_node_tile; /* there is none: the GPUs are equal parts of their node's tile */
  /* On the screen, seen from so far that a row of GPUs is but a hair: nodes below each other are
   * one tile. Which, depends on the plan alone. */
  gboolean is_rack_tile;
  int rack_nodes; /* of a whole rack; 1 where each node is one */
  int nodes;
  int begin, end; /* only the nodes BEGIN .. END - 1 have a place; the others are off the page */
  int first;      /* the head of the first column: BEGIN, or before it in its unit of rails */
  int gpus_per_node;
  int gpu_columns; /* of one node; its GPUs wrap when they are many */
  int gpu_rows;
  int trays;        /* where the node is a rack whose rows are its trays, else 0 */
  int node_columns; /* nodes run down the first column, then down the next */
  int node_rows;
  int bands; /* where a column is as long as a unit of rails, columns go on below: how often */
  double band_step;
  double label_width; /* left of a node's card */
  double names_width; /* left of the first column of nodes, where labels are few; else 0 */
  double header;      /* y of the first card: what is above it is spine and rails */
  double margin;
  double tile_width, tile_height;
  double tile_step_x, tile_step_y;
  double pad_left, pad_top; /* from a card's corner to its first tile */
  double wiring;            /* under a row of tiles: the switch or mesh of the node */
  double leaf_width;        /* right of a card: the leaf of a tree network, else 0 */
  double card_width, card_height;
  double node_step_x, node_step_y;
  double width, height; /* of all but the legend */
  /* How much larger than natural is what names the whole: header and legend. More than 1 where the
   * whole can be seen only zoomed out. */
  double enlarged;
  double header_enlargement; /* the same of the header, which is there at every zoom: less */
  /* The points that a pixel covers, but never less than 1, and in steps, so that a picture holds
   * for a while as one zooms: so much larger are texts and lines to be that must stay legible. */
  double points_per_pixel;
} PlgClusterLayout;

/* The natural layout, of files. */
PlgClusterLayout plg_cluster_layout (const PlgPlan *plan);

/* The layout of the N nodes from FIRST on, as if there were no others: natural, or on the screen
 * where ZOOM is more than 0. N 0: of all. */
PlgClusterLayout plg_cluster_layout_of_nodes (const PlgPlan *plan, double zoom, int first, int n);

/* The layout on the screen at ZOOM pixels a point. Where things lie does not depend on ZOOM: all
 * have the place that they need in full detail. Up to 512 GPUs it is the natural layout. */
PlgClusterLayout plg_cluster_layout_on_screen (const PlgPlan *plan, double zoom);

/* How much larger than natural texts must be to be read when all of WIDTH x HEIGHT is seen. */
double plg_cluster_layout_enlargement (double width, double height);

/* The zooms from ZOOM down to this one show the same figure. */
double plg_cluster_layout_zoom_step (double zoom);

/* Whether NODE is one of those that have a place. */
gboolean plg_cluster_layout_has_place (const PlgClusterLayout *layout, int node);

/* Whether something of NODE, of its column of nodes or of what stands above that lies in RECT or
 * close to it. RECT without width is everything. */
gboolean plg_cluster_layout_shows (const PlgClusterLayout *layout, int node, PlgRect rect);
gboolean plg_cluster_layout_shows_column (const PlgClusterLayout *layout, int node, PlgRect rect);

/* Whether each GPU has a rank: not so in a plan whose degrees do not multiply to its GPUs, which
 * plg_plan_check() refuses. */
gboolean plg_cluster_layout_is_ranked (const PlgPlan *plan);

/* Racks are numbered like nodes, down the columns: how many there are, the one of NODE, the nodes
 * FIRST .. FIRST + N - 1 of one, and its place. */
int plg_cluster_layout_n_racks (const PlgClusterLayout *layout);
int plg_cluster_layout_rack_of_node (const PlgClusterLayout *layout, int node);
int plg_cluster_layout_rack_first (const PlgClusterLayout *layout, int rack, int *n);
PlgRect plg_cluster_layout_rack (const PlgClusterLayout *layout, int rack);

PlgRect plg_cluster_layout_node (const PlgClusterLayout *layout, int node);
PlgRect plg_cluster_layout_gpu (const PlgClusterLayout *layout, int gpu);
int plg_cluster_layout_gpu_near (const PlgClusterLayout *layout, double x, double y);

/* grid-cover.c: the rectangles that together cover GPUS (ascending), each as large as it can be: a
 * run in a row of tiles, or several rows of the same extent that follow each other in one column of
 * nodes. Array of PlgRect, cells without the gap around them. */
GArray *plg_cluster_layout_regions (const PlgClusterLayout *layout, const int *gpus, int n);

G_END_DECLS
