/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/collective.h"

#include "engine/model/engine-constant.h"
#include "engine/model/flops.h"

#include <math.h>

typedef struct
{
  double inside;  /* achieved bytes/s from a member to the other members on its node */
  double outside; /* achieved bytes/s from a member to other nodes */
  double members; /* members per node */
} ReachedBandwidth;

/* Returns the achieved bandwidth from a member to the other members on its node. MEMBERS
 * includes the member itself. */
static double
extent_bandwidth (const PlgFabric *fabric, const PlgGroupExtent *extent, double members)
{
  double bandwidth = fabric->port_bandwidth * fabric->intra_efficiency;

  if (extent->inside > 0.0)
    return extent->inside * fabric->intra_efficiency;
  /* In a mesh, each GPU has one link to every other GPU. Links to GPUs outside the group are
   * idle. */
  if (fabric->intra == PLG_INTRA_MESH && fabric->gpus > 1)
    bandwidth *= CLAMP (members - 1.0, 1.0, fabric->gpus - 1.0) / (fabric->gpus - 1.0);
  return bandwidth;
}

static ReachedBandwidth
reached_bandwidth (const PlgFabric *fabric, const PlgGroupExtent *extent, double spine)
{
  ReachedBandwidth reach = { .members = extent->per_node };

  reach.inside = extent_bandwidth (fabric, extent, reach.members) * (1.0 - extent->intra_loss);
  reach.outside = fabric->inter_bandwidth * fabric->inter_efficiency * (1.0 - extent->inter_loss) /
                  MAX (1.0, spine * fabric->oversubscription);
  return reach;
}

/* A number of bytes, and the bandwidth [bytes/s] of the link that carries them. */
typedef struct
{
  double bytes;
  double bandwidth;
} Transfer;

static double
seconds (Transfer transfer)
{
  return transfer.bytes / transfer.bandwidth;
}

/* Returns the transfer that takes longer. Both transfers run at the same time, so the longer one
 * sets the time. */
static Transfer
slower_transfer (Transfer a, Transfer b)
{
  return seconds (a) >= seconds (b) ? a : b;
}

/* Returns the slower of a ring's two transfers of BYTES: inside a node, and between nodes over
 * the NICs of all members of a node. */
static Transfer
ring_transfer (const ReachedBandwidth *reach, int nodes, double bytes)
{
  Transfer inside = { bytes, reach->inside };
  Transfer between = { bytes, reach->members * reach->outside };

  if (nodes == 1)
    return inside;
  inside.bytes *= (reach->members - 1.0) / reach->members;
  return slower_transfer (inside, between);
}

/* Returns the lower of the costs with NCCL's two protocols, Simple and LL. */
static PlgCollectiveCost
choose_protocol (PlgAlgorithm algorithm, double latency, Transfer transfer)
{
  double low_latency = PLG_LOW_LATENCY_STEP * latency;
  double low_bandwidth = PLG_LOW_LATENCY_BANDWIDTH * transfer.bandwidth;
  gboolean is_low = PLG_BASE_LOW_LATENCY + low_latency + transfer.bytes / low_bandwidth <
                    PLG_BASE_SIMPLE + latency + transfer.bytes / transfer.bandwidth;

  return (PlgCollectiveCost) { .algorithm = algorithm,
                               .low_latency = is_low,
                               .start = is_low ? PLG_BASE_LOW_LATENCY : PLG_BASE_SIMPLE,
                               .latency = is_low ? low_latency : latency,
                               .bytes = transfer.bytes,
                               .bandwidth = is_low ? low_bandwidth : transfer.bandwidth };
}

static PlgCollectiveCost
ring_cost (const PlgFabric *fabric, const PlgGroupExtent *extent, double rounds, double bytes)
{
  ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->ring_uplink_use);
  double moved = rounds * (extent->size - 1.0) / extent->size * bytes;
  double between = extent->nodes > 1 ? extent->nodes - 1.0 : 0.0;

  return choose_protocol (PLG_ALGORITHM_RING,
                          rounds * ((extent->size - 1.0 - between) * fabric->intra_latency +
                                    between * fabric->inter_latency),
                          ring_transfer (&reach, extent->nodes, moved));
}

static PlgCollectiveCost
cheaper (PlgCollectiveCost a, PlgCollectiveCost b)
{
  return plg_collective_cost_time (&a) <= plg_collective_cost_time (&b) ? a : b;
}

/* Returns the factor by which all-to-all traffic slows down in a PCIe tree. Half of the pairs of
 * GPUs are connected only through the root, so all their traffic shares the link of one switch. */
