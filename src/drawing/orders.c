/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/orders.h"

#include "engine/evaluate.h"
#include "engine/veil.h"
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
      if (report->veil & PLG_VEIL_HOPS)
        side->hops[axis].between_nodes = PLG_HOPS_HIDDEN;
    }
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      side->tier[row->axis] = MAX (side->tier[row->axis], row->tier);
    }
}

static gboolean
is_same_order (const PlgOrders *orders)
{
  return g_str_equal (orders->sides[0].title, orders->sides[1].title);
}

static gboolean
uses_same_links (const PlgOrders *orders)
{
  const PlgOrderSide *a = &orders->sides[0], *b = &orders->sides[1];

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (a->hops[axis].between_nodes == PLG_HOPS_HIDDEN ||
        a->hops[axis].between_nodes != b->hops[axis].between_nodes ||
        a->tier[axis] != b->tier[axis])
      return FALSE;
  return TRUE;
}

static double
step_time (const PlgOrders *orders, int side)
{
  return orders->sides[side].report->step.time;
}

static char *
speed_in_words (const PlgOrders *orders)
{
  int faster = step_time (orders, 0) <= step_time (orders, 1) ? 0 : 1;
  double low = step_time (orders, faster), high = step_time (orders, !faster);
  g_autofree char *least = plg_format_time (low), *most = plg_format_time (high);
  g_autofree char *change = plg_format_change (high, low);

  if (isnan (low) || isnan (high))
    return g_strdup ("");
  /* Nor is one faster by what nobody can see in the numbers. */
  if (!(high - low > PLG_ORDERS_EQUAL * high) || strcmp (least, most) == 0)
    return g_strdup_printf (_ ("Both orders take %s a step."), least);
  return g_strdup_printf (_ ("%s is faster: %s a step against %s (%s)."),
                          orders->sides[faster].title, least, most, change);
}

char *
plg_orders_verdict (const PlgOrders *orders)
{
  g_autofree char *speed = NULL;
  GString *text;

  if (is_same_order (orders))
    return g_strdup (_ ("For these degrees both are the same order."));
  speed = speed_in_words (orders);
  text = g_string_new (speed);
  if (uses_same_links (orders))
    g_string_append_printf (text, " %s",
                            _ ("Each axis uses the same kinds of links in both, so which racks and "
                               "rails it meets decides."));
  if (orders->sides[0].plan->placement.gpu_of_rank != NULL)
    g_string_append_printf (text, " %s", _ ("Only the left one has the ranks moved by hand."));
  return g_strchug (g_string_free (text, FALSE));
}

char *
plg_orders_hops (const PlgOrderSide *side, PlgAxis axis)
{
  const PlgHops *hops = &side->hops[axis];

  if (hops->between_nodes == PLG_HOPS_HIDDEN)
    return g_strdup ("–");
  return g_strdup_printf (_ ("%d of %d"), hops->between_nodes, hops->total);
}

char *
plg_orders_describe (const PlgOrders *orders)
{
  g_autofree char *result = plg_orders_verdict (orders);
  GString *text = g_string_new (result);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *a = plg_orders_hops (&orders->sides[0], axis);
      g_autofree char *b = plg_orders_hops (&orders->sides[1], axis);

      if (orders->sides[0].plan->parallelism.degree[axis] > 1)
        g_string_append_printf (text, _ (" %s, hops between nodes: %s against %s."),
                                plg_axis_label (axis), a, b);
    }
  return g_string_free (text, FALSE);
}

PlgPart
plg_orders_part (PlgAxis axis)
{
  static const PlgPart parts[PLG_N_AXES] = { PLG_PART_TP, PLG_PART_CP, PLG_PART_EP, PLG_PART_PP,
                                             PLG_PART_DP };

  return parts[axis];
}

/* The other order hides what the plan's own report hides, or it would tell it. Where faults are
 * hidden it hides all: it was worked out without them. */
static PlgReport *
evaluate_other (const PlgPlan *other, guint veil, GError **error)
{
  g_autoptr (PlgReport) report = plg_evaluate (other, PLG_EVALUATE_LINKS, error);

  if (report == NULL || veil == 0)
    return g_steal_pointer (&report);
  return plg_report_veil (report, veil & PLG_VEIL_FAULTS ? veil | PLG_VEIL_ALL : veil);
}

PlgOrders *
plg_orders_new (const PlgPlan *plan,
                const PlgReport *report,
                const PlgPictureOptions *options,
                GError **error)
{
  g_autoptr (PlgPlan) other = other_plan (plan, options, error);
  g_autoptr (PlgReport) of_other = NULL;
  PlgOrders *orders;

  if (other != NULL)
    of_other = evaluate_other (other, report->veil, error);
  if (of_other == NULL)
    return NULL;
  orders = g_new0 (PlgOrders, 1);
  side_init (&orders->sides[0], plan, report);
  side_init (&orders->sides[1], other, of_other);
  orders->other = g_steal_pointer (&other);
  orders->of_other = g_steal_pointer (&of_other);
  return orders;
}

void
plg_orders_free (PlgOrders *orders)
{
  for (int side = 0; side < 2; side++)
    g_free (orders->sides[side].title);
  plg_plan_free (orders->other);
  plg_report_unref (orders->of_other);
  g_free (orders);
}
