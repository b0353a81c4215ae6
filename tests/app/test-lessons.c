/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "app/dialogs/convert-dialog.h"
#include "app/dialogs/lessons-dialog.h"
#include "app/screen-picture.h"
#include "engine/advice/advice.h"
#include "engine/report/metric.h"
#include "engine/report/redaction.h"
#include "lessons/lesson-library.h"
#include "plan/edit.h"
#include "plan/fault.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/lesson/lesson-pane.h"
#include "widgets/pictures/picture-view.h"

#include <glib/gstdio.h>
#include <string.h>

/* Lessons through the real window. */

/* Checks that no text shows a hidden number of PLAN. Short texts are skipped, since they can have
 * other meanings, and so is the limit of the bubble, which a hidden number may equal. */
static void
assert_silent (GtkWidget *widget, const PlgPlan *plan, guint redaction)
{
  g_autoptr (PlgReport) report = plg_evaluate_with_advice (plan, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *all = plg_metric_names ();
  g_auto (GStrv) names = g_strsplit (all, ", ", -1);

  app_rig_collect (widget, text);
  g_string_replace (text, "above 10.0\302\240%", "", 0);
  g_string_replace (text, "below 10.0\302\240%", "", 0);
  for (int i = 0; names[i] != NULL; i++)
    {
      const PlgMetric *metric = plg_metric_find (names[i]);
      double value = plg_metric_value (metric, report);
      g_autofree char *secret = plg_measure_text (metric->measure, value);

      if ((metric->about & redaction) != 0 && strlen (secret) > 6 && strchr (secret, '.') != NULL &&
          strstr (text->str, secret) != NULL)
        g_error ("%s, %s, is shown: %.200s", metric->name, secret,
                 MAX (strstr (text->str, secret) - 100, text->str));
    }
}

static GtkWidget *
pane_of (AppRig *rig)
{
  return rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LESSON_PANE, NULL, NULL);
}

static gboolean
is_choice (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "choice");
}

/* Checks that no text names the faults of PLAN, which a diagnosis must find. */
static void
assert_sound (GtkWidget *widget, const PlgPlan *plan)
{
  g_autoptr (GString) text = g_string_new (NULL);

  app_rig_collect (widget, text);
  for (int i = 0; i < plan->cluster.n_faults; i++)
    {
      const PlgFault *fault = &plan->cluster.faults[i];
      g_autofree char *described = plg_fault_describe (&plan->cluster, &plan->node_names, fault);
      g_autofree char *written = plg_fault_to_string (fault);

      g_assert_null (strstr (text->str, described));
      g_assert_null (strstr (text->str, written));
    }
}

/* Returns what questions after step POSITION, which starts with OWN, ask about the plans in the
 * step. */
static guint
asked_ahead (PlgDocument *document, const PlgLesson *lesson, int position, const PlgPlan *own)
{
  PlgCatalogue *catalogue = plg_document_catalogue (document);

  return plg_lesson_values_asked_later (lesson, position, own, FALSE, own, catalogue, NULL) |
         plg_lesson_values_asked_later (lesson, position, own, FALSE,
                                        plg_document_unredacted_plan (document), catalogue, NULL);
}

/* Plays LESSON to its end with the first or the last choice of each question. */
static void
play (AppRig *rig, PlgLesson *lesson, gboolean last)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *pane = pane_of (rig);

  plg_window_begin_lesson (rig->window, lesson);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const PlgLessonStep *step = lesson->steps->pdata[i];
      GtkWidget *choice;

      g_assert_true (app_rig_shows (pane, step->title));
      if (step->question != NULL)
        {
          g_autoptr (PlgPlan) own = plg_plan_copy (plg_document_unredacted_plan (document));
          guint later;

          assert_silent (GTK_WIDGET (rig->window), own, step->question->hides);
          if (step->question->hides & PLG_REDACT_FAULTS)
            assert_sound (GTK_WIDGET (rig->window), own);
          g_assert_false (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
          choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
          for (GtkWidget *next = choice; last && next != NULL;
               next = gtk_widget_get_next_sibling (next))
            choice = next;
          g_signal_emit_by_name (choice, "clicked");
          /* Every hidden number belongs to a later question. */
          later = asked_ahead (document, lesson, (int) i, own);
          g_assert_cmpint (plg_document_policy (document)->redaction, ==,
                           later | PLG_REDACT_LATER (later));
        }
      g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
    }
  g_assert_false (gtk_widget_get_mapped (pane));
}

