/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/learner-judge.h"

#include "engine/evaluate.h"

#include <glib/gi18n-lib.h>

/* Of a ledger: what more there is only fills the screen. */
#define MAX_REMARKS 20

typedef struct
{
  const char *file;
  GPtrArray *remarks;
  int told; /* remarks of this file, with those that are too many */
} Court;

/* Takes REMARK. */
static void
tell (Court *court, char *remark)
{
  if (court->remarks != NULL && court->told++ < MAX_REMARKS)
    g_ptr_array_add (court->remarks, remark);
  else
    g_free (remark);
}

static void
tell_rest (const Court *court)
{
  int n = court->told - MAX_REMARKS;

  if (n > 0)
    g_ptr_array_add (court->remarks,
                     g_strdup_printf (_ ("%s: and %d more of this kind."), court->file, n));
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

/* Answers
 * ------------------------------------------------------------------------------------- */

/* FALSE: the lesson has no such answer. */
static gboolean
judge_answer (Court *court, PlgLearnerAnswer *answer, const PlgLesson *lesson)
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

static void
judge_answers (Court *court, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  for (guint i = 0; i < played->answers->len;)
    if (judge_answer (court, played->answers->pdata[i], lesson))
      i++;
    else
      g_ptr_array_remove_index (played->answers, i);
}

/* Designs
 * ------------------------------------------------------------------------------------- */

static gboolean
reaches (const PlgPlan *plan, const PlgGoal *goal)
{
  g_autoptr (PlgReport) report = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);

  return plg_goal_is_reached (goal, report);
}

/* FALSE: the lesson has no such goal. */
static gboolean
judge_design (Court *court, PlgLearnerDesign *design, const PlgLesson *lesson)
{
  const PlgStepOfLesson *step = plg_lesson_find_step (lesson, design->step);
  const PlgGoal *goal = step != NULL ? step->goal : NULL;
  gboolean reached = goal != NULL && reaches (design->plan, goal);

  if (goal == NULL)
    tell (court, g_strdup_printf (_ ("%s: the lesson “%s” has no goal in a step “%s”; its design "
                                     "is not counted."),
                                  court->file, lesson->title, design->step));
  else if (design->reached && !reached)
    tell (court, g_strdup_printf (_ ("%s: the design of step “%s” says of itself that it reaches "
                                     "the goal; it does not, and is counted by the lesson."),
                                  court->file, design->step));
  else if (!design->reached && reached)
    tell (court, g_strdup_printf (_ ("%s: the design of step “%s” says of itself that it misses "
                                     "the goal; it reaches it, and is counted by the lesson."),
                                  court->file, design->step));
  design->reached = reached;
  return goal != NULL;
}

static void
judge_designs (Court *court, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  for (guint i = 0; i < played->designs->len;)
    if (judge_design (court, played->designs->pdata[i], lesson))
      i++;
    else
      g_ptr_array_remove_index (played->designs, i);
}

/* Counts
 * -------------------------------------------------------------------------------------- */

/* How much there is to do decides the score. */
static void
judge_counts (Court *court, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  int questions = plg_lesson_questions (lesson), goals = plg_lesson_goals (lesson);

  if (played->questions != questions || played->goals != goals)
    tell (court, g_strdup_printf (_ ("%s: says that the lesson “%s” has questions: %d, goals: %d; "
                                     "it has %d and %d, and is counted so."),
                                  court->file, lesson->title, played->questions, played->goals,
                                  questions, goals));
  played->questions = questions;
  played->goals = goals;
}

/* A teacher's own lesson that was not opened with the ledgers. It is told once. */
static void
tell_unknown (Court *court, const PlgLearnerLesson *played)
{
  char
      *remark = g_strdup_printf (_ ("The lesson “%s” is not known here, so its answers are counted "
                                    "as the ledgers have them; open its file with them."),
                                 played->title);

  for (guint i = 0; court->remarks != NULL && i < court->remarks->len; i++)
    if (g_str_equal (court->remarks->pdata[i], remark))
      {
        g_free (remark);
        return;
      }
  tell (court, remark);
}

static void
judge_lesson (Court *court, PlgLearnerLesson *played, const PlgLesson *lesson)
{
  judge_counts (court, played, lesson);
  judge_answers (court, played, lesson);
  judge_designs (court, played, lesson);
}

void
plg_learner_lesson_judge (PlgLearnerLesson *played, const PlgLesson *lesson)
{
  Court court = { .file = "" };

  judge_lesson (&court, played, lesson);
}

void
plg_learner_judge (PlgLearner *learner,
                   const GPtrArray *lessons,
                   const char *file,
                   GPtrArray *remarks)
{
  Court court = { file, remarks, 0 };

  for (guint i = 0; i < learner->lessons->len; i++)
    {
      PlgLearnerLesson *played = learner->lessons->pdata[i];
      const PlgLesson *lesson = find_lesson (lessons, played->id);

      if (lesson != NULL)
        judge_lesson (&court, played, lesson);
      else
        tell_unknown (&court, played);
    }
  tell_rest (&court);
}
