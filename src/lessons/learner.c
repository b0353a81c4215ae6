/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/registry/registry.h"
#include "lessons/learner.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* maximum length of a name [characters]; short enough for a valid file name on every system,
 * even with escapes */
#define MAX_NAME 60

static void
answer_free (PlgLearnerAnswer *answer)
{
  g_free (answer->question);
  g_free (answer->choice);
  g_free (answer->reflection);
  g_free (answer->asked);
  g_free (answer->said);
  g_free (answer);
}

static void
design_free (PlgLearnerDesign *design)
{
  g_free (design->step);
  plg_plan_free (design->plan);
  g_free (design);
}

static PlgLearnerLesson *
new_lesson (const char *id, const char *title)
{
  PlgLearnerLesson *self = g_new0 (PlgLearnerLesson, 1);

  self->id = g_strdup (id);
  self->title = g_strdup (title);
  self->answers = g_ptr_array_new_with_free_func ((GDestroyNotify) answer_free);
  self->designs = g_ptr_array_new_with_free_func ((GDestroyNotify) design_free);
  return self;
}

PlgLearnerLesson *
plg_learner_lesson_new (const PlgLesson *lesson)
{
  PlgLearnerLesson *self;

  if (lesson == NULL)
    return new_lesson (NULL, NULL);
  self = new_lesson (lesson->id, lesson->title);
  self->questions = plg_lesson_questions (lesson);
  self->goals = plg_lesson_goals (lesson);
  self->step = g_strdup (((const PlgLessonStep *) lesson->steps->pdata[0])->id);
  return self;
}

void
plg_learner_lesson_free (PlgLearnerLesson *lesson)
{
  g_free (lesson->id);
  g_free (lesson->title);
  g_free (lesson->step);
  g_free (lesson->changed);
  g_ptr_array_unref (lesson->answers);
  g_ptr_array_unref (lesson->designs);
  g_free (lesson);
}

PlgLearner *
plg_learner_new (const char *name)
{
  PlgLearner *self = g_new0 (PlgLearner, 1);

  self->name = g_strdup (name);
  self->lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_learner_lesson_free);
  return self;
}

void
plg_learner_free (PlgLearner *learner)
{
  g_free (learner->name);
  g_ptr_array_unref (learner->lessons);
  g_free (learner);
}

PlgLearnerLesson *
plg_learner_find (const PlgLearner *learner, const char *lesson)
{
  for (guint i = 0; i < learner->lessons->len; i++)
    if (g_str_equal (((PlgLearnerLesson *) learner->lessons->pdata[i])->id, lesson))
      return learner->lessons->pdata[i];
  return NULL;
}

PlgLearnerAnswer *
plg_learner_find_answer (const PlgLearnerLesson *lesson, const char *question)
{
  for (guint i = 0; i < lesson->answers->len; i++)
    if (g_str_equal (((PlgLearnerAnswer *) lesson->answers->pdata[i])->question, question))
      return lesson->answers->pdata[i];
  return NULL;
}

PlgLearnerDesign *
plg_learner_find_design (const PlgLearnerLesson *lesson, const char *step)
{
  for (guint i = 0; i < lesson->designs->len; i++)
    if (g_str_equal (((PlgLearnerDesign *) lesson->designs->pdata[i])->step, step))
      return lesson->designs->pdata[i];
  return NULL;
}

void
plg_learner_set_answer (PlgLearnerLesson *lesson,
                        const char *question,
                        const char *choice,
                        gboolean right,
                        const char *reflection)
{
  PlgLearnerAnswer *answer = plg_learner_find_answer (lesson, question);

  if (answer == NULL)
    {
      answer = g_new0 (PlgLearnerAnswer, 1);
      answer->question = g_strdup (question);
      g_ptr_array_add (lesson->answers, answer);
    }
  answer->is_edited |= g_strcmp0 (reflection,
                                  answer->reflection != NULL ? answer->reflection : "") != 0;
  g_free (answer->choice);
  g_free (answer->reflection);
  answer->choice = g_strdup (choice);
  answer->right = right;
  answer->reflection = g_strdup (reflection);
}

void
plg_learner_set_answer_texts (PlgLearnerLesson *lesson,
                              const char *question,
                              const char *asked,
                              const char *said)
{
  PlgLearnerAnswer *answer = plg_learner_find_answer (lesson, question);

  g_return_if_fail (answer != NULL);

  g_free (answer->asked);
  g_free (answer->said);
  answer->asked = g_strdup (asked);
  answer->said = g_strdup (said);
}

void
plg_learner_set_design (PlgLearnerLesson *lesson,
                        const char *step,
                        gboolean reached,
                        const PlgPlan *plan)
{
  PlgLearnerDesign *design = plg_learner_find_design (lesson, step);

  if (design == NULL)
    {
      design = g_new0 (PlgLearnerDesign, 1);
      design->step = g_strdup (step);
      g_ptr_array_add (lesson->designs, design);
    }
  g_clear_pointer (&design->plan, plg_plan_free);
  design->plan = plg_plan_copy (plan);
  design->reached = reached;
}

