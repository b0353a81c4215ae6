/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"
#include "presentation-rig.h"

#include "app/presenter-window.h"
#include "lessons/lesson-library.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/panels/panels.h"
#include "widgets/lesson/presentation.h"

#include <string.h>

static const char *
title_of (const PlgLesson *lesson, int step)
{
  return ((PlgLessonStep *) lesson->steps->pdata[step])->title;
}

static gboolean
starts_with (GtkWidget *widget, gpointer start)
{
  return gtk_widget_get_mapped (widget) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), start);
}

/* The question is presented and its number stays hidden; the remote continues only after the
 * answer. */
static void
test_lesson (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);
  char *first = (char *) title_of (lesson, 0), *second = (char *) title_of (lesson, 1);
  GtkWidget *presentation, *choice;
  GtkLabel *number;

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  presentation_rig_check_sizes (rig);
  presentation = presentation_rig_find (rig, PLG_TYPE_PRESENTATION);
  number = GTK_LABEL (gtk_widget_get_template_child (presentation, PLG_TYPE_PRESENTATION,
                                                     "number"));
  g_assert_cmpstr (gtk_label_get_text (number), ==, "Shown after you answer");
  /* The page key does not move the cluster out of view. */
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Page_Down));
  g_assert_true (plg_canvas_save_view (plg_window_canvas (rig->window)).fit);
  g_assert_nonnull (rig_find (presentation, GTK_TYPE_LABEL, starts_with, first));
  choice = rig_find (presentation, GTK_TYPE_BUTTON, NULL, NULL);
  gtk_test_accessible_assert_property (
      choice, GTK_ACCESSIBLE_PROPERTY_LABEL,
      gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (choice)))));
  g_signal_emit_by_name (choice, "clicked");
  g_assert_true (g_str_has_suffix (gtk_label_get_text (number), "%"));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Page_Down));
  g_assert_nonnull (rig_find (presentation, GTK_TYPE_LABEL, starts_with, second));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Page_Up));
  plg_window_end_lesson (rig->window);
  g_assert_null (rig_find (presentation, GTK_TYPE_LABEL, starts_with, first));
}

/* In a narrow window the lesson keeps its place. */
static void
test_lesson_in_narrow_window (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  plg_window_begin_lesson (rig->window, presentation_rig_lesson (lessons));
  presentation_rig_resize (rig, 1024, 768);
  presentation_rig_come_to_rest (rig);
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_LESSON_PANE));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PANELS));
  presentation_rig_present (rig);
  presentation_rig_come_to_rest (rig);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  presentation_rig_come_to_rest (rig);
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_LESSON_PANE));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PANELS));
}

/* Right and wrong are shown in words as well as colours, with the reason. */
static void
test_verdict (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);
  int right = ((PlgLessonStep *) lesson->steps->pdata[0])->question->right;
  int wrong = right == 0 ? 1 : 0;

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (presentation_rig_part (rig, "because"))));
  g_signal_emit_by_name (presentation_rig_choice (rig, wrong), "clicked");
  presentation_rig_come_to_rest (rig);
  g_assert_true (g_str_has_suffix (presentation_rig_text (presentation_rig_choice (rig, wrong)),
                                   "Wrong"));
  g_assert_true (g_str_has_suffix (presentation_rig_text (presentation_rig_choice (rig, right)),
                                   "Right"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (presentation_rig_part (rig, "because"))));
  presentation_rig_check_sizes (rig);
}

/* Goes to the first step of LESSON for which TEST is true, answering on the way. */
static const PlgLessonStep *
go_to_step (PresentationRig *rig, PlgLesson *lesson, gboolean (*test) (const PlgLessonStep *))
{
  plg_window_begin_lesson (rig->window, lesson);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];

      if (test (step))
        return step;
      if (step->question != NULL)
        g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
      g_assert_true (plg_lesson_pane_go (
          PLG_LESSON_PANE (presentation_rig_find (rig, PLG_TYPE_LESSON_PANE)), 1));
    }
  g_assert_not_reached ();
}

