/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner-export.h"

G_BEGIN_DECLS

/* memo-evidence.c: what speaks for the right answers that were learned in LESSON, and against
 * others, where nothing was designed: the plans that answers set up, with their numbers and why. In
 * MOST characters of explanations, or all of them. What a question that is still open hides stays
 * hidden. */
void plg_memo_append_evidence (GString *out,
                               const PlgLearnerLesson *played,
                               const PlgLesson *lesson,
                               const PlgCatalogue *catalogue,
                               glong most);

G_END_DECLS
