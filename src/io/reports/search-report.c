/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/reports/search-report.h"

#include "engine/evaluate.h"
#include "engine/model/kernel.h"
#include "engine/model/textbook.h"
#include "engine/search/plan-changes.h"
#include "plan/plan-check.h"
#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"
#include "plan/settings/setting-difference.h"
#include "plan/settings/setting.h"
#include "plan/text/csv-writer.h"
#include "syntax/json-writer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the plans to list: the Pareto front, or the best plans. */
static GArray *
listed_plans (const PlgSearchResults *results, PlgSearchProgress *progress)
{
  GArray *best = g_array_new (FALSE, FALSE, sizeof (PlgFoundPlan));
  gboolean is_front = results->options->front[0] != NULL;

  plg_search_snapshot (results->search, progress, is_front ? NULL : best, is_front ? best : NULL,
                       NULL);
  return best;
}

/* The metrics of a row: the ranking metric, the metrics of the front, and three that every reader
 * expects. Returns their number. */
static int
list_metrics (const PlgSearchResults *results, const PlgMetric *metrics[6])
{
  const PlgMetric *wanted[] = { results->options->by,       results->options->front[0],
                                results->options->front[1], plg_metric_find ("step-time"),
                                plg_metric_find ("memory"), plg_metric_find ("mfu") };
  int n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      gboolean is_new = wanted[i] != NULL;

      for (int j = 0; j < n && is_new; j++)
        is_new = metrics[j] != wanted[i];
      if (is_new)
        metrics[n++] = wanted[i];
    }
  return n;
}

/* Returns the settings of the columns: those of the search, without EP and ETP for a dense model,
 * and the other varied settings. */
static GPtrArray *
list_settings (const PlgSearchResults *results)
{
  const PlgSearchSpace *space = plg_search_get_space (results->search);
  GPtrArray *settings = g_ptr_array_new ();
  gboolean is_moe = plg_transformer_is_moe (&results->plan->model);

  for (guint i = 0; i < space->other_keys->len; i++)
    g_ptr_array_add (settings, g_ptr_array_index (space->other_keys, i));
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (is_moe || (key != PLG_SEARCH_EP && key != PLG_SEARCH_ETP))
      g_ptr_array_add (settings, (gpointer) plg_setting_find (plg_search_key_setting (key)));
  return settings;
}

/* Returns the value of SETTING as a cell of the text table: as in --set, with short words for
 * booleans, with the unit of a number that is not a count, and with the value of the catalogue
 * where PLAN leaves a price or a power open. */
static char *
setting_cell (const PlgSetting *setting, const PlgPlan *plan)
{
  if (setting->kind == PLG_SETTING_BOOLEAN)
    return g_strdup (plg_setting_get_number (setting, plan) != 0 ? _ ("on") : _ ("off"));
  if (setting->kind == PLG_SETTING_ORDER)
    {
      g_autofree char *order = plg_order_title (plan->parallelism.order, plan->parallelism.degree);

      return g_strdup (*order != '\0' ? order : "–");
    }
  if (plg_setting_inherited_number (setting, plan) != 0)
    return plg_setting_describe (setting, plan, NULL, NULL);
  if (setting->kind == PLG_SETTING_NUMBER)
    {
      g_autofree char *number = plg_setting_get (setting, plan);

      return g_strjoin (" ", number, plg_setting_unit (setting, number), NULL);
    }
  return plg_setting_get (setting, plan);
}

/* Returns the head of the column of SETTING: the part of its key after the room, such as "tp", or
 * the whole key if another column has the same part. */
static const char *
setting_head (const GPtrArray *settings, const PlgSetting *setting)
{
  const char *head = strchr (setting->key, '.') + 1;

  for (guint i = 0; i < settings->len; i++)
    {
      const PlgSetting *other = g_ptr_array_index (settings, i);

      if (other != setting && g_str_equal (strchr (other->key, '.') + 1, head))
        return setting->key;
    }
  return head;
}

