/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/search/place.h"
#include "io/reports/place-report.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_command_place (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (PlgPlaceResult) result = { 0 };
  g_autofree char *format = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  gboolean force = FALSE, is_json;
  char *text;
  PlgExit status;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default) or json for programs, in SI base units"),
      N_ ("text|json") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("Write the plan with the placement that was found to this file; - for standard output, "
          "without the text"),
      N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };

  if (!plg_cli_parse (
          _ ("Finds the nodes and GPUs on which the step of PLAN, or of the default plan, is\n"
             "fastest: given slow or failed parts, oversubscribed uplinks, and the degrees and\n"
             "nesting order of PLAN. Prints the step time before and after, a lower bound, and the\n"
             "nodes and GPUs whose ranks change places. The same plan gives the same result."),
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
  if (!plg_place_search (input.plan, NULL, &result, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (is_json)
    plg_cli_begin_file (&input);
  text = is_json ? plg_place_json (input.plan, &result) : plg_place_text (input.plan, &result);
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
  plg_placement_copy (&input.plan->placement, &result.placement);
  return plg_cli_write_plan (&input, output, force);
}
