/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "widgets/tables/table.h"

G_BEGIN_DECLS

/* The exact values beside the chart of a class; of LESSON alone, an id, unless it is NULL. */

/* A row a choice, below a row with the question's words and one with the lesson's title. */
void plg_class_answers_set_columns (PlgTable *table);
void plg_class_answers_fill (PlgTable *table, const PlgClassResults *tally, const char *lesson);
/* How each learner did: a row a learner and lesson. */
void plg_class_scores_set_columns (PlgTable *table);
void plg_class_scores_fill (PlgTable *table, const PlgClassResults *tally, const char *lesson);

G_END_DECLS
