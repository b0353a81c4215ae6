/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/window/window-private.h"

#include "app/dialogs/lessons-dialog.h"
#include "engine/report/redaction.h"

#include <glib/gi18n.h>

/* The lesson pane, which shares the left sidebar with the inspector. */

/* Actions that would reveal numbers hidden by a prediction, or advice about a later question. */
static const struct
{
  const char *action;
  guint key; /* the key that, pressed with MODIFIERS, is the action's keyboard shortcut (set in
                application.c); 0 if the action has no shortcut */
  GdkModifierType modifiers;
} revealing_actions[] = {
  { "win.convert", GDK_KEY_t, GDK_CONTROL_MASK },
  { "win.compare-orders", GDK_KEY_o, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
  { "win.sweep", GDK_KEY_u, GDK_CONTROL_MASK },
  { "win.compare-plans", GDK_KEY_d, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
  { "win.add-variant", GDK_KEY_d, GDK_CONTROL_MASK },
  { "win.copy-command", GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
  { "win.paste", 0, 0 },
};

static gboolean
can_reveal_numbers (PlgWindow *self)
{
  return !plg_report_hides (plg_document_report (self->document), PLG_REDACT_ALL) &&
         !plg_document_policy (self->document)->hides_findings;
}

static void
update_revealing_actions (PlgWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (revealing_actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), revealing_actions[i].action,
                                   can_reveal_numbers (self));
}

/* Shows a toast that explains why an action is locked. A menu shows a locked action as
 * insensitive, but without the toast, the action's keyboard shortcut would silently do nothing. */
static gboolean
revealing_key_cb (GtkWidget *widget, GVariant *parameter, gpointer data)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (can_reveal_numbers (self) || self->run == NULL)
    return FALSE;
  plg_window_toast (self, plg_lesson_run_needs_answer (self->run)
                              ? _ ("Answer the question first")
                              : _ ("Shown after a later question"));
  return TRUE;
}

static void
update_end_action (PlgWindow *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.end-lesson", self->run != NULL);
}

/* Clears messages about the previous plan, because they no longer apply. If the new plan already
 * reaches the goal, for example after the user has returned to an earlier step, the goal is not
 * announced again. */
static void
set_up_cb (PlgWindow *self)
{
  plg_toasts_clear (self->toasts);
  self->lesson_reached = plg_lesson_run_is_goal_reached (self->run);
}

static void
run_changed_cb (PlgWindow *self)
{
  int position = plg_lesson_run_position (self->run);
  int shown = plg_lesson_run_shown_choice (self->run);

  update_revealing_actions (self);

  gboolean reached = plg_lesson_run_is_goal_reached (self->run);
  gboolean newly = reached && !self->lesson_reached && position == self->lesson_step;
  g_autofree char *goal = newly ? plg_lesson_run_goal_text (self->run) : NULL;
  g_autofree char *words = NULL;

  self->lesson_reached = reached;
  if (!reached)
    plg_toasts_clear_persistent (self->toasts);
  if (newly && self->presentation_state == NULL)
    {
      words = g_strdup_printf ("%s\n%s", _ ("The goal of this step has been reached"), goal);
      plg_toasts_show_persistent (self->toasts, words);
    }

  if (position == self->lesson_step && shown == self->lesson_choice)
    return;
  self->lesson_step = position;
  self->lesson_choice = shown;

  const PlgLessonStep *step = plg_lesson_run_step (self->run);
  const PlgTrialChange *choice = shown >= 0 ? step->question->choices->pdata[shown] : NULL;
  const PlgStepSetup *setup = choice != NULL && choice->setup != NULL ? choice->setup : step->setup;

  if (setup != NULL)
    {
      if (setup->page != NULL)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", setup->page);
      plg_canvas_select (self->canvas, setup->select);
    }

  plg_canvas_fit (self->canvas);
}

void
plg_window_end_lesson (PlgWindow *self)
{
  g_return_if_fail (PLG_IS_WINDOW (self));

  if (self->run == NULL)
    return;
  plg_lesson_run_end (self->run);
  plg_lesson_pane_set_run (self->lesson_pane, NULL);
  g_signal_handlers_disconnect_by_func (self->run, run_changed_cb, self);
  g_signal_handlers_disconnect_by_func (self->run, set_up_cb, self);
  plg_toasts_clear_persistent (self->toasts);
  g_clear_object (&self->run);
  plg_window_end_lesson_layout (self);
  gtk_widget_set_visible (self->side_switcher, FALSE);
  gtk_stack_set_visible_child_name (self->side, "inspector");
  update_revealing_actions (self);
  update_end_action (self);
  plg_window_update_notes (self);
  plg_window_update_presentation (self);
}

void
plg_window_begin_lesson (PlgWindow *self, PlgLesson *lesson)
{
  g_return_if_fail (PLG_IS_WINDOW (self));

  plg_window_end_lesson (self);
  self->run = plg_lesson_run_new (self->document, lesson);
  self->lesson_step = self->lesson_choice = -1;
  g_signal_connect_object (self->run, "changed", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->run, "set-up", G_CALLBACK (set_up_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_visible (self->side_switcher, TRUE);
  gtk_stack_set_visible_child_name (self->side, "lesson");
  plg_window_begin_lesson_layout (self);
  plg_lesson_pane_set_run (self->lesson_pane, self->run);
  set_up_cb (self);
  run_changed_cb (self);
  update_end_action (self);
  plg_window_update_notes (self);
  plg_window_update_presentation (self);
}

static void
not_saved_cb (PlgWindow *self, const char *message)
{
  g_autofree char *text = g_strdup_printf (_ ("The answers are not being saved: %s"), message);

  plg_window_toast (self, text);
}

static char *
learner_name (PlgWindow *self)
{
  g_autofree char *kept = g_settings_get_string (self->settings, "learner");

  return plg_learner_name_or_own (kept);
}

const PlgLesson *
plg_window_lesson (PlgWindow *self)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (PLG_IS_WINDOW (self), NULL);

  if (self->run == NULL)
    return NULL;
  name = learner_name (self);
  return g_strcmp0 (plg_lesson_run_learner (self->run), name) == 0
             ? plg_lesson_run_lesson (self->run)
             : NULL;
}

void
plg_window_resume_lesson (PlgWindow *self)
{
  g_autofree char *folder = plg_learner_own_folder ();
  g_autofree char *name = learner_name (self);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (PLG_IS_WINDOW (self) && self->run != NULL);

  g_signal_connect_object (self->run, "not-saved", G_CALLBACK (not_saved_cb), self,
                           G_CONNECT_SWAPPED);
  path = plg_learner_path (folder, name, &error);
  /* Without a record file, no answers of the lesson are recorded, so the error is shown in a
   * dialog instead of a toast. */
  if (path == NULL || !plg_lesson_run_resume (self->run, path, name, &error))
    plg_window_show_error (self, _ ("The Answers Will Not Be Saved"), error->message);
  /* Fill the pane again, because the learner record may contain reflections, and the pane reads
   * reflections only once per step. */
  plg_lesson_pane_set_run (self->lesson_pane, self->run);
}

static void
finished_cb (PlgWindow *self)
{
  /* Summarise the predictions. If the goal of the last step was not reached, also state this
   * goal. */
  g_autofree char *message = NULL;
  const char *title = plg_lesson_run_lesson (self->run)->title;
  GString *words = g_string_new (NULL);
  g_autofree char *goal = NULL;
  int answered = plg_lesson_run_count_answered (self->run);

  if (answered > 0)
    g_string_append_printf (words, _ ("“%s” is finished: %d of %d predictions right"), title,
                            plg_lesson_run_count_right (self->run), answered);
  else
    g_string_append_printf (words, _ ("“%s” is finished"), title);
  if (!plg_lesson_run_is_goal_missed (self->run))
    message = g_string_free (words, FALSE);
  else
    {
      goal = plg_lesson_run_goal_text (self->run);
      g_string_append_printf (words, "\n%s\n%s", _ ("The goal of the last step was not reached"),
                              goal);
      message = g_string_free (words, FALSE);
    }

  plg_lesson_run_finish (self->run);
  plg_window_end_lesson (self);
  plg_window_toast (self, message);
}

/* Actions -------------------------------------------------------------------------------------- */

static void
chosen_cb (PlgWindow *self, PlgLesson *lesson)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  plg_application_begin_lesson (PLG_APPLICATION (application), lesson);
}

static void
plan_cb (PlgWindow *self, const PlgPlan *plan)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  plg_application_open_plan (PLG_APPLICATION (application), plan);
}

