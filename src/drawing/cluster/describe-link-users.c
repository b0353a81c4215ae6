/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"

#include "engine/network/traffic.h"

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
