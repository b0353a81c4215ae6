/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/fabric.h"

G_BEGIN_DECLS

/* The kinds of groups that call collectives. There are more kinds than axes: gradients are reduced
 * over DP and CP together, and experts have groups of their own on the same GPUs. */
typedef enum
{
  PLG_GROUP_TP,
  PLG_GROUP_CP,
  PLG_GROUP_PP,          /* a chain of stages */
  PLG_GROUP_DATA,        /* DP × CP: the same parameters */
  PLG_GROUP_EP,          /* one copy of all experts, for one ETP shard */
  PLG_GROUP_ETP,         /* one expert */
  PLG_GROUP_EXPERT_DATA, /* the same shard of the same experts */
  PLG_GROUP_EMBEDDING,   /* first and last stage of a chain, which share the embedding */
} PlgGroupKind;
#define PLG_N_GROUP_KINDS 8

typedef struct
{
  int degree;
  int stride; /* in ranks of one stage */
} PlgDimension;

/* All groups of a kind. A group's number encodes its stage and its index in the stage. */
typedef struct
{
  PlgGroupKind kind;
  int size;  /* members per group */
  int count; /* groups in the whole plan */
  int stages;
  int stage_stride; /* ranks between one stage and the next */
  int n_inner;
  PlgDimension inner[2]; /* dimensions that number the members of a group */
  int n_outer;
  PlgDimension outer[3]; /* dimensions that number the groups of a stage */
} PlgGroups;

void plg_groups_init (PlgGroups *groups, const PlgParallelism *parallelism, PlgGroupKind kind);
/* The rank of member I (0 .. size-1) of GROUP (0 .. count-1). */
int plg_groups_rank (const PlgGroups *groups, int group, int i);
/* The group of RANK. */
int plg_groups_find (const PlgGroups *groups, int rank);
/* The stage of all members of GROUP; 0 for chains. */
int plg_groups_stage (const PlgGroups *groups, int group);

/* The placement of a group on the cluster, as far as the cost of collectives depends on it. */
typedef struct
{
  int size;     /* members */
  int nodes;    /* nodes with members */
  int per_node; /* members on the node with the fewest */
  /* The share of its uplinks that the busiest leaf uses while all groups of the kind send at the
   * rate of their NICs: 0 if nothing crosses a spine, 1 if all traffic from below the leaf goes
   * up. The share times the oversubscription, if above 1, is the factor by which transfers slow
   * down. */
  double ring_uplink_use; /* for messages from member to member of a ring */
  double pair_uplink_use; /* for messages between all pairs */
  /* The lost share of the bandwidth inside a node, on the member that loses most through faults;
   * only members that share a node count. */
  double intra_loss;
  double inter_loss; /* likewise between nodes; includes limits of the node topology */
  /* Stated bytes/s from the slowest member to the others of its node, if the node topology changes
   * it; else 0. */
  double inside;
} PlgGroupExtent;

/* The worst values over all groups of a kind, since the slowest group delays the others. */
PlgGroupExtent
plg_groups_extent (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* The worst hop from member I to member J over all groups, which send at once: an extent of size 2.
 * If only some hops leave their node, the extent has two nodes with two members each. */
PlgGroupExtent plg_groups_hop (const PlgGroups *groups,
                               const PlgPlan *plan,
                               const PlgFabric *fabric,
                               int i,
                               int j);
/* The worst hop from any member to the next, and from the last to the first, all at once. */
PlgGroupExtent
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* The slowest tier that ROW crosses in the group of RANK, which may be faster than ROW's tier. */
PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank);

/* A group sorted by node, in ring order. Nodes follow in the order in which the ranks reach them,
 * as NCCL joins nodes (src/graph/connect.cc); GPUs of a node follow by number, or by the ring of
 * the node topology. The struct is large but lives on the stack. */
typedef struct
{
  int size;
  int nodes;
  int node[PLG_MAX_NODES];      /* node numbers */
  int first[PLG_MAX_NODES + 1]; /* index in gpu of the first GPU of the i-th node */
  int gpu[PLG_MAX_GPUS];
  /* Scratch space. */
  int slot_of_node[PLG_MAX_NODES];
  int filled[PLG_MAX_NODES];
  int unsorted[PLG_MAX_GPUS];
} PlgRing;

/* Prepares RING for plg_ring_set(); the other members need no initialization. */
void plg_ring_init (PlgRing *ring, const PlgFabric *fabric);
void plg_ring_set (PlgRing *ring,
                   const PlgGroups *groups,
                   int group,
                   const PlgPlan *plan,
                   const PlgFabric *fabric);
/* Whether any two members on different nodes can only reach each other over a spine. */
gboolean plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric);
/* The number of members on the i-th node of the ring. */
int plg_ring_members (const PlgRing *ring, int i);

G_END_DECLS