/* Every text is large enough for the back row, with any plan. */
static void
test_every_step (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  presentation_rig_present (rig);
  for (guint i = 0; i < lessons->len; i++)
    {
      PlgLesson *lesson = lessons->pdata[i];

      plg_window_begin_lesson (rig->window, lesson);
      presentation_rig_resize (rig, i % 2 == 0 ? 1024 : 1920, i % 2 == 0 ? 768 : 1080);
      for (guint j = 0; j < lesson->steps->len; j++)
        {
          presentation_rig_come_to_rest (rig);
          presentation_rig_check_all_texts (rig);
          if (((const PlgLessonStep *) lesson->steps->pdata[j])->question != NULL)
            g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
          plg_lesson_pane_go (PLG_LESSON_PANE (presentation_rig_find (rig, PLG_TYPE_LESSON_PANE)),
                              1);
        }
    }
}

static gboolean
has_only_text (const PlgLessonStep *step)
{
  return step->question == NULL && step->goal == NULL;
}

/* A step without a question is not an empty page. */
static void
test_only_text (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *question;

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  go_to_step (rig, presentation_rig_lesson (lessons), has_only_text);
  presentation_rig_come_to_rest (rig);
  question = GTK_WIDGET (presentation_rig_part (rig, "question"));
  g_assert_true (gtk_widget_get_mapped (question));
  g_assert_nonnull (rig_find (question, GTK_TYPE_LABEL, NULL, NULL));
  presentation_rig_check_sizes (rig);
}

static gboolean
has_goal (const PlgLessonStep *step)
{
  return step->goal != NULL && step->question == NULL;
}

/* A goal does not read like a fact. */
static void
test_goal (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkLabel *goal;

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  go_to_step (rig, presentation_rig_lesson (lessons), has_goal);
  presentation_rig_come_to_rest (rig);
  goal = GTK_LABEL (presentation_rig_part (rig, "goal"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (goal)));
  g_assert_nonnull (strstr (gtk_label_get_text (goal), "FAIL"));
  presentation_rig_check_sizes (rig);
}

static gboolean
heals (const PlgLessonStep *step)
{
  return step->goal != NULL && step->question != NULL && step->question->number != NULL &&
         g_str_equal (step->question->number->name, "memory");
}

/* The key figure is the goal's number as soon as a goal is shown. */
static void
test_key_figure_of_goal (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkLabel *measure;

  presentation_rig_present (rig);
  measure = GTK_LABEL (presentation_rig_part (rig, "measure"));
  go_to_step (rig, presentation_rig_lesson (lessons), has_goal);
  g_assert_cmpstr (gtk_label_get_text (measure), ==, "Bubble");
  go_to_step (rig, lessons->pdata[8], heals);
  g_assert_true (g_str_has_prefix (gtk_label_get_text (measure), "Memory"));
  g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
  g_assert_cmpstr (gtk_label_get_text (measure), ==, "MFU");
}

static gboolean
colours_bytes (const PlgLessonStep *step)
{
  return step->setup != NULL && g_strcmp0 (step->setup->links, "bytes") == 0;
}

/* Numbers below the scale of links do not overlap, even a long last number. */
static void
test_scale (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  go_to_step (rig, lessons->pdata[3], colours_bytes);
  presentation_rig_come_to_rest (rig);
  presentation_rig_check_legend (rig);
  g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
  presentation_rig_come_to_rest (rig);
  presentation_rig_check_legend (rig);
}

/* Returns the number of pages of the first step of LESSON after the answer. The remote shows the
 * whole explanation before the next step. */
static int
read_first_step (PresentationRig *rig, PlgLesson *lesson)
{
  GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (presentation_rig_part (rig, "scroller")));
  graphene_rect_t bounds;
  int pages = 0;

  plg_window_begin_lesson (rig->window, lesson);
  if (((PlgLessonStep *) lesson->steps->pdata[0])->question == NULL)
    return 0;
  g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
  presentation_rig_come_to_rest (rig);
  presentation_rig_check_labels (GTK_WIDGET (rig->window), PRESENTATION_RIG_LEAST * 768);
  gtk_adjustment_set_value (text, 0);
  do
    {
      rig_next_frame (GTK_WIDGET (rig->window));
      g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (presentation_rig_part (rig, "because")),
                                                GTK_WIDGET (presentation_rig_part (rig,
                                                                                   "scroller")),
                                                &bounds));
      g_assert_true (presentation_rig_press (rig, GDK_KEY_Page_Down));
      pages++;
    }
  while (pages < 9 &&
         g_str_equal (gtk_label_get_text (GTK_LABEL (presentation_rig_part (rig, "step"))),
                      title_of (lesson, 0)));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=,
                     gtk_adjustment_get_page_size (text) + 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (text), ==, 0);
  return pages;
}

