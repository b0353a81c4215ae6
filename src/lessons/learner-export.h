/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* Exports learner records for other programs and for people. */

/* Returns the learner record as JSON: track, current_chapter, last_updated, and a history with
 * one design of thirteen fields per lesson. Missing answers and designs are null; the design of
 * a lesson without a goal is also null. Free with g_free(). */
char *plg_learner_json (const PlgLearner *learner);
/* plg_learner_memo:
 * @learner: a learner record
 * @lesson: (nullable): id of the lesson, or %NULL for the lesson with the latest change
 * @catalogue: the catalogue
 *
 * Writes a page of Markdown with the score, the design with its numbers, a rejected alternative
 * with its cost, a better alternative, and the answers. If a lesson has no design, the page
 * shows the evidence for the right answers and against the other answers instead.
 *
 * Returns: (transfer full) (nullable): the memo, or %NULL if the learner record has no such
 *   lesson */
char *
plg_learner_memo (const PlgLearner *learner, const char *lesson, const PlgCatalogue *catalogue);
/* Returns the memo in a form that fits into a one-page picture. Shortens long reflections so
 * that each answer has room. Free with g_free(). */
char *plg_learner_memo_page (const PlgLearner *learner,
                             const char *lesson,
                             const PlgCatalogue *catalogue);

G_END_DECLS
