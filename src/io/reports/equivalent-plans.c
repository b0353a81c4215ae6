/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/equivalent-plans.h"

#include "engine/evaluate.h"
#include "io/reports/plan-sentences.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

static void
clear_alternative (gpointer data)
{
  g_clear_pointer (&((PlgEquivalentPlan *) data)->settings, g_free);
  g_clear_pointer (&((PlgEquivalentPlan *) data)->title, g_free);
}

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  PlgReport *outcome; /* report of the plan under test */
  GArray *found;      /* element-type PlgEquivalentPlan */
} EquivalentSearch;

static gboolean
is_same (double a, double b)
{
  return fabs (a - b) < b * PLG_EQUIVALENT_PLAN_MIN_CHANGE;
}

/* Evaluates the plan with SETTINGS (transfer full). Records it under TITLE (transfer full)
 * unless its time and memory are almost those of the original plan. For example, a swap of two
 * axes whose groups both span several nodes is not recorded if it only moves the same load to
 * different links. */
static void
try_settings (EquivalentSearch *search, char *settings, char *title)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (search->plan);
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  PlgEquivalentPlan alternative = { .settings = settings, .title = title };
  const PlgReport *before = search->report, *now = search->outcome;

  if (!plg_settings_apply (plan, NULL, (const char *const *) words, NULL) ||
      plg_plan_same_design (plan, search->plan) ||
      !plg_evaluate_into (search->outcome, plan, PLG_EVALUATE_TOTALS, NULL) ||
      (now->fits == before->fits && is_same (now->step.time, before->step.time) &&
       is_same (now->memory_peak, before->memory_peak)))
    {
      clear_alternative (&alternative);
      return;
    }
  alternative.time = now->step.time;
  alternative.memory = now->memory_peak;
  alternative.fits = now->fits;
  for (int part = 0; part < PLG_N_PARTS; part++)
    {
      double longer_by = now->step.part[part] - before->step.part[part];

      if (-longer_by > alternative.shorter_by)
        {
          alternative.shorter_by = -longer_by;
          alternative.shorter_part = part;
        }
      if (longer_by > alternative.longer_by)
        {
          alternative.longer_by = longer_by;
          alternative.longer_part = part;
        }
    }
  g_array_append_val (search->found, alternative);
}

/* Tries all axis orders that keep the axes before index AT. Axes of degree 1 keep their
 * positions. */
static void
try_orders (EquivalentSearch *search, PlgParallelism *parallelism, int at)
{
  PlgAxis *order = parallelism->order;

  if (at == PLG_N_NESTED_AXES)
    {
      g_autofree char *text = plg_order_to_string (parallelism);

      try_settings (search, g_strconcat ("parallelism.order=", text, NULL),
                    g_strdup_printf (_ ("Order %s"), text));
      return;
    }
  for (int i = at; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = order[at];

      if (i > at && (parallelism->degree[order[i]] == 1 || parallelism->degree[axis] == 1))
        continue;
      order[at] = order[i];
      order[i] = axis;
      try_orders (search, parallelism, at + 1);
      order[i] = order[at];
      order[at] = axis;
    }
}

/* Tries the plan with the degrees in DEGREE. The recorded settings contain only the degrees that
 * differ from those of the plan. */
static void
try_degree (EquivalentSearch *search, const int *degree)
{
  GString *settings = g_string_new (NULL);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (degree[axis] != search->plan->parallelism.degree[axis])
      g_string_append_printf (settings, "%sparallelism.%s=%d", settings->len > 0 ? " " : "",
                              plg_axis_name (axis), degree[axis]);
  try_settings (search, g_string_free (settings, FALSE),
                plg_degrees_describe (degree, search->plan->parallelism.degree));
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const PlgEquivalentPlan *one = a, *other = b;

  if (one->fits != other->fits)
    return one->fits ? -1 : 1;
  if (one->fits && one->time != other->time)
    return one->time < other->time ? -1 : 1;
  if (one->memory != other->memory)
    return one->memory < other->memory ? -1 : 1;
  return strcmp (one->settings, other->settings);
}

