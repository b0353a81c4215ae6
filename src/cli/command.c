/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "io/plan/catalogue-xml.h"
#include "plan/fault.h"
#include "plan/plan-check.h"
#include "plan/text/text-sanitize.h"
#include "plan/settings/setting.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A longer word of a message is cut to its first and last characters. */
#define MAX_WORD 300
#define WORD_START 100
#define WORD_END 50

/* Returns TEXT with long words cut, so that a value of 100 KB does not hide the remedy. Free with
 * g_free(). */
static char *
shorten_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (int i = 0; words[i] != NULL; i++)
    {
      g_autofree char *word = words[i];
      glong length = g_utf8_strlen (word, -1);
      g_autofree char *start = g_utf8_substring (word, 0, MIN (length, WORD_START));
      const char *end = g_utf8_offset_to_pointer (word, MAX (length - WORD_END, 0));

      words[i] = length > MAX_WORD ? g_strconcat (start, "…", end, NULL) : g_steal_pointer (&word);
    }
  return g_strjoinv (" ", words);
}

PlgExit
plg_cli_fail (PlgExit status, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *valid = NULL;
  g_autofree char *shown = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  valid = plg_text_sanitize (message);
  shown = shorten_words (valid);
  fprintf (stderr, "%s: %s\n", PLG_PROGRAM, shown);
  return status;
}

PlgExit
plg_cli_usage_error (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  plg_cli_fail (PLG_EXIT_USAGE, "%s", message);
  fprintf (stderr, _ ("Usage: %s [OPTION…]; --help lists the options.\n"), g_get_prgname ());
  return PLG_EXIT_USAGE;
}

gboolean
plg_cli_read_assertions (char **texts, GArray *assertions)
{
  for (int i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      PlgAssertion assertion = { 0 };
      g_autofree char *wrong = plg_assertion_read (&assertion, texts[i]);

      if (wrong != NULL)
        {
          plg_cli_usage_error ("--assert '%s': %s", texts[i], wrong);
          return FALSE;
        }
      g_array_append_val (assertions, assertion);
    }
  return TRUE;
}

void
plg_cli_begin_file (const PlgInput *input)
{
  if (input->language == NULL)
    setlocale (LC_MESSAGES, "C");
}

void
plg_cli_end_file (const PlgInput *input)
{
  if (input->language == NULL)
    setlocale (LC_MESSAGES, "");
}

/* Prints a message about the first value of an option in ARGV that is not in the character set of
 * the locale. File names may have any bytes. */
static void
report_encoding (char **argv)
{
  const char *charset;
  gboolean is_utf8 = g_get_charset (&charset);
  int wrong = 1;

  for (int i = 1; argv[i] != NULL; i++)
    {
      gboolean is_value = *argv[i] == '-' || *argv[i - 1] == '-';
      g_autofree char *text = is_value ? g_locale_to_utf8 (argv[i], -1, NULL, NULL, NULL) : NULL;

      wrong = i;
      if (is_value && text == NULL)
        break;
    }
  if (is_utf8)
    plg_cli_usage_error (_ ("Argument %d, “%s”, is not valid UTF-8; write it in UTF-8."), wrong,
                         argv[wrong]);
  else
    plg_cli_usage_error (_ ("Argument %d, “%s”, has characters that the character set of the "
                            "locale, %s, does not have; set LC_ALL=C.UTF-8."),
                         wrong, argv[wrong], charset);
}

gboolean
plg_cli_parse (const char *description,
               const GOptionEntry *entries,
               PlgInput *input,
               int argc,
               char **argv)
{
  gboolean help = FALSE;
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *name = g_strconcat (PLG_PROGRAM, " ", argv[0], NULL);
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_pair = input->kind == PLG_INPUT_FILES;

  g_set_prgname (name);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, description);
  /* GLib's own help does not report write errors, so this program prints the help itself. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);

  /* Builds the options that all commands share: the plan options that INPUT needs, then
   * --language and --help. */
  const GOptionEntry changes[] = {
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &input->assignments,
      N_ ("Change a value of the plan, such as parallelism.tp=4; may be repeated"),
      N_ ("KEY=VALUE") },
    { NULL },
  };
  const GOptionEntry files[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &input->paths, NULL,
      is_pair                ? N_ ("A [B]")
      : input->n_leading > 0 ? N_ ("CONDITION [PLAN]")
                             : N_ ("[PLAN]") },
    { "import", 'i', 0, G_OPTION_ARG_FILENAME_ARRAY, &input->imports,
      N_ ("Import another file (a cluster, model, configuration or placement) into PLAN, before "
          "the values of --set are applied; may be repeated"),
      N_ ("FILE") },
    { "account", 0, 0, G_OPTION_ARG_NONE, &input->account,
      N_ ("For each file, list not only what was inferred or ignored, but also what was "
          "understood"),
      NULL },
    { NULL },
  };
  const GOptionEntry others[] = {
    { "language", 0, 0, G_OPTION_ARG_STRING, &input->language,
      N_ ("The language of all output, such as de; without this option, pictures, files and JSON "
          "are in English"),
      N_ ("LANG") },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, N_ ("Show these options"), NULL },
    { NULL },
  };

  if (input->kind != PLG_INPUT_NONE)
    g_option_context_add_main_entries (context, changes, GETTEXT_PACKAGE);
  if (input->kind == PLG_INPUT_FILE || is_pair)
    g_option_context_add_main_entries (context, files, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, others, GETTEXT_PACKAGE);

  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      if (error->domain == G_CONVERT_ERROR)
        report_encoding (argv);
      else
        plg_cli_usage_error ("%s", error->message);
      return FALSE;
    }
  if (help)
    exit (plg_cli_print (g_option_context_get_help (context, TRUE, NULL), FALSE));
  if (input->language != NULL)
    message = plg_cli_check_language (input->language);
  if (message != NULL)
    {
      plg_cli_usage_error ("%s", message);
      return FALSE;
    }
  if (argc > 1)
    {
      plg_cli_usage_error (_ ("This command takes no plan."));
      return FALSE;
    }
  if (input->paths != NULL &&
      (int) g_strv_length (input->paths) > (is_pair ? 2 : 1) + input->n_leading)
    {
      plg_cli_usage_error ("%s", is_pair ? _ ("Give at most two plans, A and B.")
                                         : _ ("Give only one plan."));
      return FALSE;
    }
  return TRUE;
}

