/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "engine/explain.h"
#include "engine/metric.h"
#include "engine/veil.h"
#include "plans.h"

#include <math.h>

/* What a prediction hides is in no number of the report. */
static void
test_metrics (void)
{
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);

  for (guint veil = 0; veil <= PLG_VEIL_ALL; veil++)
    {
      g_autoptr (PlgReport) hidden = plg_report_veil (report, veil);

      for (int i = 0; names[i] != NULL; i++)
        {
          const PlgMetric *metric = plg_metric_find (names[i]);
          double seen = plg_metric_value (metric, hidden);

          if (metric->about & veil)
            g_assert_true (isnan (seen));
          else if (metric->about != PLG_VEIL_ALL)
            g_assert_cmpfloat (seen, ==, plg_metric_value (metric, report));
        }
      g_assert_cmpint (hidden->findings->len, ==, 0);
      g_assert_cmpint (hidden->veil, ==, veil);
    }
}

/* No formula with its numbers, and nothing changed in the report itself. */
static void
test_formulas (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);
  g_autoptr (PlgReport) hidden = plg_report_veil (report, PLG_VEIL_BUBBLE);
  g_autoptr (GArray) shown = plg_explain (plan, hidden, NULL);

  g_assert_cmpint (shown->len, ==, 0);
  g_assert_true (isfinite (report->bubble.judged));
  g_assert_cmpint (report->veil, ==, 0);
  g_assert_cmpint (report->blocks->len, >, 0);
}

static void
test_words (void)
{
  guint veil = 0;

  g_assert_true (plg_veil_from_string (" memory\n time ", &veil));
  g_assert_cmpint (veil, ==, PLG_VEIL_MEMORY | PLG_VEIL_TIME);
  g_assert_true (plg_veil_from_string ("", &veil));
  g_assert_cmpint (veil, ==, 0);
  g_assert_false (plg_veil_from_string ("memory mfu", &veil));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/veil/metrics", test_metrics);
  g_test_add_func ("/veil/formulas", test_formulas);
  g_test_add_func ("/veil/words", test_words);
  return g_test_run ();
}
