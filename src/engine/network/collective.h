/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* The cost of one collective call: latency per step plus bytes over bandwidth (Thakur 2005,
 * Optimization of Collective Communication Operations in MPICH). The model takes the fastest of
 * the algorithms and protocols that NCCL can use (NCCL, src/graph/tuning.cc).
 *
 * Ring: n - 1 steps for all-gather and reduce-scatter, twice as many for all-reduce. On several
 * nodes the ring leaves each node once, over as many NICs as the group has members there. Tree
 * (all-reduce between nodes): one step per level. NVLink SHARP (all-reduce in one node): the
 * switch reduces. All groups call a collective at the same time, so each GPU has its own share
 * of the NICs, and traffic over spines shares the uplinks. */

/* plg_collective_cost:
 * @bytes: buffer size by the convention of nccl-tests: the whole buffer after an all-gather or
 *   before a reduce-scatter; the bytes that a member sends in an all-to-all; the message of a
 *   send/recv
 *
 * Returns: the cost of one call; 0 for a group with one member */
PlgCollectiveCost plg_collective_cost (const PlgFabric *fabric,
                                       const PlgGroupExtent *extent,
                                       PlgCollectiveKind kind,
                                       double bytes);
double plg_collective_cost_time (const PlgCollectiveCost *cost);
/* Returns the time of one call [s]. */
double plg_collective_time (const PlgFabric *fabric,
                            const PlgGroupExtent *extent,
                            PlgCollectiveKind kind,
                            double bytes);

/* plg_collective_forward_cost:
 * @dispatcher: %PLG_DISPATCHER_DEEPEP or %PLG_DISPATCHER_HYBRIDEP
 * @bytes: bytes of the copies that the GPUs of the group keep of the tokens of one member: one copy
 *   for each GPU with an expert of the token
 * @node_copy_share: copies that travel to nodes, divided by the copies that GPUs keep
 *
 * Returns: the cost of a call that sends a token once to each node, to the GPU with the number of
 *   the sender, which forwards it to the other GPUs of the node (DeepEP,
 *   github.com/deepseek-ai/DeepEP). Both transfers run at the same time. */
PlgCollectiveCost plg_collective_forward_cost (const PlgFabric *fabric,
                                               const PlgGroupExtent *extent,
                                               PlgDispatcher dispatcher,
                                               double bytes,
                                               double node_copy_share);

/* plg_collective_dispatch_cost:
 * @bytes: bytes that a member sends if each expert gets its own copy of a token
 * @model: a model with experts
 * @node_copy_share: (out): the share of token copies that travel between nodes; 1 if all do
 *
 * Computes the cost of the faster of two ways to send tokens to their experts, both at the
 * bandwidths of NCCL (%PLG_DISPATCHER_AUTO). One way is a
 * plain all-to-all. The other way sends a token to each node only once, and the links inside the
 * node carry it to its experts (DeepEP, github.com/deepseek-ai/DeepEP). @node_copy_share is
 * plg_place_copies() for the second way. */
PlgCollectiveCost plg_collective_dispatch_cost (const PlgFabric *fabric,
                                                const PlgGroupExtent *extent,
                                                double bytes,
                                                const PlgTransformer *model,
                                                double *node_copy_share);
/* Returns the bytes that a member sends over all its links in an all-to-all of tokens: between
 * nodes, and inside its node for its own tokens and for tokens from other nodes. */
double
plg_collective_dispatch_sent (const PlgGroupExtent *extent, double bytes, double node_copy_share);

/* Returns the bytes that a member sends in one call. A member receives the same number of bytes. In
 * a broadcast, all members but the last one of the ring send @bytes, so the mean over as many calls
 * as members is returned. */
double plg_collective_sent (PlgCollectiveKind kind, int size, double bytes);

/* Returns the bus bandwidth that nccl-tests would print [bytes/s]. A bus bandwidth is comparable
 * with link bandwidths. */
double plg_collective_bus_bandwidth (PlgCollectiveKind kind, int size, double bytes, double time);

/* plg_collective_least_time:
 * @size: number of members of the group
 * @bytes: buffer size, as in plg_collective_cost()
 *
 * Returns: a lower bound of plg_collective_time() over all placements of the group on @fabric and
 *   all faults [s]: the transfer over the links of the best placement, without its latency */
double
plg_collective_least_time (const PlgFabric *fabric, PlgCollectiveKind kind, int size, double bytes);
/* plg_collective_least_dispatch_time:
 * @node_bytes: bytes that a member sends if the group fits in one node
 * @bytes: bytes that a member sends if the group spans several nodes
 *
 * Returns: a lower bound of the time of plg_collective_dispatch_cost() over all placements of a
 *   group of @size members on @fabric and all faults [s] */
double plg_collective_least_dispatch_time (const PlgFabric *fabric,
                                           int size,
                                           double node_bytes,
                                           double bytes,
                                           const PlgTransformer *model);

/* plg_collective_least_forward_time:
 * @node_bytes: @bytes of plg_collective_forward_cost() if the group fits in one node
 * @token_bytes: bytes of one copy of each token of a member
 *
 * Returns: a lower bound of the time of plg_collective_forward_cost() over all placements of a
 *   group of @size members on @fabric and all faults [s] */
double plg_collective_least_forward_time (const PlgFabric *fabric,
                                          PlgDispatcher dispatcher,
                                          int size,
                                          double node_bytes,
                                          double token_bytes,
                                          const PlgTransformer *model);

/* Returns the exposed part of a collective of TIME seconds that overlaps with WINDOW seconds of
 * compute. The exposed part is the time beyond the window, plus SHARE of the hidden time,
 * because communication takes multiprocessors from the compute. */
double plg_collective_exposed_time (double time, double window, double share);

G_END_DECLS
