/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/collective.h"

#include <math.h>

/* NCCL, src/graph/tuning.cc: starting a ring costs 8.4 µs with the protocol Simple, 6.6 µs with LL,
 * whose steps take about a fifth as long and carry half of the bandwidth. */
#define BASE_SIMPLE 8.4e-6
#define BASE_LOW_LATENCY 6.6e-6
#define LOW_LATENCY_STEP 0.2
#define LOW_LATENCY_BANDWIDTH 0.5
/* The same for a double binary tree: what it reaches of the ring's bandwidth. */
#define TREE_BANDWIDTH 0.92
/* NVLink SHARP: 476 GB/s of bus bandwidth where the ring has 367 (nccl-tests on H200), as 8 GPUs
 * send S and receive S / 8 more; one of 32 KB takes 41 µs (the same). */
#define MULTICAST_BANDWIDTH 0.83
#define MULTICAST_LATENCY 40e-6
/* Point to point to several peers at once: NCCL serves this many together
 * (NCCL_MAX_DEV_WORK_P2P_PER_BATCH in src/include/device.h). */
#define PEERS_AT_ONCE 8

/* What limits a group. */
typedef struct
{
  double inside;  /* bytes/s of a member to the others of its node, reached */
  double outside; /* bytes/s of a member to other nodes, reached */
  double members; /* a node */
} Reach;

static double
inside_bandwidth (const PlgFabric *fabric, double members)
{
  double bandwidth = fabric->port_bandwidth * fabric->intra_efficiency;

  /* A GPU of a mesh has one link to each other; those to GPUs outside the group lie idle. */
  if (fabric->intra == PLG_INTRA_MESH && fabric->gpus > 1)
    bandwidth *= CLAMP (members - 1.0, 1.0, fabric->gpus - 1.0) / (fabric->gpus - 1.0);
  return bandwidth;
}

/* What a member reaches of its links to the others, MEMBERS in all, on its node. */
static double
span_bandwidth (const PlgFabric *fabric, const PlgSpan *span, double members)
{
  if (span->inside > 0.0)
    return span->inside * fabric->intra_efficiency;
  return inside_bandwidth (fabric, members);
}

static Reach
reach_of (const PlgFabric *fabric, const PlgSpan *span, double spine)
{
  Reach reach = { .members = span->per_node };

  reach.inside = span_bandwidth (fabric, span, reach.members) * (1.0 - span->inside_loss);
  reach.outside = fabric->inter_bandwidth * fabric->inter_efficiency * (1.0 - span->outside_loss) /
                  MAX (1.0, spine * fabric->oversubscription);
  return reach;
}

/* Bytes over the slowest part of the way. */
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

/* Of two that go at once, the one that takes longer. */
static Transfer
longer (Transfer a, Transfer b)
{
  return seconds (a) >= seconds (b) ? a : b;
}

/* BYTES go round: each node passes them on over the NICs of its members. */
static Transfer
ring_transfer (const Reach *reach, int nodes, double bytes)
{
  Transfer inside = { bytes, reach->inside };
  Transfer between = { bytes, reach->members * reach->outside };

  if (nodes == 1)
    return inside;
  inside.bytes *= (reach->members - 1.0) / reach->members;
  return longer (inside, between);
}

static double
ring_latency (const PlgFabric *fabric, const PlgSpan *span)
{
  double between = span->nodes > 1 ? span->nodes - 1.0 : 0.0;

  return (span->size - 1.0 - between) * fabric->intra_latency + between * fabric->inter_latency;
}

/* The faster protocol. */
static PlgCollectiveCost
with_protocol (PlgAlgorithm algorithm, double latency, Transfer transfer)
{
  PlgCollectiveCost simple = { .algorithm = algorithm,
                               .start = BASE_SIMPLE,
                               .latency = latency,
                               .bytes = transfer.bytes,
                               .bandwidth = transfer.bandwidth };
  PlgCollectiveCost low = { .algorithm = algorithm,
                            .low_latency = TRUE,
                            .start = BASE_LOW_LATENCY,
                            .latency = LOW_LATENCY_STEP * latency,
                            .bytes = transfer.bytes,
                            .bandwidth = LOW_LATENCY_BANDWIDTH * transfer.bandwidth };

  return plg_collective_cost_time (&simple) <= plg_collective_cost_time (&low) ? simple : low;
}

