/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/class-window.h"
#include "app/dialogs/lessons-dialog.h"
#include "lessons/learner.h"
#include "lessons/lesson-library.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/tables/table.h"

#include <string.h>

/* Learner records through real windows: a class, and several learners on one machine. */

static GFile *
put_ledger (AppRig *rig, const char *name, const char *choice, gboolean right)
{
  g_autofree char *file = g_strconcat (name, ".xml", NULL);
  g_autofree char *text = g_strdup_printf (
      "<learner version='1' name='%s'><lesson id='pipeline' step='stages' finished='false' "
      "questions='4' goals='2' changed=''><title>Reading a pipeline</title>"
      "<answer question='q-bubble' choice='%s' right='%s'/></lesson></learner>",
      name, choice, right ? "true" : "false");

  return app_rig_put (rig, file, text);
}

static char *
read_all (GFile *file)
{
  char *text;

  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  return text;
}

static char *
table_text (GtkWidget *window, const char *name)
{
  return plg_table_to_text (PLG_TABLE (gtk_widget_get_template_child (window, PLG_TYPE_CLASS_WINDOW,
                                                                      name)));
}

/* Learner records that are opened together form a class; other files are listed as unread. */
static void
test_class (AppRig *rig, gconstpointer data)
{
  g_autoptr (GFile) ada = put_ledger (rig, "Ada", "c", TRUE);
  g_autoptr (GFile) grace = put_ledger (rig, "Grace", "a", FALSE);
  g_autoptr (GFile) broken = app_rig_put (rig, "broken.xml", "<learner version='1'");
  g_autoptr (GFile) foreign = app_rig_put (rig, "foreign.xml", "<html/>");
  GFile *const files[] = { ada, broken, grace, foreign };
  GtkWidget *window;
  g_autofree char *text = NULL;
  g_autofree char *scores = NULL;
  g_autofree char *unnamed = NULL;

  plg_application_open_files (rig->application, files, G_N_ELEMENTS (files));
  rig_until (app_rig_open_window (PLG_TYPE_CLASS_WINDOW) != NULL);
  window = app_rig_open_window (PLG_TYPE_CLASS_WINDOW);
  text = table_text (window, "answers");
  scores = table_text (window, "scores");
  g_assert_nonnull (strstr (text, "\n\tReading a pipeline\t\t\t\n"
                                  "1\tFour stages take turns · How much of the step does a stage "
                                  "spend waiting?\t2\t\t\n"));
  g_assert_nonnull (strstr (scores, "Ada\tReading a pipeline\tBegun\t1\t4\n"));
  g_assert_nonnull (strstr (scores, "Grace\tReading a pipeline\tBegun\t0\t4\n"));
  g_assert_nonnull (strstr (text, "1\tMore than a quarter\t1\t50.0\u00A0%\tright\n"));
  g_assert_nonnull (strstr (text, "1\tAbout a tenth\t0\t0\u00A0%\t\n"));
  g_assert_true (app_rig_shows (window, "broken.xml:1:"));
  g_assert_true (app_rig_shows (window, "foreign.xml:1:"));
  g_assert_true (app_rig_shows (window, "Class of 2"));
  /* The first focused widget has a name. */
  g_assert_true (GTK_IS_TOGGLE_BUTTON (gtk_window_get_focus (GTK_WINDOW (window))));
  unnamed = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (gtk_window_get_focus (GTK_WINDOW (window))), GTK_ACCESSIBLE_PROPERTY_LABEL,
      "Lesson: All Lessons");
  g_assert_cmpstr (unnamed, ==, NULL);
  /* The combo box around the button has the same name. */
  gtk_test_accessible_assert_property (rig_find (window, GTK_TYPE_DROP_DOWN, NULL, NULL),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Lesson: All Lessons");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_export (AppRig *rig, gconstpointer data)
{
  static const struct
  {
    const char *name, *begins;
  } kinds[] = { { "class.svg", "<?xml" },
                { "class.pdf", "%PDF" },
                { "class.png", "\x89PNG" },
                { "class.csv", "lesson," },
                { "class.scores.csv", "learner,lesson,score,right,questions\nAda," } };
  g_autoptr (GFile) ada = put_ledger (rig, "Ada", "c", TRUE);
  g_autoptr (GFile) other = app_rig_put (rig, "class.doc", "");
  g_autoptr (GError) error = NULL;
  PlgClassWindow *window;

  plg_application_open_files (rig->application, &ada, 1);
  rig_until (app_rig_open_window (PLG_TYPE_CLASS_WINDOW) != NULL);
  window = PLG_CLASS_WINDOW (app_rig_open_window (PLG_TYPE_CLASS_WINDOW));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = app_rig_put (rig, kinds[i].name, "");
      g_autofree char *text = NULL;

      g_assert_true (plg_class_window_write (window, file, NULL));
      text = read_all (file);
      g_assert_true (g_str_has_prefix (text, kinds[i].begins));
    }
  g_assert_false (plg_class_window_write (window, other, &error));
  g_assert_nonnull (strstr (error->message, ".csv"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkWidget *
child_of_stack (GtkWidget *widget)
{
  while (!GTK_IS_STACK (gtk_widget_get_parent (widget)))
    widget = gtk_widget_get_parent (widget);
  return widget;
}

/* A very long learner name leaves room for the other columns and keeps the window on screen. */
static void
test_long_name (AppRig *rig, gconstpointer data)
{
  g_autofree char *name = g_strnfill (200, 'W');
  g_autoptr (GFile) file = put_ledger (rig, name, "c", TRUE);
  GtkWidget *window, *scores, *lesson;
  int least;

  plg_application_open_files (rig->application, &file, 1);
  rig_until (app_rig_open_window (PLG_TYPE_CLASS_WINDOW) != NULL);
  window = app_rig_open_window (PLG_TYPE_CLASS_WINDOW);
  g_assert_true (app_rig_shows (window, name));
  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 1024);
  scores = GTK_WIDGET (gtk_widget_get_template_child (window, PLG_TYPE_CLASS_WINDOW, "scores"));
  gtk_stack_set_visible_child (GTK_STACK (gtk_widget_get_ancestor (scores, GTK_TYPE_STACK)),
                               child_of_stack (scores));
  gtk_window_set_default_size (GTK_WINDOW (window), 1024, 768);
  rig_until (gtk_widget_get_mapped (scores) && gtk_widget_get_width (window) <= 1024);
  rig_next_frame (scores);
  lesson = rig_find (scores, GTK_TYPE_LABEL, app_rig_label_contains,
                     (gpointer) "Reading a pipeline");
  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (lesson))), <=, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A record that is counted with corrections is not listed as uncounted. */
static void
test_remarks (AppRig *rig, gconstpointer data)
{
  g_autoptr (GFile) ada = put_ledger (rig, "Ada", "c", FALSE);
  g_autoptr (GFile) broken = app_rig_put (rig, "broken.xml", "<learner version='1'");
  GFile *const files[] = { ada, broken };

  for (guint n = 1; n <= G_N_ELEMENTS (files); n++)
    {
      GtkWidget *window;

      plg_application_open_files (rig->application, files, n);
      rig_until (app_rig_open_window (PLG_TYPE_CLASS_WINDOW) != NULL);
      window = app_rig_open_window (PLG_TYPE_CLASS_WINDOW);
      rig_until (app_rig_has_label (window, "Remarks on the counted files:"));
      g_assert_true (app_rig_shows (
          window, "is marked as wrong, but the lesson says that it is right; it counts as right."));
      g_assert_true (app_rig_has_label (window, "These files are not counted:") == (n == 2));
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static gboolean
is_choice (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "choice");
}

/* Returns the window that plays a lesson, or NULL. */
static PlgWindow *
playing (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      GtkWidget *pane = PLG_IS_WINDOW (window) ? rig_find (window, PLG_TYPE_LESSON_PANE, NULL, NULL)
                                               : NULL;

      if (pane != NULL && rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL) != NULL)
        return PLG_WINDOW (window);
    }
  return NULL;
}

