/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* plg_learner_rescore:
 * @learner: a learner record
 * @lessons: array of PlgLesson; if several lessons have the same id, the first one counts
 * @file: name of the learner record's file, with which each remark on an answer, design or count
 *   begins
 * @remarks: (nullable): array of char *
 *
 * Rescores the answers, designs and counts of @learner against @lessons, because anybody can
 * edit a learner record. Drops answers, choices and designs that the lesson does not have.
 *
 * Adds one message per change and one per unknown lesson to @remarks. After twenty messages on a
 * record, a last message gives the number of further messages. */
void plg_learner_rescore (PlgLearner *learner,
                          const GPtrArray *lessons,
                          const char *file,
                          GPtrArray *remarks);
/* Like plg_learner_rescore(), but rescores only PLAYED, against LESSON, and adds no remarks. */
void plg_learner_lesson_rescore (PlgLearnerLesson *played, const PlgLesson *lesson);

G_END_DECLS
