/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How groups lie on the cluster. */

#include "engine/group.h"

#include "engine/fabric-map.h"

#include <string.h>

void
plg_ring_init (PlgRing *ring, const PlgFabric *fabric)
{
  for (int i = 0; i < fabric->nodes; i++)
    ring->slot_of_node[i] = -1;
}

/* Counts the members of each node, in the order in which nodes appear. */
static void
find_nodes (PlgRing *ring, const PlgGroups *groups, int group, const PlgPlan *plan, int per_node)
{
  ring->nodes = 0;
  ring->size = groups->size;
  for (int i = 0; i < groups->size; i++)
    {
      int gpu = plg_placement_gpu (&plan->placement, plg_groups_rank (groups, group, i));
      int *slot = &ring->slot_of_node[gpu / per_node];

      if (*slot < 0)
        {
          *slot = ring->nodes++;
          ring->node[*slot] = gpu / per_node;
          ring->filled[*slot] = 0;
        }
      ring->filled[*slot]++;
      ring->unsorted[i] = gpu;
    }
}

/* By the place in NCCL's ring, or by number. */
static void
insert_sorted (const PlgFabric *fabric, int *gpus, int n, int gpu)
{
  int place = plg_fabric_ring_place (fabric, gpu % fabric->gpus);

  while (n > 0 && plg_fabric_ring_place (fabric, gpus[n - 1] % fabric->gpus) > place)
    {
      gpus[n] = gpus[n - 1];
      n--;
    }
  gpus[n] = gpu;
}

void
plg_ring_set (PlgRing *ring,
              const PlgGroups *groups,
              int group,
              const PlgPlan *plan,
              const PlgFabric *fabric)
{
  find_nodes (ring, groups, group, plan, fabric->gpus);
  ring->first[0] = 0;
  for (int i = 0; i < ring->nodes; i++)
    {
      ring->first[i + 1] = ring->first[i] + ring->filled[i];
      ring->filled[i] = 0;
    }
  for (int i = 0; i < ring->size; i++)
    {
      int slot = ring->slot_of_node[ring->unsorted[i] / fabric->gpus];

      insert_sorted (fabric, ring->gpu + ring->first[slot], ring->filled[slot]++,
                     ring->unsorted[i]);
    }
  for (int i = 0; i < ring->nodes; i++)
    ring->slot_of_node[ring->node[i]] = -1;
}

int
plg_ring_members (const PlgRing *ring, int i)
{
  return ring->first[i + 1] - ring->first[i];
}

/* What goes up from each leaf, in GPUs' shares of the NICs. There are never more leaves than
 * nodes may be. */
typedef struct
{
  double ring[PLG_MAX_NODES];
  double pairs[PLG_MAX_NODES];
} Uplinks;

static void
clear_uplinks (Uplinks *uplinks, const PlgFabric *fabric)
{
  memset (uplinks->ring, 0, fabric->leaves * sizeof *uplinks->ring);
  memset (uplinks->pairs, 0, fabric->leaves * sizeof *uplinks->pairs);
}

static void
climb (double *leaves, const PlgFabric *fabric, int gpu, double share)
{
  int node = gpu / fabric->gpus, local = gpu % fabric->gpus, first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int way = first; way <= last; way++)
    {
      int nic = plg_fabric_nic_at (fabric, local, way);
      int working = plg_fabric_working_nic (fabric, node, nic);

      leaves[plg_fabric_leaf (fabric, node, working)] += share *
                                                         plg_fabric_nic_share (fabric, local, way);
    }
}

/* The part of its uplinks that the fullest leaf uses. */
static double
fullest (const double *leaves, const PlgFabric *fabric)
{
  double most = 0.0;

  for (int i = 0; i < fabric->leaves; i++)
    most = MAX (most, leaves[i] / plg_fabric_leaf_rate (fabric, i));
  return most / plg_fabric_below (fabric);
}

/* The leaf of each member, and how many are below each leaf that has any. Both large. */
typedef struct
{
  int key[PLG_MAX_GPUS];
  int members[PLG_MAX_NODES];
} Below;

