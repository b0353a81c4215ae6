/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* A ledger is a file that anybody can write, so what it says of its own answers is not believed
 * where LESSONS (PlgLesson; the first of an id goes before others) know better: whether an answer
 * is right, whether a design reaches its goal, how many questions and goals there are. What is to a
 * question, with a choice or for a goal that its lesson does not have is dropped. What was changed
 * is told in REMARKS (char *, may be NULL), each of which begins with FILE; a lesson that LESSONS
 * lack is told once. Of one ledger twenty are told, and how many more there are. */
void plg_learner_rescore (PlgLearner *learner,
                          const GPtrArray *lessons,
                          const char *file,
                          GPtrArray *remarks);
/* The same of PLAYED alone, by LESSON, without remarks. */
void plg_learner_lesson_rescore (PlgLearnerLesson *played, const PlgLesson *lesson);

G_END_DECLS
