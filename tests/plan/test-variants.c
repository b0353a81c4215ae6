/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan-problem.h"
#include "plan/plan.h"

#include <string.h>

/* The list of variants is a value: copies of a plan share it, and each change makes a new list. */

static PlgVariants *
add (const PlgVariants *variants, const char *name, const PlgPlan *plan)
{
  g_autoptr (GError) error = NULL;
  PlgVariants *list = plg_variants_add (variants, name, plan, &error);

  g_assert_no_error (error);
  return list;
}

static void
test_lists_are_values (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (PlgPlan) copy = NULL;
  g_autoptr (PlgVariants) one = add (NULL, "one", plan);
  g_autoptr (PlgVariants) two = add (one, "two", plan);
  g_autoptr (PlgVariants) renamed = plg_variants_rename (two, 0, "first", NULL);
  g_autoptr (PlgVariants) rest = plg_variants_remove (two, 0);

  g_assert_cmpint (plg_variants_count (NULL), ==, 0);
  g_assert_cmpint (plg_variants_count (one), ==, 1);
  g_assert_cmpint (plg_variants_count (two), ==, 2);
  g_assert_cmpstr (plg_variants_nth (two, 0)->name, ==, "one");
  g_assert_cmpstr (plg_variants_nth (renamed, 0)->name, ==, "first");
  g_assert_cmpstr (plg_variants_nth (rest, 0)->name, ==, "two");
  g_assert_null (plg_variants_remove (one, 0));
  g_assert_true (plg_variants_equal (two, two));
  g_assert_false (plg_variants_equal (two, renamed));
  g_assert_false (plg_variants_equal (one, NULL));

  plan->variants = plg_variants_ref (two);
  copy = plg_plan_copy (plan);
  g_assert_true (copy->variants == two);
  g_assert_true (plg_plan_equal (copy, plan));
  plg_variants_unref (copy->variants);
  copy->variants = plg_variants_ref (renamed);
  g_assert_false (plg_plan_equal (copy, plan));
  g_assert_true (plg_plan_same_design (copy, plan));
}

static void
test_apply_keeps_title_and_view (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (PlgPlan) applied = NULL;

  g_free (plan->title);
  plan->title = g_strdup ("Old title");
  plan->model.layers = 7;
  plan->variants = add (NULL, "seven layers", plan);
  plan->model.layers = 3;
  plan->view.show = PLG_SHOW_MEMORY;
  g_free (plan->title);
  plan->title = g_strdup ("New title");
  applied = plg_variant_apply (plg_variants_nth (plan->variants, 0), plan);
  g_assert_cmpint (applied->model.layers, ==, 7);
  g_assert_cmpstr (applied->title, ==, "New title");
  g_assert_cmpint (applied->view.show, ==, PLG_SHOW_MEMORY);
  g_assert_true (applied->variants == plan->variants);
}

static void
test_names (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  g_autoptr (PlgVariants) list = add (NULL, "a", plan);
  g_autoptr (PlgVariants) more = add (list, "a 2", plan);
  g_autofree char *long_name = g_strnfill (PLG_MAX_VARIANT_NAME + 1, 'x');
  g_autofree char *shorter = plg_variants_free_name (NULL, long_name);
  g_autofree char *third = plg_variants_free_name (more, "a");
  const char *const wrong[] = { "", "a", "two\nlines", "\xff", long_name };

  g_assert_cmpstr (third, ==, "a 3");
  g_assert_cmpint (g_utf8_strlen (shorter, -1), <=, PLG_MAX_VARIANT_NAME);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (plg_variants_add (list, wrong[i], plan, &error));
      g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
    }
  /* A variant may keep its name when it is renamed. */
  g_autoptr (PlgVariants) same = plg_variants_rename (list, 0, "a", NULL);

  g_assert_nonnull (same);
}

static void
test_number_of_variants (void)
{
  g_autoptr (PlgPlan) plan = plg_plan_new ();
  PlgVariants *list = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < PLG_MAX_VARIANTS; i++)
    {
      g_autofree char *name = plg_variants_free_name (list, "plan");
      PlgVariants *next = add (list, name, plan);

      plg_variants_unref (list);
      list = next;
    }
  g_assert_null (plg_variants_add (list, "one more", plan, &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, "32"));
  plg_variants_unref (list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/variants/lists-are-values", test_lists_are_values);
  g_test_add_func ("/variants/apply-keeps-title-and-view", test_apply_keeps_title_and_view);
  g_test_add_func ("/variants/names", test_names);
  g_test_add_func ("/variants/number-of-variants", test_number_of_variants);
  return g_test_run ();
}
