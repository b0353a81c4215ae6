/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* A measurement of nccl-tests: one group over NODES nodes with PER_NODE GPUs of each. */
typedef struct
{
  PlgCollectiveKind kind;
  int nodes;
  int per_node;
} PlgLinkFitTest;

/* Seconds that the engine predicts for BYTES, as nccl-tests counts them (engine/collective.h). */
double
plg_link_fit_predict_time (const PlgLinkFitTest *test, const PlgCluster *cluster, double bytes);

/* What is reached of the stated rate (0.01 .. 1), so that BYTES take TIME seconds: of the links
 * inside a node for a test on one node, else of those between nodes. Set in CLUSTER; FALSE, and
 * CLUSTER as it was, where the whole rate is too slow or a hundredth too fast. */
gboolean plg_link_fit_efficiency (const PlgLinkFitTest *test,
                                  PlgCluster *cluster,
                                  double bytes,
                                  double time);

/* The same for the latency of a hop, 0 to 1 ms. */
gboolean
plg_link_fit_latency (const PlgLinkFitTest *test, PlgCluster *cluster, double bytes, double time);

G_END_DECLS
