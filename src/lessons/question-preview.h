/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* The text of a question before any answer is given, with the numbers of the lesson's own plan
 * at this step. Hidden numbers are shown as dashes. */
typedef struct
{
  const PlgQuestion *question; /* borrowed from the lesson */
  char *prompt;                /* prompt as a single line */
  char **choices;              /* texts of the choices, in the order of the question */
} PlgQuestionPreview;

/* Returns a preview of the question, or NULL if LESSON has no such question. */
PlgQuestionPreview *
plg_question_preview_new (const PlgLesson *lesson,
                          const char *question,
                          const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;
void plg_question_preview_free (PlgQuestionPreview *asked);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgQuestionPreview, plg_question_preview_free)

G_END_DECLS
