/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* A lesson that runs in a document, with its current step, answers and goal. The run sets up the
 * document for each step, hides the subject of a prediction until the question is answered, and
 * locks all settings that the step does not let the learner change. */
#define PLG_TYPE_LESSON_RUN (plg_lesson_run_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonRun, plg_lesson_run, PLG, LESSON_RUN, GObject)

/* Signals: "changed": the step, an answer or the state of the goal has changed; "set-up": the
 * plan of a step or an answer has replaced the open plan, so that messages about the old plan no
 * longer apply; "not-saved" (message): the learner record cannot be written, and the lesson
 * continues without it. */

/* Starts LESSON with its first step and replaces the open plan of DOCUMENT. */
PlgLessonRun *plg_lesson_run_new (PlgDocument *document, PlgLesson *lesson);
/* Ends the lesson and unlocks the document. The plan of the last step remains open. */
void plg_lesson_run_end (PlgLessonRun *self);

/* Starts to record the answers and designs of the learner NAME in the file PATH, and goes to the
 * step at which the learner left the lesson. Call right after plg_lesson_run_new(). If the file
 * cannot be read, returns FALSE with ERROR and records nothing, so that the file is not
 * overwritten. */
gboolean
plg_lesson_run_resume (PlgLessonRun *self, const char *path, const char *name, GError **error);
/* Records that the learner has finished the lesson. */
void plg_lesson_run_finish (PlgLessonRun *self);
/* Returns the name of the learner, or NULL. */
const char *plg_lesson_run_learner (PlgLessonRun *self);
/* Returns the learner record, or NULL. */
const PlgLearnerLesson *plg_lesson_run_record (PlgLessonRun *self);

PlgDocument *plg_lesson_run_document (PlgLessonRun *self);
const PlgLesson *plg_lesson_run_lesson (PlgLessonRun *self);
/* Returns the index of the current step, starting from 0. */
int plg_lesson_run_position (PlgLessonRun *self);
const PlgLessonStep *plg_lesson_run_step (PlgLessonRun *self);
/* Returns the next step, or NULL at the end of the lesson. */
const PlgLessonStep *plg_lesson_run_next_step (PlgLessonRun *self);

/* Returns whether the step asks for a prediction that has not been answered. The lesson cannot
 * continue before the answer. */
gboolean plg_lesson_run_needs_answer (PlgLessonRun *self);
gboolean plg_lesson_run_can_go (PlgLessonRun *self, int direction);
/* Goes to the next step (+1) or to the previous step (-1). Returns FALSE if there is no such
 * step or the step cannot be reached yet. */
gboolean plg_lesson_run_go (PlgLessonRun *self, int direction);
/* The parts of a lesson step. The comment on each part names the plan that supplies the numbers
 * in the part. */
typedef enum
{
  PLG_LESSON_STEP,   /* text, question and notes: numbers of the plan at the start of the step */
  PLG_LESSON_ANSWER, /* explanation: numbers of the plan that the shown answer sets up */
  PLG_LESSON_GOAL,   /* goal: numbers of the open plan */
  /* text after the goal or the answer: if the step has a goal, numbers of the open plan,
   * ignoring any preview; otherwise numbers of the plan that the right answer sets up */
  PLG_LESSON_AFTER,
} PlgLessonPart;

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* the report without the numbers that are hidden until a question is
                              answered */
} PlgLessonNumbers;

/* Returns the plan and report that supply the numbers of PART. Valid until the run or the document
 * changes. */
PlgLessonNumbers plg_lesson_run_numbers (PlgLessonRun *self, PlgLessonPart part);
/* Returns whether the step uses the lesson's own plan because the goal of the previous step was
 * not reached. */
gboolean plg_lesson_run_has_fallback_plan (PlgLessonRun *self);
/* Restores the plan at the start of the step. */
void plg_lesson_run_restart_step (PlgLessonRun *self);

/* Returns the learner's choice in QUESTION, or -1 if QUESTION has not been answered. */
int plg_lesson_run_answer (PlgLessonRun *self, const char *question);
/* Answers the step's question. The first choice is recorded as the prediction. Later calls only
 * show the explanation of another choice and the plan that this choice sets up. */
gboolean plg_lesson_run_choose (PlgLessonRun *self, int choice);
/* Returns the choice whose explanation is shown, or -1. */
int plg_lesson_run_shown_choice (PlgLessonRun *self);

/* Returns the text that the learner has written about a question. Never NULL. */
const char *plg_lesson_run_reflection (PlgLessonRun *self, const char *question);
void plg_lesson_run_reflect (PlgLessonRun *self, const char *question, const char *text);
/* Writes pending reflections to the learner record immediately instead of after a pause. */
void plg_lesson_run_flush (PlgLessonRun *self);

/* Returns whether the open plan, ignoring any preview, meets every condition of the step's goal.
 * Returns FALSE if the step has no goal. */
gboolean plg_lesson_run_is_goal_reached (PlgLessonRun *self);
/* Returns whether neither the current plan nor a recorded plan meets the step's goal. Returns
 * FALSE if the step has no goal. */
gboolean plg_lesson_run_is_goal_missed (PlgLessonRun *self);
/* Returns one line for each condition of the goal, for example "Bubble at most 10 %: now 8.6 %.
 * Reached (PASS).". During a preview, the values are those of the preview. Free with g_free(). */
char *plg_lesson_run_goal_text (PlgLessonRun *self);

/* Returns the number of questions whose first answer was right, and the number of answered
 * questions. */
int plg_lesson_run_count_right (PlgLessonRun *self);
int plg_lesson_run_count_answered (PlgLessonRun *self);

G_END_DECLS