/* Begins the first lesson as NAME from the list of lessons. */
static void
begin (AppRig *rig, const char *name)
{
  GtkWidget *dialog, *row;
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  g_autofree char *title = g_strdup_printf ("1  %s", ((PlgLesson *) lessons->pdata[0])->title);

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.lessons", NULL);
  rig_until (app_rig_open_window (PLG_TYPE_LESSONS_DIALOG) != NULL);
  dialog = app_rig_open_window (PLG_TYPE_LESSONS_DIALOG);
  gtk_editable_set_text (GTK_EDITABLE (rig_find (dialog, ADW_TYPE_ENTRY_ROW, NULL, NULL)), name);
  row = gtk_widget_get_ancestor (rig_find (dialog, GTK_TYPE_LABEL, app_rig_label_contains, title),
                                 ADW_TYPE_ACTION_ROW);
  g_signal_emit_by_name (row, "activated");
}

static GtkWidget *
choice_at (int index)
{
  GtkWidget *choice = rig_find (GTK_WIDGET (playing ()), GTK_TYPE_BUTTON, is_choice, NULL);

  while (index-- > 0)
    choice = gtk_widget_get_next_sibling (choice);
  return choice;
}

static void
end (AppRig *rig)
{
  PlgWindow *window = playing ();

  plg_window_end_lesson (window);
  if (window != rig->window)
    gtk_window_destroy (GTK_WINDOW (window));
}

