/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "widgets/tables/table.h"

G_BEGIN_DECLS

/* Tables of the exact values in a class chart. LESSON is a lesson id; if LESSON is NULL, the
 * tables cover every lesson. */

/* Sets up and fills the table of answers. Each lesson begins with a heading row for its title,
 * each question has a heading row for its text, and each choice has its own row. */
void plg_class_answers_set_columns (PlgTable *table);
void plg_class_answers_fill (PlgTable *table, const PlgClassResults *results, const char *lesson);
/* Sets up and fills the table of scores. The table has one row per learner per lesson. Each row
 * shows the learner's score. */
void plg_class_scores_set_columns (PlgTable *table);
void plg_class_scores_fill (PlgTable *table, const PlgClassResults *results, const char *lesson);

G_END_DECLS
