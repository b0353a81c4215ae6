/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"


#include "engine/network/groups.h"

#include "engine/network/fabric-topology.h"

#include <string.h>

void
plg_ring_init (PlgRing *ring, const PlgFabric *fabric)
{
  for (int i = 0; i < fabric->nodes; i++)
    ring->slot_of_node[i] = -1;
}

void
plg_ring_set (PlgRing *ring,
              const PlgGroups *groups,
              int group,
              const PlgPlan *plan,
              const PlgFabric *fabric)
{
  /* Count the members on each node. The nodes are in the order of their first members. */
  int per_node = fabric->gpus;

  g_assert (group >= 0 && group < groups->count);

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

  ring->first[0] = 0;
  for (int i = 0; i < ring->nodes; i++)
    {
      ring->first[i + 1] = ring->first[i] + ring->filled[i];
      ring->filled[i] = 0;
    }
  for (int i = 0; i < ring->size; i++)
    {
      int slot = ring->slot_of_node[ring->unsorted[i] / fabric->gpus];

      /* Sort the members on a node by their position in NCCL's ring, or by GPU number if the
       * ring is unknown. */
      int *gpus = ring->gpu + ring->first[slot];
      int n = ring->filled[slot]++;
      int gpu = ring->unsorted[i];
      int place = plg_fabric_ring_place (fabric, gpu % fabric->gpus);

      while (n > 0 && plg_fabric_ring_place (fabric, gpus[n - 1] % fabric->gpus) > place)
        {
          gpus[n] = gpus[n - 1];
          n--;
        }
      gpus[n] = gpu;
    }
  for (int i = 0; i < ring->nodes; i++)
    ring->slot_of_node[ring->node[i]] = -1;
}

int
plg_ring_members (const PlgRing *ring, int i)
{
  return ring->first[i + 1] - ring->first[i];
}

/* The upward traffic of each leaf, in units of one GPU's share of the NICs. The arrays are
 * indexed by leaf. They are large enough because no fabric has more leaves than the maximum
 * number of nodes. */
typedef struct
{
  double ring[PLG_MAX_NODES];
  double pairs[PLG_MAX_NODES];
} Uplinks;

/* Clears the first N leaves. */
static void
clear_uplinks (Uplinks *uplinks, int n)
{
  memset (uplinks->ring, 0, n * sizeof *uplinks->ring);
  memset (uplinks->pairs, 0, n * sizeof *uplinks->pairs);
}

static void
add_uplink_use (double *leaves, const PlgFabric *fabric, int gpu, double share)
{
  int node = gpu / fabric->gpus, local = gpu % fabric->gpus, first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int nic_path = first; nic_path <= last; nic_path++)
    {
      int nic = plg_fabric_nic_at (fabric, local, nic_path);
      int working = plg_fabric_working_nic (fabric, node, nic);

      leaves[plg_fabric_leaf (fabric, node, working)] += share * plg_fabric_nic_share (fabric,
                                                                                       local,
                                                                                       nic_path);
    }
}

/* Returns the share of uplink bandwidth that the busiest of the first N leaves uses. */
static double
fullest_leaf (const double *leaves, const PlgFabric *fabric, int n)
{
  double most = 0.0;

  for (int i = 0; i < n; i++)
    if (leaves[i] > 0.0)
      most = MAX (most, leaves[i] / plg_fabric_leaf_rate (fabric, i));
  return most / plg_fabric_gpus_below_leaf (fabric);
}

/* The first leaf of each member, and the number of members below each leaf. Both arrays are
 * large, so only the elements in use are set. */
typedef struct
{
  int key[PLG_MAX_GPUS];
  int members[PLG_MAX_NODES];
} LeafMembers;

static void
count_leaf_members (const PlgRing *ring, const PlgFabric *fabric, LeafMembers *leaf_members)
{
  for (int i = 0; i < ring->size; i++)
    {
      leaf_members->key[i] = plg_fabric_first_leaf (fabric, ring->gpu[i]);
      leaf_members->members[leaf_members->key[i]] = 0;
    }
  for (int i = 0; i < ring->size; i++)
    leaf_members->members[leaf_members->key[i]]++;
}

