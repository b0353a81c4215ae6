/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/cluster/describe-private.h"

#include "engine/network/traffic.h"

#include "engine/network/fabric.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The name of the far end of a NIC or uplink. */
static char *
leaf_describe (const PlgPlan *plan, int leaf)
{
  PlgFabric fabric;
  int rail, unit;

  plg_fabric_of_plan (&fabric, plan);
  switch (fabric.network)
    {
    case PLG_NETWORK_RAIL:
      rail = plg_fabric_rail (&fabric, leaf, &unit);
      if (fabric.units == 1)
        return g_strdup_printf (_ ("rail %d"), rail);
      return g_strdup_printf (_ ("rail %d of unit %d"), rail, unit);
    case PLG_NETWORK_TREE:
      return g_strdup_printf (_ ("leaf %d"), leaf);
    case PLG_NETWORK_FLAT:
    default:
      return g_strdup (_ ("the network switch"));
    }
}

char *
plg_describe_link (const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *node = link->node >= 0 ? plg_plan_node_title (plan, link->node) : NULL;
  g_autofree char *leaf = NULL;

  if (plg_link_is_pair (link))
    return g_strdup_printf (_ ("%s between GPU %d and GPU %d of %s"),
                            plg_tier_title (&plan->cluster, link->tier), link->local, link->other,
                            node);
  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
      return g_strdup_printf (_ ("%s from GPU %d of %s to its switch"),
                              plg_tier_title (&plan->cluster, link->tier), link->local, node);
    case PLG_TIER_PCIE:
      return g_strdup_printf (_ ("%s of GPU %d of %s"), plg_tier_title (&plan->cluster, link->tier),
                              link->local, node);
    case PLG_TIER_NIC:
      leaf = leaf_describe (plan, link->other >= 0 ? link->other : link->local);
      return g_strdup_printf (_ ("NIC %d of %s to %s"), link->local, node, leaf);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      leaf = leaf_describe (plan, link->local);
      return g_strdup_printf (_ ("%s to spine %d"), leaf, MAX (link->other, 0));
    }
}

char *
plg_describe_link_ends (const PlgPlan *plan, const PlgLink *link)
{
  g_autofree char *node = link->node >= 0 ? plg_plan_node_title (plan, link->node) : NULL;
  g_autofree char *leaf = NULL;

  switch (link->tier)
    {
    case PLG_TIER_NVLINK:
    case PLG_TIER_PCIE:
      if (link->other >= 0)
        return g_strdup_printf (_ ("%s GPU %d – %d"), node, link->local, link->other);
      return g_strdup_printf (_ ("%s GPU %d"), node, link->local);
    case PLG_TIER_NIC:
      leaf = leaf_describe (plan, link->other >= 0 ? link->other : link->local);
      return g_strdup_printf (_ ("%s NIC %d → %s"), node, link->local, leaf);
    case PLG_TIER_LEAF:
    case PLG_TIER_SPINE:
    default:
      leaf = leaf_describe (plan, link->local);
      return g_strdup_printf (_ ("%s → spine %d"), leaf, MAX (link->other, 0));
    }
}


