/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* Applies the topology of a plan's nodes to the fabric. The topology can change the NICs that a
 * GPU uses, the bandwidths between GPUs and the order of the GPUs in rings. A topology that
 * matches the fabric's defaults changes nothing. */

/* Applies TOPOLOGY to FABRIC. The plan owns TOPOLOGY, and FABRIC borrows it. */
void plg_fabric_apply_topology (PlgFabric *fabric, const PlgNodeTopology *topology);

/* Returns the bandwidth between two GPUs of a node [bytes/s per direction], as stated by the
 * topology or derived from the path type. Returns 0 if the topology does not change the
 * bandwidth of this pair. */
double plg_fabric_path_bandwidth (const PlgFabric *fabric, int local_a, int local_b);
/* Returns TRUE if two GPUs of a mesh have a direct link, or if the topology does not describe
 * the pair. */
gboolean plg_fabric_has_link (const PlgFabric *fabric, int local_a, int local_b);
/* Returns TRUE if GPU links connect two GPUs, directly or through other GPUs. If the topology
 * does not describe the pair, returns the default for the node. */
gboolean plg_fabric_is_linked (const PlgFabric *fabric, int local_a, int local_b);
/* plg_fabric_members_bandwidth:
 * @gpus: (array length=n): cluster-wide GPU numbers, all on one node
 *
 * Finds the bandwidth from the slowest of @gpus to the others: in a mesh, the sum of its links
 * to them; otherwise the slowest path from one GPU to the next.
 *
 * Returns: bytes/s; 0 if the topology does not change the bandwidth */
double plg_fabric_members_bandwidth (const PlgFabric *fabric, const int *gpus, int n);
/* Returns the position of LOCAL in NCCL's ring, or LOCAL if the ring is unknown. */
int plg_fabric_ring_place (const PlgFabric *fabric, int local);

G_END_DECLS
