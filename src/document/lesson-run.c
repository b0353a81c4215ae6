/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "document/lesson-run.h"

#include <glib/gi18n-lib.h>

struct _PlgLessonRun
{
  GObject parent_instance;

  PlgDocument *document;
  PlgLesson *lesson;
  int position;
  GPtrArray *plans;        /* PlgPlan that each step up to the furthest began with */
  GHashTable *answers;     /* question: choice + 1 */
  GHashTable *reflections; /* question: text */
  int shown;               /* choice */
  gboolean was_reached;
  PlgLearnerLesson *record; /* or NULL: nothing is kept */
  char *ledger;             /* the file that it is kept in */
  char *learner;
};

G_DEFINE_FINAL_TYPE (PlgLessonRun, plg_lesson_run, G_TYPE_OBJECT)

enum
{
  CHANGED,
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

static const PlgStepOfLesson *
step_at (PlgLessonRun *self, int position)
{
  if (position < 0 || position >= (int) self->lesson->steps->len)
    return NULL;
  return self->lesson->steps->pdata[position];
}

const PlgStepOfLesson *
plg_lesson_run_step (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return step_at (self, self->position);
}

const PlgStepOfLesson *
plg_lesson_run_next_step (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return step_at (self, self->position + 1);
}

/* The document
 * ---------------------------------------------------------------------------------- */

/* What the step hides and holds fixed, as far as its question was answered. */
static void
hold (PlgLessonRun *self)
{
  const PlgStepOfLesson *step = plg_lesson_run_step (self);
  gboolean locked = plg_lesson_run_is_locked (self);

  plg_document_set_lesson (self->document, locked ? step->question->hides : 0,
                           (const char *const *) step->free);
}

/* PLAN replaces what is open; nothing of it is lost work. */
static void
show_plan (PlgLessonRun *self, const PlgPlan *plan)
{
  plg_document_set_lesson (self->document, 0, NULL);
  plg_document_reset (self->document, plan);
  hold (self);
}

static const PlgPlan *
plan_of (PlgLessonRun *self, int position)
{
  return self->plans->pdata[position];
}

/* The plan that step POSITION begins with: its scene on top of BEFORE, what people made of the step
 * before it, or where that cannot be, of the default plan. */
static PlgPlan *
set_up (PlgLessonRun *self, int position, const PlgPlan *before)
{
  const PlgStepOfLesson *step = step_at (self, position);
  PlgCatalogue *catalogue = plg_document_catalogue (self->document);
  g_autoptr (PlgPlan) fresh = plg_catalogue_default_plan (catalogue);
  PlgPlan *plan = plg_plan_copy (before != NULL ? before : fresh);
  g_autoptr (GError) error = NULL;

  if (step->scene == NULL || plg_scene_apply (step->scene, plan, catalogue, NULL))
    return plan;
  plg_plan_assign (plan, fresh);
  if (!plg_scene_apply (step->scene, plan, catalogue, &error))
    g_warning ("Step “%s”: %s", step->title, error->message);
  return plan;
}

/* The step that begins now; steps after it are set up anew, since they build on it. */
static void
enter (PlgLessonRun *self, int position, const PlgPlan *before)
{
  g_ptr_array_set_size (self->plans, position);
  g_ptr_array_add (self->plans, set_up (self, position, before));
  self->position = position;
}

/* What the next step builds on: what people made of this one, but not the evidence of an answer. */
static const PlgPlan *
outcome (PlgLessonRun *self)
{
  return plg_lesson_run_step (self)->question != NULL
             ? plan_of (self, self->position)
             : plg_document_committed_plan (self->document);
}

static void
record_answers (PlgLessonRun *self)
{
  for (guint i = 0; i < self->lesson->steps->len; i++)
    {
      const PlgQuestion *question = step_at (self, (int) i)->question;
      int choice = question != NULL ? plg_lesson_run_answer (self, question->id) : -1;

      if (choice >= 0)
        plg_learner_set_answer (self->record, question->id,
                                ((const PlgChoice *) question->choices->pdata[choice])->id,
                                choice == question->right,
                                plg_lesson_run_reflection (self, question->id));
    }
}

/* What people made of the plan in a step with a goal. Who looks at it again, from its beginning,
 * loses nothing that was reached. */
static void
record_design (PlgLessonRun *self)
{
  const PlgStepOfLesson *step = plg_lesson_run_step (self);

  gboolean reached = plg_lesson_run_is_reached (self);
  const PlgLearnerDesign *made;

  if (self->ledger == NULL || step->goal == NULL || step->question != NULL)
    return;
  made = plg_learner_find_design (self->record, step->id);
  if (reached || made == NULL || !made->reached)
    plg_learner_set_design (self->record, step->id, reached,
                            plg_document_committed_plan (self->document));
}

static void
save (PlgLessonRun *self)
{
  g_autoptr (GError) error = NULL;

  /* A lesson that was only opened was not begun. */
  if (self->ledger == NULL || (self->position == 0 && plg_lesson_run_answered (self) == 0))
    return;
  record_answers (self);
  g_free (self->record->step);
  self->record->step = g_strdup (plg_lesson_run_step (self)->id);
  if (!plg_learner_store (self->ledger, self->learner, self->record,
                          plg_document_catalogue (self->document), &error))
    g_signal_emit (self, signals[NOT_SAVED], 0, error->message);
}

static void
emit_changed (PlgLessonRun *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What the explanation of CHOICE is shown with. */
static void
show_evidence (PlgLessonRun *self, const PlgChoice *choice)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plan_of (self, self->position));
  g_autoptr (GError) error = NULL;

