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
} PlgTallyChoice;

typedef struct
{
  char *lesson; /* id */
  char *title;  /* of the lesson */
  char *id;
  char *text;
  GPtrArray *choices; /* PlgTallyChoice */
  int answered;       /* learners */
  int right;
} PlgTallyQuestion;

/* How one learner did in one lesson. */
typedef struct
{
  char *learner;
  char *lesson;      /* id */
  char *title;       /* of the lesson */
  const char *score; /* "optimal", static */
  int right;         /* of the first answers */
  int questions;     /* that the lesson has */
} PlgTallyScore;

typedef struct
{
  int learners;
  GPtrArray *questions; /* PlgTallyQuestion */
  GPtrArray *scores;    /* PlgTallyScore, by learner */
} PlgTally;

PlgTally *plg_tally_new (void);
void plg_tally_free (PlgTally *tally);
/* The question with this id in LESSON, made where it is not there yet; texts are filled in by
 * whoever makes it (TEXT is NULL then). */
PlgTallyQuestion *
plg_tally_question (PlgTally *tally, const char *lesson, const char *title, const char *id);
/* Likewise of a choice. */
PlgTallyChoice *plg_tally_choice (PlgTallyQuestion *question, const char *id);
/* Adds a copy. */
void plg_tally_add_score (PlgTally *tally, const PlgTallyScore *score);
/* Over all questions. */
int plg_tally_answered (const PlgTally *tally);
int plg_tally_right (const PlgTally *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgTally, plg_tally_free)

G_END_DECLS
