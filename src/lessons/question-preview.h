/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* A question in words, as it stands before anybody has answered: its numbers are those of the plan
 * that the lesson itself makes on the way there, and what it hides is a dash. */
typedef struct
{
  const PlgQuestion *question; /* borrowed from the lesson */
  char *prompt;                /* in one line */
  char **choices;              /* in the question's order */
} PlgQuestionPreview;

/* NULL where LESSON has no such question. */
PlgQuestionPreview *plg_question_preview_new (const PlgLesson *lesson,
                                              const char *question,
                                              const PlgCatalogue *catalogue);
void plg_question_preview_free (PlgQuestionPreview *asked);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgQuestionPreview, plg_question_preview_free)

G_END_DECLS
