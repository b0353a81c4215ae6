/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/network/link-load.h"

G_BEGIN_DECLS

/* What all collectives of a plan put on each link, added up in its report. */
typedef struct
{
  const PlgPlan *plan;
  const PlgFabric *fabric;
  PlgReport *report;
  int n_collectives;
} PlgTraffic;

/* Makes REPORT's links, idle, with room for a share of each of its collectives. */
void plg_traffic_begin (PlgTraffic *traffic,
                        PlgReport *report,
                        const PlgPlan *plan,
                        const PlgFabric *fabric);
/* LOADS: one a stage. COLLECTIVE is its index in the report. */
void plg_traffic_add (PlgTraffic *traffic,
                      int collective,
                      PlgGroupKind group,
                      PlgCollectiveKind kind,
                      const PlgStageLoad *loads);
/* Messages of MESSAGE bytes along the pipeline, forward and back. */
void plg_traffic_add_pipeline (PlgTraffic *traffic,
                               int collective,
                               const PlgPipeline *pipeline,
                               double message);
/* Adds up the shares of each link and leaves out the empty ones. */
void plg_traffic_end (PlgTraffic *traffic);

/* Whether REPORT is PLAN's, with links, as the functions below need it. */
gboolean plg_traffic_is_traceable (const PlgPlan *plan, const PlgReport *report);
/* Marks in LINKS, as many as REPORT has, what COLLECTIVE crosses where groups call it that have one
 * of RANKS: as many as the world, those with a mark. */
void plg_traffic_links_of (const PlgPlan *plan,
                           const PlgReport *report,
                           int collective,
                           const guint8 *ranks,
                           guint8 *links);
/* The other way round: marks all RANKS of the groups whose COLLECTIVE crosses LINK. */
void plg_traffic_ranks_on (const PlgPlan *plan,
                           const PlgReport *report,
                           int collective,
                           int link,
                           guint8 *ranks);

G_END_DECLS
