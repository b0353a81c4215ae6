/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run-private.h"

#include "engine/advice/advice.h"
#include "engine/report/redaction.h"

/* Selects the plans that supply the numbers in a lesson's text. Each sentence describes the plan
 * that the sentence was written for, even if an answer or the learner has changed the plan
 * since. */

/* Returns the report of PLAN without the numbers that are hidden until a question is answered.
 * The report is cached in *REPORT. */
static const PlgReport *
report_of (PlgLessonRun *self, const PlgPlan *plan, PlgReport **report)
{
  guint redaction = plg_document_policy (self->document)->redaction;
  g_autoptr (PlgReport) whole = NULL;

  if (*report != NULL && (*report)->redaction == redaction)
    return *report;
  whole = plg_evaluate_with_advice (plan, NULL);
  if (whole == NULL)
    return plg_document_report (self->document);
  g_clear_pointer (report, plg_report_unref);
  *report = redaction != 0 ? plg_report_redact (whole, redaction) : g_steal_pointer (&whole);
  return *report;
}

static PlgLessonNumbers
of_step (PlgLessonRun *self)
{
  const PlgPlan *plan = plg_lesson_run_starting_plan (self, self->position);

  return (PlgLessonNumbers) { plan, report_of (self, plan, &self->own_report) };
}

PlgLessonNumbers
plg_lesson_run_numbers (PlgLessonRun *self, PlgLessonPart part)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), ((PlgLessonNumbers) { NULL, NULL }));

  switch (part)
    {
    case PLG_LESSON_ANSWER:
      if (self->evidence == NULL)
        return of_step (self);
      return (PlgLessonNumbers) { self->evidence,
                                  report_of (self, self->evidence, &self->evidence_report) };
    case PLG_LESSON_GOAL:
      return (PlgLessonNumbers) { plg_document_plan (self->document),
                                  plg_document_report (self->document) };
    case PLG_LESSON_AFTER:
      {
        /* In a step with a goal, the numbers come from the learner's plan. In a step with a
         * question, the numbers come from the plan of the right answer, regardless of the answer
         * shown. */
        const PlgLessonStep *step = plg_lesson_run_step (self);
        const PlgPlan *plan;

        if (step->goal != NULL)
          return (PlgLessonNumbers) { plg_document_committed_plan (self->document),
                                      plg_document_committed_report (self->document) };
        if (step->question == NULL)
          return of_step (self);

        /* The solution is the plan of the right answer, or the plan of the step if the right
         * answer sets up no plan. */
        const PlgQuestion *question = plg_lesson_run_step (self)->question;
        const PlgTrialChange *right = question->choices->pdata[question->right];

        if (self->solution == NULL)
          {
            self->solution = plg_plan_copy (plg_lesson_run_starting_plan (self, self->position));
            if (right->setup != NULL)
              plg_step_setup_apply (right->setup, self->solution,
                                    plg_document_catalogue (self->document), NULL);
          }
        plan = self->solution;

        return (PlgLessonNumbers) { plan, report_of (self, plan, &self->solution_report) };
      }
    case PLG_LESSON_STEP:
    default:
      return of_step (self);
    }
}

void
plg_lesson_run_clear_numbers (PlgLessonRun *self)
{
  g_clear_pointer (&self->evidence, plg_plan_free);
  g_clear_pointer (&self->evidence_report, plg_report_unref);
  g_clear_pointer (&self->solution, plg_plan_free);
  g_clear_pointer (&self->solution_report, plg_report_unref);
  g_clear_pointer (&self->own_report, plg_report_unref);
}
