/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The load of a collective on one GPU of a stage, per step. */
typedef struct
{
  double calls;
  double bytes; /* bytes of all calls, counted like the argument of plg_collective_time() */
  /* The result of plg_collective_dispatch_cost(): below 1 only for experts; 0 counts as 1. */
  double node_copy_share;
} PlgStageLoad;

/* Receives the load of LINK: CALLS, and the bytes OUT of and IN to the link's owner. Each may be
 * 0. */
typedef void (*PlgLinkLoadFunc) (gpointer user, int link, double calls, double out, double in);

/* Computes the load that groups put on links, on the real placement. A ring goes from node to node
 * in the order of ranks and leaves a node by its members' NICs; an all-to-all joins all pairs, and
 * messages go from stage to stage. Bytes are those of a ring even if the cost model picks another
 * algorithm, which moves about as much. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgLinkLoadFunc add_load;
  gpointer user;
  double calls;
  double node_copy_share; /* share of token copies that travel between nodes; 1 for non-experts */
} PlgLinkLoad;

/* Adds the load of one group. RING is scratch space that plg_ring_init() has set up. */
void plg_link_load_add_group (PlgLinkLoad *link_load,
                              PlgRing *ring,
                              const PlgGroups *groups,
                              int group,
                              PlgCollectiveKind kind,
                              const PlgStageLoad *load);
/* Adds all messages of one chain of stages, each of BYTES bytes; the number of calls is in
 * LINK_LOAD. */
void plg_link_load_add_chain (const PlgLinkLoad *link_load,
                              const PlgGroups *chains,
                              int chain,
                              const PlgPipeline *pipeline,
                              double bytes);
/* The GPU of member I of a group. */
int plg_link_load_gpu (const PlgLinkLoad *link_load, const PlgGroups *groups, int group, int i);

G_END_DECLS