/* Returns INVALID if a file has a value that no plan can have. Returns PLG_EXIT_PLAN if each
 * value is allowed, but the plan cannot exist, for example because the product of the degrees is
 * not the number of GPUs. */
PlgExit
plg_cli_status (const GError *error, PlgExit invalid)
{
  if (error->domain != PLG_PLAN_ERROR || error->code == PLG_PLAN_ERROR_KEY ||
      error->code == PLG_PLAN_ERROR_RANGE)
    return invalid;
  return PLG_EXIT_PLAN;
}

/* Prints MESSAGE, after the name of the plan if there are two plans, and returns STATUS. */
static PlgExit
input_fail (const PlgInput *input, PlgExit status, const char *message)
{
  return input->label != NULL ? plg_cli_fail (status, "%s: %s", input->label, message)
                              : plg_cli_fail (status, "%s", message);
}

/* Reads the file at PATH. Values that are missing in the file come from BASE or, if BASE is
 * NULL, from the default plan. */
static PlgExit
read_file (PlgInput *input, const char *path, const PlgPlan *base)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autoptr (PlgImportResult) import = NULL;

  if (base == NULL && input->bytes != NULL)
    {
      name = g_filename_display_name (path);
      import = plg_format_read (input->bytes, name, base, input->catalogue, &error);
    }
  else
    import = plg_format_read_file (path, base, input->catalogue, &error);

  if (import == NULL)
    {
      PlgExit status = plg_cli_fail (plg_cli_status (error, PLG_EXIT_FILE), "%s", error->message);

      if (g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNKNOWN))
        plg_cli_fail (status, _ ("convert --list lists the formats that can be read."));
      return status;
    }
  if (base != NULL && import->format->subject == PLG_SUBJECT_PLAN)
    return plg_cli_fail (PLG_EXIT_USAGE,
                         _ ("%s: This is a whole plan; give it as PLAN, not with --import"),
                         import->name);

  /* Always print inferred and ignored values, but print all understood values only with
   * --account. */
  guint kinds = 1u << PLG_NOTE_INFERRED | 1u << PLG_NOTE_IGNORED;
  g_autofree char *text = plg_import_result_text (import, input->account
                                                              ? kinds | 1u << PLG_NOTE_UNDERSTOOD
                                                              : kinds);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    plg_cli_fail (PLG_EXIT_DONE, "%s", lines[i]);

  plg_plan_free (input->plan);
  input->plan = g_steal_pointer (&import->plan);
  if (base == NULL)
    input->source = g_steal_pointer (&import->source);
  return PLG_EXIT_DONE;
}

