/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/compared-plan.h"

#include "drawing/figure/monospace-table.h"
#include "engine/advice/advice.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define COLUMNS 5

PlgComparedPlan *
plg_compared_plan_new (const PlgPlan *plan,
                       guint redaction,
                       PlgCatalogue *catalogue,
                       const char *name_of_open,
                       const char *name,
                       GError **error)
{
  PlgReport *report = plg_evaluate_with_advice (plan, error);
  PlgComparedPlan *compared;

  if (report == NULL)
    return NULL;
  compared = g_new0 (PlgComparedPlan, 1);
  g_atomic_ref_count_init (&compared->ref_count);
  compared->plan = redaction != 0 ? plg_plan_redact (plan, redaction) : plg_plan_copy (plan);
  compared->report = plg_report_redact_beside (report, redaction);
  compared->catalogue = catalogue != NULL ? plg_catalogue_ref (catalogue) : NULL;
  compared->name_of_open = g_strdup (name_of_open);
  compared->name = g_strdup (name);
  return compared;
}

PlgComparedPlan *
plg_compared_plan_ref (PlgComparedPlan *compared)
{
  g_atomic_ref_count_inc (&compared->ref_count);
  return compared;
}

void
plg_compared_plan_unref (PlgComparedPlan *compared)
{
  if (compared == NULL || !g_atomic_ref_count_dec (&compared->ref_count))
    return;
  plg_plan_free (compared->plan);
  plg_report_unref (compared->report);
  if (compared->catalogue != NULL)
    plg_catalogue_unref (compared->catalogue);
  g_free (compared->name_of_open);
  g_free (compared->name);
  g_free (compared->path);
  g_free (compared->variant);
  g_free (compared);
}

char *
plg_compared_plan_summary (const PlgComparedPlan *compared,
                           const PlgPlan *plan,
                           const PlgReport *report)
{
  double time_a = report->step.time, time_b = compared->report->step.time;
  g_autoptr (GArray) differences = plg_plan_compare (plan, report, compared->plan, compared->report,
                                                     compared->catalogue);
  g_autofree char *text_a = plg_format_time_distinct (time_a, time_b);
  g_autofree char *text_b = plg_format_time_distinct (time_b, time_a);
  g_autofree char *change = plg_format_change (time_a, time_b);
  GString *text = g_string_new (NULL);
  int settings = 0, figures = 0;

  for (guint i = 0; i < differences->len; i++)
    {
      const PlgDifference *difference = &g_array_index (differences, PlgDifference, i);

      /* The view does not belong to the design. */
      settings += difference->metric == NULL && !g_str_has_prefix (difference->key, "view.");
      figures += difference->metric != NULL;
    }
  if (differences->len == 0)
    g_string_append (text, _ ("The two plans do not differ."));
  else if (settings == 0 && figures == 0)
    g_string_append (text, _ ("The two plans differ only in the view."));
  else if (settings == 0)
    g_string_append (text, _ ("The settings of the two plans do not differ."));
  else
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE, "%d setting differs.",
                                         "%d settings differ.", settings),
                            settings);
  if (fabs (time_a - time_b) > PLG_COMPARISON_EPSILON * time_a)
    g_string_append_printf (text,
                            time_b < time_a ? _ (" B is faster: %s per step instead of %s (%s).")
                                            : _ (" B is slower: %s per step instead of %s (%s)."),
                            text_b, text_a, change);
  else if (differences->len > 0 && !isnan (time_a) && !isnan (time_b))
    g_string_append_printf (text, _ (" Both plans take %s per step."), text_a);
  if (report->fits == PLG_FIT_YES && compared->report->fits == PLG_FIT_NO)
    g_string_append_printf (text, " %s", _ ("Only A fits in memory."));
  else if (report->fits == PLG_FIT_NO && compared->report->fits == PLG_FIT_YES)
    g_string_append_printf (text, " %s", _ ("Only B fits in memory."));
  else if (report->fits == PLG_FIT_NO && compared->report->fits == PLG_FIT_NO)
    g_string_append_printf (text, " %s", _ ("Neither plan fits in memory."));
  return g_string_free (text, FALSE);
}

static void
add_name (GString *out, const char *letter, const char *name, const PlgPlan *plan)
{
  g_autofree char *title = plg_plan_display_title (plan);

  plg_monospace_add_line (out, strcmp (name, title) == 0 ? "%s: %s" : "%s: %s, %s", letter, name,
                          title);
}

/* Adds the table of the settings or of the figures, or nothing if the table is empty. */
static void
add_table (GString *out, const GArray *differences, gboolean is_figures)
{
  const char *const heads[COLUMNS] = { is_figures ? _ ("Figure") : _ ("Setting"), _ ("A"), _ ("B"),
                                       _ ("Difference"), _ ("Change") };
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (COLUMNS);
  gboolean is_empty = TRUE;

  for (int column = 0; column < COLUMNS; column++)
    plg_monospace_table_add (table, heads[column]);
  for (guint i = 0; i < differences->len; i++)
    {
      const PlgDifference *difference = &g_array_index (differences, PlgDifference, i);

      if ((difference->metric != NULL) != is_figures)
        continue;
      plg_monospace_table_add (table, difference->key);
      for (int side = 0; side < 2; side++)
        plg_monospace_table_add (table,
                                 *difference->text[side] != '\0' ? difference->text[side] : "–");
      plg_monospace_table_take (table, plg_difference_absolute (difference));
      plg_monospace_table_take (table, plg_difference_relative (difference));
      is_empty = FALSE;
    }
  if (is_empty)
    return;
  plg_monospace_end_line (out);
  plg_monospace_table_write (table, out);
}

char *
plg_compared_plan_text (const PlgComparedPlan *compared,
                        const PlgPlan *plan,
                        const PlgReport *report)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GArray) differences = plg_plan_compare (plan, report, compared->plan, compared->report,
                                                     compared->catalogue);
  g_autofree char *summary = plg_compared_plan_summary (compared, plan, report);

  add_name (out, _ ("A"), compared->name_of_open, plan);
  add_name (out, _ ("B"), compared->name, compared->plan);
  plg_monospace_end_line (out);
  plg_monospace_add_paragraph (out, summary);
  add_table (out, differences, FALSE);
  add_table (out, differences, TRUE);
  return g_string_free (out, FALSE);
}
