/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* Who calls collectives together. More kinds than axes: gradients are reduced over DP and CP at
 * once, and experts have groups of their own on the same GPUs. */
typedef enum
{
  PLG_GROUP_TP,
  PLG_GROUP_CP,
  PLG_GROUP_PP,          /* a chain of stages */
  PLG_GROUP_DATA,        /* DP x CP: the same parameters */
  PLG_GROUP_EP,          /* one copy of all experts, for one part of each */
  PLG_GROUP_ETP,         /* one expert */
  PLG_GROUP_EXPERT_DATA, /* the same part of the same experts */
  PLG_GROUP_EMBEDDING,   /* first and last stage of a chain, which share the embedding */
} PlgGroupKind;
#define PLG_N_GROUP_KINDS 8

typedef struct
{
  int degree;
  int stride; /* in ranks, counting those of one stage only */
} PlgDimension;

/* All groups of a kind. A group is numbered by its stage and its place in the stage. */
typedef struct
{
  PlgGroupKind kind;
  int size;  /* members of each */
  int count; /* in the whole plan */
  int stages;
  int stage_stride; /* ranks between one stage and the next */
  int n_inner;      /* what tells members apart */
  PlgDimension inner[2];
  int n_outer; /* what tells groups of a stage apart */
  PlgDimension outer[3];
} PlgGroups;

void plg_groups_init (PlgGroups *groups, const PlgParallelism *parallelism, PlgGroupKind kind);
/* The rank of member I (0 .. size-1) of GROUP (0 .. count-1). */
int plg_groups_rank (const PlgGroups *groups, int group, int i);
/* The group of RANK. */
int plg_groups_find (const PlgGroups *groups, int rank);
/* The stage of all its members; 0 for chains. */
int plg_groups_stage (const PlgGroups *groups, int group);

/* How a group lies on the cluster: what the cost of its collectives depends on. */
typedef struct
{
  int size;     /* members */
  int nodes;    /* that they sit on */
  int per_node; /* members on the node that has the fewest */
  /* How much of the uplinks of the leaf that uses most of its own is taken when all groups of the
   * kind send at once, each member at the rate of its NICs; 0: nothing crosses a spine, 1: all that
   * comes from below the leaf goes up. Times the oversubscription, where that is above 1, it is how
   * much longer the transfer takes. */
  double ring_uplink_use; /* from member to member of a ring */
  double pair_uplink_use; /* between all pairs */
  /* What faults take, as a part, from the member that loses most. */
  double intra_loss; /* of its link inside the node, where it shares one with another member */
  double inter_loss; /* of its bandwidth between nodes; what the map of a node takes, too */
  /* Stated bytes/s of the member that has least to the others of its node, where the map of the
   * node tells it; 0: as in all nodes of the kind. */
  double inside;
} PlgGroupExtent;

/* The worst of all groups of a kind, in each respect: the slowest group holds up the others. */
PlgGroupExtent
plg_groups_extent (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* The worst way from member I to member J over all groups, which send at once: a span of two; where
 * some leave their node and others do not, two nodes with two members each. */
PlgGroupExtent plg_groups_hop (const PlgGroups *groups,
                               const PlgPlan *plan,
                               const PlgFabric *fabric,
                               int i,
                               int j);
/* The same from each member to the next, and from the last to the first, all at once. */
PlgGroupExtent
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* The slowest tier that ROW crosses in the group of RANK, which may lie better than the worst. */
PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank);

/* A group sorted by node, for walking a ring: nodes in the order in which the ranks meet them, as
 * NCCL joins them (src/graph/connect.cc), and in a node by number, or as the ring of its map goes.
 * Large; on the stack. */
typedef struct
{
  int size;
  int nodes;
  int node[PLG_MAX_NODES];      /* which nodes */
  int first[PLG_MAX_NODES + 1]; /* where the GPUs of the i-th node begin in gpu */
  int gpu[PLG_MAX_GPUS];
  /* Working space. */
  int slot_of_node[PLG_MAX_NODES];
  int filled[PLG_MAX_NODES];
  int unsorted[PLG_MAX_GPUS];
} PlgRing;

/* Makes RING fit for a cluster; nothing else needs to be cleared. */
void plg_ring_init (PlgRing *ring, const PlgFabric *fabric);
void plg_ring_set (PlgRing *ring,
                   const PlgGroups *groups,
                   int group,
                   const PlgPlan *plan,
                   const PlgFabric *fabric);
/* Whether any of the pairs of its members on different nodes has to cross a spine. */
gboolean plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric);
/* Members on the i-th node of the ring. */
int plg_ring_members (const PlgRing *ring, int i);

G_END_DECLS
