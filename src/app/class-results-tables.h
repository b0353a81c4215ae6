/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "widgets/tables/table.h"

G_BEGIN_DECLS

/* The exact values next to a class chart. LESSON is a lesson id; the tables cover every lesson if
 * LESSON is NULL. */

/* One row per choice, under one heading row with the question and one with the title of the
 * lesson. */
void plg_class_answers_set_columns (PlgTable *table);
void plg_class_answers_fill (PlgTable *table, const PlgClassResults *results, const char *lesson);
/* One row per learner and lesson, with the learner's score. */
void plg_class_scores_set_columns (PlgTable *table);
void plg_class_scores_fill (PlgTable *table, const PlgClassResults *results, const char *lesson);

G_END_DECLS
