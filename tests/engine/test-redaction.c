/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/report/assertion.h"
#include "engine/advice/advice.h"
#include "engine/report/explanation.h"
#include "engine/report/metric.h"
#include "engine/model/textbook.h"
#include "engine/report/redaction.h"
#include "plan/fault.h"
#include "plan/quantity.h"
#include "plans.h"

#include <math.h>

/* No number of the report reveals a hidden value. */
static void
test_metrics (void)
{
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);

  for (guint redaction = 0; redaction <= PLG_REDACT_ALL; redaction++)
    {
      g_autoptr (PlgReport) hidden = plg_report_redact (report, redaction);

      for (int i = 0; names[i] != NULL; i++)
        {
          const PlgMetric *metric = plg_metric_find (names[i]);
          double seen = plg_metric_value (metric, hidden);

          if (metric->about & redaction)
            g_assert_true (isnan (seen));
          else if (metric->about != PLG_REDACT_ALL)
            {
              double known = plg_metric_value (metric, report);

              g_assert_true (seen == known || (isnan (seen) && isnan (known)));
            }
        }
      g_assert_cmpint (hidden->findings->len, ==, 0);
      g_assert_cmpint (hidden->redaction, ==, redaction);
      g_assert_cmpint (hidden->fits, ==,
                       redaction & PLG_REDACT_MEMORY ? PLG_FIT_HIDDEN : report->fits);
    }
}

/* A value of a later question is not announced with the current answer. */
static void
test_placeholders (void)
{
  guint redaction = PLG_REDACT_TIME | PLG_REDACT_MEMORY | PLG_REDACT_LATER (PLG_REDACT_MEMORY);

  g_assert_cmpstr (plg_redaction_placeholder (redaction, PLG_REDACT_TIME), ==,
                   "Shown after you answer");
  g_assert_cmpstr (plg_redaction_placeholder (redaction, PLG_REDACT_MEMORY), ==,
                   "Shown after a later question");
  g_assert_null (plg_redaction_placeholder (redaction, PLG_REDACT_BUBBLE));
  g_assert_true (plg_redaction_is_later (redaction, PLG_REDACT_ALL));
  g_assert_false (plg_redaction_is_later (redaction, PLG_REDACT_TIME));
}

/* A redacted report has no formulas with numbers, and the original report stays unchanged. */
static void
test_formulas (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_BUBBLE);
  g_autoptr (GArray) shown = plg_explain (plan, hidden, NULL);

  g_assert_cmpint (shown->len, ==, 0);
  g_assert_true (isfinite (report->bubble.simulated));
  g_assert_cmpint (report->redaction, ==, 0);
  g_assert_cmpint (report->blocks->len, >, 0);
}

/* The text of a goal contains no hidden value, and a goal on a hidden value is not reached. */
static void
test_assertions (void)
{
  static const struct
  {
    const char *text, *start, *end;
  } cases[] = {
    { "bubble<=5%", "Bubble must be at most 5\u00a0% (now 11.1\u00a0%).",
      "Not reached yet (FAIL)." },
    { "tp>=4", "Degree of TP must be at least 4 (now 8).", "Reached (PASS)." },
    { "tp-in-node", "Each TP group is inside a node: now 1 node.", "Reached (PASS)." },
    { "cp-in-node", "Each CP group is inside a node: now 1 node.", "Reached (PASS)." },
    { "fits", "The plan fits in memory: now ", "\u00a0GiB. Reached (PASS)." },
    { "micro-batches==32", "Micro-batches must be exactly 32 (now 32).", "Reached (PASS)." },
  };
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (PlgReport) hidden = plg_report_redact (report, PLG_REDACT_ALL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlgAssertion assertion;
      g_autofree char *shown = NULL, *redacted = NULL;

      g_assert_null (plg_assertion_read (&assertion, cases[i].text));
      shown = plg_assertion_describe (&assertion, report);
      redacted = plg_assertion_describe (&assertion, hidden);
      g_test_message ("%s", shown);
      g_assert_true (g_str_has_prefix (shown, cases[i].start));
      g_assert_true (g_str_has_suffix (shown, cases[i].end));
      if (assertion.metric->about != 0)
        g_assert_true (g_str_has_suffix (redacted, "Not reached yet (FAIL)."));
    }
}

/* The text of a missed goal has the present value, also for a boolean metric. */
static void
test_present_value (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgReport) report = NULL;
  g_autoptr (PlgReport) hidden = NULL;
  g_autofree char *peak = NULL, *capacity = NULL, *memory = NULL;
  g_autofree char *fits = NULL, *inside = NULL, *redacted = NULL;
  PlgAssertion must_fit, must_be_inside;

  plan->parallelism.degree[PLG_AXIS_TP] = 16;
  plan->parallelism.degree[PLG_AXIS_DP] = 1;
  plan->training.micro_batch = 16;
  plan->training.global_batch = 256;
  report = plg_evaluate_with_advice (plan, NULL);
  hidden = plg_report_redact (report, PLG_REDACT_ALL);
  g_assert_false (report->fits);
  g_assert_null (plg_assertion_read (&must_fit, "fits"));
  g_assert_null (plg_assertion_read (&must_be_inside, "tp-in-node"));
  fits = plg_assertion_describe (&must_fit, report);
  inside = plg_assertion_describe (&must_be_inside, report);
  redacted = plg_assertion_describe (&must_fit, hidden);
  peak = plg_format_memory (report->memory_peak);
  capacity = plg_format_memory (report->memory_capacity);
  memory = g_strdup_printf ("The plan fits in memory: now %s of %s. Not reached yet (FAIL).", peak,
                            capacity);
  g_assert_cmpstr (fits, ==, memory);
  g_assert_cmpstr (inside, ==,
                   "Each TP group is inside a node: now 2 nodes. Not reached yet "
                   "(FAIL).");
  g_assert_cmpstr (redacted, ==, "The plan fits in memory. Not reached yet (FAIL).");
}

