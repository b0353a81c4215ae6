/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* The ledgers of a class. */

typedef struct
{
  GPtrArray *learners; /* PlgLearner */
  GPtrArray *lessons;  /* PlgLesson: a teacher's own, whose words are wanted */
  GPtrArray *unread;   /* char *: "NAME:LINE:COLUMN: why" of each file that is no ledger */
  GPtrArray *remarks;  /* char *: "NAME: …" of each answer that is not counted as a ledger has it,
                          and  "NAME is …" of each lesson */
} PlgClassRecords;

/* Reads what can be read of PATHS; lessons may be among them. A file that is named twice counts
 * once, and so does a copy of it. What ledgers say of their answers is judged by the lessons of the
 * class and of the program, where these know them. */
PlgClassRecords *plg_class_records_load (const char *const *paths, const PlgCatalogue *catalogue);
void plg_class_records_free (PlgClassRecords *records);
/* First answers only. A question's words come after its step's title, where the lesson is known.
 * Words come from the lessons of KLASS and of the program, then from the
 * ledgers, which keep what was asked; choices that nobody took are there where the lesson is
 * known. In the order of the lessons. */
PlgClassResults *plg_class_records_results (const PlgClassRecords *records,
                                            const PlgCatalogue *catalogue);

/* The tally as a table, for people and for other programs: a row a choice. g_free(). */
char *plg_class_results_markdown (const PlgClassResults *tally);
char *plg_class_results_csv (const PlgClassResults *tally);
/* How each learner did: a row a learner and lesson. g_free(). */
char *plg_class_results_scores_csv (const PlgClassResults *tally);
char *plg_class_results_json (const PlgClassResults *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClassRecords, plg_class_records_free)

G_END_DECLS
