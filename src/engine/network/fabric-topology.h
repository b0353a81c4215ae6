/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* What the map of a node changes of a fabric. A map that tells what the kind of node says anyway
 * changes nothing. */

/* Takes MAP (borrowed, and the plan's) into FABRIC. */
void plg_fabric_apply_topology (PlgFabric *fabric, const PlgNodeTopology *topology);

/* Bytes/s and direction from GPU A to GPU B of a node, as stated or, where the map does not know
 * it, as the kind of path is; 0: as all pairs of the node. */
double plg_fabric_path_bandwidth (const PlgFabric *fabric, int local_a, int local_b);
/* Whether the two GPUs of a mesh have direct links to each other, or the map does not tell. */
gboolean plg_fabric_has_link (const PlgFabric *fabric, int local_a, int local_b);
/* Whether they reach each other over links, be it those of other GPUs, or the map does not tell. */
gboolean plg_fabric_is_linked (const PlgFabric *fabric, int local_a, int local_b);
/* What the slowest of N GPUs (numbers in the cluster, of one node) has to the others: of a mesh the
 * sum of its links to them, else the slowest path from one to the next; 0: as in all nodes of the
 * kind. */
double plg_fabric_members_bandwidth (const PlgFabric *fabric, const int *gpus, int n);
/* Where LOCAL comes in the ring that NCCL made; its number where none is known. */
int plg_fabric_ring_place (const PlgFabric *fabric, int local);

G_END_DECLS
