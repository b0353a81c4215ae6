/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/lesson.h"

/* Finds the values that later questions ask for, so that earlier steps do not reveal these
 * values. */

static gboolean
is_open (const PlgQuestion *question, GHashTable *answered)
{
  return question != NULL && (answered == NULL || !g_hash_table_contains (answered, question->id));
}

guint
plg_goal_required_values (const PlgGoal *goal)
{
  guint about = 0;

  for (guint i = 0; goal != NULL && i < goal->asserted->len; i++)
    about |= g_array_index (goal->asserted, PlgAssertion, i).metric->about;
  return about;
}

guint
plg_lesson_values_held_back (const PlgLesson *lesson, int position, GHashTable *answered)
{
  const PlgLessonStep *step = lesson->steps->pdata[position];
  guint asked = 0;

  for (guint i = (guint) position + 1; i < lesson->steps->len; i++)
    {
      const PlgQuestion *question = ((PlgLessonStep *) lesson->steps->pdata[i])->question;

      asked |= is_open (question, answered) ? question->hides : 0;
    }
  return step->hides & asked & ~plg_goal_required_values (step->goal);
}

guint
plg_lesson_values_asked_later (const PlgLesson *lesson,
                               int position,
                               const PlgPlan *begun,
                               gboolean reached,
                               const PlgPlan *plan,
                               const PlgCatalogue *catalogue,
                               GHashTable *answered)
{
  g_autoptr (PlgPlan) own = plg_plan_copy (begun);
  guint asked = 0;

  for (guint i = (guint) position; i + 1 < lesson->steps->len; i++)
    {
      const PlgLessonStep *next = lesson->steps->pdata[i + 1];

      plg_lesson_advance_plan (lesson, (int) i, own, reached && i == (guint) position, catalogue);
      if (!is_open (next->question, answered) || next->question->hides == 0)
        continue;
      /* The question is about PLAN if at least one of its choices results in PLAN. A choice
       * without a setup results in OWN. */
      for (guint j = 0; j < next->question->choices->len; j++)
        {
          const PlgTrialChange *choice = next->question->choices->pdata[j];
          g_autoptr (PlgPlan) evidence = plg_plan_copy (own);

          if (choice->setup != NULL)
            plg_step_setup_apply (choice->setup, evidence, catalogue, NULL);
          if (plg_plan_same_design (evidence, plan))
            asked |= next->question->hides;
        }
    }
  return asked;
}
