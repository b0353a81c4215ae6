/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/changed-plan.h"
#include "io/reports/place-report.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_command_place (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (PlgChangedPlan) changed = { 0 };
  g_auto (PlgPlaceResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PlgExit status;
  char *text;

  status = plg_changed_plan_read (
      &changed, &input,
      _ ("Finds the nodes and GPUs on which the step of PLAN, or of the default plan, is\n"
         "fastest: given slow or failed parts, oversubscribed uplinks, and the degrees and\n"
         "nesting order of PLAN. Prints the step time before and after, a lower bound, and the\n"
         "nodes and GPUs whose ranks change places. The same plan gives the same result."),
      N_ ("Write the plan with the placement that was found to this file; - for standard output, "
          "without the text"),
      argc, argv);
  if (status != PLG_EXIT_DONE)
    return status;
  if (!plg_place_search (input.plan, NULL, &result, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (changed.is_json)
    plg_cli_begin_file (&input);
  text = changed.is_json ? plg_place_json (input.plan, &result)
                         : plg_place_text (input.plan, &result);
  if (changed.is_json)
    plg_cli_end_file (&input);
  plg_placement_copy (&input.plan->placement, &result.placement);
  return plg_changed_plan_write (&changed, &input, text);
}
