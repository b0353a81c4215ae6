/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include "drawing/export/request.h"
#include "drawing/figure/monospace-table.h"
#include "engine/advice/advice.h"
#include "io/plan/plan-xml.h"
#include "io/reports/comparison-json.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  OUTPUT_TEXT,
  OUTPUT_JSON,
  OUTPUT_PICTURE,
} OutputKind;

typedef struct
{
  OutputKind kind;
  PlgExportFormat picture; /* used only with OUTPUT_PICTURE */
  const char *path;        /* NULL for standard output */
  gboolean force;
} Output;

/* Chooses the type of the output. Prints a message and returns FALSE if --format and the extension
 * of -o contradict each other or name no type. */
static gboolean
read_output (Output *output, const char *format)
{
  static const PlgOutputType types[] = {
    [OUTPUT_TEXT] = { "text", ".txt" },
    [OUTPUT_JSON] = { "json", ".json" },
    [OUTPUT_PICTURE] = { NULL, ".svg" },
    { NULL, ".pdf" },
    { NULL, ".png" },
    { NULL, ".tex" },
    { NULL, ".drawio" },
    { NULL, NULL },
  };
  int type = plg_cli_choose_type ("--format", format, output->path, types);

  if (type < 0)
    return FALSE;
  output->kind = (OutputKind) MIN (type, (int) OUTPUT_PICTURE);
  if (output->kind == OUTPUT_PICTURE)
    plg_export_format_from_path (types[type].extension, &output->picture);
  return TRUE;
}

/* Returns the name of B for people; free with g_free(). */
static char *
name_of_b (const PlgInput *b, char **set_b)
{
  g_autofree char *changes = NULL;

  if (b->paths != NULL)
    return plg_input_name (b);
  changes = g_strjoinv (" ", set_b);
  return g_strdup_printf (_ ("A with %s"), changes);
}

/* Reads B. Without a file for B, B is A with the values of SET_B; with a file, --import and --set
 * apply to B as well. */
static PlgExit
read_b (PlgInput *b, const PlgInput *a, char **set_b)
{
  g_autoptr (GPtrArray) assignments = g_ptr_array_new ();

  *b = (PlgInput) { .kind = PLG_INPUT_FILE, .catalogue = plg_catalogue_ref (a->catalogue) };
  if (a->paths != NULL && a->paths[1] != NULL)
    {
      const char *const paths[] = { a->paths[1], NULL };

      b->paths = g_strdupv ((char **) paths);
      b->imports = g_strdupv (a->imports);
      for (int i = 0; a->assignments != NULL && a->assignments[i] != NULL; i++)
        g_ptr_array_add (assignments, g_strdup (a->assignments[i]));
    }
  else
    b->plan = plg_plan_copy (a->plan);
  for (int i = 0; set_b != NULL && set_b[i] != NULL; i++)
    g_ptr_array_add (assignments, g_strdup (set_b[i]));
  if (assignments->len > 0)
    {
      g_ptr_array_add (assignments, NULL);
      b->assignments = (char **) g_ptr_array_steal (assignments, NULL);
    }
  b->account = a->account;

  g_autofree char *name = name_of_b (b, set_b);

  b->label = g_strdup_printf (_ ("B (%s)"), name);
  return plg_input_read (b);
}

/* Appends the table of the assertions and their outcomes. */
static void
append_assertions (GString *out, const GArray *assertions, const PlgReport *const reports[2])
{
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (5);
  const char *const heads[] = { _ ("Assertion"), _ ("A"), "", _ ("B"), "" };

  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++)
    plg_monospace_table_add (table, heads[i]);
  for (guint i = 0; i < assertions->len; i++)
    {
      const PlgAssertion *assertion = &g_array_index (assertions, PlgAssertion, i);

      plg_monospace_table_add (table, assertion->text);
      for (int side = 0; side < 2; side++)
        {
          char *basis = plg_metric_basis (assertion->metric, reports[side]);

          plg_monospace_table_take (table, basis != NULL
                                               ? basis
                                               : plg_assertion_value (assertion, reports[side]));
          plg_monospace_table_add (table, plg_assertion_holds (assertion, reports[side])
                                              ? _ ("PASS")
                                              : _ ("FAIL"));
        }
    }
  plg_monospace_end_line (out);
  plg_monospace_table_write (table, out);
}

