/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/fault-impact.h"

#include "drawing/figure/pictures.h"
#include "engine/network/fabric.h"
#include "engine/report/redaction.h"
#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The minimum relative change in a collective's time that is reported. */
#define MIN_REPORTED_CHANGE 0.001
/* The maximum number of slower collectives that are named. */
#define MAX_NAMED_COLLECTIVES 2

static const PlgCollective *
collective_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->collectives, PlgCollective, i);
}

/* Returns whether A and B are the same collective. A fault changes the times of collectives but
 * not their list, so A and B are taken from the same index in the reports before and after the
 * fault. */
static gboolean
same_collective (const PlgCollective *a, const PlgCollective *b)
{
  return a->axis == b->axis && a->kind == b->kind && a->collective_subject == b->collective_subject;
}

/* The time of a collective per GPU per step before and after the fault [s]. */
typedef struct
{
  double before, after;
} Times;

/* Returns the times of collective I on the stage where its time changes most. If the reports
 * have no links, returns the values of PlgCollective.time. */
static Times
times_of (const PlgReport *before, const PlgReport *after, guint i)
{
  Times times = { collective_at (before, i)->time, collective_at (after, i)->time };
  const PlgStageCalls *a, *b;

  for (int stage = 0; (a = plg_report_stage_calls (before, i, stage)) != NULL &&
                      (b = plg_report_stage_calls (after, i, stage)) != NULL;
       stage++)
    if (stage == 0 || fabs (b->time - a->time) > fabs (times.after - times.before))
      times = (Times) { a->time, b->time };
  return times;
}

/* Returns the increase in the time of collective I, or 0 if the change is too small to report. */
static double
change_of (const PlgReport *before, const PlgReport *after, guint i)
{
  Times times = times_of (before, after, i);
  double change = times.after - times.before;
  gboolean same = same_collective (collective_at (before, i), collective_at (after, i));

  return same && fabs (change) > MIN_REPORTED_CHANGE * times.before ? change : 0;
}

/* Returns the collective whose time changes most among those not marked in NAMED, or -1 if no
 * time changes. */
static int
largest_change (const PlgReport *before, const PlgReport *after, const gboolean *named)
{
  guint n = MIN (before->collectives->len, after->collectives->len);
  double most = 0;
  int worst = -1;

  for (guint i = 0; i < n; i++)
    if (!named[i] && fabs (change_of (before, after, i)) > most)
      {
        most = fabs (change_of (before, after, i));
        worst = i;
      }
  return worst;
}

/* Returns whether LINK carries the traffic of the link that FAULT has cut. LINK is then a
 * neighbouring NIC or another uplink. */
static gboolean
replaces_faulty_link (const PlgFabric *fabric, const PlgLink *link, const PlgFault *fault)
{
  PlgFault own;

  if (fault->rate > 0.0 || plg_link_bytes (link) <= 0.0 ||
      !plg_fabric_link_fault (fabric, link, &own) || own.kind != fault->kind ||
      own.first != fault->first)
    return FALSE;
  if (fault->kind == PLG_FAULT_NIC)
    return own.second == plg_fabric_working_nic (fabric, fault->first, fault->second);
  return fault->kind == PLG_FAULT_UPLINK && own.rate > 0.0;
}

int
plg_fault_impact_link (const PlgPlan *plan, const PlgFault *fault, const PlgReport *after)
{
  PlgFabric fabric;
  int struck = -1;

  plg_fabric_of_plan (&fabric, plan);
  for (guint i = 0; i < after->links->len; i++)
    {
      const PlgLink *link = &g_array_index (after->links, PlgLink, i);

      if (replaces_faulty_link (&fabric, link, fault))
        return i;
      if (struck < 0)
        {
          PlgFault own;

          if (plg_fabric_link_fault (&fabric, link, &own) && own.kind == fault->kind &&
              own.first == fault->first && own.second == fault->second)
            struck = i;
        }
    }
  return struck;
}

/* Returns whether the step time is hidden. A hidden time must not be described at all, not even
 * as unchanged. */
static gboolean
is_hidden (const PlgReport *before, const PlgReport *after)
{
  return plg_report_hides (before, PLG_REDACT_TIME | PLG_REDACT_BUSY) ||
         plg_report_hides (after, PLG_REDACT_TIME | PLG_REDACT_BUSY);
}

char *
plg_fault_impact_describe_change (const char *what, const PlgReport *before, const PlgReport *after)
{
  g_autofree char *change = plg_format_change (before->step.time, after->step.time);

  if (is_hidden (before, after))
    return g_strdup (what);
  if (*change == '0')
    return g_strdup_printf (_ ("%s: the step time does not change"), what);
  return g_strdup_printf (_ ("%s: step %s"), what, change);
}

char *
plg_fault_impact_describe (const PlgPlan *plan,
                           const PlgFault *fault,
                           const PlgReport *before,
                           const PlgReport *after)
{
  g_autofree char *what = plg_fault_describe (&plan->cluster, &plan->node_names, fault);
  g_autofree char *change = plg_format_change (before->step.time, after->step.time);
  g_autofree char *who = NULL;

  if (is_hidden (before, after))
    return g_steal_pointer (&what);
  if (fault->kind != PLG_FAULT_GPU)
    {
      int link = plg_fault_impact_link (plan, fault, after), worst;
      g_autofree gboolean *named = g_new0 (gboolean, before->collectives->len + 1);
      GString *text = g_string_new (NULL);

      for (int n = 0;
           n < MAX_NAMED_COLLECTIVES && (worst = largest_change (before, after, named)) >= 0; n++)
        {
          /* Name the collective and, if LINK is known, the groups whose calls cross LINK, for
           * example "DP 0, 4 reduce-scatter 1.2 ms → 2.4 ms". */
          const PlgCollective *row = collective_at (after, worst);
          g_autofree char *groups = link >= 0
                                        ? plg_describe_collective_groups (plan, after, worst, link)
                                        : NULL;
          Times times = times_of (before, after, worst);
          g_autofree char *from = plg_format_time (times.before);
          g_autofree char *to = plg_format_time (times.after);
          g_autofree char *one = g_strdup_printf ("%s %s %s → %s",
                                                  groups != NULL ? groups
                                                                 : plg_axis_label (row->axis),
                                                  plg_collective_kind_title (row), from, to);

          g_string_append_printf (text, "%s%s", n > 0 ? ", " : "", one);
          named[worst] = TRUE;
        }
      who = g_string_free (text, text->len == 0);
    }
  else if (fault->rate < 1.0)
    {
      /* Build a text such as "it delays stage 2 of replica 0". */
      int rank = plg_placement_rank (&plan->placement, fault->first);
      PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);

      who = g_strdup_printf (_ ("it delays stage %d of replica %d"), at.index[PLG_AXIS_PP],
                             at.index[PLG_AXIS_DP]);
    }
  if (who == NULL || (*change == '0' && fault->kind == PLG_FAULT_GPU))
    return plg_fault_impact_describe_change (what, before, after);
  if (*change == '0')
    return g_strdup_printf (_ ("%s: %s, but the step time does not change"), what, who);
  return g_strdup_printf (_ ("%s: step %s, %s"), what, change, who);
}
