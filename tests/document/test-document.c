/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "document/document.h"
#include "plan/edit.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  PlgCatalogue *catalogue;
  PlgDocument *document;
  char *directory; /* a fresh one for files */
  int changes;     /* how often "changed" was emitted */
} Fixture;

static void
count_cb (int *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = sample_catalogue ();
  fixture->document = plg_document_new (fixture->catalogue);
  fixture->directory = g_dir_make_tmp ("plg-document-XXXXXX", NULL);
  g_signal_connect_swapped (fixture->document, "changed", G_CALLBACK (count_cb), &fixture->changes);
}

static void
remove_directory (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        remove_directory (path);
      else
        g_unlink (path);
    }
  g_rmdir (directory);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->document);
  plg_catalogue_unref (fixture->catalogue);
  remove_directory (fixture->directory);
  g_free (fixture->directory);
}

static int
sequence_of (const PlgPlan *plan)
{
  return plan->training.sequence;
}

/* Any step: another sequence length. */
static void
apply_sequence (PlgDocument *document, int sequence, const char *merge_key)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (document));
  g_autofree char *label = g_strdup_printf ("Sequence %d", sequence);
  g_autoptr (GError) error = NULL;

  plan->training.sequence = sequence;
  plg_document_apply (document, plan, label, merge_key, &error);
  g_assert_no_error (error);
}

static GFile *
file_in (Fixture *fixture, const char *name)
{
  return g_file_new_build_filename (fixture->directory, name, NULL);
}

static char *
contents_of (GFile *file)
{
  char *contents = NULL;

  g_file_load_contents (file, NULL, &contents, NULL, NULL, NULL);
  return contents;
}

static void
write_file (GFile *file, const char *contents)
{
  g_assert_true (g_file_set_contents (g_file_peek_path (file), contents, -1, NULL));
}

/* Values and steps */

static void
test_new (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;

  g_assert_cmpint (plg_plan_world (plg_document_plan (document)), ==, 64);
  g_assert_cmpint (plg_document_report (document)->world_size, ==, 64);
  g_assert_true (plg_document_catalogue (document) == fixture->catalogue);
  g_assert_false (plg_document_is_modified (document));
  g_assert_null (plg_document_undo_label (document));
  g_assert_null (plg_document_file (document));
  g_assert_false (plg_document_undo (document));
  g_assert_false (plg_document_redo (document));
}

static void
test_undo_redo (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  const PlgReport *report;

  apply_sequence (document, 4096, NULL);
  apply_sequence (document, 2048, NULL);
  g_assert_cmpint (fixture->changes, ==, 2);
  report = plg_document_report (document);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Sequence 2048");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
  g_assert_true (plg_document_report (document) != report);
  g_assert_cmpstr (plg_document_undo_label (document), ==, "Sequence 4096");
  g_assert_cmpstr (plg_document_redo_label (document), ==, "Sequence 2048");
  g_assert_true (plg_document_redo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 2048);
  g_assert_null (plg_document_redo_label (document));
  g_assert_cmpint (fixture->changes, ==, 4);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) before = plg_plan_copy (plg_document_plan (document));
  g_autoptr (PlgPlan) plan = plg_plan_copy (before);
  g_autoptr (GError) error = NULL;

  plan->parallelism.degree[PLG_AXIS_TP] = 3;
  g_assert_false (plg_document_apply (document, plan, "TP 3", NULL, &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_clear_error (&error);
  g_assert_false (plg_document_set (document, "parallelism.tp", "3", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_WORLD);
  g_clear_error (&error);
  g_assert_false (plg_document_set (document, "no.such-key", "3", &error));
  g_assert_error (error, PLG_PLAN_ERROR, PLG_PLAN_ERROR_KEY);
  g_assert_true (plg_plan_equal (plg_document_plan (document), before));
  g_assert_false (plg_document_is_modified (document));
  g_assert_cmpint (fixture->changes, ==, 0);
}

static void
test_no_step_without_change (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));

  g_assert_true (plg_document_apply (document, plan, "Nothing", NULL, NULL));
  g_assert_true (plg_document_set (document, "parallelism.tp", "8", NULL));
  g_assert_null (plg_document_undo_label (document));
  g_assert_false (plg_document_is_modified (document));
  g_assert_cmpint (fixture->changes, ==, 0);
}

