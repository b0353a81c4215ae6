/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/class-results.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* The learner records of a class. */

typedef struct
{
  GPtrArray *learners; /* array of PlgLearner */
  GPtrArray *lessons;  /* array of PlgLesson: the teacher's lesson files, which supply the text
                          of questions and choices */
  GPtrArray *unread;   /* array of char *: "NAME:LINE:COLUMN: error" for each file that cannot be
                          read */
  /* array of char *: remarks on the files, such as "NAME: …" for each answer that a lesson
   * judges differently from the learner record, or "NAME contains the lesson …" for each lesson
   * file */
  GPtrArray *remarks;
} PlgClassRecords;

/* Reads the files in PATHS: learner records and, optionally, lesson files. A file that is named
 * twice, or a copy of a file, counts only once. Answers are judged by the lessons in PATHS or,
 * for other lessons, by the program's own lessons. */
PlgClassRecords *plg_class_records_load (const char *const *paths,
                                         const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;
void plg_class_records_free (PlgClassRecords *records);
/* Counts each learner's first answer to each question. Lists the questions in the order of the
 * lessons. The text comes from the lessons in RECORDS, from the program's lessons or from the
 * learner records, in this order of preference. A known lesson also supplies the step's title
 * and the choices that nobody picked. */
PlgClassResults *
plg_class_records_results (const PlgClassRecords *records,
                           const PlgCatalogue *catalogue) G_GNUC_WARN_UNUSED_RESULT;

/* Return the results with one row per choice; free with g_free(). */
char *plg_class_results_markdown (const PlgClassResults *tally);
char *plg_class_results_csv (const PlgClassResults *tally);
/* Return the results with one row per learner and lesson; free with g_free(). */
char *plg_class_results_scores_csv (const PlgClassResults *tally);
char *plg_class_results_json (const PlgClassResults *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClassRecords, plg_class_records_free)

G_END_DECLS
