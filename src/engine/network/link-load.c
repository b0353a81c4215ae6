/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/link-load.h"

#include "engine/model/flops.h"
#include "engine/network/fabric-topology.h"

static void
add_load (const PlgLinkLoad *link_load, int link, double calls, double out, double in)
{
  link_load->add_load (link_load->user, link, calls, out, in);
}

static int
node_of (const PlgLinkLoad *link_load, int gpu)
{
  return gpu / link_load->fabric->gpus;
}

static int
local_of (const PlgLinkLoad *link_load, int gpu)
{
  return gpu % link_load->fabric->gpus;
}

/* Adds a GPU's traffic with other nodes to its PCIe link and its NICs. */
static void
add_outside_load (const PlgLinkLoad *link_load, int gpu, double out, double in)
{
  int local = local_of (link_load, gpu), node = node_of (link_load, gpu), first, last;

  add_load (link_load, plg_fabric_pcie (link_load->fabric, gpu),
            link_load->fabric->intra == PLG_INTRA_PCIE ? 0.0 : link_load->calls, out, in);
  plg_fabric_nics_of (link_load->fabric, local, &first, &last);
  for (int nic_path = first; nic_path <= last; nic_path++)
    {
      double share = plg_fabric_nic_share (link_load->fabric, local, nic_path);
      int nic = plg_fabric_nic_at (link_load->fabric, local, nic_path);
      int working = plg_fabric_working_nic (link_load->fabric, node, nic);

      add_load (link_load, plg_fabric_nic (link_load->fabric, node, working), link_load->calls,
                share * out, share * in);
    }
}

/* Spreads the load of LEAF over its uplinks. */
static void
spread_leaf (const PlgLinkLoad *link_load, int leaf, const PlgLeafLoad *load)
{
  const PlgFabric *fabric = link_load->fabric;

  for (int spine = 0; spine < fabric->spines; spine++)
    {
      double share = plg_fabric_uplink_share (fabric, leaf, spine);

      if (share > 0.0)
        add_load (link_load, plg_fabric_uplink (fabric, leaf, spine), load->calls,
                  share * load->bytes_out, share * load->bytes_in);
    }
}

/* Adds a GPU's traffic to the uplinks of its leaves. */
static void
add_uplink_load (const PlgLinkLoad *link_load, int gpu, double calls, double out, double in)
{
  const PlgFabric *fabric = link_load->fabric;
  int local = local_of (link_load, gpu), node = node_of (link_load, gpu), first, last;

  plg_fabric_nics_of (fabric, local, &first, &last);
  for (int nic_path = first; nic_path <= last; nic_path++)
    {
      double of_gpu = plg_fabric_nic_share (fabric, local, nic_path);
      int nic = plg_fabric_nic_at (fabric, local, nic_path);
      int working = plg_fabric_working_nic (fabric, node, nic);
      int leaf = plg_fabric_leaf (fabric, node, working);
      PlgLeafLoad load = { calls, of_gpu * out, of_gpu * in };

      if (link_load->leaves == NULL)
        {
          spread_leaf (link_load, leaf, &load);
          continue;
        }
      link_load->leaves[leaf].calls += load.calls;
      link_load->leaves[leaf].bytes_out += load.bytes_out;
      link_load->leaves[leaf].bytes_in += load.bytes_in;
    }
}

/* Adds a message between two GPUs of a mesh to the link that connects them. */
static void
add_pair_load (const PlgLinkLoad *link_load, int from, int to, double calls, double bytes)
{
  int a = local_of (link_load, from), b = local_of (link_load, to);
  int link = plg_fabric_pair (link_load->fabric, node_of (link_load, from), MIN (a, b), MAX (a, b));

  if (a < b)
    add_load (link_load, link, calls, bytes, 0.0);
  else
    add_load (link_load, link, calls, 0.0, bytes);
}

/* Returns the link that carries a GPU's traffic to all other GPUs of its node. */
static int
inside_link (const PlgLinkLoad *link_load, int gpu)
{
  if (link_load->fabric->intra == PLG_INTRA_PCIE)
    return plg_fabric_pcie (link_load->fabric, gpu);
  return plg_fabric_port (link_load->fabric, gpu);
}

/* Returns how much of FROM's traffic to the other members on the I-th node of RING goes to TO,
 * 0..1: the bandwidth of FROM's links to TO divided by the bandwidth of its links to all these
 * members. */
static double
part_to (const PlgLinkLoad *link_load, const PlgRing *ring, int i, int from, int to)
{
  const PlgFabric *fabric = link_load->fabric;
  double all = 0.0, own = 0.0;
  int members = plg_ring_members (ring, i);

  if (!fabric->has_paths)
    return 1.0 / (members - 1);
  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    {
      int a = local_of (link_load, from), b = local_of (link_load, ring->gpu[j]);
      double linked = a != b && plg_node_topology_to_gpu (fabric->topology, a, b)->type ==
                                    PLG_PATH_NVLINK
                          ? plg_fabric_path_bandwidth (fabric, a, b)
                          : 0.0;

      all += linked;
      own += ring->gpu[j] == to ? linked : 0.0;
    }
  return all > 0.0 ? own / all : 1.0 / (members - 1);
}

