/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/search/search-words.h"

#include "engine/evaluate.h"
#include "plan/plan-problem.h"
#include "plan/settings/setting-name.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

const PlgMetric *
plg_search_metric_read (const char *option, const char *name, const PlgPlan *plan, GError **error)
{
  const PlgMetric *metric = plg_metric_find (name);
  g_autofree char *suggestions = NULL;
  g_autoptr (PlgReport) report = NULL;

  if (metric == NULL)
    {
      suggestions = plg_metric_suggest (name);
      if (option == NULL && suggestions != NULL)
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("There is no metric “%s”. Similar: %s."), name, suggestions);
      else if (option == NULL)
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("There is no metric “%s”; use, for example, memory, mfu or days."),
                              name);
      else if (suggestions != NULL)
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
      if (option == NULL)
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("A search does not compute “%s”, which depends on single links or "
                                 "on findings."),
                              name);
      else
        plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                              _ ("%s: a search does not compute “%s”, which depends on single "
                                 "links or on findings."),
                              option, name);
      return NULL;
    }
  return metric;
}

/* Returns TRUE if the values of METRIC differ between plans so that some plans are better. The
 * memory of a GPU and the parameters belong to the hardware and the model. */
static gboolean
can_rank (const PlgMetric *metric)
{
  return metric->measure != PLG_MEASURE_BOOLEAN && !g_str_equal (metric->name, "capacity") &&
         !g_str_equal (metric->name, "parameters");
}

/* Returns the names of all metrics by which a search can rank plans, separated by commas. Free with
 * g_free(). */
static char *
ranking_names (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);
  GString *names = g_string_new (NULL);
  const PlgMetric *metric;

  for (int i = 0; (metric = plg_metric_nth (i)) != NULL; i++)
    if (can_rank (metric) && (report == NULL || !isnan (plg_metric_value (metric, report))))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", metric->name);
  return g_string_free (names, FALSE);
}

/* Finds a metric by which a search can rank plans. Returns NULL with an error for other names. */
static const PlgMetric *
read_ranking_metric (const char *option, const char *name, const PlgPlan *plan, GError **error)
{
  const PlgMetric *metric = plg_search_metric_read (option, name, plan, error);
  g_autofree char *names = NULL;

  if (metric == NULL || can_rank (metric))
    return metric;
  names = ranking_names (plan);
  plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                        metric->measure == PLG_MEASURE_BOOLEAN
                            ? _ ("%s: “%s” is only yes or no, so it cannot rank plans. Use one "
                                 "of: %s.")
                            : _ ("%s: “%s” is the same for all degrees and schedules, so it "
                                 "cannot rank plans. Use one of: %s."),
                        option, metric->name, names);
  return NULL;
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
  if (option != NULL)
    return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL, "%s '%s': %s", option, text,
                                 wrong);
  if (requirement->metric == NULL)
    {
      g_autofree char *name = plg_assertion_metric_name (text);

      plg_search_metric_read (option, name, plan, error);
      return FALSE;
    }
  return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL, "%s", wrong);
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

  options->by = read_ranking_metric ("--by", by, plan, error);
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
          options->front[i] = read_ranking_metric ("--pareto", g_strstrip (axes[i]), plan, error);
          if (options->front[i] == NULL)
            return FALSE;
        }
      if (options->front[0] == options->front[1])
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                                     _ ("--pareto names %s twice; name two different metrics, such "
                                        "as step-time,memory."),
                                     options->front[0]->name);
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

/* Returns the key at the start of TEXT, "KEY" or "KEY=V,…"; free with g_free(). */
static char *
key_of (const char *text)
{
  return g_strstrip (g_strndup (text, strcspn (text, "=")));
}

/* Returns the name that messages use for KEY, which need not exist: the title of the setting in the
 * window, and KEY on the command line. Borrowed. */
static const char *
name_of_key (const char *key)
{
  const PlgSetting *setting = plg_setting_find (key);

  return setting != NULL ? plg_setting_name (setting->key) : key;
}

