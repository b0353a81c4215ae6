/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "drawing/export/request.h"
#include "engine/advice/advice.h"
#include "io/placement/launch-placement.h"
#include "io/registry/round-trip-diff.h"
#include "io/runs/similar-runs.h"
#include "plan/text/similar-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the format NAME. If there is no such format or it cannot be written, prints a usage
 * message and returns NULL. */
static const PlgFormat *
find_format (const char *name)
{
  const PlgFormat *format = name != NULL ? plg_format_find (name) : NULL;
  g_autofree char *file = g_strconcat ("x.", name, NULL);
  PlgExportFormat picture;

  if (format != NULL && format->write != NULL)
    return format;
  if (name == NULL)
    plg_cli_usage_error (_ ("--to is missing; --list lists the formats."));
  else if (plg_export_format_from_path (file, &picture))
    plg_cli_usage_error (_ ("“%s” is a picture format; use “%s export -o FILE.%s”."), name,
                         PLG_PROGRAM, name);
  else if (format == NULL)
    {
      int n;
      const PlgFormat *const *formats = plg_formats (&n);
      g_autofree const char **names = g_new0 (const char *, n + 1);
      g_autofree char *similar = NULL;

      for (int i = 0, writable = 0; i < n; i++)
        if (formats[i]->write != NULL)
          names[writable++] = formats[i]->name;
      similar = plg_similar_names (names, name);
      if (similar != NULL)
        plg_cli_usage_error (_ ("There is no format “%s”; similar formats: %s. --list lists all "
                                "formats."),
                             name, similar);
      else
        plg_cli_usage_error (_ ("There is no format “%s”; --list lists all formats."), name);
    }
  else
    plg_cli_usage_error (_ ("“%s” can only be read; --list shows the formats that can be "
                            "written."),
                         name);
  return NULL;
}

/* Returns MESSAGE, an error about the placement, followed by the --to names of the formats that
 * can express the placement of PLAN. Free with g_free(). */
static char *
add_alternatives (const PlgPlan *plan, const char *message)
{
  g_autoptr (GString) names = g_string_new (NULL);
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  for (int i = 0; i < n; i++)
    if (plg_format_keeps_placement (formats[i], plan))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", formats[i]->name);
  return g_strdup_printf (_ ("%s These formats can express the placement: %s."), message,
                          names->str);
}

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
} Drawn;

static GBytes *
draw (const char *name, gpointer data, GError **error)
{
  const Drawn *drawn = data;

  return plg_request_document_picture (name, drawn->plan, drawn->report, error);
}

static PlgExit
convert (PlgInput *input, const PlgFormat *format, const char *output, gboolean force)
{
  const PlgPlan *plan;
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgPublishedRuns) runs = NULL;
  PlgSimilarRuns similar;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  PlgExit status = plg_input_read (input);

  if (status != PLG_EXIT_DONE)
    return status;
  plan = input->plan;
  plg_cli_begin_file (input);
  report = plg_evaluate_with_advice (plan, &error);
  if (report != NULL)
    {
      Drawn drawn = { plan, report };
      PlgExportContext export = {
        .plan = plan,
        .report = report,
        .source = input->source,
        .catalogue = input->catalogue,
        .picture = draw,
        .picture_data = &drawn,
      };

      if (format->subject == PLG_SUBJECT_REPORT)
        {
          runs = plg_published_runs_new ();
          if (plg_similar_runs_find (runs, plan, &similar))
            export.similar = &similar;
        }
      bytes = plg_format_write (format, &export, &error);
    }
  if (g_error_matches (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_PLACEMENT))
    {
      g_autofree char *message = error->message;

      error->message = add_alternatives (plan, message);
    }
  plg_cli_end_file (input);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_PLAN, "%s", error->message);

  /* Report the plan settings that are missing from BYTES. */
  g_autofree char *text = plg_round_trip_diff_text (format, bytes, plan, input->catalogue);

  if (text != NULL)
    plg_cli_fail (PLG_EXIT_DONE, "%s", text);

  g_autofree char *note = plg_format_write_note (format, plan);
  g_autofree char *more = plg_format_omits_placement (format, plan) ? add_alternatives (plan, note)
                                                                    : NULL;

  if (note != NULL)
    plg_cli_fail (PLG_EXIT_DONE, "%s", more != NULL ? more : note);

  return plg_cli_write (output, bytes, force);
}

PlgExit
plg_command_convert (int argc, char **argv)
{
  g_auto (PlgInput) input = { 0 };
  g_autofree char *to = NULL;
  g_autofree char *output = NULL;
  gboolean list = FALSE, force = FALSE;
  const GOptionEntry entries[] = {
    { "to", 't', 0, G_OPTION_ARG_STRING, &to, N_ ("The format to write"), N_ ("NAME") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("The output file; standard output if omitted or -"), N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing FILE"), NULL },
    { "list", 'l', 0, G_OPTION_ARG_NONE, &list, N_ ("List the formats"), NULL },
    { NULL },
  };
  const PlgFormat *format;

  if (!plg_cli_parse (_ ("Writes PLAN, or the default plan, in another format."), entries, &input,
                      argc, argv))
    return PLG_EXIT_USAGE;
  if (list)
    {
      int n, name, suffix;
      const PlgFormat *const *formats = plg_formats (&n);
      GString *text = g_string_new (NULL);

      /* Make the columns for names and file extensions as wide as their longest entries. */
      name = suffix = 0;
      for (int i = 0; i < n; i++)
        {
          name = MAX (name, (int) strlen (formats[i]->name));
          suffix = MAX (suffix, (int) strlen (formats[i]->suffix));
        }

      for (int i = 0; i < n; i++)
        g_string_append_printf (text, "%-*s %-5s %-5s  %-*s %s\n", name, formats[i]->name,
                                formats[i]->read != NULL ? "read" : "-",
                                formats[i]->write != NULL ? "write" : "-", suffix,
                                formats[i]->suffix, _ (formats[i]->title));
      return plg_cli_print (g_string_free (text, FALSE), TRUE);
    }
  format = find_format (to);
  if (format == NULL)
    return PLG_EXIT_USAGE;
  return convert (&input, format, output, force);
}