/* Returns the share of the i-th node's traffic to other nodes that crosses a spine. A message
 * crosses a spine if no member on the i-th node is below the leaf of the receiver and could
 * forward the data (PXN). */
static double
crossing_pairs (const PlgRing *ring, const LeafMembers *leaf_members, int i)
{
  int reached = 0;

  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    {
      gboolean first = TRUE;

      /* Members below the same leaf need not be consecutive, so compare with all earlier members
       * of the node and count each leaf once. */
      for (int k = j - 1; k >= ring->first[i] && first; k--)
        first = leaf_members->key[k] != leaf_members->key[j];
      reached += first ? leaf_members->members[leaf_members->key[j]] : 0;
    }
  return (double) (ring->size - reached) / (ring->size - plg_ring_members (ring, i));
}

gboolean
plg_ring_pairs_cross (const PlgRing *ring, const PlgFabric *fabric)
{
  LeafMembers leaf_members;

  if (ring->nodes < 2 || fabric->spines == 0)
    return FALSE;
  count_leaf_members (ring, fabric, &leaf_members);
  for (int i = 0; i < ring->nodes; i++)
    if (crossing_pairs (ring, &leaf_members, i) > 0.0)
      return TRUE;
  return FALSE;
}

static void
add_ring_use (Uplinks *uplinks, const PlgRing *ring, const PlgFabric *fabric)
{
  LeafMembers leaf_members;

  if (ring->nodes < 2 || fabric->spines == 0)
    return;
  count_leaf_members (ring, fabric, &leaf_members);
  for (int i = 0; i < ring->nodes; i++)
    {
      double crossing = crossing_pairs (ring, &leaf_members, i);
      int next = (i + 1) % ring->nodes;
      int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
      int channels = MAX (from, to);
      double share = (double) MIN (from, to) / channels;

      /* Channel c of the ring runs from member c of one node to member c of the next node. The
       * channel keeps its rail if both members are on that rail (NCCL, src/graph/search.cc:
       * NCCL_CROSS_NIC avoids a change of rail). */
      for (int c = 0; c < channels; c++)
        {
          int member = ring->first[i] + c % from;

          if (leaf_members.key[member] != leaf_members.key[ring->first[next] + c % to])
            add_uplink_use (uplinks->ring, fabric, ring->gpu[member], share);
        }

      for (int j = ring->first[i]; j < ring->first[i + 1] && crossing > 0.0; j++)
        add_uplink_use (uplinks->pairs, fabric, ring->gpu[j], crossing);
    }
}

/* Extends EXTENT by one dimension of a group: multiplies its number of nodes and its members per
 * node by the numbers for this dimension. STRIDE is in ranks of the whole plan. Returns FALSE if
 * the members are not spread evenly. */
static gboolean
place_dimension (int degree, int stride, int per_node, PlgGroupExtent *extent)
{
  if (per_node % (stride * degree) == 0)
    extent->per_node *= degree;
  else if (stride % per_node == 0)
    extent->nodes *= degree;
  else if (per_node % stride == 0 && stride * degree % per_node == 0)
    {
      extent->per_node *= per_node / stride;
      extent->nodes *= stride * degree / per_node;
    }
  else
    return FALSE;
  return TRUE;
}

/* Returns TRUE if rank r is on GPU r, and no fault or node topology makes GPUs differ. */
static gboolean
is_ordered (const PlgPlan *plan, const PlgFabric *fabric)
{
  return plan->placement.size == 0 && fabric->n_faults == 0 && !fabric->has_nearest_nics &&
         !fabric->has_paths;
}

/* Returns TRUE if rank r is on GPU r, and faults slow GPUs, ports and NICs but change no route.
 * Each fault then only adds a loss to the groups of its GPUs. */
static gboolean
is_regular (const PlgPlan *plan, const PlgFabric *fabric)
{
  if (plan->placement.size != 0 || fabric->has_nearest_nics || fabric->has_paths)
    return FALSE;
  for (int i = 0; i < fabric->n_faults; i++)
    {
      const PlgFault *fault = &fabric->faults[i];

      /* The replacement of a failed NIC is on another rail. */
      if (fault->kind == PLG_FAULT_UPLINK ||
          (fault->kind == PLG_FAULT_NIC && fault->rate <= 0.0 &&
           fabric->network == PLG_NETWORK_RAIL && fabric->spines > 0))
        return FALSE;
    }
  return TRUE;
}