static void
test_play_lessons (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  for (guint i = 0; i < lessons->len; i++)
    {
      play (rig, lessons->pdata[i], FALSE);
      play (rig, lessons->pdata[i], TRUE);
    }
}

static gboolean
is_named (GtkWidget *widget, gpointer label)
{
  return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static gboolean
is_in_sight (GtkWidget *widget, GtkWidget *scroller)
{
  double y = -1;

  gtk_widget_translate_coordinates (widget, scroller, 0, 0, NULL, &y);
  return y >= 0 && y + gtk_widget_get_height (widget) <= gtk_widget_get_height (scroller);
}

/* If a long text hides the question, the next button scrolls to the question. */
static void
test_next_button_scrolls_to_question (AppRig *rig, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("<lesson version='1' id='long'><title>L</title>"
                                           "<step id='s'><title>S</title>");
  g_autoptr (PlgLesson) lesson = NULL;
  GtkWidget *pane = pane_of (rig), *choice, *scroller;

  for (int i = 0; i < 60; i++)
    g_string_append (text, "<p>A paragraph.</p>");
  g_string_append (text, "<question id='q' answer='a'><p>?</p>"
                         "<choice id='a'><say>A</say><because><p>yes</p></because></choice>"
                         "<choice id='b'><say>B</say><because><p>no</p></because></choice>"
                         "</question></step></lesson>");
  lesson = plg_lesson_read (text->str, (gssize) text->len, NULL);
  plg_window_begin_lesson (rig->window, lesson);
  choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
  scroller = gtk_widget_get_ancestor (choice, GTK_TYPE_SCROLLED_WINDOW);
  rig_until (gtk_widget_get_mapped (choice) && !is_in_sight (choice, scroller));
  gtk_window_set_focus_visible (GTK_WINDOW (rig->window), FALSE);
  g_signal_emit_by_name (rig_find (pane, GTK_TYPE_BUTTON, is_named, (gpointer) "Go to _Question"),
                         "clicked");
  rig_until (is_in_sight (choice, scroller));
  g_assert_true (gtk_root_get_focus (GTK_ROOT (rig->window)) == choice);
  g_assert_true (gtk_window_get_focus_visible (GTK_WINDOW (rig->window)));
  g_assert_false (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
}

static const char unread[] = "<lesson version='1' id='unread'><title>L</title>"
                             "<step id='s'><title>Begun</title><p>Of <term ref='tp'>TP</term>, "
                             "of <term ref='pp'>PP</term>.</p>"
                             "<question id='q' answer='a'><p>?</p>"
                             "<choice id='a'><say>A</say><because><p>yes</p></because></choice>"
                             "<choice id='b'><say>B</say><because><p>no</p></because></choice>"
                             "</question></step></lesson>";

/* A step starts with the focus on its heading, which a screen reader speaks. Return gives no
 * answer, and Tab reaches the choices. */
static void
test_focus_on_heading (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = plg_lesson_read (unread, strlen (unread), NULL);
  GtkWidget *pane = pane_of (rig), *focus, *choice;

  plg_window_begin_lesson (rig->window, lesson);
  choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
  rig_until ((focus = gtk_root_get_focus (GTK_ROOT (rig->window))) != NULL &&
             gtk_widget_is_ancestor (focus, pane));
  gtk_test_accessible_assert_property (focus, GTK_ACCESSIBLE_PROPERTY_LABEL, "Begun");
  gtk_widget_activate (focus);
  rig_next_frame (pane);
  g_assert_false (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
  for (int i = 0; i < 8 && gtk_root_get_focus (GTK_ROOT (rig->window)) != choice; i++)
    gtk_widget_child_focus (GTK_WIDGET (rig->window), GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (rig->window)) == choice);
  plg_window_end_lesson (rig->window);
}

static gboolean
has_terms (GtkWidget *label, gpointer unused)
{
  return strstr (gtk_label_get_label (GTK_LABEL (label)), "term:pp") != NULL;
}

static gboolean
is_term (GtkWidget *popover, gpointer unused)
{
  return gtk_widget_has_css_class (popover, "term");
}

/* After a definition closes, its own link has the focus. */
static void
test_focus_after_definition (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = plg_lesson_read (unread, strlen (unread), NULL);
  GtkWidget *pane = pane_of (rig), *label, *popover;

  plg_window_begin_lesson (rig->window, lesson);
  rig_until ((label = rig_find (pane, GTK_TYPE_LABEL, has_terms, NULL)) != NULL);
  rig_next_frame (pane);
  gtk_widget_grab_focus (label);
  gtk_widget_child_focus (label, GTK_DIR_TAB_FORWARD);
  g_assert_cmpstr (gtk_label_get_current_uri (GTK_LABEL (label)), ==, "term:pp");
  g_signal_emit_by_name (label, "activate-current-link");
  rig_until ((popover = rig_find (pane, GTK_TYPE_POPOVER, is_term, NULL)) != NULL &&
             gtk_widget_get_mapped (popover));
  rig_until (gtk_root_get_focus (GTK_ROOT (rig->window)) != label);
  gtk_popover_popdown (GTK_POPOVER (popover));
  rig_until (!gtk_widget_get_mapped (popover));
  rig_next_frame (pane);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (rig->window)) == label);
  g_assert_cmpstr (gtk_label_get_current_uri (GTK_LABEL (label)), ==, "term:pp");
  plg_window_end_lesson (rig->window);
}

