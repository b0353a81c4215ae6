/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The physical graph of a cluster: GPU ports to their NVSwitch (or direct links of pairs, or a PCIe
 * tree), GPUs to their NICs, NICs to leaves, leaves to spines. It is regular, so its links are
 * numbered and its routes computed; nothing is stored for each of them.
 *
 * Leaves are 64-port switches with half of their ports down (NVIDIA DGX SuperPOD reference
 * architecture: units of 32 nodes with a leaf a rail, and half as many spines as leaves). Rail
 * network: NIC j of the nodes of unit u is on leaf u x NICs + j, and a leaf serves 32 nodes. Tree:
 * the NICs of a node share a leaf, which serves as many nodes as have 32 NICs. Flat: one switch for
 * all.
 *
 * Traffic between two NICs of one leaf stays below it. All other goes up to the spines and down
 * again, and so shares the uplinks, which oversubscription makes narrower: between units always,
 * within a unit between rails. A collective avoids the latter where the sender's node has a member
 * on the receiver's rail, which NCCL hands the data to over NVLink first (PXN: NCCL,
 * src/graph/paths.cc, ncclTopoComputePaths; only GPUs of the same communicator are known to it). A
 * message of two, such as one from stage to stage, has no such member and crosses.
 *
 * The tiers of links: "nvlink" and "pcie" end at a GPU, and of a mesh at two; a pair of it that has
 * no direct links reaches each other over PCIe. "nic" is a NIC's cable up to its leaf,
 * "spine" a leaf's uplinks to one spine. No link is of tier "leaf": what turns round in a leaf has
 * crossed nothing slower than its NICs, and so its collective is of tier "nic". */

/* More NICs nearest to one GPU are not told apart. */
#define PLG_FABRIC_MAX_NEAREST_NICS 16

typedef struct
{
  PlgIntra intra;
  PlgNetwork network;
  int nodes;
  int gpus;           /* a node */
  int nics;           /* a node */
  int nodes_per_leaf; /* of a rail network: the nodes of a unit */
  int units;          /* of a rail network; else 1 */
  int leaves;         /* 0: one node, which needs no network */
  int spines;         /* 0: nothing needs one */

  /* What is stated, bytes/s and direction. */
  double port_bandwidth;   /* a GPU inside its node, all its links together */
  double pair_bandwidth;   /* one pair of GPUs of a mesh */
  double pcie_bandwidth;   /* a GPU to its root */
  double inter_bandwidth;  /* a GPU between nodes: its share of the NICs */
  double nic_bandwidth;    /* a NIC */
  double uplink_bandwidth; /* one leaf to one spine */
  double oversubscription;

  /* What is reached of it, and what a hop takes. TCP is already counted in. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
  gboolean multicast; /* the switch can add up and spread itself (NVLink SHARP) */

  /* Links are numbered in this order; those of a node stand together. */
  int first_pcie;
  int first_nic;
  int first_uplink;
  int n_links;

  int n_faults;

  /* What the map of a node tells otherwise than its kind does (fabric-map.h). */
  const PlgNodeTopology *topology; /* the plan's; NULL: none */
  gboolean has_nearest_nics;       /* GPUs use the NICs below, each alike */
  gboolean has_paths;              /* pairs of GPUs have bandwidths of their own */
  gboolean has_ring; /* NCCL's ring goes through the GPUs in another order than their numbers */

  /* From here on only what the numbers above say is filled in. */
  PlgFault faults[PLG_MAX_FAULTS];
  guint8 n_nearest_nics[PLG_MAX_GPUS_PER_NODE];
  guint16 nearest_nics[PLG_MAX_GPUS_PER_NODE][PLG_FABRIC_MAX_NEAREST_NICS];
  double inter_part[PLG_MAX_GPUS_PER_NODE]; /* of a GPU's share of the NICs, what it reaches */
  guint8 ring_place[PLG_MAX_GPUS_PER_NODE];
} PlgFabric;

/* Without the map of the plan's nodes. */
void plg_fabric_init (PlgFabric *fabric, const PlgCluster *cluster);
/* With it. PLAN must stay as long as FABRIC does. */
void plg_fabric_of_plan (PlgFabric *fabric, const PlgPlan *plan);

