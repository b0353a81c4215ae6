/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/flow.h"

#include "engine/fabric-map.h"

static void
put (const PlgFlow *flow, int link, double calls, double out, double in)
{
  flow->put (flow->user, link, calls, out, in);
}

static int
node_of (const PlgFlow *flow, int gpu)
{
  return gpu / flow->fabric->gpus;
}

static int
local_of (const PlgFlow *flow, int gpu)
{
  return gpu % flow->fabric->gpus;
}

/* What a GPU sends to and gets from other nodes: over its NICs. */
static void
put_outside (const PlgFlow *flow, int gpu, double out, double in)
{
  int local = local_of (flow, gpu), first, last;

  put (flow, plg_fabric_pcie (flow->fabric, gpu),
       flow->fabric->intra == PLG_INTRA_PCIE ? 0.0 : flow->calls, out, in);
  plg_fabric_nics_of (flow->fabric, local, &first, &last);
  for (int way = first; way <= last; way++)
    {
      double share = plg_fabric_nic_share (flow->fabric, local, way);
      int nic = plg_fabric_nic_at (flow->fabric, local, way);
      int working = plg_fabric_working_nic (flow->fabric, node_of (flow, gpu), nic);

      put (flow, plg_fabric_nic (flow->fabric, node_of (flow, gpu), working), flow->calls,
           share * out, share * in);
    }
}

/* What a GPU sends and gets over the uplinks of its leaves, spread over all spines. */
static void
put_uplinks (const PlgFlow *flow, int gpu, double calls, double out, double in)
{
  const PlgFabric *fabric = flow->fabric;
  int local = local_of (flow, gpu), first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int way = first; way <= last; way++)
    {
      double of_gpu = plg_fabric_nic_share (fabric, local, way);
      int nic = plg_fabric_nic_at (fabric, local, way);
      int working = plg_fabric_working_nic (fabric, node_of (flow, gpu), nic);
      int leaf = plg_fabric_leaf (fabric, node_of (flow, gpu), working);

      for (int spine = 0; spine < fabric->spines; spine++)
        {
          double share = of_gpu * plg_fabric_uplink_share (fabric, leaf, spine);

          if (share > 0.0)
            put (flow, plg_fabric_uplink (fabric, leaf, spine), calls, share * out, share * in);
        }
    }
}

/* From one GPU of a node to another of it, over the link that only they have. */
static void
put_pair (const PlgFlow *flow, int from, int to, double calls, double bytes)
{
  int a = local_of (flow, from), b = local_of (flow, to);
  int link = plg_fabric_pair (flow->fabric, node_of (flow, from), MIN (a, b), MAX (a, b));

  if (a < b)
    put (flow, link, calls, bytes, 0.0);
  else
    put (flow, link, calls, 0.0, bytes);
}

/* The link that a GPU has inside its node, where it has one for all. */
static int
inside_link (const PlgFlow *flow, int gpu)
{
  if (flow->fabric->intra == PLG_INTRA_PCIE)
    return plg_fabric_pcie (flow->fabric, gpu);
  return plg_fabric_port (flow->fabric, gpu);
}

/* What part of what FROM sends to the other members on the I-th node of RING goes to TO: as much as
 * the links that they have are of its links to all of those. */
static double
part_to (const PlgFlow *flow, const PlgRing *ring, int i, int from, int to)
{
  const PlgFabric *fabric = flow->fabric;
  double all = 0.0, own = 0.0;
  int members = plg_ring_members (ring, i);

  if (!fabric->has_paths)
    return 1.0 / (members - 1);
  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    {
      int a = local_of (flow, from), b = local_of (flow, ring->gpu[j]);
      double linked = a != b && plg_node_map_to_gpu (fabric->map, a, b)->type == PLG_PATH_NVLINK
                          ? plg_fabric_path_bandwidth (fabric, a, b)
                          : 0.0;

      all += linked;
      own += ring->gpu[j] == to ? linked : 0.0;
    }
  return all > 0.0 ? own / all : 1.0 / (members - 1);
}

/* Each member on the I-th node of RING sends and gets BYTES inside the node, to all others of it
 * alike, or over the links that it has to them. */
