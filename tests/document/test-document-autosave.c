/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"

/* Recovery of a plan after a crash. */

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

/* Runs due sources: with a delay of 0 seconds, the autosave. */
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

  /* Undo to a state that needs no saving, saving, and discarding remove the autosave file. The
   * autosave of a saved plan has a second file with the plan's address. */
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

/* Plans of a running program do not count as crashed. */
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

/* Makes the file of a crashed process. */
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

/* A recovered plan of a file belongs to the file again, and keeps comments in the file. */
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

  /* The plan is still autosaved by this program until it is saved. */
  again = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (again), ==, 0);
  g_assert_cmpint (count_files (state), ==, 1);
  g_assert_true (plg_document_save (document, file, NULL));
  g_assert_cmpint (count_files (state), ==, 0);
}

/* Without a folder for autosaves, the old file stays until the plan is saved. */
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
  /* The file is kept and not offered again. */
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  found = plg_document_find_recoverable (state);
  g_assert_cmpuint (g_strv_length (found), ==, 0);
}

/* A real crash: a program is killed, and the next program finds its plan. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("/document/autosave", test_autosave);
  TEST ("/document/autosave-off", test_autosave_off);
  TEST ("/document/running-is-no-crash", test_running_is_no_crash);
  TEST ("/document/recover", test_recover);
  TEST ("/document/recover-to-file", test_recover_to_file);
  TEST ("/document/recover-without-autosave", test_recover_without_autosave);
  TEST ("/document/recover-broken", test_recover_broken);
  TEST ("/document/crash", test_crash);
  return g_test_run ();
}
