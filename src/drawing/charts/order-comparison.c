/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/order-comparison.h"

#include "engine/evaluate.h"
#include "engine/report/redaction.h"
#include "plan/edit.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The order that is held against the plan's own. */
static void
find_other_order (const PlgPlan *plan,
                  const PlgPictureOptions *options,
                  PlgAxis order[PLG_N_NESTED_AXES])
{
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = plan->parallelism.order[i];

      if (options->has_other_order)
        order[i] = options->other_order[i];
      else
        order[i] = axis == PLG_AXIS_PP ? PLG_AXIS_DP : axis == PLG_AXIS_DP ? PLG_AXIS_PP : axis;
    }
}

static PlgPlan *
other_plan (const PlgPlan *plan, const PlgPictureOptions *options, GError **error)
{
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  PlgAxis order[PLG_N_NESTED_AXES];

  find_other_order (plan, options, order);
  if (!plg_edit_set_order (other, order, error))
    return NULL;
  return g_steal_pointer (&other);
}

static void
side_init (PlgOrderSide *side, const PlgPlan *plan, const PlgReport *report)
{
  *side = (PlgOrderSide) { .plan = plan, .report = report };
  side->title = plg_order_title (plan->parallelism.order, plan->parallelism.degree);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      side->hops[axis] = plg_hops_count (plan, axis);
      if (report->redaction & PLG_REDACT_HOPS)
        side->hops[axis].between_nodes = PLG_HOPS_HIDDEN;
    }
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      side->tier[row->axis] = MAX (side->tier[row->axis], row->tier);
    }
}

static gboolean
is_same_order (const PlgOrderComparison *comparison)
{
  return g_str_equal (comparison->sides[0].title, comparison->sides[1].title);
}

static gboolean
uses_same_links (const PlgOrderComparison *comparison)
{
  const PlgOrderSide *a = &comparison->sides[0], *b = &comparison->sides[1];

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (a->hops[axis].between_nodes == PLG_HOPS_HIDDEN ||
        a->hops[axis].between_nodes != b->hops[axis].between_nodes ||
        a->tier[axis] != b->tier[axis])
      return FALSE;
  return TRUE;
}

static double
step_time (const PlgOrderComparison *comparison, int side)
{
  return comparison->sides[side].report->step.time;
}

static char *
speed_describe (const PlgOrderComparison *comparison)
{
  int faster = step_time (comparison, 0) <= step_time (comparison, 1) ? 0 : 1;
  double low = step_time (comparison, faster), high = step_time (comparison, !faster);
  g_autofree char *least = plg_format_time (low), *most = plg_format_time (high);
  g_autofree char *change = plg_format_change (high, low);

  if (isnan (low) || isnan (high))
    return g_strdup ("");
  /* Nor is one faster by what nobody can see in the numbers. */
  if (!(high - low > PLG_ORDER_COMPARISON_EPSILON * high) || strcmp (least, most) == 0)
    return g_strdup_printf (_ ("Both orders take %s a step."), least);
  return g_strdup_printf (_ ("%s is faster: %s a step against %s (%s)."),
                          comparison->sides[faster].title, least, most, change);
}

char *
plg_order_comparison_summary (const PlgOrderComparison *comparison)
{
  g_autofree char *speed = NULL;
  GString *text;

  if (is_same_order (comparison))
    return g_strdup (_ ("For these degrees both are the same order."));
  speed = speed_describe (comparison);
  text = g_string_new (speed);
  if (uses_same_links (comparison))
    g_string_append_printf (text, " %s",
                            _ ("Each axis uses the same kinds of links in both, so which racks and "
                               "rails it meets decides."));
  if (comparison->sides[0].plan->placement.gpu_of_rank != NULL)
    g_string_append_printf (text, " %s", _ ("Only the left one has the ranks moved by hand."));
  return g_strchug (g_string_free (text, FALSE));
}

char *
plg_order_comparison_hops_text (const PlgOrderSide *side, PlgAxis axis)
{
  const PlgHops *hops = &side->hops[axis];

  if (hops->between_nodes == PLG_HOPS_HIDDEN)
    return g_strdup ("–");
  return g_strdup_printf (_ ("%d of %d"), hops->between_nodes, hops->total);
}

char *
plg_order_comparison_describe (const PlgOrderComparison *comparison)
{
  g_autofree char *result = plg_order_comparison_summary (comparison);
  GString *text = g_string_new (result);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *a = plg_order_comparison_hops_text (&comparison->sides[0], axis);
      g_autofree char *b = plg_order_comparison_hops_text (&comparison->sides[1], axis);

      if (comparison->sides[0].plan->parallelism.degree[axis] > 1)
        g_string_append_printf (text, _ (" %s, hops between nodes: %s against %s."),
                                plg_axis_label (axis), a, b);
    }
  return g_string_free (text, FALSE);
}

PlgPart
plg_order_comparison_part (PlgAxis axis)
{
  static const PlgPart parts[PLG_N_AXES] = { PLG_PART_TP, PLG_PART_CP, PLG_PART_EP, PLG_PART_PP,
                                             PLG_PART_DP };

  return parts[axis];
}

/* The other order hides what the plan's own report hides, or it would tell it. Where faults are
 * hidden it hides all: it was worked out without them. */
static PlgReport *
evaluate_other (const PlgPlan *other, guint redaction, GError **error)
{
  g_autoptr (PlgReport) report = plg_evaluate (other, PLG_EVALUATE_LINKS, error);

  if (report == NULL || redaction == 0)
    return g_steal_pointer (&report);
  return plg_report_redact (report,
                            redaction & PLG_REDACT_FAULTS ? redaction | PLG_REDACT_ALL : redaction);
}

PlgOrderComparison *
plg_order_comparison_new (const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options,
                          GError **error)
{
  g_autoptr (PlgPlan) other = other_plan (plan, options, error);
  g_autoptr (PlgReport) other_report = NULL;
  PlgOrderComparison *comparison;

  if (other != NULL)
    other_report = evaluate_other (other, report->redaction, error);
  if (other_report == NULL)
    return NULL;
  comparison = g_new0 (PlgOrderComparison, 1);
  side_init (&comparison->sides[0], plan, report);
  side_init (&comparison->sides[1], other, other_report);
  comparison->other = g_steal_pointer (&other);
  comparison->other_report = g_steal_pointer (&other_report);
  return comparison;
}

void
plg_order_comparison_free (PlgOrderComparison *comparison)
{
  for (int side = 0; side < 2; side++)
    g_free (comparison->sides[side].title);
  plg_plan_free (comparison->other);
  plg_report_unref (comparison->other_report);
  g_free (comparison);
}
