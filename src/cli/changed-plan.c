/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/changed-plan.h"

#include "engine/advice/advice.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_changed_plan_read (PlgChangedPlan *changed,
                       PlgInput *input,
                       const char *description,
                       const char *output_help,
                       int argc,
                       char **argv)
{
  g_autofree char *format = NULL;
  PlgExit status;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default) or json for programs, in SI base units"),
      N_ ("text|json") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &changed->output, output_help, N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &changed->force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };

  if (!plg_cli_parse (description, entries, input, argc, argv) ||
      plg_cli_choose_type (NULL, NULL, changed->output, plg_cli_plan_types) < 0)
    return PLG_EXIT_USAGE;
  changed->is_json = g_strcmp0 (format, "json") == 0;
  if (format != NULL && !changed->is_json && !g_str_equal (format, "text"))
    return plg_cli_usage_error (_ ("--format must be text or json, not “%s”."), format);
  if (format != NULL && changed->output != NULL && plg_cli_is_stdout (changed->output))
    return plg_cli_usage_error (_ ("--format has no effect with -o -, which writes the plan; leave "
                                   "one of them out."));
  status = plg_input_read (input);
  return status == PLG_EXIT_DONE ? plg_cli_check_output (changed->output, changed->force) : status;
}

/* Writes the plan of INPUT as plan XML. */
static PlgExit
write_plan (PlgInput *input, const char *path, gboolean force)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (input->plan, &error);
  g_autoptr (GBytes) bytes = NULL;

  if (report != NULL)
    {
      PlgExportContext export = { .plan = input->plan, .report = report, .source = input->source };

      plg_cli_begin_file (input);
      bytes = plg_format_write (plg_format_find ("xml"), &export, &error);
      plg_cli_end_file (input);
    }
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  return plg_cli_write (path, bytes, force);
}

PlgExit
plg_changed_plan_write (const PlgChangedPlan *changed, PlgInput *input, char *text)
{
  PlgExit status = PLG_EXIT_DONE;

  if (changed->output != NULL && plg_cli_is_stdout (changed->output))
    g_free (text);
  else
    status = plg_cli_print (text, !changed->is_json);
  if (status != PLG_EXIT_DONE || changed->output == NULL)
    return status;
  return write_plan (input, changed->output, changed->force);
}

void
plg_changed_plan_clear (PlgChangedPlan *changed)
{
  g_clear_pointer (&changed->output, g_free);
}
