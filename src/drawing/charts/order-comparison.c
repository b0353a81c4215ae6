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

static void
side_init (PlgOrderSide *side, const PlgPlan *plan, const PlgReport *report)
{
  *side = (PlgOrderSide) { .plan = plan, .report = report };
  side->title = plg_order_title (plan->parallelism.order, plan->parallelism.degree);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      side->hops[axis] = plg_hops_count (plan, axis);
      if (plg_report_hides (report, PLG_REDACT_HOPS))
        side->hops[axis].between_nodes = PLG_HOPS_HIDDEN;
    }
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      side->tier[row->axis] = MAX (side->tier[row->axis], row->tier);
    }
}

char *
plg_order_comparison_summary (const PlgOrderComparison *comparison)
{
  const PlgOrderSide *sides = comparison->sides;
  double times[] = { sides[0].report->step.time, sides[1].report->step.time };
  int faster = times[0] <= times[1] ? 0 : 1;
  double low = times[faster], high = times[!faster];
  g_autofree char *least = plg_format_time (low), *most = plg_format_time (high);
  g_autofree char *change = plg_format_change (high, low);
  gboolean is_same = TRUE; /* whether every axis has the same number of hops between nodes and
                              the same slowest tier in both orders */
  GString *text;

  if (g_str_equal (sides[0].title, sides[1].title))
    return g_strdup (_ ("Both orders are the same for these degrees."));
  text = g_string_new (NULL);
  if (high - low > PLG_ORDER_COMPARISON_EPSILON * high && strcmp (least, most) != 0)
    g_string_append_printf (text, _ ("%s is faster: %s per step, compared with %s (%s)."),
                            sides[faster].title, least, most, change);
  else if (!isnan (low) && !isnan (high))
    g_string_append_printf (text, _ ("Both orders take %s per step."), least);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    is_same &= sides[0].hops[axis].between_nodes != PLG_HOPS_HIDDEN &&
               sides[0].hops[axis].between_nodes == sides[1].hops[axis].between_nodes &&
               sides[0].tier[axis] == sides[1].tier[axis];
  if (is_same)
    g_string_append_printf (text, " %s",
                            _ ("Each axis uses the same kinds of links in both orders, so any "
                               "difference comes from the racks and rails along the path."));
  if (sides[0].plan->placement.gpu_of_rank != NULL)
    g_string_append_printf (text, " %s", _ ("Ranks were moved by hand only on the left."));
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
        g_string_append_printf (text, _ (" %s, hops between nodes: %s, compared with %s."),
                                plg_axis_label (axis), a, b);
    }
  return g_string_free (text, FALSE);
}

PlgPart
plg_order_comparison_part (PlgAxis axis)
{
  static const PlgPart parts[] = {
    [PLG_AXIS_TP] = PLG_PART_TP, [PLG_AXIS_CP] = PLG_PART_CP, [PLG_AXIS_EP] = PLG_PART_EP,
    [PLG_AXIS_PP] = PLG_PART_PP, [PLG_AXIS_DP] = PLG_PART_DP,
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (parts) == PLG_N_AXES);
  return parts[axis];
}

PlgOrderComparison *
plg_order_comparison_new (const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options,
                          GError **error)
{
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  g_autoptr (PlgReport) other_report = NULL;
  guint redaction = report->redaction;
  PlgAxis order[PLG_N_NESTED_AXES];
  PlgOrderComparison *comparison;

  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = plan->parallelism.order[i];

      if (options->has_other_order)
        order[i] = options->other_order[i];
      else
        order[i] = axis == PLG_AXIS_PP ? PLG_AXIS_DP : axis == PLG_AXIS_DP ? PLG_AXIS_PP : axis;
    }
  if (!plg_edit_set_order (other, order, error))
    return NULL;
  other_report = plg_evaluate (other, PLG_EVALUATE_LINKS, error);
  if (other_report == NULL)
    return NULL;
  other_report = plg_report_redact_beside (g_steal_pointer (&other_report), redaction);
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
