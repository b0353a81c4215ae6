/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "lessons/lesson-library.h"
#include "plan/fault.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/inspector/order-menu.h"

#include <string.h>

/* Toasts of the window during a lesson. */

static GtkWidget *
pane_of (AppRig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LESSON_PANE, NULL, NULL);
}

static PlgLesson *
lesson_of (const char *steps)
{
  g_autofree char
      *text = g_strdup_printf ("<lesson version='1' id='goal'><title>G</title>%s</lesson>", steps);
  PlgLesson *lesson = plg_lesson_read (text, (gssize) strlen (text), NULL);

  g_assert_nonnull (lesson);
  return lesson;
}

/* Returns the text of the visible toast, or NULL. */
static const char *
visible_toast (AppRig *rig)
{
  GtkWidget *overlay = rig_find (GTK_WIDGET (rig->window), ADW_TYPE_TOAST_OVERLAY, NULL, NULL);

  for (GtkWidget *child = gtk_widget_get_first_child (overlay); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_css_name (child), "toast"))
      return gtk_label_get_text (GTK_LABEL (rig_find (child, GTK_TYPE_LABEL, NULL, NULL)));
  return NULL;
}

static gboolean
toast_contains (AppRig *rig, const char *part)
{
  const char *text = visible_toast (rig);

  return text != NULL && strstr (text, part) != NULL;
}

static void
choose_order (AppRig *rig, int row)
{
  PlgOrderMenu *menu = PLG_ORDER_MENU (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_ORDER_MENU,
                                                 NULL, NULL));
  GtkWidget *list = rig_find (GTK_WIDGET (menu), GTK_TYPE_LIST_BOX, NULL, NULL);

  g_signal_emit_by_name (list, "row-activated",
                         gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), row));
}

static gboolean
is_choice (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "choice");
}

static void
go_to_last (AppRig *rig, const PlgLesson *lesson)
{
  PlgLessonPane *pane = PLG_LESSON_PANE (pane_of (rig));

  for (guint i = 0; i + 1 < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];

      if (step->question != NULL)
        g_signal_emit_by_name (rig_find (GTK_WIDGET (pane), GTK_TYPE_BUTTON, is_choice, NULL),
                               "clicked");
      g_assert_true (plg_lesson_pane_go (pane, 1));
    }
}

/* Choosing an order announces both the cost and the reached goal, with value and limit of each
 * condition. */
static void
test_goal_and_cost (AppRig *rig, gconstpointer data)
{
  static const char *const said[] = { "The goal of this step has been reached",
                                      "at least 30\u00a0% (now ", "at most 16 (now ",
                                      "Reached (PASS).", "Order of Megatron-LM: step " };
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = NULL;

  for (guint i = 0; i < lessons->len; i++)
    if (g_str_equal (((PlgLesson *) lessons->pdata[i])->id, "another-placement"))
      lesson = lessons->pdata[i];
  g_assert_nonnull (lesson);
  plg_window_begin_lesson (rig->window, lesson);
  go_to_last (rig, lesson);
  choose_order (rig, 0);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    rig_until (toast_contains (rig, said[i]));
  /* Later messages keep the goal visible until the goal is lost. */
  plg_window_toast (rig->window, "next");
  rig_until (toast_contains (rig, "next"));
  g_assert_true (toast_contains (rig, said[0]));
  g_assert_true (app_rig_act (rig, "win.undo"));
  rig_until (toast_contains (rig, "Undone") && !toast_contains (rig, said[0]));
  plg_window_end_lesson (rig->window);
}

/* The goal is announced on the canvas too while the lesson pane is visible. */
static void
test_goal_with_open_pane (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = lesson_of ("<step id='s'><title>S</title><plan from='default'/>"
                                            "<goal><must holds='tp&lt;8'/></goal></step>");

  plg_window_begin_lesson (rig->window, lesson);
  rig_until (gtk_widget_get_mapped (pane_of (rig)));
  gtk_widget_grab_focus (GTK_WIDGET (plg_window_canvas (rig->window)));
  g_assert_true (plg_document_set (plg_window_document (rig->window), "parallelism.tp", "4", NULL));
  rig_until (toast_contains (rig, "below 8 (now 4). Reached (PASS)."));
  plg_window_end_lesson (rig->window);
  rig_until (visible_toast (rig) == NULL);
}

/* After the last page the missed goal is announced. */
static void
test_missed_goal_at_the_end (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = lesson_of ("<step id='s'><title>S</title><plan from='default'/>"
                                            "<goal><must holds='tp&lt;8'/></goal></step>");

  plg_window_begin_lesson (rig->window, lesson);
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane_of (rig)), 1));
  rig_until (toast_contains (rig, "“G” is finished"));
  g_assert_true (toast_contains (rig, "The goal of the last step was not reached"));
  g_assert_true (toast_contains (rig, "below 8 (now 8). Not reached yet (FAIL)."));
  plg_window_begin_lesson (rig->window, lesson);
  g_assert_true (plg_document_set (plg_window_document (rig->window), "parallelism.tp", "4", NULL));
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane_of (rig)), 1));
  rig_until (toast_contains (rig, "“G” is finished") && !toast_contains (rig, "not reached"));
}

static void
break_gpu (AppRig *rig)
{
  gtk_widget_activate_action (GTK_WIDGET (plg_window_canvas (rig->window)), "canvas.set-fault",
                              "(iiid)", PLG_FAULT_GPU, 3, 0, 0.5);
}

/* Messages about a step disappear with the step and do not return with the same step. */
static void
test_messages_of_past_step (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson =
                 lesson_of ("<step id='s'><title>S</title><plan from='default'/><p>x</p></step>"
                            "<step id='t'><title>T</title><plan from='default'/><p>y</p></step>");

  plg_window_begin_lesson (rig->window, lesson);
  break_gpu (rig);
  rig_until (visible_toast (rig) != NULL);
  g_signal_emit_by_name (gtk_widget_get_template_child (pane_of (rig), PLG_TYPE_LESSON_PANE,
                                                        "again"),
                         "clicked");
  rig_until (visible_toast (rig) == NULL);
  break_gpu (rig);
  rig_until (visible_toast (rig) != NULL);
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane_of (rig)), 1));
  rig_until (visible_toast (rig) == NULL);
  plg_window_end_lesson (rig->window);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/lesson-toasts/goal-and-cost", test_goal_and_cost },
    { "/lesson-toasts/goal-with-open-pane", test_goal_with_open_pane },
    { "/lesson-toasts/missed-goal-at-the-end", test_missed_goal_at_the_end },
    { "/lesson-toasts/messages-of-past-step", test_messages_of_past_step },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
