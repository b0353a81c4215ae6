/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/suffering.h"

#include "plan/fault.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A collective whose time changes by less is not worth a word. */
#define NOTED_CHANGE 0.001

static const PlgCollective *
collective_at (const PlgReport *report, guint i)
{
  return &g_array_index (report->collectives, PlgCollective, i);
}

static gboolean
same_collective (const PlgCollective *a, const PlgCollective *b)
{
  return a->axis == b->axis && a->kind == b->kind && a->bytes_per_call == b->bytes_per_call;
}

/* The collective whose time changes most, and what it was; NULL where none does. A fault changes
 * the time of collectives, never which there are. */
static const PlgCollective *
most_changed (const PlgReport *before, const PlgReport *after, double *was)
{
  guint n = MIN (before->collectives->len, after->collectives->len);
  const PlgCollective *worst = NULL;
  double most = 0;

  for (guint i = 0; i < n; i++)
    {
      const PlgCollective *a = collective_at (before, i), *b = collective_at (after, i);
      double change = fabs (b->time - a->time);

      if (!same_collective (a, b) || !(change > most) || !(change > NOTED_CHANGE * a->time))
        continue;
      most = change;
      worst = b;
      *was = a->time;
    }
  return worst;
}

/* "it delays stage 2 of replica 0" */
static char *
delayed_by_gpu (const PlgPlan *plan, int gpu)
{
  int rank = plg_placement_rank (&plan->placement, gpu);
  PlgCoordinate at = plg_rank_coordinate (&plan->parallelism, rank);

  return g_strdup_printf (_ ("it delays stage %d of replica %d"), at.index[PLG_AXIS_PP],
                          at.index[PLG_AXIS_DP]);
}

static char *
delayed_by_link (const PlgReport *before, const PlgReport *after)
{
  double was = 0;
  const PlgCollective *worst = most_changed (before, after, &was);
  g_autofree char *from = NULL, *to = NULL;

  if (worst == NULL)
    return NULL;
  from = plg_format_time (was);
  to = plg_format_time (worst->time);
  return g_strdup_printf ("%s %s %s → %s", plg_axis_label (worst->axis),
                          plg_collective_kind_title (worst), from, to);
}

char *
plg_suffering_describe_change (const char *what, const PlgReport *before, const PlgReport *after)
{
  g_autofree char *change = plg_format_change (before->step.time, after->step.time);

  if (*change == '0')
    return g_strdup_printf (_ ("%s: the step is as long as before"), what);
  return g_strdup_printf (_ ("%s: step %s"), what, change);
}

char *
plg_suffering_describe (const PlgPlan *plan,
                        const PlgFault *fault,
                        const PlgReport *before,
                        const PlgReport *after)
{
  g_autofree char *what = plg_fault_describe (&plan->cluster, &plan->node_names, fault);
  g_autofree char *change = plg_format_change (before->step.time, after->step.time);
  g_autofree char *who = NULL;

  if (fault->kind != PLG_FAULT_GPU)
    who = delayed_by_link (before, after);
  else if (fault->rate < 1.0)
    who = delayed_by_gpu (plan, fault->first);
  if (who == NULL || (*change == '0' && fault->kind == PLG_FAULT_GPU))
    return plg_suffering_describe_change (what, before, after);
  if (*change == '0')
    return g_strdup_printf (_ ("%s: %s, but the step is as long as before"), what, who);
  return g_strdup_printf (_ ("%s: step %s, %s"), what, change, who);
}
