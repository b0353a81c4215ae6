/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/tally.h"
#include "widgets/table.h"

G_BEGIN_DECLS

/* The exact values beside the chart of a class; of LESSON alone, an id, unless it is NULL. */

/* A row a choice, below a row with the question's words and one with the lesson's title. */
void plg_class_table_begin_answers (PlgTable *table);
void plg_class_table_fill_answers (PlgTable *table, const PlgTally *tally, const char *lesson);
/* How each learner did: a row a learner and lesson. */
void plg_class_table_begin_scores (PlgTable *table);
void plg_class_table_fill_scores (PlgTable *table, const PlgTally *tally, const char *lesson);

G_END_DECLS
