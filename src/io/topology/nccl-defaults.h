/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"
#include "plan/node-topology.h"

G_BEGIN_DECLS

/* The map of a node where the plan has none or not all of it. */

/* The node as its kind says it, each GPU beside its share of the NICs, on two CPUs where FROM
 * (which may be empty) does not tell otherwise. LINK is what one of a GPU's links carries, bytes/s;
 * 0: unknown. */
void plg_nccl_usual_map (PlgNodeTopology *map,
                         const PlgCluster *cluster,
                         const PlgNodeTopology *from,
                         double link);
/* What FROM knows takes the place of what MAP has. */
void plg_nccl_overlay_map (PlgNodeTopology *map, const PlgNodeTopology *from);
/* Where FROM is a cloud's file, which has no <gpu>, takes its ways beside the NVLinks, with
 * what is stated of links that NCCL plans so with. TRUE: it is. */
gboolean plg_nccl_overlay_bare (PlgNodeTopology *map, const PlgNodeTopology *from);

/* NCCL reads a file on each host, of what is in it: CLUSTER becomes that of PLAN with nodes of one
 * host, where they are of several, and MAP (plg_node_topology_clear()) what the first one has of PLAN's.
 */
void plg_nccl_host_of_plan (const PlgPlan *plan, PlgCluster *cluster, PlgNodeTopology *map);

G_END_DECLS