void
plg_describe_add_link (GString *text, const PlgPlan *plan, const PlgReport *report, int index)
{
  g_autofree char *name = NULL, *calls = NULL, *bytes = NULL, *time = NULL, *users = NULL;
  g_autofree char *percent = NULL, *bandwidth = NULL, *network = NULL;
  const PlgLink *link;
  PlgFabric fabric;
  double rate;

  if (index < 0 || index >= (int) report->links->len)
    return;
  link = &g_array_index (report->links, PlgLink, index);
  name = plg_describe_link (plan, link);
  plg_describe_add_line (text, "%s", name);

  plg_fabric_of_plan (&fabric, plan);
  rate = plg_fabric_link_rate (&fabric, link);
  percent = plg_format_number (100.0 * rate, 3);
  if (rate <= 0.0)
    plg_describe_add_line (text, _ ("It has failed"));
  else if (rate < 1.0)
    plg_describe_add_line (text, _ ("It runs at %s %%"), percent);

  bandwidth = plg_format_bandwidth (link->bandwidth);
  network = plg_format_network (link->bandwidth);
  if (isfinite (link->bandwidth))
    {
      if (link->tier >= PLG_TIER_NIC)
        plg_describe_add_line (text, _ ("%s (%s) per direction"), bandwidth, network);
      else
        plg_describe_add_line (text, _ ("%s per direction"), bandwidth);
    }

  for (int i = 0; i < link->n_shares; i++)
    if (link->first_share + i < (int) report->link_shares->len)
      {
        /* One line for the load of each collective. */
        const PlgLinkShare *share = &g_array_index (report->link_shares, PlgLinkShare,
                                                    link->first_share + i);
        const PlgCollective *collective;
        g_autofree char *share_calls = plg_describe_calls (share->calls);
        g_autofree char *share_bytes = plg_measure_text (PLG_MEASURE_VOLUME,
                                                         MAX (share->bytes_out, share->bytes_in));
        g_autofree char *share_time = plg_measure_text (PLG_MEASURE_SECONDS, share->time);

        if (share->collective < 0 || share->collective >= (int) report->collectives->len)
          continue;
        collective = &g_array_index (report->collectives, PlgCollective, share->collective);
        plg_describe_add_line (text, _ ("%s %s: %s, %s, %s"), plg_axis_label (collective->axis),
                               plg_collective_kind_title (collective), share_calls, share_bytes,
                               share_time);
      }
  if (plg_report_hides (report, PLG_REDACT_CALLS))
    plg_describe_add_line (text, "%s",
                           plg_redaction_is_later (report->redaction, PLG_REDACT_CALLS)
                               ? _ ("Its traffic is shown with a later answer")
                               : _ ("Its traffic is shown with the answer"));
  else if (link->n_shares == 0 && !(link->calls > 0))
    plg_describe_add_line (text, _ ("It carries no traffic"));
  users = plg_describe_link_groups (plan, report, index);
  if (*users != '\0')
    plg_describe_add_line (text, _ ("Groups that use it: %s"), users);
  if (link->n_shares == 1)
    return;
  calls = plg_describe_calls (link->calls);
  bytes = plg_measure_text (PLG_MEASURE_VOLUME, plg_link_bytes (link));
  time = plg_measure_text (PLG_MEASURE_SECONDS, link->time);
  if (link->calls > 0)
    plg_describe_add_line (text, _ ("In total: %s, %s, busy %s per step"), calls, bytes, time);
}

/* The greatest number of groups that are listed. */
#define MAX_NAMED 4

/* The groups of AXIS with one of RANKS: "TP 3", "DP 0, 4", "PP 0–7"; NULL for no group. */
static char *
groups_describe (const PlgPlan *plan, PlgAxis axis, const guint8 *ranks)
{
  int count = plg_axis_groups (&plan->parallelism, axis), n = 0, first = -1, last = -1;
  g_autofree guint8 *has = g_new0 (guint8, count);
  GString *text;

  for (int rank = 0; rank < plg_plan_world (plan); rank++)
    if (ranks[rank])
      has[plg_axis_group_of (&plan->parallelism, axis, rank)] = TRUE;
  text = g_string_new (plg_axis_label (axis));
  for (int group = 0; group < count; group++)
    if (has[group])
      {
        first = n == 0 ? group : first;
        last = group;
        if (n++ < MAX_NAMED)
          g_string_append_printf (text, "%s %d", n > 1 ? "," : "", group);
      }
  if (n > 1 && last - first == n - 1)
    g_string_printf (text, "%s %d–%d", plg_axis_label (axis), first, last);
  else if (n > MAX_NAMED)
    g_string_append (text, ", …");
  return g_string_free (text, n == 0);
}


char *
plg_describe_link_groups (const PlgPlan *plan, const PlgReport *report, int link)
{
  GString *users = g_string_new (NULL);

  for (PlgAxis axis = 0; plg_traffic_is_traceable (plan, report) && axis < PLG_N_AXES; axis++)
    {
      const PlgLink *row = &g_array_index (report->links, PlgLink, link);
      g_autofree guint8 *ranks = g_new0 (guint8, plg_plan_world (plan));
      g_autofree char *groups = NULL;

      for (int i = row->first_share; i < row->first_share + row->n_shares; i++)
        {
          int collective = g_array_index (report->link_shares, PlgLinkShare, i).collective;

          if (g_array_index (report->collectives, PlgCollective, collective).axis == axis)
            plg_traffic_ranks_on (plan, report, collective, link, ranks);
        }
      groups = groups_describe (plan, axis, ranks);
      if (groups != NULL)
        g_string_append_printf (users, "%s%s", users->len > 0 ? " · " : "", groups);
    }
  return g_string_free (users, FALSE);
}

char *
plg_describe_collective_groups (const PlgPlan *plan,
                                const PlgReport *report,
                                int collective,
                                int link)
{
  g_autofree guint8 *ranks = NULL;

  if (!plg_traffic_is_traceable (plan, report))
    return NULL;
  ranks = g_new0 (guint8, plg_plan_world (plan));
  plg_traffic_ranks_on (plan, report, collective, link, ranks);
  return groups_describe (plan, g_array_index (report->collectives, PlgCollective, collective).axis,
                          ranks);
}
