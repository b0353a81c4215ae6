/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine/report/plan-comparison.h"

#include "plan/quantity.h"
#include "plan/settings/setting-describe.h"
#include "plan/text/text-sanitize.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* maximum length of a title or a note in a table [characters] */
#define MAX_TEXT 40
#define DIGITS 3
#define LARGE_COUNT 1e7 /* larger differences of numbers are shown in the form "8.03 B" */

static void
difference_clear (gpointer data)
{
  PlgDifference *difference = data;

  g_free (difference->title);
  for (int side = 0; side < 2; side++)
    {
      g_free (difference->text[side]);
      g_free (difference->exact[side]);
    }
}

static void
add_setting (GArray *differences,
             const PlgSetting *setting,
             const PlgPlan *const *plans,
             const PlgCatalogue *catalogue)
{
  g_autofree char *a = plg_setting_get (setting, plans[0]);
  g_autofree char *b = plg_setting_get (setting, plans[1]);
  PlgDifference difference = { .key = setting->key,
                               .setting = setting,
                               .number = { NAN, NAN },
                               .unit = setting->unit };

  if (strcmp (a, b) == 0)
    return;
  difference.title = g_strdup (_ (setting->title));
  for (int side = 0; side < 2; side++)
    {
      double inherited = plg_setting_inherited_number (setting, plans[side]);

      difference.text[side] = plg_setting_describe (setting, plans[side], plans[!side], catalogue);
      difference.is_inherited[side] = inherited > 0;
      if (setting->kind == PLG_SETTING_INTEGER || setting->kind == PLG_SETTING_NUMBER)
        difference.number[side] = inherited != 0 ? inherited
                                                 : plg_setting_get_number (setting, plans[side]);
    }
  difference.exact[0] = g_steal_pointer (&a);
  difference.exact[1] = g_steal_pointer (&b);
  g_array_append_val (differences, difference);
}

/* Adds a part of the plan that has no key. A and B are the texts for display. */
static void
add_part (GArray *differences, const char *key, const char *title, const char *a, const char *b)
{
  PlgDifference difference = { .key = key, .number = { NAN, NAN } };
  const char *texts[] = { a, b };

  difference.title = g_strdup (title);
  for (int side = 0; side < 2; side++)
    {
      difference.exact[side] = g_strdup (texts[side]);
      difference.text[side] = plg_text_sanitize_excerpt (texts[side], MAX_TEXT);
    }
  g_array_append_val (differences, difference);
}

static char *
placement_describe (const PlgPlan *plan)
{
  return g_strdup (plan->placement.size == 0 ? _ ("by the order") : _ ("by hand"));
}

/* Adds the placement. If ranks were moved by hand in both plans, counts the ranks that are on
 * different GPUs. */
static void
add_placement (GArray *differences, const PlgPlan *a, const PlgPlan *b)
{
  g_autofree char *text_a = placement_describe (a), *text_b = placement_describe (b);

  if (plg_placement_equal (&a->placement, &b->placement))
    return;
  if (a->placement.size > 0 && a->placement.size == b->placement.size)
    {
      int moved = 0;

      for (int rank = 0; rank < a->placement.size; rank++)
        moved += a->placement.gpu_of_rank[rank] != b->placement.gpu_of_rank[rank];
      g_free (text_b);
      text_b = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "by hand, %d rank on another GPU",
                                             "by hand, %d ranks on other GPUs", moved),
                                moved);
    }
  add_part (differences, "placement", _ ("Placement"), text_a, text_b);
}

static char *
topology_describe (const PlgNodeTopology *topology)
{
  if (plg_node_topology_is_empty (topology))
    return g_strdup (_ ("none"));

  g_autofree char *gpus = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d GPU", "%d GPUs",
                                                        topology->gpus),
                                           topology->gpus);
  g_autofree char *nics = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d NIC", "%d NICs",
                                                        topology->nics),
                                           topology->nics);
  g_autofree char *rings = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d ring", "%d rings",
                                                         topology->rings),
                                            topology->rings);

  return g_strjoin (", ", gpus, nics, rings, NULL);
}

/* Returns TRUE if REPORT cannot have METRIC, because a lesson hides it or the report leaves it out. */
static gboolean
is_absent (const PlgMetric *metric, const PlgReport *report)
{
  PlgEvaluateFlags parts = plg_metric_parts (metric);

  return (report->redaction & metric->about) != 0 || (report->parts & parts) != parts ||
         (plg_metric_needs_advice (metric) && !report->has_advice);
}

/* Returns the value of METRIC, or NaN for an amount of the whole training if PLAN has no token
 * budget. */
static double
metric_value (const PlgMetric *metric, const PlgPlan *plan, const PlgReport *report)
{
  static const char *const totals[] = {
    "training-time", "days", "gpu-hours", "days-with-failures", "interruptions", "cost",
    "energy",        "co2",  NULL
  };

  if (plan->training.tokens <= 0 && g_strv_contains (totals, metric->name))
    return NAN;
  return plg_metric_value (metric, report);
}

