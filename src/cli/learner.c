/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "drawing/export.h"
#include "drawing/page-figure.h"
#include "drawing/tally-figure.h"
#include "formats/catalogue-xml.h"
#include "formats/class.h"
#include "formats/learner-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  AS_MARKDOWN,
  AS_JSON,
  AS_CSV, /* of a class */
  AS_PICTURE,
} Form;

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
  Form form;
  PlgExportOptions file; /* of a picture */
  PlgPalette colors;
} Wish;

static void
wish_clear (Wish *wish)
{
  g_strfreev (wish->paths);
  g_free (wish->format);
  g_free (wish->lesson);
  g_free (wish->output);
  g_free (wish->palette);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wish, wish_clear)

/* What was asked for */

/* From --to, or else from the ending of --output. FALSE for a word that is none. */
static gboolean
read_form (Wish *wish)
{
  static const char *const names[] = { "markdown", "json", "csv", NULL };
  static const char *const endings[] = { ".md", ".json", ".csv", NULL };
  g_autofree char *named = wish->format != NULL ? g_strconcat ("x.", wish->format, NULL) : NULL;
  const char *output = wish->output != NULL ? wish->output : "";

  wish->form = AS_MARKDOWN;
  for (int i = 0; names[i] != NULL; i++)
    if (wish->format != NULL ? g_str_equal (wish->format, names[i])
                             : g_str_has_suffix (output, endings[i]))
      return wish->form = (Form) i, TRUE;
  if (wish->format == NULL && wish->output == NULL)
    return TRUE;
  wish->form = AS_PICTURE;
  return plg_export_format_from_path (named != NULL ? named : output, &wish->file.format) &&
         (wish->file.format <= PLG_EXPORT_PNG || wish->file.format == PLG_EXPORT_TEXT);
}

static const char *
misuse (Wish *wish)
{
  if (wish->paths == NULL)
    return _ ("Name the file of a learner.");
  if (!read_form (wish))
    return _ ("--to, or the ending of --output, is json, markdown (.md), csv, svg, pdf, png or "
              "txt.");
  if (wish->scores && wish->form != AS_CSV)
    return _ ("--scores is for csv; json has them beside the answers.");
  if (wish->lesson != NULL && wish->form != AS_MARKDOWN && wish->form != AS_PICTURE)
    return _ ("--lesson is for a memo and for the chart of a class; json and csv have all "
              "lessons.");
  if (wish->palette != NULL && wish->form != AS_PICTURE)
    return _ ("--palette is for pictures.");
  if (wish->palette != NULL && !plg_palette_from_name (wish->palette, &wish->colors))
    return _ ("There is no such palette; “parallelogram-cli export --help” lists them.");
  return NULL;
}

/* What is written */

