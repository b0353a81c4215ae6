/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/network/traffic.h"

#include "engine/network/fabric-topology.h"

#include <string.h>

void
plg_traffic_begin (PlgTraffic *traffic,
                   PlgReport *report,
                   const PlgPlan *plan,
                   const PlgFabric *fabric)
{
  gsize shares = (gsize) fabric->n_links * report->collectives->len;

  *traffic = (PlgTraffic) { .plan = plan, .fabric = fabric, .report = report };
  traffic->n_collectives = report->collectives->len;
  g_array_set_size (report->links, fabric->n_links);
  g_array_set_size (report->link_shares, shares);
  if (shares > 0)
    memset (report->link_shares->data, 0, shares * sizeof (PlgLinkShare));
  for (int i = 0; i < fabric->n_links; i++)
    plg_fabric_describe (fabric, i, &g_array_index (report->links, PlgLink, i));
}

/* The user data of add_share(): the traffic, and the collective to which the added shares
 * belong. */
typedef struct
{
  PlgTraffic *traffic;
  int collective;
} ShareTarget;

static void
add_share (gpointer user, int link, double calls, double out, double in)
{
  const ShareTarget *target = user;
  gsize i = (gsize) link * target->traffic->n_collectives + target->collective;
  PlgLinkShare *share = &g_array_index (target->traffic->report->link_shares, PlgLinkShare, i);

  share->calls += calls;
  share->bytes_out += out;
  share->bytes_in += in;
}

static PlgLinkLoad
link_load_into (ShareTarget *target)
{
  const PlgTraffic *traffic = target->traffic;

  return (PlgLinkLoad) { .plan = traffic->plan,
                         .fabric = traffic->fabric,
                         .add_load = add_share,
                         .user = target };
}

void
plg_traffic_add (PlgTraffic *traffic,
                 int collective,
                 PlgGroupKind group,
                 PlgCollectiveKind kind,
                 const PlgStageLoad *loads)
{
  ShareTarget target = { traffic, collective };
  PlgLinkLoad link_load = link_load_into (&target);
  PlgGroups groups;
  PlgRing ring;

  plg_groups_init (&groups, &traffic->plan->parallelism, group);
  if (groups.size < 2)
    return;
  plg_ring_init (&ring, traffic->fabric);
  for (int i = 0; i < groups.count; i++)
    plg_link_load_add_group (&link_load, &ring, &groups, i, kind,
                             &loads[plg_groups_stage (&groups, i)]);
}

void
plg_traffic_add_pipeline (PlgTraffic *traffic,
                          int collective,
                          const PlgPipeline *pipeline,
                          double message)
{
  ShareTarget target = { traffic, collective };
  PlgLinkLoad link_load = link_load_into (&target);
  PlgGroups chains;

  plg_groups_init (&chains, &traffic->plan->parallelism, PLG_GROUP_PP);
  link_load.calls = pipeline->micro_batches;
  if (pipeline->schedule == PLG_SCHEDULE_DUALPIPE)
    link_load.calls /= 2.0;
  for (int chain = 0; chain < chains.count; chain++)
    plg_link_load_add_chain (&link_load, &chains, chain, pipeline, message);
}

void
plg_traffic_end (PlgTraffic *traffic)
{
  guint next = 0;

  for (guint i = 0; i < traffic->report->links->len; i++)
    {
      /* The array of shares has space for every collective on every link. Move the used shares
       * to the front of the array, and add up the shares of the link. */
      PlgLink *link = &g_array_index (traffic->report->links, PlgLink, i);
      gsize from = (gsize) i * traffic->n_collectives;
      PlgReport *report = traffic->report;
      double achieved = link->bandwidth * plg_fabric_efficiency (traffic->fabric, link);

      link->first_share = next;
      for (int j = 0; j < traffic->n_collectives; j++)
        {
          PlgLinkShare share = g_array_index (report->link_shares, PlgLinkShare, from + j);

          if (share.calls <= 0.0)
            continue;
          share.collective = j;
          share.time = achieved > 0.0 ? MAX (share.bytes_out, share.bytes_in) / achieved : 0.0;
          link->calls += share.calls;
          link->bytes_out += share.bytes_out;
          link->bytes_in += share.bytes_in;
          link->time += share.time;
          link->axes |= 1u << g_array_index (report->collectives, PlgCollective, j).axis;
          g_array_index (report->link_shares, PlgLinkShare, next++) = share;
        }
      link->n_shares = next - link->first_share;
    }
  g_array_set_size (traffic->report->link_shares, next);
}