static double
pcie_contention (const PlgFabric *fabric)
{
  return fabric->intra == PLG_INTRA_PCIE ? MAX (1.0, fabric->gpus / 4.0) : 1.0;
}

static PlgCollectiveCost
send_recv_cost (const PlgFabric *fabric, const PlgGroupExtent *extent, double bytes)
{
  ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->ring_uplink_use);
  PlgCollectiveCost inside = { .bandwidth = 1.0 }, between;

  /* Messages inside a node and between nodes run at the same time, so the slower of the two sets
   * the time. The message inside a node can be the slower one, because a link between two GPUs
   * of a large mesh may be slower than a NIC. */
  if (extent->nodes == 1 || extent->per_node > 1)
    inside = choose_protocol (PLG_ALGORITHM_DIRECT, fabric->intra_latency,
                              (Transfer) { bytes, extent_bandwidth (fabric, extent, 2.0) *
                                                      (1.0 - extent->intra_loss) });
  if (extent->nodes == 1)
    return inside;
  between = choose_protocol (PLG_ALGORITHM_DIRECT, fabric->inter_latency,
                             (Transfer) { bytes, reach.outside });
  return plg_collective_cost_time (&inside) >= plg_collective_cost_time (&between) ? inside
                                                                                   : between;
}

double
plg_collective_cost_time (const PlgCollectiveCost *cost)
{
  return cost->start + cost->latency + cost->bytes / cost->bandwidth;
}

PlgCollectiveCost
plg_collective_cost (const PlgFabric *fabric,
                     const PlgGroupExtent *extent,
                     PlgCollectiveKind kind,
                     double bytes)
{
  const PlgCollectiveCost nothing = { .bandwidth = 1.0 };

  if (extent->size < 2 || bytes <= 0.0)
    return nothing;
  switch (kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      {
        PlgCollectiveCost ring = ring_cost (fabric, extent, 2.0, bytes);

        if (extent->nodes > 1)
          {
            /* NCCL builds two trees over the nodes, each with half of the data. Inside a node
             * the tree is a chain. */
            ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->ring_uplink_use);
            double inside = (reach.members - 1.0) * fabric->intra_latency;
            double between = log2 (extent->nodes) * fabric->inter_latency;
            Transfer transfer = ring_transfer (&reach, extent->nodes, 2.0 * bytes);

            transfer.bandwidth *= PLG_TREE_BANDWIDTH;
            return cheaper (ring, choose_protocol (PLG_ALGORITHM_TREE, 2.0 * (inside + between),
                                                   transfer));
          }
        if (fabric->multicast)
          return cheaper (ring, (PlgCollectiveCost) { .algorithm = PLG_ALGORITHM_NVLS,
                                                      .start = PLG_MULTICAST_LATENCY,
                                                      .bytes = bytes * (1.0 + 1.0 / extent->size),
                                                      .bandwidth = fabric->port_bandwidth *
                                                                   fabric->intra_efficiency *
                                                                   PLG_MULTICAST_BANDWIDTH *
                                                                   (1.0 - extent->intra_loss) });
        return ring;
      }
    case PLG_COLLECTIVE_BROADCAST: /* All bytes pass each link of the chain. */
      return ring_cost (fabric, extent, 1.0, bytes * extent->size / (extent->size - 1.0));
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
      return ring_cost (fabric, extent, 1.0, bytes);
    case PLG_COLLECTIVE_ALL_TO_ALL:
      {
        ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->pair_uplink_use);
        double peer = bytes / extent->size;
        Transfer transfer = { peer * (reach.members - 1.0),
                              reach.inside / pcie_contention (fabric) };
        double rounds = ceil ((extent->size - 1.0) / PLG_MAX_CONCURRENT_PEERS);
        double latency = extent->nodes > 1 ? fabric->inter_latency : fabric->intra_latency;

        if (extent->nodes > 1)
          transfer = slower_transfer (transfer, (Transfer) { peer * (extent->size - reach.members),
                                                             reach.outside });
        return choose_protocol (PLG_ALGORITHM_PAIRWISE, rounds * latency, transfer);
      }
    case PLG_COLLECTIVE_SEND_RECV:
      return send_recv_cost (fabric, extent, bytes);
    default:
      g_return_val_if_reached (nothing);
    }
}

double
plg_collective_time (const PlgFabric *fabric,
                     const PlgGroupExtent *extent,
                     PlgCollectiveKind kind,
                     double bytes)
{
  PlgCollectiveCost cost = plg_collective_cost (fabric, extent, kind, bytes);

  return plg_collective_cost_time (&cost);
}