  if (choice->scene != NULL &&
      !plg_scene_apply (choice->scene, plan, plg_document_catalogue (self->document), &error))
    g_warning ("Choice “%s”: %s", choice->id, error->message);
  show_plan (self, plan);
}

static void
begin_step (PlgLessonRun *self)
{
  const PlgStepOfLesson *step = plg_lesson_run_step (self);

  self->shown = step->question != NULL ? plg_lesson_run_answer (self, step->question->id) : -1;
  if (self->shown >= 0)
    show_evidence (self, step->question->choices->pdata[self->shown]);
  else
    show_plan (self, plan_of (self, self->position));
  self->was_reached = plg_lesson_run_is_reached (self);
  emit_changed (self);
}

void
plg_lesson_run_restart_step (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));
  begin_step (self);
}

/* Going on
 * ---------------------------------------------------------------------------------- */

gboolean
plg_lesson_run_is_locked (PlgLessonRun *self)
{
  const PlgStepOfLesson *step;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  step = plg_lesson_run_step (self);
  return step->question != NULL && plg_lesson_run_answer (self, step->question->id) < 0;
}

gboolean
plg_lesson_run_can_go (PlgLessonRun *self, int direction)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  if (step_at (self, self->position + direction) == NULL)
    return FALSE;
  return direction < 0 || !plg_lesson_run_is_locked (self);
}

gboolean
plg_lesson_run_go (PlgLessonRun *self, int direction)
{
  if (!plg_lesson_run_can_go (self, direction))
    return FALSE;
  record_design (self);
  if (direction > 0)
    enter (self, self->position + 1, outcome (self));
  else
    self->position--;
  begin_step (self);
  save (self);
  return TRUE;
}

/* Questions
 * --------------------------------------------------------------------------------- */

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
  if (plg_lesson_run_is_locked (self))
    g_hash_table_insert (self->answers, g_strdup (question->id), GINT_TO_POINTER (choice + 1));
  self->shown = choice;
  show_evidence (self, question->choices->pdata[choice]);
  save (self);
  emit_changed (self);
  return TRUE;
}

const char *
plg_lesson_run_reflection (PlgLessonRun *self, const char *question)
{
  const char *text;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), "");

  text = g_hash_table_lookup (self->reflections, question);
  return text != NULL ? text : "";
}

void
plg_lesson_run_reflect (PlgLessonRun *self, const char *question, const char *text)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));
  g_hash_table_insert (self->reflections, g_strdup (question), g_strdup (text));
}

int
plg_lesson_run_answered (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), 0);
  return (int) g_hash_table_size (self->answers);
}

int
plg_lesson_run_right (PlgLessonRun *self)
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

/* Goals
 * ------------------------------------------------------------------------------------- */

gboolean
plg_lesson_run_is_reached (PlgLessonRun *self)
{
  const PlgGoal *goal;
  const PlgReport *report;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  goal = plg_lesson_run_step (self)->goal;
  report = plg_document_report (self->document);
  for (guint i = 0; goal != NULL && i < goal->asserted->len; i++)
    if (!plg_assertion_holds (&g_array_index (goal->asserted, PlgAssertion, i), report))
      return FALSE;
  return goal != NULL;
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
      g_autofree char *value = plg_assertion_value (must, report);
      gboolean holds = plg_assertion_holds (must, report);

      g_string_append_printf (text, _ ("%s%s: now %s, %s"), i > 0 ? "\n" : "", must->text, value,
                              holds ? _ ("PASS") : _ ("FAIL"));
    }
  return g_string_free (text, FALSE);
}

static void
document_changed_cb (PlgLessonRun *self)
{
  gboolean reached = plg_lesson_run_is_reached (self);
  gboolean newly = reached && !self->was_reached;

  if (plg_lesson_run_step (self)->goal == NULL && reached == self->was_reached)
    return;
  self->was_reached = reached;
  if (newly)
    {
      record_design (self);
      save (self);
    }
  emit_changed (self);
}

/* The ledger
 * -------------------------------------------------------------------------------- */

/* Answers that the lesson still has; it may have been written anew since. */
static void
take_answers (PlgLessonRun *self)
{
  for (guint i = 0; i < self->record->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = self->record->answers->pdata[i];
      const PlgQuestion *question = plg_lesson_find_question (self->lesson, answer->question);

      for (guint j = 0; question != NULL && j < question->choices->len; j++)
        if (g_str_equal (((const PlgChoice *) question->choices->pdata[j])->id, answer->choice))
          g_hash_table_insert (self->answers, g_strdup (question->id),
                               GINT_TO_POINTER ((int) j + 1));
      if (question != NULL)
        plg_lesson_run_reflect (self, question->id, answer->reflection);
    }
}

