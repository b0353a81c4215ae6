/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/learner-score.h"

#include "engine/advice/advice.h"
#include "lessons/lesson-library.h"

#include <glib/gi18n-lib.h>

/* The maximum number of remarks per learner record, because more would only fill the screen. */
#define MAX_REMARKS 20

typedef struct
{
  const char *file;
  GPtrArray *remarks;
  int n_remarks; /* number of all remarks on this file, including those beyond MAX_REMARKS */
} ScoreCheck;

/* Counts REMARK (transfer full), and adds it unless there are already MAX_REMARKS remarks. */
static void
add_remark (ScoreCheck *check, char *remark)
{
  if (check->remarks != NULL && check->n_remarks++ < MAX_REMARKS)
    g_ptr_array_add (check->remarks, remark);
  else
    g_free (remark);
}

static void
rescore_designs (ScoreCheck *check, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  for (guint i = 0; i < played->designs->len;)
    {
      PlgLearnerDesign *design = played->designs->pdata[i];
      const PlgLessonStep *step = plg_lesson_find_step (lesson, design->step);
      const PlgGoal *goal = step != NULL ? step->goal : NULL;
      g_autoptr (PlgReport) report = goal != NULL ? plg_evaluate_with_advice (design->plan, NULL)
                                                  : NULL;
      gboolean reached = goal != NULL && plg_goal_is_reached (goal, report);

      if (goal == NULL)
        add_remark (check,
                    g_strdup_printf (_ ("%s: the lesson “%s” has no step “%s” with a goal; the "
                                        "design for this step is not counted."),
                                     check->file, lesson->title, design->step));
      else if (design->reached && !reached)
        add_remark (check,
                    g_strdup_printf (_ ("%s: the design in step “%s” is marked as reaching the "
                                        "goal, but does not reach it; it counts as missing the "
                                        "goal."),
                                     check->file, design->step));
      else if (!design->reached && reached)
        add_remark (check,
                    g_strdup_printf (_ ("%s: the design in step “%s” is marked as missing the "
                                        "goal, but reaches it; it counts as reaching the goal."),
                                     check->file, design->step));
      design->reached = reached;
      if (goal != NULL)
        i++;
      else
        g_ptr_array_remove_index (played->designs, i);
    }
}

static void
rescore_lesson (ScoreCheck *check, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  /* Take the numbers of questions and goals from the lesson, because the score depends on them
   * and anybody can edit the learner record. */
  int questions = plg_lesson_questions (lesson), goals = plg_lesson_goals (lesson);

  if (played->questions != questions || played->goals != goals)
    add_remark (check,
                g_strdup_printf (_ ("%s: the numbers in the record of the lesson “%s” "
                                    "(questions: %d, goals: %d) differ from those in the lesson "
                                    "(%d and %d); the numbers in the lesson are used."),
                                 check->file, lesson->title, played->questions, played->goals,
                                 questions, goals));
  played->questions = questions;
  played->goals = goals;

  for (guint i = 0; i < played->answers->len;)
    {
      PlgLearnerAnswer *answer = played->answers->pdata[i];
      const PlgQuestion *question = plg_lesson_find_question (lesson, answer->question);
      int choice = question != NULL ? plg_question_find_choice (question, answer->choice) : -1;
      gboolean right = question != NULL && choice == question->right;

      if (question == NULL)
        add_remark (check,
                    g_strdup_printf (_ ("%s: the lesson “%s” has no question “%s”; the answer is "
                                        "not counted."),
                                     check->file, lesson->title, answer->question));
      else if (choice < 0)
        add_remark (check,
                    g_strdup_printf (_ ("%s: question “%s” of the lesson has no answer “%s”; the "
                                        "answer is not counted."),
                                     check->file, answer->question, answer->choice));
      else if (answer->right && !right)
        add_remark (check,
                    g_strdup_printf (_ ("%s: question “%s”: the answer “%s” is marked as right, "
                                        "but the lesson says that it is wrong; it counts as "
                                        "wrong."),
                                     check->file, answer->question, answer->choice));
      else if (!answer->right && right)
        add_remark (
            check, g_strdup_printf (_ ("%s: question “%s”: the answer “%s” is marked as wrong, "
                                       "but the lesson says that it is right; it counts as right."),
                                    check->file, answer->question, answer->choice));
      answer->right = right;
      if (choice >= 0)
        i++;
      else
        g_ptr_array_remove_index (played->answers, i);
    }
  rescore_designs (check, played, lesson);
}

void
plg_learner_lesson_rescore (PlgLearnerLesson *played, const PlgLesson *lesson)
{
  ScoreCheck check = { .file = "" };

  rescore_lesson (&check, played, lesson);
}

void
plg_learner_rescore (PlgLearner *learner,
                     const GPtrArray *lessons,
                     const char *file,
                     GPtrArray *remarks)
{
  ScoreCheck check = { file, remarks, 0 };

  for (guint i = 0; i < learner->lessons->len; i++)
    {
      PlgLearnerLesson *played = learner->lessons->pdata[i];
      const PlgLesson *lesson = plg_lesson_find (lessons, played->id);

      if (lesson != NULL)
        {
          rescore_lesson (&check, played, lesson);
          continue;
        }

      /* Add one remark for a lesson that is neither one of the program's lessons nor one of the
       * opened files. */
      g_autofree char
          *remark = g_strdup_printf (_ ("The lesson “%s” is not one of the program's lessons, so "
                                        "its answers are counted as marked in the learner "
                                        "records; open the lesson file together with the records."),
                                     played->title);

      if (remarks == NULL || !g_ptr_array_find_with_equal_func (remarks, remark, g_str_equal, NULL))
        add_remark (&check, g_steal_pointer (&remark));
    }

  int n = check.n_remarks - MAX_REMARKS;

  if (n > 0)
    g_ptr_array_add (check.remarks,
                     g_strdup_printf (_ ("%s: %d more messages of this kind."), check.file, n));
}