static PlgCollectiveCost
ring_cost (const PlgFabric *fabric, const PlgSpan *span, double rounds, double bytes)
{
  Reach reach = reach_of (fabric, span, span->ring_spine);
  double moved = rounds * (span->size - 1.0) / span->size * bytes;

  return with_protocol (PLG_ALGORITHM_RING, rounds * ring_latency (fabric, span),
                        ring_transfer (&reach, span->nodes, moved));
}

/* Two trees over the nodes, each with half of the data, as a chain inside a node. */
static PlgCollectiveCost
tree_cost (const PlgFabric *fabric, const PlgSpan *span, double bytes)
{
  Reach reach = reach_of (fabric, span, span->ring_spine);
  double inside = (reach.members - 1.0) * fabric->intra_latency;
  double between = log2 (span->nodes) * fabric->inter_latency;
  Transfer transfer = ring_transfer (&reach, span->nodes, 2.0 * bytes);

  transfer.bandwidth *= TREE_BANDWIDTH;
  return with_protocol (PLG_ALGORITHM_TREE, 2.0 * (inside + between), transfer);
}

static PlgCollectiveCost
multicast_cost (const PlgFabric *fabric, const PlgSpan *span, double bytes)
{
  double bandwidth = fabric->port_bandwidth * fabric->intra_efficiency * MULTICAST_BANDWIDTH *
                     (1.0 - span->inside_loss);

  return (PlgCollectiveCost) { .algorithm = PLG_ALGORITHM_NVLS,
                               .start = MULTICAST_LATENCY,
                               .bytes = bytes * (1.0 + 1.0 / span->size),
                               .bandwidth = bandwidth };
}

static PlgCollectiveCost
cheaper (PlgCollectiveCost a, PlgCollectiveCost b)
{
  return plg_collective_cost_time (&a) <= plg_collective_cost_time (&b) ? a : b;
}

static PlgCollectiveCost
all_reduce_cost (const PlgFabric *fabric, const PlgSpan *span, double bytes)
{
  PlgCollectiveCost ring = ring_cost (fabric, span, 2.0, bytes);

  if (span->nodes > 1)
    return cheaper (ring, tree_cost (fabric, span, bytes));
  if (fabric->multicast)
    return cheaper (ring, multicast_cost (fabric, span, bytes));
  return ring;
}

/* Half of the pairs of a PCIe tree meet only at its top, over the link of one switch. */
static double
crowding (const PlgFabric *fabric)
{
  return fabric->intra == PLG_INTRA_PCIE ? MAX (1.0, fabric->gpus / 4.0) : 1.0;
}

static PlgCollectiveCost
all_to_all_cost (const PlgFabric *fabric, const PlgSpan *span, double bytes)
{
  Reach reach = reach_of (fabric, span, span->pair_spine);
  double peer = bytes / span->size;
  Transfer way = { peer * (reach.members - 1.0), reach.inside / crowding (fabric) };
  double rounds = ceil ((span->size - 1.0) / PEERS_AT_ONCE);
  double latency = span->nodes > 1 ? fabric->inter_latency : fabric->intra_latency;

  if (span->nodes > 1)
    way = longer (way, (Transfer) { peer * (span->size - reach.members), reach.outside });
  return with_protocol (PLG_ALGORITHM_PAIRWISE, rounds * latency, way);
}

