/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "formats/lesson.h"

/* The plans that steps begin with for who changes nothing. */

/* A scene that cannot be leaves the plan as it is; the lesson's check tells of it. */
static void
play (const PlgScene *scene, PlgPlan *plan, const PlgCatalogue *catalogue)
{
  if (scene != NULL)
    plg_scene_apply (scene, plan, catalogue, NULL);
}

void
plg_lesson_go_on (const PlgLesson *lesson,
                  int position,
                  PlgPlan *plan,
                  gboolean reached,
                  const PlgCatalogue *catalogue)
{
  const PlgStepOfLesson *step = lesson->steps->pdata[position];
  const PlgStepOfLesson *next = lesson->steps->pdata[position + 1];

  if (step->goal != NULL && !reached)
    play (step->goal->instead, plan, catalogue);
  play (next->scene, plan, catalogue);
}

PlgPlan *
plg_lesson_plan_at (const PlgLesson *lesson, int position, const PlgCatalogue *catalogue)
{
  PlgPlan *plan = plg_catalogue_default_plan (catalogue);

  play (((const PlgStepOfLesson *) lesson->steps->pdata[0])->scene, plan, catalogue);
  for (int i = 0; i < position; i++)
    plg_lesson_go_on (lesson, i, plan, FALSE, catalogue);
  return plan;
}