static void
put_inside (const PlgFlow *flow, const PlgRing *ring, int i, double bytes)
{
  int first = ring->first[i], end = ring->first[i + 1], members = end - first;

  if (members < 2 && flow->fabric->intra != PLG_INTRA_PCIE)
    return;
  for (int a = first; a < end; a++)
    {
      if (!plg_fabric_has_pairs (flow->fabric))
        {
          put (flow, inside_link (flow, ring->gpu[a]), flow->calls, bytes, bytes);
          continue;
        }
      /* A pair is met from both its ends; its calls are counted once. */
      for (int b = first; b < end; b++)
        {
          double part = a != b ? part_to (flow, ring, i, ring->gpu[a], ring->gpu[b]) : 0.0;

          if (part > 0.0)
            put_pair (flow, ring->gpu[a], ring->gpu[b], flow->calls / 2.0, bytes * part);
        }
    }
}

static void
put_message (const PlgFlow *flow, int from, int to, double bytes)
{
  if (from == to)
    return;
  if (node_of (flow, from) != node_of (flow, to))
    {
      put_outside (flow, from, bytes, 0.0);
      put_outside (flow, to, 0.0, bytes);
      if (flow->fabric->intra == PLG_INTRA_PCIE)
        {
          put (flow, plg_fabric_pcie (flow->fabric, from), flow->calls, 0.0, 0.0);
          put (flow, plg_fabric_pcie (flow->fabric, to), flow->calls, 0.0, 0.0);
        }
      if (flow->fabric->spines > 0 && !plg_fabric_same_leaf (flow->fabric, from, to))
        {
          put_uplinks (flow, from, flow->calls, bytes, 0.0);
          put_uplinks (flow, to, flow->calls, 0.0, bytes);
        }
    }
  else if (plg_fabric_has_pairs (flow->fabric))
    put_pair (flow, from, to, flow->calls, bytes);
  else
    {
      put (flow, inside_link (flow, from), flow->calls, bytes, 0.0);
      put (flow, inside_link (flow, to), flow->calls, 0.0, bytes);
    }
}

/* From the I-th node of a ring to the next, in as many channels as the larger has members. */
static void
put_ring_hop (const PlgFlow *flow, const PlgRing *ring, int i, double bytes)
{
  int next = (i + 1) % ring->nodes;
  int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
  int channels = MAX (from, to), last_from = -1, last_to = -1;

  for (int c = 0; c < channels; c++)
    {
      int a = ring->gpu[ring->first[i] + c % from];
      int b = ring->gpu[ring->first[next] + c % to];
      int leaf_a = plg_fabric_leaf_key (flow->fabric, a);
      int leaf_b = plg_fabric_leaf_key (flow->fabric, b);

      if (leaf_a == leaf_b)
        continue;
      put_uplinks (flow, a, leaf_a != last_from ? flow->calls : 0.0, bytes / channels, 0.0);
      put_uplinks (flow, b, leaf_b != last_to ? flow->calls : 0.0, 0.0, bytes / channels);
      last_from = leaf_a;
      last_to = leaf_b;
    }
}

/* Round the ring each node passes on BYTES, over the NICs of its members there in equal parts; what
 * does not leave the node goes from member to member. */
static void
put_ring (const PlgFlow *flow, const PlgRing *ring, double bytes)
{
  for (int i = 0; i < ring->nodes; i++)
    {
      double members = plg_ring_members (ring, i);
      double outside = ring->nodes > 1 ? bytes / members : 0.0;

      put_inside (flow, ring, i, ring->nodes > 1 ? bytes - outside : bytes);
      if (ring->nodes == 1)
        continue;
      for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
        put_outside (flow, ring->gpu[j], outside, outside);
      if (flow->fabric->spines > 0)
        put_ring_hop (flow, ring, i, bytes);
    }
}

/* Whether a node of the ring has a member below the leaf of GPU. */
static gboolean
node_reaches (const PlgFlow *flow, const PlgRing *ring, int i, int gpu)
{
  int leaf = plg_fabric_leaf_key (flow->fabric, gpu);

  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    if (plg_fabric_leaf_key (flow->fabric, ring->gpu[j]) == leaf)
      return TRUE;
  return FALSE;
}