/* Adds the load of BYTES that each member on the I-th node of RING sends and receives inside the
 * node. The bytes go to the other members in equal parts or, if the node topology changes the
 * bandwidths, in proportion to the bandwidths of the links. */
static void
add_inside_load (const PlgLinkLoad *link_load, const PlgRing *ring, int i, double bytes)
{
  int first = ring->first[i], end = ring->first[i + 1], members = end - first;

  if (members < 2 && link_load->fabric->intra != PLG_INTRA_PCIE)
    return;
  for (int a = first; a < end; a++)
    {
      if (!plg_fabric_has_pairs (link_load->fabric))
        {
          add_load (link_load, inside_link (link_load, ring->gpu[a]), link_load->calls, bytes,
                    bytes);
          continue;
        }
      /* The two loops visit each pair twice, once from each GPU, so each visit adds half of the
       * calls. */
      for (int b = first; b < end; b++)
        {
          double part = a != b ? part_to (link_load, ring, i, ring->gpu[a], ring->gpu[b]) : 0.0;

          if (part > 0.0)
            add_pair_load (link_load, ring->gpu[a], ring->gpu[b], link_load->calls / 2.0,
                           bytes * part);
        }
    }
}

static void
add_message_load (const PlgLinkLoad *link_load, int from, int to, double bytes)
{
  if (from == to)
    return;
  if (node_of (link_load, from) != node_of (link_load, to))
    {
      add_outside_load (link_load, from, bytes, 0.0);
      add_outside_load (link_load, to, 0.0, bytes);
      if (link_load->fabric->intra == PLG_INTRA_PCIE)
        {
          add_load (link_load, plg_fabric_pcie (link_load->fabric, from), link_load->calls, 0.0,
                    0.0);
          add_load (link_load, plg_fabric_pcie (link_load->fabric, to), link_load->calls, 0.0, 0.0);
        }
      if (link_load->fabric->spines > 0 && !plg_fabric_same_leaf (link_load->fabric, from, to))
        {
          add_uplink_load (link_load, from, link_load->calls, bytes, 0.0);
          add_uplink_load (link_load, to, link_load->calls, 0.0, bytes);
        }
    }
  else if (plg_fabric_has_pairs (link_load->fabric))
    add_pair_load (link_load, from, to, link_load->calls, bytes);
  else
    {
      add_load (link_load, inside_link (link_load, from), link_load->calls, bytes, 0.0);
      add_load (link_load, inside_link (link_load, to), link_load->calls, 0.0, bytes);
    }
}

/* Returns TRUE if the I-th node of the ring has a member below GPU's first leaf. */
static gboolean
node_reaches (const PlgLinkLoad *link_load, const PlgRing *ring, int i, int gpu)
{
  int leaf = plg_fabric_first_leaf (link_load->fabric, gpu);

  for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
    if (plg_fabric_first_leaf (link_load->fabric, ring->gpu[j]) == leaf)
      return TRUE;
  return FALSE;
}

/* Adds the load of an all-to-all. If a token is sent to each node only once, its first receiver
 * on the node forwards it to the other receivers there. These forwarded bytes are added to the
 * traffic inside the node. */
static void
add_all_to_all_load (const PlgLinkLoad *link_load, const PlgRing *ring, double bytes)
{
  double peer = bytes / ring->size, sent = link_load->node_copy_share * peer;

  for (int i = 0; i < ring->nodes; i++)
    {
      double members = plg_ring_members (ring, i);
      double outside = sent * (ring->size - members);
      double handed = link_load->node_copy_share < 1.0 ? peer * (ring->size - members) / members
                                                       : 0.0;

      add_inside_load (link_load, ring, i, (peer + handed) * (members - 1.0));
      for (int j = ring->first[i]; j < ring->first[i + 1] && ring->nodes > 1; j++)
        add_outside_load (link_load, ring->gpu[j], outside, outside);
    }
  if (!plg_ring_pairs_cross (ring, link_load->fabric))
    return;
  for (int i = 0; i < ring->nodes; i++)
    for (int other = 0; other < ring->nodes; other++)
      if (i != other)
        {
          /* A pair of members on two nodes loads the spine if no member on the sender's node is
           * below the receiver's leaf. */
          double calls = link_load->calls / MAX (ring->nodes - 1, 1);

          for (int b = ring->first[other]; b < ring->first[other + 1]; b++)
            {
              if (node_reaches (link_load, ring, i, ring->gpu[b]))
                continue;
              for (int a = ring->first[i]; a < ring->first[i + 1]; a++)
                {
                  add_uplink_load (link_load, ring->gpu[a], calls, sent, 0.0);
                  add_uplink_load (link_load, ring->gpu[b], calls, 0.0, sent);
                }
            }
        }
}