/* Appends the rows of TABLE, arrays of cells, with columns as wide as their widest cell. */
static void
append_table (GString *text, const GPtrArray *table)
{
  guint n = g_strv_length (g_ptr_array_index (table, 0));
  g_autofree glong *widths = g_new0 (glong, n);

  for (guint i = 0; i < table->len; i++)
    for (guint j = 0; j < n; j++)
      {
        char **row = g_ptr_array_index (table, i);

        widths[j] = MAX (widths[j], g_utf8_strlen (row[j], -1));
      }
  for (guint i = 0; i < table->len; i++)
    for (guint j = 0; j < n; j++)
      {
        char **row = g_ptr_array_index (table, i);
        int pad = j + 1 < n ? (int) (widths[j] - g_utf8_strlen (row[j], -1)) + 2 : 0;

        g_string_append_printf (text, "%s%*s%s", row[j], pad, "", j + 1 < n ? "" : "\n");
      }
}

static char **
row_new (const char *number,
         const GPtrArray *settings,
         const PlgMetric *const *metrics,
         int n_metrics,
         const PlgPlan *plan)
{
  GPtrArray *row = g_ptr_array_new ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  g_ptr_array_add (row, g_strdup (number));
  for (guint i = 0; i < settings->len; i++)
    g_ptr_array_add (row, setting_cell (g_ptr_array_index (settings, i), plan));
  for (int i = 0; i < n_metrics; i++)
    g_ptr_array_add (row, report == NULL
                              ? g_strdup ("–")
                              : plg_measure_text (metrics[i]->measure,
                                                  plg_metric_value (metrics[i], report)));
  g_ptr_array_add (row, NULL);
  return (char **) g_ptr_array_free (row, FALSE);
}

static char **
head_new (const GPtrArray *settings, const PlgMetric *const *metrics, int n_metrics)
{
  GPtrArray *row = g_ptr_array_new ();

  g_ptr_array_add (row, g_strdup (""));
  for (guint i = 0; i < settings->len; i++)
    g_ptr_array_add (row, g_strdup (setting_head (settings, g_ptr_array_index (settings, i))));
  for (int i = 0; i < n_metrics; i++)
    g_ptr_array_add (row, g_strdup (metrics[i]->name));
  g_ptr_array_add (row, NULL);
  return (char **) g_ptr_array_free (row, FALSE);
}

static void
append_progress (GString *text, const PlgSearchProgress *progress)
{
  g_autofree char *counts = plg_search_progress_describe (progress);
  g_autofree char *rejected = plg_format_count (progress->rejected);

  g_string_append (text, counts);
  if (progress->rejected > 0)
    g_string_append_printf (text, _ (" %s of these do not meet the requirements."), rejected);
  g_string_append_c (text, '\n');
}

/* Appends the changes that lead to the plan with number results->why, and what this plan loses on
 * if it is not the first. */
static void
append_changes (GString *text, const PlgSearchResults *results, const GArray *plans)
{
  const PlgSearchSpace *space = plg_search_get_space (results->search);
  g_autoptr (PlgPlan) best = plg_search_space_plan (space,
                                                    &g_array_index (plans, PlgFoundPlan, 0).point);
  g_autoptr (PlgPlan) plan = plg_search_space_plan (space, &g_array_index (plans, PlgFoundPlan,
                                                                           results->why - 1)
                                                                .point);
  g_autoptr (GArray) changes = NULL;
  g_autoptr (GArray) lost = plg_plan_changes (best, plan, results->catalogue);
  const PlgPlanChange *worst = plg_plan_changes_worst (lost);

  if (plg_plan_check (results->plan, NULL))
    changes = plg_plan_changes (results->plan, plan, results->catalogue);
  if (changes != NULL && changes->len > 0)
    {
      g_autofree char *lines = plg_plan_changes_text (changes);

      g_string_append_printf (text, _ ("\nFrom PLAN to plan %u:\n"), results->why);
      g_string_append (text, lines);
    }
  if (worst != NULL)
    g_string_append_printf (text,
                            _ ("The change that costs plan %u most against plan 1 is: %s. %s\n"),
                            results->why, worst->text, worst->reason);
}

/* Returns TRUE if the search tries only some values of a setting. */
static gboolean
limits_key (const PlgSearchSpace *space)
{
  for (int key = 0; key < PLG_N_SEARCH_KEYS; key++)
    if (space->allowed[key] != NULL)
      return TRUE;
  return FALSE;
}

