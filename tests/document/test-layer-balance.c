/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text and the plan of Balance, from evaluated plans. */
#include "sample.h"

#include "document/layer-balance.h"
#include "engine/evaluate.h"
#include "plan/quantity.h"
#include "plan/settings/setting.h"

static void
set (PlgPlan *plan, const char *assignment)
{
  const char *const assignments[] = { assignment, NULL };
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, NULL, assignments, &error);
  g_assert_no_error (error);
}

static double
step_of (const PlgPlan *plan)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_TOTALS, NULL);

  return report->step.time;
}

/* An uneven layout is balanced, and the text has the step of both plans. The result is balanced. */
static void
test_saves (void)
{
  g_autoptr (PlgPlan) plan = sample_plan (), balanced = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *hidden = NULL, *last = NULL, *before = NULL, *after = NULL;

  set (plan, "parallelism.layout=Et*14|t*26|t*22|t*18L");
  balanced = plg_layer_balance (plan, FALSE, &text, &error);
  g_assert_no_error (error);
  g_assert_nonnull (balanced);
  g_assert_true (plg_plan_check (balanced, NULL));
  g_assert_cmpfloat (step_of (balanced), <, step_of (plan));
  before = plg_format_time (step_of (plan));
  after = plg_format_time (step_of (balanced));
  g_assert_nonnull (strstr (text, "Longest stage "));
  g_assert_nonnull (strstr (text, before));
  g_assert_nonnull (strstr (text, after));

  plg_plan_free (plg_layer_balance (plan, TRUE, &hidden, NULL));
  g_assert_null (strstr (hidden, before));
  g_assert_null (strpbrk (hidden, "0123456789"));

  again = plg_layer_balance (balanced, FALSE, &last, &error);
  g_assert_no_error (error);
  g_assert_null (again);
  g_assert_true (g_str_has_prefix (last, "The layers are balanced already"));
}

/* Without a pipeline, or if nothing fits, there is an error and no text. */
static void
test_errors (void)
{
  static const char *const cases[][2] = { { "parallelism.pp=1", "PP" },
                                          { "cluster.memory=20", "memory" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PlgPlan) plan = sample_plan ();
      g_autoptr (GError) error = NULL;
      char *text = NULL;

      set (plan, cases[i][0]);
      g_assert_null (plg_layer_balance (plan, FALSE, &text, &error));
      g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_LAYERS);
      g_assert_nonnull (strstr (error->message, cases[i][1]));
      g_assert_null (text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layer-balance/saves", test_saves);
  g_test_add_func ("/layer-balance/errors", test_errors);
  return g_test_run ();
}
