/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* A lesson that is played in a document: its step, its answers, its goal. The run sets up the
 * document for each step, hides the subject of a prediction until it is answered, and locks the
 * settings that the step does not leave free. */
#define PLG_TYPE_LESSON_RUN (plg_lesson_run_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonRun, plg_lesson_run, PLG, LESSON_RUN, GObject)

/* Signals: "changed", for another step, answer or state of the goal; "set-up", when the plan of
 * a step or of an answer has replaced the open plan, so that messages about the old plan no
 * longer apply; "not-saved" (message), when the learner record cannot be written and the lesson
 * continues without it. */

/* Starts LESSON with its first step and replaces the open plan of DOCUMENT. */
PlgLessonRun *plg_lesson_run_new (PlgDocument *document, PlgLesson *lesson);
/* Unlocks the document. The plan of the last step stays open. */
void plg_lesson_run_end (PlgLessonRun *self);

/* Records answers and designs in the file PATH of the learner NAME from now on, and goes to the
 * step where that file was left. Call it right after plg_lesson_run_new(). Returns FALSE with
 * ERROR when the file cannot be read; nothing is recorded then, so that the file stays as it is. */
gboolean
plg_lesson_run_resume (PlgLessonRun *self, const char *path, const char *name, GError **error);
/* Records that the lesson was played to its end. */
void plg_lesson_run_finish (PlgLessonRun *self);
/* Returns the name of the learner, or NULL. */
const char *plg_lesson_run_learner (PlgLessonRun *self);
/* Returns the learner record, or NULL. */
const PlgLearnerLesson *plg_lesson_run_record (PlgLessonRun *self);

PlgDocument *plg_lesson_run_document (PlgLessonRun *self);
const PlgLesson *plg_lesson_run_lesson (PlgLessonRun *self);
/* Returns the position of the step, from 0. */
int plg_lesson_run_position (PlgLessonRun *self);
const PlgLessonStep *plg_lesson_run_step (PlgLessonRun *self);
/* Returns the next step, or NULL at the end. */
const PlgLessonStep *plg_lesson_run_next_step (PlgLessonRun *self);

/* Returns whether the step asks for a prediction that is still open; the lesson cannot continue
 * then. */
gboolean plg_lesson_run_needs_answer (PlgLessonRun *self);
gboolean plg_lesson_run_can_go (PlgLessonRun *self, int direction);
/* Goes to the next step (+1) or the previous step (-1). Returns FALSE when this is not possible. */
gboolean plg_lesson_run_go (PlgLessonRun *self, int direction);
/* The parts of a step, whose numbers come from different plans. */
typedef enum
{
  PLG_LESSON_STEP,   /* text, question and notes: the plan at the start of the step */
  PLG_LESSON_ANSWER, /* explanation: the evidence of the shown answer */
  PLG_LESSON_GOAL,   /* the open plan */
  PLG_LESSON_AFTER,  /* with a goal, the plan without a preview; else the evidence of the right
                        answer */
} PlgLessonPart;

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* without the numbers that wait for an answer */
} PlgLessonNumbers;

/* Returns the plan and report that supply the numbers of PART. Valid until the run or the document
 * changes. */
PlgLessonNumbers plg_lesson_run_numbers (PlgLessonRun *self, PlgLessonPart part);
/* Returns whether the step continues with the lesson's own plan, because the previous goal was
 * not reached. */
gboolean plg_lesson_run_has_fallback_plan (PlgLessonRun *self);
/* Restores the plan at the start of the step. */
void plg_lesson_run_restart_step (PlgLessonRun *self);

/* Returns the choice of a question, or -1. */
int plg_lesson_run_answer (PlgLessonRun *self, const char *question);
/* Answers the step's question. The first choice is the prediction and stays; later calls show
 * the explanation and evidence of other choices. */
gboolean plg_lesson_run_choose (PlgLessonRun *self, int choice);
/* Returns the choice whose explanation is shown, or -1. */
int plg_lesson_run_shown_choice (PlgLessonRun *self);

/* Returns the text that the person wrote after a question. Never NULL. */
const char *plg_lesson_run_reflection (PlgLessonRun *self, const char *question);
void plg_lesson_run_reflect (PlgLessonRun *self, const char *question, const char *text);
/* Writes pending reflections to the learner record now instead of after a pause. */
void plg_lesson_run_flush (PlgLessonRun *self);

/* Returns whether the plan without a preview meets every condition of the step's goal; FALSE
 * without a goal. */
gboolean plg_lesson_run_is_goal_reached (PlgLessonRun *self);
/* Returns whether the step's goal is not met now and no recorded plan met it; FALSE without a
 * goal. */
gboolean plg_lesson_run_is_goal_missed (PlgLessonRun *self);
/* Returns one line per condition of the goal, for the preview while there is one: "Bubble at
 * most 10 %: now 8.6 %. Reached (PASS).". Free with g_free(). */
char *plg_lesson_run_goal_text (PlgLessonRun *self);

/* Returns the number of questions that were right at first, and the number of answered
 * questions. */
int plg_lesson_run_count_right (PlgLessonRun *self);
int plg_lesson_run_count_answered (PlgLessonRun *self);

G_END_DECLS