/* Each learner continues with a separate record. */
static void
test_two_learners (AppRig *rig, gconstpointer data)
{
  static const char *const learners[] = { "Ada Lovelace", "Grace “Amazing” Hopper" };
  g_autofree char *folder = plg_learner_own_folder ();
  g_auto (GStrv) names = NULL;

  for (int i = 0; i < 2; i++)
    {
      begin (rig, learners[i]);
      g_signal_emit_by_name (choice_at (i), "clicked");
      end (rig);
    }
  names = plg_learner_names (folder);
  for (int i = 0; i < 2; i++)
    {
      g_assert_true (g_strv_contains ((const char *const *) names, learners[i]));
      begin (rig, learners[i]);
      g_assert_true (gtk_widget_has_css_class (choice_at (i), "shown"));
      g_assert_false (gtk_widget_has_css_class (choice_at (1 - i), "shown"));
      end (rig);
    }
}

/* With a known name, the first lesson has the focus, so that a key of a presentation remote does
 * not change the name. */
static void
test_focus (AppRig *rig, gconstpointer data)
{
  GtkWidget *dialog, *focus;

  begin (rig, "Ada Lovelace");
  end (rig);
  app_rig_act (rig, "win.lessons");
  dialog = app_rig_open_window (PLG_TYPE_LESSONS_DIALOG);
  focus = gtk_window_get_focus (GTK_WINDOW (dialog));
  g_assert_true (ADW_IS_ACTION_ROW (focus));
  g_assert_true (g_str_has_prefix (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (focus)),
                                   "1 "));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* A name that is invalid as a file name begins no lesson. */
static void
test_bad_name (AppRig *rig, gconstpointer data)
{
  g_autofree char *name = g_strnfill (61, 'a');
  GtkWidget *dialog;

  begin (rig, name);
  dialog = app_rig_open_window (PLG_TYPE_LESSONS_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_true (app_rig_shows (dialog, "1 to 60 printable"));
  g_assert_null (playing ());
  gtk_window_destroy (GTK_WINDOW (dialog));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/class-window/window", test_class },
    { "/class-window/remarks", test_remarks },
    { "/class-window/export", test_export },
    { "/class-window/two-learners", test_two_learners },
    { "/class-window/bad-name", test_bad_name },
    { "/class-window/long-name", test_long_name },
    { "/class-window/focus", test_focus },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
