/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "engine/advice/advice.h"
#include "engine/model/textbook.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/lesson-library.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

/* Appends a row to TABLE. The first three columns are 28, 12 and 12 characters wide, and the
 * last column takes the rest of the line. */
static void
append_row (GString *table, const char *a, const char *b, const char *c, const char *d)
{
  const char *cells[] = { a, b, c };
  const int widths[] = { 28, 12, 12 };

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    g_string_append_printf (table, "%s%*s", cells[i],
                            MAX (widths[i] - (int) g_utf8_strlen (cells[i], -1), 0) + 2, "");
  g_string_append_printf (table, "%s\n", d);
}

static gboolean
append_check (GString *table, const char *name, const char *value, const char *limit, gboolean pass)
{
  append_row (table, name, value, limit, pass ? _ ("PASS") : _ ("FAIL"));
  return pass;
}

/* Formats SIDE, which is the value or the limit of FINDING, with its unit. A switch, whose unit is
 * “on”, is on or off, and a number whose unit is “1” has none. Returns "–" if FINDING has neither
 * value nor limit. */
static char *
format_side (const PlgFinding *finding, double side)
{
  g_autofree char *number = plg_format_number (side, 3);

  if (finding->value == 0 && finding->limit == 0)
    return g_strdup ("–");
  if (g_strcmp0 (finding->unit, "on") == 0)
    return g_strdup (side > 0.0 ? _ ("on") : _ ("off"));
  if (g_strcmp0 (finding->unit, "1") == 0)
    return g_steal_pointer (&number);
  return g_strjoin (" ", number, finding->unit, NULL);
}

static void
append_findings (GString *table, const PlgReport *report)
{
  if (report->findings->len == 0)
    {
      g_string_append_printf (table, "\n%s\n", _ ("No findings."));
      return;
    }
  g_string_append_c (table, '\n');
  append_row (table, _ ("FINDING"), _ ("SEVERITY"), _ ("VALUE"), _ ("LIMIT"));
  for (guint i = 0; i < report->findings->len; i++)
    {
      const PlgFinding *finding = &g_array_index (report->findings, PlgFinding, i);
      g_autofree char *value = format_side (finding, finding->value);
      g_autofree char *limit = format_side (finding, finding->limit);

      append_row (table, finding->id, plg_severity_name (finding->severity), value, limit);
      g_string_append_printf (table, "  %s\n", finding->text);
      if (finding->remedy != NULL)
        g_string_append_printf (table, _ ("  Remedy: %s\n"), finding->remedy);
    }
}

static PlgExit
check (PlgInput *input, const GArray *assertions)
{
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (GString) table = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PlgExit status = plg_input_read (input);
  int failed;

  if (status == PLG_EXIT_DONE)
    report = plg_evaluate_with_search (input->plan, &error);
  if (error != NULL)
    status = plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);
  if (status == PLG_EXIT_PLAN)
    printf ("%s\n", _ ("FAIL: the plan is not valid."));
  if (status != PLG_EXIT_DONE)
    return status;

  g_autofree char *peak = plg_profile_memory_distinct (report->profile, report->memory_peak,
                                                       report->memory_capacity);
  g_autofree char *capacity = plg_profile_memory_distinct (report->profile, report->memory_capacity,
                                                           report->memory_peak);

  failed = 0;
  append_row (table, _ ("CHECK"), _ ("VALUE"), _ ("LIMIT"), _ ("RESULT"));
  failed += !append_check (table, _ ("fits in memory"), peak, capacity, report->fits);
  for (guint i = 0; i < assertions->len; i++)
    {
      const PlgAssertion *assertion = &g_array_index (assertions, PlgAssertion, i);
      g_autofree char *value = plg_assertion_value (assertion, report);
      g_autofree char *limit = plg_assertion_limit (assertion);

      failed += !append_check (table, assertion->text, value, limit,
                               plg_assertion_holds (assertion, report));
    }

  append_findings (table, report);

  for (guint i = 0; i < report->findings->len; i++)
    failed += g_array_index (report->findings, PlgFinding, i).severity == PLG_SEVERITY_ERROR;

  g_string_append_printf (table, "\n%s\n",
                          failed == 0 ? _ ("PASS") : _ ("FAIL: see the failures above."));
  status = plg_cli_print (g_string_free (g_steal_pointer (&table), FALSE), TRUE);
  if (status != PLG_EXIT_DONE)
    return status;
  return failed == 0 ? PLG_EXIT_DONE : PLG_EXIT_PLAN;
}

