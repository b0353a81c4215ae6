/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/format.h"
#include "formats/learner.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

/* A ledger is read, changed and written as a whole. The same person may play in two processes,
 * which must not write over each other. */

static void
copy_answer (PlgLearnerLesson *to, const PlgLearnerAnswer *answer, const char *reflection)
{
  plg_learner_set_answer (to, answer->question, answer->choice, answer->right, reflection);
  plg_learner_set_words (to, answer->question, answer->asked, answer->said);
}

static PlgLearnerLesson *
copy_lesson (const PlgLearnerLesson *lesson)
{
  PlgLearnerLesson *copy = plg_learner_lesson_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  copy->id = g_strdup (lesson->id);
  copy->title = g_strdup (lesson->title);
  copy->step = g_strdup (lesson->step);
  copy->finished = lesson->finished;
  copy->questions = lesson->questions;
  copy->goals = lesson->goals;
  copy->changed = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  for (guint i = 0; i < lesson->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = lesson->answers->pdata[i];

      copy_answer (copy, answer, answer->reflection);
    }
  for (guint i = 0; i < lesson->designs->len; i++)
    {
      const PlgLearnerDesign *design = lesson->designs->pdata[i];

      plg_learner_set_design (copy, design->step, design->reached, design->plan);
    }
  return copy;
}

/* What is in the file came first, and the first answer counts. What was written down beside it is
 * newer here. */
static void
take_answers (PlgLearnerLesson *lesson, const PlgLearnerLesson *old, const PlgLesson *played)
{
  for (guint i = 0; i < old->answers->len; i++)
    {
      const PlgLearnerAnswer *first = old->answers->pdata[i];
      const PlgLearnerAnswer *own = plg_learner_find_answer (lesson, first->question);
      g_autofree char *reflection = g_strdup (own != NULL ? own->reflection : first->reflection);

      if (plg_lesson_find_question (played, first->question) != NULL)
        copy_answer (lesson, first, reflection);
    }
}

static gboolean
has_step (const PlgLesson *lesson, const char *id)
{
  for (guint i = 0; i < lesson->steps->len; i++)
    if (g_str_equal (((const PlgStepOfLesson *) lesson->steps->pdata[i])->id, id))
      return TRUE;
  return FALSE;
}

/* A design here is newer, but one that reached its goal stands. */
static void
take_designs (PlgLearnerLesson *lesson, const PlgLearnerLesson *old, const PlgLesson *played)
{
  for (guint i = 0; i < old->designs->len; i++)
    {
      const PlgLearnerDesign *kept = old->designs->pdata[i];
      const PlgLearnerDesign *own = plg_learner_find_design (lesson, kept->step);

      if (has_step (played, kept->step) && (own == NULL || (kept->reached && !own->reached)))
        plg_learner_set_design (lesson, kept->step, kept->reached, kept->plan);
    }
}

/* Puts LESSON in the place of what LEARNER has of it, and keeps of that what another process has
 * written since, as far as PLAYED still asks for it. */
static void
put_lesson (PlgLearner *learner, const PlgLearnerLesson *lesson, const PlgLesson *played)
{
  PlgLearnerLesson *copy = copy_lesson (lesson);
  PlgLearnerLesson *old = plg_learner_find (learner, lesson->id);

  if (old != NULL && played != NULL)
    {
      take_answers (copy, old, played);
      take_designs (copy, old, played);
      copy->finished |= old->finished;
    }
  if (old != NULL)
    g_ptr_array_remove (learner->lessons, old);
  g_ptr_array_add (learner->lessons, copy);
}

/* Until it is closed no other process stores anything in FOLDER. Not every file system can do that;
 * where it cannot, -1 and all goes on without. */
static int
lock (const char *folder)
{
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  while (fd >= 0 && flock (fd, LOCK_EX) != 0 && errno == EINTR)
    ;
  return fd;
}

static gboolean
store (const char *path,
       const char *name,
       const PlgLearnerLesson *lesson,
       const PlgLesson *played,
       const PlgCatalogue *catalogue,
       GError **error)
{
  g_autoptr (PlgLearner) learner = g_file_test (path, G_FILE_TEST_EXISTS)
                                       ? plg_learner_load (path, catalogue, error)
                                       : plg_learner_new (name);
  g_autoptr (GBytes) bytes = NULL;

  if (learner == NULL)
    return FALSE;
  put_lesson (learner, lesson, played);
  bytes = plg_learner_write (learner);
  return plg_write_file (path, bytes, error);
}

gboolean
plg_learner_store (const char *path,
                   const char *name,
                   const PlgLearnerLesson *lesson,
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
  stored = store (path, name, lesson, played, catalogue, error);
  if (held >= 0)
    close (held);
  return stored;
}
