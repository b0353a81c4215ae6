/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "cli/long-task.h"
#include "engine/advice/advice.h"
#include "engine/solve.h"
#include "plan/settings/setting-describe.h"
#include "syntax/json-writer.h"

#include <glib/gi18n-lib.h>

/* Appends the limit of each condition and the value of the plan with the solution. */
static void
append_conditions (GString *out, const PlgSolveQuestion *question, const PlgReport *report)
{
  for (int i = 0; i < question->n_conditions; i++)
    {
      const PlgAssertion *condition = &question->conditions[i];
      g_autofree char *sentence = plg_assertion_sentence (condition, report);

      g_string_append_printf (out, "  %s\n", sentence);
    }
}

/* Appends a sentence about the values that were tried. */
static void
append_method (GString *out, const PlgSolution *solution)
{
  g_string_append_printf (out,
                          g_dngettext (GETTEXT_PACKAGE,
                                       "Tried %d value: ", "Tried %d values: ", solution->tried),
                          solution->tried);
  g_string_append_printf (
      out, "%s\n",
      !solution->is_exhaustive
          ? (solution->is_found
                 ? _ ("values that double, then values closer and closer to the limit.")
                 : _ ("values that double."))
      : !solution->is_found
          ? (solution->step > 0 ? _ ("every whole number in the range of the setting.")
                                : _ ("every number with three significant digits in the range "
                                     "of the setting."))
      : solution->step > 0
          ? _ ("every whole number up to the answer, from the wanted end.")
          : _ ("every number with three significant digits up to the answer, from the wanted end."));
}

/* Returns VALUE of SETTING with its unit; free with g_free(). */
static char *
with_unit (const PlgSetting *setting, const char *value)
{
  return g_strjoin (" ", value, plg_setting_unit (setting, value), NULL);
}

