/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/layer-balance.h"

#include "engine/search/balance.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* Returns "198 ms → 191 ms", or "198 ms as before" if the times are the same. */
static char *
describe_times (double before, double after)
{
  g_autofree char *from = plg_format_time_distinct (before, after);
  g_autofree char *to = plg_format_time_distinct (after, before);

  if (g_str_equal (from, to))
    return g_strdup_printf (_ ("%s as before"), to);
  return g_strdup_printf ("%s → %s", from, to);
}

PlgPlan *
plg_layer_balance (const PlgPlan *plan, gboolean hides_time, char **text, GError **error)
{
  g_auto (PlgBalanceResult) result = { 0 };
  g_autofree char *longest = NULL, *step = NULL, *least = NULL;

  if (!plg_balance_plan (plan, &result, error))
    return NULL;
  longest = describe_times (result.longest.before, result.longest.after);
  step = describe_times (result.before->step.time, result.after->step.time);
  least = plg_format_time (result.longest.after);
  switch (result.outcome)
    {
    case PLG_BALANCE_EVEN:
      *text = hides_time ? g_strdup (_ ("The layers are balanced already"))
                         : g_strdup_printf (_ ("The layers are balanced already: in every layout "
                                               "that fits in memory, the longest stage takes at "
                                               "least %s per micro-batch"),
                                            least);
      return NULL;
    case PLG_BALANCE_NOT_SHORTER:
      *text = hides_time
                  ? g_strdup (_ ("The balanced layout would not shorten the step; nothing has "
                                 "changed"))
                  : g_strdup_printf (_ ("The balanced layout would not shorten the step: longest "
                                        "stage %s, step %s; nothing has changed"),
                                     longest, step);
      return NULL;
    case PLG_BALANCE_FITS:
    case PLG_BALANCE_SHORTER:
    default:
      if (hides_time)
        *text = g_strdup (_ ("The layers are balanced"));
      else if (result.outcome == PLG_BALANCE_FITS)
        *text = g_strdup_printf (_ ("Every stage fits in memory now. Longest stage %s, step %s"),
                                 longest, step);
      else
        *text = g_strdup_printf (_ ("Longest stage %s, step %s"), longest, step);
      return g_steal_pointer (&result.plan);
    }
}