static gboolean
names_goal (GtkWidget *label, gpointer data)
{
  return gtk_widget_get_mapped (label) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)),
                           "The goal of this step has been reached\n");
}

/* Reaching the goal is announced in the inspector, which hides the lesson. */
static void
test_goal_in_inspector (AppRig *rig, gconstpointer data)
{
  static const char text[] = "<lesson version='1' id='goal'><title>G</title><step id='s'>"
                             "<title>S</title><plan from='default'/>"
                             "<goal><must holds='tp&lt;8'/></goal></step></lesson>";
  g_autoptr (PlgLesson) lesson = plg_lesson_read (text, strlen (text), NULL);
  GtkWidget *pane = pane_of (rig);
  GtkWidget *window = GTK_WIDGET (rig->window);

  plg_window_begin_lesson (rig->window, lesson);
  rig_until (gtk_widget_get_mapped (pane));
  gtk_test_accessible_assert_property (rig_find (pane, GTK_TYPE_BUTTON, is_named,
                                                 (gpointer) "_Finish"),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Finish");
  gtk_stack_set_visible_child_name (GTK_STACK (gtk_widget_get_ancestor (pane, GTK_TYPE_STACK)),
                                    "inspector");
  rig_until (!gtk_widget_get_mapped (pane));
  g_assert_null (rig_find (window, GTK_TYPE_LABEL, names_goal, NULL));
  g_assert_true (plg_document_set (plg_window_document (rig->window), "parallelism.tp", "4", NULL));
  rig_until (rig_find (window, GTK_TYPE_LABEL, names_goal, NULL) != NULL);
  plg_window_end_lesson (rig->window);
}

static guint
n_windows (AppRig *rig)
{
  guint n = 0;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (rig->application)); l != NULL;
       l = l->next)
    n += PLG_IS_WINDOW (l->data);
  return n;
}

static PlgWindow *
front_window (AppRig *rig)
{
  return PLG_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (rig->application)));
}

static const char again[] = "<lesson version='1' id='again'><title>%s</title><step id='s'>"
                            "<title>S</title><question id='q' answer='a'><p>?</p>"
                            "<choice id='a'><say>A</say><because><p>yes</p></because></choice>"
                            "<choice id='b'><say>B</say><because><p>no</p></because></choice>"
                            "</question></step></lesson>";

static PlgLesson *
read_again (const char *title)
{
  g_autofree char *text = g_strdup_printf (again, title);

  return plg_lesson_read (text, strlen (text), NULL);
}

/* A learner plays a lesson in one window, and a changed file continues in that window; another
 * learner gets another window. */
