/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How a class answered, question by question, as plain values: what a chart draws and a table says.
 */

typedef struct
{
  char *id;
  char *text; /* its words, or its id where nobody knows them */
  int n;      /* learners whose first answer it was */
  gboolean is_right;
} PlgClassResultsChoice;

typedef struct
{
  char *lesson; /* id */
  char *title;  /* of the lesson */
  char *id;
  char *text;
  GPtrArray *choices; /* PlgClassResultsChoice */
  int answered;       /* learners */
  int right;
} PlgClassResultsQuestion;

/* How one learner did in one lesson. */
typedef struct
{
  char *learner;
  char *lesson;      /* id */
  char *title;       /* of the lesson */
  const char *score; /* "optimal", static */
  int right;         /* of the first answers */
  int questions;     /* that the lesson has */
} PlgClassResultsScore;

typedef struct
{
  int learners;
  GPtrArray *questions; /* PlgClassResultsQuestion */
  GPtrArray *scores;    /* PlgClassResultsScore, by learner */
} PlgClassResults;

PlgClassResults *plg_class_results_new (void);
void plg_class_results_free (PlgClassResults *results);
/* The question with this id in LESSON, made where it is not there yet; texts are filled in by
 * whoever makes it (TEXT is NULL then). */
PlgClassResultsQuestion *plg_class_results_question (PlgClassResults *results,
                                                     const char *lesson,
                                                     const char *title,
                                                     const char *id);
/* Likewise of a choice. */
PlgClassResultsChoice *plg_class_results_choice (PlgClassResultsQuestion *question, const char *id);
/* Adds a copy. */
void plg_class_results_add_score (PlgClassResults *results, const PlgClassResultsScore *score);
/* Over all questions. */
int plg_class_results_answered (const PlgClassResults *results);
int plg_class_results_right (const PlgClassResults *results);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClassResults, plg_class_results_free)

G_END_DECLS