/* Whether each pair of GPUs in a node has a link of its own in the list. */
gboolean plg_fabric_has_pairs (const PlgFabric *fabric);

/* Numbers of links. */
int plg_fabric_port (const PlgFabric *fabric, int gpu);
int plg_fabric_pair (const PlgFabric *fabric, int node, int low, int high);
int plg_fabric_pcie (const PlgFabric *fabric, int gpu);
int plg_fabric_nic (const PlgFabric *fabric, int node, int nic);
int plg_fabric_uplink (const PlgFabric *fabric, int leaf, int spine);

/* A GPU has the ways FIRST .. LAST to other nodes, each over a NIC of its node. Without a map those
 * are one or several NICs or a part of one, so that all GPUs of the node have equal shares; with
 * one, the nearest. */
void plg_fabric_nics_of (const PlgFabric *fabric, int local, int *first, int *last);
/* The NIC of a way. */
int plg_fabric_nic_at (const PlgFabric *fabric, int local, int nic_path);
/* What part of its traffic goes that way; the shares of a GPU add up to 1. */
double plg_fabric_nic_share (const PlgFabric *fabric, int local, int nic_path);
int plg_fabric_leaf (const PlgFabric *fabric, int node, int nic);

/* What is left where something is broken, as parts of what is stated.
 *
 * A NIC that has failed is replaced by another one of its node, which then has the traffic of both:
 * the other one of its pair, else the nearest in number. NCCL takes one of those that are nearest
 * to the GPU (src/graph/topo.cc, ncclTopoGetLocalNet), not all together. So a NIC that has failed
 * can cost less than one that is very slow. A leaf sends over its uplinks as much as each takes. */
int plg_fabric_working_nic (const PlgFabric *fabric, int node, int nic);
/* Of the link that a GPU has to those of its node. */
double plg_fabric_intra_rate (const PlgFabric *fabric, int gpu);
/* Of the bandwidth that a GPU has to other nodes while the others of its node use theirs. */
double plg_fabric_inter_rate (const PlgFabric *fabric, int gpu);
/* Of all uplinks of LEAF together. */
double plg_fabric_leaf_rate (const PlgFabric *fabric, int leaf);
/* What part of what LEAF sends up goes to SPINE. */
double plg_fabric_uplink_share (const PlgFabric *fabric, int leaf, int spine);
/* Of LINK as plg_fabric_describe() makes it. */
double plg_fabric_link_rate (const PlgFabric *fabric, const PlgLink *link);
/* What of the cluster is broken when LINK is: kind and numbers, the rate that it has now. FALSE for
 * a link that cannot be broken by itself. Of a link between two GPUs of a mesh it is the port of
 * the first. */
gboolean plg_fabric_link_fault (const PlgFabric *fabric, const PlgLink *link, PlgFault *fault);
/* Where leaf 0 .. leaves-1 of a rail network stands: the rail; UNIT may be NULL. */
int plg_fabric_rail (const PlgFabric *fabric, int leaf, int *unit);
/* How many GPUs' shares of the NICs a leaf has below it when all its down ports are used. */
double plg_fabric_gpus_below_leaf (const PlgFabric *fabric);
/* The leaf of the first NIC that a GPU uses: what GPUs below the same leaves have in common. */
int plg_fabric_first_leaf (const PlgFabric *fabric, int gpu);
/* Whether traffic between two GPUs of different nodes stays below one leaf. */
gboolean plg_fabric_same_leaf (const PlgFabric *fabric, int gpu_a, int gpu_b);

/* What link I is, without its load. Its bandwidth is what faults leave of the stated one. */
void plg_fabric_describe (const PlgFabric *fabric, int i, PlgLink *link);
/* What LINK reaches of its stated bandwidth. */
double plg_fabric_efficiency (const PlgFabric *fabric, const PlgLink *link);
/* The slowest tier that a group crosses. */
PlgTier plg_fabric_tier (const PlgFabric *fabric, gboolean leaves_node, gboolean crosses_spine);

G_END_DECLS