static void
test_opened_again (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgLesson) lesson = read_again ("One"), same = read_again ("One");
  g_autoptr (PlgLesson) other = read_again ("Two");
  GSettings *settings = plg_application_settings (rig->application);
  PlgWindow *window;
  guint n;

  g_settings_set_string (settings, "learner", "Ada");
  plg_application_begin_lesson (rig->application, lesson);
  window = front_window (rig);
  n = n_windows (rig);
  g_signal_emit_by_name (rig_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, is_choice, NULL),
                         "clicked");
  /* The changed plan stays when the lesson is opened again. */
  g_assert_true (plg_document_set (plg_window_document (window), "training.global-batch", "32",
                                   NULL));
  plg_application_begin_lesson (rig->application, same);
  g_assert_cmpuint (n_windows (rig), ==, n);
  g_assert_true (plg_window_lesson (window) == lesson);
  plg_application_begin_lesson (rig->application, other);
  g_assert_cmpuint (n_windows (rig), ==, n);
  g_assert_true (plg_window_lesson (window) == other);
  g_assert_cmpint (plg_document_policy (plg_window_document (window))->redaction, ==, 0);
  g_assert_true (plg_document_set (plg_window_document (window), "training.global-batch", "32",
                                   NULL));

  g_settings_set_string (settings, "learner", "Grace");
  g_assert_null (plg_window_lesson (window));
  plg_application_begin_lesson (rig->application, same);
  g_assert_cmpuint (n_windows (rig), ==, n + 1);
  gtk_window_destroy (GTK_WINDOW (front_window (rig)));
  plg_window_end_lesson (window);
}

/* The command line is built anew for each copy. */
static void
check_command (PlgDocument *document, gboolean open)
{
  g_auto (PlgRequest) request = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;

  plg_request_init (&request, plg_document_plan (document), PLG_PALETTE_LIGHT);
  line = plg_screen_picture_command (document, &request, &error);
  g_assert_true ((line != NULL) == open);
  g_assert_true ((error == NULL) == open);
}

/* Actions cannot reveal hidden numbers. */
static void
test_actions_reveal_nothing (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *window = GTK_WIDGET (rig->window);
  PlgDocument *document = plg_window_document (rig->window);

  for (guint i = 0; i < lessons->len; i++)
    {
      const PlgLessonStep *step = ((PlgLesson *) lessons->pdata[i])->steps->pdata[0];

      if (step->question == NULL || step->question->hides == 0)
        continue;
      plg_window_begin_lesson (rig->window, lessons->pdata[i]);
      g_assert_cmpint (plg_document_policy (document)->redaction, !=, 0);
      gtk_widget_activate_action (window, "win.convert", NULL);
      g_assert_null (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG));
      /* The shortcut reports the reason. */
      g_assert_true (rig_press (window, GDK_KEY_t, GDK_CONTROL_MASK));
      rig_until (app_rig_has_label (window, "Answer the question first"));
      check_command (document, FALSE);
      plg_window_end_lesson (rig->window);
      g_assert_cmpint (plg_document_policy (document)->redaction, ==, 0);
      g_assert_true (rig_press (window, GDK_KEY_t, GDK_CONTROL_MASK));
      g_assert_nonnull (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG));
      gtk_window_destroy (GTK_WINDOW (app_rig_open_window (PLG_TYPE_CONVERT_DIALOG)));
      check_command (document, TRUE);
    }
}

static gboolean
is_verdict (GtkWidget *widget, gpointer unused)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);

  return gtk_widget_get_focusable (widget) && GTK_IS_LABEL (first) &&
         gtk_widget_has_css_class (first, "heading");
}

/* Returns whether WIDGET is the heading of the step. */
static gboolean
is_heading (GtkWidget *widget)
{
  return widget != NULL && GTK_IS_BOX (widget) &&
         gtk_widget_has_css_class (gtk_widget_get_first_child (widget), "title-2");
}

static gboolean
press (GtkWidget *pane, guint key)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (rig_controller (pane, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key,
                         0, 0, &handled);
  return handled;
}

/* A lesson is playable by keyboard: the focus is on the current part, digits answer, and the
 * explanation scrolls into view. */
static void
test_lesson_keys (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = lessons->pdata[5];
  GtkWidget *pane = pane_of (rig), *choice, *verdict;
  graphene_rect_t place;

  plg_window_begin_lesson (rig->window, lesson);
  choice = rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL);
  rig_until (is_heading (gtk_root_get_focus (GTK_ROOT (rig->window))));
  gtk_test_accessible_assert_property (choice, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "1  None of it: there is always a micro-batch to work on");
  g_assert_false (press (pane, GDK_KEY_4));
  g_assert_true (press (pane, GDK_KEY_3));
  verdict = rig_find (pane, GTK_TYPE_BOX, is_verdict, NULL);
  rig_until (gtk_root_get_focus (GTK_ROOT (rig->window)) == verdict);
  g_assert_true (gtk_widget_compute_bounds (verdict, pane, &place));
  g_assert_cmpfloat (place.origin.y, >=, 0);
  g_assert_cmpfloat (place.origin.y, <, gtk_widget_get_height (pane) - 100);
  g_assert_true (press (pane, GDK_KEY_2));
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
  rig_until (is_heading (gtk_root_get_focus (GTK_ROOT (rig->window))));
  plg_window_end_lesson (rig->window);
}