GArray *
plg_equivalent_plans (const PlgPlan *plan, const PlgReport *report)
{
  g_autoptr (PlgReport) outcome = plg_report_new ();
  EquivalentSearch search = { plan, report, outcome,
                              g_array_new (FALSE, FALSE, sizeof (PlgEquivalentPlan)) };
  PlgParallelism parallelism = plan->parallelism;
  const PlgAxis *order = plan->parallelism.order;
  int degree[PLG_N_AXES], ep = plan->parallelism.degree[PLG_AXIS_EP];

  g_array_set_clear_func (search.found, clear_alternative);
  try_orders (&search, &parallelism, 0);

  /* Halve one degree and double another, so that the number of GPUs does not change. */
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    for (int j = 0; j < PLG_N_NESTED_AXES; j++)
      {
        memcpy (degree, plan->parallelism.degree, sizeof degree);
        if (i == j || degree[order[i]] % 2 != 0)
          continue;
        degree[order[i]] /= 2;
        degree[order[j]] *= 2;
        try_degree (&search, degree);
      }

  /* Change EP separately, because EP does not change the number of GPUs. */
  if (plan->model.experts != 0)
    {
      memcpy (degree, plan->parallelism.degree, sizeof degree);
      degree[PLG_AXIS_EP] = 2 * ep;
      try_degree (&search, degree);
      degree[PLG_AXIS_EP] = ep / 2;
      if (ep % 2 == 0)
        try_degree (&search, degree);
    }

  g_array_sort (search.found, compare);
  return search.found;
}

gboolean
plg_equivalent_plan_is_allowed (const PlgEquivalentPlan *alternative, const char *const *keys)
{
  g_auto (GStrv) words = g_strsplit (alternative->settings, " ", -1);

  for (int i = 0; keys != NULL && words[i] != NULL; i++)
    {
      g_autofree char *key = g_strndup (words[i], strcspn (words[i], "="));

      if (!plg_setting_is_among (key, keys))
        return FALSE;
    }
  return TRUE;
}

const PlgEquivalentPlan *
plg_equivalent_plans_slowest (const GArray *all)
{
  const PlgEquivalentPlan *slowest = &g_array_index (all, PlgEquivalentPlan, 0);

  for (guint i = 1; i < all->len; i++)
    if (g_array_index (all, PlgEquivalentPlan, i).time > slowest->time)
      slowest = &g_array_index (all, PlgEquivalentPlan, i);
  return slowest;
}

char *
plg_equivalent_plan_describe (const PlgReport *report, const PlgEquivalentPlan *alternative)
{
  g_autofree char *time = plg_format_time (alternative->time);
  g_autofree char *change = plg_format_change (report->step.time, alternative->time);
  g_autofree char *memory = plg_format_memory_distinct (alternative->memory,
                                                        report->memory_capacity);
  g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                          alternative->memory);
  g_autofree char *longer_by = plg_format_time (alternative->longer_by);
  g_autofree char *shorter_by = plg_format_time (alternative->shorter_by);
  g_autofree char *summary = g_strdup_printf (_ ("%s: %s per step (%s) and %s per GPU."),
                                              alternative->title, time, change, memory);

  if (!alternative->fits)
    return g_strdup_printf (_ ("%s This plan does not fit in %s."), summary, capacity);
  /* Name the part of the step that explains the change: for a faster plan, the part that shrinks
   * most; otherwise, the part that grows most. */
  if (alternative->time < report->step.time && alternative->shorter_by > 0.0)
    return g_strdup_printf (_ ("%s %s takes %s less."), summary,
                            plg_part_title (alternative->shorter_part), shorter_by);
  if (alternative->longer_by <= 0.0)
    return g_steal_pointer (&summary);
  return g_strdup_printf (_ ("%s %s takes %s more."), summary,
                          plg_part_title (alternative->longer_part), longer_by);
}