static void
test_set (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GError) error = NULL;

  plg_document_set (document, "parallelism.tp", "4", &error);
  g_assert_no_error (error);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_DP], ==, 4);
  g_assert_nonnull (plg_document_undo_label (document));
  plg_document_undo (document);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_DP], ==, 2);
}

/* A spin button that runs through many values is one step. */
static void
test_merge (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;

  apply_sequence (document, 4096, "sequence");
  apply_sequence (document, 2048, "sequence");
  apply_sequence (document, 1024, "sequence");
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 8192);
  g_assert_false (plg_document_undo (document));
  g_assert_true (plg_document_redo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 1024);

  /* After undo or redo a new step begins, and so it does with another key or none. */
  apply_sequence (document, 512, "sequence");
  apply_sequence (document, 256, "other");
  apply_sequence (document, 128, NULL);
  apply_sequence (document, 64, NULL);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 128);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 256);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 512);
  g_assert_true (plg_document_undo (document));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 1024);
}

static void
test_merge_back (Fixture *fixture, gconstpointer data)
{
  apply_sequence (fixture->document, 4096, "sequence");
  apply_sequence (fixture->document, 8192, "sequence");
  g_assert_null (plg_document_undo_label (fixture->document));
  g_assert_false (plg_document_is_modified (fixture->document));
}

/* Preview and view */

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

/* What stands beside the cluster may be told of several previews at once, but is told of the last
 * and of every step: first the numbers, then the pictures. */
static void
test_catch_up (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  gboolean later = FALSE;
  int caught_up = 0, followed = 0;

  g_signal_connect_swapped (document, "caught-up", G_CALLBACK (count_cb), &caught_up);
  g_signal_connect_swapped (document, "followed", G_CALLBACK (count_cb), &followed);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 1);
  g_assert_cmpint (followed, ==, 1);
  plg_document_set_pace (document, put_off, &later);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 2);
  later = TRUE;
  plg_document_preview (document, plan);
  plg_document_preview (document, plan);
  g_assert_cmpint (caught_up, ==, 2);
  g_assert_true (plg_document_catch_up (document));
  g_assert_cmpint (caught_up, ==, 3);
  g_assert_cmpint (followed, ==, 2);
  g_assert_false (plg_document_catch_up (document));
  g_assert_false (plg_document_catch_up (document));
  g_assert_cmpint (caught_up, ==, 3);
  g_assert_cmpint (followed, ==, 3);
  plg_document_preview (document, plan);
  apply_sequence (document, 2048, NULL);
  g_assert_cmpint (caught_up, ==, 4);
  g_assert_cmpint (followed, ==, 4);
  g_assert_false (plg_document_catch_up (document));
  g_assert_cmpint (caught_up, ==, 4);
  plg_document_set_pace (document, NULL, NULL);
}

/* However often the plan changes, nobody waits for ever. */
static void
test_catch_up_in_turns (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  gboolean later = TRUE;
  int caught_up = 0, followed = 0;

  g_signal_connect_swapped (document, "caught-up", G_CALLBACK (count_cb), &caught_up);
  g_signal_connect_swapped (document, "followed", G_CALLBACK (count_cb), &followed);
  plg_document_set_pace (document, put_off, &later);
  for (int i = 0; i < 10; i++)
    {
      plg_document_preview (document, plan);
      plg_document_catch_up (document);
    }
  g_assert_cmpint (caught_up, ==, 5);
  g_assert_cmpint (followed, ==, 5);
  plg_document_set_pace (document, NULL, NULL);
}

/* Who keeps a report of a preview keeps what it said. */
static void
test_preview_report_is_kept (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (document));
  g_autoptr (PlgReport) kept = NULL;

  g_assert_true (plg_edit_set_cluster_size (plan, 16, 8, NULL));
  g_assert_true (plg_document_preview (document, plan));
  kept = plg_report_ref ((PlgReport *) plg_document_report (document));
  g_assert_true (plg_edit_set_cluster_size (plan, 4, 8, NULL));
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

/* As a lesson does that shows one axis: by the key. */
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