static void
count_below (const PlgRing *ring, const PlgFabric *fabric, Below *below)
{
  for (int i = 0; i < ring->size; i++)
    {
      below->key[i] = plg_fabric_leaf_key (fabric, ring->gpu[i]);
      below->members[below->key[i]] = 0;
    }
  for (int i = 0; i < ring->size; i++)
    below->members[below->key[i]]++;
}

/* Of what members on the i-th node send to other nodes, the part that crosses a spine: all that
 * goes to members below whose leaf the node has no member to hand it to (PXN). */
static double
crossing_pairs (const PlgRing *ring, const Below *below, int i)
{
  int reached = 0;

  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    {
      gboolean first = TRUE;

      /* Those of one leaf need not stand together. */
      for (int k = j - 1; k >= ring->first[i] && first; k--)
        first = below->key[k] != below->key[j];
      reached += first ? below->members[below->key[j]] : 0;
    }
  return (double) (ring->size - reached) / (ring->size - plg_ring_members (ring, i));
}

gboolean
plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric)
{
  Below below;

  if (ring->nodes < 2 || fabric->spines == 0)
    return FALSE;
  count_below (ring, fabric, &below);
  for (int i = 0; i < ring->nodes; i++)
    if (crossing_pairs (ring, &below, i) > 0.0)
      return TRUE;
  return FALSE;
}

/* What goes from the i-th node to the next and changes leaf. Ring channel c leaves by member c of
 * one node and enters by member c of the other, so that rails are kept where both nodes have them
 * (NCCL, src/graph/search.cc: NCCL_CROSS_NIC avoids to change them). */
static void
climb_hop (Uplinks *uplinks,
           const PlgRing *ring,
           const PlgFabric *fabric,
           const Below *below,
           int i)
{
  int next = (i + 1) % ring->nodes;
  int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
  int channels = MAX (from, to);
  double share = (double) MIN (from, to) / channels;

  for (int c = 0; c < channels; c++)
    {
      int member = ring->first[i] + c % from;

      if (below->key[member] != below->key[ring->first[next] + c % to])
        climb (uplinks->ring, fabric, ring->gpu[member], share);
    }
}

static void
climb_ring (Uplinks *uplinks, const PlgRing *ring, const PlgFabric *fabric)
{
  Below below;

  if (ring->nodes < 2 || fabric->spines == 0)
    return;
  count_below (ring, fabric, &below);
  for (int i = 0; i < ring->nodes; i++)
    {
      double crossing = crossing_pairs (ring, &below, i);

      climb_hop (uplinks, ring, fabric, &below, i);
      for (int j = ring->first[i]; j < ring->first[i + 1] && crossing > 0.0; j++)
        climb (uplinks->pairs, fabric, ring->gpu[j], crossing);
    }
}

/* Lays one dimension of a group, strides now counting all ranks, over the nodes. FALSE when it
 * straddles them unevenly. */
static gboolean
lay_dimension (int degree, int stride, int per_node, PlgSpan *span)
{
  if (per_node % (stride * degree) == 0)
    span->per_node *= degree;
  else if (stride % per_node == 0)
    span->nodes *= degree;
  else if (per_node % stride == 0 && stride * degree % per_node == 0)
    {
      span->per_node *= per_node / stride;
      span->nodes *= stride * degree / per_node;
    }
  else
    return FALSE;
  return TRUE;
}

/* Strides among the ranks of one stage become strides among all; PP may cut a dimension in two. */
static gboolean
lay_in_stage (const PlgGroups *groups, PlgDimension dimension, int per_node, PlgSpan *span)
{
  int inside = groups->stage_stride, stages = groups->stages;
  int degree = dimension.degree, stride = dimension.stride;

  if (inside % (stride * degree) == 0)
    return lay_dimension (degree, stride, per_node, span);
  if (stride % inside == 0)
    return lay_dimension (degree, stride * stages, per_node, span);
  if (inside % stride != 0 || stride * degree % inside != 0)
    return FALSE;
  return lay_dimension (inside / stride, stride, per_node, span) &&
         lay_dimension (stride * degree / inside, inside * stages, per_node, span);
}

