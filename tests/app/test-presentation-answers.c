/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"
#include "presentation-rig.h"

#include "lessons/lesson-library.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/lesson/presentation.h"

#include <string.h>

/* Answering a question in a presentation. */

#define EIGHTH "<choice><say>x</say><because><p>y</p></because></choice>"

/* The next key at an open question shows how to answer and focuses the choices. */
static void
test_open_question (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);
  GtkWidget *hint;

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  hint = GTK_WIDGET (presentation_rig_part (rig, "hint"));
  g_assert_false (gtk_widget_get_mapped (hint));
  for (int i = 0; i < 4; i++)
    g_assert_true (presentation_rig_press (rig, GDK_KEY_Page_Down));
  presentation_rig_come_to_rest (rig);
  g_assert_true (gtk_widget_get_mapped (hint));
  presentation_rig_check_sizes (rig);
  gtk_widget_grab_focus (GTK_WIDGET (plg_window_canvas (rig->window)));
  for (int i = 0; i < 12 && !gtk_widget_has_focus (presentation_rig_choice (rig, 0)); i++)
    gtk_widget_child_focus (GTK_WIDGET (rig->window), GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_widget_has_focus (presentation_rig_choice (rig, 0)));
  g_signal_emit_by_name (presentation_rig_choice (rig, 0), "clicked");
  presentation_rig_come_to_rest (rig);
  g_assert_false (gtk_widget_get_mapped (hint));
  /* The hidden pane does not take the focus. */
  g_assert_true (gtk_widget_has_focus (presentation_rig_choice (rig, 0)));
}

static int
marked (PresentationRig *rig)
{
  return plg_presentation_marked (PLG_PRESENTATION (presentation_rig_find (rig,
                                                                           PLG_TYPE_PRESENTATION)));
}

/* Moves to CHOICE of the open question, beyond and back. */
static void
mark (PresentationRig *rig, int choice)
{
  for (int i = 0; i < 40 && marked (rig) < 0; i++)
    presentation_rig_press (rig, GDK_KEY_Page_Down);
  g_assert_cmpint (marked (rig), ==, 0);
  while (marked (rig) < choice)
    presentation_rig_press (rig, GDK_KEY_Page_Down);
  presentation_rig_press (rig, GDK_KEY_Page_Up);
  g_assert_cmpint (marked (rig), ==, choice - 1);
  presentation_rig_press (rig, GDK_KEY_Page_Down);
  g_assert_cmpint (marked (rig), ==, choice);
  g_assert_true (gtk_widget_is_focus (presentation_rig_choice (rig, choice)));
  g_assert_true (gtk_widget_has_css_class (presentation_rig_choice (rig, choice), "marked"));
}

/* A presentation remote has only these keys and can play a lesson to its end. */
static void
test_presentation_remote (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];
      const char *title = i + 1 < lesson->steps->len
                              ? ((PlgLessonStep *) lesson->steps->pdata[i + 1])->title
                              : NULL;

      g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (presentation_rig_part (rig, "step"))), ==,
                       step->title);
      if (step->question != NULL)
        {
          mark (rig, (int) step->question->choices->len - 1);
          g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
          g_assert_true (presentation_rig_is_answered (rig));
          g_assert_cmpint (marked (rig), ==, -1);
          presentation_rig_come_to_rest (rig);
        }
      for (int j = 0;
           j < 40 && title != NULL &&
           !g_str_equal (gtk_label_get_label (GTK_LABEL (presentation_rig_part (rig, "step"))),
                         title);
           j++)
        presentation_rig_press (rig, GDK_KEY_Page_Down);
      presentation_rig_come_to_rest (rig);
    }
}

static GtkWidget *
scroller_of (GtkWidget *choice)
{
  return gtk_widget_get_ancestor (choice, GTK_TYPE_SCROLLED_WINDOW);
}

static gboolean
is_in_sight (GtkWidget *choice)
{
  double y = -1;

  gtk_widget_translate_coordinates (choice, scroller_of (choice), 0, 0, NULL, &y);
  return y >= -0.5 &&
         y + gtk_widget_get_height (choice) <= gtk_widget_get_height (scroller_of (choice)) + 0.5;
}

