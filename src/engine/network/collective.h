/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/groups.h"

G_BEGIN_DECLS

/* What one call of a collective costs: latency a step plus bytes over bandwidth (Thakur 2005,
 * Optimization of Collective Communication Operations in MPICH), by the algorithms and protocols
 * that NCCL chooses from (NCCL, src/graph/tuning.cc), whichever is fastest.
 *
 * Ring: n - 1 steps for all-gather and reduce-scatter, twice that for all-reduce; a group of
 * several nodes crosses from node to node once a node, over as many NICs as it has members there.
 * Tree (all-reduce between nodes): a step a level. NVLink SHARP (all-reduce in one node): the
 * switch adds up. All calls of a kind run at the same time in all groups, so a GPU has its own
 * share of the NICs, and traffic through spines shares the uplinks. */

/* What one call costs. BYTES is the buffer as nccl-tests counts it: what each member holds in all
 * after an all-gather or before a reduce-scatter, what a member sends in an all-to-all, the message
 * of a send/recv. 0 for a group of one. */
PlgCollectiveCost plg_collective_cost (const PlgFabric *fabric,
                                       const PlgGroupExtent *extent,
                                       PlgCollectiveKind kind,
                                       double bytes);
double plg_collective_cost_time (const PlgCollectiveCost *cost);
/* Seconds of one call. */
double plg_collective_time (const PlgFabric *fabric,
                            const PlgGroupExtent *extent,
                            PlgCollectiveKind kind,
                            double bytes);

/* An all-to-all of tokens that go to TOP_K experts each, BYTES counting a token once an expert. A
 * token goes to each node once, and from there to its experts over the links inside (DeepEP,
 * github.com/deepseek-ai/DeepEP), where that is faster than sending every copy by itself. ONCE
 * becomes what part of the copies between nodes is sent then, below 1, or 1 where each is. Of K
 * experts on N nodes, evenly drawn, that is N (1 - (1 - 1/N)^K) / K. */
PlgCollectiveCost plg_collective_dispatch_cost (const PlgFabric *fabric,
                                                const PlgGroupExtent *extent,
                                                double bytes,
                                                int top_k,
                                                double *node_copy_share);
/* Bytes that a member sends in such a call over all its links: between nodes, and inside its node
 * both for itself and for those that sent to it. */
double
plg_collective_dispatch_sent (const PlgGroupExtent *extent, double bytes, double node_copy_share);

/* Bytes that a member sends in one call; as many as it receives. */
double plg_collective_sent (PlgCollectiveKind kind, int size, double bytes);

/* The bandwidth that nccl-tests would print: comparable with the links. */
double plg_collective_bus_bandwidth (PlgCollectiveKind kind, int size, double bytes, double time);

/* What is left of TIME when it runs beside WINDOW seconds of computing: all that sticks out, and
 * SHARE of what does not, since the copies take units of the GPU away from the computing. */
double plg_collective_exposed_time (double time, double window, double share);

G_END_DECLS
