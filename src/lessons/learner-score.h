/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* plg_learner_rescore:
 * @learner: a learner record
 * @lessons: array of PlgLesson; if several lessons have the same id, the first one is used
 * @file: name of the learner record's file; each remark on an answer, design or count begins
 *   with this name
 * @remarks: (nullable): array of char *
 *
 * Rescores the answers, the designs and the numbers of questions and goals in @learner against
 * @lessons, because anybody can edit a learner record. Drops answers, choices and designs that
 * the lesson does not have.
 *
 * Adds one message per change and one per unknown lesson to @remarks. After twenty messages on a
 * record, a last message gives the number of further messages. */
void plg_learner_rescore (PlgLearner *learner,
                          const GPtrArray *lessons,
                          const char *file,
                          GPtrArray *remarks);
/* Like plg_learner_rescore(), but rescores only PLAYED, the learner's progress in LESSON, and
 * adds no remarks. */
void plg_learner_lesson_rescore (PlgLearnerLesson *played, const PlgLesson *lesson);

G_END_DECLS