static PlgLesson *
find_lesson (GPtrArray *lessons, const char *id)
{
  for (guint i = 0; i < lessons->len; i++)
    if (g_str_equal (((PlgLesson *) lessons->pdata[i])->id, id))
      return lessons->pdata[i];
  g_assert_not_reached ();
}

static gboolean
is_row (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "tablerow");
}

/* Returns the cells of the last worksheet row, such as "1. TP|8|…", and the number of rows. */
static char *
last_row (GtkWidget *pane, int *n)
{
  GString *text = g_string_new (NULL);
  GtkWidget *row = rig_find (pane, GTK_TYPE_BOX, is_row, NULL);

  for (*n = 1; gtk_widget_get_next_sibling (row) != NULL; (*n)++)
    row = gtk_widget_get_next_sibling (row);
  for (GtkWidget *cell = gtk_widget_get_first_child (row); cell != NULL;
       cell = gtk_widget_get_next_sibling (cell))
    g_string_append_printf (text, "%s|", gtk_label_get_text (GTK_LABEL (cell)));
  return g_string_free (text, FALSE);
}

/* The worksheet of the design lesson gains a row with each decision and follows the plan. */
static void
test_worksheet (AppRig *rig, gconstpointer data)
{
  static const char *const begins[] = { "1. TP|1|", "2. PP|1|", "2. PP|4|", "3. DP|2|",
                                        "4. State|" };
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = find_lesson (lessons, "sixty-four-gpus");
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *pane = pane_of (rig);

  plg_window_begin_lesson (rig->window, lesson);
  press (pane, GDK_KEY_1);
  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      g_autofree char *row = NULL;
      int n;

      g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
      row = last_row (pane, &n);
      g_assert_cmpint (n, ==, 2 + begins[i][0] - '1');
      g_assert_true (g_str_has_prefix (row, begins[i]));
      press (pane, GDK_KEY_1);
      if (i > 0)
        continue;
      g_free (row);
      g_assert_true (plg_document_set (document, "parallelism.tp", "8", NULL));
      row = last_row (pane, &n);
      g_assert_true (g_str_has_prefix (row, "1. TP|8|"));
    }
  plg_window_end_lesson (rig->window);
}

/* Returns the position of GPU on CANVAS. */
static PlgPoint
place_of_gpu (PlgCanvas *canvas, int gpu)
{
  const PlgShape *tile = plg_figure_find_entity (plg_canvas_figure (canvas),
                                                 (PlgEntity) { .kind = PLG_ENTITY_GPU,
                                                               .index = gpu });
  PlgPoint point;

  plg_canvas_to_widget (canvas, tile->rect.x + tile->rect.width / 2,
                        tile->rect.y + tile->rect.height / 2, &point.x, &point.y);
  return point;
}

/* Returns the edge handle of the first TP group. */
static PlgPoint
grip_of_tp (PlgCanvas *canvas)
{
  const PlgFigure *figure = plg_canvas_figure (canvas);
  PlgPoint point = { 0, 0 };

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->entity.kind != PLG_ENTITY_HANDLE || shape->entity.axis != PLG_AXIS_TP)
        continue;
      plg_canvas_to_widget (canvas, shape->rect.x + shape->rect.width / 2,
                            shape->rect.y + shape->rect.height / 2, &point.x, &point.y);
      if (plg_canvas_entity_at (canvas, point.x, point.y).kind == PLG_ENTITY_HANDLE)
        return point;
    }
  g_assert_not_reached ();
}

/* Drags the TP handle over each of GPUS, which -1 ends, without dropping. */
static void
drag_tp (PlgCanvas *canvas, const int *gpus)
{
  GtkEventController *drag = rig_controller (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_DRAG);
  PlgPoint from = grip_of_tp (canvas);

  g_signal_emit_by_name (drag, "drag-begin", from.x, from.y);
  for (int i = 0; gpus[i] >= 0; i++)
    {
      PlgPoint to = place_of_gpu (canvas, gpus[i]);

      g_signal_emit_by_name (drag, "drag-update", to.x - from.x, to.y - from.y);
    }
}

