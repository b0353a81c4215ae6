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
  PLG_GROUP_PP,          /* one member on each stage of a pipeline */
  PLG_GROUP_DATA,        /* DP × CP: members with the same parameters */
  PLG_GROUP_EP,          /* members that together hold one ETP shard of every expert */
  PLG_GROUP_ETP,         /* members that together hold one expert */
  PLG_GROUP_EXPERT_DATA, /* members with the same shard of the same experts */
  PLG_GROUP_EMBEDDING,   /* members on the first stage of a pipeline and on the stage of
                            plg_parallelism_copy_stage(), which share
                            the embedding */
  /* With hybrid sharding (HSDP), the groups PLG_GROUP_DATA and PLG_GROUP_EXPERT_DATA have two
   * levels: shard groups, and groups of the members with the same shard. */
  PLG_GROUP_SHARD,        /* members with adjacent indices that share one copy of the state */
  PLG_GROUP_REPLICATE,    /* members with the same shard, one in each shard group */
  PLG_GROUP_EXPERT_SHARD, /* the same for the parameters of experts */
  PLG_GROUP_EXPERT_REPLICATE,
} PlgGroupKind;
#define PLG_N_GROUP_KINDS 12

typedef struct
{
  int degree;
  int stride; /* distance between neighbours, counted in ranks of the same stage */
} PlgDimension;

/* All groups of a kind. The number of a group encodes its stage and its index within the stage. */
typedef struct
{
  PlgGroupKind kind;
  int size;  /* members per group */
  int count; /* number of groups in the whole plan */
  int stages;
  int copy_stage;   /* stage of the second member of PLG_GROUP_EMBEDDING */
  int stage_stride; /* distance in ranks between corresponding members of two consecutive stages */
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
/* Returns the stage of all members of GROUP; 0 for PLG_GROUP_PP and PLG_GROUP_EMBEDDING, whose
 * members are on several stages. */
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
   * leaf crosses a spine. If the product of this share and the oversubscription is above 1, the
   * product is the factor by which transfers slow down. */
  double ring_uplink_use; /* for messages from member to member of a ring */
  double pair_uplink_use; /* for messages between all pairs */
  /* The share of the bandwidth inside a node that the most affected member loses because of
   * faults. Members that are alone on their node are ignored. */
  double intra_loss;
  double inter_loss; /* The share of the bandwidth between nodes that the most affected member
                        loses because of faults and the node topology. */
  /* Stated bandwidth from the slowest member to the other members on its node [bytes/s], if the
   * node topology changes this bandwidth; otherwise 0. */
  double inside;
} PlgGroupExtent;

/* Returns the worst value of each property over all GROUPS, because the slowest group delays the
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
/* Returns the worst hop around the rings of the groups: from any member to the next, and from
 * the last member to the first. All members send at the same time. */
PlgGroupExtent
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric);

/* Returns the slowest tier that the collective in ROW crosses in the group of RANK. This tier
 * may be faster than ROW's own tier, which is the slowest tier over all groups. */
PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank);

/* A group sorted by node, in ring order. The nodes are in the order of their first members, as
 * in NCCL (src/graph/connect.cc). The GPUs of a node are sorted by their position in the node
 * topology's ring, or by number if that ring is unknown. The struct takes about 0.8 MB, and most
 * callers keep it on the stack. */
typedef struct
{
  int size;
  int nodes;
  int node[PLG_MAX_NODES];      /* node numbers */
  int first[PLG_MAX_NODES + 1]; /* index in gpu of the i-th node's first GPU */
  int gpu[PLG_MAX_GPUS];
  /* Scratch space for plg_ring_set(). */
  int slot_of_node[PLG_MAX_NODES];
  int filled[PLG_MAX_NODES];
  int unsorted[PLG_MAX_GPUS];
} PlgRing;

/* Prepares RING for plg_ring_set(), which sets all other fields. */
void plg_ring_init (PlgRing *ring, const PlgFabric *fabric);
void plg_ring_set (PlgRing *ring,
                   const PlgGroups *groups,
                   int group,
                   const PlgPlan *plan,
                   const PlgFabric *fabric);
/* Returns TRUE if at least one pair of members on different nodes is connected only over a
 * spine. */
gboolean plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric);
/* Returns the number of members on the i-th node of the ring. */
int plg_ring_members (const PlgRing *ring, int i);

G_END_DECLS