/* A value that differs from its limit is never printed like the limit. */
static void
test_distinct_from_limit (void)
{
  static const struct
  {
    PlgMeasure measure;
    double value, limit;
    const char *text;
  } cases[] = { { PLG_MEASURE_SHARE, 0.1004, 0.1, "10.04\u00a0%" },
                { PLG_MEASURE_SHARE, 0.273, 0.1, "27.3\u00a0%" },
                { PLG_MEASURE_SHARE, 0.1, 0.1, "10.0\u00a0%" },
                { PLG_MEASURE_SECONDS, 11.0004, 11, "11.0004\u00a0s" },
                { PLG_MEASURE_BYTES, 64.04 * PLG_GIB, 64 * PLG_GIB, "64.04\u00a0GiB" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = plg_measure_text_distinct (cases[i].measure, cases[i].value,
                                                         cases[i].limit);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* A profile that counts in GB prints GB. */
static void
test_units_of_profile (void)
{
  g_autofree char *value = plg_profile_memory_distinct (PLG_PROFILE_NOTEBOOK, 80.004e9, 80e9);
  g_autofree char *limit = plg_profile_memory_distinct (PLG_PROFILE_NOTEBOOK, 80e9, 80.004e9);

  g_assert_cmpstr (value, ==, "80.004\u00a0GB");
  g_assert_cmpstr (limit, !=, value);
}

/* The redacted plan has no faults, and gets them back after other changes. */
static void
test_faults (void)
{
  g_autoptr (PlgPlan) plan = teaching_plan ();
  g_autoptr (PlgPlan) hidden = NULL, open = NULL;
  g_autofree char *faults = NULL, *left = NULL;

  g_assert_true (plg_faults_from_string (&plan->cluster, "gpu:3=0.5, gpu:9=0.8", NULL));
  hidden = plg_plan_redact (plan, PLG_REDACT_FAULTS);
  open = plg_plan_redact (plan, PLG_REDACT_ALL & ~PLG_REDACT_FAULTS);
  faults = plg_faults_to_string (&hidden->cluster);
  g_assert_cmpstr (faults, ==, "");
  g_assert_true (plg_plan_equal (open, plan));
  plg_plan_restore_redacted (hidden, plan, PLG_REDACT_FAULTS);
  g_assert_true (plg_plan_equal (hidden, plan));
  hidden->cluster.nodes = 1;
  plg_plan_restore_redacted (hidden, plan, PLG_REDACT_FAULTS);
  left = plg_faults_to_string (&hidden->cluster);
  g_assert_cmpstr (left, ==, "gpu:3=0.5");
}

static void
test_words (void)
{
  guint redaction = 0;

  g_assert_true (plg_redaction_from_string (" memory\n time ", &redaction));
  g_assert_cmpint (redaction, ==, PLG_REDACT_MEMORY | PLG_REDACT_TIME);
  g_assert_true (plg_redaction_from_string ("", &redaction));
  g_assert_cmpint (redaction, ==, 0);
  g_assert_false (plg_redaction_from_string ("memory mfu", &redaction));
}

/* A misspelled name gets similar names instead of the whole list. */
static void
test_similar_names (void)
{
  static const struct
  {
    const char *typed, *meant;
  } cases[] = { { "bubles<10%", "Similar: bubble," },
                { "tpcalls<10", "tp-calls" },
                { "memmory<75GiB", "Similar: memory." },
                { "steptime<3s", "step-time" },
                { "wrld==4", "Similar: world-size." },
                { "moon", "“moon” cannot be asserted. `parallelogram-cli" },
                { "", "“” cannot be asserted. `parallelogram-cli" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlgAssertion assertion;
      g_autofree char *wrong = plg_assertion_read (&assertion, cases[i].typed);

      g_assert_nonnull (strstr (wrong, cases[i].meant));
      g_assert_cmpint (g_utf8_strlen (wrong, -1), <, 160);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/redaction/placeholders", test_placeholders);
  g_test_add_func ("/redaction/metrics", test_metrics);
  g_test_add_func ("/redaction/formulas", test_formulas);
  g_test_add_func ("/redaction/assertions", test_assertions);
  g_test_add_func ("/redaction/present-value", test_present_value);
  g_test_add_func ("/redaction/distinct-from-limit", test_distinct_from_limit);
  g_test_add_func ("/redaction/units-of-profile", test_units_of_profile);
  g_test_add_func ("/redaction/faults", test_faults);
  g_test_add_func ("/redaction/words", test_words);
  g_test_add_func ("/redaction/similar-names", test_similar_names);
  return g_test_run ();
}
