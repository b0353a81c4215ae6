/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/lessons-dialog.h"

#include "app/toasts.h"

#include "document/document.h"
#include "drawing/export/export.h"
#include "drawing/charts/page-figure.h"
#include "lessons/learner-score.h"
#include "lessons/learner-export.h"
#include "lessons/lesson-library.h"
#include "widgets/accessible-names.h"
#include "widgets/widget-theme.h"

#include <glib/gi18n.h>
#include <string.h>

struct _PlgLessonsDialog
{
  AdwWindow parent_instance;

  GSettings *settings;
  const PlgCatalogue *catalogue; /* borrowed */
  GPtrArray *lessons;
  GPtrArray *rows;     /* the lesson rows, borrowed */
  GPtrArray *plans;    /* example plans, each of which shows a misconception */
  PlgLearner *learner; /* the learner's record; NULL if no readable record exists */
  GtkFileChooserNative *chooser;
  char *memo; /* the id of the lesson whose memo is being saved */
  AdwToastOverlay *toasts;
  AdwEntryRow *name;
  GtkMenuButton *others;
  GtkLabel *hint;
  AdwPreferencesGroup *group;
  AdwPreferencesGroup *misunderstandings;
};

G_DEFINE_FINAL_TYPE (PlgLessonsDialog, plg_lessons_dialog, ADW_TYPE_WINDOW)

enum
{
  CHOSEN,
  PLAN,
  OPEN,
  OPEN_CLASS,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Learner -------------------------------------------------------------------------------------- */

/* Returns the path of the learner's record. Returns NULL and sets ERROR if the name is invalid.
 * The empty name stands for the current user. */
static char *
learner_path (PlgLessonsDialog *self, GError **error)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->name));
  g_autofree char *folder = plg_learner_own_folder ();
  g_autofree char *name = *typed != '\0' ? g_strstrip (g_strdup (typed)) : plg_learner_own_name ();

  return plg_learner_path (folder, name, error);
}

static void
row_activated_cb (PlgLessonsDialog *self, GtkWidget *row)
{
  PlgLesson *lesson = plg_lesson_ref (g_object_get_data (G_OBJECT (row), "lesson"));
  g_autofree char *path = learner_path (self, NULL);

  if (path == NULL)
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->name));
      plg_lesson_unref (lesson);
      return;
    }
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

static void
open_class_cb (PlgLessonsDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[OPEN_CLASS], 0);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Memos ---------------------------------------------------------------------------------------- */

/* Writes the memo into FILE; the extension .md selects Markdown. */
static gboolean
write_memo (PlgLessonsDialog *self, GFile *file, GError **error)
{
  g_autofree char *name = g_file_get_basename (file);
  gboolean is_text = g_str_has_suffix (name, ".md");
  g_autofree char *text = (is_text ? plg_learner_memo : plg_learner_memo_page) (self->learner,
                                                                                self->memo,
                                                                                self->catalogue);
  g_autoptr (GBytes) bytes = NULL;

  if (is_text)
    bytes = g_bytes_new (text, strlen (text));
  else
    {
      PlgExportOptions options = { .format = PLG_EXPORT_PDF, .background = PLG_BACKGROUND_WHITE };
      g_autoptr (PlgFigure) page = NULL;
      PlgTheme theme;

      plg_theme_init (&theme, PLG_PALETTE_PRINT);
      page = plg_page_figure (text, &theme);
      bytes = plg_export (page, &theme, &options, error);
    }
  return bytes != NULL && plg_document_write_file (file, bytes, error);
}

static void
memo_response_cb (PlgLessonsDialog *self, int response, GtkNativeDialog *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GError) error = NULL;

  gtk_native_dialog_hide (chooser);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL && !write_memo (self, file, &error))
    plg_toasts_show (self->toasts, error->message);
  g_clear_object (&self->chooser);
}

