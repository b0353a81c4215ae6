/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lessons/question-preview.h"

#include "engine/advice/advice.h"
#include "engine/report/redaction.h"

static const PlgLessonStep *
step_of (const PlgLesson *lesson, const char *question, guint *position)
{
  for (*position = 0; *position < lesson->steps->len; (*position)++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[*position];

      if (step->question != NULL && g_str_equal (step->question->id, question))
        return step;
    }
  return NULL;
}

PlgQuestionPreview *
plg_question_preview_new (const PlgLesson *lesson,
                          const char *question,
                          const PlgCatalogue *catalogue)
{
  guint position, n;
  const PlgLessonStep *step = step_of (lesson, question, &position);
  g_autoptr (PlgPlan) plan = NULL;
  g_autoptr (PlgReport) whole = NULL, report = NULL;
  PlgQuestionPreview *asked;

  if (step == NULL)
    return NULL;
  plan = plg_lesson_plan_at (lesson, (int) position, catalogue);
  whole = plg_evaluate_with_advice (plan, NULL);
  if (whole == NULL)
    return NULL;
  report = step->question->hides != 0 ? plg_report_redact (whole, step->question->hides)
                                      : plg_report_ref (whole);
  asked = g_new0 (PlgQuestionPreview, 1);
  asked->question = step->question;

  const GPtrArray *passages = step->question->prompt;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < passages->len; i++)
    {
      const PlgPassage *passage = passages->pdata[i];
      g_autofree char *part = NULL;

      if (passage->kind == PLG_PASSAGE_FORMULA || passage->kind == PLG_PASSAGE_FIGURE)
        continue;
      part = plg_passage_text (passage, plan, report, catalogue, FALSE);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", part);
    }
  asked->prompt = g_string_free (text, FALSE);

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