static void
test_explanation (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  int most = 0;

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  for (guint i = 0; i < lessons->len; i++)
    most = MAX (most, read_first_step (rig, lessons->pdata[i]));
  g_assert_cmpint (most, >, 1);
}

/* Returns the width of the column, which must be constant and contain the whole key figure. */
static int
check_number (PresentationRig *rig)
{
  GtkWidget *presentation = presentation_rig_find (rig, PLG_TYPE_PRESENTATION);
  GtkWidget *number = GTK_WIDGET (presentation_rig_part (rig, "number"));
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (number, presentation, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <, 200);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (presentation));
  return gtk_widget_get_width (presentation);
}

/* The column stays as wide for every text length and scroll position. */
static void
test_column_keeps_width (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  int width;

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  width = check_number (rig);
  for (guint i = 0; i < lessons->len; i++)
    {
      PlgLesson *lesson = lessons->pdata[i];
      const char *last = title_of (lesson, (int) lesson->steps->len - 1);

      plg_window_begin_lesson (rig->window, lesson);
      for (guint page = 0;
           page < 12 * lesson->steps->len &&
           !g_str_equal (gtk_label_get_text (GTK_LABEL (presentation_rig_part (rig, "step"))),
                         last);
           page++)
        {
          GtkWidget *choice = presentation_rig_choice (rig, 0);

          g_assert_cmpint (check_number (rig), ==, width);
          if (choice != NULL && !presentation_rig_is_answered (rig))
            g_signal_emit_by_name (choice, "clicked");
          rig_next_frame (GTK_WIDGET (rig->window));
          g_assert_cmpint (check_number (rig), ==, width);
          presentation_rig_press (rig, GDK_KEY_Page_Down);
          rig_next_frame (GTK_WIDGET (rig->window));
        }
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (presentation_rig_part (rig, "step"))), ==,
                       last);
      plg_window_end_lesson (rig->window);
    }
}

/* Pages that need more room do not move the lesson. */
static void
test_lesson_does_not_move (PresentationRig *rig, gconstpointer data)
{
  static const char *const pages[] = { "timeline", "pairs", "links" };
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *pane = presentation_rig_find (rig, PLG_TYPE_LESSON_PANE);
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window));
  double x;

  for (guint i = 0; i < lessons->len; i++)
    {
      plg_window_begin_lesson (rig->window, lessons->pdata[i]);
      presentation_rig_resize (rig, 1024, 768);
      for (guint j = 0; j < G_N_ELEMENTS (pages); j++)
        {
          gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", pages[j]);
          presentation_rig_come_to_rest (rig);
          g_assert_true (gtk_widget_get_mapped (pane));
          /* Next to the cluster, not over it. */
          gtk_widget_translate_coordinates (pane, canvas, gtk_widget_get_width (pane), 0, &x, NULL);
          g_assert_cmpfloat (x, <=, 0);
        }
    }
}

/* In a narrow window the lesson covers the cluster and keeps the focus. */
static void
test_lesson_covers_cluster (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *pane = presentation_rig_find (rig, PLG_TYPE_LESSON_PANE);

  plg_window_begin_lesson (rig->window, presentation_rig_lesson (lessons));
  presentation_rig_resize (rig, 1024, 768);
  presentation_rig_come_to_rest (rig);
  g_assert_nonnull (gtk_widget_get_focus_child (pane));
  presentation_rig_resize (rig, 820, 600);
  presentation_rig_come_to_rest (rig);
  g_assert_true (gtk_widget_get_mapped (pane));
  g_assert_nonnull (gtk_widget_get_focus_child (pane));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (rig->window)), pane));
}

static GtkWidget *
focus_of (PresentationRig *rig)
{
  return gtk_window_get_focus (GTK_WINDOW (rig->window));
}

/* After a presentation the focus returns to the cluster or the lesson. */
static void
test_focus (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window));
  GtkWidget *pane = presentation_rig_find (rig, PLG_TYPE_LESSON_PANE);
  GtkWidget *place;

  plg_window_begin_lesson (rig->window, presentation_rig_lesson (lessons));
  presentation_rig_come_to_rest (rig);
  for (int i = 0; i < 2; i++)
    {
      if (i == 1)
        gtk_widget_grab_focus (canvas);
      place = i == 1 ? canvas : pane;
      g_assert_true (gtk_widget_is_ancestor (focus_of (rig), place));
      presentation_rig_present (rig);
      for (int j = 0; j < 4; j++)
        gtk_widget_child_focus (GTK_WIDGET (rig->window), GTK_DIR_TAB_FORWARD);
      g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
      presentation_rig_come_to_rest (rig);
      g_assert_true (gtk_widget_is_ancestor (focus_of (rig), place));
    }
}