static PlgCollectiveCost
send_recv_cost (const PlgFabric *fabric, const PlgSpan *span, double bytes)
{
  Reach reach = reach_of (fabric, span, span->ring_spine);
  PlgCollectiveCost inside = { .bandwidth = 1.0 }, between;

  /* Of ways that go at once, the slowest: a pair of a large mesh may be slower than a NIC. */
  if (span->nodes == 1 || span->per_node > 1)
    inside = with_protocol (PLG_ALGORITHM_DIRECT, fabric->intra_latency,
                            (Transfer) { bytes, span_bandwidth (fabric, span, 2.0) *
                                                    (1.0 - span->inside_loss) });
  if (span->nodes == 1)
    return inside;
  between = with_protocol (PLG_ALGORITHM_DIRECT, fabric->inter_latency,
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
                     const PlgSpan *span,
                     PlgCollectiveKind kind,
                     double bytes)
{
  const PlgCollectiveCost nothing = { .bandwidth = 1.0 };

  if (span->size < 2 || bytes <= 0.0)
    return nothing;
  switch (kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      return all_reduce_cost (fabric, span, bytes);
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
      return ring_cost (fabric, span, 1.0, bytes);
    case PLG_COLLECTIVE_ALL_TO_ALL:
      return all_to_all_cost (fabric, span, bytes);
    case PLG_COLLECTIVE_SEND_RECV:
      return send_recv_cost (fabric, span, bytes);
    default:
      g_return_val_if_reached (nothing);
    }
}

double
plg_collective_time (const PlgFabric *fabric,
                     const PlgSpan *span,
                     PlgCollectiveKind kind,
                     double bytes)
{
  PlgCollectiveCost cost = plg_collective_cost (fabric, span, kind, bytes);

  return plg_collective_cost_time (&cost);
}

/* Bytes sent a member over those of the buffer; the bus bandwidth's factor too. */
static double
factor (PlgCollectiveKind kind, int size)
{
  switch (kind)
    {
    case PLG_COLLECTIVE_ALL_REDUCE:
      return 2.0 * (size - 1.0) / size;
    case PLG_COLLECTIVE_ALL_GATHER:
    case PLG_COLLECTIVE_REDUCE_SCATTER:
    case PLG_COLLECTIVE_ALL_TO_ALL:
      return (size - 1.0) / size;
    case PLG_COLLECTIVE_SEND_RECV:
      return 1.0;
    default:
      g_return_val_if_reached (0.0);
    }
}

PlgCollectiveCost
plg_collective_dispatch_cost (const PlgFabric *fabric,
                              const PlgSpan *span,
                              double bytes,
                              int top_k,
                              double *once)
{
  double nodes = span->nodes, experts = MAX (top_k, 1), members = span->per_node;
  PlgCollectiveCost plain = plg_collective_cost (fabric, span, PLG_COLLECTIVE_ALL_TO_ALL, bytes);
  double part = MIN (nodes * (1.0 - pow (1.0 - 1.0 / nodes, experts)) / experts, 1.0);
  Reach reach = reach_of (fabric, span, span->pair_spine);
  PlgCollectiveCost inside = { .algorithm = PLG_ALGORITHM_PAIRWISE,
                               .bytes = bytes * (members - 1.0) / members,
                               .bandwidth = reach.inside / crowding (fabric) };
  PlgCollectiveCost between;

  *once = 1.0;
  if (span->nodes < 2 || part >= 1.0)
    return plain;
  between = plg_collective_cost (fabric, span, PLG_COLLECTIVE_ALL_TO_ALL, part * bytes);
  if (plg_collective_cost_time (&inside) > plg_collective_cost_time (&between))
    between = inside;
  if (plg_collective_cost_time (&between) >= plg_collective_cost_time (&plain))
    return plain;
  *once = part;
  return between;
}

double
plg_collective_dispatch_sent (const PlgSpan *span, double bytes, double once)
{
  double members = span->per_node;

  if (once >= 1.0)
    return plg_collective_sent (PLG_COLLECTIVE_ALL_TO_ALL, span->size, bytes);
  return bytes * (once * (span->size - members) / span->size + (members - 1.0) / members);
}

double
plg_collective_sent (PlgCollectiveKind kind, int size, double bytes)
{
  return size < 2 ? 0.0 : factor (kind, size) * bytes;
}

double
plg_collective_bus_bandwidth (PlgCollectiveKind kind, int size, double bytes, double time)
{
  return time > 0.0 ? plg_collective_sent (kind, size, bytes) / time : 0.0;
}

double
plg_collective_behind (double time, double window, double share)
{
  double hidden = MIN (time, MAX (window, 0.0));

  return time - hidden + share * hidden;
}
