/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/pictures.h"

#include "engine/network/traffic.h"

/* Groups that are named one by one; more are only shown to be there. */
#define MAX_NAMED 4

/* "TP 3", "DP 0, 4", "PP 0–7": which groups of AXIS have one of RANKS; NULL for none. */
static char *
groups_in_words (const PlgPlan *plan, PlgAxis axis, const guint8 *ranks)
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

/* The ranks whose collectives of AXIS cross LINK, with a mark. g_free(). */
static guint8 *
ranks_on (const PlgPlan *plan, const PlgReport *report, int link, PlgAxis axis)
{
  const PlgLink *it = &g_array_index (report->links, PlgLink, link);
  guint8 *ranks = g_new0 (guint8, plg_plan_world (plan));

  for (int i = it->first_share; i < it->first_share + it->n_shares; i++)
    {
      int row = g_array_index (report->link_shares, PlgLinkShare, i).collective;

      if (g_array_index (report->collectives, PlgCollective, row).axis == axis)
        plg_traffic_ranks_on (plan, report, row, link, ranks);
    }
  return ranks;
}

char *
plg_describe_link_groups (const PlgPlan *plan, const PlgReport *report, int link)
{
  GString *users = g_string_new (NULL);

  for (PlgAxis axis = 0; plg_traffic_is_traceable (plan, report) && axis < PLG_N_AXES; axis++)
    {
      g_autofree guint8 *ranks = ranks_on (plan, report, link, axis);
      g_autofree char *groups = groups_in_words (plan, axis, ranks);

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
  return groups_in_words (plan, g_array_index (report->collectives, PlgCollective, collective).axis,
                          ranks);
}
