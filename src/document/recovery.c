/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/recovery.h"

#include "io/registry/registry.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define PLAN_SUFFIX ".plan.xml"

char *
plg_recovery_new_path (const char *directory)
{
  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *name = g_strdup_printf ("%ld-%s" PLAN_SUFFIX, (long) getpid (), id);

  return g_build_filename (directory, name, NULL);
}

/* Returns the path of the file that stores the URI of the file from which the plan was opened.
 * PATH is the recovery file, which is in the same directory. */
static char *
origin_path (const char *path)
{
  return g_strconcat (path, ".origin", NULL);
}

GFile *
plg_recovery_origin (const char *path)
{
  g_autofree char *beside = origin_path (path);
  g_autofree char *uri = NULL;

  return g_file_get_contents (beside, &uri, NULL, NULL) ? g_file_new_for_uri (uri) : NULL;
}

gboolean
plg_recovery_write (const char *path,
                    const PlgPlan *plan,
                    PlgPlanSource *source,
                    GFile *origin,
                    GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr (GBytes) bytes = plg_plan_xml_write (plan, source);

  /* Only the owner may read the folder, because it contains unpublished plans. */
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno),
                           g_strerror (errno));
      return FALSE;
    }
  if (!plg_write_file (path, bytes, error))
    return FALSE;

  g_autofree char *beside = origin_path (path);
  g_autofree char *uri = origin != NULL ? g_file_get_uri (origin) : NULL;

  if (uri != NULL)
    return g_file_set_contents (beside, uri, -1, error);
  g_unlink (beside);
  return TRUE;
}

void
plg_recovery_remove (const char *path)
{
  g_autofree char *beside = origin_path (path);

  g_unlink (beside);
  /* Ignore an error, because a missing file needs no removal. */
  g_unlink (path);
}

/* Returns whether the process whose ID is in the file name NAME is a running copy of this
 * program. The executables are compared, because the system reuses process IDs, particularly
 * after a restart. */
static gboolean
is_running (const char *name)
{
  gint64 pid = g_ascii_strtoll (name, NULL, 10);
  g_autofree char *link = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/exe", pid);
  g_autofree char *theirs = g_file_read_link (link, NULL);
  g_autofree char *ours = g_file_read_link ("/proc/self/exe", NULL);

  if (pid <= 0 || pid > G_MAXINT)
    return FALSE;
  if (ours == NULL) /* without /proc, check only whether the process exists */
    return kill ((pid_t) pid, 0) == 0;
  return g_strcmp0 (theirs, ours) == 0;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
plg_recovery_find (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  GPtrArray *paths = g_ptr_array_new ();
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, PLAN_SUFFIX) && !is_running (name))
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

char *
plg_recovery_set_aside (const char *path)
{
  char *aside = g_strconcat (path, ".broken", NULL);

  if (g_rename (path, aside) != 0)
    g_clear_pointer (&aside, g_free);
  return aside;
}
