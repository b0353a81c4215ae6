/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/plan/catalogue-xml.h"

#include "io/import/format.h"
#include "io/plg-io-resources.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#define RESOURCES "/org/parallelogram/Parallelogram/catalogue/"

static void
load_resource (PlgCatalogue *catalogue, const char *name)
{
  g_autofree char *path = g_strconcat (RESOURCES, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resource_lookup_data (plg_io_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  /* The resources are compiled in and tested, so an error here is a bug in the program. */
  if (bytes == NULL || !plg_catalogue_xml_read (catalogue, g_bytes_get_data (bytes, NULL),
                                                g_bytes_get_size (bytes), &error))
    g_error ("%s:%s", name, error->message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

PlgCatalogue *
plg_catalogue_load_built_in (void)
{
  PlgCatalogue *catalogue = plg_catalogue_new ();

  load_resource (catalogue, "gpus.xml");
  load_resource (catalogue, "nodes.xml");
  load_resource (catalogue, "models.xml");
  return catalogue;
}

PlgCatalogue *
plg_catalogue_load (char **warnings)
{
  PlgCatalogue *catalogue = plg_catalogue_load_built_in ();
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "parallelogram", "catalogue",
                                              NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *name;

  /* Read the user's files in the order of their names, because a later file replaces the entry
   * of an earlier file and the order of a folder's listing differs between file systems. */
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".xml"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      g_autofree char *data = NULL;
      g_autoptr (GError) error = NULL;
      GStatBuf status;
      gsize size;

      if (g_stat (path, &status) == 0 &&
          (!S_ISREG (status.st_mode) || status.st_size > PLG_MAX_FILE_BYTES))
        g_set_error (&error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
                     _ ("This must be a regular file of at most %d bytes."), PLG_MAX_FILE_BYTES);
      else if (g_file_get_contents (path, &data, &size, &error))
        plg_catalogue_xml_read (catalogue, data, size, &error);
      if (error != NULL)
        g_string_append_printf (text, "%s%s:%s%s", text->len > 0 ? "\n" : "", path,
                                error->domain == PLG_FORMAT_ERROR ? "" : " ", error->message);
    }
  if (warnings != NULL)
    *warnings = text->len > 0 ? g_strdup (text->str) : NULL;
  return catalogue;
}