/* The bandwidths that no placement of a group and no fault exceeds. */
typedef struct
{
  double inside;  /* from a member to the members of a group that fits in one node [bytes/s] */
  double outside; /* from a member to other nodes [bytes/s] */
  int members;    /* the largest number of members per node if the group spans several nodes; the
                     node with the fewest members has at most half of the group */
  gboolean fits;  /* whether the group fits in one node */
} BestReach;

static BestReach
best_reach (const PlgFabric *fabric, int size)
{
  PlgGroupExtent whole = { .size = size, .nodes = 1, .per_node = size };
  BestReach reach = { .outside = fabric->inter_bandwidth * fabric->inter_efficiency,
                      .members = CLAMP (size / 2, 1, fabric->gpus),
                      .fits = size <= fabric->gpus };

  /* The links of a node topology can be faster than the stated bandwidth, so ignore their time. */
  reach.inside = fabric->has_paths ? G_MAXDOUBLE : extent_bandwidth (fabric, &whole, size);
  return reach;
}

/* Each transfer takes at least its bytes over the bandwidth with Simple, and more with LL; each
 * protocol takes at least the start of LL. Faults and oversubscription only lower the bandwidth.
 *
 * A ring over several nodes sends all of its bytes through the NICs of the members of one node, so
 * it is fastest with most members per node. A double binary tree moves more bytes than a ring, at
 * a lower bandwidth. In an all-to-all over several nodes, a member sends to at least the members
 * that its node cannot hold. */
double
plg_collective_least_time (const PlgFabric *fabric, PlgCollectiveKind kind, int size, double bytes)
{
  BestReach reach = best_reach (fabric, size);
  double within = 0.0, between = 0.0, moved = (size - 1.0) / size * bytes, multicast = G_MAXDOUBLE;

  if (size < 2 || bytes <= 0.0)
    return 0.0;
  switch (kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      if (fabric->multicast && reach.fits)
        multicast = PLG_MULTICAST_LATENCY + bytes * (1.0 + 1.0 / size) /
                                                (fabric->port_bandwidth * fabric->intra_efficiency *
                                                 PLG_MULTICAST_BANDWIDTH);
      within = 2.0 * moved / reach.inside;
      between = 2.0 * moved / (reach.members * reach.outside);
      break;
    case PLG_COLLECTIVE_BROADCAST:
      within = bytes / reach.inside;
      between = bytes / (reach.members * reach.outside);
      break;
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
      within = moved / reach.inside;
      between = moved / (reach.members * reach.outside);
      break;
    case PLG_COLLECTIVE_ALL_TO_ALL:
      within = moved * pcie_contention (fabric) / reach.inside;
      between = bytes / size * (size - reach.members) / reach.outside;
      break;
    case PLG_COLLECTIVE_SEND_RECV:
    default:
      if (!fabric->has_paths)
        within = bytes / extent_bandwidth (fabric, &(PlgGroupExtent) { 0 }, 2.0);
      between = bytes / reach.outside;
      /* Neighbours in a ring over several nodes can be on one node, so the whole group need not
       * fit for a message to stay inside a node. The slowest message then leaves the node. */
      break;
    }
  return MIN (PLG_BASE_LOW_LATENCY + (reach.fits ? MIN (within, between) : between), multicast);
}

/* The tokens for several experts on one node travel to this node once. The share of copies that
 * travel grows with the number of nodes, so it is least on the fewest nodes. */
double
plg_collective_least_dispatch_time (const PlgFabric *fabric,
                                    int size,
                                    double node_bytes,
                                    double bytes,
                                    const PlgTransformer *model)
{
  BestReach reach = best_reach (fabric, size);
  double part = plg_place_copies (model, MAX ((size + fabric->gpus - 1) / fabric->gpus, 2));
  double between;

  if (size < 2 || bytes <= 0.0)
    return 0.0;
  between = PLG_BASE_LOW_LATENCY + part * bytes / size * (size - reach.members) / reach.outside;
  if (!reach.fits)
    return between;
  return MIN (between, PLG_BASE_LOW_LATENCY + (size - 1.0) / size * node_bytes *
                                                  pcie_contention (fabric) / reach.inside);
}

static double
forward_inside (PlgDispatcher dispatcher)
{
  return dispatcher == PLG_DISPATCHER_HYBRIDEP ? PLG_HYBRIDEP_INSIDE : PLG_DEEPEP_INSIDE;
}

static double
forward_start (PlgDispatcher dispatcher)
{
  return dispatcher == PLG_DISPATCHER_HYBRIDEP ? PLG_HYBRIDEP_START : PLG_BASE_SIMPLE;
}

