/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* Functions shared by lesson.c (the type), lesson-xml.c (reading) and lesson-check.c. */
void plg_text_span_free (PlgTextSpan *span);
void plg_passage_free (PlgPassage *passage);
void plg_step_setup_free (PlgStepSetup *setup);
void plg_choice_free (PlgTrialChange *choice);
void plg_question_free (PlgQuestion *question);
void plg_goal_free (PlgGoal *goal);
void plg_claim_clear (gpointer claim);
void plg_lesson_step_free (PlgLessonStep *step);
void plg_glossary_entry_free (PlgGlossaryEntry *entry);

/* Returns an empty array of GError that owns its elements. */
GPtrArray *plg_lesson_errors_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* Sorts ERRORS by line and column, and returns their messages, one per line; free with g_free(). */
char *plg_lesson_errors_text (GPtrArray *errors) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPassage, plg_passage_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgStepSetup, plg_step_setup_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTrialChange, plg_choice_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgQuestion, plg_question_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGoal, plg_goal_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLessonStep, plg_lesson_step_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGlossaryEntry, plg_glossary_entry_free)

G_END_DECLS
