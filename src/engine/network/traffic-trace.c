/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/traffic.h"

#include "engine/network/fabric-topology.h"

/* The state of a search for the links that one collective of a report crosses in any of its
 * groups. */
typedef struct
{
  PlgFabric fabric;
  PlgGroups groups;
  PlgPipeline pipeline;
  PlgRing ring;
  PlgLinkLoad link_load;
  int collective;
  guint8 *links; /* array in which to mark the links, or NULL */
  int target;    /* link to look for, or -1 */
  gboolean is_found;
} Trace;

static void
mark_link (gpointer user, int link, double calls, double out, double in)
{
  Trace *trace = user;

  if (calls <= 0.0 && out <= 0.0 && in <= 0.0)
    return;
  if (trace->links != NULL)
    trace->links[link] = TRUE;
  trace->is_found = trace->is_found || link == trace->target;
}

static void
trace_init (Trace *trace, const PlgPlan *plan, const PlgReport *report, int collective)
{
  const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, collective);

  plg_fabric_of_plan (&trace->fabric, plan);
  plg_groups_init (&trace->groups, &plan->parallelism, (PlgGroupKind) row->group);
  plg_pipeline_init (&trace->pipeline, plan);
  plg_ring_init (&trace->ring, &trace->fabric);
  trace->link_load = (PlgLinkLoad) { .plan = plan,
                                     .fabric = &trace->fabric,
                                     .calls = 1.0,
                                     .add_load = mark_link,
                                     .user = trace };
  trace->collective = collective;
  trace->links = NULL;
  trace->target = -1;
}

static void
trace_group (Trace *trace, const PlgReport *report, int group)
{
  int collective = trace->collective, stage = plg_groups_stage (&trace->groups, group);
  const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, collective);
  const PlgStageCalls *calls = plg_report_stage_calls (report, collective, stage);
  PlgStageLoad load = { 0 };

  trace->is_found = FALSE;
  if (row->when == PLG_WHEN_BETWEEN_STAGES)
    {
      plg_link_load_add_chain (&trace->link_load, &trace->groups, group, &trace->pipeline,
                               row->bytes_per_call);
      return;
    }
  if (calls == NULL || trace->groups.size < 2)
    return;
  load.calls = calls->calls;
  load.bytes = calls->calls * calls->bytes_per_call;
  plg_link_load_add_group (&trace->link_load, &trace->ring, &trace->groups, group, row->kind,
                           &load);
}

gboolean
plg_traffic_is_traceable (const PlgPlan *plan, const PlgReport *report)
{
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plan);
  return report->stage_calls->len > 0 && report->links->len == (guint) fabric.n_links &&
         plg_parallelism_world (&plan->parallelism) == plg_cluster_gpus (&plan->cluster);
}

void
plg_traffic_links_of (const PlgPlan *plan,
                      const PlgReport *report,
                      int collective,
                      const guint8 *ranks,
                      guint8 *links)
{
  Trace trace;

  trace_init (&trace, plan, report, collective);
  trace.links = links;
  for (int group = 0; group < trace.groups.count; group++)
    {
      gboolean selected = FALSE;

      for (int i = 0; i < trace.groups.size && !selected; i++)
        selected = ranks[plg_groups_rank (&trace.groups, group, i)];
      if (selected)
        trace_group (&trace, report, group);
    }
}

/* Returns TRUE if GROUP has a member on NODE. Groups without such a member cannot use the links
 * of the node. Also returns TRUE if NODE is negative, because any group can use links outside
 * the nodes. */
static gboolean
can_cross (const Trace *trace, int group, int node)
{
  if (node < 0)
    return TRUE;
  for (int i = 0; i < trace->groups.size; i++)
    if (plg_link_load_gpu (&trace->link_load, &trace->groups, group, i) / trace->fabric.gpus ==
        node)
      return TRUE;
  return FALSE;
}

void
plg_traffic_ranks_on (const PlgPlan *plan,
                      const PlgReport *report,
                      int collective,
                      int link,
                      guint8 *ranks)
{
  int node = g_array_index (report->links, PlgLink, link).node;
  Trace trace;

  trace_init (&trace, plan, report, collective);
  trace.target = link;
  for (int group = 0; group < trace.groups.count; group++)
    {
      if (!can_cross (&trace, group, node))
        continue;
      trace_group (&trace, report, group);
      for (int i = 0; trace.is_found && i < trace.groups.size; i++)
        ranks[plg_groups_rank (&trace.groups, group, i)] = TRUE;
    }
}
