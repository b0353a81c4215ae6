/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/collective.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* The load that a collective puts on one GPU of a stage, per step. */
typedef struct
{
  double calls;
  double bytes; /* sum of the buffer sizes of all calls (see plg_collective_cost()) */
  /* Share of token copies that travel between nodes, as set by plg_collective_dispatch_cost().
   * The share is below 1 only for calls that send tokens to experts. A value of 0 means unset
   * and is read as 1. */
  double node_copy_share;
} PlgStageLoad;

/* Receives the load that a collective puts on LINK: the number of CALLS, and the bytes that go
 * OUT of and come IN to the GPU, NIC or leaf that PlgLink.local names. Each of these numbers may
 * be 0. */
typedef void (*PlgLinkLoadFunc) (gpointer user, int link, double calls, double out, double in);

/* The traffic of a leaf with the spines. Each uplink carries all of the calls and a part of the
 * bytes (plg_fabric_uplink_share()). */
typedef struct
{
  double calls;
  double bytes_out; /* from the leaf to the spines */
  double bytes_in;
} PlgLeafLoad;

/* The context for adding the load of groups to the links that they use on the actual placement.
 * A ring visits the nodes in rank order and leaves each node through the NICs of its members. In
 * an all-to-all, all pairs exchange messages, and pipeline messages go from stage to stage. The
 * bytes are those of a ring even if the cost model picks another algorithm, because the other
 * algorithms move about as many bytes. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgLinkLoadFunc add_load;
  gpointer user;
  PlgLeafLoad *leaves; /* if not NULL, collects the load of the uplinks, which
                          plg_link_load_spread_leaves() then adds; one element per leaf */
  double calls;
  double node_copy_share; /* share of token copies that travel between nodes; 1 for calls that do
                             not send tokens to experts */
} PlgLinkLoad;

/* Adds the load of one group. RING is scratch space that plg_ring_init() has set up. */
void plg_link_load_add_group (PlgLinkLoad *link_load,
                              PlgRing *ring,
                              const PlgGroups *groups,
                              int group,
                              PlgCollectiveKind kind,
                              const PlgStageLoad *load);
/* Adds all messages of one chain of stages. Each message has BYTES bytes and is sent
 * LINK_LOAD->calls times. */
void plg_link_load_add_chain (const PlgLinkLoad *link_load,
                              const PlgGroups *chains,
                              int chain,
                              const PlgPipeline *pipeline,
                              double bytes);
/* Adds the load that LINK_LOAD.leaves has collected to the uplinks, and clears it. */
void plg_link_load_spread_leaves (const PlgLinkLoad *link_load);
/* Returns the GPU of member I of a group. */
int plg_link_load_gpu (const PlgLinkLoad *link_load, const PlgGroups *groups, int group, int i);

G_END_DECLS
