/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "formats/learner.h"

G_BEGIN_DECLS

/* What learners did, for other programs and for people. */

/* A ledger of lessons as JSON: track, current_chapter, last_updated, and a history with a design of
 * thirteen members for each lesson. What was not answered or made is null. g_free(). */
char *plg_learner_json (const PlgLearner *learner);
/* A page of Markdown for LESSON (NULL: the one that was played last): the score, the answers, what
 * speaks for the design in numbers, another one that was rejected, with what it costs, and one that
 * would have been better. NULL when there is no such lesson. g_free(). */
char *plg_learner_memo (const PlgLearner *learner, const char *lesson);

/* How often a choice was the first answer. */
typedef struct
{
  char *choice;
  int n;
} PlgChoiceCount;

/* A question over a class. */
typedef struct
{
  char *lesson; /* title */
  char *question;
  GArray *choices; /* PlgChoiceCount, by name */
  int answered;
  int right;
} PlgQuestionCount;

/* LEARNERS of PlgLearner; PlgQuestionCount in the order in which they come. g_ptr_array_unref(). */
GPtrArray *plg_learners_count (const GPtrArray *learners);
/* As tables, Markdown or JSON. g_free(). */
char *plg_learners_markdown (const GPtrArray *learners);
char *plg_learners_json (const GPtrArray *learners);

G_END_DECLS
