/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for O_TMPFILE */

#include "config.h"

#include "io/registry/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES 65536
/* maximum number of symbolic links to follow; the kernel has the same limit */
#define MAX_LINKS 40
#define MAX_NAMES 100 /* maximum number of attempts to find a free name */

static gboolean
fail_errno (const char *name, const char *message, int saved_errno, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s: %s: %s", name,
               message, g_strerror (saved_errno));
  return FALSE;
}

static gboolean
check_name (const char *path, GError **error)
{
  if (*path == '\0')
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                         _ ("The file name is empty; give the file a name."));
  return *path != '\0';
}

static gboolean
fail_size (const char *name, GError **error)
{
  g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_UNSAFE,
               _ ("%s: The file is larger than the limit of %d MiB, so it was not read."), name,
               PLG_MAX_FILE_BYTES >> 20);
  return FALSE;
}

/* Reads all of FD. Checks the size limit while reading, because pipes and devices have no size. */
static GByteArray *
read_all (int fd, const char *name, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  gssize n;

  while ((n = read (fd, chunk, CHUNK_BYTES)) > 0 || (n < 0 && errno == EINTR))
    {
      if (n < 0)
        continue;
      g_byte_array_append (bytes, chunk, (guint) n);
      if (bytes->len > PLG_MAX_FILE_BYTES)
        {
          fail_size (name, error);
          return NULL;
        }
    }
  if (n == 0)
    return g_steal_pointer (&bytes);
  fail_errno (name, _ ("cannot be read"), errno, error);
  return NULL;
}

static gboolean
check_readable (int fd, const char *name, GError **error)
{
  struct stat info;

  if (fstat (fd, &info) != 0)
    return fail_errno (name, _ ("cannot be read"), errno, error);
  if (S_ISDIR (info.st_mode))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR,
                   _ ("%s: This is a folder; name a file in it."), name);
      return FALSE;
    }
  return !S_ISREG (info.st_mode) || info.st_size <= PLG_MAX_FILE_BYTES || fail_size (name, error);
}

static GByteArray *
read_file (const char *path, const char *name, GError **error)
{
  GByteArray *bytes = NULL;
  int fd;

  if (!check_name (path, error))
    return NULL;
  fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    {
      fail_errno (name, _ ("cannot be opened"), errno, error);
      return NULL;
    }
  if (check_readable (fd, name, error))
    bytes = read_all (fd, name, error);
  close (fd);
  return bytes;
}

GBytes *
plg_read_file (const char *path, char **name, GError **error)
{
  gboolean standard_input = g_str_equal (path, "-");
  GByteArray *array;

  *name = standard_input ? g_strdup (_ ("standard input")) : g_filename_display_name (path);
  array = standard_input ? read_all (STDIN_FILENO, *name, error) : read_file (path, *name, error);
  return array != NULL ? g_byte_array_free_to_bytes (array) : NULL;
}

PlgImportResult *
plg_format_read_file (const char *path,
                      const PlgPlan *base,
                      const PlgCatalogue *catalogue,
                      GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = plg_read_file (path, &name, error);

  return bytes != NULL ? plg_format_read (bytes, name, base, catalogue, error) : NULL;
}

/* Returns the final target of the symbolic link PATH, or PATH if it is not a link; the target
 * need not exist. Returns NULL after MAX_LINKS links, because the links then form a loop. Free
 * with g_free(). */
static char *
follow_links (const char *path)
{
  g_autofree char *current = g_strdup (path);

  for (int i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *target = g_file_read_link (current, NULL);
      g_autofree char *directory = NULL;

      if (target == NULL)
        return g_steal_pointer (&current);
      directory = g_path_get_dirname (current);
      g_free (current);
      current = g_path_is_absolute (target) ? g_strdup (target)
                                            : g_build_filename (directory, target, NULL);
    }
  return NULL;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize left;
  const char *data = g_bytes_get_data (bytes, &left);

  while (left > 0)
    {
      gssize n = write (fd, data, left);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      left -= n;
    }
  return TRUE;
}

/* Writes BYTES to the new file FD. If OLD is not NULL, also copies the old file's owner and
 * mode. */
static gboolean
fill_file (int fd, GBytes *bytes, const struct stat *old)
{
  if (!write_all (fd, bytes))
    return FALSE;
  /* Only root may change the owner, so ignore a failure. Set the mode last, because a change of
   * owner can clear mode bits. */
  if (old != NULL)
    {
      int ignored = fchown (fd, old->st_uid, old->st_gid);
      (void) ignored;
      if (fchmod (fd, old->st_mode & 07777) != 0)
        return FALSE;
    }
  return fsync (fd) == 0;
}