static PlgExit
write_comparison (const Output *output,
                  const PlgInput *a,
                  const PlgReport *report,
                  PlgComparedPlan *compared,
                  const GArray *assertions)
{
  const PlgReport *const reports[] = { report, compared->report };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (output->kind == OUTPUT_PICTURE)
    {
      g_auto (PlgRequest) request = { 0 };

      plg_request_init (&request, a->plan, PLG_PALETTE_LIGHT);
      request.picture = PLG_PICTURE_COMPARE;
      request.file.format = output->picture;
      request.compared = plg_compared_plan_ref (compared);
      if (output->picture == PLG_EXPORT_SVG)
        request.file.attachment = plg_plan_xml_write (a->plan, a->source);
      bytes = plg_request_export (&request, a->plan, report, &error);
      if (bytes == NULL)
        return plg_cli_fail (PLG_EXIT_FILE, "%s: %s", output->path, error->message);
    }
  else if (output->kind == OUTPUT_JSON)
    {
      const PlgComparisonSide sides[] = { { compared->name_of_open, a->plan, report },
                                          { compared->name, compared->plan, compared->report } };
      g_autoptr (GArray) differences = plg_plan_compare (a->plan, report, compared->plan,
                                                         compared->report, a->catalogue);

      bytes = plg_take_text (plg_comparison_json (sides, differences, assertions));
    }
  else
    {
      g_autofree char *text = plg_compared_plan_text (compared, a->plan, report);
      GString *out = g_string_new (text);

      append_assertions (out, assertions, reports);
      return plg_cli_write_text (output->path, g_string_free (out, FALSE), TRUE, output->force);
    }
  return plg_cli_write (output->path, bytes, output->force);
}

static PlgExit
compare (PlgInput *a, char **set_b, const Output *output, const GArray *assertions)
{
  g_auto (PlgInput) b = { 0 };
  gboolean is_for_programs = output->kind != OUTPUT_TEXT;
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgComparedPlan) compared = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name_a = NULL, *name_b = NULL;
  PlgExit status;

  name_a = plg_input_name (a);
  a->label = g_strdup_printf (_ ("A (%s)"), name_a);
  g_clear_pointer (&name_a, g_free);
  status = plg_input_read (a);
  if (status == PLG_EXIT_DONE)
    status = read_b (&b, a, set_b);
  if (status != PLG_EXIT_DONE)
    return status;

  if (is_for_programs)
    plg_cli_begin_file (a);
  name_a = plg_input_name (a);
  name_b = name_of_b (&b, set_b);
  report = plg_evaluate_with_advice (a->plan, &error);
  if (report != NULL)
    compared = plg_compared_plan_new (b.plan, 0, a->catalogue, name_a, name_b, &error);
  status = compared != NULL ? write_comparison (output, a, report, compared, assertions)
                            : plg_cli_fail (PLG_EXIT_PLAN, "%s: %s",
                                            report == NULL ? a->label : b.label, error->message);
  if (is_for_programs)
    plg_cli_end_file (a);
  for (guint i = 0; status == PLG_EXIT_DONE && i < assertions->len; i++)
    {
      const PlgAssertion *assertion = &g_array_index (assertions, PlgAssertion, i);

      if (plg_assertion_holds (assertion, report) !=
          plg_assertion_holds (assertion, compared->report))
        status = PLG_EXIT_PLAN;
    }
  return status;
}

PlgExit
plg_command_compare (int argc, char **argv)
{
  g_auto (PlgInput) a = { .kind = PLG_INPUT_FILES };
  g_auto (GStrv) texts = NULL;
  g_auto (GStrv) set_b = NULL;
  g_autofree char *format = NULL;
  g_autofree char *path = NULL;
  Output output = { 0 };
  const GOptionEntry entries[] = {
    { "set-b", 'b', 0, G_OPTION_ARG_STRING_ARRAY, &set_b,
      N_ ("Change a value of B only; without B, B is A with this change; may be repeated"),
      N_ ("KEY=VALUE") },
    { "assert", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &texts,
      N_ ("A condition to test with both plans, as in the command check; may be repeated"),
      N_ ("METRIC[<= >= < > ==]LIMIT") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      N_ ("text for people (the default) or json for programs"), N_ ("text|json") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
      N_ ("The file to write; its extension sets the type: .txt, .json, .svg, .pdf, .png, .tex or "
          ".drawio"),
      N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &output.force, N_ ("Replace an existing FILE"), NULL },
    { NULL },
  };
  g_autoptr (GArray) assertions = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  PlgAssertion fits = { 0 };
  g_autofree char *wrong = plg_assertion_read (&fits, "fits");

  g_assert (wrong == NULL);

  g_array_append_val (assertions, fits);
  if (!plg_cli_parse (_ ("Compares the plans A and B: lists all settings and figures that differ, "
                         "and draws both plans.\n"
                         "Exits with status 1 if only one of the plans fits in memory or meets an "
                         "assertion."),
                      entries, &a, argc, argv) ||
      !plg_cli_read_assertions (texts, assertions))
    return PLG_EXIT_USAGE;
  output.path = path;
  if (!read_output (&output, format))
    return PLG_EXIT_USAGE;
  if (set_b == NULL && (a.paths == NULL || a.paths[1] == NULL))
    return plg_cli_usage_error (
        _ ("Name two plans, A and B, or give the values of B with --set-b KEY=VALUE."));
  if (a.paths != NULL && a.paths[1] != NULL && g_str_equal (a.paths[0], "-") &&
      g_str_equal (a.paths[1], "-"))
    return plg_cli_usage_error (
        _ ("Only one of the plans can be standard input; save the other plan in a file."));
  return compare (&a, set_b, &output, assertions);
}
