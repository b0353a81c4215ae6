/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* A machine as NCCL sees it (src/graph/topo.h): GPUs, NICs, PCIe switches and NUMA nodes, joined by
 * links; and its search for the path between two of them (src/graph/paths.cc). */
typedef enum
{
  PLG_VERTEX_GPU,
  PLG_VERTEX_PCIE_BRIDGE, /* a PCIe switch or bridge */
  PLG_VERTEX_NVSWITCH,    /* all of them as one */
  PLG_VERTEX_CPU,         /* a NUMA node */
  PLG_VERTEX_NIC,
  PLG_VERTEX_NIC_PORT, /* a port of a NIC */
} PlgTopologyVertexType;

typedef enum
{
  PLG_EDGE_LOCAL,
  PLG_EDGE_NVLINK,
  PLG_EDGE_C2C,
  PLG_EDGE_PCIE,
  PLG_EDGE_SYS,
  PLG_EDGE_NIC_PORT,
} PlgTopologyEdgeType;

/* Two bandwidths, bytes/s and direction: what NCCL plans with, which chooses between paths, and
 * what is stated of the link, 0 where it is not known. */
typedef struct
{
  double planned;
  double stated;
} PlgTopologyBandwidth;

/* A direction of a link. */
typedef struct
{
  int to;
  PlgTopologyEdgeType kind;
  int links;
  PlgTopologyBandwidth rate;
} PlgTopologyEdge;

typedef struct
{
  PlgTopologyVertexType kind;
  int host;
  guint64 id;    /* bus id, NUMA node or number, one of its kind on its host */
  GArray *edges; /* of PlgTopologyEdge, the fastest first */
} PlgTopologyVertex;

typedef struct
{
  GArray *vertices;    /* of PlgTopologyVertex */
  gboolean is_planned; /* the file is NCCL's, and so are its paths */
} PlgTopologyGraph;

/* As NCCL has it for what is not narrower than anything. */
#define PLG_BANDWIDTH_LOCAL ((PlgTopologyBandwidth) { 5000e9, 0.0 })

typedef struct
{
  int hops; /* 0 and PLG_PATH_UNKNOWN: there is none */
  PlgPathType type;
  int links;
  PlgTopologyBandwidth rate;
} PlgTopologyPath;

PlgTopologyGraph *plg_topology_graph_new (void);
void plg_topology_graph_free (PlgTopologyGraph *topology);

/* Returns its number. */
int plg_topology_graph_add_vertex (PlgTopologyGraph *topology,
                                   PlgTopologyVertexType kind,
                                   int host,
                                   guint64 id);
/* The number of a spot, or -1. */
int plg_topology_graph_find_vertex (const PlgTopologyGraph *topology,
                                    PlgTopologyVertexType kind,
                                    int host,
                                    guint64 id);
PlgTopologyVertex *plg_topology_graph_get_vertex (const PlgTopologyGraph *topology, int vertex);
/* From A to B only; links of a kind that are there already are added up. */
void plg_topology_graph_add_edge (PlgTopologyGraph *topology,
                                  int a,
                                  int b,
                                  PlgTopologyEdgeType kind,
                                  int links,
                                  PlgTopologyBandwidth rate);
/* Both ways. */
void plg_topology_graph_add_edge_pair (PlgTopologyGraph *topology,
                                       int a,
                                       int b,
                                       PlgTopologyEdgeType kind,
                                       int links,
                                       PlgTopologyBandwidth rate);

/* PATHS (one a spot) from each spot of BASE's host to BASE: the fewest hops, and of as many the
 * most bandwidth; through another GPU over NVLink only, and one only. From a GPU to a NIC over C2C
 * where both are at one CPU (P2C). */
void
plg_topology_graph_find_paths (const PlgTopologyGraph *topology, int base, PlgTopologyPath *paths);

/* The map of a node with these GPUs and NICs, in this order, and the bandwidths that are stated; of
 * a way to a NIC without that of the NIC itself. */
void plg_topology_graph_to_node (const PlgTopologyGraph *topology,
                                 const int *gpus,
                                 int n_gpus,
                                 const int *nets,
                                 int n_nets,
                                 PlgNodeTopology *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTopologyGraph, plg_topology_graph_free)

G_END_DECLS
