/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The physical graph of a cluster: GPU ports to their NVSwitch (or direct links between pairs,
 * or a PCIe tree), GPUs to NICs, NICs to leaves, leaves to spines. The graph is regular, so link
 * numbers and routes are computed instead of stored.
 *
 * Leaves are 64-port switches with half of their ports facing down (NVIDIA DGX SuperPOD
 * reference architecture: units of 32 nodes with one leaf per rail, and half as many spines as
 * leaves). Rail network: NIC j of each node in unit u is on leaf u × NICs + j, and a leaf serves
 * 32 nodes. Tree: the NICs of a node share a leaf, which serves as many nodes as it takes to
 * make 32 NICs. Flat: one switch serves all nodes.
 *
 * Traffic between two NICs of one leaf does not leave the leaf. All other traffic crosses a
 * spine: always between units, and between rails inside a unit. The traffic over spines shares
 * the uplinks. Oversubscription reduces their bandwidth. A collective avoids crossing rails if
 * the sender's node has a member on the receiver's rail, because NCCL first hands the data to
 * that member over NVLink (PXN: NCCL, src/graph/paths.cc, ncclTopoComputePaths; PXN uses only
 * GPUs of the same communicator). A message between two GPUs, for example between stages, has no
 * other member that could forward it, so it crosses rails.
 *
 * Tiers: an "nvlink" or "pcie" link ends at one GPU, or in a mesh at two GPUs; a pair of a mesh
 * without a direct link uses PCIe. A "nic" link is the cable from a NIC to its leaf, and a
 * "spine" link is all uplinks from a leaf to one spine. No link has the tier "leaf": traffic
 * within a leaf crosses nothing slower than its NICs, so a collective within a leaf has the tier
 * "nic". */

/* The maximum number of nearest NICs per GPU. */
#define PLG_FABRIC_MAX_NEAREST_NICS 16

typedef struct
{
  PlgIntra intra;
  PlgNetwork network;
  int nodes;
  int gpus;           /* number per node */
  int nics;           /* number per node */
  int nodes_per_leaf; /* number of nodes connected to a leaf; in a rail network, the nodes of a
                         unit */
  int units;          /* number of units in a rail network; otherwise 1 */
  int leaves;         /* 0 for a single node, because it needs no network */
  int spines;         /* 0 for a network without spines */

  /* Stated bandwidths [bytes/s per direction]. */
  double port_bandwidth;   /* total of a GPU's links inside its node */
  double pair_bandwidth;   /* between two GPUs of a mesh */
  double pcie_bandwidth;   /* between a GPU and its PCIe root */
  double inter_bandwidth;  /* from a GPU to other nodes: its share of the NICs */
  double nic_bandwidth;    /* bandwidth of one NIC */
  double uplink_bandwidth; /* from one leaf to one spine */
  double oversubscription;

  /* The achieved share of the stated bandwidth, and the latency per hop [s]. Both include the
   * overhead of TCP. */
  double intra_efficiency;
  double inter_efficiency;
  double intra_latency;
  double inter_latency;
  gboolean multicast; /* TRUE if the switch can reduce and multicast (NVLink SHARP) */

  /* The number of the first link of each kind. Links of the same kind and node have consecutive
   * numbers. */
  int first_pcie;
  int first_nic;
  int first_uplink;
  int n_links;

  int n_faults;

  /* Changes that the node topology makes to the fabric's defaults (see fabric-topology.h). */
  const PlgNodeTopology *topology; /* owned by the plan; NULL if no topology applies */
  gboolean has_nearest_nics;       /* TRUE if GPUs spread traffic evenly over nearest_nics */
  gboolean has_paths;              /* TRUE if the node topology changes the bandwidth of some
                                      pairs of GPUs */
  gboolean has_ring;               /* TRUE if NCCL's ring does not visit the GPUs in the order of
                                      their numbers */

  /* The arrays below are not cleared. Only the first n_faults faults are valid, the NIC arrays
   * and inter_part are valid if has_nearest_nics is TRUE, and ring_place is valid if has_ring is
   * TRUE. */
  PlgFault faults[PLG_MAX_FAULTS];
  guint8 n_nearest_nics[PLG_MAX_GPUS_PER_NODE];
  guint16 nearest_nics[PLG_MAX_GPUS_PER_NODE][PLG_FABRIC_MAX_NEAREST_NICS];
  double inter_part[PLG_MAX_GPUS_PER_NODE]; /* achieved share of each GPU's NIC bandwidth */
  guint8 ring_place[PLG_MAX_GPUS_PER_NODE];
} PlgFabric;

/* Initializes FABRIC without a node topology. */
void plg_fabric_init (PlgFabric *fabric, const PlgCluster *cluster);
/* Initializes FABRIC with the plan's node topology. PLAN must outlive FABRIC. */
void plg_fabric_of_plan (PlgFabric *fabric, const PlgPlan *plan);

/* Returns TRUE if each pair of GPUs in a node has its own link number. */
gboolean plg_fabric_has_pairs (const PlgFabric *fabric);

