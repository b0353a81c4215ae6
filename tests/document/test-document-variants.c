/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"
#include "plan/plan-problem.h"
#include "sample.h"

#include <string.h>

/* The variants of a document. */

static const PlgVariants *
variants_of (PlgDocument *document)
{
  return plg_document_plan (document)->variants;
}

static void
add (PlgDocument *document, const char *name)
{
  g_autoptr (GError) error = NULL;

  plg_document_add_variant (document, name, &error);
  g_assert_no_error (error);
}

/* Each change is one undo step, and a switch brings the design back but keeps the title. */
static void
test_steps (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) titled = NULL;
  g_autoptr (GError) error = NULL;

  apply_sequence (document, 4096, NULL);
  add (document, "short");
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Add variant “short”");
  apply_sequence (document, 8192, NULL);
  titled = plg_plan_copy (plg_document_plan (document));
  g_free (titled->title);
  titled->title = g_strdup ("Night run");
  g_assert_true (plg_document_apply (document, titled, "Title", NULL, NULL));

  g_assert_true (plg_document_switch_to_variant (document, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
  g_assert_cmpstr (plg_document_plan (document)->title, ==, "Night run");
  g_assert_cmpint (plg_variants_count (variants_of (document)), ==, 1);
  plg_document_undo (document);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 8192);

  g_assert_true (plg_document_rename_variant (document, 0, "brief", &error));
  g_assert_cmpstr (plg_variants_nth (variants_of (document), 0)->name, ==, "brief");
  g_assert_true (plg_document_remove_variant (document, 0, &error));
  g_assert_null (variants_of (document));
  plg_document_undo (document);
  g_assert_cmpstr (plg_variants_nth (variants_of (document), 0)->name, ==, "brief");
  plg_document_undo (document);
  g_assert_cmpstr (plg_variants_nth (variants_of (document), 0)->name, ==, "short");
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) same = NULL;
  g_autoptr (GError) taken = NULL;

  add (document, NULL);
  g_assert_false (plg_document_add_variant (document, "the same design", &same));
  g_assert_error (same, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  apply_sequence (document, 4096, NULL);
  add (document, NULL);
  g_assert_cmpstr (plg_variants_nth (variants_of (document), 0)->name, !=,
                   plg_variants_nth (variants_of (document), 1)->name);
  apply_sequence (document, 2048, NULL);
  g_assert_false (plg_document_add_variant (document, "", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  g_assert_false (plg_document_rename_variant (document, 0,
                                               plg_variants_nth (variants_of (document), 1)->name,
                                               &taken));
  g_assert_error (taken, PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE);
  g_assert_cmpint (plg_variants_count (variants_of (document)), ==, 2);
}

/* Variants are saved with the plan, and the saved plan can be compared with the open plan. */
static void
test_saved (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgDocument) other = plg_document_new (fixture->catalogue);
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autoptr (GError) error = NULL;

  g_assert_null (plg_document_saved_plan (document));
  apply_sequence (document, 4096, NULL);
  add (document, "short");
  g_assert_true (plg_document_is_modified (document));
  plg_document_save (document, file, &error);
  g_assert_no_error (error);
  g_assert_false (plg_document_is_modified (document));
  apply_sequence (document, 2048, NULL);
  g_assert_cmpint (sequence_of (plg_document_saved_plan (document)), ==, 4096);

  plg_document_open (other, file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_variants_count (variants_of (other)), ==, 1);
  g_assert_cmpstr (plg_variants_nth (variants_of (other), 0)->name, ==, "short");
}

/* A lesson that locks a setting refuses a variant that changes it. */
static void
test_lesson_locks (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = { "parallelism.*", NULL };
  const PlgEditPolicy policy = { .keys = keys };
  PlgDocument *document = fixture->document;
  g_autoptr (GError) error = NULL;

  apply_sequence (document, 4096, NULL);
  add (document, "short");
  apply_sequence (document, 2048, NULL);
  plg_document_set_policy (document, &policy);
  g_assert_false (plg_document_switch_to_variant (document, 0, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 2048);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document-variants/steps", test_steps);
  TEST ("/document-variants/names", test_names);
  TEST ("/document-variants/saved", test_saved);
  TEST ("/document-variants/lesson-locks", test_lesson_locks);
  return g_test_run ();
}
