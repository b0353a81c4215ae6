/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/evaluate.h"
#include "io/reports/equivalent-plans.h"
#include "io/plan/catalogue-xml.h"
#include "plan/settings/setting.h"

#include <math.h>
#include <string.h>

static PlgPlan *
make_plan (const char *settings)
{
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);
  g_autoptr (GError) error = NULL;

  plg_settings_apply (plan, catalogue, (const char *const *) words, &error);
  g_assert_no_error (error);
  return plan;
}

static const PlgEquivalentPlan *
find (const GArray *all, const char *settings)
{
  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (g_array_index (all, PlgEquivalentPlan, i).settings, settings))
      return &g_array_index (all, PlgEquivalentPlan, i);
  return NULL;
}

/* The search tries half and twice EP. The numbers equal the evaluation of these plans. */
static void
test_experts (void)
{
  g_autoptr (PlgPlan) plan = make_plan ("model.name=mixtral-8x7b parallelism.tp=2 parallelism.pp=4 "
                                        "parallelism.ep=4");
  g_autoptr (PlgReport) report = plg_evaluate (plan, 0, NULL);
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);
  static const int degrees[] = { 2, 8 };

  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      g_autofree char *settings = g_strdup_printf ("parallelism.ep=%d", degrees[i]);
      g_autofree char *named = g_strdup_printf ("EP %d", degrees[i]);
      const PlgEquivalentPlan *alternative = find (all, settings);
      const char *const words[] = { settings, NULL };
      g_autoptr (PlgPlan) other = plg_plan_copy (plan);
      g_autoptr (PlgReport) outcome = NULL;

      g_assert_nonnull (alternative);
      g_assert_nonnull (strstr (alternative->title, named));
      g_assert_true (plg_settings_apply (other, NULL, words, NULL));
      outcome = plg_evaluate (other, 0, NULL);
      g_assert_cmpint (other->parallelism.degree[PLG_AXIS_EP], ==, degrees[i]);
      g_assert_cmpfloat (alternative->time, ==, outcome->step.time);
      g_assert_cmpfloat (alternative->memory, ==, outcome->memory_peak);
      g_assert_cmpfloat (alternative->memory, !=, report->memory_peak);
    }
}

/* At most as many ranks as experts, and at least one rank, can share the experts. */
static void
test_limits_of_experts (void)
{
  g_autoptr (PlgPlan) one = make_plan ("model.name=mixtral-8x7b parallelism.tp=2 parallelism.pp=4 "
                                       "parallelism.ep=1");
  g_autoptr (PlgReport) report = plg_evaluate (one, 0, NULL);
  g_autoptr (GArray) all = plg_equivalent_plans (one, report);
  g_autoptr (PlgPlan)
                 eight = make_plan ("model.name=mixtral-8x7b parallelism.tp=2 parallelism.pp=4 "
                                    "parallelism.ep=8");
  g_autoptr (PlgReport) of_eight = plg_evaluate (eight, 0, NULL);
  g_autoptr (GArray) others = plg_equivalent_plans (eight, of_eight);

  g_assert_nonnull (find (all, "parallelism.ep=2"));
  g_assert_null (find (all, "parallelism.ep=0"));
  g_assert_nonnull (find (others, "parallelism.ep=4"));
  g_assert_null (find (others, "parallelism.ep=16"));
}

static void
test_dense (void)
{
  g_autoptr (PlgPlan) plan = make_plan ("parallelism.tp=8");
  g_autoptr (PlgReport) report = plg_evaluate (plan, 0, NULL);
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);

  g_assert_cmpint (all->len, >, 0);
  for (guint i = 0; i < all->len; i++)
    g_assert_null (strstr (g_array_index (all, PlgEquivalentPlan, i).settings, "parallelism.ep"));
}

/* A faster plan states the saved time, a slower plan the added time. */
static void
test_reasons (void)
{
  g_autoptr (PlgPlan) plan = make_plan ("training.global-batch=128");
  g_autoptr (PlgReport) report = plg_evaluate (plan, 0, NULL);
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);
  int faster = 0, slower = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const PlgEquivalentPlan *alternative = &g_array_index (all, PlgEquivalentPlan, i);
      g_autofree char *words = plg_equivalent_plan_describe (report, alternative);

      /* The same time, up to rounding, has no reason. */
      if (!alternative->fits || fabs (alternative->time / report->step.time - 1) < 1e-9)
        continue;
      faster += alternative->time < report->step.time;
      slower += alternative->time > report->step.time;
      g_assert_true (g_str_has_suffix (words, alternative->time < report->step.time ? " less."
                                                                                    : " more."));
    }
  g_assert_cmpint (faster, >, 0);
  g_assert_cmpint (slower, >, 0);
}

/* Orders without a visible difference are left out: the axes outside a TP that fills its node leave
 * the node in any order. */
static void
test_visible_differences (void)
{
  g_autoptr (PlgPlan) plan = make_plan ("parallelism.tp=8 parallelism.pp=4 parallelism.dp=2");
  g_autoptr (PlgReport) report = plg_evaluate (plan, 0, NULL);
  g_autoptr (GArray) all = plg_equivalent_plans (plan, report);

  g_assert_cmpuint (all->len, >, 4);
  g_assert_null (find (all, "parallelism.order=tp-cp-dp-pp"));
  for (guint i = 0; i < all->len; i++)
    {
      const PlgEquivalentPlan *alternative = &g_array_index (all, PlgEquivalentPlan, i);

      g_assert_true (alternative->fits != report->fits ||
                     fabs (alternative->time / report->step.time - 1) >= 0.001 ||
                     fabs (alternative->memory / report->memory_peak - 1) >= 0.001);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equivalent-plans/experts", test_experts);
  g_test_add_func ("/equivalent-plans/limits-of-experts", test_limits_of_experts);
  g_test_add_func ("/equivalent-plans/dense", test_dense);
  g_test_add_func ("/equivalent-plans/reasons", test_reasons);
  g_test_add_func ("/equivalent-plans/visible-differences", test_visible_differences);
  return g_test_run ();
}