static gboolean
is_different (double a, double b)
{
  if (isfinite (a) && isfinite (b))
    return fabs (a - b) > PLG_COMPARISON_EPSILON * MAX (fabs (a), fabs (b));
  return !(isnan (a) && isnan (b)) && a != b;
}

/* Returns VALUE, the value of METRIC in REPORT, for display next to OTHER. */
static char *
metric_text (const PlgMetric *metric, const PlgReport *report, double value, double other)
{
  gboolean is_time = metric->measure == PLG_MEASURE_DAYS || metric->measure == PLG_MEASURE_SECONDS;
  gboolean is_stuck = report->run.share[PLG_RUN_PROGRESS] < PLG_LEAST_GOODPUT;

  if (isinf (value) ? is_time
                    : isnan (value) && is_stuck && g_str_equal (metric->name, "days-with-failures"))
    return g_strdup (_ ("never"));
  return plg_measure_text_distinct (metric->measure, value, other);
}

GArray *
plg_plan_compare (const PlgPlan *a,
                  const PlgReport *report_a,
                  const PlgPlan *b,
                  const PlgReport *report_b,
                  const PlgCatalogue *catalogue)
{
  GArray *differences = g_array_new (FALSE, FALSE, sizeof (PlgDifference));
  const PlgPlan *const plans[] = { a, b };
  const PlgMetric *metric;
  int n;
  const PlgSetting *settings = plg_settings (&n);

  g_array_set_clear_func (differences, difference_clear);
  for (int i = 0; i < n; i++)
    add_setting (differences, &settings[i], plans, catalogue);
  if (strcmp (a->title, b->title) != 0)
    add_part (differences, "title", _ ("Title"), a->title, b->title);
  if (strcmp (a->notes, b->notes) != 0)
    add_part (differences, "notes", _ ("Notes"), a->notes, b->notes);
  add_placement (differences, a, b);
  if (!plg_node_topology_equal (&a->node_topology, &b->node_topology))
    {
      g_autofree char *map_a = topology_describe (&a->node_topology);
      g_autofree char *map_b = topology_describe (&b->node_topology);

      if (strcmp (map_a, map_b) == 0)
        {
          g_free (map_b);
          map_b = g_strdup_printf (_ ("%s, other paths"), map_a);
        }
      add_part (differences, "node-map", _ ("Node map"), map_a, map_b);
    }

  for (int i = 0; (metric = plg_metric_nth (i)) != NULL; i++)
    {
      PlgDifference difference = { .key = metric->name, .metric = metric };
      double *number = difference.number;

      number[0] = metric_value (metric, a, report_a);
      number[1] = metric_value (metric, b, report_b);
      if (is_absent (metric, report_a) || is_absent (metric, report_b) ||
          !is_different (number[0], number[1]))
        continue;
      difference.unit = plg_measure_unit (metric->measure);
      difference.title = plg_metric_title (metric);
      difference.text[0] = metric_text (metric, report_a, number[0], number[1]);
      difference.text[1] = metric_text (metric, report_b, number[1], number[0]);
      g_array_append_val (differences, difference);
    }
  return differences;
}

char *
plg_difference_absolute (const PlgDifference *difference)
{
  double change = difference->number[1] - difference->number[0], size = fabs (change);
  const PlgMetric *metric = difference->metric;
  g_autofree char *number = NULL, *text = NULL;

  if (!isfinite (change) || (metric != NULL && metric->measure == PLG_MEASURE_BOOLEAN))
    return g_strdup ("–");
  if (metric == NULL || metric->measure == PLG_MEASURE_SHARE)
    {
      const char *unit;

      number = plg_format_number (metric != NULL ? size * 100 : size, DIGITS);
      unit = metric != NULL ? g_dngettext (GETTEXT_PACKAGE, "percentage point", "percentage points",
                                           g_str_equal (number, "1") ? 1 : 2)
                            : plg_setting_unit (difference->setting, number);
      text = g_strjoin (" ", number, unit, NULL);
    }
  else if (metric->measure == PLG_MEASURE_NUMBER && size < LARGE_COUNT)
    text = plg_format_number (size, DIGITS);
  else
    text = plg_measure_text (metric->measure, size);
  return g_strconcat (change < 0 ? "−" : "+", text, NULL);
}

char *
plg_difference_relative (const PlgDifference *difference)
{
  const PlgMetric *metric = difference->metric;

  if (!(difference->number[0] > 0) || !isfinite (difference->number[0]) ||
      !isfinite (difference->number[1]) ||
      (metric != NULL && metric->measure == PLG_MEASURE_BOOLEAN))
    return g_strdup ("–");
  return plg_format_change (difference->number[0], difference->number[1]);
}
