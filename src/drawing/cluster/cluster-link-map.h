/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"
#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* Finds the report's links of each GPU and NIC in the picture, and draws them as lines. */

/* For each GPU and NIC in the picture, the index of its link in the report, or -1 if the report
 * contains no such link. */
typedef struct
{
  PlgFabric fabric;
  int nics;        /* number of NICs per node; 0 if the cluster has only one node, which needs no
                      NIC */
  int *port_link;  /* link from each GPU to its switch, indexed by GPU */
  int *pcie_link;  /* PCIe link of each GPU, indexed by GPU */
  int *nic_link;   /* link of each NIC, indexed by node × NICs per node + NIC */
  GArray *pairs;   /* indices (int) of the direct links between two GPUs of a node */
  GArray *uplinks; /* indices (int) of the links from a leaf to a spine */
} PlgClusterLinkMap;

PlgClusterLinkMap *
plg_cluster_link_map_new (const PlgClusterDrawing *drawing) G_GNUC_WARN_UNUSED_RESULT;
void plg_cluster_link_map_free (PlgClusterLinkMap *link_map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClusterLinkMap, plg_cluster_link_map_free)

typedef struct
{
  PlgColor color;
  double width;
} PlgClusterLinkStyle;

/* Returns the style of link INDEX. If INDEX is -1, returns the style of a line that represents
 * no link in the report. */
PlgClusterLinkStyle plg_cluster_link_style (const PlgClusterDrawing *drawing, int index);
const PlgLink *plg_cluster_link (const PlgClusterDrawing *drawing, int index);
/* Returns the busier of two links, each of which may be -1. A highlighted link takes precedence
 * over a dimmed link. */
int plg_cluster_busier_link (const PlgClusterDrawing *drawing, int a, int b);
/* Returns whether link INDEX, which may be -1, is drawn. While rings are shown, only highlighted
 * links are drawn, so that the links of a highlighted entity are visible together with the
 * rings. */
gboolean plg_cluster_draws_link (const PlgClusterDrawing *drawing, int index);
/* Returns whether any link in the report is drawn. */
gboolean plg_cluster_draws_links (const PlgClusterDrawing *drawing);

/* Opens the group of shapes of link INDEX. If INDEX is -1 or the link is not drawn, returns
 * FALSE and opens no group, so the caller must not close one. */
gboolean plg_cluster_open_link (PlgClusterDrawing *drawing, int index);
/* Adds the line of a link, dashed if the link is slow or failed. Returns NULL if the link is not
 * drawn. */
PlgShape *plg_cluster_add_link_path (PlgClusterDrawing *drawing,
                                     const PlgPoint *points,
                                     int n,
                                     int index,
                                     PlgClusterLinkStyle style);
PlgShape *plg_cluster_add_link_line (PlgClusterDrawing *drawing,
                                     double x1,
                                     double y1,
                                     double x2,
                                     double y2,
                                     int index,
                                     PlgClusterLinkStyle style);
/* Adds a line that represents link INDEX and other links. The line is solid even if link INDEX
 * is slow, because the other links may not be slow. */
void plg_cluster_add_link_bar (PlgClusterDrawing *drawing,
                               double x1,
                               double y1,
                               double x2,
                               double y2,
                               int index,
                               PlgClusterLinkStyle style);

/* Return the share of a link's rate, or of a GPU's speed, that remains despite faults; 1 without
 * faults. */
double plg_cluster_link_rate (const PlgClusterDrawing *drawing, int index);
double plg_cluster_gpu_rate (const PlgClusterDrawing *drawing, int gpu);
/* Returns a description of RATE, for example "at 50 %" or "failed". Free with g_free(). */
char *plg_cluster_rate_describe (double rate) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the links inside the nodes. */
void plg_cluster_add_node_links (PlgClusterDrawing *drawing, const PlgClusterLinkMap *link_map);

G_END_DECLS
