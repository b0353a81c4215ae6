/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run-private.h"

#include "engine/report/redaction.h"

G_DEFINE_FINAL_TYPE (PlgLessonRun, plg_lesson_run, G_TYPE_OBJECT)

enum
{
  CHANGED,
  SET_UP,
  NOT_SAVED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

PlgDocument *
plg_lesson_run_document (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return self->document;
}

const PlgLesson *
plg_lesson_run_lesson (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return self->lesson;
}

int
plg_lesson_run_position (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), 0);
  return self->position;
}

const PlgLessonStep *
plg_lesson_run_step_at (PlgLessonRun *self, int position)
{
  if (position < 0 || position >= (int) self->lesson->steps->len)
    return NULL;
  return self->lesson->steps->pdata[position];
}

const PlgLessonStep *
plg_lesson_run_step (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return plg_lesson_run_step_at (self, self->position);
}

const PlgLessonStep *
plg_lesson_run_next_step (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return plg_lesson_run_step_at (self, self->position + 1);
}


/* Returns the redaction of the values in PLAN that later questions ask about. */
static guint
asked_ahead (PlgLessonRun *self, const PlgPlan *plan)
{
  return plg_lesson_values_asked_later (self->lesson, self->position,
                                        plg_lesson_run_starting_plan (self, self->position), FALSE,
                                        plan, plg_document_catalogue (self->document),
                                        self->answers);
}

/* Returns the redaction of the values in PLAN that later questions ask about. PLAN is the
 * learner's plan or a plan with which the lesson will continue. */
static guint
hides_cb (gpointer data, const PlgPlan *plan, const PlgReport *report)
{
  PlgLessonRun *self = data;
  guint later = asked_ahead (self, plan);
  const PlgLessonStep *step = plg_lesson_run_step (self);
  const PlgGoal *goal = step->goal;

  if (step->question == NULL ||
      (goal != NULL && (self->evidence == NULL || !plg_plan_same_design (plan, self->evidence))))
    {
      if (goal == NULL || goal->fallback == NULL || plg_goal_is_reached (goal, report))
        later |= plg_lesson_values_asked_later (self->lesson, self->position, plan, TRUE, plan,
                                                plg_document_catalogue (self->document),
                                                self->answers);
    }

  later &= ~(plg_goal_required_values (plg_lesson_run_step (self)->goal) | PLG_REDACT_FAULTS);
  return later | PLG_REDACT_LATER (later);
}

/* Applies the step's redaction and locks, depending on whether the step's question has been
 * answered. */
static void
update_edit_policy (PlgLessonRun *self)
{
  const PlgLessonStep *step = plg_lesson_run_step (self);
  PlgEditPolicy policy = {
    .keys = (const char *const *) step->free,
    /* A prediction is about the plan of the question. Therefore the plan stays locked until the
     * answer, so that the learner cannot repair a fault before naming it. */
    .awaits_answer = plg_lesson_run_needs_answer (self),
    /* Advice that would solve the exercise appears only after the goal has been reached. */
    .hides_findings = step->hides_advice && !plg_lesson_run_is_goal_reached (self),
    .redact = hides_cb,
    .redact_data = self,
  };
  /* The redaction covers this step's question and later questions about the same plan. */
  guint later = asked_ahead (self, plg_lesson_run_starting_plan (self, self->position));
  guint now = policy.awaits_answer ? step->question->hides : 0;

  if (self->evidence != NULL)
    later |= asked_ahead (self, self->evidence);
  later |= plg_lesson_values_held_back (self->lesson, self->position, self->answers);
  policy.redaction = now | later | PLG_REDACT_LATER (later);
  plg_document_set_policy (self->document, &policy);
}

/* Removes the edit policy of this run. If another lesson has started in the meantime, its policy
 * is kept. */
static void
remove_edit_policy (PlgLessonRun *self)
{
  if (plg_document_policy (self->document)->redact_data == self)
    plg_document_set_policy (self->document, NULL);
}

/* Replaces the open plan with PLAN, without a warning that work is lost. */
void
plg_lesson_run_show_plan (PlgLessonRun *self, const PlgPlan *plan)
{
  PlgEditPolicy unlocked = {
    .hides_findings = plg_document_policy (self->document)->hides_findings,
    .redact = hides_cb,
    .redact_data = self,
  };

  /* While the lesson moves to this step, a plan from another step must not be recorded as a
   * design for this step. */
  self->is_setting_up = TRUE;
  plg_document_set_policy (self->document, &unlocked);
  plg_document_reset (self->document, plan);
  update_edit_policy (self);
  self->is_setting_up = FALSE;
  self->was_reached = plg_lesson_run_is_goal_reached (self);
  g_signal_emit (self, signals[SET_UP], 0);
}

