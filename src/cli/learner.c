/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"
#include "formats/catalogue-xml.h"
#include "formats/learner-words.h"

#include <glib/gi18n-lib.h>

/* All of PATHS, or NULL with the first that cannot be read told. */
static GPtrArray *
load (char **paths)
{
  g_autoptr (GPtrArray)
                 learners = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_learner_free);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; paths[i] != NULL; i++)
    {
      PlgLearner *learner = plg_learner_load (paths[i], catalogue, &error);

      if (learner == NULL)
        {
          plg_cli_fail (PLG_EXIT_FILE, "%s", error->message);
          return NULL;
        }
      g_ptr_array_add (learners, learner);
    }
  return g_steal_pointer (&learners);
}

static char *
write_text (const GPtrArray *learners, gboolean json, const char *lesson)
{
  if (learners->len > 1)
    return json ? plg_learners_json (learners) : plg_learners_markdown (learners);
  return json ? plg_learner_json (learners->pdata[0])
              : plg_learner_memo (learners->pdata[0], lesson);
}

PlgExit
plg_command_learner (int argc, char **argv)
{
  g_auto (PlgInput) input = { .without_plan = TRUE };
  g_auto (GStrv) paths = NULL;
  g_autofree char *format = NULL;
  g_autofree char *lesson = NULL;
  const GOptionEntry entries[] = {
    { "to", 't', 0, G_OPTION_ARG_STRING, &format,
      N_ ("json: a ledger for other programs; markdown: a memo of one page, which is the default"),
      N_ ("FORMAT") },
    { "lesson", 'l', 0, G_OPTION_ARG_STRING, &lesson,
      N_ ("The lesson of the memo; without it, the one that was played last"), N_ ("ID") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, N_ ("FILE…") },
    { NULL },
  };
  g_autoptr (GPtrArray) learners = NULL;
  gboolean json;
  char *text;

  if (!plg_cli_parse (_ ("Tells what a learner answered and designed in lessons. Of several FILEs, "
                         "how the class\nanswered, question by question."),
                      entries, &input, argc, argv))
    return PLG_EXIT_USAGE;
  if (paths == NULL)
    return plg_cli_misuse (_ ("Name the file of a learner."));
  if (input.assignments != NULL || input.imports != NULL)
    return plg_cli_misuse (_ ("--set and --import are for plans."));
  json = g_strcmp0 (format, "json") == 0;
  if (!json && format != NULL && !g_str_equal (format, "markdown"))
    return plg_cli_misuse (_ ("--to is json or markdown."));
  learners = load (paths);
  if (learners == NULL)
    return PLG_EXIT_FILE;
  plg_cli_begin_file (&input);
  text = write_text (learners, json, lesson);
  plg_cli_end_file (&input);
  if (text == NULL)
    return plg_cli_fail (PLG_EXIT_FILE, _ ("%s: There is no such lesson in it."), paths[0]);
  return plg_cli_print (text, FALSE);
}
