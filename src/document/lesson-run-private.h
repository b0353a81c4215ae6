/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* Shared by lesson-run.c, which plays the lesson, and lesson-run-ledger.c, which keeps what came of
 * it. */

/* What a step began with. */
typedef struct
{
  PlgPlan *plan;
  gboolean is_fallback; /* on top of the lesson's own plan, since the goal before was not reached */
} PlgStepStart;

/* What reached the goal of a step that began with FROM. */
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
  GPtrArray *step_starts;  /* PlgStepStart of each step up to the furthest */
  GHashTable *reached;     /* step: PlgReachedGoal, of this run */
  GHashTable *answers;     /* question: choice + 1 */
  GHashTable *reflections; /* question: text */
  int shown;               /* choice */
  gboolean was_reached;
  gboolean is_setting_up;
  guint notified_hidden; /* of the report that was told of last */
  PlgPlan *evidence;     /* what the answer that is shown set up, or NULL */
  PlgPlan *solution;     /* what the right one sets up; like the reports, once it is asked for */
  PlgReport *own_report; /* of the plan that the step began with */
  PlgReport *evidence_report;
  PlgReport *solution_report;
  PlgLearnerLesson *record; /* or NULL: nothing is kept */
  char *record_path;        /* the file that it is kept in */
  char *learner;
  guint save_id; /* something was written down that is not in it yet */
};

/* NULL where there is no step. */
const PlgLessonStep *plg_lesson_run_step_at (PlgLessonRun *self, int position);
/* The plan that step POSITION began with. */
const PlgPlan *plg_lesson_run_starting_plan (PlgLessonRun *self, int position);
/* PLAN replaces what is open; nothing of it is lost work. */
void plg_lesson_run_show_plan (PlgLessonRun *self, const PlgPlan *plan);
/* The next step begins, on top of what was MADE of this one, or where its goal was not REACHED, of
 * the plan that the goal has for that. Steps after it are set up anew. */
void plg_lesson_run_enter_next (PlgLessonRun *self, const PlgPlan *made, gboolean reached);
/* Shows the step that was entered last. */
void plg_lesson_run_begin_step (PlgLessonRun *self);
void plg_lesson_run_emit_changed (PlgLessonRun *self);
/* The numbers of the step's text are worked out anew, and no evidence is shown. */
void plg_lesson_run_clear_numbers (PlgLessonRun *self);

/* Whether the open plan is what people made. Beside a question the evidence of an answer is
 * nobody's design, nor is the plan that waits for one. */
gboolean plg_lesson_run_is_own_work (PlgLessonRun *self);
/* Takes down what people made of the plan in a step with a goal. */
void plg_lesson_run_record_design (PlgLessonRun *self);
/* Writes the ledger, where there is one. */
void plg_lesson_run_save (PlgLessonRun *self);

G_END_DECLS
