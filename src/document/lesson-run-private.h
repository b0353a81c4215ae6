/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* Shared by lesson-run.c, which runs the lesson, and lesson-run-record.c, which saves the
 * lesson's results. */

/* The plan with which a step starts. */
typedef struct
{
  PlgPlan *plan;
  gboolean is_fallback; /* whether the step uses the lesson's own plan because the goal of the
                           previous step was not reached */
} PlgStepStart;

/* The plan that reached the goal of a step. The step started with the plan FROM. */
typedef struct
{
  PlgPlan *from;
  PlgPlan *plan;
} PlgReachedGoal;

struct _PlgLessonRun
{
  GObject parent_instance;

  PlgDocument *document;
  PlgLesson *lesson;
  int position;
  GPtrArray *step_starts;  /* the PlgStepStart of each step, up to the furthest step reached */
  GHashTable *reached;     /* maps each step to its PlgReachedGoal in this run */
  GHashTable *answers;     /* maps each answered question to the index of the learner's choice
                              plus 1, because 0 means unanswered */
  GHashTable *reflections; /* maps each question to the learner's text */
  int shown;               /* the index of the choice whose explanation is shown, or -1 */
  gboolean was_reached;
  gboolean is_setting_up;
  guint notified_hidden; /* PlgRedaction bits of the report at the last "changed" signal of the
                            document */
  PlgPlan *evidence;     /* the plan that the shown answer set up, or NULL */
  PlgPlan *solution;     /* the plan of the right answer; made on first use, as are the three
                            reports below */
  PlgReport *own_report; /* the report of the plan with which the step began */
  PlgReport *evidence_report;
  PlgReport *solution_report;
  PlgLearnerLesson *record; /* NULL if nothing is recorded */
  char *record_path;        /* path of the file that stores RECORD */
  char *learner;
  guint save_id; /* source id of the timeout that saves a reflection; 0 if every reflection is
                    saved */
};

/* Returns the step at POSITION, or NULL if POSITION is outside the lesson. */
const PlgLessonStep *plg_lesson_run_step_at (PlgLessonRun *self, int position);
/* Returns the plan with which the step at POSITION started. */
const PlgPlan *plg_lesson_run_starting_plan (PlgLessonRun *self, int position);
/* Replaces the open plan with PLAN, without a warning that work is lost. */
void plg_lesson_run_show_plan (PlgLessonRun *self, const PlgPlan *plan);
/* Enters the next step. Each later step is set up again when the learner reaches it. The next
 * step starts from MADE, the learner's plan from the current step. If REACHED is FALSE and the
 * goal has a fallback plan, the next step starts from the fallback plan instead. */
void plg_lesson_run_enter_next (PlgLessonRun *self, const PlgPlan *made, gboolean reached);
/* Shows the step that was last entered. */
void plg_lesson_run_begin_step (PlgLessonRun *self);
void plg_lesson_run_emit_changed (PlgLessonRun *self);
/* Discards the numbers in the text of the step, so that they are computed again. Also discards
 * the evidence, which is the plan that the shown answer set up. */
void plg_lesson_run_clear_numbers (PlgLessonRun *self);

/* Returns whether the open plan is the learner's own work. In a step with a question, neither
 * the plan before the answer nor the evidence of an answer is the learner's work. */
gboolean plg_lesson_run_is_own_work (PlgLessonRun *self);
/* Records the plan that the learner has made in a step with a goal. */
void plg_lesson_run_record_design (PlgLessonRun *self);
/* Writes the learner record if there is one. */
void plg_lesson_run_save (PlgLessonRun *self);

G_END_DECLS