/* Each of these functions returns the number of a link. */
int plg_fabric_port (const PlgFabric *fabric, int gpu);
int plg_fabric_pair (const PlgFabric *fabric, int node, int low, int high);
int plg_fabric_pcie (const PlgFabric *fabric, int gpu);
int plg_fabric_nic (const PlgFabric *fabric, int node, int nic);
int plg_fabric_uplink (const PlgFabric *fabric, int leaf, int spine);

/* plg_fabric_nics_of:
 * @first: (out): the first NIC path
 * @last: (out): the last NIC path
 *
 * Finds the NIC paths of a GPU to other nodes; each path uses one NIC of the node. Without a node
 * topology a GPU has one NIC, several, or a part of one, so that all GPUs of the node have equal
 * shares; with a topology it uses its nearest NICs.
 */
void plg_fabric_nics_of (const PlgFabric *fabric, int local, int *first, int *last);
/* Returns the NIC that a path uses. */
int plg_fabric_nic_at (const PlgFabric *fabric, int local, int nic_path);
/* Returns the share of a GPU's traffic that goes over a path. The shares of a GPU add up to 1. */
double plg_fabric_nic_share (const PlgFabric *fabric, int local, int nic_path);
int plg_fabric_leaf (const PlgFabric *fabric, int node, int nic);

/* Effects of faults. A rate is the remaining share of the stated bandwidth.
 *
 * Another NIC of the node takes over the traffic of a failed NIC: the other NIC of its pair
 * (NICs 2k and 2k + 1), otherwise the NIC with the nearest number. NCCL picks one of the nearest
 * NICs of a GPU (src/graph/topo.cc, ncclTopoGetLocalNet) instead of using all of them, so a
 * failed NIC can cost less than a very slow NIC. A leaf splits its traffic among its uplinks in
 * proportion to their rates. */

/* Returns the NIC that carries NIC's traffic: NIC itself, or its replacement if it has failed. */
int plg_fabric_working_nic (const PlgFabric *fabric, int node, int nic);
/* Returns the share of the stated bandwidth that faults leave to a GPU's link inside its node. */
double plg_fabric_intra_rate (const PlgFabric *fabric, int gpu);
/* Returns the share of its stated bandwidth to other nodes that a GPU has while all GPUs of its
 * node are sending. */
double plg_fabric_inter_rate (const PlgFabric *fabric, int gpu);
/* Returns the share of the stated bandwidth that faults leave to all uplinks of LEAF together. */
double plg_fabric_leaf_rate (const PlgFabric *fabric, int leaf);
/* Returns the share of LEAF's upward traffic that goes to SPINE. */
double plg_fabric_uplink_share (const PlgFabric *fabric, int leaf, int spine);
/* Returns TRUE if LINK connects two GPUs of a mesh, directly or over PCIe. */
gboolean plg_link_is_pair (const PlgLink *link);
/* Returns the share of the stated bandwidth that faults leave to LINK, which
 * plg_fabric_describe() has filled in. */
double plg_fabric_link_rate (const PlgFabric *fabric, const PlgLink *link);
/* plg_fabric_link_fault:
 * @fault: (out): the kind and numbers of the fault, with its current rate
 *
 * Finds the fault that must be added to a plan to break @link. A link between two GPUs of a mesh
 * has no fault of its own, so the fault is that of the first GPU's port.
 *
 * Returns: %FALSE if the link cannot fail by itself */
gboolean plg_fabric_link_fault (const PlgFabric *fabric, const PlgLink *link, PlgFault *fault);
/* Returns the rail of LEAF (0 .. leaves-1) in a rail network and stores its unit in UNIT, which
 * may be NULL. */
int plg_fabric_rail (const PlgFabric *fabric, int leaf, int *unit);
/* Returns the total bandwidth of the NICs connected to a leaf whose down ports are all used,
 * divided by one GPU's share of the NIC bandwidth of its node. */
double plg_fabric_gpus_below_leaf (const PlgFabric *fabric);
/* Returns the leaf of the first NIC that GPU uses. GPUs with the same first leaf share all their
 * leaves. */
int plg_fabric_first_leaf (const PlgFabric *fabric, int gpu);
/* Returns TRUE if two GPUs of different nodes can reach each other over one leaf, without a
 * spine. */
gboolean plg_fabric_same_leaf (const PlgFabric *fabric, int gpu_a, int gpu_b);

/* Fills in LINK for link number I and sets its load to 0. The bandwidth is the stated bandwidth
 * reduced by faults. */
void plg_fabric_describe (const PlgFabric *fabric, int i, PlgLink *link);
/* Returns the share of LINK's stated bandwidth that transfers achieve. */
double plg_fabric_efficiency (const PlgFabric *fabric, const PlgLink *link);
/* Returns the slowest tier that a group crosses. */
PlgTier plg_fabric_tier (const PlgFabric *fabric, gboolean leaves_node, gboolean crosses_spine);

G_END_DECLS