const PlgPlan *
plg_lesson_run_starting_plan (PlgLessonRun *self, int position)
{
  return ((PlgStepStart *) self->step_starts->pdata[position])->plan;
}

gboolean
plg_lesson_run_has_fallback_plan (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);
  return ((PlgStepStart *) self->step_starts->pdata[self->position])->is_fallback;
}

/* Sets up the step at POSITION and returns its PlgStepStart. Later steps will be set up again,
 * because they build on this step. */
static PlgStepStart *
enter (PlgLessonRun *self, int position, const PlgPlan *before)
{
  PlgStepStart *beginning = g_new0 (PlgStepStart, 1);
  const PlgLessonStep *step = plg_lesson_run_step_at (self, position);
  PlgCatalogue *catalogue = plg_document_catalogue (self->document);
  g_autoptr (PlgPlan) fresh = plg_catalogue_default_plan (catalogue);
  PlgPlan *plan = plg_plan_copy (before != NULL ? before : fresh);
  g_autoptr (GError) error = NULL;

  if (step->setup != NULL && !plg_step_setup_apply (step->setup, plan, catalogue, NULL))
    {
      plg_plan_assign (plan,
                       position > 0 ? plg_lesson_run_starting_plan (self, position - 1) : fresh);
      if (!plg_step_setup_apply (step->setup, plan, catalogue, NULL))
        {
          plg_plan_assign (plan, fresh);
          if (!plg_step_setup_apply (step->setup, plan, catalogue, &error))
            g_warning ("Step “%s”: %s", step->title, error->message);
        }
    }
  beginning->plan = plan;

  g_ptr_array_set_size (self->step_starts, position);
  g_ptr_array_add (self->step_starts, beginning);
  self->position = position;
  return beginning;
}

/* Returns the plan with which the lesson continues if the step's goal was not reached. Returns
 * NULL if the lesson continues with the learner's plan. */
static PlgPlan *
fallback (PlgLessonRun *self)
{
  const PlgGoal *goal = plg_lesson_run_step (self)->goal;
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_lesson_run_starting_plan (self, self->position));

  if (goal == NULL || goal->fallback == NULL ||
      !plg_step_setup_apply (goal->fallback, plan, plg_document_catalogue (self->document), NULL))
    return NULL;
  return g_steal_pointer (&plan);
}

void
plg_lesson_run_enter_next (PlgLessonRun *self, const PlgPlan *made, gboolean reached)
{
  g_autoptr (PlgPlan) given = reached ? NULL : fallback (self);

  enter (self, self->position + 1, given != NULL ? given : made)->is_fallback = given != NULL;
}

void
plg_lesson_run_emit_changed (PlgLessonRun *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Opens the plan that CHOICE sets up, as evidence for the explanation of CHOICE. */
static void
show_evidence (PlgLessonRun *self, const PlgTrialChange *choice)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_lesson_run_starting_plan (self, self->position));
  g_autoptr (GError) error = NULL;

  if (choice->setup != NULL &&
      !plg_step_setup_apply (choice->setup, plan, plg_document_catalogue (self->document), &error))
    g_warning ("Choice “%s”: %s", choice->id, error->message);
  plg_lesson_run_clear_numbers (self);
  self->evidence = g_steal_pointer (&plan);
  plg_lesson_run_show_plan (self, self->evidence);
}

void
plg_lesson_run_begin_step (PlgLessonRun *self)
{
  const PlgLessonStep *step = plg_lesson_run_step (self);

  plg_lesson_run_clear_numbers (self);
  self->shown = step->question != NULL ? plg_lesson_run_answer (self, step->question->id) : -1;
  if (self->shown >= 0)
    show_evidence (self, step->question->choices->pdata[self->shown]);
  else
    plg_lesson_run_show_plan (self, plg_lesson_run_starting_plan (self, self->position));
  plg_lesson_run_emit_changed (self);
}

/* Stores the plan that reached the goal. The goal remains reached when the learner returns to
 * the step, unless the step then starts with a different plan. */
