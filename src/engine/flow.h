/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/collective.h"
#include "engine/schedule.h"

G_BEGIN_DECLS

/* What a collective puts on a GPU of one stage, a step. */
typedef struct
{
  double calls;
  double bytes; /* of all calls together, as plg_collective_time() counts them */
  double once;  /* as of plg_collective_dispatch_cost(); below 1 for experts alone, or 0 */
} PlgLoad;

/* What LINK gets: CALLS, and bytes OUT of and IN to what it belongs to; any of them can be 0. */
typedef void (*PlgFlowPut) (gpointer user, int link, double calls, double out, double in);

/* Who talks to whom over which link. Every group walks the way its collective takes on the real
 * placement: rings from node to node in the order of ranks, leaving by the NICs of their members
 * there; all-to-all from each member to each other; messages from stage to stage. Bytes are those
 * of a ring where the cost allows other algorithms: they move as much, give or take a share. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgFlowPut put;
  gpointer user;
  double calls;
  double once; /* what part of the copies of a token goes between nodes; 1 for all else */
} PlgFlow;

/* What one group puts on its links, with LOAD. RING: one of the fabric, to be worked with. */
void plg_flow_group (PlgFlow *flow,
                     PlgRing *ring,
                     const PlgGroups *groups,
                     int group,
                     PlgCollectiveKind kind,
                     const PlgLoad *load);
/* All messages of one chain of stages, of BYTES each and as many as FLOW has calls. */
void plg_flow_chain (const PlgFlow *flow,
                     const PlgGroups *chains,
                     int chain,
                     const PlgPipeline *pipeline,
                     double bytes);
/* The GPU of the I-th rank of a group. */
int plg_flow_gpu (const PlgFlow *flow, const PlgGroups *groups, int group, int i);

G_END_DECLS
