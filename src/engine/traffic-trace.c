/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/traffic.h"

#include "engine/fabric-map.h"

/* The groups of one collective of a report, walked one by one. It asks which links are crossed, and
 * not by how much. */
typedef struct
{
  PlgFabric fabric;
  PlgGroups groups;
  PlgPipeline pipeline;
  PlgRing ring;
  PlgFlow flow;
  int collective;
  guint8 *links; /* to be marked, or NULL */
  int target;    /* the link that is asked for, or -1 */
  gboolean hit;
} Walk;

static void
answer (gpointer user, int link, double calls, double out, double in)
{
  Walk *walk = user;

  if (calls <= 0.0 && out <= 0.0 && in <= 0.0)
    return;
  if (walk->links != NULL)
    walk->links[link] = TRUE;
  walk->hit = walk->hit || link == walk->target;
}

static void
walk_init (Walk *walk, const PlgPlan *plan, const PlgReport *report, int collective)
{
  const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, collective);

  plg_fabric_of_plan (&walk->fabric, plan);
  plg_groups_init (&walk->groups, &plan->parallelism, (PlgGroupKind) row->group);
  plg_pipeline_init (&walk->pipeline, plan);
  plg_ring_init (&walk->ring, &walk->fabric);
  walk->flow = (PlgFlow) { .plan = plan,
                           .fabric = &walk->fabric,
                           .calls = 1.0,
                           .put = answer,
                           .user = walk };
  walk->collective = collective;
  walk->links = NULL;
  walk->target = -1;
}

static void
walk_group (Walk *walk, const PlgReport *report, int group)
{
  int collective = walk->collective, stage = plg_groups_stage (&walk->groups, group);
  const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, collective);
  const PlgStageCalls *calls = plg_report_stage_calls (report, collective, stage);
  PlgLoad load = { 0 };

  walk->hit = FALSE;
  if (row->when == PLG_WHEN_BETWEEN_STAGES)
    {
      plg_flow_chain (&walk->flow, &walk->groups, group, &walk->pipeline, row->bytes_per_call);
      return;
    }
  if (calls == NULL || walk->groups.size < 2)
    return;
  load.calls = calls->calls;
  load.bytes = calls->calls * calls->bytes_per_call;
  plg_flow_group (&walk->flow, &walk->ring, &walk->groups, group, row->kind, &load);
}

gboolean
plg_traffic_is_traceable (const PlgPlan *plan, const PlgReport *report)
{
  PlgFabric fabric;

  plg_fabric_of_plan (&fabric, plan);
  return report->stage_calls->len > 0 && report->links->len == (guint) fabric.n_links &&
         plg_parallelism_world (&plan->parallelism) == plg_cluster_gpus (&plan->cluster);
}

static gboolean
has_any (const PlgGroups *groups, int group, const guint8 *ranks)
{
  for (int i = 0; i < groups->size; i++)
    if (ranks[plg_groups_rank (groups, group, i)])
      return TRUE;
  return FALSE;
}

void
plg_traffic_links_of (const PlgPlan *plan,
                      const PlgReport *report,
                      int collective,
                      const guint8 *ranks,
                      guint8 *links)
{
  Walk walk;

  walk_init (&walk, plan, report, collective);
  walk.links = links;
  for (int group = 0; group < walk.groups.count; group++)
    if (has_any (&walk.groups, group, ranks))
      walk_group (&walk, report, group);
}

/* Links of a node are crossed by who has a member there alone. */
static gboolean
can_cross (const Walk *walk, int group, int node)
{
  if (node < 0)
    return TRUE;
  for (int i = 0; i < walk->groups.size; i++)
    if (plg_flow_gpu (&walk->flow, &walk->groups, group, i) / walk->fabric.gpus == node)
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
  Walk walk;

  walk_init (&walk, plan, report, collective);
  walk.target = link;
  for (int group = 0; group < walk.groups.count; group++)
    {
      if (!can_cross (&walk, group, node))
        continue;
      walk_group (&walk, report, group);
      for (int i = 0; walk.hit && i < walk.groups.size; i++)
        ranks[plg_groups_rank (&walk.groups, group, i)] = TRUE;
    }
}
