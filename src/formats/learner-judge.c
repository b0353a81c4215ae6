/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/learner-judge.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *file;
  GPtrArray *remarks;
} Court;

/* Takes REMARK. */
static void
tell (const Court *court, char *remark)
{
  if (court->remarks != NULL)
    g_ptr_array_add (court->remarks, remark);
  else
    g_free (remark);
}

static const PlgLesson *
find_lesson (const GPtrArray *lessons, const char *id)
{
  for (guint i = 0; i < lessons->len; i++)
    if (g_str_equal (((const PlgLesson *) lessons->pdata[i])->id, id))
      return lessons->pdata[i];
  return NULL;
}

/* -1: QUESTION has no such choice. */
static int
find_choice (const PlgQuestion *question, const char *id)
{
  for (guint i = 0; i < question->choices->len; i++)
    if (g_str_equal (((const PlgChoice *) question->choices->pdata[i])->id, id))
      return (int) i;
  return -1;
}

/* FALSE: the lesson has no such answer. */
static gboolean
judge_answer (const Court *court, PlgLearnerAnswer *answer, const PlgLesson *lesson)
{
  const PlgQuestion *question = plg_lesson_find_question (lesson, answer->question);
  int choice = question != NULL ? find_choice (question, answer->choice) : -1;
  gboolean right = question != NULL && choice == question->right;

  if (question == NULL)
    tell (court, g_strdup_printf (_ ("%s: the lesson “%s” has no question “%s”; it is not "
                                     "counted."),
                                  court->file, lesson->title, answer->question));
  else if (choice < 0)
    tell (court, g_strdup_printf (_ ("%s: question “%s” of the lesson has no answer “%s”; it is "
                                     "not counted."),
                                  court->file, answer->question, answer->choice));
  else if (answer->right && !right)
    tell (court, g_strdup_printf (_ ("%s: question “%s” says of itself that “%s” is right; it is "
                                     "not, and is counted by the lesson."),
                                  court->file, answer->question, answer->choice));
  else if (!answer->right && right)
    tell (court, g_strdup_printf (_ ("%s: question “%s” says of itself that “%s” is not right; it "
                                     "is, and is counted by the lesson."),
                                  court->file, answer->question, answer->choice));
  answer->right = right;
  return choice >= 0;
}

void
plg_learner_judge (PlgLearner *learner,
                   const GPtrArray *lessons,
                   const char *file,
                   GPtrArray *remarks)
{
  Court court = { file, remarks };

  for (guint i = 0; i < learner->lessons->len; i++)
    {
      const PlgLearnerLesson *played = learner->lessons->pdata[i];
      const PlgLesson *lesson = find_lesson (lessons, played->id);

      for (guint j = 0; lesson != NULL && j < played->answers->len;)
        if (judge_answer (&court, played->answers->pdata[j], lesson))
          j++;
        else
          g_ptr_array_remove_index (played->answers, j);
    }
}
