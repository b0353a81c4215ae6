/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* The answers and designs of one person in lessons; each learner has one file. */

#define PLG_LEARNER_MAX_PARTS 1000 /* the most answers and designs of a lesson */

typedef struct
{
  char *question;
  char *choice; /* the first choice, which is the prediction */
  gboolean right;
  char *reflection;   /* reflection written after the answer; "" without a reflection */
  gboolean is_edited; /* the reflection differs from the last one read or stored */
  char *asked;        /* the question and the choice as the learner read them; NULL: not kept */
  char *said;
} PlgLearnerAnswer;

/* A learner's plan for a step that has a goal. */
typedef struct
{
  char *step;
  gboolean reached;
  PlgPlan *plan;
} PlgLearnerDesign;

/* The state of one lesson that a learner has begun. */
typedef struct
{
  char *id;
  char *title;
  char *step; /* id of the open step */
  gboolean finished;
  int questions; /* questions of the lesson */
  int goals;
  char *changed; /* ISO 8601, UTC */
  GPtrArray *answers;
  GPtrArray *designs;
} PlgLearnerLesson;

typedef struct
{
  char *name;
  GPtrArray *lessons; /* array of PlgLearnerLesson */
} PlgLearner;

typedef enum
{
  PLG_SCORE_OPEN, /* an answer is still missing */
  PLG_SCORE_DEVELOPING,
  PLG_SCORE_PARTIAL,
  PLG_SCORE_OPTIMAL,
} PlgScore;

PlgLearner *plg_learner_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;
void plg_learner_free (PlgLearner *learner);
/* Returns the state of LESSON at its first step, or an empty state if LESSON is NULL. */
PlgLearnerLesson *plg_learner_lesson_new (const PlgLesson *lesson) G_GNUC_WARN_UNUSED_RESULT;
void plg_learner_lesson_free (PlgLearnerLesson *lesson);
/* Returns NULL if the learner has not begun the lesson. */
PlgLearnerLesson *plg_learner_find (const PlgLearner *learner, const char *lesson);
PlgLearnerAnswer *plg_learner_find_answer (const PlgLearnerLesson *lesson, const char *question);
PlgLearnerDesign *plg_learner_find_design (const PlgLearnerLesson *lesson, const char *step);
/* Adds the answer, or replaces the earlier answer. */
void plg_learner_set_answer (PlgLearnerLesson *lesson,
                             const char *question,
                             const char *choice,
                             gboolean right,
                             const char *reflection);
/* Sets the texts of an existing answer, so that it can be read without its lesson. */
void plg_learner_set_answer_texts (PlgLearnerLesson *lesson,
                                   const char *question,
                                   const char *asked,
                                   const char *said);
void plg_learner_set_design (PlgLearnerLesson *lesson,
                             const char *step,
                             gboolean reached,
                             const PlgPlan *plan);

/* Adds the contents of EARLIER to LESSON. The first answer counts, so an answer in EARLIER wins;
 * of two designs, the one that reached the goal wins, then the one of LESSON. Reflections that
 * are being edited in LESSON stay. */
void plg_learner_lesson_merge (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);
/* Adds the parts that only EARLIER has to LESSON, up to the limits of a file. */
void plg_learner_lesson_add_missing (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);

/* Returns the lesson played last, or NULL. */
const PlgLearnerLesson *plg_learner_latest (const PlgLearner *learner);
/* Returns the last design in LESSON, or NULL. */
const PlgPlan *plg_learner_last_plan (const PlgLearnerLesson *lesson);

int plg_learner_count_right (const PlgLearnerLesson *lesson);
/* Optimal: every prediction is right and every goal, with its conditions on MFU, memory and
 * bubble, is reached. Partial: some are. Developing: none are. */
PlgScore plg_learner_score (const PlgLearnerLesson *lesson);
/* The name in files: "optimal". */
const char *plg_score_name (PlgScore score);
/* The translated name. */
const char *plg_score_title (PlgScore score);

/* Whether DATA begins as a learner record. */
gboolean plg_learner_detect (const char *data, gsize size);
/* Reads a learner record; messages begin "LINE:COLUMN: ". Unknown elements are an error, so that
 * writing the file again loses nothing. */
PlgLearner *plg_learner_read (const char *data,
                              gsize size,
                              const PlgCatalogue *catalogue,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Returns a file that is valid against data/learner.rng. */
GBytes *plg_learner_write (const PlgLearner *learner);

/* Returns NULL with ERROR for an invalid name: an empty name, control characters, more than 60
 * characters. */
char *plg_learner_path (const char *folder, const char *name, GError **error);
/* The name and the folder of the user who runs the program. */
char *plg_learner_own_name (void);
char *plg_learner_own_folder (void);
/* Returns NAME if it is valid, else the name of the user who runs the program. g_free(). */
char *plg_learner_name_or_own (const char *name);
/* The names of the learners with a file in FOLDER, sorted. g_strfreev(). */
char **plg_learner_names (const char *folder);
PlgLearner *plg_learner_load (const char *path,
                              const PlgCatalogue *catalogue,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Stores LESSON in the file of NAME; the other contents stay, and an unreadable file is not
 * overwritten. The state that another process stored in the meantime counts as earlier, and
 * stored answers to questions that PLAYED does not have are kept, since they may belong to
 * another lesson with the same id. If PLAYED is NULL, LESSON replaces the stored state.
 * Afterwards no reflection of LESSON is marked as edited. */
gboolean plg_learner_store (const char *path,
                            const char *name,
                            PlgLearnerLesson *lesson,
                            const PlgLesson *played,
                            const PlgCatalogue *catalogue,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearner, plg_learner_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearnerLesson, plg_learner_lesson_free)

G_END_DECLS