void
plg_link_load_spread_leaves (const PlgLinkLoad *link_load)
{
  for (int leaf = 0; leaf < link_load->fabric->leaves; leaf++)
    {
      PlgLeafLoad *load = &link_load->leaves[leaf];

      if (load->calls > 0.0 || load->bytes_out > 0.0 || load->bytes_in > 0.0)
        spread_leaf (link_load, leaf, load);
      *load = (PlgLeafLoad) { 0 };
    }
}

int
plg_link_load_gpu (const PlgLinkLoad *link_load, const PlgGroups *groups, int group, int i)
{
  return plg_placement_gpu (&link_load->plan->placement, plg_groups_rank (groups, group, i));
}

static void
add_group_load (const PlgLinkLoad *link_load,
                const PlgRing *ring,
                PlgCollectiveKind kind,
                double bytes)
{
  if (kind == PLG_COLLECTIVE_ALL_TO_ALL)
    add_all_to_all_load (link_load, ring, bytes);
  else
    {
      /* In a ring each node forwards the bytes evenly over the NICs of its members. All other
       * bytes that members send stay inside the node. */
      double sent = plg_collective_sent (kind, ring->size, bytes);

      for (int i = 0; i < ring->nodes; i++)
        {
          double members = plg_ring_members (ring, i);
          double outside = ring->nodes > 1 ? sent / members : 0.0;

          add_inside_load (link_load, ring, i, ring->nodes > 1 ? sent - outside : sent);
          if (ring->nodes == 1)
            continue;
          for (int j = ring->first[i]; j < ring->first[i + 1]; j++)
            add_outside_load (link_load, ring->gpu[j], outside, outside);
          if (link_load->fabric->spines > 0)
            {
              /* Assume one channel for each member of this node or of the next node, whichever
               * has more members. Each channel connects one member of each node. */
              int next = (i + 1) % ring->nodes;
              int from = plg_ring_members (ring, i), to = plg_ring_members (ring, next);
              int channels = MAX (from, to), last_from = -1, last_to = -1;

              for (int c = 0; c < channels; c++)
                {
                  int a = ring->gpu[ring->first[i] + c % from];
                  int b = ring->gpu[ring->first[next] + c % to];
                  int leaf_a = plg_fabric_first_leaf (link_load->fabric, a);
                  int leaf_b = plg_fabric_first_leaf (link_load->fabric, b);

                  if (leaf_a == leaf_b)
                    continue;
                  add_uplink_load (link_load, a, leaf_a != last_from ? link_load->calls : 0.0,
                                   sent / channels, 0.0);
                  add_uplink_load (link_load, b, leaf_b != last_to ? link_load->calls : 0.0, 0.0,
                                   sent / channels);
                  last_from = leaf_a;
                  last_to = leaf_b;
                }
            }
        }
    }
}

void
plg_link_load_add_group (PlgLinkLoad *link_load,
                         PlgRing *ring,
                         const PlgGroups *groups,
                         int group,
                         PlgCollectiveKind kind,
                         const PlgStageLoad *load)
{
  if (load->calls <= 0.0)
    return;
  link_load->calls = load->calls;
  link_load->node_copy_share = load->node_copy_share > 0.0 ? load->node_copy_share : 1.0;
  if (kind == PLG_COLLECTIVE_SEND_RECV)
    {
      /* Every member sends its data to the next member, as in CP ring attention. */
      for (int i = 0; i < groups->size; i++)
        add_message_load (link_load, plg_link_load_gpu (link_load, groups, group, i),
                          plg_link_load_gpu (link_load, groups, group, (i + 1) % groups->size),
                          load->bytes);
      return;
    }
  plg_ring_set (ring, groups, group, link_load->plan, link_load->fabric);
  add_group_load (link_load, ring, kind, load->bytes);
}

void
plg_link_load_add_chain (const PlgLinkLoad *link_load,
                         const PlgGroups *chains,
                         int chain,
                         const PlgPipeline *pipeline,
                         double bytes)
{
  int n = plg_pipeline_positions (pipeline);

  for (int position = 0; position < n; position++)
    if (!plg_pipeline_is_last (pipeline, position))
      {
        /* Each boundary carries activations forward and gradients back. */
        int to = plg_pipeline_stage (pipeline, position + 1);
        double load = link_load->calls * bytes * plg_message_sets (link_load->plan, position);
        int a = plg_link_load_gpu (link_load, chains, chain,
                                   plg_pipeline_stage (pipeline, position));
        int b = plg_link_load_gpu (link_load, chains, chain, to);

        add_message_load (link_load, a, b, load);
        add_message_load (link_load, b, a, load);
      }
}
