/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* plg_learner_rescore:
 * @learner: a learner record
 * @lessons: array of PlgLesson; the first lesson with an id counts
 * @file: name of the file, with which each remark begins
 * @remarks: (nullable): array of char *
 *
 * Judges the answers, designs and counts of @learner by @lessons, since anybody can edit the file
 * of a record. Answers, choices and designs that the lesson does not have are dropped.
 *
 * @remarks gets one message per change and one per unknown lesson; after twenty messages of a
 * record, a last message gives the number of the others.
 */
void plg_learner_rescore (PlgLearner *learner,
                          const GPtrArray *lessons,
                          const char *file,
                          GPtrArray *remarks);
/* Judges PLAYED alone by LESSON, without remarks. */
void plg_learner_lesson_rescore (PlgLearnerLesson *played, const PlgLesson *lesson);

G_END_DECLS
