/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* What a collective puts on a GPU of one stage, a step. */
typedef struct
{
  double calls;
  double bytes; /* of all calls together, as plg_collective_time() counts them */
  double
      node_copy_share; /* as of plg_collective_dispatch_cost(); below 1 for experts alone, or 0 */
} PlgStageLoad;

/* What LINK gets: CALLS, and bytes OUT of and IN to what it belongs to; any of them can be 0. */
typedef void (*PlgLinkLoadFunc) (gpointer user, int link, double calls, double out, double in);

/* Who talks to whom over which link. Every group walks the way its collective takes on the real
 * placement: rings from node to node in the order of ranks, leaving by the NICs of their members
 * there; all-to-all from each member to each other; messages from stage to stage. Bytes are those
 * of a ring where the cost allows other algorithms: they move as much, give or take a share. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgLinkLoadFunc add_load;
  gpointer user;
  double calls;
  double
      node_copy_share; /* what part of the copies of a token goes between nodes; 1 for all else */
} PlgLinkLoad;

/* What one group puts on its links, with LOAD. RING: one of the fabric, to be worked with. */
void plg_link_load_add_group (PlgLinkLoad *link_load,
                              PlgRing *ring,
                              const PlgGroups *groups,
                              int group,
                              PlgCollectiveKind kind,
                              const PlgStageLoad *load);
/* All messages of one chain of stages, of BYTES each and as many as FLOW has calls. */
void plg_link_load_add_chain (const PlgLinkLoad *link_load,
                              const PlgGroups *chains,
                              int chain,
                              const PlgPipeline *pipeline,
                              double bytes);
/* The GPU of the I-th rank of a group. */
int plg_link_load_gpu (const PlgLinkLoad *link_load, const PlgGroups *groups, int group, int i);

G_END_DECLS
