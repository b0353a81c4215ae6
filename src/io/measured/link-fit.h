/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* A measurement with nccl-tests: one group with PER_NODE GPUs on each of NODES nodes. */
typedef struct
{
  PlgCollectiveKind kind;
  int nodes;
  int per_node;
} PlgLinkFitTest;

/* Predicts the time [s] of a collective. BYTES is the size as nccl-tests counts it
 * (engine/network/collective.h). */
double
plg_link_fit_predict_time (const PlgLinkFitTest *test, const PlgCluster *cluster, double bytes);

/* Sets the efficiency (0.01 to 1) in CLUSTER so that the predicted time of a collective of size
 * BYTES is TIME [s]. A test on one node sets the efficiency of the links inside a node. A test
 * on several nodes sets the efficiency of the links between nodes. Returns FALSE and leaves the
 * cluster unchanged if no efficiency fits. */
gboolean plg_link_fit_efficiency (const PlgLinkFitTest *test,
                                  PlgCluster *cluster,
                                  double bytes,
                                  double time);

/* Sets the latency of a hop (0 to 1 ms) in CLUSTER so that the predicted time of a collective of
 * size BYTES is TIME [s]. A test on one node sets the latency inside a node. A test on several
 * nodes sets the latency between nodes. Returns FALSE and leaves the cluster unchanged if no
 * latency fits. */
gboolean
plg_link_fit_latency (const PlgLinkFitTest *test, PlgCluster *cluster, double bytes, double time);

G_END_DECLS