/* Steps build on what was made before them, so each is set up again on the way. */
static void
go_to_record (PlgLessonRun *self)
{
  while (!plg_lesson_run_is_locked (self) && plg_lesson_run_next_step (self) != NULL &&
         !g_str_equal (plg_lesson_run_step (self)->id, self->record->step))
    {
      const PlgLearnerDesign *made = plg_learner_find_design (self->record,
                                                              plg_lesson_run_step (self)->id);

      enter (self, self->position + 1, made != NULL ? made->plan : plan_of (self, self->position));
    }
}

/* A step whose plan was being made goes on with it. */
static void
show_design (PlgLessonRun *self)
{
  const PlgLearnerDesign *made = plg_learner_find_design (self->record,
                                                          plg_lesson_run_step (self)->id);

  if (made == NULL || plg_lesson_run_step (self)->question != NULL)
    return;
  show_plan (self, made->plan);
  self->was_reached = plg_lesson_run_is_reached (self);
  emit_changed (self);
}

static gboolean
has_step (PlgLessonRun *self, const char *id)
{
  for (guint i = 0; i < self->lesson->steps->len; i++)
    if (g_str_equal (step_at (self, (int) i)->id, id))
      return TRUE;
  return FALSE;
}

/* What OLD holds of answers and designs, with the counts that the lesson has now. */
static void
take_record (PlgLessonRun *self, const PlgLearnerLesson *old)
{
  self->record->finished = old->finished;
  for (guint i = 0; i < old->answers->len; i++)
    {
      const PlgLearnerAnswer *answer = old->answers->pdata[i];

      if (plg_lesson_find_question (self->lesson, answer->question) != NULL)
        plg_learner_set_answer (self->record, answer->question, answer->choice, answer->right,
                                answer->reflection);
    }
  for (guint i = 0; i < old->designs->len; i++)
    {
      const PlgLearnerDesign *design = old->designs->pdata[i];

      if (has_step (self, design->step))
        plg_learner_set_design (self->record, design->step, design->reached, design->plan);
    }
  /* Who finished it looks at it again from the beginning. */
  if (old->finished || !has_step (self, old->step))
    return;
  g_free (self->record->step);
  self->record->step = g_strdup (old->step);
}

gboolean
plg_lesson_run_resume (PlgLessonRun *self, const char *path, const char *name, GError **error)
{
  g_autoptr (PlgLearner) learner = NULL;
  const PlgLearnerLesson *old = NULL;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);
  g_return_val_if_fail (self->record == NULL && self->position == 0, FALSE);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      learner = plg_learner_load (path, plg_document_catalogue (self->document), error);
      if (learner == NULL)
        return FALSE;
      old = plg_learner_find (learner, self->lesson->id);
    }
  self->record = plg_learner_lesson_new (self->lesson);
  self->learner = g_strdup (name);
  if (old != NULL)
    {
      take_record (self, old);
      take_answers (self);
      go_to_record (self);
      begin_step (self);
      show_design (self);
    }
  /* Nothing is written on the way there. */
  self->ledger = g_strdup (path);
  return TRUE;
}

const PlgLearnerLesson *
plg_lesson_run_record (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return self->record;
}

void
plg_lesson_run_finish (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  if (self->ledger == NULL)
    return;
  record_design (self);
  self->record->finished = TRUE;
  save (self);
}

/* Object
 * ------------------------------------------------------------------------------------ */

void
plg_lesson_run_end (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  g_signal_handlers_disconnect_by_func (self->document, document_changed_cb, self);
  record_design (self);
  save (self);
  g_clear_pointer (&self->ledger, g_free);
  plg_document_set_lesson (self->document, 0, NULL);
}

static void
plg_lesson_run_finalize (GObject *object)
{
  PlgLessonRun *self = PLG_LESSON_RUN (object);

  g_object_unref (self->document);
  plg_lesson_unref (self->lesson);
  g_ptr_array_unref (self->plans);
  g_hash_table_unref (self->answers);
  g_hash_table_unref (self->reflections);
  g_clear_pointer (&self->record, plg_learner_lesson_free);
  g_free (self->ledger);
  g_free (self->learner);
  G_OBJECT_CLASS (plg_lesson_run_parent_class)->finalize (object);
}

static void
plg_lesson_run_class_init (PlgLessonRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plg_lesson_run_finalize;
  signals[CHANGED] = g_signal_new ("changed", PLG_TYPE_LESSON_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  signals[NOT_SAVED] = g_signal_new ("not-saved", PLG_TYPE_LESSON_RUN, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
plg_lesson_run_init (PlgLessonRun *self)
{
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify) plg_plan_free);
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
  enter (self, 0, NULL);
  begin_step (self);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