/* Whether rank r sits on GPU r and all GPUs are alike. */
static gboolean
is_ordered (const PlgPlan *plan, const PlgFabric *fabric)
{
  return plan->placement.size == 0 && fabric->n_faults == 0 && !fabric->has_near &&
         !fabric->has_paths;
}

/* Lays ranks in the order of GPUs over blocks of so many, a node or all nodes of a leaf; all groups
 * are alike then. */
static gboolean
lay_ordered (const PlgGroups *groups, int block, PlgSpan *span)
{
  *span = (PlgSpan) { .size = groups->size, .nodes = 1, .per_node = 1 };
  if (groups->kind == PLG_GROUP_PP)
    return lay_dimension (groups->stages, groups->stage_stride, block, span);
  if (groups->kind == PLG_GROUP_EMBEDDING)
    return FALSE;
  for (int i = 0; i < groups->n_inner; i++)
    if (!lay_in_stage (groups, groups->inner[i], block, span))
      return FALSE;
  return TRUE;
}

/* The GPUs of the nodes that have their leaves in common; 0: none need to cross a spine. */
static int
unit_gpus (const PlgFabric *fabric)
{
  gboolean parted = fabric->spines > 0 && fabric->nodes_per_leaf < fabric->nodes;

  return parted ? fabric->nodes_per_leaf * fabric->gpus : 0;
}

/* A message between stages I and J. It keeps its rail where nodes hold whole stages. */
static gboolean
lay_message (const PlgGroups *groups, const PlgFabric *fabric, int i, int j, PlgSpan *hop)
{
  int stride = groups->stage_stride, unit = unit_gpus (fabric);
  PlgSpan laid = { .nodes = 1, .per_node = 1 };

  *hop = (PlgSpan) { .size = 2, .nodes = 1, .per_node = 2 };
  if (!lay_dimension (groups->stages, stride, fabric->gpus, &laid))
    return FALSE;
  if (laid.nodes == 1)
    return TRUE;
  *hop = (PlgSpan) { .size = 2, .nodes = 2, .per_node = 1 };
  if (stride % fabric->gpus != 0)
    return FALSE;
  laid = (PlgSpan) { .nodes = 1, .per_node = 1 };
  if (unit > 0 && !lay_dimension (groups->stages, stride, unit, &laid))
    return FALSE;
  /* Below a leaf are equally many of each stage that it has. */
  if (unit > 0 && i / laid.per_node != j / laid.per_node)
    hop->ring_spine = hop->pair_spine = 1.0 / laid.per_node;
  return TRUE;
}

/* Lays groups without walking them. In order, each has the same rails on each of its nodes and as
 * many nodes below each leaf that it reaches. Of those, one sends to the next unit as the ring goes
 * round, and all of them to all nodes of the other units. */
static gboolean
lay_regular (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric, PlgSpan *span)
{
  int unit = unit_gpus (fabric);
  PlgSpan units;

  if (!is_ordered (plan, fabric))
    return FALSE;
  if (groups->kind == PLG_GROUP_EMBEDDING)
    return lay_message (groups, fabric, 0, groups->stages - 1, span);
  if (!lay_ordered (groups, fabric->gpus, span))
    return FALSE;
  if (span->nodes == 1 || unit == 0)
    return TRUE;
  if (!lay_ordered (groups, unit, &units))
    return FALSE;
  if (units.nodes > 1)
    {
      span->ring_spine = (double) span->per_node / units.per_node;
      span->pair_spine = (double) (span->size - units.per_node) / (span->size - span->per_node);
    }
  return TRUE;
}

static int
gpu_of (const PlgGroups *groups, const PlgPlan *plan, int group, int i)
{
  return plg_placement_gpu (&plan->placement, plg_groups_rank (groups, group, i));
}

static int
first_nic (const PlgFabric *fabric, int gpu)
{
  int first, last;

  plg_fabric_nics_of (fabric, gpu % fabric->gpus, &first, &last);
  return plg_fabric_nic_at (fabric, gpu % fabric->gpus, first);
}