static void
remember_reached (PlgLessonRun *self)
{
  PlgReachedGoal *reached;

  if (!plg_lesson_run_is_goal_reached (self) || !plg_lesson_run_is_own_work (self))
    return;
  reached = g_new0 (PlgReachedGoal, 1);
  reached->from = plg_plan_copy (plg_lesson_run_starting_plan (self, self->position));
  reached->plan = plg_plan_copy (plg_document_unredacted_plan (self->document));
  g_hash_table_insert (self->reached, plg_lesson_run_step (self)->id, reached);
}

static void
reached_free (gpointer data)
{
  PlgReachedGoal *reached = data;

  plg_plan_free (reached->from);
  plg_plan_free (reached->plan);
  g_free (reached);
}

void
plg_lesson_run_restart_step (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));
  plg_lesson_run_begin_step (self);
}


gboolean
plg_lesson_run_needs_answer (PlgLessonRun *self)
{
  const PlgLessonStep *step;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  step = plg_lesson_run_step (self);
  return step->question != NULL && plg_lesson_run_answer (self, step->question->id) < 0;
}

gboolean
plg_lesson_run_can_go (PlgLessonRun *self, int direction)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  if (plg_lesson_run_step_at (self, self->position + direction) == NULL)
    return FALSE;
  return direction < 0 || !plg_lesson_run_needs_answer (self);
}

gboolean
plg_lesson_run_go (PlgLessonRun *self, int direction)
{
  if (!plg_lesson_run_can_go (self, direction))
    return FALSE;
  plg_lesson_run_record_design (self);
  remember_reached (self);
  if (direction > 0)
    {
      /* The next step builds on the learner's plan, but not on the evidence of an answer. A goal
       * that was reached earlier remains reached. */
      const PlgLessonStep *step = plg_lesson_run_step (self);
      gboolean is_own = plg_lesson_run_is_own_work (self);
      gboolean reached = is_own && plg_lesson_run_is_goal_reached (self);
      const PlgLearnerDesign *kept = self->record != NULL && !reached
                                         ? plg_learner_find_design (self->record, step->id)
                                         : NULL;

      if (kept != NULL && kept->reached)
        plg_lesson_run_enter_next (self, kept->plan, TRUE);
      else if (step->question != NULL && (step->goal == NULL || !is_own))
        plg_lesson_run_enter_next (self, plg_lesson_run_starting_plan (self, self->position),
                                   FALSE);
      else
        plg_lesson_run_enter_next (self, plg_document_unredacted_plan (self->document), reached);
    }
  else
    self->position--;
  plg_lesson_run_begin_step (self);

  const PlgReachedGoal *reached = g_hash_table_lookup (self->reached,
                                                       plg_lesson_run_step (self)->id);

  if (reached != NULL && !plg_lesson_run_needs_answer (self) &&
      plg_plan_same_design (reached->from, plg_lesson_run_starting_plan (self, self->position)))
    {
      plg_lesson_run_show_plan (self, reached->plan);
      plg_lesson_run_emit_changed (self);
    }

  plg_lesson_run_save (self);
  return TRUE;
}


int
plg_lesson_run_answer (PlgLessonRun *self, const char *question)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), -1);
  return GPOINTER_TO_INT (g_hash_table_lookup (self->answers, question)) - 1;
}

int
plg_lesson_run_shown_choice (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), -1);
  return self->shown;
}

gboolean
plg_lesson_run_choose (PlgLessonRun *self, int choice)
{
  const PlgQuestion *question;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  question = plg_lesson_run_step (self)->question;
  if (question == NULL || choice < 0 || choice >= (int) question->choices->len)
    return FALSE;
  if (plg_lesson_run_needs_answer (self))
    g_hash_table_insert (self->answers, g_strdup (question->id), GINT_TO_POINTER (choice + 1));
  self->shown = choice;
  show_evidence (self, question->choices->pdata[choice]);
  plg_lesson_run_save (self);
  plg_lesson_run_emit_changed (self);
  return TRUE;
}

int
plg_lesson_run_count_answered (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), 0);
  return (int) g_hash_table_size (self->answers);
}

int
plg_lesson_run_count_right (PlgLessonRun *self)
{
  GHashTableIter iter;
  gpointer question, choice;
  int right = 0;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), 0);

  g_hash_table_iter_init (&iter, self->answers);
  while (g_hash_table_iter_next (&iter, &question, &choice))
    {
      const PlgQuestion *asked = plg_lesson_find_question (self->lesson, question);

      right += asked != NULL && asked->right == GPOINTER_TO_INT (choice) - 1;
    }
  return right;
}


