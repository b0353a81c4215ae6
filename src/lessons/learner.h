/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* The answers and designs of one person in lessons. Each learner has one file. */

/* the maximum total number of answers and designs in a lesson */
#define PLG_LEARNER_MAX_PARTS 1000

typedef struct
{
  char *question;
  char *choice; /* the learner's first choice, which is scored as the prediction */
  gboolean right;
  char *reflection;   /* reflection written after the answer; "" if the learner wrote nothing */
  gboolean is_edited; /* whether the reflection has changed since it was last read or stored */
  char *asked;        /* the text of the question and of the choice, as the learner read it; NULL
                         if the text was not stored */
  char *said;
} PlgLearnerAnswer;

/* A learner's plan for a step that has a goal. */
typedef struct
{
  char *step;
  gboolean reached;
  PlgPlan *plan;
} PlgLearnerDesign;

/* A learner's progress in one lesson. */
typedef struct
{
  char *id;
  char *title;
  char *step; /* id of the step that is open */
  gboolean finished;
  int questions; /* number of questions in the lesson */
  int goals;
  char *changed; /* time of the last change, ISO 8601 in UTC */
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
  PLG_SCORE_OPEN, /* the lesson is not finished, or an answer is missing */
  PLG_SCORE_DEVELOPING,
  PLG_SCORE_PARTIAL,
  PLG_SCORE_OPTIMAL,
} PlgScore;

PlgLearner *plg_learner_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;
void plg_learner_free (PlgLearner *learner);
/* Returns the progress of a learner who has just begun LESSON, or empty progress if LESSON is
 * NULL. */
PlgLearnerLesson *plg_learner_lesson_new (const PlgLesson *lesson) G_GNUC_WARN_UNUSED_RESULT;
void plg_learner_lesson_free (PlgLearnerLesson *lesson);
/* Returns the learner's progress in the lesson, or NULL if the learner has not begun the lesson. */
PlgLearnerLesson *plg_learner_find (const PlgLearner *learner, const char *lesson);
PlgLearnerAnswer *plg_learner_find_answer (const PlgLearnerLesson *lesson, const char *question);
PlgLearnerDesign *plg_learner_find_design (const PlgLearnerLesson *lesson, const char *step);
/* Adds the answer, or replaces an earlier answer to the question. */
void plg_learner_set_answer (PlgLearnerLesson *lesson,
                             const char *question,
                             const char *choice,
                             gboolean right,
                             const char *reflection);
/* Stores the text of the question and of the choice in an existing answer, so that the answer
 * can be understood without its lesson. */
void plg_learner_set_answer_texts (PlgLearnerLesson *lesson,
                                   const char *question,
                                   const char *asked,
                                   const char *said);
void plg_learner_set_design (PlgLearnerLesson *lesson,
                             const char *step,
                             gboolean reached,
                             const PlgPlan *plan);

/* Adds the contents of EARLIER to LESSON. The first answer counts, so an answer in EARLIER wins.
 * If both have a design for a step, the one that reached the goal wins; otherwise the design in
 * LESSON wins. Keeps the edited reflections in LESSON. */
void plg_learner_lesson_merge (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);
/* Adds to LESSON the answers and designs that only EARLIER has, up to PLG_LEARNER_MAX_PARTS in
 * total. */
void plg_learner_lesson_add_missing (PlgLearnerLesson *lesson, const PlgLearnerLesson *earlier);

/* Returns the progress in the lesson with the latest change, or NULL if LEARNER has no lessons. */
const PlgLearnerLesson *plg_learner_latest (const PlgLearner *learner);
/* Returns the last design in LESSON, or NULL. */
const PlgPlan *plg_learner_last_plan (const PlgLearnerLesson *lesson);

int plg_learner_count_right (const PlgLearnerLesson *lesson);
/* Returns the score of LESSON. Optimal: every prediction is right and every goal is reached,
 * including its conditions on MFU, memory and bubble. Partial: at least one prediction is right
 * or, in a lesson without questions, at least one goal is reached. Developing: the lesson is
 * finished with any other result. */
PlgScore plg_learner_score (const PlgLearnerLesson *lesson);
/* Returns the name of SCORE in files, such as "optimal". */
const char *plg_score_name (PlgScore score);
/* Returns the translated name of SCORE. */
const char *plg_score_title (PlgScore score);

/* Returns whether DATA begins like a learner record. */
gboolean plg_learner_detect (const char *data, gsize size);
/* Reads a learner record. Messages begin with "LINE:COLUMN: ". An unknown element is an error,
 * because writing the file again would lose it. */
PlgLearner *plg_learner_read (const char *data,
                              gsize size,
                              const PlgCatalogue *catalogue,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the learner record as XML that is valid against data/learner.rng. */
GBytes *plg_learner_write (const PlgLearner *learner);

/* Returns the path of the learner's file in FOLDER. Returns NULL with ERROR for an invalid name:
 * an empty name, a name with control characters or one with more than 60 characters. */
char *plg_learner_path (const char *folder, const char *name, GError **error);
/* Return the name of the user who runs the program, and the folder of this user's learner
 * records. */
char *plg_learner_own_name (void);
char *plg_learner_own_folder (void);
/* Returns NAME if it is valid, else the name of the user who runs the program; free with
 * g_free(). */
char *plg_learner_name_or_own (const char *name);
/* Returns the names of the learners who have a file in FOLDER, sorted; free with g_strfreev(). */
char **plg_learner_names (const char *folder);
PlgLearner *plg_learner_load (const char *path,
                              const PlgCatalogue *catalogue,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Stores LESSON, the progress in the lesson PLAYED, in the learner file of NAME and keeps the
 * other contents of the file. Does not overwrite an unreadable file. If another process has
 * stored progress in the meantime, that progress is treated as earlier than LESSON. Keeps stored
 * answers to questions that are not in PLAYED, because they may belong to another lesson with
 * the same id. If PLAYED is NULL, LESSON replaces the stored progress. Afterwards no reflection
 * in LESSON is marked as edited. */
gboolean plg_learner_store (const char *path,
                            const char *name,
                            PlgLearnerLesson *lesson,
                            const PlgLesson *played,
                            const PlgCatalogue *catalogue,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearner, plg_learner_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLearnerLesson, plg_learner_lesson_free)

G_END_DECLS
