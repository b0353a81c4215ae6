/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The effect of a node topology on a fabric. A topology that matches the node's kind changes
 * nothing. */

/* Applies TOPOLOGY, which the plan owns and FABRIC borrows. */
void plg_fabric_apply_topology (PlgFabric *fabric, const PlgNodeTopology *topology);

/* The bandwidth between two GPUs of a node [bytes/s per direction]: stated by the topology or
 * derived from the type of path. 0 if the topology does not change the pair. */
double plg_fabric_path_bandwidth (const PlgFabric *fabric, int local_a, int local_b);
/* Whether two GPUs of a mesh have a direct link; TRUE if the topology does not say. */
gboolean plg_fabric_has_link (const PlgFabric *fabric, int local_a, int local_b);
/* Whether GPU links join two GPUs, directly or through other GPUs; TRUE if the topology does not
 * say. */
gboolean plg_fabric_is_linked (const PlgFabric *fabric, int local_a, int local_b);
/* plg_fabric_members_bandwidth:
 * @gpus: (array length=n): GPUs of one node, by their number in the cluster
 *
 * Finds the bandwidth from the slowest of @gpus to the others: in a mesh the sum of its links to
 * them, else the slowest path from one GPU to the next.
 *
 * Returns: bytes/s; 0 if the topology does not change it
 */
double plg_fabric_members_bandwidth (const PlgFabric *fabric, const int *gpus, int n);
/* The position of LOCAL in NCCL's ring, or LOCAL if the ring is unknown. */
int plg_fabric_ring_place (const PlgFabric *fabric, int local);

G_END_DECLS
