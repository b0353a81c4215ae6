/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/advice/advice.h"
#include "engine/evaluate.h"
#include "io/reports/explanation-text.h"
#include "io/reports/plan-lines.h"
#include "io/reports/report-json.h"
#include "io/reports/similar-runs-text.h"

#include <glib/gi18n-lib.h>

PlgExit
plg_command_evaluate (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_autofree char *format = NULL;
  g_autofree char *explain = NULL;
  g_autofree char *only = NULL;
  gboolean like = FALSE;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default), json for programs, in SI base units, or lines "
          "\"key = value [unit]\" of all settings and the main figures, for git diff"),
      N_ ("text|json|lines") },
    { "explain", 0, 0, G_OPTION_ARG_STRING, &explain,
      N_ ("print the formulas, numbers and sources of the results instead of the report"),
      N_ ("all|mfu|memory|bubble|communication|run") },
    { "like", 0, 0, G_OPTION_ARG_NONE, &like,
      N_ ("print the published runs that are most like the plan, the measured values next to this "
          "engine's, instead of the report"),
      NULL },
    { "only", 0, 0, G_OPTION_ARG_STRING, &only,
      N_ ("compute and print only these sections of the text or JSON report, separated by commas: "
          "step, band, memory, run, placement, communication, findings"),
      N_ ("SECTIONS") },
    { NULL },
  };
  static const char *const panels[] = { "all",           "mfu", "memory", "bubble",
                                        "communication", "run", NULL };
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPublishedRuns) runs = NULL;
  PlgSimilarRuns similar;
  gboolean json, lines, has_similar = FALSE;
  guint sections = PLG_REPORT_ALL;
  PlgExit status;

  if (!plg_cli_parse (_ ("Prints the report of PLAN, or of the default plan: memory, step time "
                         "and its parts,\n"
                         "bubble, MFU, collectives, links and findings."),
                      entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  json = g_strcmp0 (format, "json") == 0;
  lines = g_strcmp0 (format, "lines") == 0;
  if (format != NULL && !json && !lines && !g_str_equal (format, "text"))
    return plg_cli_usage_error (_ ("--format must be text, json or lines."));
  if (explain != NULL && (json || lines || !g_strv_contains (panels, explain)))
    return plg_cli_usage_error (
        _ ("--explain must be all, mfu, memory, bubble, communication or run, and --format must be "
           "text."));
  if (like && (lines || explain != NULL))
    return plg_cli_usage_error (
        _ ("--like cannot be combined with --explain or with --format=lines."));
  if (only != NULL && (like || lines || explain != NULL))
    return plg_cli_usage_error (
        _ ("--only cannot be combined with --explain, --like or --format=lines."));
  if (only != NULL && !plg_report_sections_read (only, &sections))
    return plg_cli_usage_error (_ ("--only must list sections from %s, not “%s”."),
                                plg_report_sections_names (), only);

  status = plg_input_read (&input);
  if (status != PLG_EXIT_DONE)
    return status;
  if (json)
    plg_cli_begin_file (&input);
  report = (sections & PLG_REPORT_FINDINGS) != 0
               ? plg_evaluate_with_search (input.plan, &error)
               : plg_evaluate (input.plan,
                               (sections & PLG_REPORT_COMMUNICATION) != 0 ? PLG_EVALUATE_LINKS
                                                                          : PLG_EVALUATE_TOTALS,
                               &error);
  if (report == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (lines)
    return plg_cli_print (plg_plan_lines (input.plan, report), FALSE);
  if (explain != NULL)
    {
      const char *panel = g_str_equal (explain, "all") ? NULL : explain;

      return plg_cli_print (plg_explanation_text (input.plan, report, input.catalogue, panel),
                            TRUE);
    }
  if ((sections & PLG_REPORT_BAND) != 0)
    {
      runs = plg_published_runs_new ();
      has_similar = plg_similar_runs_find (runs, input.plan, &similar);
    }
  if (like && !has_similar)
    return plg_cli_usage_error (_ ("--like needs the profile standard, because published runs are "
                                   "compared with the standard engine."));
  if (json)
    {
      char *text = like ? plg_similar_runs_json (&similar, report->step.mfu, report->step.time)
                        : plg_report_json (input.plan, report, has_similar ? &similar : NULL,
                                           sections);

      plg_cli_end_file (&input);
      return plg_cli_print (text, FALSE);
    }
  if (like)
    return plg_cli_print (plg_similar_runs_text (&similar, report->step.mfu, report->step.time),
                          TRUE);
  return plg_cli_print (plg_report_text (input.plan, report, has_similar ? &similar : NULL,
                                         sections),
                        TRUE);
}
