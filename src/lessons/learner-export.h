/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner.h"

G_BEGIN_DECLS

/* Learner records for other programs and for people. */

/* The learner record as JSON: track, current_chapter, last_updated, and a history with a design
 * of thirteen members per lesson. Missing answers and designs are null, and so is the design of
 * a lesson without a goal. g_free(). */
char *plg_learner_json (const PlgLearner *learner);
/* plg_learner_memo:
 * @learner: a learner record
 * @lesson: (nullable): id of the lesson, or %NULL for the lesson played last
 * @catalogue: the catalogue
 *
 * Writes a page of Markdown: the score, the design with its numbers, a rejected alternative with
 * its cost, a better alternative, and the answers. For a lesson without a design, the page shows
 * the evidence for the right answers and against the others instead.
 *
 * Returns: (transfer full) (nullable): the memo, or %NULL if the learner has no such lesson
 */
char *
plg_learner_memo (const PlgLearner *learner, const char *lesson, const PlgCatalogue *catalogue);
/* The memo for a picture of one page: long reflections are shortened, so that each answer has
 * room. g_free(). */
char *plg_learner_memo_page (const PlgLearner *learner,
                             const char *lesson,
                             const PlgCatalogue *catalogue);

G_END_DECLS