/* Properties */

typedef struct
{
  int title, modified, can_undo, can_redo, file;
} Notifies;

static void
connect_notifies (PlgDocument *document, Notifies *notifies)
{
  const struct
  {
    const char *signal;
    int *count;
  } signals[] = { { "notify::title", &notifies->title },
                  { "notify::modified", &notifies->modified },
                  { "notify::can-undo", &notifies->can_undo },
                  { "notify::can-redo", &notifies->can_redo },
                  { "notify::file", &notifies->file } };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (document, signals[i].signal, G_CALLBACK (count_cb), signals[i].count);
}

static void
assert_notifies (Notifies *notifies, Notifies expected)
{
  g_assert_cmpint (notifies->title, ==, expected.title);
  g_assert_cmpint (notifies->modified, ==, expected.modified);
  g_assert_cmpint (notifies->can_undo, ==, expected.can_undo);
  g_assert_cmpint (notifies->can_redo, ==, expected.can_redo);
  g_assert_cmpint (notifies->file, ==, expected.file);
  *notifies = (Notifies) { 0 };
}

static void
test_notifies (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autoptr (PlgPlan) titled = plg_plan_copy (plg_document_plan (document));
  Notifies notifies = { 0 };
  gboolean modified, can_undo;

  connect_notifies (document, &notifies);
  apply_sequence (document, 4096, NULL);
  assert_notifies (&notifies, (Notifies) { .modified = 1, .can_undo = 1 });
  g_object_get (document, "modified", &modified, "can-undo", &can_undo, NULL);
  g_assert_true (modified && can_undo);
  apply_sequence (document, 2048, NULL);
  assert_notifies (&notifies, (Notifies) { 0 });
  plg_document_undo (document);
  assert_notifies (&notifies, (Notifies) { .can_redo = 1 });
  plg_document_undo (document);
  assert_notifies (&notifies, (Notifies) { .modified = 1, .can_undo = 1 });
  plg_document_preview (document, titled);
  assert_notifies (&notifies, (Notifies) { 0 });
  plg_document_preview (document, NULL);

  g_free (titled->title);
  titled->title = g_strdup ("Mine");
  g_assert_true (plg_document_apply (document, titled, "Title", NULL, NULL));
  assert_notifies (&notifies,
                   (Notifies) { .title = 1, .modified = 1, .can_undo = 1, .can_redo = 1 });
  g_assert_true (plg_document_save (document, file, NULL));
  assert_notifies (&notifies, (Notifies) { .modified = 1, .file = 1 });
  g_assert_true (plg_document_save (document, file, NULL));
  assert_notifies (&notifies, (Notifies) { 0 });
}

static void
test_title_property (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (fixture->document));
  g_autoptr (GFile) none = NULL;
  g_autofree char *title = NULL;

  g_free (plan->title);
  plan->title = g_strdup ("Spring run");
  plg_document_apply (fixture->document, plan, "Title", NULL, NULL);
  g_object_get (fixture->document, "title", &title, "file", &none, NULL);
  g_assert_cmpstr (title, ==, "Spring run");
  g_assert_null (none);
}

/* Files */

static void
test_modified_is_a_serial (Fixture *fixture, gconstpointer data)
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
  /* Saving is no step and forgets none. */
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

/* What people wrote in the file by hand is there after saving a change. */
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

/* Recovery */

static char *
state_directory (Fixture *fixture)
{
  return g_build_filename (fixture->directory, "state", "unsaved", NULL);
}

static int
count_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  int n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Runs what is due: with a delay of no seconds, the autosave. */
static void
run_timers (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_autosave (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autofree char *state = state_directory (fixture);
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");

  plg_document_set_autosave (document, state, 0);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 0);
  apply_sequence (document, 4096, NULL);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 1);
  apply_sequence (document, 2048, NULL);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 1);

  /* Undo to what needs no saving, saving, and giving up all remove it. With a file of its own, its
   * address stands beside the plan. */
  plg_document_undo (document);
  plg_document_undo (document);
  g_assert_cmpint (count_files (state), ==, 0);
  plg_document_redo (document);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 1);
  plg_document_save (document, file, NULL);
  g_assert_cmpint (count_files (state), ==, 0);
  apply_sequence (document, 1024, NULL);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 2);
  plg_document_discard_autosave (document);
  g_assert_cmpint (count_files (state), ==, 0);
}

