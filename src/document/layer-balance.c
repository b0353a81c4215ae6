/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/layer-balance.h"

#include "engine/evaluate.h"
#include "engine/search/balance.h"
#include "io/reports/balance-report.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* A relative difference of times below this is a rounding error. */
#define ROUNDING 1e-9

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
  g_autoptr (PlgPlan) balanced = plg_plan_copy (plan);
  g_autoptr (PlgReport) before = NULL, after = NULL;
  g_autofree char *longest = NULL, *step = NULL;
  PlgStageLayout layout;
  PlgBalance balance;
  gboolean makes_fit;

  if (!plg_balance_layers (plan, &layout, &balance, error))
    return NULL;
  plg_parallelism_set_layout (&balanced->parallelism, &layout);
  before = plg_evaluate (plan, PLG_EVALUATE_TOTALS, error);
  if (before == NULL)
    return NULL;
  after = plg_evaluate (balanced, PLG_EVALUATE_TOTALS, error);
  if (after == NULL)
    return NULL;

  makes_fit = !before->fits && after->fits;
  if (!makes_fit && balance.after >= balance.before * (1 - ROUNDING))
    {
      longest = plg_format_time (balance.after);
      *text = hides_time ? g_strdup (_ ("The layers are balanced already"))
                         : g_strdup_printf (_ ("The layers are balanced already: in every layout "
                                               "that fits in memory, the longest stage takes at "
                                               "least %s per micro-batch"),
                                            longest);
      return NULL;
    }
  longest = describe_times (balance.before, balance.after);
  step = describe_times (before->step.time, after->step.time);
  if (!plg_balance_helps (before, after))
    {
      *text = hides_time
                  ? g_strdup (_ ("The balanced layout would not shorten the step; nothing has "
                                 "changed"))
                  : g_strdup_printf (_ ("The balanced layout would not shorten the step: longest "
                                        "stage %s, step %s; nothing has changed"),
                                     longest, step);
      return NULL;
    }
  if (hides_time)
    *text = g_strdup (_ ("The layers are balanced"));
  else if (makes_fit)
    *text = g_strdup_printf (_ ("Every stage fits in memory now. Longest stage %s, step %s"),
                             longest, step);
  else
    *text = g_strdup_printf (_ ("Longest stage %s, step %s"), longest, step);
  return g_steal_pointer (&balanced);
}