static GBytes *
take (char *text)
{
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

static GBytes *
draw (const Wish *wish, PlgFigure *figure, const PlgTheme *theme, GError **error)
{
  GBytes *bytes = plg_export (figure, theme, &wish->file, error);

  plg_figure_unref (figure);
  return bytes;
}

static GBytes *
write_class (const Wish *wish, const PlgClass *klass, PlgCatalogue *catalogue, GError **error)
{
  g_autoptr (PlgTally) tally = plg_class_tally (klass, catalogue);
  g_autoptr (GPtrArray) pages = NULL;
  PlgTheme theme;

  if (wish->form == AS_PICTURE)
    {
      plg_theme_init (&theme, wish->colors);
      pages = plg_tally_pages (tally, &theme, wish->lesson);
      if (wish->file.format == PLG_EXPORT_PDF && pages->len > 0)
        return plg_export_pages (pages, &theme, PLG_PAGE_A4, error);
      return draw (wish, plg_tally_figure (tally, &theme, 0, FALSE, wish->lesson), &theme, error);
    }
  return take (wish->scores            ? plg_tally_scores_csv (tally)
               : wish->form == AS_JSON ? plg_tally_json (tally)
               : wish->form == AS_CSV  ? plg_tally_csv (tally)
                                       : plg_tally_markdown (tally));
}

/* NULL without ERROR: there is no such lesson in it. */
static GBytes *
write_learner (const Wish *wish,
               const PlgLearner *learner,
               const PlgCatalogue *catalogue,
               GError **error)
{
  g_autofree char *memo = NULL;
  PlgTheme theme;

  if (wish->form == AS_JSON)
    return take (plg_learner_json (learner));
  memo = wish->form == AS_PICTURE ? plg_learner_memo_page (learner, wish->lesson, catalogue)
                                  : plg_learner_memo (learner, wish->lesson, catalogue);
  if (memo == NULL || wish->form != AS_PICTURE)
    return take (g_steal_pointer (&memo));
  plg_theme_init (&theme, wish->colors);
  return draw (wish, plg_page_figure (memo, &theme), &theme, error);
}

static PlgExit
write_all (const Wish *wish, const PlgInput *input, const PlgClass *klass, PlgCatalogue *catalogue)
{
  gboolean of_class = wish->of_class || wish->form == AS_CSV || klass->learners->len > 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  plg_cli_begin_file (input);
  bytes = of_class ? write_class (wish, klass, catalogue, &error)
                   : write_learner (wish, klass->learners->pdata[0], catalogue, &error);
  plg_cli_end_file (input);
  if (error != NULL)
    return plg_cli_fail (PLG_EXIT_FILE, "%s", error->message);
  if (bytes == NULL)
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: There is no such lesson in it."), wish->paths[0]);
  return plg_cli_write (wish->output, bytes, wish->force);
}

/* What cannot be read is told, and the rest still written. */
static PlgExit
run (const Wish *wish, const PlgInput *input)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (PlgClass) klass = plg_class_load ((const char *const *) wish->paths, catalogue);
  PlgExit done = PLG_EXIT_FILE;

  for (guint i = 0; i < klass->unread->len; i++)
    plg_cli_fail (PLG_EXIT_FILE, "%s", (const char *) klass->unread->pdata[i]);
  for (guint i = 0; i < klass->remarks->len; i++)
    plg_cli_fail (PLG_EXIT_DONE, "%s", (const char *) klass->remarks->pdata[i]);
  if (klass->learners->len > 0)
    done = write_all (wish, input, klass, catalogue);
  else if (klass->unread->len == 0)
    plg_cli_fail (PLG_EXIT_FILE, _ ("None of these files is a learner's."));
  return done == PLG_EXIT_DONE && klass->unread->len > 0 ? PLG_EXIT_FILE : done;
}

PlgExit
plg_command_learner (int argc, char **argv)
{
  g_auto (PlgInput) input = { .kind = PLG_INPUT_NONE };
  g_auto (Wish) wish = { .file = { .scale = 2, .background = PLG_BACKGROUND_THEME },
                         .colors = PLG_PALETTE_PRINT };
  const GOptionEntry entries[] = {
    { "to", 't', 0, G_OPTION_ARG_STRING, &wish.format,
      N_ ("json: a ledger for other programs; markdown: a memo of one page, which is the default; "
          "pdf, svg, png, txt: the same page, or the chart of a class; csv: the table of a class"),
      N_ ("FORMAT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &wish.output,
      N_ ("The file to write; without it, standard output"), N_ ("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &wish.force, N_ ("Replace FILE when it is there"), NULL },
    { "lesson", 'l', 0, G_OPTION_ARG_STRING, &wish.lesson,
      N_ ("The lesson of the memo, without it the one that was played last; of a class's chart, "
          "without it all"),
      N_ ("ID") },
    { "class", 'c', 0, G_OPTION_ARG_NONE, &wish.of_class,
      N_ ("How a class answered, for a single learner too"), NULL },
    { "scores", 0, 0, G_OPTION_ARG_NONE, &wish.scores,
      N_ ("As csv: how each learner did in each lesson, instead of how each question was answered"),
      NULL },
    { "palette", 0, 0, G_OPTION_ARG_STRING, &wish.palette,
      N_ ("The colours, as of export; without it, print"), N_ ("PALETTE") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &wish.paths, NULL, N_ ("FILE…") },
    { NULL },
  };
  const char *message;

  if (!plg_cli_parse (_ ("Tells what a learner answered and designed in lessons. Of several FILEs, "
                         "how the class\nanswered, question by question; lessons of your own among "
                         "them give the words of theirs."),
                      entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  message = misuse (&wish);
  return message != NULL ? plg_cli_misuse (message) : run (&wish, &input);
}