/* Which rail alone has to be looked at, since the groups on the others are the same again; -1: all
 * of them, as where a GPU has parts of two NICs that it shares. */
static int
rail_of_all (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgSpan laid;

  if (fabric->network != PLG_NETWORK_RAIL || !is_ordered (plan, fabric) ||
      (fabric->gpus % fabric->nics != 0 && fabric->nics % fabric->gpus != 0) ||
      !lay_ordered (groups, fabric->gpus, &laid))
    return -1;
  return first_nic (fabric, gpu_of (groups, plan, 0, 0));
}

static void
lose_inside (PlgSpan *span, const PlgFabric *fabric, int gpu)
{
  span->inside_loss = MAX (span->inside_loss, 1.0 - plg_fabric_inside_rate (fabric, gpu));
}

/* What the slowest of N GPUs of a node has to the others. */
static void
slow_inside (PlgSpan *span, const PlgFabric *fabric, const int *gpus, int n)
{
  double bandwidth = plg_fabric_members_bandwidth (fabric, gpus, n);

  if (bandwidth > 0.0 && (span->inside <= 0.0 || bandwidth < span->inside))
    span->inside = bandwidth;
}

static void
lose_outside (PlgSpan *span, const PlgFabric *fabric, int gpu)
{
  span->outside_loss = MAX (span->outside_loss, 1.0 - plg_fabric_outside_rate (fabric, gpu));
}

/* What the members of a ring lose of the links that they use. */
static void
lose_on_ring (PlgSpan *span, const PlgFabric *fabric, const PlgRing *ring)
{
  if (fabric->n_faults == 0 && !fabric->has_near && !fabric->has_paths)
    return;
  for (int i = 0; i < ring->nodes; i++)
    slow_inside (span, fabric, ring->gpu + ring->first[i], plg_ring_members (ring, i));
  for (int i = 0; i < ring->nodes; i++)
    for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
      {
        if (plg_ring_members (ring, i) > 1)
          lose_inside (span, fabric, ring->gpu[j]);
        if (ring->nodes > 1)
          lose_outside (span, fabric, ring->gpu[j]);
      }
}

static void
walk_span (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric, PlgSpan *span)
{
  int rail = rail_of_all (groups, plan, fabric);
  Uplinks uplinks;
  PlgRing ring;

  plg_ring_init (&ring, fabric);
  clear_uplinks (&uplinks, fabric);
  for (int i = 0; i < groups->count; i++)
    {
      if (rail >= 0 && first_nic (fabric, gpu_of (groups, plan, i, 0)) != rail)
        continue;
      plg_ring_set (&ring, groups, i, plan, fabric);
      climb_ring (&uplinks, &ring, fabric);
      lose_on_ring (span, fabric, &ring);
      span->nodes = MAX (span->nodes, ring.nodes);
      for (int j = 0; j < ring.nodes; j++)
        span->per_node = MIN (span->per_node, plg_ring_members (&ring, j));
    }
  span->ring_spine = fullest (uplinks.ring, fabric);
  span->pair_spine = fullest (uplinks.pairs, fabric);
}

PlgSpan
plg_groups_span (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgSpan span = { .size = groups->size, .nodes = 1, .per_node = groups->size };

  if (groups->size < 2 || lay_regular (groups, plan, fabric, &span))
    return span;
  span = (PlgSpan) { .size = groups->size, .nodes = 1, .per_node = groups->size };
  walk_span (groups, plan, fabric, &span);
  return span;
}

/* What goes from one GPU to another: up from the leaf of the one and down to that of the other. */
static void
add_way (PlgSpan *hop, Uplinks *uplinks, const PlgFabric *fabric, int from, int to)
{
  if (from / fabric->gpus == to / fabric->gpus)
    {
      int pair[] = { from, to };

      lose_inside (hop, fabric, from);
      lose_inside (hop, fabric, to);
      slow_inside (hop, fabric, pair, 2);
      hop->per_node = 2;
      return;
    }
  hop->nodes = 2;
  lose_outside (hop, fabric, from);
  lose_outside (hop, fabric, to);
  if (fabric->spines == 0 || plg_fabric_same_leaf (fabric, from, to))
    return;
  climb (uplinks->ring, fabric, from, 1.0);
  climb (uplinks->pairs, fabric, to, 1.0);
}