static void
lessons_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgWindow *self = PLG_WINDOW (widget);
  PlgCatalogue *catalogue = plg_document_catalogue (self->document);
  PlgLessonsDialog *dialog = plg_lessons_dialog_present (GTK_WINDOW (widget), self->settings,
                                                         catalogue);

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen_cb), widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "plan", G_CALLBACK (plan_cb), widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "open", G_CALLBACK (plg_window_choose_open), widget,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "open-class", G_CALLBACK (plg_window_choose_class), widget,
                           G_CONNECT_SWAPPED);
}

static void
end_lesson_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plg_window_end_lesson (PLG_WINDOW (widget));
}

/* Handles a page key of a presentation remote if no widget has handled the key. */
static gboolean
page_key_cb (GtkWidget *widget, GVariant *direction, gpointer data)
{
  return plg_lesson_pane_go (PLG_WINDOW (widget)->lesson_pane, g_variant_get_int32 (direction));
}

void
plg_window_install_lessons (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.lessons", NULL, lessons_action);
  gtk_widget_class_install_action (widget_class, "win.end-lesson", NULL, end_lesson_action);
  for (guint i = 0; i < G_N_ELEMENTS (revealing_actions); i++)
    if (revealing_actions[i].key != 0)
      gtk_widget_class_add_binding (widget_class, revealing_actions[i].key,
                                    revealing_actions[i].modifiers, revealing_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Down, 0, page_key_cb, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Page_Up, 0, page_key_cb, "i", -1);
}

void
plg_window_set_up_lessons (PlgWindow *self)
{
  g_signal_connect_object (self->lesson_pane, "finished", G_CALLBACK (finished_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_stack_set_visible_child_name (self->side, "inspector");
  update_end_action (self);
}
