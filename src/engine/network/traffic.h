/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/link-load.h"

G_BEGIN_DECLS

/* Adds up the load that all collectives of a plan put on each link in the plan's report. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgReport *report;
  int n_collectives;
} PlgTraffic;

/* Creates the links of REPORT without load, with space for one share per collective. */
void plg_traffic_begin (PlgTraffic *traffic,
                        PlgReport *report,
                        const PlgPlan *plan,
                        const PlgFabric *fabric);
/* Adds a collective. COLLECTIVE is its index in the report; LOADS has one element per stage. */
void plg_traffic_add (PlgTraffic *traffic,
                      int collective,
                      PlgGroupKind group,
                      PlgCollectiveKind kind,
                      const PlgStageLoad *loads);
/* Adds the messages between stages, forward and backward, with MESSAGE bytes each. */
void plg_traffic_add_pipeline (PlgTraffic *traffic,
                               int collective,
                               const PlgPipeline *pipeline,
                               double message);
/* Adds up the shares of each link and removes empty shares. */
void plg_traffic_end (PlgTraffic *traffic);

/* Returns TRUE if REPORT belongs to PLAN and has links, which the functions below require. */
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
 * Marks all ranks in the groups whose @collective crosses @link. */
void plg_traffic_ranks_on (const PlgPlan *plan,
                           const PlgReport *report,
                           int collective,
                           int link,
                           guint8 *ranks);

G_END_DECLS
