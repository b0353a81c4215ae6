/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/group.h"

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

/* Seconds of one call. BYTES is the buffer as nccl-tests counts it: what each member holds in all
 * after an all-gather or before a reduce-scatter, what a member sends in an all-to-all, the message
 * of a send/recv. 0 for a group of one. */
double plg_collective_time (const PlgFabric *fabric,
                            const PlgSpan *span,
                            PlgCollectiveKind kind,
                            double bytes);

/* Bytes that a member sends in one call; as many as it receives. */
double plg_collective_sent (PlgCollectiveKind kind, int size, double bytes);

/* The bandwidth that nccl-tests would print: comparable with the links. */
double plg_collective_bus_bandwidth (PlgCollectiveKind kind, int size, double bytes, double time);

/* What is left of TIME when it runs beside WINDOW seconds of computing: all that sticks out, and
 * SHARE of what does not, since the copies take units of the GPU away from the computing. */
double plg_collective_behind (double time, double window, double share);

G_END_DECLS
