/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/order-comparison.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The comparison of two plans or of two nesting orders as monospace text. The tables of two
 * nesting orders are one below the other. */

#define COLUMNS 5

static void
add_side (GString *out, const PlgOrderSide *side, gboolean is_own)
{
  const char *const heads[COLUMNS] = { "", _ ("ranks apart"), _ ("hops between nodes"),
                                       _ ("slowest link"), _ ("not hidden") };
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (COLUMNS);
  g_autofree char *time = plg_format_time (side->report->step.time);
  g_autofree char *share = plg_format_share (side->report->step.mfu);

  for (int column = 0; column < COLUMNS; column++)
    plg_monospace_table_add (table, heads[column]);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (side->plan->parallelism.degree[axis] > 1)
      {
        double not_hidden = side->report->step.part[plg_order_comparison_part (axis)];
        /* EP has no position of its own in the nesting order, so the table gives no distance
         * between the ranks of an EP group. */
        int stride = axis == PLG_AXIS_EP ? 0 : plg_axis_stride (&side->plan->parallelism, axis);

        plg_monospace_table_add (table, plg_axis_label (axis));
        plg_monospace_table_take (table,
                                  stride == 0 ? g_strdup ("–") : g_strdup_printf ("%d", stride));
        plg_monospace_table_take (table, plg_order_comparison_hops_text (side, axis));
        plg_monospace_table_add (table, plg_tier_title (&side->plan->cluster, side->tier[axis]));
        plg_monospace_table_take (table, plg_format_time (not_hidden));
      }
  plg_monospace_end_line (out);
  plg_monospace_add_line (out, "%s%s%s%s", side->title, is_own ? " (" : "",
                          is_own ? _ ("this plan") : "", is_own ? ")" : "");
  plg_monospace_table_write (table, out);
  plg_monospace_add_line (out, _ ("step %s, MFU %s"), time, share);
}

void
plg_ascii_add_compare (GString *out,
                       const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgOrderComparison) comparison = NULL;
  g_autofree char *summary = NULL, *text = NULL;
  const PlgOrderSide *sides;

  if (options->compared != NULL)
    {
      text = plg_compared_plan_text (options->compared, plan, report);
      g_string_append (out, text);
      return;
    }
  comparison = plg_order_comparison_new (plan, report, options, &error);
  if (comparison == NULL)
    {
      plg_monospace_add_paragraph (out, error->message);
      return;
    }
  sides = comparison->sides;
  summary = plg_order_comparison_summary (comparison);
  plg_monospace_add_paragraph (out, summary);
  /* Without nested axes there is no table. If both sides have the same nesting order, there is
   * only one table. */
  if (*sides[0].title != '\0')
    add_side (out, &sides[0], TRUE);
  if (*sides[0].title != '\0' && !g_str_equal (sides[0].title, sides[1].title))
    add_side (out, &sides[1], FALSE);
}