/* Refuses values that are missing or repeated, as their plans would be listed twice. */
static gboolean
check_values (const PlgSearchWords *words,
              const PlgPlan *plan,
              const PlgCatalogue *catalogue,
              const char *key,
              const char *values,
              GError **error)
{
  g_auto (GStrv) parts = g_strsplit (values, ",", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (PlgPlan) trial = plg_plan_copy (plan);

  if (parts[0] == NULL)
    return plg_plan_problem_set (
        error, PLG_PLAN_ERROR_RANGE, NULL,
        words->is_form ? _ ("%s has no values here; write %s alone to try all of them.")
                       : _ ("--vary %s= lists no values; write --vary %s for all of "
                            "them."),
        name_of_key (key), key);
  for (int i = 0; parts[i] != NULL; i++)
    {
      const PlgSetting *setting = plg_setting_find (key);
      gboolean is_value = setting != NULL &&
                          plg_setting_set (trial, catalogue, key, g_strstrip (parts[i]), NULL);

      if (!g_hash_table_add (seen,
                             is_value ? plg_setting_get (setting, trial) : g_strdup (parts[i])))
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_RANGE, NULL,
                                     words->is_form
                                         ? _ ("%s has the value %s twice; remove one of them.")
                                         : _ ("--vary %s lists the value %s twice; remove one of "
                                              "them."),
                                     name_of_key (key), parts[i]);
    }
  return TRUE;
}

/* Refuses a key that is varied twice, kept as well, or that changes no figure. */
static gboolean
check_keys (const PlgSearchWords *words,
            const PlgPlan *plan,
            const PlgCatalogue *catalogue,
            GError **error)
{
  for (int i = 0; words->vary != NULL && words->vary[i] != NULL; i++)
    {
      g_autofree char *key = key_of (words->vary[i]);
      const char *equals = strchr (words->vary[i], '=');

      if (words->keep != NULL && g_strv_contains (words->keep, key))
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                                     words->is_form
                                         ? _ ("%s is held, so its values cannot be tried. Hold it "
                                              "no longer, or remove its values.")
                                         : _ ("--keep and --vary both name %s; remove one of "
                                              "them."),
                                     name_of_key (key));
      if (g_str_has_prefix (key, "view.") && plg_setting_find (key) != NULL)
        return plg_plan_problem_set (error, PLG_PLAN_ERROR_KEY, NULL,
                                     words->is_form
                                         ? _ ("%s changes pictures, but no figure of a plan.")
                                         : _ ("--vary: %s changes pictures, but no figure of a "
                                              "plan."),
                                     name_of_key (key));
      for (int j = 0; j < i; j++)
        {
          g_autofree char *other = key_of (words->vary[j]);

          if (g_str_equal (key, other))
            return plg_plan_problem_set (
                error, PLG_PLAN_ERROR_KEY, NULL,
                words->is_form ? _ ("%s appears twice; list all its values at once, as in "
                                    "%s=V1,V2.")
                               : _ ("--vary names %s twice; list all its values at once, as "
                                    "in --vary %s=V1,V2."),
                name_of_key (key), key);
        }
      if (*key != '\0' && equals != NULL &&
          !check_values (words, plan, catalogue, key, equals + 1, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
plg_search_words_apply (const PlgSearchWords *words,
                        PlgSearchSpace *space,
                        const PlgCatalogue *catalogue,
                        GError **error)
{
  if (!check_keys (words, g_ptr_array_index (space->bases, 0), catalogue, error))
    return FALSE;
  for (int i = 0; words->keep != NULL && words->keep[i] != NULL; i++)
    if (!plg_search_space_keep (space, words->keep[i], error))
      {
        g_prefix_error_literal (error, words->is_form ? "" : "--keep: ");
        return FALSE;
      }
  for (int i = 0; words->vary != NULL && words->vary[i] != NULL; i++)
    if (!plg_search_space_vary (space, catalogue, words->vary[i], error))
      {
        g_prefix_error_literal (error, words->is_form ? "" : "--vary: ");
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