#define OPEN_FILES "/proc/self/fd"

/* A new file that replaces another file in the same folder. It has no name until its content is
 * on disk, so a crash leaves no partial file. If the file system or the sandbox does not support
 * unnamed files, the file has a hidden name from the start. */
typedef struct
{
  char *hidden; /* the hidden name, or the pattern for it while the file has no name */
  gboolean is_named;
  int fd;
} NewFile;

static gboolean
open_new (NewFile *file, const char *directory, const char *base)
{
  g_autofree char *pattern = g_strdup_printf (".%.200s.XXXXXX", base);

  file->hidden = g_build_filename (directory, pattern, NULL);
  file->fd = g_access (OPEN_FILES, X_OK) == 0
                 ? g_open (directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
                 : -1;
  file->is_named = file->fd < 0;
  if (file->is_named)
    file->fd = g_mkstemp_full (file->hidden, O_WRONLY | O_CLOEXEC, 0666);
  return file->fd >= 0;
}

static gboolean
rename_over (NewFile *file, const char *path)
{
  /* linkat() cannot replace a file, so link the file to a free hidden name and then rename it. */
  g_autofree char *open = g_strdup_printf (OPEN_FILES "/%d", file->fd);

  for (int tries = 0; !file->is_named && tries < MAX_NAMES; tries++)
    {
      char *end = file->hidden + strlen (file->hidden) - strlen ("XXXXXX");

      g_snprintf (end, strlen ("XXXXXX") + 1, "%06x", g_random_int () & 0xffffff);
      file->is_named = linkat (AT_FDCWD, open, AT_FDCWD, file->hidden, AT_SYMLINK_FOLLOW) == 0;
      if (!file->is_named && errno != EEXIST)
        break;
    }
  return file->is_named && g_rename (file->hidden, path) == 0;
}

/* Closes the file. Removes it unless it has replaced the old file. */
static void
close_new (NewFile *file, gboolean is_renamed)
{
  int saved_errno = errno;

  close (file->fd);
  if (file->is_named && !is_renamed)
    g_unlink (file->hidden);
  g_free (file->hidden);
  errno = saved_errno;
}

static gboolean
replace_file (const char *path,
              GBytes *bytes,
              const struct stat *old,
              const char *name,
              GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  NewFile file = { 0 };
  gboolean replaced;
  int fd;

  if (!open_new (&file, directory, base))
    {
      int saved_errno = errno;

      g_free (file.hidden);
      return fail_errno (name,
                         _ ("cannot be written, because no new file can be created in its "
                            "folder"),
                         saved_errno, error);
    }
  replaced = fill_file (file.fd, bytes, old) && rename_over (&file, path);
  close_new (&file, replaced);
  if (!replaced)
    return fail_errno (name, _ ("cannot be written"), errno, error);

  /* Sync the folder, so that the new name survives a crash. Ignore errors, because the content
   * of the file is already on disk. */
  fd = g_open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd >= 0)
    {
      fsync (fd);
      close (fd);
    }
  return TRUE;
}

gboolean
plg_write_file (const char *path, GBytes *bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *target = follow_links (path);
  struct stat old;
  gboolean exists;

  if (!check_name (path, error))
    return FALSE;
  if (target == NULL)
    return fail_errno (name, _ ("cannot be written"), ELOOP, error);
  exists = stat (target, &old) == 0;
  if (exists && S_ISDIR (old.st_mode))
    return fail_errno (name, _ ("cannot be written"), EISDIR, error);
  if (exists && !S_ISREG (old.st_mode))
    {
      /* Write to the target itself, because a pipe or a device has no old content that must be
       * kept. */
      int fd = g_open (target, O_WRONLY | O_CLOEXEC, 0);
      gboolean written = fd >= 0 && write_all (fd, bytes);
      int saved_errno = errno;

      if (fd >= 0 && close (fd) != 0 && written)
        {
          written = FALSE;
          saved_errno = errno;
        }
      return written || fail_errno (name, _ ("cannot be written"), saved_errno, error);
    }
  if (exists && g_access (target, W_OK) != 0)
    return fail_errno (name, _ ("cannot be written"), errno, error);
  return replace_file (target, bytes, exists ? &old : NULL, name, error);
}