char *
plg_search_text (const PlgSearchResults *results)
{
  const PlgSearchSpace *space = plg_search_get_space (results->search);
  PlgSearchProgress progress;
  g_autoptr (GArray) plans = listed_plans (results, &progress);
  g_autoptr (GPtrArray) settings = list_settings (results);
  g_autoptr (GPtrArray) table = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autofree char *title = plg_plan_display_title (results->plan);
  GString *text = g_string_new (NULL);
  const PlgMetric *metrics[6];
  int n_metrics = list_metrics (results, metrics);
  g_auto (GStrv) edits = NULL;
  g_autoptr (GError) problem = NULL;
  gboolean is_legal = plg_plan_check (results->plan, &problem);

  g_string_append_printf (text, "%s\n", title);
  append_progress (text, &progress);
  if (!progress.is_complete)
    g_string_append_printf (text, "%s\n",
                            _ ("The search is not complete, so there may be better plans."));
  if (plans->len == 0 && !progress.is_complete)
    return g_string_free (text, FALSE);
  if (plans->len == 0)
    {
      g_string_append_printf (text, "%s\n",
                              plg_search_progress_describe_failure (&progress, limits_key (space)));
      return g_string_free (text, FALSE);
    }
  g_ptr_array_add (table, head_new (settings, metrics, n_metrics));
  if (is_legal)
    g_ptr_array_add (table, row_new (_ ("now"), settings, metrics, n_metrics, results->plan));
  else
    g_string_append_printf (text, _ ("PLAN itself is not legal, so it is not compared: %s\n"),
                            problem->message);
  for (guint i = 0; i < plans->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plans, PlgFoundPlan, i);
      g_autoptr (PlgPlan) plan = plg_search_space_plan (space, &found->point);
      g_autofree char *number = g_strdup_printf ("%u", i + 1);

      if (i == 0)
        edits = plg_settings_difference (results->plan, plan, results->catalogue);
      g_ptr_array_add (table, row_new (number, settings, metrics, n_metrics, plan));
    }
  g_string_append_c (text, '\n');
  append_table (text, table);
  if (edits != NULL && edits[0] != NULL)
    {
      g_autofree char *all = g_strjoinv (" --set ", edits);

      g_string_append_printf (text, _ ("\nPlan 1: --set %s\n"), all);
    }
  if (results->why > 0 && results->why <= plans->len)
    append_changes (text, results, plans);
  return g_string_free (text, FALSE);
}

/* Adds the value of SETTING as JSON: a number, a boolean or a string. */
static void
add_setting (PlgJsonWriter *json, const PlgSetting *setting, const PlgPlan *plan)
{
  g_autofree char *value = plg_setting_get (setting, plan);

  if (setting->kind == PLG_SETTING_INTEGER || setting->kind == PLG_SETTING_NUMBER)
    plg_json_add_number (json, setting->key, plg_setting_get_number (setting, plan));
  else if (setting->kind == PLG_SETTING_BOOLEAN)
    plg_json_add_boolean (json, setting->key, plg_setting_get_number (setting, plan) != 0);
  else
    plg_json_add_string (json, setting->key, value);
}

/* Adds the changes that lead to PLAN. */
static void
add_changes (PlgJsonWriter *json, const PlgSearchResults *results, const PlgPlan *plan)
{
  g_autoptr (GArray) changes = NULL;

  plg_json_begin (json, "changes", '[', TRUE);
  if (plg_plan_check (results->plan, NULL))
    changes = plg_plan_changes (results->plan, plan, results->catalogue);
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const PlgPlanChange *change = &g_array_index (changes, PlgPlanChange, i);

      plg_json_begin (json, NULL, '{', FALSE);
      plg_json_begin (json, "set", '[', FALSE);
      for (int j = 0; change->edits[j] != NULL; j++)
        plg_json_add_string (json, NULL, change->edits[j]);
      plg_json_end (json, ']');
      plg_json_add_number (json, "step-time", change->time);
      plg_json_add_number (json, "saves", change->time_before - change->time);
      plg_json_add_number (json, "memory", change->memory);
      plg_json_add_boolean (json, "fits", change->fits);
      plg_json_add_string (json, "part", plg_part_name (change->part));
      plg_json_add_number (json, "part_seconds", change->part_seconds);
      plg_json_add_string (json, "reason", change->reason);
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
}

