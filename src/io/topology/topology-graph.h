/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-topology.h"

G_BEGIN_DECLS

/* A machine as NCCL models it (src/graph/topo.h): GPUs, NICs, PCIe switches and NUMA nodes with the
 * links between them, and NCCL's path search (src/graph/paths.cc). */
typedef enum
{
  PLG_VERTEX_GPU,
  PLG_VERTEX_PCIE_BRIDGE, /* a PCIe switch or bridge */
  PLG_VERTEX_NVSWITCH,    /* all NVSwitches together as one vertex */
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

typedef struct
{
  double planned; /* NCCL's rate [bytes/s per direction], by which NCCL chooses a path */
  double stated;  /* the vendor's rate [bytes/s per direction]; 0 if unknown */
} PlgTopologyBandwidth;

/* One direction of a link. */
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
  guint64 id;    /* the bus id, NUMA node or device number; unique among the vertices of the same
                    type and host */
  GArray *edges; /* PlgTopologyEdge, the fastest first */
} PlgTopologyVertex;

typedef struct
{
  GArray *vertices;    /* PlgTopologyVertex */
  gboolean is_planned; /* whether the topology is from NCCL's file; if so, its paths have the
                          rates that NCCL assumes */
} PlgTopologyGraph;

/* NCCL's rate for a link that never limits a path. */
#define PLG_BANDWIDTH_LOCAL ((PlgTopologyBandwidth) { 5000e9, 0.0 })

typedef struct
{
  int hops; /* the number of hops; 0 with PLG_PATH_UNKNOWN means that there is no path */
  PlgPathType type;
  int links;
  PlgTopologyBandwidth rate;
} PlgTopologyPath;

PlgTopologyGraph *plg_topology_graph_new (void) G_GNUC_WARN_UNUSED_RESULT;
void plg_topology_graph_free (PlgTopologyGraph *topology);

/* Adds a vertex and returns its index. */
int plg_topology_graph_add_vertex (PlgTopologyGraph *topology,
                                   PlgTopologyVertexType kind,
                                   int host,
                                   guint64 id);

/* Returns the index of the vertex with this type, host and id, or -1. */
int plg_topology_graph_find_vertex (const PlgTopologyGraph *topology,
                                    PlgTopologyVertexType kind,
                                    int host,
                                    guint64 id);
PlgTopologyVertex *plg_topology_graph_get_vertex (const PlgTopologyGraph *topology, int vertex);

/* Adds links from A to B, but not from B to A. If A already has an edge of this kind to B, adds
 * the links and the rates to that edge. */
void plg_topology_graph_add_edge (PlgTopologyGraph *topology,
                                  int a,
                                  int b,
                                  PlgTopologyEdgeType kind,
                                  int links,
                                  PlgTopologyBandwidth rate);

/* Adds links from A to B and from B to A. */
void plg_topology_graph_add_edge_pair (PlgTopologyGraph *topology,
                                       int a,
                                       int b,
                                       PlgTopologyEdgeType kind,
                                       int links,
                                       PlgTopologyBandwidth rate);

/* plg_topology_graph_find_paths:
 * @topology: the machine
 * @base: the vertex where all paths end
 * @paths: (out): one path per vertex
 *
 * Finds the path to the base from each vertex on the base's host. Prefers the path with the
 * fewest hops, then the path with the highest bandwidth. A path can pass through one other GPU,
 * but only over NVLinks. A path from a GPU to a NIC can use C2C if both connect to the same CPU
 * (P2C). */
void
plg_topology_graph_find_paths (const PlgTopologyGraph *topology, int base, PlgTopologyPath *paths);

/* Returns the vertex of the CPU whose path in PATHS has the fewest hops, or -1. */
int plg_topology_graph_nearest_cpu (const PlgTopologyGraph *topology, const PlgTopologyPath *paths);

/* plg_topology_graph_to_node:
 * @topology: the machine
 * @gpus: the vertices of the GPUs
 * @n_gpus: the number of GPUs
 * @nets: the vertices of the NICs
 * @n_nets: the number of NICs
 * @map: (out): the topology of the node, with the GPUs and NICs in the given order
 *
 * Sets @map to the topology of a node. The bandwidths of its paths are the vendors' rates. The
 * bandwidth of a path to a NIC excludes the NIC's port. */
void plg_topology_graph_to_node (const PlgTopologyGraph *topology,
                                 const int *gpus,
                                 int n_gpus,
                                 const int *nets,
                                 int n_nets,
                                 PlgNodeTopology *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTopologyGraph, plg_topology_graph_free)

G_END_DECLS