static GtkWindow *
presenter (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (PLG_IS_PRESENTER_WINDOW (window))
        return window;
    }
  return NULL;
}

/* The presenter window shows notes and the next step, and its keys control the presentation. */
static void
test_presenter (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);
  GtkWidget *window;
  GtkLabel *mfu;
  int least;

  plg_window_begin_lesson (rig->window, lesson);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.presenter", NULL));
  rig_until (presenter () != NULL && gtk_widget_get_mapped (GTK_WIDGET (presenter ())));
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  window = GTK_WIDGET (presenter ());
  g_assert_nonnull (rig_find (window, GTK_TYPE_LABEL, starts_with, (char *) title_of (lesson, 0)));
  g_assert_nonnull (rig_find (window, GTK_TYPE_LABEL, starts_with, (char *) title_of (lesson, 1)));
  mfu = GTK_LABEL (gtk_widget_get_template_child (window, PLG_TYPE_PRESENTER_WINDOW, "mfu"));
  g_assert_cmpstr (gtk_label_get_text (mfu), ==, "Shown after you answer");
  /* Words instead of numbers do not make the window wider. */
  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 640);
  /* Closing the window does not end the presentation. */
  gtk_window_destroy (presenter ());
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.presenter", NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  g_assert_null (presenter ());
}

/* Returns a second monitor. The X server has only one, but GDK keeps monitors in an ordinary
 * list. */
static GListStore *
monitors (void)
{
  return G_LIST_STORE (gdk_display_get_monitors (gdk_display_get_default ()));
}

static void
add_monitor (void)
{
  g_autoptr (GdkMonitor) own = g_list_model_get_item (G_LIST_MODEL (monitors ()), 0);
  g_autoptr (GdkMonitor) other = g_object_new (G_OBJECT_TYPE (own), "display",
                                               gdk_display_get_default (), NULL);

  g_list_store_append (monitors (), other);
}

/* Notes are on a second monitor if available, and never cover the presentation. */
static void
test_monitors (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  plg_window_begin_lesson (rig->window, presentation_rig_lesson (lessons));
  presentation_rig_present (rig);
  g_assert_null (presenter ());
  for (int i = 0; i < 2; i++)
    {
      add_monitor ();
      rig_until (presenter () != NULL && gtk_widget_get_mapped (GTK_WIDGET (presenter ())));
      g_list_store_remove (monitors (), 1);
      rig_until (presenter () == NULL);
      g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
    }
  /* Replacing a monitor does not move the notes to the presentation's monitor. */
  add_monitor ();
  rig_until (presenter () != NULL);
  add_monitor ();
  g_list_store_remove (monitors (), 1);
  rig_next_frame (GTK_WIDGET (rig->window));
  rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_nonnull (presenter ());
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  g_assert_null (presenter ());
  /* No monitor is left for the notes. */
  g_list_store_remove (monitors (), 1);
  add_monitor ();
  rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_null (presenter ());
  g_list_store_remove (monitors (), 1);
}

int
main (int argc, char **argv)
{
  static const PresentationRigCase cases[] = {
    { "/presentation-lessons/lesson", test_lesson },
    { "/presentation-lessons/lesson-in-narrow-window", test_lesson_in_narrow_window },
    { "/presentation-lessons/column-keeps-width", test_column_keeps_width },
    { "/presentation-lessons/focus", test_focus },
    { "/presentation-lessons/verdict", test_verdict },
    { "/presentation-lessons/explanation", test_explanation },
    { "/presentation-lessons/only-text", test_only_text },
    { "/presentation-lessons/every-step", test_every_step },
    { "/presentation-lessons/goal", test_goal },
    { "/presentation-lessons/key-figure-of-goal", test_key_figure_of_goal },
    { "/presentation-lessons/scale", test_scale },
    { "/presentation-lessons/lesson-does-not-move", test_lesson_does_not_move },
    { "/presentation-lessons/lesson-covers-cluster", test_lesson_covers_cluster },
    { "/presentation-lessons/presenter", test_presenter },
    { "/presentation-lessons/monitors", test_monitors },
  };

  return presentation_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