static void
memo_cb (PlgLessonsDialog *self, GtkWidget *button)
{
  const PlgLesson *lesson = g_object_get_data (G_OBJECT (button), "lesson");
  g_autofree char *name = g_strdup_printf ("%s-%s.pdf", self->learner->name, lesson->id);
  g_autoptr (GtkFileChooserNative)
                 chooser = gtk_file_chooser_native_new (_ ("Save Memo"), GTK_WINDOW (self),
                                                        GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  g_free (self->memo);
  self->memo = g_strdup (lesson->id);
  g_set_object (&self->chooser, chooser);
  g_strdelimit (name, "/\\:", '-');
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (memo_response_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* The list ------------------------------------------------------------------------------------- */

static void
show_learner (PlgLessonsDialog *self)
{
  g_autoptr (GPtrArray) library = plg_lesson_library ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = learner_path (self, &error);

  g_clear_pointer (&self->learner, plg_learner_free);
  /* Ignore an unreadable record here, because the error is reported when a lesson begins. */
  if (path != NULL)
    self->learner = plg_learner_load (path, self->catalogue, NULL);
  if (self->learner != NULL)
    plg_learner_rescore (self->learner, library, path, NULL);
  gtk_label_set_text (self->hint,
                      error != NULL
                          ? error->message
                          : _ ("Answers are saved in a file with this name, and each lesson "
                               "continues where you left off."));
  plg_widget_set_css_class (GTK_WIDGET (self->name), "error", error != NULL);
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = self->rows->pdata[i];
      const PlgLesson *lesson = g_object_get_data (G_OBJECT (row), "lesson");
      const PlgLearnerLesson *played = self->learner != NULL
                                           ? plg_learner_find (self->learner, lesson->id)
                                           : NULL;
      /* Build a text such as "Optimal · 4 of 4 right" or "Begun · 1 of 4 right", or NULL if the
       * lesson has not begun. */
      g_autofree char *state = played != NULL
                                   ? g_strdup_printf (_ ("%s · %d of %d right"),
                                                      plg_score_title (plg_learner_score (played)),
                                                      plg_learner_count_right (played),
                                                      played->questions)
                                   : NULL;
      g_autofree char *time = lesson->minutes > 0 ? g_strdup_printf (_ ("%d min"), lesson->minutes)
                                                  : g_strdup ("");

      gtk_label_set_text (g_object_get_data (G_OBJECT (row), "state"),
                          state != NULL ? state : time);
      gtk_widget_set_visible (g_object_get_data (G_OBJECT (row), "memo"), state != NULL);
    }
}

static void
name_changed_cb (PlgLessonsDialog *self)
{
  g_autofree char *path = NULL;

  if (self->settings == NULL)
    return;
  path = learner_path (self, NULL);
  if (path != NULL)
    g_settings_set_string (self->settings, "learner",
                           gtk_editable_get_text (GTK_EDITABLE (self->name)));
  show_learner (self);
}

static void
learner_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_editable_set_text (GTK_EDITABLE (PLG_LESSONS_DIALOG (widget)->name),
                         g_variant_get_string (parameter, NULL));
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

static void
plg_lessons_dialog_finalize (GObject *object)
{
  PlgLessonsDialog *self = PLG_LESSONS_DIALOG (object);

  g_clear_pointer (&self->plans, g_ptr_array_unref);
  g_clear_pointer (&self->lessons, g_ptr_array_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->learner, plg_learner_free);
  g_clear_object (&self->settings);
  g_clear_object (&self->chooser);
  g_free (self->memo);
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
  signals[OPEN_CLASS] = g_signal_new ("open-class", PLG_TYPE_LESSONS_DIALOG, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parallelogram/Parallelogram/ui/"
                                                             "lessons-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, name);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, others);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, hint);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, group);
  gtk_widget_class_bind_template_child (widget_class, PlgLessonsDialog, misunderstandings);
  gtk_widget_class_bind_template_callback (widget_class, open_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_class_cb);
  gtk_widget_class_bind_template_callback (widget_class, name_changed_cb);
  gtk_widget_class_install_action (widget_class, "lessons.learner", "s", learner_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
plg_lessons_dialog_init (PlgLessonsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plg_accessible_name_buttons (GTK_WIDGET (self));

  /* If the user's language is not English, mention that the lessons are in English. */
  g_autofree char *text = NULL;
  const char *language = g_get_language_names ()[0];

  if (!g_str_equal (language, "C") && !g_str_equal (language, "POSIX") &&
      !g_str_equal (language, "en") && !g_str_has_prefix (language, "en_") &&
      !g_str_has_prefix (language, "C."))
    {
      text = g_strdup_printf ("%s %s", adw_preferences_group_get_description (self->group),
                              _ ("The lessons themselves are in English."));
      adw_preferences_group_set_description (self->group, text);
    }

  self->lessons = plg_lesson_library ();
  self->rows = g_ptr_array_new ();
  for (guint i = 0; i < self->lessons->len; i++)
    {
      PlgLesson *lesson = self->lessons->pdata[i];
      GtkWidget *row = adw_action_row_new ();
      g_autofree char *title = g_strdup_printf ("%u  %s", i + 1, lesson->title);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                                   lesson->summary != NULL ? lesson->summary : "");
      g_object_set_data (G_OBJECT (row), "lesson", lesson);

      GtkWidget *label = gtk_label_new (NULL);
      GtkWidget *memo = gtk_button_new_from_icon_name ("document-save-symbolic");
      g_autofree char *memo_title = g_strdup_printf (_ ("Save Memo of “%s”"), lesson->title);

      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (memo, "flat");
      gtk_widget_set_valign (memo, GTK_ALIGN_CENTER);
      gtk_widget_set_tooltip_text (memo, memo_title);
      gtk_accessible_update_property (GTK_ACCESSIBLE (memo), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      memo_title, -1);
      g_object_set_data (G_OBJECT (memo), "lesson", lesson);
      g_signal_connect_object (memo, "clicked", G_CALLBACK (memo_cb), self, G_CONNECT_SWAPPED);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), memo);
      g_object_set_data (G_OBJECT (row), "state", label);
      g_object_set_data (G_OBJECT (row), "memo", memo);

      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      g_signal_connect_object (row, "activated", G_CALLBACK (row_activated_cb), self,
                               G_CONNECT_SWAPPED);
      adw_preferences_group_add (self->group, row);
      g_ptr_array_add (self->rows, row);
    }
}

PlgLessonsDialog *
plg_lessons_dialog_present (GtkWindow *parent, GSettings *settings, const PlgCatalogue *catalogue)
{
  PlgLessonsDialog *self = g_object_new (PLG_TYPE_LESSONS_DIALOG, "transient-for", parent, NULL);
  g_autofree char *kept = g_settings_get_string (settings, "learner");
  g_autofree char *name = plg_learner_name_or_own (kept);

  self->catalogue = catalogue;
  gtk_editable_set_text (GTK_EDITABLE (self->name), name);
  self->settings = g_object_ref (settings);

  /* In the menu, list every learner who has a record on this machine. */
  g_autofree char *folder = plg_learner_own_folder ();
  g_auto (GStrv) names = plg_learner_names (folder);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

      g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_LABEL, "s", names[i]);
      g_menu_item_set_action_and_target (item, "lessons.learner", "s", names[i]);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (self->others, G_MENU_MODEL (menu));
  gtk_widget_set_visible (GTK_WIDGET (self->others), names[0] != NULL);

  show_learner (self);
  self->plans = plg_lesson_misconception_plans (catalogue);
  for (guint i = 0; i < self->plans->len; i++)
    {
      /* The first paragraph of the plan's notes states the misconception. */
      PlgPlan *plan = self->plans->pdata[i];
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
  gtk_window_present (GTK_WINDOW (self));
  /* If the learner's name is known, focus the first lesson. If the name entry had the focus, the
   * keys of a presentation remote would overwrite the name. */
  gtk_widget_grab_focus (*kept != '\0' ? self->rows->pdata[0] : GTK_WIDGET (self->name));
  return self;
}
