/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/lessons-dialog.h"

#include "formats/catalogue-xml.h"
#include "formats/learner.h"
#include "formats/lesson-library.h"
#include "widgets/spoken.h"

#include <glib/gi18n.h>

struct _PlgLessonsDialog
{
  AdwWindow parent_instance;

  GPtrArray *lessons;
  GPtrArray *plans;    /* of misunderstandings */
  PlgLearner *learner; /* or NULL: nothing was begun yet */
  AdwPreferencesGroup *group;
  AdwPreferencesGroup *misunderstandings;
};

G_DEFINE_FINAL_TYPE (PlgLessonsDialog, plg_lessons_dialog, ADW_TYPE_WINDOW)

enum
{
  CHOSEN,
  PLAN,
  OPEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
row_activated_cb (PlgLessonsDialog *self, GtkWidget *row)
{
  PlgLesson *lesson = plg_lesson_ref (g_object_get_data (G_OBJECT (row), "lesson"));

  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[CHOSEN], 0, lesson);
  plg_lesson_unref (lesson);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
open_cb (PlgLessonsDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[OPEN], 0);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* "Optimal · 4 of 4 right", "Begun · 1 of 4 right"; nothing for what was not begun. */
static char *
state_of (PlgLessonsDialog *self, const PlgLesson *lesson)
{
  const PlgLearnerLesson *played = self->learner != NULL
                                       ? plg_learner_find (self->learner, lesson->id)
                                       : NULL;

  if (played == NULL)
    return NULL;
  return g_strdup_printf (_ ("%s · %d of %d right"), plg_score_title (plg_learner_score (played)),
                          plg_learner_right (played), played->questions);
}

static void
add_suffix (GtkWidget *row, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
}

static void
load_learner (PlgLessonsDialog *self)
{
  g_autofree char *folder = plg_learner_own_folder ();
  g_autofree char *name = plg_learner_own_name ();
  g_autofree char *path = plg_learner_path (folder, name, NULL);
  g_autoptr (PlgCatalogue) catalogue = plg_catalogue_load (NULL);

  /* A file that cannot be read is told of when a lesson begins. */
  if (path != NULL)
    self->learner = plg_learner_load (path, catalogue, NULL);
}

static void
add_lesson (PlgLessonsDialog *self, guint number, PlgLesson *lesson)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_strdup_printf ("%u  %s", number, lesson->title);
  g_autofree char *time = g_strdup_printf (_ ("%d min"), lesson->minutes);
  g_autofree char *state = state_of (self, lesson);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                               lesson->summary != NULL ? lesson->summary : "");
  if (state != NULL)
    add_suffix (row, state);
  else if (lesson->minutes > 0)
    add_suffix (row, time);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "lesson", lesson);
  g_signal_connect_object (row, "activated", G_CALLBACK (row_activated_cb), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_group_add (self->group, row);
}

static void
plan_activated_cb (PlgLessonsDialog *self, GtkWidget *row)
{
  PlgPlan *plan = plg_plan_copy (g_object_get_data (G_OBJECT (row), "plan"));

  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[PLAN], 0, plan);
  plg_plan_free (plan);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* What is believed is the first paragraph of its notes. */
static void
add_misunderstanding (PlgLessonsDialog *self, PlgPlan *plan)
{
  GtkWidget *row = adw_action_row_new ();
  g_auto (GStrv) paragraphs = g_strsplit (plan->notes, "\n\n", 2);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), plan->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), paragraphs[0]);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data (G_OBJECT (row), "plan", plan);
  g_signal_connect_object (row, "activated", G_CALLBACK (plan_activated_cb), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_group_add (self->misunderstandings, row);
}

static void
plg_lessons_dialog_finalize (GObject *object)
{
  g_clear_pointer (&PLG_LESSONS_DIALOG (object)->plans, g_ptr_array_unref);
  g_clear_pointer (&PLG_LESSONS_DIALOG (object)->lessons, g_ptr_array_unref);
  g_clear_pointer (&PLG_LESSONS_DIALOG (object)->learner, plg_learner_free);
  G_OBJECT_CLASS (plg_lessons_dialog_parent_class)->finalize (object);
}

static void
plg_lessons_dialog_class_init (PlgLessonsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_lessons_dialog_finalize;
  signals[CHOSEN] = g_signal_new ("chosen", PLG_TYPE_LESSONS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[PLAN] = g_signal_new ("plan", PLG_TYPE_LESSONS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[OPEN] = g_signal_new ("open", PLG_TYPE_LESSONS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "lessons-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, group);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, misunderstandings);
  gtk_widget_class_bind_template_callback (widget_class, open_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_lessons_dialog_init (PlgLessonsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_spoken_buttons (GTK_WIDGET (self));
  self->lessons = plg_lesson_library ();
  load_learner (self);
  for (guint i = 0; i < self->lessons->len; i++)
    add_lesson (self, i + 1, self->lessons->pdata[i]);
}

PlgLessonsDialog *
plg_lessons_dialog_present (GtkWindow *parent, const PlgCatalogue *catalogue)
{
  PlgLessonsDialog *self = g_object_new (PLG_TYPE_LESSONS_DIALOG, "transient-for", parent, NULL);

  self->plans = plg_misunderstandings (catalogue);
  for (guint i = 0; i < self->plans->len; i++)
    add_misunderstanding (self, self->plans->pdata[i]);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