PlgExit
plg_input_read (PlgInput *input)
{
  g_autofree char *warnings = NULL;
  PlgExit status = PLG_EXIT_DONE;

  if (input->catalogue == NULL)
    input->catalogue = plg_catalogue_load (&warnings);
  if (warnings != NULL)
    plg_cli_fail (PLG_EXIT_DONE, "%s", warnings);
  if (input->paths != NULL)
    status = read_file (input, input->paths[0], NULL);
  else if (input->plan == NULL)
    input->plan = plg_catalogue_default_plan (input->catalogue);
  for (int i = 0; status == PLG_EXIT_DONE && input->imports != NULL && input->imports[i] != NULL;
       i++)
    status = read_file (input, input->imports[i], input->plan);
  if (status == PLG_EXIT_DONE && input->assignments != NULL)
    {
      const char *const *assignments = (const char *const *) input->assignments;
      g_autofree char *faults = plg_faults_to_string (&input->plan->cluster);
      gboolean had_map = !plg_node_topology_is_empty (&input->plan->node_topology) &&
                         !plg_catalogue_gave_topology (input->catalogue, input->plan);
      g_autoptr (PlgPlan) before = plg_plan_copy (input->plan);
      g_autoptr (GError) error = NULL;

      if (!plg_settings_apply (input->plan, input->catalogue, assignments, &error) &&
          input->only_values &&
          plg_settings_assign (input->plan, input->catalogue, assignments, NULL))
        g_clear_error (&error);
      if (error == NULL && input->only_values)
        plg_plan_check_values (input->plan, &error);
      if (error != NULL)
        status = input_fail (input, plg_cli_status (error, PLG_EXIT_USAGE), error->message);
      else
        {
          /* Report the faults that are lost because the changed cluster no longer contains the
           * faulty hardware. */
          g_autofree char *after = plg_faults_to_string (&input->plan->cluster);

          if (!plg_settings_have_key (assignments, "cluster.faults") &&
              !g_str_equal (faults, after))
            {
              g_autofree char *message = g_strdup_printf (
                  _ ("the changed cluster no longer has some of the faulty parts, so "
                     "cluster.faults changes from “%s” to “%s”"),
                  faults, after);

              input_fail (input, PLG_EXIT_DONE, message);
            }

          if (had_map && plg_node_topology_is_empty (&input->plan->node_topology))
            input_fail (input, PLG_EXIT_DONE,
                        _ ("the node map is left out because it does not describe the nodes of the "
                           "changed cluster"));
          if (plg_settings_lost_layout (before, input->plan, assignments))
            input_fail (input, PLG_EXIT_DONE,
                        _ ("parallelism.layout is left out because it does not fit the changed "
                           "plan, so the layers are divided evenly"));
          if (before->placement.size > 0 && input->plan->placement.size == 0)
            input_fail (
                input, PLG_EXIT_DONE,
                _ ("the placement is left out because it was made for degrees or an order that "
                   "the plan no longer has"));
        }
    }
  return status;
}

void
plg_cli_report_lost_layout (void)
{
  plg_cli_fail (PLG_EXIT_DONE, _ ("parallelism.layout does not fit some of the plans that were "
                                  "tried, so these plans divide their layers evenly"));
}

char *
plg_input_name (const PlgInput *input)
{
  if (input->paths == NULL)
    return g_strdup (_ ("default plan"));
  if (g_str_equal (input->paths[0], "-"))
    return g_strdup (_ ("standard input"));
  return g_filename_display_name (input->paths[0]);
}

void
plg_input_clear (PlgInput *input)
{
  g_clear_pointer (&input->paths, g_strfreev);
  g_clear_pointer (&input->imports, g_strfreev);
  g_clear_pointer (&input->assignments, g_strfreev);
  g_clear_pointer (&input->language, g_free);
  g_clear_pointer (&input->label, g_free);
  g_clear_pointer (&input->bytes, g_bytes_unref);
  g_clear_pointer (&input->catalogue, plg_catalogue_unref);
  g_clear_pointer (&input->source, plg_plan_source_unref);
  g_clear_pointer (&input->plan, plg_plan_free);
}

gboolean
plg_cli_is_stdout (const char *path)
{
  return path == NULL || g_str_equal (path, "-") || g_str_has_prefix (path, "-.");
}

static PlgExit
write_stdout (GBytes *bytes)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  if (fwrite (data, 1, size, stdout) != size || fflush (stdout) != 0)
    return plg_cli_fail (PLG_EXIT_FILE, _ ("Cannot write to standard output: %s"),
                         g_strerror (errno));
  return PLG_EXIT_DONE;
}

PlgExit
plg_cli_check_output (const char *path, gboolean force)
{
  g_autofree char *folder = NULL;

  if (plg_cli_is_stdout (path))
    return PLG_EXIT_DONE;
  if (*path == '\0')
    return plg_cli_fail (PLG_EXIT_FILE, _ ("The file name is empty; give the file a name."));
  if (!force && g_file_test (path, G_FILE_TEST_EXISTS))
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: The file already exists; use -f to replace it."),
                         path);
  folder = g_path_get_dirname (path);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: There is no folder “%s”; make it first."), path,
                         folder);
  return PLG_EXIT_DONE;
}

PlgExit
plg_cli_write (const char *path, GBytes *bytes, gboolean force)
{
  g_autoptr (GError) error = NULL;

  if (plg_cli_is_stdout (path))
    return write_stdout (bytes);
  if (plg_cli_check_output (path, force) != PLG_EXIT_DONE)
    return PLG_EXIT_FILE;
  if (!plg_write_file (path, bytes, &error))
    return plg_cli_fail (PLG_EXIT_FILE, "%s", error->message);
  return PLG_EXIT_DONE;
}

PlgExit
plg_cli_write_text (const char *path, char *text, gboolean plain_spaces, gboolean force)
{
  GString *string = g_string_new (text);
  g_autoptr (GBytes) bytes = NULL;

  g_free (text);
  if (plain_spaces)
    {
      g_string_replace (string, "\u00a0", " ", 0);
      g_string_replace (string, "\u202f", " ", 0);
    }
  bytes = g_string_free_to_bytes (string);
  return plg_cli_write (path, bytes, force);
}

PlgExit
plg_cli_print (char *text, gboolean plain_spaces)
{
  return plg_cli_write_text (NULL, text, plain_spaces, FALSE);
}
