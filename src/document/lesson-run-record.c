/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Saves answers, reflections and designs from a lesson in the learner record. */

#include "document/lesson-run-private.h"
#include "lessons/question-preview.h"
#include "lessons/learner-score.h"

/* The pause in typing after which a reflection is saved [ms]. */
#define REFLECTION_DELAY 1000

gboolean
plg_lesson_run_is_own_work (PlgLessonRun *self)
{
  return plg_lesson_run_step (self)->question == NULL ||
         (!plg_lesson_run_needs_answer (self) && self->evidence != NULL &&
          !plg_plan_same_design (plg_document_unredacted_plan (self->document), self->evidence));
}

/* Records the learner's plan in a step with a goal. A goal that was reached earlier remains
 * recorded as reached if the learner repeats the lesson. */
void
plg_lesson_run_record_design (PlgLessonRun *self)
{
  const PlgLessonStep *step = plg_lesson_run_step (self);
  gboolean reached = plg_lesson_run_is_goal_reached (self);
  const PlgLearnerDesign *made;

  if (self->record_path == NULL || step->goal == NULL || !plg_lesson_run_is_own_work (self))
    return;
  made = plg_learner_find_design (self->record, step->id);
  if (reached || made == NULL || !made->reached)
    plg_learner_set_design (self->record, step->id, reached,
                            plg_document_unredacted_plan (self->document));
}

void
plg_lesson_run_save (PlgLessonRun *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->save_id, g_source_remove);
  /* Do not record a lesson that was only opened. */
  if (self->record_path == NULL ||
      (self->position == 0 && plg_lesson_run_count_answered (self) == 0))
    return;
  for (guint i = 0; i < self->lesson->steps->len; i++)
    {
      const PlgQuestion *question = plg_lesson_run_step_at (self, (int) i)->question;
      int choice = question != NULL ? plg_lesson_run_answer (self, question->id) : -1;

      if (choice < 0)
        continue;
      plg_learner_set_answer (self->record, question->id,
                              ((const PlgTrialChange *) question->choices->pdata[choice])->id,
                              choice == question->right,
                              plg_lesson_run_reflection (self, question->id));

      /* The text of the question is stored with the answer, because the lesson may be changed
       * later or come from a teacher's own file. */
      g_autoptr (PlgQuestionPreview) asked = NULL;

      if (plg_learner_find_answer (self->record, question->id)->asked != NULL)
        continue;
      asked = plg_question_preview_new (self->lesson, question->id,
                                        plg_document_catalogue (self->document));
      if (asked != NULL)
        plg_learner_set_answer_texts (self->record, question->id, asked->prompt,
                                      asked->choices[choice]);
    }
  g_free (self->record->step);
  self->record->step = g_strdup (plg_lesson_run_step (self)->id);
  if (!plg_learner_store (self->record_path, self->learner, self->record, self->lesson,
                          plg_document_catalogue (self->document), &error))
    g_signal_emit_by_name (self, "not-saved", error->message);
}


const char *
plg_lesson_run_reflection (PlgLessonRun *self, const char *question)
{
  const char *text;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), "");

  text = g_hash_table_lookup (self->reflections, question);
  return text != NULL ? text : "";
}

static void
save_later_cb (gpointer data)
{
  PlgLessonRun *self = data;

  self->save_id = 0;
  plg_lesson_run_save (self);
}

void
plg_lesson_run_reflect (PlgLessonRun *self, const char *question, const char *text)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  if (g_str_equal (plg_lesson_run_reflection (self, question), text))
    return;
  g_hash_table_insert (self->reflections, g_strdup (question), g_strdup (text));
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->record_path != NULL)
    self->save_id = g_timeout_add_once (REFLECTION_DELAY, save_later_cb, self);
}

void
plg_lesson_run_flush (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  if (self->save_id != 0)
    plg_lesson_run_save (self);
}


/* Adopts the parts of OLD that still apply to this lesson. The lesson may have been changed
 * since OLD was recorded, or may be a different lesson with the same id. */
static void
use_record (PlgLessonRun *self, PlgLearnerLesson *old)
{
  plg_learner_lesson_rescore (old, self->lesson);
  plg_learner_lesson_merge (self->record, old);
  /* Start a finished lesson from its beginning. */
  if (old->finished || plg_lesson_find_step (self->lesson, old->step) == NULL)
    return;
  g_free (self->record->step);
  self->record->step = g_strdup (old->step);
}

gboolean
plg_lesson_run_resume (PlgLessonRun *self, const char *path, const char *name, GError **error)
{
  g_autoptr (PlgLearner) learner = NULL;
  PlgLearnerLesson *old = NULL;

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
      use_record (self, old);
      for (guint i = 0; i < self->record->answers->len; i++)
        {
          const PlgLearnerAnswer *answer = self->record->answers->pdata[i];
          const PlgQuestion *question = plg_lesson_find_question (self->lesson, answer->question);

          for (guint j = 0; j < question->choices->len; j++)
            if (g_str_equal (((const PlgTrialChange *) question->choices->pdata[j])->id,
                             answer->choice))
              g_hash_table_insert (self->answers, g_strdup (question->id),
                                   GINT_TO_POINTER ((int) j + 1));
          plg_lesson_run_reflect (self, question->id, answer->reflection);
        }

      /* Each step builds on earlier plans, so all steps up to the recorded step are set up
       * again. */
      while (!plg_lesson_run_needs_answer (self) && plg_lesson_run_next_step (self) != NULL &&
             !g_str_equal (plg_lesson_run_step (self)->id, self->record->step))
        {
          const PlgLearnerDesign *made = plg_learner_find_design (self->record,
                                                                  plg_lesson_run_step (self)->id);

          plg_lesson_run_enter_next (self,
                                     made != NULL
                                         ? made->plan
                                         : plg_lesson_run_starting_plan (self, self->position),
                                     made != NULL && made->reached);
        }

      plg_lesson_run_begin_step (self);

      /* If the learner has already made a plan in the recorded step, continue with this plan. */
      const PlgLearnerDesign *made = plg_learner_find_design (self->record,
                                                              plg_lesson_run_step (self)->id);

      if (made != NULL && !plg_lesson_run_needs_answer (self))
        {
          plg_lesson_run_show_plan (self, made->plan);
          plg_lesson_run_emit_changed (self);
        }
    }
  /* Set the path last, so that nothing is recorded while the lesson moves to the recorded step. */
  self->record_path = g_strdup (path);
  return TRUE;
}

const char *
plg_lesson_run_learner (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return self->learner;
}

const PlgLearnerLesson *
plg_lesson_run_record (PlgLessonRun *self)
{
  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), NULL);
  return self->record;
}

gboolean
plg_lesson_run_is_goal_missed (PlgLessonRun *self)
{
  const PlgLessonStep *step;
  const PlgLearnerDesign *kept;

  g_return_val_if_fail (PLG_IS_LESSON_RUN (self), FALSE);

  step = plg_lesson_run_step (self);
  kept = self->record != NULL ? plg_learner_find_design (self->record, step->id) : NULL;
  return step->goal != NULL && !plg_lesson_run_is_goal_reached (self) &&
         (kept == NULL || !kept->reached);
}

void
plg_lesson_run_finish (PlgLessonRun *self)
{
  g_return_if_fail (PLG_IS_LESSON_RUN (self));

  if (self->record_path == NULL)
    return;
  plg_lesson_run_record_design (self);
  self->record->finished = TRUE;
  plg_lesson_run_save (self);
}
