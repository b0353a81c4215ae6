/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/registry.h"
#include "lessons/learner-score.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

/* The number of attempts to lock the folder, and the pause between two attempts [µs]. All
 * attempts together take half a second. */
#define LOCK_TRIES 50
#define LOCK_PAUSE 10000

/* Stores learner records. Each update reads, changes and writes the whole record, so a lock
 * keeps two processes of the same user from overwriting each other's changes. */

static PlgLearnerLesson *
copy_lesson (const PlgLearnerLesson *lesson)
{
  PlgLearnerLesson *copy = plg_learner_lesson_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  copy->id = g_strdup (lesson->id);
  copy->title = g_strdup (lesson->title);
  copy->step = g_strdup (lesson->step);
  copy->questions = lesson->questions;
  copy->goals = lesson->goals;
  copy->changed = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  plg_learner_lesson_merge (copy, lesson);
  return copy;
}

/* Locks FOLDER until the returned descriptor is closed. Returns -1 if the file system has no
 * locks or all attempts fail. The caller then stores without a lock, because a process that
 * keeps the lock for more than a few milliseconds has probably hung. */
static int
lock (const char *folder)
{
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  for (int tries = 0; fd >= 0 && tries < LOCK_TRIES; tries++)
    {
      if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
      if (errno != EWOULDBLOCK && errno != EINTR)
        break;
      g_usleep (LOCK_PAUSE);
    }
  if (fd >= 0)
    close (fd);
  return -1;
}

gboolean
plg_learner_store (const char *path,
                   const char *name,
                   PlgLearnerLesson *lesson,
                   const PlgLesson *played,
                   const PlgCatalogue *catalogue,
                   GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  gboolean stored;
  int held;

  /* Let only the owner read the answers. */
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
                   g_strerror (errno));
      return FALSE;
    }
  held = lock (folder);

  g_autoptr (PlgLearner) learner = g_file_test (path, G_FILE_TEST_EXISTS)
                                       ? plg_learner_load (path, catalogue, error)
                                       : plg_learner_new (name);
  g_autoptr (GBytes) bytes = NULL;

  if (learner == NULL)
    stored = FALSE;
  else
    {
      PlgLearnerLesson *copy = copy_lesson (lesson);
      PlgLearnerLesson *old = plg_learner_find (learner, lesson->id);

      if (old != NULL && played != NULL)
        {
          /* OLD may also contain answers and designs for another lesson with the same id. Merge
           * into COPY, as earlier progress, only the answers and designs that fit the lesson
           * PLAYED. Then add the rest of OLD, so that nothing is lost. */
          g_autoptr (PlgLearnerLesson) counted = copy_lesson (old);

          plg_learner_lesson_rescore (counted, played);
          plg_learner_lesson_merge (copy, counted);
          plg_learner_lesson_add_missing (copy, old);
        }
      if (old != NULL)
        g_ptr_array_remove (learner->lessons, old);
      g_ptr_array_add (learner->lessons, copy);

      bytes = plg_learner_write (learner);
      stored = plg_write_file (path, bytes, error);
    }

  if (held >= 0)
    close (held);
  for (guint i = 0; stored && i < lesson->answers->len; i++)
    ((PlgLearnerAnswer *) lesson->answers->pdata[i])->is_edited = FALSE;
  return stored;
}
