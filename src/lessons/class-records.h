/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* The learner records of a class. */

typedef struct
{
  GPtrArray *learners; /* array of PlgLearner */
  GPtrArray *lessons;  /* array of PlgLesson: lesson files of the teacher, which supply texts */
  GPtrArray *unread;   /* array of char *: "NAME:LINE:COLUMN: error" for each file that is not a
                          learner record */
  GPtrArray *remarks;  /* array of char *: "NAME: …" for each answer that the lessons judge
                          differently, "NAME is …" for each lesson */
} PlgClassRecords;

/* Reads the readable files of PATHS, which may include lessons. A file that is named twice
 * counts once, and a copy of a file counts once too. The lessons of the class and of the program
 * judge the answers if they contain the questions. */
PlgClassRecords *plg_class_records_load (const char *const *paths,
                                         const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;
void plg_class_records_free (PlgClassRecords *records);
/* Counts first answers only, in the order of the lessons. Texts come from the lessons of
 * RECORDS, then of the program, then from the learner records; a known lesson adds the step's
 * title and the choices without answers. */
PlgClassResults *
plg_class_records_results (const PlgClassRecords *records,
                           const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* The results as a table with one row per choice. g_free(). */
char *plg_class_results_markdown (const PlgClassResults *tally);
char *plg_class_results_csv (const PlgClassResults *tally);
/* The results as a table with one row per learner and lesson. g_free(). */
char *plg_class_results_scores_csv (const PlgClassResults *tally);
char *plg_class_results_json (const PlgClassResults *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClassRecords, plg_class_records_free)

G_END_DECLS
