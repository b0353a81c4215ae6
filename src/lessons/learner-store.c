/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/format.h"
#include "lessons/learner-score.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

/* Half a second in all; a pause is in microseconds. */
#define LOCK_TRIES 50
#define LOCK_PAUSE 10000

/* A ledger is read, changed and written as a whole. The same person may play in two processes,
 * which must not write over each other. */

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

/* Until it is closed no other process stores anything in FOLDER. -1, and all goes on without, where
 * the file system cannot do that, or where who has it does not let go: what is read and written
 * takes milliseconds, so that one hangs, and a window that waited would hang with it. Its own
 * answers are written as a whole all the same, onto what is in the file then. */
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

  /* Only their owner may read what people answered. */
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
      /* Puts LESSON in the place of what LEARNER has of it. */
      PlgLearnerLesson *copy = copy_lesson (lesson);
      PlgLearnerLesson *old = plg_learner_find (learner, lesson->id);

      if (old != NULL && played != NULL)
        {
          /* What counts of OLD in PLAYED goes before COPY, and what does not stays behind it: the
 * file may have it from another lesson of the same id, whose record it is. */
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
