/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/tally.h"
#include "formats/learner.h"

G_BEGIN_DECLS

/* The ledgers of a class. */

typedef struct
{
  GPtrArray *learners; /* PlgLearner */
  GPtrArray *lessons;  /* PlgLesson: a teacher's own, whose words are wanted */
  GPtrArray *unread;   /* char *: "NAME:LINE:COLUMN: why" of each file that is no ledger */
  GPtrArray *remarks;  /* char *: "NAME: …" of each answer that is not counted as a ledger has it,
                          and  "NAME is …" of each lesson */
} PlgClass;

/* Reads what can be read of PATHS; lessons may be among them. A file that is named twice counts
 * once, and so does a copy of it. What ledgers say of their answers is judged by the lessons of the
 * class and of the program, where these know them. */
PlgClass *plg_class_load (const char *const *paths, const PlgCatalogue *catalogue);
void plg_class_free (PlgClass *klass);
/* First answers only. A question's words come after its step's title, where the lesson is known.
 * Words come from the lessons of KLASS and of the program, then from the
 * ledgers, which keep what was asked; choices that nobody took are there where the lesson is
 * known. In the order of the lessons. */
PlgTally *plg_class_tally (const PlgClass *klass, const PlgCatalogue *catalogue);

/* The tally as a table, for people and for other programs: a row a choice. g_free(). */
char *plg_tally_markdown (const PlgTally *tally);
char *plg_tally_csv (const PlgTally *tally);
/* How each learner did: a row a learner and lesson. g_free(). */
char *plg_tally_scores_csv (const PlgTally *tally);
char *plg_tally_json (const PlgTally *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgClass, plg_class_free)

G_END_DECLS
