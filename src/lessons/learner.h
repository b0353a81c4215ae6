/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* What one person answered and made in lessons, a file each. */

#define PLG_LEARNER_MAX_PARTS 1000 /* the most answers and designs of a lesson */

typedef struct
{
  char *question;
  char *choice; /* the first, which is the prediction */
  gboolean right;
  char *reflection;   /* written down afterwards; "" when nothing was */
  gboolean is_edited; /* the reflection is not what was read or stored last */
  char *asked;        /* the question and the choice in words, as they were read; NULL: not kept */
  char *said;
} PlgLearnerAnswer;

/* What people made of the plan in a step that has a goal. */
typedef struct
{
  char *step;
  gboolean reached;
  PlgPlan *plan;
} PlgLearnerDesign;

/* One lesson, as far as it was played. */
typedef struct
{
  char *id;
  char *title;
  char *step; /* the one that is open */
  gboolean finished;
  int questions; /* that the lesson has */
  int goals;
  char *changed; /* ISO 8601, UTC */
  GPtrArray *answers;
  GPtrArray *designs;
} PlgLearnerLesson;

typedef struct
{
  char *name;
  GPtrArray *lessons; /* PlgLearnerLesson */
} PlgLearner;

typedef enum
{
  PLG_SCORE_OPEN, /* something is not answered yet */
  PLG_SCORE_DEVELOPING,
  PLG_SCORE_PARTIAL,
  PLG_SCORE_OPTIMAL,
} PlgScore;

PlgLearner *plg_learner_new (const char *name);
void plg_learner_free (PlgLearner *learner);
/* Of LESSON, at its first step; of NULL one to be filled. */
PlgLearnerLesson *plg_learner_lesson_new (const PlgLesson *lesson);
void plg_learner_lesson_free (PlgLearnerLesson *lesson);
/* NULL: never begun. */
PlgLearnerLesson *plg_learner_find (const PlgLearner *learner, const char *lesson);
PlgLearnerAnswer *plg_learner_find_answer (const PlgLearnerLesson *lesson, const char *question);
PlgLearnerDesign *plg_learner_find_design (const PlgLearnerLesson *lesson, const char *step);
/* What is there already is replaced. */
void plg_learner_set_answer (PlgLearnerLesson *lesson,
                             const char *question,
                             const char *choice,
                             gboolean right,
                             const char *reflection);
/* The words of an answer that is there, so that it can be read without its lesson. */
void plg_learner_set_answer_texts (PlgLearnerLesson *lesson,
                                   const char *question,
                                   const char *asked,
                                   const char *said);
void plg_learner_set_design (PlgLearnerLesson *lesson,
                             const char *step,
                             gboolean reached,
                             const PlgPlan *plan);

/* Adds to LESSON what EARLIER has of it. The first answer counts, which is that of EARLIER; of two
 * designs the one that reached its goal, or that of LESSON. Its reflections stay where they are
 * edited. */
void plg_learner_lesson_merge (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);
/* Adds to LESSON what EARLIER alone has, as far as a file has room for it. */
void plg_learner_lesson_add_missing (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);

/* The lesson that was played last, or NULL. */
const PlgLearnerLesson *plg_learner_latest (const PlgLearner *learner);
/* What was designed last in LESSON, or NULL. */
const PlgPlan *plg_learner_last_plan (const PlgLearnerLesson *lesson);

int plg_learner_count_right (const PlgLearnerLesson *lesson);
/* Optimal: each prediction was right and each goal is reached, which is where a lesson writes what
 * its design must meet (MFU, memory, bubble). Partial: some of it. Developing: none of it. */
PlgScore plg_learner_score (const PlgLearnerLesson *lesson);
/* "optimal", as it stands in files. */
const char *plg_score_name (PlgScore score);
/* Translated. */
const char *plg_score_title (PlgScore score);

/* Whether DATA begins as a ledger. */
gboolean plg_learner_detect (const char *data, gsize size);
/* Messages begin "LINE:COLUMN: ". What is not known is refused, so that nothing of it is lost when
 * the file is written again. */
PlgLearner *
plg_learner_read (const char *data, gsize size, const PlgCatalogue *catalogue, GError **error);
/* Validates against data/learner.rng. */
GBytes *plg_learner_write (const PlgLearner *learner);

/* NULL with ERROR for what nobody is called: nothing, control characters, more than 60 characters.
 */
char *plg_learner_path (const char *folder, const char *name, GError **error);
/* Of the person who runs the program. */
char *plg_learner_own_name (void);
char *plg_learner_own_folder (void);
/* NAME, or where nobody is called so, of the person who runs the program. g_free(). */
char *plg_learner_name_or_own (const char *name);
/* Those who have a file in FOLDER, by name. g_strfreev(). */
char **plg_learner_names (const char *folder);
PlgLearner *plg_learner_load (const char *path, const PlgCatalogue *catalogue, GError **error);
/* Puts LESSON into the file of NAME, what else is in it stays; a file that cannot be read is not
 * overwritten. What another process has stored of PLAYED in the meantime counts as earlier, and
 * what PLAYED does not ask is kept as well: it may be of another lesson of the same id. NULL:
 * LESSON takes the place of all that. No reflection of LESSON counts as edited then. */
gboolean plg_learner_store (const char *path,
                            const char *name,
                            PlgLearnerLesson *lesson,
                            const PlgLesson *played,
                            const PlgCatalogue *catalogue,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearner, plg_learner_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearnerLesson, plg_learner_lesson_free)

G_END_DECLS
