/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-words.h"

#include "engine/evaluate.h"
#include "plan/plan-problem.h"

#include <glib/gi18n-lib.h>
#include <math.h>

const PlgMetric *
plg_search_metric_read (const char *option, const char *name, const PlgPlan *plan, GError **error)
{
  const PlgMetric *metric = plg_metric_find (name);
  g_autofree char *suggestions = NULL;
  g_autoptr (PlgReport) report = NULL;

  if (metric == NULL)
    {
      suggestions = plg_metric_suggest (name);
      if (suggestions != NULL)
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("%s: there is no metric “%s”. Similar: %s."), option, name,
                              suggestions);
      else
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("%s: there is no metric “%s”; --help lists all metrics."), option,
                              name);
      return NULL;
    }
  report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  if (report != NULL && isnan (plg_metric_value (metric, report)))
    {
      plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                            _ ("%s: a search does not compute “%s”, which depends on single "
                               "links or on findings."),
                            option, name);
      return NULL;
    }
  return metric;
}

gboolean
plg_search_requirement_read (PlgAssertion *requirement,
                             const char *option,
                             const char *text,
                             const PlgPlan *plan,
                             GError **error)
{
  g_autofree char *wrong = plg_assertion_read (requirement, text);

  if (wrong == NULL)
    return plg_search_metric_read (option, requirement->metric->name, plan, error) != NULL;
  return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL, "%s '%s': %s", option, text,
                               wrong);
}

gboolean
plg_search_words_read (const PlgSearchWords *words,
                       const PlgPlan *plan,
                       PlgSearchOptions *options,
                       GArray *requirements,
                       GError **error)
{
  const char *by = words->by != NULL ? words->by : "step-time";
  g_auto (GStrv) axes = NULL;

  options->by = plg_search_metric_read ("--by", by, plan, error);
  if (options->by == NULL)
    return FALSE;
  if (words->pareto != NULL)
    {
      axes = g_strsplit (words->pareto, ",", -1);
      if (g_strv_length (axes) != 2)
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                                     _ ("--pareto must be two metrics, such as "
                                        "step-time,memory."));
      for (int i = 0; i < 2; i++)
        {
          options->front[i] = plg_search_metric_read ("--pareto", axes[i], plan, error);
          if (options->front[i] == NULL)
            return FALSE;
        }
    }
  for (int i = 0; words->require != NULL && words->require[i] != NULL; i++)
    {
      PlgAssertion requirement = { 0 };

      if (!plg_search_requirement_read (&requirement, "--require", words->require[i], plan, error))
        return FALSE;
      g_array_append_val (requirements, requirement);
    }
  options->requirements = (const PlgAssertion *) (void *) requirements->data;
  options->n_requirements = requirements->len;
  return TRUE;
}

gboolean
plg_search_words_apply (const PlgSearchWords *words,
                        PlgSearchSpace *space,
                        const PlgCatalogue *catalogue,
                        GError **error)
{
  for (int i = 0; words->keep != NULL && words->keep[i] != NULL; i++)
    if (!plg_search_space_keep (space, words->keep[i], error))
      {
        g_prefix_error_literal (error, "--keep: ");
        return FALSE;
      }
  for (int i = 0; words->vary != NULL && words->vary[i] != NULL; i++)
    if (!plg_search_space_vary (space, catalogue, words->vary[i], error))
      {
        g_prefix_error_literal (error, "--vary: ");
        return FALSE;
      }
  return TRUE;
}

static void
add_options (GPtrArray *arguments, const char *option, const char *const *values)
{
  for (int i = 0; values != NULL && values[i] != NULL; i++)
    {
      g_ptr_array_add (arguments, g_strdup (option));
      g_ptr_array_add (arguments, g_strdup (values[i]));
    }
}

char **
plg_search_words_arguments (const PlgSearchWords *words)
{
  GPtrArray *arguments = g_ptr_array_new ();
  const char *const by[] = { words->by, NULL }, *const pareto[] = { words->pareto, NULL };

  add_options (arguments, "--vary", words->vary);
  add_options (arguments, "--keep", words->keep);
  add_options (arguments, "--require", words->require);
  add_options (arguments, "--by", by);
  add_options (arguments, "--pareto", pareto);
  g_ptr_array_add (arguments, NULL);
  return (char **) g_ptr_array_free (arguments, FALSE);
}
