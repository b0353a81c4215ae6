/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "drawing/export/export.h"
#include "drawing/charts/page-figure.h"
#include "drawing/charts/class-results-figure.h"
#include "io/plan/catalogue-xml.h"
#include "lessons/class-records.h"
#include "lessons/learner-export.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  AS_MARKDOWN,
  AS_JSON,
  AS_CSV, /* the answers or scores of a class as a table */
  AS_PICTURE,
} OutputForm;

typedef struct
{
  char **paths;
  char *format;
  char *lesson;
  char *output;
  char *palette;
  gboolean of_class;
  gboolean scores;
  gboolean force;
  OutputForm form;
  PlgExportOptions file; /* used only if the output is a picture */
  PlgPalette colors;
} LearnerOptions;

static void
learner_options_clear (LearnerOptions *options)
{
  g_strfreev (options->paths);
  g_free (options->format);
  g_free (options->lesson);
  g_free (options->output);
  g_free (options->palette);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LearnerOptions, learner_options_clear)

/* Output format -------------------------------------------------------------------------------- */

/* Chooses the form of the output. Prints a message and returns FALSE if --to and the extension of
 * --output contradict each other or name no form. */
static gboolean
read_form (LearnerOptions *options)
{
  static const PlgOutputType types[] = {
    [AS_MARKDOWN] = { "markdown", ".md" },
    [AS_JSON] = { "json", ".json" },
    [AS_CSV] = { "csv", ".csv" },
    [AS_PICTURE] = { "svg", ".svg" },
    { "pdf", ".pdf" },
    { "png", ".png" },
    { "txt", ".txt" },
    { NULL, NULL },
  };
  int type = plg_cli_choose_type ("--to", options->format, options->output, types);

  if (type < 0)
    return FALSE;
  options->form = (OutputForm) MIN (type, (int) AS_PICTURE);
  if (options->form == AS_PICTURE)
    plg_export_format_from_path (types[type].extension, &options->file.format);
  return TRUE;
}

static GBytes *
bytes_of_text (char *text)
{
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

static GBytes *
draw (const LearnerOptions *options, PlgFigure *figure, const PlgTheme *theme, GError **error)
{
  GBytes *bytes = plg_export (figure, theme, &options->file, error);

  plg_figure_unref (figure);
  return bytes;
}

static PlgExit
write_all (const LearnerOptions *options,
           const PlgInput *input,
           const PlgClassRecords *klass,
           PlgCatalogue *catalogue)
{
  gboolean of_class = options->of_class || options->form == AS_CSV || klass->learners->len > 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  plg_cli_begin_file (input);
  if (of_class)
    {
      g_autoptr (PlgClassResults) tally = plg_class_records_results (klass, catalogue);
      g_autoptr (GPtrArray) pages = NULL;
      PlgTheme theme;

      if (options->form == AS_PICTURE)
        {
          plg_theme_init (&theme, options->colors);
          pages = plg_class_results_pages (tally, &theme, options->lesson);
          if (options->file.format == PLG_EXPORT_PDF && pages->len > 0)
            bytes = plg_export_pages (pages, &theme, PLG_PAGE_A4, &error);
          else
            bytes = draw (options,
                          plg_class_results_figure (tally, &theme, 0, FALSE, options->lesson),
                          &theme, &error);
        }
      else
        bytes = bytes_of_text (options->scores            ? plg_class_results_scores_csv (tally)
                               : options->form == AS_JSON ? plg_class_results_json (tally)
                               : options->form == AS_CSV  ? plg_class_results_csv (tally)
                                                          : plg_class_results_markdown (tally));
    }
  else
    {
      const PlgLearner *learner = klass->learners->pdata[0];
      g_autofree char *memo = NULL;
      PlgTheme theme;

      if (options->form == AS_JSON)
        bytes = bytes_of_text (plg_learner_json (learner));
      else
        {
          memo = options->form == AS_PICTURE
                     ? plg_learner_memo_page (learner, options->lesson, catalogue)
                     : plg_learner_memo (learner, options->lesson, catalogue);
          if (memo == NULL || options->form != AS_PICTURE)
            bytes = bytes_of_text (g_steal_pointer (&memo));
          else
            {
              plg_theme_init (&theme, options->colors);
              bytes = draw (options, plg_page_figure (memo, &theme), &theme, &error);
            }
        }
    }
  plg_cli_end_file (input);
  if (error != NULL)
    return plg_cli_fail (PLG_EXIT_FILE, "%s", error->message);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: The file does not contain this lesson."),
                         options->paths[0]);
  return plg_cli_write (options->output, bytes, options->force);
}

