/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/node-map.h"

G_BEGIN_DECLS

/* A machine as NCCL sees it (src/graph/topo.h): GPUs, NICs, PCIe switches and NUMA nodes, joined by
 * links; and its search for the path between two of them (src/graph/paths.cc). */
typedef enum
{
  PLG_SPOT_GPU,
  PLG_SPOT_BRIDGE,   /* a PCIe switch or bridge */
  PLG_SPOT_NVSWITCH, /* all of them as one */
  PLG_SPOT_CPU,      /* a NUMA node */
  PLG_SPOT_NIC,
  PLG_SPOT_NET, /* a port of a NIC */
} PlgSpotKind;

typedef enum
{
  PLG_JOINT_LOCAL,
  PLG_JOINT_NVLINK,
  PLG_JOINT_C2C,
  PLG_JOINT_PCI,
  PLG_JOINT_SYS,
  PLG_JOINT_NET,
} PlgJointKind;

/* Two bandwidths, bytes/s and direction: what NCCL plans with, which chooses between paths, and
 * what is stated of the link, 0 where it is not known. */
typedef struct
{
  double planned;
  double stated;
} PlgRate;

/* A direction of a link. */
typedef struct
{
  int to;
  PlgJointKind kind;
  int links;
  PlgRate rate;
} PlgJoint;

typedef struct
{
  PlgSpotKind kind;
  int host;
  guint64 id;     /* bus id, NUMA node or number, one of its kind on its host */
  GArray *joints; /* of PlgJoint, the fastest first */
} PlgSpot;

typedef struct
{
  GArray *spots;       /* of PlgSpot */
  gboolean is_planned; /* the file is NCCL's, and so are its paths */
} PlgTopology;

/* As NCCL has it for what is not narrower than anything. */
#define PLG_RATE_LOCAL ((PlgRate) { 5000e9, 0.0 })

typedef struct
{
  int hops; /* 0 and PLG_PATH_UNKNOWN: there is none */
  PlgPathType type;
  int links;
  PlgRate rate;
} PlgTopologyPath;

PlgTopology *plg_topology_new (void);
void plg_topology_free (PlgTopology *topology);

/* Returns its number. */
int plg_topology_add (PlgTopology *topology, PlgSpotKind kind, int host, guint64 id);
/* The number of a spot, or -1. */
int plg_topology_find (const PlgTopology *topology, PlgSpotKind kind, int host, guint64 id);
PlgSpot *plg_topology_spot (const PlgTopology *topology, int spot);
/* From A to B only; links of a kind that are there already are added up. */
void
plg_topology_join (PlgTopology *topology, int a, int b, PlgJointKind kind, int links, PlgRate rate);
/* Both ways. */
void plg_topology_connect (PlgTopology *topology,
                           int a,
                           int b,
                           PlgJointKind kind,
                           int links,
                           PlgRate rate);

/* PATHS (one a spot) from each spot of BASE's host to BASE: the fewest hops, and of as many the
 * most bandwidth; through another GPU over NVLink only, and one only. From a GPU to a NIC over C2C
 * where both are at one CPU (P2C). */
void plg_topology_search (const PlgTopology *topology, int base, PlgTopologyPath *paths);

/* The map of a node with these GPUs and NICs, in this order, and the bandwidths that are stated; of
 * a way to a NIC without that of the NIC itself. */
void plg_topology_map (const PlgTopology *topology,
                       const int *gpus,
                       int n_gpus,
                       const int *nets,
                       int n_nets,
                       PlgNodeMap *map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTopology, plg_topology_free)

G_END_DECLS