static void
test_autosave_off (Fixture *fixture, gconstpointer data)
{
  apply_sequence (fixture->document, 4096, NULL);
  run_timers ();
  g_assert_cmpint (count_files (fixture->directory), ==, 0);
}

/* A running program's plans are its own, not left by a crash. */
static void
test_running_is_no_crash (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = state_directory (fixture);
  g_auto (GStrv) none = plg_document_find_recoverable (state);
  g_auto (GStrv) found = NULL;

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  plg_document_set_autosave (fixture->document, state, 0);
  apply_sequence (fixture->document, 4096, NULL);
  run_timers ();
  g_assert_cmpint (count_files (state), ==, 1);
  found = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (found), ==, 0);
}

/* What a crash left: the file of a process that is not there. */
static char *
crash (Fixture *fixture, const char *contents)
{
  g_autofree char *state = state_directory (fixture);
  g_autoptr (PlgDocument) document = plg_document_new (fixture->catalogue);
  g_autofree char *path = g_build_filename (state, "2147483646-one.plan.xml", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_cmpint (g_mkdir_with_parents (state, 0700), ==, 0);
  if (contents != NULL)
    write_file (file, contents);
  else
    {
      apply_sequence (document, 4096, NULL);
      g_assert_true (plg_document_save (document, file, NULL));
    }
  return g_steal_pointer (&path);
}

/* What was a file's comes back as that file's, with what people wrote beside the plan. */
static void
test_recover_to_file (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autofree char *state = state_directory (fixture);
  g_autofree char *left = crash (fixture, NULL);
  g_autofree char *beside = g_strconcat (left, ".origin", NULL);
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autofree char *uri = g_file_get_uri (file);

  g_assert_true (g_file_set_contents (beside, uri, -1, NULL));
  plg_document_set_autosave (document, state, 0);
  g_assert_true (plg_document_recover (document, left, NULL));
  g_assert_true (g_file_equal (plg_document_file (document), file));
  g_assert_true (plg_document_is_modified (document));
  g_assert_false (g_file_test (beside, G_FILE_TEST_EXISTS));
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_cmpint (count_files (state), ==, 0);
}

/* Another program's work is not overwritten unasked. */
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

static void
test_recover (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autofree char *state = state_directory (fixture);
  g_autofree char *left = crash (fixture, NULL);
  g_auto (GStrv) found = plg_document_find_recoverable (state);
  g_auto (GStrv) again = NULL;
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_strv_length (found), ==, 1);
  g_assert_cmpstr (found[0], ==, left);
  plg_document_set_autosave (document, state, 0);
  plg_document_recover (document, found[0], &error);
  g_assert_no_error (error);
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 4096);
  g_assert_true (plg_document_is_modified (document));
  g_assert_null (plg_document_file (document));

  /* It is still kept, as this program's, until it is saved. */
  again = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (again), ==, 0);
  g_assert_cmpint (count_files (state), ==, 1);
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_cmpint (count_files (state), ==, 0);
}

/* With no place to keep it, the old file stays until the plan is saved. */
static void
test_recover_without_autosave (Fixture *fixture, gconstpointer data)
{
  g_autofree char *left = crash (fixture, NULL);
  g_autoptr (GFile) file = file_in (fixture, "a.plan.xml");

  g_assert_true (plg_document_recover (fixture->document, left, NULL));
  g_assert_true (g_file_test (left, G_FILE_TEST_EXISTS));
  g_assert_true (plg_document_save (fixture->document, file, NULL));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
}

static void
test_recover_broken (Fixture *fixture, gconstpointer data)
{
  PlgDocument *document = fixture->document;
  g_autofree char *state = state_directory (fixture);
  g_autofree char *left = crash (fixture, "<plan");
  g_autofree char *aside = g_strconcat (left, ".broken", NULL);
  g_auto (GStrv) found = NULL;
  g_autoptr (GError) error = NULL;

  apply_sequence (document, 2048, NULL);
  g_assert_false (plg_document_recover (document, left, &error));
  g_assert_nonnull (strstr (error->message, aside));
  g_assert_cmpint (sequence_of (plg_document_plan (document)), ==, 2048);
  /* Neither lost nor offered again. */
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  found = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (found), ==, 0);
}

