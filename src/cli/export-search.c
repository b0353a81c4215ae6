/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/export-options.h"

#include "cli/command.h"
#include "cli/search-task.h"
#include "engine/evaluate.h"
#include "engine/search/search-words.h"
#include "plan/settings/setting.h"

#include <glib/gi18n-lib.h>

gboolean
plg_export_has_search_option (const PlgExportArguments *arguments)
{
  return arguments->vary != NULL || arguments->keep != NULL || arguments->require != NULL ||
         arguments->by != NULL || arguments->pareto != NULL || arguments->color_by != NULL;
}

/* Reads the setting that colours the dots. */
static gboolean
read_class (const char *text, PlgSearchKey *key)
{
  g_autoptr (GString) allowed = g_string_new (NULL);

  *key = PLG_SEARCH_TP;
  for (int i = 0; i < PLG_N_SEARCH_KEYS; i++)
    {
      const char *name = plg_search_key_setting (i);

      if (!plg_search_picture_has_class (i))
        continue;
      if (text == NULL || g_str_equal (text, name))
        {
          *key = i;
          return TRUE;
        }
      g_string_append_printf (allowed, "%s%s", allowed->len > 0 ? ", " : "", name);
    }
  plg_cli_usage_error (_ ("%s is “%s”, but must be one of %s."), "--color-by", text, allowed->str);
  return FALSE;
}

PlgExit
plg_export_search (const PlgExportArguments *arguments,
                   const PlgPlan *plan,
                   PlgCatalogue *catalogue,
                   PlgRequest *request)
{
  const PlgSearchWords words = { .vary = (const char *const *) arguments->vary,
                                 .keep = (const char *const *) arguments->keep,
                                 .require = (const char *const *) arguments->require,
                                 .by = arguments->by,
                                 .pareto = arguments->pareto != NULL ? arguments->pareto
                                                                     : "step-time,memory" };
  g_autoptr (GArray) requirements = g_array_new (FALSE, FALSE, sizeof (PlgAssertion));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GArray) front = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  g_autoptr (GArray) best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  PlgSearchOptions options = { .top = PLG_SEARCH_PICTURE_TOP, .keeps_judged = TRUE };
  g_autoptr (PlgSearchSpace) space = plg_search_space_new (plan);
  g_autoptr (PlgReport) start = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  g_autoptr (PlgSearch) search = NULL;
  g_autoptr (GError) error = NULL;
  PlgSearchPictureSource source;

  if (!plg_search_words_read (&words, plan, &options, requirements, &error) ||
      !plg_search_words_apply (&words, space, catalogue, &error))
    return plg_cli_usage_error ("%s", error->message);
  source = (PlgSearchPictureSource) { .metrics = { options.front[0], options.front[1] },
                                      .by = options.by,
                                      .found = found,
                                      .front = front,
                                      .best = best,
                                      .start = start };
  if (!read_class (arguments->color_by, &source.class_key))
    return PLG_EXIT_USAGE;
  plg_cli_report_kept_layout (space, plan);
  search = plg_search_new (g_steal_pointer (&space), &options);
  if (!plg_cli_run_search (search))
    return plg_cli_fail (PLG_EXIT_INTERRUPTED,
                         _ ("The search was interrupted, so no picture was written."));
  plg_search_snapshot (search, &source.progress, best, front, found);
  source.space = plg_search_get_space (search);
  request->search = plg_search_picture_new (&source);
  plg_search_picture_name_plans (request->search, &source, plan, catalogue);
  return PLG_EXIT_DONE;
}