/* Sets EXTENT to how each group in GROUPS is spread over blocks of BLOCK GPUs if rank r is on
 * GPU r. A block is one node or all nodes below a leaf. All groups have the same extent. Returns
 * FALSE if the members of a group are not spread evenly. */
static gboolean
place_in_order (const PlgGroups *groups, int block, PlgGroupExtent *extent)
{
  *extent = (PlgGroupExtent) { .size = groups->size, .nodes = 1, .per_node = 1 };
  if (groups->kind == PLG_GROUP_PP)
    return place_dimension (groups->stages, groups->stage_stride, block, extent);
  if (groups->kind == PLG_GROUP_EMBEDDING)
    return FALSE;
  for (int i = 0; i < groups->n_inner; i++)
    {
      /* Convert strides in ranks of one stage into strides in ranks of the plan. PP may split a
       * dimension into two. */
      PlgDimension dimension = groups->inner[i];
      int inside = groups->stage_stride, stages = groups->stages;
      int degree = dimension.degree, stride = dimension.stride;

      if (inside % (stride * degree) == 0)
        {
          if (!place_dimension (degree, stride, block, extent))
            return FALSE;
        }
      else if (stride % inside == 0)
        {
          if (!place_dimension (degree, stride * stages, block, extent))
            return FALSE;
        }
      else
        {
          if (inside % stride != 0 || stride * degree % inside != 0)
            return FALSE;
          if (!place_dimension (inside / stride, stride, block, extent) ||
              !place_dimension (stride * degree / inside, inside * stages, block, extent))
            return FALSE;
        }
    }
  return TRUE;
}

/* Returns the number of GPUs below the same leaf (in a rail network, below the same set of
 * leaves), or 0 if no traffic needs a spine. */
static int
unit_gpus (const PlgFabric *fabric)
{
  gboolean parted = fabric->spines > 0 && fabric->nodes_per_leaf < fabric->nodes;

  return parted ? fabric->nodes_per_leaf * fabric->gpus : 0;
}

/* Sets HOP to the extent of a message between stages I and J. Returns FALSE if the stages are
 * not spread evenly, or if they do not fill whole nodes, because the message may then change its
 * rail. */
static gboolean
place_message (const PlgGroups *groups, const PlgFabric *fabric, int i, int j, PlgGroupExtent *hop)
{
  int stride = groups->stage_stride, unit = unit_gpus (fabric);
  PlgGroupExtent placed = { .nodes = 1, .per_node = 1 };

  *hop = (PlgGroupExtent) { .size = 2, .nodes = 1, .per_node = 2 };
  if (!place_dimension (groups->stages, stride, fabric->gpus, &placed))
    return FALSE;
  if (placed.nodes == 1)
    return TRUE;
  *hop = (PlgGroupExtent) { .size = 2, .nodes = 2, .per_node = 1 };
  if (stride % fabric->gpus != 0)
    return FALSE;
  placed = (PlgGroupExtent) { .nodes = 1, .per_node = 1 };
  if (unit > 0 && !place_dimension (groups->stages, stride, unit, &placed))
    return FALSE;
  /* The nodes below a leaf contain placed.per_node consecutive stages of equal size. Only the
   * last of these stages sends to a stage below another leaf, so messages use only
   * 1/placed.per_node of the uplink bandwidth. */
  if (unit > 0 && i / placed.per_node != j / placed.per_node)
    hop->ring_uplink_use = hop->pair_uplink_use = 1.0 / placed.per_node;
  return TRUE;
}

/* Sets EXTENT for GROUPS, without the losses of faults, without visiting the groups one by one.
 * Returns FALSE if ranks are not in order or the members are not spread evenly. With ranks in order, each group has the same
 * rails on each of its nodes, and the same number of nodes below each of its leaves. In a ring,
 * only one of these nodes sends to the next unit; in an all-to-all, all of them send to all
 * nodes of the other units. */