gboolean
plg_lesson_run_is_goal_reached (PlgLessonRun *self)
{
  const PlgGoal *goal;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  goal = plg_lesson_run_step (self)->goal;
  return goal != NULL && plg_goal_is_reached (goal, plg_document_committed_report (self->document));
}

char *
plg_lesson_run_goal_text (PlgLessonRun *self)
{
  const PlgGoal *goal;
  const PlgReport *report;
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);

  goal = plg_lesson_run_step (self)->goal;
  report = plg_document_report (self->document);
  for (guint i = 0; goal != NULL && i < goal->asserted->len; i++)
    {
      const PlgAssertion *must = &g_array_index (goal->asserted, PlgAssertion, i);
      g_autofree char *words = plg_assertion_describe (must, report);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", words);
    }
  return g_string_free (text, FALSE);
}

/* Updates the text of the goal, even during the preview of a drag. A reached goal is recorded
 * only after the drop, because a preview is not yet the learner's work. A new plan may also
 * change which numbers a question hides. */
static void
document_changed_cb (PlgLessonRun *self)
{
  guint redaction = plg_document_report (self->document)->redaction;
  gboolean same = redaction == self->notified_hidden;

  self->notified_hidden = redaction;
  if (self->is_setting_up || (same && plg_lesson_run_step (self)->goal == NULL))
    return;
  if (!plg_document_is_previewing (self->document))
    {
      /* Record a goal that has just been reached, and unlock the settings of its step. */
      gboolean reached = plg_lesson_run_is_goal_reached (self);
      gboolean newly = reached && !self->was_reached;

      self->was_reached = reached;
      if (newly)
        {
          plg_lesson_run_record_design (self);
          remember_reached (self);
          plg_lesson_run_save (self);
          update_edit_policy (self);
        }
    }
  plg_lesson_run_emit_changed (self);
}


void
plg_lesson_run_end (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  g_signal_handlers_disconnect_by_func (self->document, document_changed_cb, self);
  plg_lesson_run_record_design (self);
  plg_lesson_run_save (self);
  g_clear_pointer (&self->record_path, g_free);
  remove_edit_policy (self);
  plg_document_set_saved_elsewhere (self->document, FALSE);
}

static void
step_start_free (PlgStepStart *beginning)
{
  plg_plan_free (beginning->plan);
  g_free (beginning);
}

static void
plg_lesson_run_finalize (GObject *object)
{
  PlgLessonRun *self = PLG_LESSON_RUN (object);

  g_clear_handle_id (&self->save_id, g_source_remove);
  plg_lesson_run_clear_numbers (self);
  remove_edit_policy (self);
  g_object_unref (self->document);
  plg_lesson_unref (self->lesson);
  g_ptr_array_unref (self->step_starts);
  g_hash_table_unref (self->reached);
  g_hash_table_unref (self->answers);
  g_hash_table_unref (self->reflections);
  g_clear_pointer (&self->record, plg_learner_lesson_free);
  g_free (self->record_path);
  g_free (self->learner);
  G_OBJECT_CLASS (plg_lesson_run_parent_class)->finalize (object);
}

static void
plg_lesson_run_class_init (PlgLessonRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_lesson_run_finalize;
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_LESSON_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[SET_UP] = g_signal_new ("set-up", PLG_TYPE_LESSON_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[NOT_SAVED] = g_signal_new ("not-saved", PLG_TYPE_LESSON_RUN, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_lesson_run_init (PlgLessonRun *self)
{
  self->step_starts = g_ptr_array_new_with_free_func ((GDestroyNotify) step_start_free);
  self->reached = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, reached_free);
  self->answers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->reflections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->shown = -1;
}

PlgLessonRun *
plg_lesson_run_new (PlgDocument *document, PlgLesson *lesson)
{
  PlgLessonRun *self;

  g_return_val_if_fail (PLG_IS_DOCUMENT (document), NULL);

  self = g_object_new (PLG_TYPE_LESSON_RUN, NULL);
  self->document = g_object_ref (document);
  self->lesson = plg_lesson_ref (lesson);
  plg_document_set_saved_elsewhere (document, TRUE);
  enter (self, 0, NULL);
  plg_lesson_run_begin_step (self);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