/* From member I of all groups to the one that stands STEP further. */
static void
add_ways (const PlgGroups *groups,
          const PlgPlan *plan,
          const PlgFabric *fabric,
          int i,
          int step,
          PlgSpan *hop,
          Uplinks *uplinks)
{
  int other = (i + step) % groups->size;

  for (int group = 0; group < groups->count; group++)
    add_way (hop, uplinks, fabric, gpu_of (groups, plan, group, i),
             gpu_of (groups, plan, group, other));
}

static PlgSpan
span_ways (const PlgGroups *groups,
           const PlgPlan *plan,
           const PlgFabric *fabric,
           int first,
           int last,
           int step)
{
  PlgSpan hop = { .size = 2, .nodes = 1, .per_node = 1 };
  Uplinks uplinks;

  clear_uplinks (&uplinks, fabric);
  for (int i = first; i <= last; i++)
    add_ways (groups, plan, fabric, i, step, &hop, &uplinks);
  hop.ring_spine = hop.pair_spine = MAX (fullest (uplinks.ring, fabric),
                                         fullest (uplinks.pairs, fabric));
  return hop;
}

PlgSpan
plg_groups_hop (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric, int i, int j)
{
  PlgSpan hop;

  if (is_ordered (plan, fabric) && groups->kind == PLG_GROUP_PP &&
      lay_message (groups, fabric, i, j, &hop))
    return hop;
  return span_ways (groups, plan, fabric, i, i, j - i + groups->size);
}

PlgSpan
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgSpan span, hops = { .size = 2, .nodes = 1, .per_node = 2 };

  if (!lay_regular (groups, plan, fabric, &span))
    return span_ways (groups, plan, fabric, 0, groups->size - 1, 1);
  if (span.nodes == 1)
    return hops;
  /* Where a node has several members, the last of them sends to the first of the next node. */
  if (span.per_node > 1)
    return span_ways (groups, plan, fabric, 0, groups->size - 1, 1);
  hops.nodes = 2;
  hops.per_node = 1;
  hops.ring_spine = hops.pair_spine = span.ring_spine;
  return hops;
}

/* Messages go along a chain, and what else a group does goes round or between all of it. */
static gboolean
crosses_spine (const PlgCollective *row,
               const PlgRing *ring,
               const PlgGroups *groups,
               const PlgPlan *plan,
               const PlgFabric *fabric,
               int group)
{
  Uplinks uplinks;
  PlgSpan hop = { 0 };

  clear_uplinks (&uplinks, fabric);
  if (row->when != PLG_WHEN_BETWEEN_STAGES)
    climb_ring (&uplinks, ring, fabric);
  for (int i = 0; i + 1 < groups->size && row->when == PLG_WHEN_BETWEEN_STAGES; i++)
    add_way (&hop, &uplinks, fabric, gpu_of (groups, plan, group, i),
             gpu_of (groups, plan, group, i + 1));
  return fullest (row->kind == PLG_COLLECTIVE_ALL_TO_ALL ? uplinks.pairs : uplinks.ring, fabric) >
         0.0;
}

PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank)
{
  PlgGroups groups;
  PlgSpan laid;
  PlgRing ring;
  int group;

  plg_groups_init (&groups, &plan->parallelism, (PlgGroupKind) row->group);
  /* Where each lies as all others do, what is said of all holds for it. */
  if (lay_regular (&groups, plan, fabric, &laid))
    return row->tier;
  group = plg_groups_find (&groups, rank);
  plg_ring_init (&ring, fabric);
  plg_ring_set (&ring, &groups, group, plan, fabric);
  return plg_fabric_tier (fabric, ring.nodes > 1,
                          ring.nodes > 1 &&
                              crosses_spine (row, &ring, &groups, plan, fabric, group));
}
