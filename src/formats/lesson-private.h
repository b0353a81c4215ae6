/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/lesson.h"

G_BEGIN_DECLS

/* Shared by lesson.c (what it is), lesson-xml.c (reading) and lesson-check.c. */
void plg_text_span_free (PlgTextSpan *span);
void plg_passage_free (PlgPassage *passage);
void plg_scene_free (PlgScene *scene);
void plg_choice_free (PlgChoice *choice);
void plg_question_free (PlgQuestion *question);
void plg_goal_free (PlgGoal *goal);
void plg_claim_clear (gpointer claim);
void plg_step_free (PlgStepOfLesson *step);
void plg_glossary_entry_free (PlgGlossaryEntry *entry);

/* Of two slips (char **) that begin "LINE: " or "LINE:COLUMN: ", by these. */
int plg_slips_compare (gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgPassage, plg_passage_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgScene, plg_scene_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgChoice, plg_choice_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgQuestion, plg_question_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGoal, plg_goal_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgStepOfLesson, plg_step_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgGlossaryEntry, plg_glossary_entry_free)

G_END_DECLS
