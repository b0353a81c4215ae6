/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/lesson.h"

/* Computes the plan at the start of each step for a learner who changes nothing. */

/* Applies SETUP to PLAN. An invalid setup leaves PLAN unchanged without an error, because the
 * lesson check reports it. */
static void
apply_setup (const PlgStepSetup *setup, PlgPlan *plan, const PlgCatalogue *catalogue)
{
  if (setup != NULL)
    plg_step_setup_apply (setup, plan, catalogue, NULL);
}

void
plg_lesson_advance_plan (const PlgLesson *lesson,
                         int position,
                         PlgPlan *plan,
                         gboolean reached,
                         const PlgCatalogue *catalogue)
{
  const PlgLessonStep *step = lesson->steps->pdata[position];
  const PlgLessonStep *next = lesson->steps->pdata[position + 1];

  if (step->goal != NULL && !reached)
    apply_setup (step->goal->fallback, plan, catalogue);
  apply_setup (next->setup, plan, catalogue);
}

PlgPlan *
plg_lesson_plan_at (const PlgLesson *lesson, int position, const PlgCatalogue *catalogue)
{
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);

  apply_setup (((const PlgLessonStep *) lesson->steps->pdata[0])->setup, plan, catalogue);
  for (int i = 0; i < position; i++)
    plg_lesson_advance_plan (lesson, i, plan, FALSE, catalogue);
  return plan;
}
