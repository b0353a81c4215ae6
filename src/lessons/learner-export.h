/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* What learners did, for other programs and for people. */

/* A ledger of lessons as JSON: track, current_chapter, last_updated, and a history with a design of
 * thirteen members for each lesson. What was not answered or made is null: of a lesson without a
 * goal the design, since all plans in it are the lesson's own. g_free(). */
char *plg_learner_json (const PlgLearner *learner);
/* memo.c: a page of Markdown for LESSON (NULL: the one that was played last): the score, what
 * speaks for the design in numbers, another one that was rejected, with what it costs, one that
 * would have been better, and the answers in words. Where nothing was designed, what speaks for the
 * right answers and against others. NULL when there is no such lesson. g_free(). */
char *
plg_learner_memo (const PlgLearner *learner, const char *lesson, const PlgCatalogue *catalogue);
/* The same for a picture of one page: of what was written down at length only the beginning, so
 * that each answer has room. g_free(). */
char *plg_learner_memo_page (const PlgLearner *learner,
                             const char *lesson,
                             const PlgCatalogue *catalogue);

G_END_DECLS
