/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run-private.h"

#include "engine/evaluate.h"
#include "engine/veil.h"

/* What the numbers in a lesson's text are of. A sentence is true of the plan that it was written
 * for, not of whatever an answer or people have made of it since. */

/* The report of PLAN, kept in *REPORT; what waits for an answer is hidden there as well. */
static const PlgReport *
report_of (PlgLessonRun *self, const PlgPlan *plan, PlgReport **report)
{
  guint veil = plg_document_veil (self->document);
  g_autoptr (PlgReport) whole = NULL;

  if (*report != NULL && (*report)->veil == veil)
    return *report;
  whole = plg_evaluate (plan, PLG_EVALUATE_ALL, NULL);
  if (whole == NULL)
    return plg_document_report (self->document);
  g_clear_pointer (report, plg_report_unref);
  *report = veil != 0 ? plg_report_veil (whole, veil) : g_steal_pointer (&whole);
  return *report;
}

/* The plan that the right answer sets up; where it sets up none, the step's own. */
static const PlgPlan *
solution (PlgLessonRun *self)
{
  const PlgQuestion *question = plg_lesson_run_step (self)->question;
  const PlgChoice *right = question->choices->pdata[question->right];

  if (self->solution == NULL)
    {
      self->solution = plg_plan_copy (plg_lesson_run_plan_of (self, self->position));
      if (right->scene != NULL)
        plg_scene_apply (right->scene, self->solution, plg_document_catalogue (self->document),
                         NULL);
    }
  return self->solution;
}

static PlgLessonSubject
of_step (PlgLessonRun *self)
{
  const PlgPlan *plan = plg_lesson_run_plan_of (self, self->position);

  return (PlgLessonSubject) { plan, report_of (self, plan, &self->own_report) };
}

static PlgLessonSubject
of_open_plan (PlgLessonRun *self)
{
  return (PlgLessonSubject) { plg_document_plan (self->document),
                              plg_document_report (self->document) };
}

static PlgLessonSubject
of_answer (PlgLessonRun *self)
{
  if (self->evidence == NULL)
    return of_step (self);
  return (PlgLessonSubject) { self->evidence,
                              report_of (self, self->evidence, &self->evidence_report) };
}

/* What was reached is what people have made; what was asked has one right answer, whatever is being
 * looked at. */
static PlgLessonSubject
of_after (PlgLessonRun *self)
{
  const PlgStepOfLesson *step = plg_lesson_run_step (self);
  const PlgPlan *plan;

  if (step->goal != NULL)
    return (PlgLessonSubject) { plg_document_committed_plan (self->document),
                                plg_document_committed_report (self->document) };
  if (step->question == NULL)
    return of_step (self);
  plan = solution (self);
  return (PlgLessonSubject) { plan, report_of (self, plan, &self->solution_report) };
}

PlgLessonSubject
plg_lesson_run_subject (PlgLessonRun *self, PlgLessonPart part)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), ((PlgLessonSubject) { NULL, NULL }));

  switch (part)
    {
    case PLG_LESSON_ANSWER:
      return of_answer (self);
    case PLG_LESSON_GOAL:
      return of_open_plan (self);
    case PLG_LESSON_AFTER:
      return of_after (self);
    case PLG_LESSON_STEP:
    default:
      return of_step (self);
    }
}

void
plg_lesson_run_forget_subjects (PlgLessonRun *self)
{
  g_clear_pointer (&self->evidence, plg_plan_free);
  g_clear_pointer (&self->evidence_report, plg_report_unref);
  g_clear_pointer (&self->solution, plg_plan_free);
  g_clear_pointer (&self->solution_report, plg_report_unref);
  g_clear_pointer (&self->own_report, plg_report_unref);
}