PlgExit
plg_command_learner (int argc, char **argv)
{
  g_auto (PlgInput) input = { .kind = PLG_INPUT_NONE };
  g_auto (LearnerOptions) options = { .file = { .scale = 2, .background = PLG_BACKGROUND_THEME },
                                      .colors = PLG_PALETTE_PRINT };
  const GOptionEntry entries[] = {
    { "to", 't', 0, G_OPTION_ARG_STRING, &options.format,
      N_ ("json: a learner record for other programs; markdown: a memo of one page (the "
          "default); pdf, svg, png, txt: the same page, or the chart of a class; csv: the table "
          "of a class"),
      N_ ("FORMAT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_ ("The output file; standard output if omitted"), N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &options.force, N_ ("Replace an existing FILE"), NULL },
    { "lesson", 'l', 0, G_OPTION_ARG_STRING, &options.lesson,
      N_ ("The lesson for the memo (default: the most recent one) or for a class chart "
          "(default: all lessons)"),
      N_ ("ID") },
    { "class", 'c', 0, G_OPTION_ARG_NONE, &options.of_class,
      N_ ("Treat the answers as those of a class, even for a single learner"), NULL },
    { "scores", 0, 0, G_OPTION_ARG_NONE, &options.scores,
      N_ ("With csv: the score of each learner in each lesson, instead of the answers to each "
          "question"),
      NULL },
    { "palette", 0, 0, G_OPTION_ARG_STRING, &options.palette,
      N_ ("The colours, as for export (default: print)"), N_ ("PALETTE") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.paths, NULL, N_ ("FILE…") },
    { NULL },
  };
  if (!plg_cli_parse (
          _ ("Prints the answers and designs of a learner in lessons. With several FILEs, "
             "prints the answers\n"
             "of the whole class, question by question. Add lesson files to show the "
             "texts of your own lessons."),
          entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  if (options.paths == NULL)
    return plg_cli_usage_error (_ ("Give at least one learner's file."));
  if (!read_form (&options))
    return PLG_EXIT_USAGE;
  if (options.scores && options.form != AS_CSV)
    return plg_cli_usage_error (_ ("--scores needs csv; json contains the scores along with the "
                                   "answers."));
  if (options.lesson != NULL && options.form != AS_MARKDOWN && options.form != AS_PICTURE)
    return plg_cli_usage_error (
        _ ("--lesson applies to a memo and to the chart of a class; json and csv contain all "
           "lessons."));
  if (options.palette != NULL && options.form != AS_PICTURE)
    return plg_cli_usage_error (_ ("--palette applies only to pictures."));
  if (options.palette != NULL && !plg_palette_from_name (options.palette, &options.colors))
    return plg_cli_usage_error (
        _ ("There is no such palette; “parallelogram-cli export --help” lists the palettes."));

  /* Report unreadable files, but write the results of all other files. */
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgClassRecords)
                 klass = plg_class_records_load ((const char *const *) options.paths, catalogue);
  PlgExit done = PLG_EXIT_FILE;

  for (guint i = 0; i < klass->unread->len; i++)
    plg_cli_fail (PLG_EXIT_FILE, "%s", (const char *) klass->unread->pdata[i]);
  for (guint i = 0; i < klass->remarks->len; i++)
    plg_cli_fail (PLG_EXIT_DONE, "%s", (const char *) klass->remarks->pdata[i]);
  if (klass->learners->len > 0)
    done = write_all (&options, &input, klass, catalogue);
  else if (klass->unread->len == 0)
    plg_cli_fail (PLG_EXIT_FILE, _ ("None of these files is a learner record."));
  return done == PLG_EXIT_DONE && klass->unread->len > 0 ? PLG_EXIT_FILE : done;
}
