/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/learner-export.h"

G_BEGIN_DECLS

/* Appends the evidence for a lesson without a design: the plans of the right answers and of the
 * other answers, with numbers and explanations. MOST is the maximum number of characters in all
 * explanations together. Numbers that an open question hides are not shown. */
void plg_memo_append_evidence (GString *out,
                               const PlgLearnerLesson *played,
                               const PlgLesson *lesson,
                               const PlgCatalogue *catalogue,
                               glong most);

G_END_DECLS
