/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/history.h"

/* Plans that differ in one number represent all plans. */
static PlgPlan *
plan_of (int sequence)
{
  PlgPlan *plan = plg_plan_new ();

  plan->training.sequence = sequence;
  return plan;
}

static int
current (const PlgHistory *history)
{
  return plg_history_current (history)->training.sequence;
}

static void
push (PlgHistory *history, int sequence, const char *label, gboolean merge)
{
  g_autoptr (PlgPlan) plan = plan_of (sequence);

  plg_history_push (history, plan, label, merge);
  g_assert_cmpint (current (history), ==, sequence);
}

static PlgHistory *
history_of_one (void)
{
  g_autoptr (PlgPlan) plan = plan_of (1);

  return plg_history_new (plan);
}

static void
test_undo_redo (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  g_assert_false (plg_history_undo (history));
  g_assert_false (plg_history_redo (history));
  g_assert_null (plg_history_undo_label (history));
  g_assert_null (plg_history_redo_label (history));
  push (history, 2, "two", FALSE);
  push (history, 3, "three", FALSE);
  g_assert_cmpstr (plg_history_undo_label (history), ==, "three");
  g_assert_true (plg_history_undo (history));
  g_assert_cmpint (current (history), ==, 2);
  g_assert_cmpstr (plg_history_undo_label (history), ==, "two");
  g_assert_cmpstr (plg_history_redo_label (history), ==, "three");
  g_assert_true (plg_history_undo (history));
  g_assert_cmpint (current (history), ==, 1);
  g_assert_false (plg_history_undo (history));
  g_assert_true (plg_history_redo (history));
  g_assert_true (plg_history_redo (history));
  g_assert_cmpint (current (history), ==, 3);
  g_assert_false (plg_history_redo (history));
}

static void
test_push_forgets_later (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  push (history, 2, "two", FALSE);
  push (history, 3, "three", FALSE);
  plg_history_undo (history);
  plg_history_undo (history);
  push (history, 4, "four", FALSE);
  g_assert_null (plg_history_redo_label (history));
  plg_history_undo (history);
  g_assert_cmpint (current (history), ==, 1);
}

static void
test_saved (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  g_assert_true (plg_history_is_saved (history));
  push (history, 2, "two", FALSE);
  g_assert_false (plg_history_is_saved (history));
  plg_history_mark_saved (history);
  g_assert_true (plg_history_is_saved (history));
  plg_history_undo (history);
  g_assert_false (plg_history_is_saved (history));
  plg_history_redo (history);
  g_assert_true (plg_history_is_saved (history));
  /* The saved value has been dropped: the same numbers again are another value. */
  plg_history_undo (history);
  push (history, 2, "two", FALSE);
  g_assert_false (plg_history_is_saved (history));
  plg_history_mark_unsaved (history);
  plg_history_undo (history);
  g_assert_false (plg_history_is_saved (history));
}

static void
test_merge (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  push (history, 2, "sequence", TRUE); /* nothing to merge with */
  push (history, 3, "sequence", TRUE);
  push (history, 4, "sequence", TRUE);
  plg_history_undo (history);
  g_assert_cmpint (current (history), ==, 1);
  g_assert_false (plg_history_undo (history));
  plg_history_redo (history);
  g_assert_cmpint (current (history), ==, 4);

  /* The saved value stays reachable. */
  plg_history_mark_saved (history);
  push (history, 5, "sequence", TRUE);
  plg_history_undo (history);
  g_assert_cmpint (current (history), ==, 4);
  g_assert_true (plg_history_is_saved (history));
}

static void
test_merge_back (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  push (history, 2, "sequence", FALSE);
  push (history, 1, "sequence", TRUE);
  g_assert_null (plg_history_undo_label (history));
  g_assert_true (plg_history_is_saved (history));
  push (history, 2, "sequence", TRUE);
  g_assert_cmpstr (plg_history_undo_label (history), ==, "sequence");
}

static void
test_limit (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();
  int steps = 0;

  for (int i = 2; i < 1500; i++)
    push (history, i, "more", FALSE);
  while (plg_history_undo (history))
    steps++;
  g_assert_cmpint (steps, >=, 500);
  g_assert_cmpint (steps, <, 1498);
}

static void
test_view (void)
{
  g_autoptr (PlgHistory) history = history_of_one ();

  push (history, 2, "two", FALSE);
  plg_history_set_view (history, &(PlgView) { .show = PLG_SHOW_PP, .rings = TRUE });
  plg_history_undo (history);
  g_assert_cmpint (plg_history_current (history)->view.show, ==, PLG_SHOW_PP);
  g_assert_true (plg_history_current (history)->view.rings);
  plg_history_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/undo-redo", test_undo_redo);
  g_test_add_func ("/history/push-forgets-later", test_push_forgets_later);
  g_test_add_func ("/history/saved", test_saved);
  g_test_add_func ("/history/merge", test_merge);
  g_test_add_func ("/history/merge-back", test_merge_back);
  g_test_add_func ("/history/limit", test_limit);
  g_test_add_func ("/history/view", test_view);
  return g_test_run ();
}
