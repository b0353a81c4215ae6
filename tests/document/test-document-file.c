/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"
#include "sample.h"

#include <sys/stat.h>

/* The file of a document. */

static void
test_modified_compares_steps (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");

  apply_sequence (document, 4096, NULL);
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_false (plg_document_is_modified (document));
  apply_sequence (document, 2048, NULL);
  g_assert_true (plg_document_is_modified (document));
  plg_document_undo (document);
  g_assert_false (plg_document_is_modified (document));
  plg_document_undo (document);
  g_assert_true (plg_document_is_modified (document));
  plg_document_redo (document);
  g_assert_false (plg_document_is_modified (document));
}

static void
test_save_open (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgDocument) other = plg_document_new (fixture->catalogue);
  g_autoptr (GFile) file = file_in (fixture, "a b.plan.xml");
  g_autofree char *new_name = plg_document_display_name (document);
  g_autofree char *name = NULL;
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (new_name, ==, "new plan");
  apply_sequence (document, 4096, NULL);
  plg_document_save (document, file, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_equal (plg_document_file (document), file));
  name = plg_document_display_name (document);
  g_assert_cmpstr (name, ==, "a b.plan.xml");
  /* Saving adds no step and keeps all steps. */
  g_assert_nonnull (plg_document_undo_label (document));

  apply_sequence (other, 1024, NULL);
  plg_document_open (other, file, &notice, &error);
  g_assert_no_error (error);
  g_assert_null (notice);
  g_assert_true (plg_plan_equal (plg_document_plan (other), plg_document_plan (document)));
  g_assert_true (g_file_equal (plg_document_file (other), file));
  g_assert_false (plg_document_is_modified (other));
  g_assert_null (plg_document_undo_label (other));
}

/* Comments in the file survive saving a change. */
static void
test_save_keeps_comments (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autofree char *first = NULL;
  g_autofree char *again = NULL;
  g_autofree char *changed = NULL;
  g_autofree char *commented = NULL;
  g_autoptr (GString) text = NULL;

  g_assert_true (plg_document_save (document, file, NULL));
  first = contents_of (file);
  text = g_string_new (first);
  g_string_insert (text, strrchr (text->str, '<') - text->str, "<!-- by hand -->\n");
  write_file (file, text->str);
  g_assert_true (plg_document_open (document, file, NULL, NULL));
  g_assert_true (plg_document_save (document, file, NULL));
  again = contents_of (file);
  g_assert_cmpstr (again, ==, text->str);
  apply_sequence (document, 4096, NULL);
  g_assert_true (plg_document_save (document, file, NULL));
  changed = contents_of (file);
  g_assert_nonnull (strstr (changed, "<!-- by hand -->"));
  g_assert_nonnull (strstr (changed, "4096"));
}

static void
test_open_fails (Fixture *fixture, gconstpointer data)
{
  static const char *const contents[] = {
    "", "<plan", "hello", "<plan version=\"1\"><cluster/", "\xff\xfe\x00", NULL
  };
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) missing = file_in (fixture, "none.plan.xml");
  g_autoptr (GFile) file = file_in (fixture, "bad.plan.xml");
  g_autoptr (GFile) directory = g_file_new_for_path (fixture->directory);
  g_autoptr (PlgPlan) before = NULL;
  g_autoptr (GError) error = NULL;

  apply_sequence (document, 4096, NULL);
  before = plg_plan_copy (plg_document_plan (document));
  fixture->changes = 0;
  g_assert_false (plg_document_open (document, missing, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (plg_document_open (document, directory, NULL, &error));
  g_assert_nonnull (error);
  for (int i = 0; contents[i] != NULL; i++)
    {
      g_clear_error (&error);
      write_file (file, contents[i]);
      g_assert_false (plg_document_open (document, file, NULL, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, "bad.plan.xml"));
    }
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  g_assert_nonnull (plg_document_undo_label (document));
  g_assert_true (plg_document_is_modified (document));
  g_assert_null (plg_document_file (document));
  g_assert_cmpint (fixture->changes, ==, 0);
}

static void
test_save_fails (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) good = file_in (fixture, "a.plan.xml");
  g_autoptr (GFile) bad = file_in (fixture, "no/such/folder/a.plan.xml");
  g_autoptr (GError) error = NULL;

  g_assert_true (plg_document_save (document, good, NULL));
  apply_sequence (document, 4096, NULL);
  g_assert_false (plg_document_save (document, bad, &error));
  g_assert_nonnull (error);
  g_assert_true (plg_document_is_modified (document));
  g_assert_true (g_file_equal (plg_document_file (document), good));
  g_assert_nonnull (plg_document_undo_label (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
}

/* Another program's file opens as a new plan: Save must not overwrite it. */
static void
test_import (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "plan.yaml");
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;

  write_file (file, "world_size: 64\nnode_shape: 8_nodes_x_8_gpus\n"
                    "parallelism:\n  tp_size: 4\n  pp_size: 4\n  dp_size: 4\n");
  plg_document_open (document, file, &notice, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 4);
  g_assert_null (plg_document_file (document));
  g_assert_nonnull (notice);
}

static void
test_reset (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autoptr (PlgPlan) plan = sample_plan ();

  apply_sequence (document, 4096, NULL);
  plg_document_save (document, file, NULL);
  plg_document_reset (document, NULL);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 8192);
  g_assert_null (plg_document_file (document));
  g_assert_null (plg_document_undo_label (document));
  g_assert_false (plg_document_is_modified (document));
  plan->training.sequence = 512;
  plg_document_reset (document, plan);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 512);
}

/* A file that another program has changed is not overwritten without a question. */
static void
test_file_changed_elsewhere (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");

  g_assert_false (plg_document_file_changed (document));
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_false (plg_document_file_changed (document));
  write_file (file, "<plan version='1'/>");
  g_assert_true (plg_document_file_changed (document));
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_false (plg_document_file_changed (document));
}

/* No program writes into this pipe, so a reader would wait forever. */
static void
test_pipe (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "pipe.plan.xml");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (g_file_peek_path (file), 0600), ==, 0);
  g_assert_false (plg_document_open (document, file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_nonnull (strstr (error->message, "pipe.plan.xml"));
  g_assert_null (plg_document_read (document, file, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document/modified-compares-steps", test_modified_compares_steps);
  TEST ("/document/save-open", test_save_open);
  TEST ("/document/save-keeps-comments", test_save_keeps_comments);
  TEST ("/document/open-fails", test_open_fails);
  TEST ("/document/pipe", test_pipe);
  TEST ("/document/save-fails", test_save_fails);
  TEST ("/document/import", test_import);
  TEST ("/document/reset", test_reset);
  TEST ("/document/file-changed-elsewhere", test_file_changed_elsewhere);
  return g_test_run ();
}
