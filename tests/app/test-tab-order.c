/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab cycles through the window with every set of visible panes. */
#include "app-rig.h"

#include "lessons/lesson.h"

#include <string.h>

#define MOST_STOPS 300

/* Goes to a step without a link, question or other focusable widget. */
#define PLAIN                                                  \
  "<lesson version='1' id='plain'><title>Plain</title>"        \
  "<step id='one'><title>One</title><p>Nothing but words.</p>" \
  "<goal><p>Eight.</p><must holds='tp&gt;=8'/></goal></step></lesson>"

/* Presses Tab from the canvas until the canvas has the focus again. */
static void
go_round (AppRig *rig, GtkDirectionType direction)
{
  GtkWindow *window = GTK_WINDOW (rig->window);
  GtkWidget *canvas = GTK_WIDGET (plg_window_canvas (rig->window));
  int stops = 0;

  gtk_widget_grab_focus (canvas);
  do
    {
      GtkWidget *before = gtk_window_get_focus (window);

      g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window), direction) ||
                     gtk_widget_child_focus (GTK_WIDGET (window), direction));
      g_assert_true (gtk_window_get_focus (window) != before);
      stops++;
      g_assert_cmpint (stops, <, MOST_STOPS);
    }
  while (gtk_window_get_focus (window) == NULL ||
         (gtk_window_get_focus (window) != canvas &&
          !gtk_widget_is_ancestor (gtk_window_get_focus (window), canvas)));
  g_assert_cmpint (stops, >, 5);
}

static void
go_both_ways (AppRig *rig)
{
  rig_next_frame (GTK_WIDGET (rig->window));
  go_round (rig, GTK_DIR_TAB_FORWARD);
  go_round (rig, GTK_DIR_TAB_BACKWARD);
}

static void
test_plan (AppRig *rig, gconstpointer data)
{
  go_both_ways (rig);
}

static void
test_plain_step (AppRig *rig, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgLesson) lesson = plg_lesson_read (PLAIN, strlen (PLAIN), &error);

  g_assert_no_error (error);
  plg_window_begin_lesson (rig->window, lesson);
  go_both_ways (rig);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/tab-order/plan", test_plan },
    { "/tab-order/plain-step", test_plain_step },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