static void
let_go (PlgCanvas *canvas)
{
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_DRAG), "drag-end",
                         0.0, 0.0);
}

/* A goal is reached by the drop, not during the drag. */
static void
test_goal_by_drag (AppRig *rig, gconstpointer data)
{
  static const int over[] = { 1, 3, 1, -1 }, onto[] = { 1, 3, -1 };
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgDocument *document = plg_window_document (rig->window);
  GtkWidget *pane = pane_of (rig);
  PlgCanvas *canvas = PLG_CANVAS (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_CANVAS, NULL, NULL));
  GtkWidget *goal = GTK_WIDGET (gtk_widget_get_template_child (pane, PLG_TYPE_LESSON_PANE,
                                                               "goal_box"));

  plg_window_begin_lesson (rig->window, lessons->pdata[2]);
  g_signal_emit_by_name (rig_find (pane, GTK_TYPE_BUTTON, is_choice, NULL), "clicked");
  g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane), 1));
  rig_next_frame (GTK_WIDGET (canvas));
  rig_next_frame (GTK_WIDGET (canvas));

  drag_tp (canvas, over);
  let_go (canvas);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 2);
  g_assert_false (gtk_widget_has_css_class (goal, "reached"));
  rig_next_frame (GTK_WIDGET (canvas));

  drag_tp (canvas, onto);
  g_assert_true (plg_canvas_is_dragging (canvas));
  g_assert_true (app_rig_shows (pane, "Reached (PASS)."));
  g_assert_false (gtk_widget_has_css_class (goal, "reached"));
  let_go (canvas);
  g_assert_cmpint (plg_document_plan (document)->parallelism.degree[PLG_AXIS_TP], ==, 4);
  g_assert_true (gtk_widget_has_css_class (goal, "reached"));
  plg_window_end_lesson (rig->window);
}

/* No label or accessible name, visible or not, shows a hidden number, even after a change of the
 * plan. */
static void
assert_nothing_kept (GtkWidget *widget)
{
  g_autofree char *description = NULL;

  if (PLG_IS_PICTURE_VIEW (widget) && !gtk_widget_get_mapped (widget))
    {
      g_object_get (widget, "description", &description, NULL);
      g_assert_true (description == NULL || strstr (description, "idle") == NULL);
    }
  if (GTK_IS_LABEL (widget))
    g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (widget)), "The plan fits in memory"));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_nothing_kept (child);
}

static void
test_hidden_numbers (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *links = lessons->pdata[7], *sick = lessons->pdata[8];

  rig_next_frame (GTK_WIDGET (rig->window));
  plg_window_begin_lesson (rig->window, links);
  rig_next_frame (GTK_WIDGET (rig->window));
  assert_nothing_kept (GTK_WIDGET (rig->window));
  plg_window_end_lesson (rig->window);
  plg_window_begin_lesson (rig->window, sick);
  for (int step = 0; step < 2; step++)
    {
      GtkWidget *choice = rig_find (pane_of (rig), GTK_TYPE_BUTTON, is_choice, NULL);

      if (choice != NULL)
        g_signal_emit_by_name (choice, "clicked");
      g_assert_true (plg_lesson_pane_go (PLG_LESSON_PANE (pane_of (rig)), 1));
    }
  rig_next_frame (GTK_WIDGET (rig->window));
  assert_nothing_kept (pane_of (rig));
  plg_window_end_lesson (rig->window);
}

