/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The answers of a class to each question, as strings and numbers for charts and tables. */

typedef struct
{
  char *id;
  char *text; /* text of the choice, or its id if the text is unknown */
  int n;      /* number of learners whose first answer is this choice */
  gboolean is_right;
} PlgClassResultsChoice;

typedef struct
{
  char *lesson; /* id of the lesson */
  char *title;  /* title of the lesson */
  char *id;
  char *text;
  GPtrArray *choices; /* array of PlgClassResultsChoice */
  int answered;       /* number of learners who answered */
  int right;
} PlgClassResultsQuestion;

/* The result of one learner in one lesson. */
typedef struct
{
  char *learner;
  char *lesson;      /* id of the lesson */
  char *title;       /* title of the lesson */
  const char *score; /* name of the score, such as "optimal"; a static string */
  int right;         /* number of questions with a right first answer */
  int questions;     /* number of questions in the lesson */
} PlgClassResultsScore;

typedef struct
{
  int learners;
  GPtrArray *questions; /* array of PlgClassResultsQuestion */
  GPtrArray *scores;    /* array of PlgClassResultsScore, sorted by learner */
} PlgClassResults;

PlgClassResults *plg_class_results_new (void) G_GNUC_WARN_UNUSED_RESULT;
void plg_class_results_free (PlgClassResults *results);
/* Returns the question with this id in LESSON. Adds the question if it is missing; its text is
 * then NULL until the caller sets it. */
PlgClassResultsQuestion *plg_class_results_question (PlgClassResults *results,
                                                     const char *lesson,
                                                     const char *title,
                                                     const char *id);
/* Returns the choice with this id. Adds the choice if it is missing; its text is then NULL. */
PlgClassResultsChoice *plg_class_results_choice (PlgClassResultsQuestion *question, const char *id);
/* Adds a copy of SCORE. */
void plg_class_results_add_score (PlgClassResults *results, const PlgClassResultsScore *score);
/* Return the total number of answers to all questions, and the number of right answers among
 * them. */
int plg_class_results_answered (const PlgClassResults *results);
int plg_class_results_right (const PlgClassResults *results);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClassResults, plg_class_results_free)

G_END_DECLS
