/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/lesson-run.h"

G_BEGIN_DECLS

/* Shared by lesson-run.c, which plays the lesson, and lesson-run-record.c, which keeps its
 * results. */

/* The start of a step. */
typedef struct
{
  PlgPlan *plan;
  gboolean is_fallback; /* the step uses the lesson's own plan, because the previous goal was not
                           reached */
} PlgStepStart;

/* The plan that reached the goal of a step that began with FROM. */
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
  GHashTable *reached;     /* step → PlgReachedGoal of this run */
  GHashTable *answers;     /* question → choice + 1 */
  GHashTable *reflections; /* question → text */
  int shown;               /* the choice whose explanation is shown */
  gboolean was_reached;
  gboolean is_setting_up;
  guint notified_hidden; /* the redaction of the last announced report */
  PlgPlan *evidence;     /* the plan that the shown answer set up, or NULL */
  PlgPlan *solution;     /* the plan of the right answer; made on first use, as are the reports */
  PlgReport *own_report; /* the report of the plan that the step began with */
  PlgReport *evidence_report;
  PlgReport *solution_report;
  PlgLearnerLesson *record; /* NULL: nothing is recorded */
  char *record_path;        /* the file of the record */
  char *learner;
  guint save_id; /* a reflection is not in the file yet */
};

/* Returns NULL for a position outside the lesson. */
const PlgLessonStep *plg_lesson_run_step_at (PlgLessonRun *self, int position);
/* Returns the plan that step POSITION began with. */
const PlgPlan *plg_lesson_run_starting_plan (PlgLessonRun *self, int position);
/* Opens PLAN in place of the open plan, which is not lost work. */
void plg_lesson_run_show_plan (PlgLessonRun *self, const PlgPlan *plan);
/* Enters the next step with MADE, the plan of this step, or, when its goal was not REACHED, with
 * the plan that the goal provides for this case. Later steps are set up anew. */
void plg_lesson_run_enter_next (PlgLessonRun *self, const PlgPlan *made, gboolean reached);
/* Shows the step that was entered last. */
void plg_lesson_run_begin_step (PlgLessonRun *self);
void plg_lesson_run_emit_changed (PlgLessonRun *self);
/* Recomputes the numbers of the step's text and hides the evidence. */
void plg_lesson_run_clear_numbers (PlgLessonRun *self);

/* Returns whether the open plan is the work of the person. During a question, the evidence of an
 * answer and the plan that waits for an answer are not. */
gboolean plg_lesson_run_is_own_work (PlgLessonRun *self);
/* Records the plan that the person made in a step with a goal. */
void plg_lesson_run_record_design (PlgLessonRun *self);
/* Writes the learner record, if there is one. */
void plg_lesson_run_save (PlgLessonRun *self);

G_END_DECLS