static gboolean
is_titled (GtkWidget *widget, gpointer title)
{
  return g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

/* A plan of the list opens in a pristine window, with its notes. */
static void
test_misunderstanding (AppRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  char title[] = "64 GPUs, so DP 64";
  GtkWidget *row;

  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.lessons", NULL);
  rig_until (app_rig_open_window (PLG_TYPE_LESSONS_DIALOG) != NULL);
  row = rig_find (app_rig_open_window (PLG_TYPE_LESSONS_DIALOG), ADW_TYPE_ACTION_ROW, is_titled,
                  title);
  g_assert_nonnull (row);
  g_signal_emit_by_name (row, "activated");
  rig_until (app_rig_open_window (PLG_TYPE_LESSONS_DIALOG) == NULL);
  g_assert_cmpstr (plg_document_plan (document)->title, ==, title);
  g_assert_false (plg_document_report (document)->fits);
}

/* In another language, the dialog says that lessons are in English. */
static void
test_language (AppRig *rig, gconstpointer data)
{
  static const char *const languages[] = { "de", "en_GB", "pt_BR", "C" };
  static const gboolean is_shown[] = { TRUE, FALSE, TRUE, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      GtkWidget *dialog;

      g_setenv ("LANGUAGE", languages[i], TRUE);
      app_rig_act (rig, "win.lessons");
      dialog = app_rig_open_window (PLG_TYPE_LESSONS_DIALOG);
      g_assert_true (app_rig_shows (dialog, "The lessons themselves are in English.") ==
                     is_shown[i]);
      gtk_window_destroy (GTK_WINDOW (dialog));
    }
  g_unsetenv ("LANGUAGE");
}

/* An unreadable learner record stays unchanged, and the learner is warned until the record is
 * readable. */
static void
test_broken_learner_record (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  g_autofree char *folder = plg_learner_own_folder ();
  g_autofree char *name = plg_learner_own_name ();
  g_autofree char *path = plg_learner_path (folder, name, NULL);
  g_autofree char *kept = NULL;
  GtkWidget *dialog;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "<learner", -1, NULL));
  plg_window_begin_lesson (rig->window, lessons->pdata[0]);
  plg_window_resume_lesson (rig->window);
  rig_until ((dialog = app_rig_open_window (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (dialog)), ==,
                   "The Answers Will Not Be Saved");
  gtk_window_destroy (GTK_WINDOW (dialog));
  plg_window_end_lesson (rig->window);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "<learner");
  g_assert_cmpint (g_remove (path), ==, 0);
}

static gboolean
names_belief (GtkWidget *label, gpointer unused)
{
  return gtk_widget_get_mapped (label) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), "Belief: ") &&
         strstr (gtk_label_get_text (GTK_LABEL (label)), "\nIn fact: ") != NULL;
}

static gboolean
puts_away (GtkWidget *button, gpointer unused)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (button), "Hide the Notes") == 0;
}

/* The notes of a misconception are shown next to the cluster, except during a lesson and after
 * closing the notes. */
static void
test_notes_of_misconception (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) plans = plg_lesson_misconception_plans (
      plg_document_catalogue (plg_window_document (rig->window)));
  g_autoptr (PlgLesson) lesson = read_again ("Over it");
  GtkWidget *window = GTK_WIDGET (rig->window);

  g_assert_null (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL));
  for (guint i = 0; i < plans->len; i++)
    {
      plg_document_reset (plg_window_document (rig->window), plans->pdata[i]);
      rig_until (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL) != NULL);
    }
  plg_window_begin_lesson (rig->window, lesson);
  g_assert_null (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL));
  plg_window_end_lesson (rig->window);
  plg_document_reset (plg_window_document (rig->window), plans->pdata[0]);
  rig_until (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL) != NULL);
  g_signal_emit_by_name (rig_find (window, GTK_TYPE_BUTTON, puts_away, NULL), "clicked");
  g_assert_null (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL));
  g_assert_true (plg_document_set (plg_window_document (rig->window), "training.global-batch",
                                   "128", NULL));
  g_assert_null (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL));
  plg_document_reset (plg_window_document (rig->window), plans->pdata[1]);
  rig_until (rig_find (window, GTK_TYPE_LABEL, names_belief, NULL) != NULL);
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/lessons/play", test_play_lessons },
    { "/lessons/opened-again", test_opened_again },
    { "/lessons/next-button-scrolls-to-question", test_next_button_scrolls_to_question },
    { "/lessons/focus-on-heading", test_focus_on_heading },
    { "/lessons/notes-of-misconception", test_notes_of_misconception },
    { "/lessons/focus-after-definition", test_focus_after_definition },
    { "/lessons/goal-in-inspector", test_goal_in_inspector },
    { "/lessons/keys", test_lesson_keys },
    { "/lessons/goal-by-drag", test_goal_by_drag },
    { "/lessons/hidden-numbers", test_hidden_numbers },
    { "/lessons/actions-reveal-nothing", test_actions_reveal_nothing },
    { "/lessons/worksheet", test_worksheet },
    { "/lessons/misunderstanding", test_misunderstanding },
    { "/lessons/language", test_language },
    { "/lessons/broken-learner-record", test_broken_learner_record },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