char *
plg_search_json (const PlgSearchResults *results)
{
  const PlgSearchSpace *space = plg_search_get_space (results->search);
  PlgSearchProgress progress;
  g_autoptr (GArray) plans = listed_plans (results, &progress);
  g_autoptr (GPtrArray) settings = list_settings (results);
  g_autoptr (PlgReport) report = plg_report_new ();
  PlgJsonWriter writer = { .out = g_string_new (NULL) }, *json = &writer;
  const PlgMetric *metrics[6];
  int n_metrics = list_metrics (results, metrics);

  plg_json_begin (json, NULL, '{', TRUE);
  plg_json_add_number (json, "format", 1);
  plg_json_add_string (json, "by", results->options->by->name);
  plg_json_add_boolean (json, "complete", progress.is_complete);
  plg_json_begin (json, "counts", '{', FALSE);
  plg_json_add_number (json, "plans", progress.plans);
  plg_json_add_number (json, "illegal", progress.illegal);
  plg_json_add_number (json, "too_large", progress.too_large);
  plg_json_add_number (json, "bounded", progress.bounded);
  plg_json_add_number (json, "judged", progress.judged);
  plg_json_add_number (json, "rejected", progress.rejected);
  plg_json_end (json, '}');
  plg_json_begin (json, "plans", '[', TRUE);
  for (guint i = 0; i < plans->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plans, PlgFoundPlan, i);
      g_autoptr (PlgPlan) plan = plg_search_space_plan (space, &found->point);
      g_auto (GStrv) edits = plg_settings_difference (results->plan, plan, results->catalogue);

      plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL);
      plg_json_begin (json, NULL, '{', TRUE);
      plg_json_begin (json, "settings", '{', FALSE);
      for (guint j = 0; j < settings->len; j++)
        add_setting (json, g_ptr_array_index (settings, j), plan);
      plg_json_end (json, '}');
      plg_json_begin (json, "metrics", '{', FALSE);
      for (int j = 0; j < n_metrics; j++)
        plg_json_add_number (json, metrics[j]->name, plg_metric_value (metrics[j], report));
      plg_json_end (json, '}');
      plg_json_add_number (json, "equal_orders", found->n_orders);
      plg_json_begin (json, "set", '[', FALSE);
      for (int j = 0; edits != NULL && edits[j] != NULL; j++)
        plg_json_add_string (json, NULL, edits[j]);
      plg_json_end (json, ']');
      if (results->why > 0)
        add_changes (json, results, plan);
      plg_json_end (json, '}');
    }
  plg_json_end (json, ']');
  plg_json_end (json, '}');
  return plg_json_take (json);
}

char *
plg_search_csv (const PlgSearchResults *results)
{
  const PlgSearchSpace *space = plg_search_get_space (results->search);
  PlgSearchProgress progress;
  g_autoptr (GArray) plans = listed_plans (results, &progress);
  g_autoptr (GPtrArray) settings = list_settings (results);
  g_autoptr (PlgReport) report = plg_report_new ();
  PlgCsvWriter writer = { .out = g_string_new (NULL), .separator = ',' }, *csv = &writer;
  const PlgMetric *metrics[6];
  int n_metrics = list_metrics (results, metrics);

  for (guint j = 0; j < settings->len; j++)
    plg_csv_add_text (csv, ((const PlgSetting *) settings->pdata[j])->key);
  for (int j = 0; j < n_metrics; j++)
    plg_csv_add_text (csv, metrics[j]->name);
  plg_csv_end_row (csv);
  for (guint i = 0; i < plans->len; i++)
    {
      const PlgFoundPlan *found = &g_array_index (plans, PlgFoundPlan, i);
      g_autoptr (PlgPlan) plan = plg_search_space_plan (space, &found->point);

      plg_evaluate_into (report, plan, PLG_EVALUATE_TOTALS, NULL);
      for (guint j = 0; j < settings->len; j++)
        {
          g_autofree char *value = plg_setting_get (g_ptr_array_index (settings, j), plan);

          plg_csv_add_text (csv, value);
        }
      for (int j = 0; j < n_metrics; j++)
        plg_csv_add_number (csv, plg_metric_value (metrics[j], report));
      plg_csv_end_row (csv);
    }
  return plg_csv_take (csv);
}
