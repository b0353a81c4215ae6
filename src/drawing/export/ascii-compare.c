/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/order-comparison.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* Two orders in letters: a table of each, one below the other. */

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
        double axis_time = side->report->step.part[plg_order_comparison_part (axis)];
        g_autofree char *hops = plg_order_comparison_hops_text (side, axis),
                        *hidden = plg_format_time (axis_time);
        /* Expert groups have no place of their own in the order. */
        g_autofree char *apart = axis == PLG_AXIS_EP
                                     ? g_strdup ("–")
                                     : g_strdup_printf ("%d",
                                                        plg_axis_stride (&side->plan->parallelism,
                                                                         axis));

        plg_monospace_table_add (table, plg_axis_label (axis));
        plg_monospace_table_add (table, apart);
        plg_monospace_table_add (table, hops);
        plg_monospace_table_add (table, plg_tier_title (&side->plan->cluster, side->tier[axis]));
        plg_monospace_table_add (table, hidden);
      }
  plg_monospace_end_line (out);
  plg_monospace_add_line (out, "%s%s%s%s", side->title, is_own ? " (" : "",
                          is_own ? _ ("this plan") : "", is_own ? ")" : "");
  plg_monospace_table_write (table, out);
  plg_monospace_add_line (out, _ ("step %s, MFU %s"), time, share);
}

/* How many of the sides say something: one where both are the same, none where nothing is nested.
 */
static int
sides_of (const PlgOrderComparison *comparison)
{
  if (*comparison->sides[0].title == '\0')
    return 0;
  return g_str_equal (comparison->sides[0].title, comparison->sides[1].title) ? 1 : 2;
}

void
plg_ascii_add_compare (GString *out,
                       const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgOrderComparison)
                 comparison = plg_order_comparison_new (plan, report, options, &error);
  g_autofree char *verdict = comparison != NULL ? plg_order_comparison_summary (comparison) : NULL;

  plg_monospace_add_paragraph (out, comparison != NULL ? verdict : error->message);
  for (int side = 0; comparison != NULL && side < sides_of (comparison); side++)
    add_side (out, &comparison->sides[side], side == 0);
}
