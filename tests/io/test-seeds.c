/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plan/catalogue-xml.h"
#include "io/registry/registry.h"
#include "plan/plan-check.h"

/* The fuzzer's seeds, small files of every readable format, are detected by their content and read
 * into a whole plan. Seeds named bad-* are rejected. */

/* Editors on Windows begin the file with a byte order mark, which changes nothing. */
static void
check_marked (const char *path, const char *data, gsize size, const PlgImportResult *plain)
{
  g_autofree char *marked = g_strconcat ("\xEF\xBB\xBF", data, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (marked, size + 3);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgImportResult) import = plg_format_read (bytes, "seed", NULL, catalogue, &error);
  g_autofree char *before = plg_import_result_text (plain, ~0u);
  g_autofree char *after = NULL;

  if (import == NULL)
    g_error ("%s with a byte order mark: %s", path, error->message);
  after = plg_import_result_text (import, ~0u);
  g_assert_true (import->format == plain->format);
  g_assert_true (plg_plan_equal (import->plan, plain->plan));
  g_assert_cmpstr (after, ==, before);
}

static void
check_seed (const PlgFormat *format, const char *folder, const char *name, PlgCatalogue *catalogue)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *data = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PlgImportResult) import = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  bytes = g_bytes_new (data, size);
  /* The name has no extension that could indicate the format. */
  import = plg_format_read (bytes, "seed", NULL, catalogue, &error);
  if (g_str_has_prefix (name, "bad-"))
    {
      if (import != NULL)
        g_error ("%s is read", path);
      g_assert_true (g_str_has_prefix (error->message, "seed:"));
      return;
    }
  if (import == NULL)
    g_error ("%s: %s", path, error->message);
  g_assert_cmpstr (import->format->name, ==, format->name);
  g_assert_true (plg_plan_check (import->plan, NULL));
  check_marked (path, data, size, import);
}

static void
test_seeds (gconstpointer data)
{
  const PlgFormat *format = data;
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fuzz", "seeds", format->name,
                                                   NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  PlgCatalogue *catalogue = plg_catalogue_load (NULL);
  const char *name;
  int read = 0;

  if (dir == NULL)
    g_error ("%s has no seeds in %s", format->name, folder);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      check_seed (format, folder, name, catalogue);
      read += !g_str_has_prefix (name, "bad-");
    }
  g_assert_cmpint (read, >, 0);
  plg_catalogue_unref (catalogue);
}

int
main (int argc, char **argv)
{
  int n;
  const PlgFormat *const *formats = plg_formats (&n);

  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < n; i++)
    if (formats[i]->read != NULL)
      {
        g_autofree char *path = g_strconcat ("/seeds/", formats[i]->name, NULL);

        g_test_add_data_func (path, formats[i], test_seeds);
      }
  return g_test_run ();
}
