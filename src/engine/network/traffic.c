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
  gsize loads = (gsize) fabric->n_links * report->collectives->len * sizeof (PlgTrafficLoad);
  gsize leaves = (gsize) fabric->leaves * sizeof (PlgLeafLoad);
  gsize shares = report->collectives->len * sizeof (PlgLinkShare);
  char *work;

  *traffic = (PlgTraffic) { .plan = plan, .fabric = fabric, .report = report };
  traffic->n_collectives = report->collectives->len;
  g_array_set_size (report->work, (loads + leaves + shares) / sizeof (double));
  work = report->work->data;
  if (loads + leaves > 0)
    memset (work, 0, loads + leaves);
  traffic->loads = (PlgTrafficLoad *) (void *) work;
  traffic->leaves = (PlgLeafLoad *) (void *) (work + loads);
  traffic->shares = (PlgLinkShare *) (void *) (work + loads + leaves);
  g_array_set_size (report->links, fabric->n_links);
  for (int i = 0; i < fabric->n_links; i++)
    plg_fabric_describe (fabric, i, &g_array_index (report->links, PlgLink, i));
}

/* Adds a load to those of one collective, which start at USER. */
static void
add_load (gpointer user, int link, double calls, double out, double in)
{
  PlgTrafficLoad *load = (PlgTrafficLoad *) user + link;

  load->calls += calls;
  load->bytes_out += out;
  load->bytes_in += in;
}

static PlgLinkLoad
link_load_into (const PlgTraffic *traffic, int collective)
{
  return (PlgLinkLoad) { .plan = traffic->plan,
                         .fabric = traffic->fabric,
                         .add_load = add_load,
                         .user = traffic->loads + (gsize) collective * traffic->fabric->n_links,
                         .leaves = traffic->leaves };
}

void
plg_traffic_add (PlgTraffic *traffic,
                 int collective,
                 PlgGroupKind group,
                 PlgCollectiveKind kind,
                 const PlgStageLoad *loads)
{
  PlgLinkLoad link_load = link_load_into (traffic, collective);
  PlgGroups groups;
  PlgRing ring;

  plg_groups_init (&groups, &traffic->plan->parallelism, group);
  if (groups.size < 2)
    return;
  plg_ring_init (&ring, traffic->fabric);
  for (int i = 0; i < groups.count; i++)
    plg_link_load_add_group (&link_load, &ring, &groups, i, kind,
                             &loads[plg_groups_stage (&groups, i)]);
  plg_link_load_spread_leaves (&link_load);
}

void
plg_traffic_add_pipeline (PlgTraffic *traffic,
                          int collective,
                          const PlgPipeline *pipeline,
                          double message)
{
  PlgLinkLoad link_load = link_load_into (traffic, collective);
  PlgGroups chains;

  plg_groups_init (&chains, &traffic->plan->parallelism, PLG_GROUP_PP);
  link_load.calls = pipeline->micro_batches;
  if (pipeline->schedule == PLG_SCHEDULE_DUALPIPE)
    link_load.calls /= 2.0;
  for (int chain = 0; chain < chains.count; chain++)
    plg_link_load_add_chain (&link_load, &chains, chain, pipeline, message);
  plg_link_load_spread_leaves (&link_load);
}

void
plg_traffic_end (PlgTraffic *traffic)
{
  PlgReport *report = traffic->report;
  gsize n_links = report->links->len;

  g_array_set_size (report->link_shares, 0);
  for (gsize i = 0; i < n_links; i++)
    {
      PlgLink *link = &g_array_index (report->links, PlgLink, i);
      double achieved = link->bandwidth * plg_fabric_efficiency (traffic->fabric, link);

      link->first_share = (int) report->link_shares->len;
      link->n_shares = 0;
      for (int j = 0; j < traffic->n_collectives; j++)
        {
          const PlgTrafficLoad *load = &traffic->loads[j * n_links + i];
          PlgLinkShare share = { .collective = j,
                                 .calls = load->calls,
                                 .bytes_out = load->bytes_out,
                                 .bytes_in = load->bytes_in };

          if (share.calls <= 0.0)
            continue;
          share.time = achieved > 0.0 ? MAX (share.bytes_out, share.bytes_in) / achieved : 0.0;
          link->calls += share.calls;
          link->bytes_out += share.bytes_out;
          link->bytes_in += share.bytes_in;
          link->time += share.time;
          link->axes |= 1u << g_array_index (report->collectives, PlgCollective, j).axis;
          traffic->shares[link->n_shares++] = share;
        }
      g_array_append_vals (report->link_shares, traffic->shares, (guint) link->n_shares);
    }
}
