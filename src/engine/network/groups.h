/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The kinds of groups that call collectives. There are more kinds than axes because gradients
 * are reduced over DP and CP together, and experts have their own groups on the same GPUs. */
typedef enum
{
  PLG_GROUP_TP,
  PLG_GROUP_CP,
  PLG_GROUP_PP,          /* a chain of stages */
  PLG_GROUP_DATA,        /* DP × CP: members with the same parameters */
  PLG_GROUP_EP,          /* members that together hold one copy of all experts, for one ETP shard */
  PLG_GROUP_ETP,         /* members that together hold one expert */
  PLG_GROUP_EXPERT_DATA, /* members with the same shard of the same experts */
  PLG_GROUP_EMBEDDING,   /* the first and last stage of a chain, which share the embedding */
} PlgGroupKind;
#define PLG_N_GROUP_KINDS 8

typedef struct
{
  int degree;
  int stride; /* stride in ranks of one stage */
} PlgDimension;

/* All groups of a kind. The number of a group encodes its stage and its index within the stage. */
typedef struct
{
  PlgGroupKind kind;
  int size;  /* members per group */
  int count; /* number of groups in the whole plan */
  int stages;
  int stage_stride; /* ranks between one stage and the next */
  int n_inner;
  PlgDimension inner[2]; /* the dimensions over which the members of a group are numbered */
  int n_outer;
  PlgDimension outer[3]; /* the dimensions over which the groups of a stage are numbered */
} PlgGroups;

void plg_groups_init (PlgGroups *groups, const PlgParallelism *parallelism, PlgGroupKind kind);
/* Returns the rank of member I (0 .. size-1) of GROUP (0 .. count-1). */
int plg_groups_rank (const PlgGroups *groups, int group, int i);
/* Returns the group of RANK. */
int plg_groups_find (const PlgGroups *groups, int rank);
/* Returns the stage of all members of GROUP; 0 for chains. */
int plg_groups_stage (const PlgGroups *groups, int group);

/* The properties of a group's placement on the cluster that determine the cost of its
 * collectives. */
typedef struct
{
  int size;     /* number of members */
  int nodes;    /* number of nodes with members */
  int per_node; /* number of members on the node with the fewest members */
  /* The share of uplink bandwidth that the busiest leaf uses while all groups of the kind send
   * at the rate of their NICs: 0 if nothing crosses a spine, 1 if all traffic from below the
   * leaf goes up. If the product of this share and the oversubscription is above 1, the product
   * is the factor by which transfers slow down. */
  double ring_uplink_use; /* for messages from member to member of a ring */
  double pair_uplink_use; /* for messages between all pairs */
  /* The share of the bandwidth inside a node that the most affected member loses because of
   * faults. Only members that share a node with other members count. */
  double intra_loss;
  double inter_loss; /* The share of the bandwidth between nodes that the most affected member
                        loses because of faults and the node topology. */
  /* Stated bytes/s from the slowest member to the others on its node, if the node topology
   * changes it; otherwise 0. */
  double inside;
} PlgGroupExtent;

/* Returns the worst values over all groups of a kind, because the slowest group delays the
 * others. */
PlgGroupExtent
plg_groups_extent (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* Returns the worst hop from member I to member J over all groups, as an extent of size 2. All
 * groups send at the same time. If only some hops leave their node, the extent has two nodes
 * with two members each. */
PlgGroupExtent plg_groups_hop (const PlgGroups *groups,
                               const PlgPlan *plan,
                               const PlgFabric *fabric,
                               int i,
                               int j);
/* Returns the worst hop from any member to the next, and from the last member to the first. All
 * members send at the same time. */
PlgGroupExtent
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* Returns the slowest tier that the collective in ROW crosses in the group of RANK. The result
 * may be faster than ROW's own tier, which covers all groups. */
PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank);

/* A group sorted by node, in ring order. The nodes follow the order in which the ranks reach
 * them, as NCCL connects nodes (src/graph/connect.cc); the GPUs of a node are sorted by number,
 * or by their position in the ring of the node topology. The struct is large but is kept on the
 * stack. */
typedef struct
{
  int size;
  int nodes;
  int node[PLG_MAX_NODES];      /* node numbers */
  int first[PLG_MAX_NODES + 1]; /* index in gpu of the i-th node's first GPU */
  int gpu[PLG_MAX_GPUS];
  /* Scratch space. */
  int slot_of_node[PLG_MAX_NODES];
  int filled[PLG_MAX_NODES];
  int unsorted[PLG_MAX_GPUS];
} PlgRing;

/* Prepares RING for plg_ring_set(). Other fields need no initialization. */
void plg_ring_init (PlgRing *ring, const PlgFabric *fabric);
void plg_ring_set (PlgRing *ring,
                   const PlgGroups *groups,
                   int group,
                   const PlgPlan *plan,
                   const PlgFabric *fabric);
/* Returns TRUE if members on different nodes include a pair that can reach each other only over
 * a spine. */
gboolean plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric);
/* Returns the number of members on the i-th node of the ring. */
int plg_ring_members (const PlgRing *ring, int i);

G_END_DECLS
