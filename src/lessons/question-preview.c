/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/question-preview.h"

#include "engine/advice/advice.h"
#include "engine/report/redaction.h"

PlgQuestionPreview *
plg_question_preview_new (const PlgLesson *lesson,
                          const char *question,
                          const PlgCatalogue *catalogue)
{
  guint position = 0, n;
  const PlgLessonStep *step = NULL;
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (PlgReport) whole = NULL, report = NULL;
  PlgQuestionPreview *asked;

  for (; position < lesson->steps->len; position++)
    {
      step = lesson->steps->pdata[position];
      if (step->question != NULL && g_str_equal (step->question->id, question))
        break;
    }
  if (position == lesson->steps->len)
    return NULL;
  plan = plg_lesson_plan_at (lesson, (int) position, catalogue);
  whole = plg_evaluate_with_advice (plan, NULL);
  if (whole == NULL)
    return NULL;
  report = step->question->hides != 0 ? plg_report_redact (whole, step->question->hides)
                                      : plg_report_ref (whole);
  asked = g_new0 (PlgQuestionPreview, 1);
  asked->question = step->question;
  asked->prompt = plg_passages_text (step->question->prompt, plan, report, catalogue);
  n = step->question->choices->len;
  asked->choices = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    asked->choices[i] = plg_spans_text (((const PlgTrialChange *) step->question->choices->pdata[i])
                                            ->label,
                                        plan, report, catalogue, FALSE);
  return asked;
}

void
plg_question_preview_free (PlgQuestionPreview *asked)
{
  g_free (asked->prompt);
  g_strfreev (asked->choices);
  g_free (asked);
}