static gboolean
place_regular (const PlgGroups *groups,
               const PlgPlan *plan,
               const PlgFabric *fabric,
               PlgGroupExtent *extent)
{
  int unit = unit_gpus (fabric);
  PlgGroupExtent units;

  if (!is_regular (plan, fabric))
    return FALSE;
  if (groups->kind == PLG_GROUP_EMBEDDING)
    return place_message (groups, fabric, 0, groups->copy_stage, extent);
  if (!place_in_order (groups, fabric->gpus, extent))
    return FALSE;
  if (extent->nodes == 1 || unit == 0)
    return TRUE;
  if (!place_in_order (groups, unit, &units))
    return FALSE;
  if (units.nodes > 1)
    {
      extent->ring_uplink_use = (double) extent->per_node / units.per_node;
      extent->pair_uplink_use = (double) (extent->size - units.per_node) /
                                (extent->size - extent->per_node);
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

static void
add_intra_loss (PlgGroupExtent *extent, const PlgFabric *fabric, int gpu)
{
  extent->intra_loss = MAX (extent->intra_loss, 1.0 - plg_fabric_intra_rate (fabric, gpu));
}

/* Lowers the bandwidth inside a node to the bandwidth of the slowest of N GPUs. */
static void
limit_intra_bandwidth (PlgGroupExtent *extent, const PlgFabric *fabric, const int *gpus, int n)
{
  double bandwidth = plg_fabric_members_bandwidth (fabric, gpus, n);

  if (bandwidth > 0.0 && (extent->inside <= 0.0 || bandwidth < extent->inside))
    extent->inside = bandwidth;
}

static void
add_inter_loss (PlgGroupExtent *extent, const PlgFabric *fabric, int gpu)
{
  extent->inter_loss = MAX (extent->inter_loss, 1.0 - plg_fabric_inter_rate (fabric, gpu));
}

/* Adds the losses of all faults to EXTENT, whose groups are placed alike: inside the node if a
 * node has several members, and between nodes if the groups span several nodes. In groups that
 * join only stages I and J, faults on other stages add no loss; I is -1 for all other groups. */
static void
add_fault_losses (PlgGroupExtent *extent,
                  const PlgGroups *groups,
                  const PlgFabric *fabric,
                  int i,
                  int j)
{
  for (int k = 0; k < fabric->n_faults; k++)
    {
      const PlgFault *fault = &fabric->faults[k];
      int first = fault->first, n = 1;

      if (fault->kind == PLG_FAULT_NIC)
        {
          n = fabric->gpus;
          first *= n;
        }
      else if (fault->kind != PLG_FAULT_PORT)
        continue;
      for (int gpu = first; gpu < first + n; gpu++)
        {
          int stage = gpu / groups->stage_stride % groups->stages;

          if (i >= 0 && stage != i && stage != j)
            continue;
          if (extent->per_node > 1)
            add_intra_loss (extent, fabric, gpu);
          if (extent->nodes > 1)
            add_inter_loss (extent, fabric, gpu);
        }
    }
}

PlgGroupExtent
plg_groups_extent (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgGroupExtent extent = { .size = groups->size, .nodes = 1, .per_node = groups->size };

  PlgGroupExtent placed;
  Uplinks uplinks;
  PlgRing ring;
  int rail = -1;

  if (groups->size < 2)
    return extent;
  if (place_regular (groups, plan, fabric, &extent))
    {
      add_fault_losses (&extent, groups, fabric, groups->kind == PLG_GROUP_EMBEDDING ? 0 : -1,
                        groups->copy_stage);
      return extent;
    }
  extent = (PlgGroupExtent) { .size = groups->size, .nodes = 1, .per_node = groups->size };

  /* Visit only the groups on one rail, because all rails carry the same traffic unless a GPU
   * shares two NICs with other GPUs. */
  if (fabric->network == PLG_NETWORK_RAIL && is_ordered (plan, fabric) &&
      (fabric->gpus % fabric->nics == 0 || fabric->nics % fabric->gpus == 0) &&
      place_in_order (groups, fabric->gpus, &placed))
    rail = first_nic (fabric, gpu_of (groups, plan, 0, 0));
  plg_ring_init (&ring, fabric);
  clear_uplinks (&uplinks, fabric->leaves);
  for (int i = 0; i < groups->count; i++)
    {
      if (rail >= 0 && first_nic (fabric, gpu_of (groups, plan, i, 0)) != rail)
        continue;
      plg_ring_set (&ring, groups, i, plan, fabric);
      add_ring_use (&uplinks, &ring, fabric);

      /* A member loses bandwidth only on links that the ring uses: inside its node if the node
       * has other members, and between nodes if the ring spans several nodes. */
      if (fabric->n_faults != 0 || fabric->has_nearest_nics || fabric->has_paths)
        {
          for (int k = 0; k < ring.nodes; k++)
            limit_intra_bandwidth (&extent, fabric, ring.gpu + ring.first[k],
                                   plg_ring_members (&ring, k));
          for (int k = 0; k < ring.nodes; k++)
            for (int j = ring.first[k]; j < ring.first[k + 1]; j++)
              {
                if (plg_ring_members (&ring, k) > 1)
                  add_intra_loss (&extent, fabric, ring.gpu[j]);
                if (ring.nodes > 1)
                  add_inter_loss (&extent, fabric, ring.gpu[j]);
              }
        }

      extent.nodes = MAX (extent.nodes, ring.nodes);
      for (int j = 0; j < ring.nodes; j++)
        extent.per_node = MIN (extent.per_node, plg_ring_members (&ring, j));
    }
  extent.ring_uplink_use = fullest_leaf (uplinks.ring, fabric, fabric->leaves);
  extent.pair_uplink_use = fullest_leaf (uplinks.pairs, fabric, fabric->leaves);

  return extent;
}

/* Updates HOP and UPLINKS for a message from GPU FROM to GPU TO. A message over a spine uses the
 * uplinks of the sender's leaf and the downlinks of the receiver's leaf. */
static void
add_hop (PlgGroupExtent *hop, Uplinks *uplinks, const PlgFabric *fabric, int from, int to)
{
  if (from / fabric->gpus == to / fabric->gpus)
    {
      int pair[] = { from, to };

      add_intra_loss (hop, fabric, from);
      add_intra_loss (hop, fabric, to);
      limit_intra_bandwidth (hop, fabric, pair, 2);
      hop->per_node = 2;
      return;
    }
  hop->nodes = 2;
  add_inter_loss (hop, fabric, from);
  add_inter_loss (hop, fabric, to);
  if (fabric->spines == 0 || plg_fabric_same_leaf (fabric, from, to))
    return;
  add_uplink_use (uplinks->ring, fabric, from, 1.0);
  add_uplink_use (uplinks->pairs, fabric, to, 1.0);
}

/* The messages from members FIRST..LAST of all groups to the member STEP positions after them.
 * GROUPS are chains, or have one dimension. */
static PlgGroupExtent
measure_hops (const PlgGroups *groups,
              const PlgPlan *plan,
              const PlgFabric *fabric,
              int first,
              int last,
              int step)
{
  PlgGroupExtent hop = { .size = 2, .nodes = 1, .per_node = 1 };
  int world = groups->size * groups->count, leaves = fabric->leaves;
  double repeats = 1.0;
  Uplinks uplinks;

  if (is_ordered (plan, fabric) && (groups->kind == PLG_GROUP_PP || groups->n_inner == 1))
    {
      /* Members are STRIDE ranks apart. The placement repeats after LENGTH ranks, which are whole
       * groups and whole nodes, so visit only these ranks. Repeats use other leaves if LENGTH also
       * is whole units of nodes; otherwise all repeats use the same leaves. */
      int unit = unit_gpus (fabric);
      gint64 stride = groups->stage_stride, length;

      if (groups->kind != PLG_GROUP_PP)
        {
          stride = groups->inner[0].stride;
          if (stride >= groups->stage_stride)
            stride *= groups->stages;
        }
      length = stride * groups->size;
      length = length / plg_greatest_common_divisor (length, unit > 0 ? unit : fabric->gpus) *
               (unit > 0 ? unit : fabric->gpus);
      if (world % length != 0)
        length = world;
      if (unit > 0)
        leaves = (int) (leaves * length / world);
      else
        repeats = (double) world / length;
      clear_uplinks (&uplinks, leaves);
      for (int rank = 0; rank < length; rank++)
        {
          int i = (int) (rank / stride % groups->size);

          if (i >= first && i <= last)
            add_hop (&hop, &uplinks, fabric, rank,
                     rank + (int) (((i + step) % groups->size - i) * stride));
        }
    }
  else
    {
      clear_uplinks (&uplinks, leaves);
      for (int i = first; i <= last; i++)
        for (int group = 0; group < groups->count; group++)
          add_hop (&hop, &uplinks, fabric, gpu_of (groups, plan, group, i),
                   gpu_of (groups, plan, group, (i + step) % groups->size));
    }
  hop.ring_uplink_use = hop.pair_uplink_use = repeats *
                                              MAX (fullest_leaf (uplinks.ring, fabric, leaves),
                                                   fullest_leaf (uplinks.pairs, fabric, leaves));
  return hop;
}

PlgGroupExtent
plg_groups_hop (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric, int i, int j)
{
  PlgGroupExtent hop;

  if (is_regular (plan, fabric) && groups->kind == PLG_GROUP_PP &&
      place_message (groups, fabric, i, j, &hop))
    {
      add_fault_losses (&hop, groups, fabric, i, j);
      return hop;
    }
  return measure_hops (groups, plan, fabric, i, i, j - i + groups->size);
}

PlgGroupExtent
plg_groups_neighbours (const PlgGroups *groups, const PlgPlan *plan, const PlgFabric *fabric)
{
  PlgGroupExtent extent, hops = { .size = 2, .nodes = 1, .per_node = 2 };

  if (!place_regular (groups, plan, fabric, &extent))
    return measure_hops (groups, plan, fabric, 0, groups->size - 1, 1);
  if (extent.nodes == 1)
    {
      add_fault_losses (&hops, groups, fabric, -1, -1);
      return hops;
    }
  /* If a node has several members, only the last one sends to the next node. The hops therefore
   * differ, so measure all of them. */
  if (extent.per_node > 1)
    return measure_hops (groups, plan, fabric, 0, groups->size - 1, 1);
  hops.nodes = 2;
  hops.per_node = 1;
  hops.ring_uplink_use = hops.pair_uplink_use = extent.ring_uplink_use;
  add_fault_losses (&hops, groups, fabric, -1, -1);
  return hops;
}

PlgTier
plg_groups_tier (const PlgPlan *plan, const PlgFabric *fabric, const PlgCollective *row, int rank)
{
  PlgGroupExtent placed, hop = { 0 };
  PlgGroups groups;
  PlgRing ring;
  Uplinks uplinks;
  const double *leaves;
  int group;

  plg_groups_init (&groups, &plan->parallelism, (PlgGroupKind) row->group);
  /* If all groups have the same placement, the row's tier applies to each group. */
  if (place_regular (&groups, plan, fabric, &placed))
    return row->tier;
  group = plg_groups_find (&groups, rank);
  plg_ring_init (&ring, fabric);
  plg_ring_set (&ring, &groups, group, plan, fabric);
  if (ring.nodes < 2)
    return plg_fabric_tier (fabric, FALSE, FALSE);

  /* Messages between stages follow a chain. All other collectives send messages around a ring or
   * between all pairs. */
  clear_uplinks (&uplinks, fabric->leaves);
  if (row->when != PLG_WHEN_BETWEEN_STAGES)
    add_ring_use (&uplinks, &ring, fabric);
  else
    for (int i = 0; i + 1 < groups.size; i++)
      add_hop (&hop, &uplinks, fabric, gpu_of (&groups, plan, group, i),
               gpu_of (&groups, plan, group, i + 1));
  leaves = row->kind == PLG_COLLECTIVE_ALL_TO_ALL ? uplinks.pairs : uplinks.ring;
  return plg_fabric_tier (fabric, TRUE, fullest_leaf (leaves, fabric, fabric->leaves) > 0.0);
}