/* Prints each line of MESSAGE with the prefix PLACE, which is empty or a file name and a colon.
 * MESSAGE has one line per mistake. */
static PlgExit
print_lines (PlgExit status, const char *place, const char *message)
{
  g_auto (GStrv) lines = g_strsplit (message, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    plg_cli_fail (status, "%s%s", place, lines[i]);
  return status;
}

/* Checks INPUT->bytes, which contain a lesson or a glossary. */
static PlgExit
check_lesson_or_glossary (const PlgInput *input, const char *name, const GArray *assertions)
{
  GBytes *bytes = input->bytes;
  g_autofree char *place = g_strconcat (input->paths[0], ":", NULL);
  g_autoptr (GError) error = NULL;

  if (assertions->len > 0 || (input->assignments != NULL && *input->assignments != NULL))
    return plg_cli_usage_error (_ ("--set and --assert need a plan, but this file has none."));
  if (plg_lesson_detect (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)))
    {
      g_autoptr (PlgLesson) lesson = plg_lesson_read_file (bytes, name, &error);
      g_autoptr (GPtrArray) glossary = plg_lesson_glossary ();
      g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
      g_autofree char *problems = NULL;

      if (lesson == NULL)
        return print_lines (PLG_EXIT_FILE, "", error->message);
      problems = plg_lesson_check (lesson, glossary, catalogue);

      /* Format the counts, for example "5 steps, 1 question". */
      int n = plg_lesson_questions (lesson);
      g_autofree char *steps = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u step", "%u steps",
                                                             lesson->steps->len),
                                                lesson->steps->len);
      g_autofree char *questions = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d question",
                                                                 "%d questions", n),
                                                    n);

      if (problems == NULL)
        {
          g_autofree char *parts = g_strjoin (", ", steps, questions, NULL);

          return plg_cli_print (g_strdup_printf (_ ("PASS: “%s”, %s\n"), lesson->title, parts),
                                TRUE);
        }
      return print_lines (PLG_EXIT_PLAN, place, problems);
    }

  g_autoptr (GPtrArray) entries = plg_glossary_read (g_bytes_get_data (bytes, NULL),
                                                     g_bytes_get_size (bytes), &error);

  if (entries == NULL)
    return print_lines (PLG_EXIT_FILE, place, error->message);
  return plg_cli_print (g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                      "PASS: a glossary of %u entry\n",
                                                      "PASS: a glossary of %u entries\n",
                                                      entries->len),
                                         entries->len),
                        TRUE);
}

PlgExit
plg_command_check (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_auto (GStrv) texts = NULL;
  const GOptionEntry entries[] = {
    { "assert", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &texts,
      N_ ("A condition that must hold, such as 'memory<=75GiB', 'mfu>=40%' or tp-in-node; may be "
          "repeated"),
      N_ ("METRIC[<= >= < > ==]LIMIT") },
    { NULL },
  };
  g_autofree char *names = plg_metric_names ();
  g_autofree char *description = g_strdup_printf (
      _ ("Checks PLAN, or the default plan, and the assertions. Exits with status 1 if the plan\n"
         "is not valid, does not fit in memory or has a finding of severity error, or if an\n"
         "assertion fails. PLAN may be a lesson or a glossary: each mistake in it is reported\n"
         "with its line.\n"
         "\n"
         "METRIC: %s.\n"
         "Memory is in GiB and time in s when no unit is written."),
      names);
  g_autoptr (GArray) assertions = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  g_autofree char *name = NULL;

  if (!plg_cli_parse (description, entries, &input, argc, argv) ||
      !plg_cli_read_assertions (texts, assertions))
    return PLG_EXIT_USAGE;

  /* Recognise a lesson or a glossary by its content; read any other file as a plan. */
  if (input.paths != NULL && !g_str_equal (input.paths[0], "-"))
    input.bytes = plg_read_file (input.paths[0], &name, NULL);
  if (input.bytes != NULL &&
      (plg_lesson_detect (g_bytes_get_data (input.bytes, NULL), g_bytes_get_size (input.bytes)) ||
       plg_glossary_detect (g_bytes_get_data (input.bytes, NULL), g_bytes_get_size (input.bytes))))
    return check_lesson_or_glossary (&input, name, assertions);
  return check (&input, assertions);
}
