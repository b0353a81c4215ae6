/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "lessons/learner.h"

G_BEGIN_DECLS

/* A lesson that is played in a document: which step, what was answered, whether its goal is
 * reached. It sets the document up for each step, hides what a prediction is about until it is
 * answered, and keeps what the step does not leave free. */
#define PLG_TYPE_LESSON_RUN (plg_lesson_run_get_type ())
G_DECLARE_FINAL_TYPE (PlgLessonRun, plg_lesson_run, PLG, LESSON_RUN, GObject)

/* Signals "changed": another step, answer or state of the goal; "set-up": the plan of a step or of
 * an answer has taken the place of what was open, and what was said of that is past; "not-saved"
 * (message): the ledger cannot be written, and the lesson goes on without. */

/* Begins with the first step; what was open in DOCUMENT is replaced. */
PlgLessonRun *plg_lesson_run_new (PlgDocument *document, PlgLesson *lesson);
/* Gives everything free again. The plan of the last step stays. */
void plg_lesson_run_end (PlgLessonRun *self);

/* Keeps what is answered and made in the file PATH of the learner NAME from now on, and goes where
 * that file says the lesson was left. Right after plg_lesson_run_new(). FALSE with ERROR for a file
 * that cannot be read: nothing is kept then, so that nothing of it is lost. */
gboolean
plg_lesson_run_resume (PlgLessonRun *self, const char *path, const char *name, GError **error);
/* The lesson was played to its end. */
void plg_lesson_run_finish (PlgLessonRun *self);
/* Whose answers are kept, or NULL. */
const char *plg_lesson_run_learner (PlgLessonRun *self);
/* What is kept, or NULL. */
const PlgLearnerLesson *plg_lesson_run_record (PlgLessonRun *self);

PlgDocument *plg_lesson_run_document (PlgLessonRun *self);
const PlgLesson *plg_lesson_run_lesson (PlgLessonRun *self);
/* From 0. */
int plg_lesson_run_position (PlgLessonRun *self);
const PlgLessonStep *plg_lesson_run_step (PlgLessonRun *self);
/* The one that "next" would show, or NULL at the end. */
const PlgLessonStep *plg_lesson_run_next_step (PlgLessonRun *self);

/* Whether the step asks for a prediction that nobody has made. Then there is no way on. */
gboolean plg_lesson_run_needs_answer (PlgLessonRun *self);
gboolean plg_lesson_run_can_go (PlgLessonRun *self, int direction);
/* To the next step (+1) or the one before (-1). FALSE where there is no way. */
gboolean plg_lesson_run_go (PlgLessonRun *self, int direction);
/* Parts of a step whose numbers are of different plans. */
typedef enum
{
  PLG_LESSON_STEP,   /* text, question and notes: the plan that the step began with */
  PLG_LESSON_ANSWER, /* why: the evidence of the answer that is shown */
  PLG_LESSON_GOAL,   /* the open plan */
  PLG_LESSON_AFTER,  /* the plan without preview where there was a goal, else the right answer's
                        evidence */
} PlgLessonPart;

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report; /* what waits for an answer is hidden */
} PlgLessonNumbers;

/* What the numbers of PART are of. Valid until the run or the document changes. */
PlgLessonNumbers plg_lesson_run_numbers (PlgLessonRun *self, PlgLessonPart part);
/* Whether the step goes on from the lesson's own plan, since the goal before it was not reached. */
gboolean plg_lesson_run_has_fallback_plan (PlgLessonRun *self);
/* The step's own plan again, as it began. */
void plg_lesson_run_restart_step (PlgLessonRun *self);

/* The choice of a question, or -1. */
int plg_lesson_run_answer (PlgLessonRun *self, const char *question);
/* Of the step's question. The first choice is the prediction and stays; after it, others can be
 * looked at with their explanation and evidence. */
gboolean plg_lesson_run_choose (PlgLessonRun *self, int choice);
/* Which choice's explanation is shown, or -1. */
int plg_lesson_run_shown_choice (PlgLessonRun *self);

/* What people write down after a question. Never NULL. */
const char *plg_lesson_run_reflection (PlgLessonRun *self, const char *question);
void plg_lesson_run_reflect (PlgLessonRun *self, const char *question, const char *text);
/* Writes what was written down into the ledger now, which is else done a moment after the last
 * letter. */
void plg_lesson_run_flush (PlgLessonRun *self);

/* Whether all that the step's goal asks for holds of the plan without preview, which is the one
 * that is kept; FALSE without a goal. */
gboolean plg_lesson_run_is_goal_reached (PlgLessonRun *self);
/* Whether the step's goal was never reached: neither does it hold now, nor is a plan kept that
 * reached it. FALSE without a goal. */
gboolean plg_lesson_run_is_goal_missed (PlgLessonRun *self);
/* "Bubble at most 10 %: now 8.6 %. Reached (PASS).": a line for each that must hold, of the preview
 * while there is one. g_free(). */
char *plg_lesson_run_goal_text (PlgLessonRun *self);

/* How many questions were right at first, and how many were answered. */
int plg_lesson_run_count_right (PlgLessonRun *self);
int plg_lesson_run_count_answered (PlgLessonRun *self);

G_END_DECLS