/* The hint how to answer hides no choice that still fits, and never the marked choice. */
static void
check_choices_in_sight (PresentationRig *rig, const PlgQuestion *question)
{
  int last = (int) question->choices->len - 1;
  GtkWidget *list = GTK_WIDGET (presentation_rig_part (rig, "choices"));

  for (int i = 0; i < 40 && marked (rig) < 0; i++)
    presentation_rig_press (rig, GDK_KEY_Page_Down);
  presentation_rig_come_to_rest (rig);
  g_assert_true (is_in_sight (presentation_rig_choice (rig, 0)));
  if (gtk_widget_get_height (list) <=
      gtk_widget_get_height (scroller_of (presentation_rig_choice (rig, 0))))
    g_assert_true (is_in_sight (presentation_rig_choice (rig, last)));
  while (marked (rig) < last)
    presentation_rig_press (rig, GDK_KEY_Page_Down);
  presentation_rig_come_to_rest (rig);
  g_assert_true (is_in_sight (presentation_rig_choice (rig, last)));
}

static void
test_choices_in_sight (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  for (guint i = 0; i < lessons->len; i++)
    {
      PlgLesson *lesson = lessons->pdata[i];

      plg_window_begin_lesson (rig->window, lesson);
      for (guint j = 0; j < lesson->steps->len; j++)
        {
          const PlgLessonStep *step = lesson->steps->pdata[j];

          presentation_rig_come_to_rest (rig);
          g_test_message ("%s, %s", lesson->id, step->id);
          if (step->question != NULL)
            {
              check_choices_in_sight (rig, step->question);
              presentation_rig_press (rig, GDK_KEY_b);
            }
          plg_lesson_pane_go (PLG_LESSON_PANE (presentation_rig_find (rig, PLG_TYPE_LESSON_PANE)),
                              1);
        }
    }
}

/* Without a marked choice, B blanks the screen and Page Up leaves the first choice. */
static void
test_no_marked_choice (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  plg_window_begin_lesson (rig->window, presentation_rig_lesson (lessons));
  presentation_rig_present (rig);
  mark (rig, 1);
  presentation_rig_press (rig, GDK_KEY_Page_Up);
  presentation_rig_press (rig, GDK_KEY_Page_Up);
  g_assert_cmpint (marked (rig), ==, -1);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (presentation_rig_part (rig, "hint"))));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  g_assert_false (presentation_rig_is_answered (rig));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  /* The full stop blanks the screen even with a marked choice. */
  mark (rig, 1);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_period));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  g_assert_false (presentation_rig_is_answered (rig));
  g_assert_cmpint (marked (rig), ==, 1);
}

/* Digits answer the open question; B belongs to the remote. */
static void
test_digits (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = presentation_rig_lesson (lessons);
  int right = ((PlgLessonStep *) lesson->steps->pdata[0])->question->right;

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_press (rig, GDK_KEY_9);
  g_assert_false (presentation_rig_is_answered (rig));
  /* The key that ends a blank screen gives no answer. */
  g_assert_true (presentation_rig_press (rig, GDK_KEY_period));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_2));
  g_assert_false (presentation_rig_is_answered (rig));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  g_assert_false (presentation_rig_is_answered (rig));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_2));
  g_assert_true (presentation_rig_is_answered (rig));
  g_assert_true (g_str_has_suffix (presentation_rig_text (presentation_rig_choice (rig, 1)),
                                   right == 1 ? "Right" : "Wrong"));
  /* A question is answered once, and B blanks the screen again. */
  presentation_rig_press (rig, GDK_KEY_1);
  g_assert_true (right == 0 ||
                 !g_str_has_suffix (presentation_rig_text (presentation_rig_choice (rig, 0)),
                                    "Wrong"));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
}

static const char
    eight[] = "<lesson version='1' id='e'><title>T</title><step id='s'><title>S</title>"
              "<question id='q' answer='h' hides='bubble'><p>?</p>" EIGHTH EIGHTH EIGHTH EIGHTH
                  EIGHTH EIGHTH EIGHTH EIGHTH "</question></step></lesson>";

/* A question can have eight choices with a digit each. */
static void
test_last_digit (PresentationRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = plg_lesson_read (eight, strlen (eight), NULL);

  plg_window_begin_lesson (rig->window, lesson);
  presentation_rig_present (rig);
  presentation_rig_press (rig, GDK_KEY_9);
  g_assert_false (presentation_rig_is_answered (rig));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_8));
  g_assert_true (presentation_rig_is_answered (rig));
  g_assert_true (g_str_has_suffix (presentation_rig_text (presentation_rig_choice (rig, 7)),
                                   "Right"));
}

int
main (int argc, char **argv)
{
  static const PresentationRigCase cases[] = {
    { "/presentation-answers/open-question", test_open_question },
    { "/presentation-answers/presentation-remote", test_presentation_remote },
    { "/presentation-answers/choices-in-sight", test_choices_in_sight },
    { "/presentation-answers/no-marked-choice", test_no_marked_choice },
    { "/presentation-answers/digits", test_digits },
    { "/presentation-answers/last-digit", test_last_digit },
  };

  return presentation_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
