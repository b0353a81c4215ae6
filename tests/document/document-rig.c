/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document-rig.h"

#include "sample.h"

#include <glib/gstdio.h>

void
count_cb (int *count)
{
  (*count)++;
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->catalogue = sample_catalogue ();
  fixture->document = plg_document_new (fixture->catalogue);
  fixture->directory = g_dir_make_tmp ("plg-document-XXXXXX", NULL);
  g_signal_connect_swapped (fixture->document, "changed", G_CALLBACK (count_cb), &fixture->changes);
}

void
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

void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->document);
  plg_catalogue_unref (fixture->catalogue);
  remove_directory (fixture->directory);
  g_free (fixture->directory);
}

int
sequence_of (const PlgPlan *plan)
{
  return plan->training.sequence;
}

void
apply_sequence (PlgDocument *document, int sequence, const char *merge_key)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_committed_plan (document));
  g_autofree char *label = g_strdup_printf ("Sequence %d", sequence);
  g_autoptr (GError) error = NULL;

  plan->training.sequence = sequence;
  plg_document_apply (document, plan, label, merge_key, &error);
  g_assert_no_error (error);
}

GFile *
file_in (Fixture *fixture, const char *name)
{
  return g_file_new_build_filename (fixture->directory, name, NULL);
}

char *
contents_of (GFile *file)
{
  char *contents = NULL;

  g_file_load_contents (file, NULL, &contents, NULL, NULL, NULL);
  return contents;
}

void
write_file (GFile *file, const char *contents)
{
  g_assert_true (g_file_set_contents (g_file_peek_path (file), contents, -1, NULL));
}
