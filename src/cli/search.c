/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "cli/search-task.h"
#include "engine/search/search-words.h"
#include "io/reports/search-report.h"
#include "plan/plan-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_TOP 10
#define NOT_GIVEN G_MININT /* the value of a number whose option is absent */

/* The values of the command's options. */
typedef struct
{
  char **vary;
  char **keep;
  char **require;
  char *by;
  char *pareto;
  char *format;
  char *output;
  int top;
  int why;
  gboolean force;
} SearchArguments;

static void
search_arguments_clear (SearchArguments *arguments)
{
  g_strfreev (arguments->vary);
  g_strfreev (arguments->keep);
  g_strfreev (arguments->require);
  g_free (arguments->by);
  g_free (arguments->pareto);
  g_free (arguments->format);
  g_free (arguments->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SearchArguments, search_arguments_clear)

static PlgSearchWords
words_of (const SearchArguments *arguments)
{
  return (PlgSearchWords) { .vary = (const char *const *) arguments->vary,
                            .keep = (const char *const *) arguments->keep,
                            .require = (const char *const *) arguments->require,
                            .by = arguments->by,
                            .pareto = arguments->pareto };
}

static PlgExit
read_options (const SearchArguments *arguments,
              const PlgPlan *plan,
              GArray *requirements,
              PlgSearchOptions *options)
{
  const PlgSearchWords words = words_of (arguments);
  g_autoptr (GError) error = NULL;

  if (!plg_search_words_read (&words, plan, options, requirements, &error))
    return plg_cli_usage_error ("%s", error->message);
  if (arguments->top != NOT_GIVEN && arguments->pareto != NULL)
    return plg_cli_usage_error (_ ("--pareto lists the whole front; leave --top out."));
  if (arguments->top != NOT_GIVEN && (arguments->top < 1 || arguments->top > 10000))
    return plg_cli_usage_error (_ ("--top must be a number from 1 to 10000."));
  if (arguments->why != NOT_GIVEN && arguments->why < 1)
    return plg_cli_usage_error (_ ("--why must be the number of a listed plan, from 1."));
  options->top = arguments->top != NOT_GIVEN ? (guint) arguments->top : DEFAULT_TOP;
  if (arguments->why != NOT_GIVEN && arguments->pareto == NULL &&
      (guint) arguments->why > options->top)
    return plg_cli_usage_error (
        g_dngettext (GETTEXT_PACKAGE, "--why is %d, but only %u plan is listed; use --top %d.",
                     "--why is %d, but only %u plans are listed; use --top %d.", options->top),
        arguments->why, options->top, arguments->why);
  return PLG_EXIT_DONE;
}

static PlgExit
search (const SearchArguments *arguments, PlgInput *input)
{
  g_autoptr (GArray) requirements = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  g_autoptr (PlgSearchSpace) space = NULL;
  g_autoptr (PlgSearch) running = NULL;
  PlgSearchOptions options = { 0 };
  PlgSearchResults results;
  PlgSearchProgress progress;
  g_autoptr (GArray) listed = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  static const PlgOutputType types[] = { { "text", ".txt" },
                                         { "json", ".json" },
                                         { "csv", ".csv" },
                                         { NULL, NULL } };
  int type = plg_cli_choose_type ("--format", arguments->format, arguments->output, types);
  gboolean is_json = type == 1, is_csv = type == 2;
  PlgSearchWords words;
  g_autoptr (GError) error = NULL;
  char *text;
  PlgExit status;

  if (type < 0)
    return PLG_EXIT_USAGE;
  if (is_csv && arguments->why != NOT_GIVEN)
    return plg_cli_usage_error (_ ("--why has no effect on a CSV table; use text or json."));
  status = plg_input_read (input);
  if (status == PLG_EXIT_DONE && !plg_plan_check_values (input->plan, &error))
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (status == PLG_EXIT_DONE)
    status = read_options (arguments, input->plan, requirements, &options);
  if (status != PLG_EXIT_DONE)
    return status;
  space = plg_search_space_new (input->plan);
  words = words_of (arguments);
  if (!plg_search_words_apply (&words, space, input->catalogue, &error))
    return plg_cli_usage_error ("%s", error->message);
  status = plg_cli_check_output (arguments->output, arguments->force);
  if (status != PLG_EXIT_DONE)
    return status;

  plg_cli_report_kept_layout (space, input->plan);
  running = plg_search_new (g_steal_pointer (&space), &options);
  plg_cli_run_search (running);
  if (arguments->pareto != NULL)
    plg_search_snapshot (running, &progress, NULL, listed, NULL);
  else
    plg_search_snapshot (running, &progress, listed, NULL, NULL);
  if (progress.is_complete && progress.illegal == progress.plans)
    {
      g_autoptr (GError) reason = plg_search_space_explain (plg_search_get_space (running));

      return plg_cli_fail (PLG_EXIT_PLAN, "%s", reason->message);
    }
  results = (PlgSearchResults) { running, input->plan, input->catalogue, &options,
                                 arguments->why != NOT_GIVEN ? (guint) arguments->why : 0 };
  if (is_json || is_csv)
    plg_cli_begin_file (input);
  text = is_json ? plg_search_json (&results)
                 : (is_csv ? plg_search_csv (&results) : plg_search_text (&results));
  if (is_json || is_csv)
    plg_cli_end_file (input);
  status = plg_cli_write_text (arguments->output, text, !is_json && !is_csv, arguments->force);
  if (status == PLG_EXIT_DONE && !progress.is_complete)
    return plg_cli_fail (
        PLG_EXIT_INTERRUPTED,
        _ ("The search was interrupted after %.0f %% of its plans, so there may be better plans than "
           "those listed."),
        100.0 * progress.share_done);
  if (status == PLG_EXIT_DONE && listed->len == 0)
    return PLG_EXIT_PLAN;
  if (status == PLG_EXIT_DONE && arguments->why > (int) listed->len)
    return plg_cli_usage_error (g_dngettext (GETTEXT_PACKAGE,
                                             "--why is %d, but the search found only %u plan.",
                                             "--why is %d, but the search found only %u plans.",
                                             listed->len),
                                arguments->why, listed->len);
  return status;
}

PlgExit
plg_command_search (int argc, char **argv)
{
  g_auto (PlgInput) input = { .only_values = TRUE };
  g_auto (SearchArguments) arguments = { .top = NOT_GIVEN, .why = NOT_GIVEN };
  const GOptionEntry entries[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.vary,
      N_ ("Try these values of a setting; V may be a range such as 2..8. Without values, try all; "
          "may be repeated"),
      N_ ("KEY[=V,…]") },
    { "keep", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.keep,
      N_ ("Hold a setting at its value in PLAN; may be repeated"), N_ ("KEY") },
    { "require", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.require,
      N_ ("A condition that each plan must meet, such as 'memory<=70GiB'; may be repeated"),
      N_ ("METRIC[<= >= < > ==]LIMIT") },
    { "by", 0, 0, G_OPTION_ARG_STRING, &arguments.by,
      N_ ("The metric that ranks the plans (default: step-time)"), N_ ("METRIC") },
    { "top", 0, 0, G_OPTION_ARG_INT, &arguments.top,
      N_ ("The number of best plans to list (default: 10)"), N_ ("N") },
    { "pareto", 0, 0, G_OPTION_ARG_STRING, &arguments.pareto,
      N_ ("List the plans that no other plan beats in both metrics"), N_ ("METRIC,METRIC") },
    { "why", 0, 0, G_OPTION_ARG_INT, &arguments.why,
      N_ ("Explain by which changes listed plan N differs from PLAN, and what each change saves"),
      N_ ("N") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &arguments.format,
      N_ ("text for people, or json or csv for programs, in SI base units (default: as the "
          "extension of -o FILE, or text)"),
      N_ ("text|json|csv") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output,
      N_ ("The output file; standard output if omitted or -"), N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &arguments.force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };
  g_autofree char *names = plg_metric_names ();
  g_autofree char *description = g_strdup_printf (
      _ ("Finds the best plans for the model and the cluster of PLAN, or of the default plan.\n"
         "Tries all legal values of TP, CP, EP, ETP, PP, DP, replicate (HSDP), nesting order,\n"
         "micro-batch, schedule, chunks, recompute, ZeRO stage and sequence parallelism. Skips a\n"
         "plan only if the plan does not fit in memory, or if a lower bound shows that the plan is\n"
         "too slow. The degrees, batch and schedule of PLAN need not be legal. Exits with status 1\n"
         "if no plan is legal, fits in memory and meets the requirements. Ctrl+C ends the search and\n"
         "lists the best plans so far, with status 130.\n"
         "\n"
         "METRIC: %s."),
      names);

  if (!plg_cli_parse (description, entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  return search (&arguments, &input);
}
