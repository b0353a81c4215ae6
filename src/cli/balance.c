/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/evaluate.h"
#include "engine/search/balance.h"
#include "io/reports/balance-report.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_command_balance (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_autoptr (PlgPlan) balanced = NULL;
  g_autoptr (PlgReport) before = NULL;
  g_autoptr (PlgReport) after = NULL;
  g_autofree char *format = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  gboolean force = FALSE, is_json;
  PlgStageLayout layout;
  PlgBalance balance;
  PlgExit status;
  char *text;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default) or json for programs, in SI base units"),
      N_ ("text|json") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("Write the plan with the layout that was found to this file; - for standard output, "
          "without the text"),
      N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };

  if (!plg_cli_parse (
          _ ("Finds the division of the layers over the pipeline stages of PLAN, or of the default\n"
             "plan, whose longest stage takes the least time and in which every stage fits in\n"
             "memory. Prints the longest stage, the step and the memory before and after, and the\n"
             "layout in the form of Megatron-LM's --pipeline-model-parallel-layout. If the layout\n"
             "does not shorten the step, the plan stays as it is."),
          entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  if (plg_cli_choose_type (NULL, NULL, output, plg_cli_plan_types) < 0)
    return PLG_EXIT_USAGE;
  is_json = g_strcmp0 (format, "json") == 0;
  if (format != NULL && !is_json && !g_str_equal (format, "text"))
    return plg_cli_usage_error (_ ("--format must be text or json, not “%s”."), format);
  status = plg_input_read (&input);
  if (status == PLG_EXIT_DONE)
    status = plg_cli_check_output (output, force);
  if (status != PLG_EXIT_DONE)
    return status;
  before = plg_evaluate (input.plan, PLG_EVALUATE_TOTALS, &error);
  if (before == NULL || !plg_balance_layers (input.plan, &layout, &balance, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  balanced = plg_plan_copy (input.plan);
  plg_parallelism_set_layout (&balanced->parallelism, &layout);
  after = plg_evaluate (balanced, PLG_EVALUATE_TOTALS, &error);
  if (after == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (is_json)
    plg_cli_begin_file (&input);
  text = is_json ? plg_balance_json (&layout, &balance, before, after)
                 : plg_balance_text (&layout, &balance, before, after);
  if (is_json)
    plg_cli_end_file (&input);
  if (output == NULL)
    return plg_cli_print (text, !is_json);
  if (plg_cli_is_stdout (output))
    g_free (text);
  else
    status = plg_cli_print (text, !is_json);
  if (status != PLG_EXIT_DONE)
    return status;
  if (plg_balance_helps (before, after))
    plg_plan_assign (input.plan, balanced);
  return plg_cli_write_plan (&input, output, force);
}