double
plg_collective_least_forward_time (const PlgFabric *fabric,
                                   PlgDispatcher dispatcher,
                                   int size,
                                   double node_bytes,
                                   double token_bytes,
                                   const PlgTransformer *model)
{
  BestReach reach = best_reach (fabric, size);
  int nodes = MAX ((size + fabric->gpus - 1) / fabric->gpus, 2);
  double start = forward_start (dispatcher), between, within;

  if (size < 2 || token_bytes <= 0.0)
    return 0.0;
  between = plg_expert_places (model, nodes) * token_bytes * (size - reach.members) / size /
            (PLG_FORWARD_OUTSIDE * reach.outside);
  if (!reach.fits)
    return start + between;
  within = (size - 1.0) / size * node_bytes * pcie_contention (fabric) /
           (forward_inside (dispatcher) * reach.inside);
  return start + MIN (between, within);
}

PlgCollectiveCost
plg_collective_forward_cost (const PlgFabric *fabric,
                             const PlgGroupExtent *extent,
                             PlgDispatcher dispatcher,
                             double bytes,
                             double node_copy_share)
{
  ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->pair_uplink_use);
  Transfer transfer = { bytes * (reach.members - 1.0) / reach.members,
                        forward_inside (dispatcher) * reach.inside / pcie_contention (fabric) };
  double latency = fabric->intra_latency;

  if (extent->size < 2 || bytes <= 0.0)
    return (PlgCollectiveCost) { .bandwidth = 1.0 };
  if (extent->nodes > 1)
    {
      double outside = node_copy_share * bytes * (extent->size - reach.members) / extent->size;

      transfer = slower_transfer (transfer,
                                  (Transfer) { outside, PLG_FORWARD_OUTSIDE * reach.outside });
      latency += fabric->inter_latency;
    }
  return (PlgCollectiveCost) { .algorithm = PLG_ALGORITHM_FORWARD,
                               .start = forward_start (dispatcher),
                               .latency = latency,
                               .bytes = transfer.bytes,
                               .bandwidth = transfer.bandwidth };
}

PlgCollectiveCost
plg_collective_dispatch_cost (const PlgFabric *fabric,
                              const PlgGroupExtent *extent,
                              double bytes,
                              const PlgTransformer *model,
                              double *node_copy_share)
{
  double members = extent->per_node;
  PlgCollectiveCost plain = plg_collective_cost (fabric, extent, PLG_COLLECTIVE_ALL_TO_ALL, bytes);
  double part = plg_place_copies (model, extent->nodes);
  ReachedBandwidth reach = reached_bandwidth (fabric, extent, extent->pair_uplink_use);
  PlgCollectiveCost inside = { .algorithm = PLG_ALGORITHM_PAIRWISE,
                               .bytes = bytes * (members - 1.0) / members,
                               .bandwidth = reach.inside / pcie_contention (fabric) };
  PlgCollectiveCost between;

  *node_copy_share = 1.0;
  if (extent->nodes < 2 || part >= 1.0)
    return plain;
  between = plg_collective_cost (fabric, extent, PLG_COLLECTIVE_ALL_TO_ALL, part * bytes);
  if (plg_collective_cost_time (&inside) > plg_collective_cost_time (&between))
    between = inside;
  if (plg_collective_cost_time (&between) >= plg_collective_cost_time (&plain))
    return plain;
  *node_copy_share = part;
  return between;
}

double
plg_collective_dispatch_sent (const PlgGroupExtent *extent, double bytes, double node_copy_share)
{
  double members = extent->per_node;

  if (node_copy_share >= 1.0)
    return plg_collective_sent (PLG_COLLECTIVE_ALL_TO_ALL, extent->size, bytes);
  return bytes *
         (node_copy_share * (extent->size - members) / extent->size + (members - 1.0) / members);
}

double
plg_collective_sent (PlgCollectiveKind kind, int size, double bytes)
{
  if (size < 2)
    return 0.0;
  switch (kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      return 2.0 * (size - 1.0) / size * bytes;
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_BROADCAST:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
    case PLG_COLLECTIVE_ALL_TO_ALL:
      return (size - 1.0) / size * bytes;
    case PLG_COLLECTIVE_SEND_RECV:
      return bytes;
    default:
      g_return_val_if_reached (0.0);
    }
}

double
plg_collective_bus_bandwidth (PlgCollectiveKind kind, int size, double bytes, double time)
{
  /* The root of a broadcast sends all bytes, though the mean member sends fewer. */
  double sent = kind == PLG_COLLECTIVE_BROADCAST && size > 1
                    ? bytes
                    : plg_collective_sent (kind, size, bytes);

  return time > 0.0 ? sent / time : 0.0;
}

double
plg_collective_exposed_time (double time, double window, double share)
{
  double hidden = MIN (time, MAX (window, 0.0));

  return time - hidden + share * hidden;
}