/* Returns the progress in the lesson with the latest change, or NULL if there is no lesson. */
const PlgLearnerLesson *
plg_learner_latest (const PlgLearner *learner)
{
  const PlgLearnerLesson *found = NULL;

  for (guint i = 0; i < learner->lessons->len; i++)
    {
      const PlgLearnerLesson *lesson = learner->lessons->pdata[i];

      /* Compare as text: ISO 8601 times in UTC sort correctly. */
      if (found == NULL || g_strcmp0 (lesson->changed, found->changed) >= 0)
        found = lesson;
    }
  return found;
}

const PlgPlan *
plg_learner_last_plan (const PlgLearnerLesson *lesson)
{
  guint n = lesson->designs->len;

  return n > 0 ? ((const PlgLearnerDesign *) lesson->designs->pdata[n - 1])->plan : NULL;
}

/* Scores
 * ------------------------------------------------------------------------------------ */

int
plg_learner_count_right (const PlgLearnerLesson *lesson)
{
  int right = 0;

  for (guint i = 0; i < lesson->answers->len; i++)
    right += ((const PlgLearnerAnswer *) lesson->answers->pdata[i])->right;
  return right;
}

PlgScore
plg_learner_score (const PlgLearnerLesson *lesson)
{
  int right = plg_learner_count_right (lesson);
  int reached = 0;

  for (guint i = 0; i < lesson->designs->len; i++)
    reached += ((const PlgLearnerDesign *) lesson->designs->pdata[i])->reached;

  if ((int) lesson->answers->len < lesson->questions || !lesson->finished)
    return PLG_SCORE_OPEN;
  if (right >= lesson->questions && reached >= lesson->goals)
    return PLG_SCORE_OPTIMAL;
  return right > 0 || (lesson->questions == 0 && reached > 0) ? PLG_SCORE_PARTIAL
                                                              : PLG_SCORE_DEVELOPING;
}

const char *
plg_score_name (PlgScore score)
{
  static const char *const names[] = {
    [PLG_SCORE_OPEN] = "open",
    [PLG_SCORE_DEVELOPING] = "developing",
    [PLG_SCORE_PARTIAL] = "partial",
    [PLG_SCORE_OPTIMAL] = "optimal",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == PLG_SCORE_OPTIMAL + 1);

  return names[score];
}

const char *
plg_score_title (PlgScore score)
{
  static const char *const titles[] = {
    [PLG_SCORE_OPEN] = N_ ("Begun"),
    [PLG_SCORE_DEVELOPING] = N_ ("Developing"),
    [PLG_SCORE_PARTIAL] = N_ ("Partial"),
    [PLG_SCORE_OPTIMAL] = N_ ("Optimal"),
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == PLG_SCORE_OPTIMAL + 1);

  return _ (titles[score]);
}

/* Files
 * ------------------------------------------------------------------------------------- */

static gboolean
is_name (const char *name)
{
  g_autofree char *stripped = g_strstrip (g_strdup (name));

  if (!g_utf8_validate (name, -1, NULL) || *stripped == '\0' || g_utf8_strlen (name, -1) > MAX_NAME)
    return FALSE;
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isprint (g_utf8_get_char (p)))
      return FALSE;
  return TRUE;
}

/* Returns the path of the learner's file. Escapes characters with which the path could point
 * outside the folder, characters that would hide the file, and characters with a meaning in a
 * shell. */
char *
plg_learner_path (const char *folder, const char *name, GError **error)
{
  g_autofree char *escaped = NULL;
  g_autofree char *base = NULL;

  if (!is_name (name))
    {
      g_set_error (error, PLG_FORMAT_ERROR, PLG_FORMAT_ERROR_CONTENT,
                   _ ("The name of a learner must have 1 to %d printable characters."), MAX_NAME);
      return NULL;
    }
  escaped = g_uri_escape_string (name, " ", TRUE);
  base = *escaped == '.' ? g_strdup_printf ("%%2E%s.xml", escaped + 1)
                         : g_strconcat (escaped, ".xml", NULL);
  return g_build_filename (folder, base, NULL);
}

char *
plg_learner_own_name (void)
{
  const char *real = g_get_real_name ();

  /* GLib returns "Unknown" if the system does not know the user's name. */
  if (is_name (real) && !g_str_equal (real, "Unknown"))
    return g_strdup (real);
  return g_strdup (is_name (g_get_user_name ()) ? g_get_user_name () : "learner");
}

char *
plg_learner_name_or_own (const char *name)
{
  return is_name (name) ? g_strstrip (g_strdup (name)) : plg_learner_own_name ();
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

char **
plg_learner_names (const char *folder)
{
  GPtrArray *names = g_ptr_array_new ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *base = g_str_has_suffix (file, ".xml") ? g_strndup (file, strlen (file) - 4)
                                                              : NULL;
      char *name = base != NULL ? g_uri_unescape_string (base, NULL) : NULL;

      if (name != NULL && is_name (name))
        g_ptr_array_add (names, name);
      else
        g_free (name);
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char *
plg_learner_own_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "parallelogram", "learners", NULL);
}
