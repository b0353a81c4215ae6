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

/* Finds the efficiency (0.01 to 1) at which the collective of size BYTES takes TIME [s], and
 * sets it in the cluster: for the links inside a node if the test ran on one node, otherwise for
 * the links between nodes. Returns FALSE and leaves the cluster unchanged if no efficiency fits. */
gboolean plg_link_fit_efficiency (const PlgLinkFitTest *test,
                                  PlgCluster *cluster,
                                  double bytes,
                                  double time);

/* Finds the latency of a hop (0 to 1 ms) like plg_link_fit_efficiency(). */
gboolean
plg_link_fit_latency (const PlgLinkFitTest *test, PlgCluster *cluster, double bytes, double time);

G_END_DECLS
