/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/changed-plan.h"
#include "io/reports/balance-report.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_command_balance (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (PlgChangedPlan) changed = { 0 };
  g_auto (PlgBalanceResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PlgExit status;
  char *text;

  status = plg_changed_plan_read (
      &changed, &input,
      _ ("Finds the division of the layers over the pipeline stages of PLAN, or of the default\n"
         "plan, whose longest stage takes the least time and in which every stage fits in\n"
         "memory. Prints the longest stage, the step and the memory before and after, and the\n"
         "layout in the form of Megatron-LM's --pipeline-model-parallel-layout. If the layout\n"
         "does not shorten the step, the plan stays as it is."),
      N_ ("Write the plan with the layout that was found to this file; - for standard output, "
          "without the text"),
      argc, argv);
  if (status != PLG_EXIT_DONE)
    return status;
  if (!plg_balance_plan (input.plan, &result, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (changed.is_json)
    plg_cli_begin_file (&input);
  text = changed.is_json ? plg_balance_json (&result) : plg_balance_text (&result);
  if (changed.is_json)
    plg_cli_end_file (&input);
  if (result.outcome == PLG_BALANCE_SHORTER || result.outcome == PLG_BALANCE_FITS)
    plg_plan_assign (input.plan, result.plan);
  return plg_changed_plan_write (&changed, &input, text);
}