/* All pairs of members on two nodes that have to cross a spine. */
static void
put_pairs_across (const PlgFlow *flow, const PlgRing *ring, int i, int other, double bytes)
{
  double calls = flow->calls / MAX (ring->nodes - 1, 1);

  for (int b = ring->first[other]; b < ring->first[other + 1]; b++)
    {
      if (node_reaches (flow, ring, i, ring->gpu[b]))
        continue;
      for (int a = ring->first[i]; a < ring->first[i + 1]; a++)
        {
          put_uplinks (flow, ring->gpu[a], calls, bytes, 0.0);
          put_uplinks (flow, ring->gpu[b], calls, 0.0, bytes);
        }
    }
}

/* Where a token is sent once to each node, its first receiver there hands it to the others. */
static void
put_all_to_all (const PlgFlow *flow, const PlgRing *ring, double bytes)
{
  double peer = bytes / ring->size, sent = flow->once * peer;

  for (int i = 0; i < ring->nodes; i++)
    {
      double members = plg_ring_members (ring, i);
      double outside = sent * (ring->size - members);
      double handed = flow->once < 1.0 ? peer * (ring->size - members) / members : 0.0;

      put_inside (flow, ring, i, (peer + handed) * (members - 1.0));
      for (int j = ring->first[i]; j < ring->first[i + 1] && ring->nodes > 1; j++)
        put_outside (flow, ring->gpu[j], outside, outside);
    }
  if (!plg_ring_pairs_cross (ring, flow->fabric))
    return;
  for (int i = 0; i < ring->nodes; i++)
    for (int other = 0; other < ring->nodes; other++)
      if (i != other)
        put_pairs_across (flow, ring, i, other, sent);
}

int
plg_flow_gpu (const PlgFlow *flow, const PlgGroups *groups, int group, int i)
{
  return plg_placement_gpu (&flow->plan->placement, plg_groups_rank (groups, group, i));
}

/* Every member to the next, as the blocks of a CP ring go. */
static void
put_neighbours (const PlgFlow *flow, const PlgGroups *groups, int group, double bytes)
{
  for (int i = 0; i < groups->size; i++)
    put_message (flow, plg_flow_gpu (flow, groups, group, i),
                 plg_flow_gpu (flow, groups, group, (i + 1) % groups->size), bytes);
}

static void
put_group (const PlgFlow *flow, const PlgRing *ring, PlgCollectiveKind kind, double bytes)
{
  if (kind == PLG_COLLECTIVE_ALL_TO_ALL)
    put_all_to_all (flow, ring, bytes);
  else
    put_ring (flow, ring, plg_collective_sent (kind, ring->size, bytes));
}

void
plg_flow_group (PlgFlow *flow,
                PlgRing *ring,
                const PlgGroups *groups,
                int group,
                PlgCollectiveKind kind,
                const PlgLoad *load)
{
  if (load->calls <= 0.0)
    return;
  flow->calls = load->calls;
  flow->once = load->once > 0.0 ? load->once : 1.0;
  if (kind == PLG_COLLECTIVE_SEND_RECV)
    {
      put_neighbours (flow, groups, group, load->bytes);
      return;
    }
  plg_ring_set (ring, groups, group, flow->plan, flow->fabric);
  put_group (flow, ring, kind, load->bytes);
}

/* What goes from a position to the next in one chain, and its gradient back. */
static void
put_step (const PlgFlow *flow, const PlgGroups *chains, int chain, int from, int to, double bytes)
{
  int a = plg_flow_gpu (flow, chains, chain, from);
  int b = plg_flow_gpu (flow, chains, chain, to);

  put_message (flow, a, b, bytes);
  put_message (flow, b, a, bytes);
}

void
plg_flow_chain (const PlgFlow *flow,
                const PlgGroups *chains,
                int chain,
                const PlgPipeline *pipeline,
                double bytes)
{
  int n = plg_pipeline_positions (pipeline);

  for (int position = 0; position < n; position++)
    if (!plg_pipeline_is_last (pipeline, position))
      put_step (flow, chains, chain, plg_pipeline_stage (pipeline, position),
                plg_pipeline_stage (pipeline, position + 1), flow->calls * bytes);
}