/* The real thing: a program that ends without a word, and the next one that finds its plan. */
static void
test_crash (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = state_directory (fixture);
  g_auto (GStrv) found = NULL;

  if (g_test_subprocess ())
    {
      plg_document_set_autosave (fixture->document, g_getenv ("PLG_TEST_STATE"), 0);
      apply_sequence (fixture->document, 4096, NULL);
      run_timers ();
      remove_directory (fixture->directory);
      _exit (0);
    }
  g_setenv ("PLG_TEST_STATE", state, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  found = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (found), ==, 1);
  g_assert_true (plg_document_recover (fixture->document, found[0], NULL));
  g_assert_cmpint (sequence_of (plg_document_plan (fixture->document)), ==, 4096);
}

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

/* The map of a node goes with its node, and not without a word. */
static void
test_map_lost (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (fixture->document));
  int lost = 0;

  plg_node_map_init (&plan->node_map, plan->cluster.gpus_per_node, plan->cluster.nics_per_node);
  g_signal_connect_swapped (fixture->document, "map-lost", G_CALLBACK (count_cb), &lost);
  g_assert_true (plg_document_apply (fixture->document, plan, "Map", NULL, NULL));
  g_assert_true (plg_document_set (fixture->document, "training.micro-batch", "2", NULL));
  g_assert_false (plg_node_map_is_empty (&plg_document_plan (fixture->document)->node_map));
  g_assert_cmpint (lost, ==, 0);
  g_assert_true (plg_document_set (fixture->document, "cluster.nics-per-node", "4", NULL));
  g_assert_true (plg_node_map_is_empty (&plg_document_plan (fixture->document)->node_map));
  g_assert_cmpint (lost, ==, 1);
  g_assert_true (plg_document_undo (fixture->document));
  g_assert_false (plg_node_map_is_empty (&plg_document_plan (fixture->document)->node_map));
  g_assert_cmpint (lost, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document/map-lost", test_map_lost);
  TEST ("/document/new", test_new);
  TEST ("/document/undo-redo", test_undo_redo);
  TEST ("/document/refused", test_refused);
  TEST ("/document/no-step-without-change", test_no_step_without_change);
  TEST ("/document/set", test_set);
  TEST ("/document/merge", test_merge);
  TEST ("/document/merge-back", test_merge_back);
  TEST ("/document/preview", test_preview);
  TEST ("/document/preview-report-is-kept", test_preview_report_is_kept);
  TEST ("/document/catch-up", test_catch_up);
  TEST ("/document/catch-up-in-turns", test_catch_up_in_turns);
  TEST ("/document/preview-refused", test_preview_refused);
  TEST ("/document/apply-ends-preview", test_apply_ends_preview);
  TEST ("/document/view", test_view);
  TEST ("/document/view-by-key", test_view_by_key);
  TEST ("/document/notifies", test_notifies);
  TEST ("/document/title-property", test_title_property);
  TEST ("/document/modified-is-a-serial", test_modified_is_a_serial);
  TEST ("/document/save-open", test_save_open);
  TEST ("/document/save-keeps-comments", test_save_keeps_comments);
  TEST ("/document/open-fails", test_open_fails);
  TEST ("/document/save-fails", test_save_fails);
  TEST ("/document/import", test_import);
  TEST ("/document/reset", test_reset);
  TEST ("/document/autosave", test_autosave);
  TEST ("/document/autosave-off", test_autosave_off);
  TEST ("/document/running-is-no-crash", test_running_is_no_crash);
  TEST ("/document/recover", test_recover);
  TEST ("/document/recover-to-file", test_recover_to_file);
  TEST ("/document/file-changed-elsewhere", test_file_changed_elsewhere);
  TEST ("/document/recover-without-autosave", test_recover_without_autosave);
  TEST ("/document/recover-broken", test_recover_broken);
  TEST ("/document/crash", test_crash);
  return g_test_run ();
}
