/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/link-load.h"

G_BEGIN_DECLS

/* The load that a collective puts on a link per step. */
typedef struct
{
  double calls;
  double bytes_out;
  double bytes_in;
} PlgTrafficLoad;

/* The state for adding the loads of all collectives of a plan to the links of the plan's report. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgReport *report;
  int n_collectives;
  /* The load of each collective on each link, the links of the first collective first, so that the
   * loads of one collective fit into the cache. In the work memory of REPORT, as are LEAVES and
   * SHARES. */
  PlgTrafficLoad *loads;
  PlgLeafLoad *leaves;
  PlgLinkShare *shares; /* space for one share per collective */
} PlgTraffic;

/* Creates the links of REPORT with no load. plg_traffic_end() must follow. */
void plg_traffic_begin (PlgTraffic *traffic,
                        PlgReport *report,
                        const PlgPlan *plan,
                        const PlgFabric *fabric);
/* Adds the load of the collective with index COLLECTIVE in the report. LOADS has one element per
 * stage. */
void plg_traffic_add (PlgTraffic *traffic,
                      int collective,
                      PlgGroupKind group,
                      PlgCollectiveKind kind,
                      const PlgStageLoad *loads);
/* Adds the load of the forward and backward messages between stages. Each message has MESSAGE
 * bytes. */
void plg_traffic_add_pipeline (PlgTraffic *traffic,
                               int collective,
                               const PlgPipeline *pipeline,
                               double message);
/* Adds the shares of each link to the report, and adds them up. */
void plg_traffic_end (PlgTraffic *traffic);

/* Returns TRUE if REPORT matches PLAN and has links. The functions below require such a report. */
gboolean plg_traffic_is_traceable (const PlgPlan *plan, const PlgReport *report);
/* plg_traffic_links_of:
 * @ranks: one byte per rank, nonzero for selected ranks
 * @links: (out): one byte per link in the report
 *
 * Marks the links that @collective crosses in groups with at least one selected rank. */
void plg_traffic_links_of (const PlgPlan *plan,
                           const PlgReport *report,
                           int collective,
                           const guint8 *ranks,
                           guint8 *links);
/* plg_traffic_ranks_on:
 * @ranks: (out): one byte per rank
 *
 * Marks all ranks in the groups whose calls of @collective cross @link. */
void plg_traffic_ranks_on (const PlgPlan *plan,
                           const PlgReport *report,
                           int collective,
                           int link,
                           guint8 *ranks);

G_END_DECLS