static char *
solution_text (const PlgInput *input, const PlgSolveQuestion *question, const PlgSolution *solution)
{
  const char *key = question->setting->key;
  g_autoptr (GString) out = g_string_new (NULL);

  if (!solution->is_found)
    {
      g_string_append_printf (out, _ ("No value of %s meets the conditions."), key);
      if (solution->value != NULL)
        {
          g_autofree char *closest = with_unit (question->setting, solution->value);

          g_string_append_printf (out, _ (" The closest is %s. %s"), closest, solution->reason);
        }
      g_string_append_c (out, '\n');
      append_method (out, solution);
      return g_string_free (g_steal_pointer (&out), FALSE);
    }

  g_autoptr (PlgPlan) plan = plg_plan_copy (input->plan);
  g_autofree char *assignment = g_strdup_printf ("%s=%s", key, solution->value);
  const char *const assignments[] = { assignment, NULL };
  g_autofree char *value = with_unit (question->setting, solution->value);
  g_autofree char *neighbour = solution->neighbour != NULL
                                   ? with_unit (question->setting, solution->neighbour)
                                   : NULL;
  g_autoptr (PlgReport) report = NULL;

  g_string_append_printf (out,
                          question->goal == PLG_SOLVE_SMALLEST
                              ? _ ("%s=%s is the smallest value that meets the conditions.\n")
                              : _ ("%s=%s is the largest value that meets the conditions.\n"),
                          key, value);
  if (plg_settings_apply (plan, input->catalogue, assignments, NULL))
    report = plg_evaluate_with_advice (plan, NULL);
  if (report != NULL)
    append_conditions (out, question, report);
  if (neighbour != NULL)
    g_string_append_printf (out,
                            question->goal == PLG_SOLVE_SMALLEST
                                ? _ ("The next smaller value fails, %s: %s\n")
                                : _ ("The next larger value fails, %s: %s\n"),
                            neighbour, solution->neighbour_reason);
  else
    g_string_append_printf (out, "%s\n", _ ("No further value exists."));
  append_method (out, solution);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
solution_json (const PlgSolveQuestion *question, const PlgSolution *solution)
{
  PlgJsonWriter json = { .out = g_string_new (NULL) };

  plg_json_begin (&json, NULL, '{', TRUE);
  plg_json_add_number (&json, "format", 1);
  plg_json_add_string (&json, "key", question->setting->key);
  plg_json_add_string (&json, "goal",
                       question->goal == PLG_SOLVE_SMALLEST ? "smallest" : "largest");
  plg_json_add_boolean (&json, "found", solution->is_found);
  plg_json_add_string (&json, solution->is_found ? "value" : "closest", solution->value);
  if (solution->reason != NULL)
    plg_json_add_string (&json, "reason", solution->reason);
  if (solution->neighbour != NULL)
    {
      plg_json_begin (&json, "next", '{', FALSE);
      plg_json_add_string (&json, "value", solution->neighbour);
      plg_json_add_string (&json, "reason", solution->neighbour_reason);
      plg_json_end (&json, '}');
    }
  plg_json_add_boolean (&json, "exhaustive", solution->is_exhaustive);
  plg_json_add_number (&json, "tried", solution->tried);
  plg_json_end (&json, '}');
  return plg_json_take (&json);
}

/* A question that is being answered. */
typedef struct
{
  const PlgInput *input;
  PlgSolveQuestion question;
  gint is_cancelled; /* atomic */
  PlgSolution *solution;
  GError *error;
} Solving;

static void
run_cb (gpointer data)
{
  Solving *solving = data;

  solving->solution = plg_solve (solving->input->plan, solving->input->catalogue,
                                 &solving->question, &solving->error);
}

static void
cancel_cb (gpointer data)
{
  g_atomic_int_set (&((Solving *) data)->is_cancelled, TRUE);
}

/* Answers QUESTION. Returns NULL with ERROR if the question cannot be answered, and NULL without an
 * error after Ctrl+C. */
static PlgSolution *
solve (const PlgInput *input, const PlgSolveQuestion *question, GError **error)
{
  Solving solving = { .input = input, .question = *question };
  const PlgLongTask task = { &solving, run_cb, cancel_cb, NULL };

  solving.question.is_cancelled = &solving.is_cancelled;
  plg_cli_run_long_task (&task);
  if (solving.error != NULL)
    g_propagate_error (error, solving.error);
  return solving.solution;
}

PlgExit
plg_command_solve (int argc, char **argv)
{
  g_auto (PlgInput) input = { .n_leading = 1, .only_values = TRUE };
  g_auto (GStrv) texts = NULL;
  g_autofree char *key = NULL, *format = NULL, *first = NULL;
  gboolean is_largest = FALSE, is_smallest = FALSE;
  const GOptionEntry entries[] = {
    { "for", 0, 0, G_OPTION_ARG_STRING, &key,
      N_ ("The setting to solve for, such as cluster.nodes or training.sequence"), N_ ("KEY") },
    { "assert", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &texts,
      N_ ("Another condition that must hold, as in `check`; may be repeated"),
      N_ ("METRIC[<= >= < > ==]LIMIT") },
    { "smallest", 0, 0, G_OPTION_ARG_NONE, &is_smallest,
      N_ ("Find the smallest value (the default for cluster and parallelism)"), NULL },
    { "largest", 0, 0, G_OPTION_ARG_NONE, &is_largest,
      N_ ("Find the largest value (the default for model and training)"), NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default) or json for programs"), "text|json" },
    { NULL },
  };
  g_autoptr (GArray) conditions = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  g_autoptr (PlgSolution) solution = NULL;
  g_autoptr (GError) error = NULL;
  PlgSolveQuestion question = { 0 };
  PlgExit status;
  gboolean is_json;

  if (!plg_cli_parse (_ ("Finds the smallest or largest value of a setting for which PLAN, or the "
                         "default plan,\n"
                         "meets CONDITION, such as 'days<=30' or fits. The plan must also fit in "
                         "memory.\n"
                         "DP follows the number of GPUs. Exits with status 1 if there is no such "
                         "value."),
                      entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  is_json = g_strcmp0 (format, "json") == 0;
  if (format != NULL && !is_json && !g_str_equal (format, "text"))
    return plg_cli_usage_error (_ ("--format must be text or json."));
  if (input.paths == NULL)
    return plg_cli_usage_error (
        _ ("Write a condition first, as in: parallelogram-cli solve 'days<=30' --for "
           "cluster.nodes"));
  if (key == NULL)
    return plg_cli_usage_error (_ ("--for KEY is missing; write, for example, --for "
                                   "cluster.nodes."));
  if (is_largest && is_smallest)
    return plg_cli_usage_error (_ ("--smallest and --largest exclude each other; give only one of "
                                   "them."));

  /* The first argument is a condition; an optional plan follows. */
  first = g_steal_pointer (&input.paths[0]);
  input.paths[0] = g_steal_pointer (&input.paths[1]);
  if (input.paths[0] == NULL)
    g_clear_pointer (&input.paths, g_strfreev);
  for (int i = -1; i < 0 || (texts != NULL && texts[i] != NULL); i++)
    {
      const char *text = i < 0 ? first : texts[i];
      PlgAssertion condition = { 0 };
      g_autofree char *wrong = plg_assertion_read (&condition, text);

      if (wrong != NULL)
        return plg_cli_usage_error ("'%s': %s", text, wrong);
      g_array_append_val (conditions, condition);
    }
  question.setting = plg_setting_find (key);
  if (question.setting == NULL)
    {
      g_autofree char *similar = plg_setting_suggest (key);

      if (similar == NULL)
        return plg_cli_usage_error (_ ("--for: there is no key “%s”; use, for example, "
                                       "cluster.nodes."),
                                    key);
      return plg_cli_usage_error (_ ("--for: there is no key “%s”. Similar keys: %s."), key,
                                  similar);
    }
  question.goal = is_largest    ? PLG_SOLVE_LARGEST
                  : is_smallest ? PLG_SOLVE_SMALLEST
                                : plg_solve_default_goal (question.setting);
  question.conditions = (const PlgAssertion *) (gconstpointer) conditions->data;
  question.n_conditions = (int) conditions->len;
  status = plg_input_read (&input);
  if (status != PLG_EXIT_DONE)
    return status;

  if (is_json)
    plg_cli_begin_file (&input);
  solution = solve (&input, &question, &error);
  if (is_json)
    plg_cli_end_file (&input);
  if (error != NULL)
    return plg_cli_usage_error ("%s", error->message);
  if (solution == NULL)
    return plg_cli_fail (PLG_EXIT_INTERRUPTED,
                         _ ("The command was interrupted before it found an answer."));
  if (solution->lost_layout)
    plg_cli_report_lost_layout ();
  status = is_json ? plg_cli_print (solution_json (&question, solution), FALSE)
                   : plg_cli_print (solution_text (&input, &question, solution), TRUE);
  if (status != PLG_EXIT_DONE)
    return status;
  return solution->is_found ? PLG_EXIT_DONE : PLG_EXIT_PLAN;
}
