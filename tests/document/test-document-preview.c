/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"

#include "plan/edit.h"

/* Previews of a plan before a step. */

static void
test_preview (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  const PlgReport *committed = plg_document_report (document);

  for (int sequence = 1024; sequence <= 4096; sequence += 1024)
    {
      plan->training.sequence = sequence;
      g_assert_true (plg_document_preview (document, plan));
      g_assert_true (plg_document_is_previewing (document));
      g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, sequence);
    }
  g_assert_cmpint (fixture->changes, ==, 4);
  g_assert_cmpint (sequence_of (plg_document_committed_plan (document)), ==, 8192);
  g_assert_true (plg_document_committed_report (document) == committed);
  g_assert_true (plg_document_report (document) != committed);
  g_assert_null (plg_document_undo_label (document));
  g_assert_false (plg_document_is_modified (document));

  g_assert_true (plg_document_preview (document, NULL));
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 8192);
  g_assert_true (plg_document_report (document) == committed);
  g_assert_cmpint (fixture->changes, ==, 5);
  g_assert_true (plg_document_preview (document, NULL));
  g_assert_cmpint (fixture->changes, ==, 5);
}

static gboolean
put_off (gpointer data)
{
  return *(gboolean *) data;
}

/* The widgets next to the cluster may get one signal for several previews, but get a signal for
 * the last preview and for every step: first for the numbers, then for the pictures. */
static void
test_deferred_updates (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  gboolean later = FALSE;
  int caught_up = 0, followed = 0;

  g_signal_connect_swapped (document, "numbers-changed", G_CALLBACK (count_cb), &caught_up);
  g_signal_connect_swapped (document, "pictures-changed", G_CALLBACK (count_cb), &followed);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 1);
  g_assert_cmpint (followed, ==, 1);
  plg_document_set_defer_func (document, put_off, &later);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 2);
  later = TRUE;
  plg_document_preview (document, plan);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 2);
  g_assert_true (plg_document_emit_deferred (document));
  g_assert_cmpint (caught_up, ==, 3);
  g_assert_cmpint (followed, ==, 2);
  g_assert_false (plg_document_emit_deferred (document));
  g_assert_false (plg_document_emit_deferred (document));
  g_assert_cmpint (caught_up, ==, 3);
  g_assert_cmpint (followed, ==, 3);
  plg_document_preview (document, plan);
  apply_sequence (document, 2048, NULL);
  g_assert_cmpint (caught_up, ==, 4);
  g_assert_cmpint (followed, ==, 4);
  g_assert_false (plg_document_emit_deferred (document));
  g_assert_cmpint (caught_up, ==, 4);
  plg_document_set_defer_func (document, NULL, NULL);
}

/* However often the plan changes, every widget is updated after a limited time. */
static void
test_deferred_updates_in_time (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  gboolean later = TRUE;
  int caught_up = 0, followed = 0;

  g_signal_connect_swapped (document, "numbers-changed", G_CALLBACK (count_cb), &caught_up);
  g_signal_connect_swapped (document, "pictures-changed", G_CALLBACK (count_cb), &followed);
  plg_document_set_defer_func (document, put_off, &later);
  for (int i = 0; i < 10; i++)
    {
      plg_document_preview (document, plan);
      plg_document_emit_deferred (document);
    }
  g_assert_cmpint (caught_up, ==, 5);
  g_assert_cmpint (followed, ==, 5);
  plg_document_set_defer_func (document, NULL, NULL);
}

/* A referenced report of a preview keeps its numbers. */
static void
test_preview_report_is_kept (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (PlgReport) kept = NULL;

  g_assert_true (plg_edit_set (plan, NULL, "cluster.nodes", "16", NULL));
  g_assert_true (plg_document_preview (document, plan));
  kept = plg_report_ref ((PlgReport *) plg_document_report (document));
  g_assert_true (plg_edit_set (plan, NULL, "cluster.nodes", "4", NULL));
  g_assert_true (plg_document_preview (document, plan));
  g_assert_cmpint (kept->world_size, ==, 128);
  g_assert_cmpint (plg_document_report (document)->world_size, ==, 32);
}

static void
test_preview_refused (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));

  plan->training.sequence = 4096;
  g_assert_true (plg_document_preview (document, plan));
  plan->parallelism.degree[PLG_AXIS_TP] = 3;
  g_assert_false (plg_document_preview (document, plan));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 8);
  g_assert_cmpint (plg_document_report (document)->world_size, ==, 64);
  g_assert_cmpint (fixture->changes, ==, 1);
}

static void
test_apply_ends_preview (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));

  plan->training.sequence = 4096;
  plg_document_preview (document, plan);
  apply_sequence (document, 2048, NULL);
  g_assert_false (plg_document_is_previewing (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 2048);
}

static void
test_view (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  const PlgView view = { PLG_SHOW_PP, PLG_LINK_COLOR_TIME, TRUE };

  apply_sequence (document, 4096, NULL);
  plg_document_undo (document);
  fixture->changes = 0;
  plg_document_set_view (document, &view);
  g_assert_cmpint (fixture->changes, ==, 1);
  g_assert_false (plg_document_is_modified (document));
  g_assert_null (plg_document_undo_label (document));
  g_assert_nonnull (plg_document_redo_label (document));
  plg_document_redo (document);
  g_assert_cmpint (plg_document_plan (document)->view.show, ==, PLG_SHOW_PP);
  g_assert_true (plg_document_plan (document)->view.rings);
}

/* A lesson shows one axis by setting the key of the view. */
static void
test_view_by_key (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;

  g_assert_true (plg_document_set (document, "view.show", "tp", NULL));
  g_assert_cmpint (plg_document_plan (document)->view.show, ==, PLG_SHOW_TP);
  g_assert_null (plg_document_undo_label (document));
  g_assert_false (plg_document_is_modified (document));
  g_assert_cmpint (fixture->changes, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document/preview", test_preview);
  TEST ("/document/preview-report-is-kept", test_preview_report_is_kept);
  TEST ("/document/deferred-updates", test_deferred_updates);
  TEST ("/document/deferred-updates-in-time", test_deferred_updates_in_time);
  TEST ("/document/preview-refused", test_preview_refused);
  TEST ("/document/apply-ends-preview", test_apply_ends_preview);
  TEST ("/document/view", test_view);
  TEST ("/document/view-by-key", test_view_by_key);
  return g_test_run ();
}
