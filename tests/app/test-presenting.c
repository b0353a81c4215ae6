/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../widgets/rig.h"

#include "app/presenter.h"
#include "app/window.h"
#include "formats/lesson-library.h"
#include "widgets/beam.h"
#include "widgets/inspector.h"
#include "widgets/panels.h"
#include "widgets/player.h"
#include "widgets/presentation.h"

#include <math.h>
#include <string.h>

/* What the back row can read, of the window's height. */
#define LEAST 0.02

typedef struct
{
  PlgWindow *window;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->window = plg_window_new ((PlgApplication *) data);
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1024, 768);
  gtk_window_present (GTK_WINDOW (rig->window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (rig->window))));
  rig_next_frame (GTK_WIDGET (rig->window));
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (rig->window), (gpointer *) &rig->window);
  gtk_window_destroy (GTK_WINDOW (rig->window));
  rig_until (rig->window == NULL);
}

static GtkWidget *
find (Rig *rig, GType type)
{
  return rig_find (GTK_WIDGET (rig->window), type, NULL, NULL);
}

static gboolean
is_mapped (Rig *rig, GType type)
{
  GtkWidget *widget = find (rig, type);

  return widget != NULL && gtk_widget_get_mapped (widget);
}

/* As the window itself gets a key that its controllers see first. */
static gboolean
press (Rig *rig, guint key)
{
  GListModel *controllers = gtk_widget_observe_controllers (GTK_WIDGET (rig->window));
  gboolean done = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !done; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller) &&
          gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &done);
    }
  g_object_unref (controllers);
  return done;
}

static void
present (Rig *rig)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  rig_until (is_mapped (rig, PLG_TYPE_PRESENTATION));
  rig_until (!is_mapped (rig, PLG_TYPE_PANELS) && !is_mapped (rig, PLG_TYPE_INSPECTOR));
  rig_next_frame (GTK_WIDGET (rig->window));
}

/* Only the cluster and what belongs to it is left; afterwards all is as it was. */
static void
test_begin_and_end (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgPalette palette = plg_canvas_get_palette (canvas);
  gboolean had_panels = is_mapped (rig, PLG_TYPE_PANELS);
  gboolean had_inspector = is_mapped (rig, PLG_TYPE_INSPECTOR);
  gboolean had_player = is_mapped (rig, PLG_TYPE_PLAYER);
  double zoom = 1.5;

  plg_canvas_set_zoom (canvas, zoom);
  present (rig);
  rig_until (!is_mapped (rig, PLG_TYPE_INSPECTOR));
  g_assert_false (is_mapped (rig, ADW_TYPE_HEADER_BAR));
  g_assert_false (is_mapped (rig, PLG_TYPE_PLAYER));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (canvas)));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, PLG_PALETTE_PROJECTOR);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  rig_until (is_mapped (rig, ADW_TYPE_HEADER_BAR));
  rig_until (is_mapped (rig, PLG_TYPE_PANELS) == had_panels);
  rig_until (is_mapped (rig, PLG_TYPE_INSPECTOR) == had_inspector);
  rig_until (is_mapped (rig, PLG_TYPE_PLAYER) == had_player);
  g_assert_false (is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, palette);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* It is no picture: what is presented is still the plan. */
static void
test_is_live (Rig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *before = NULL;
  GtkLabel *number;

  present (rig);
  number = GTK_LABEL (gtk_widget_get_template_child (find (rig, PLG_TYPE_PRESENTATION),
                                                     PLG_TYPE_PRESENTATION, "number"));
  before = g_strdup (gtk_label_get_text (number));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_cmpstr (gtk_label_get_text (number), !=, before);
}

static gboolean
is_blank (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "blank") && gtk_widget_get_mapped (widget);
}

/* Any key brings the picture back, and does no more than that. */
static void
test_blank (Rig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);

  present (rig);
  g_assert_true (press (rig, GDK_KEY_b));
  rig_until (rig_find (window, GTK_TYPE_BOX, is_blank, NULL) != NULL);
  g_assert_true (press (rig, GDK_KEY_Escape));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
  g_assert_true (is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (press (rig, GDK_KEY_B));
  g_assert_true (press (rig, GDK_KEY_B));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
}

/* Texts */

static void
check_labels (GtkWidget *widget, double least)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    {
      const PangoFontDescription
          *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));

      g_assert_true (pango_font_description_get_size_is_absolute (font));
      g_assert_cmpfloat (pango_font_description_get_size (font) / (double) PANGO_SCALE, >=, least);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_labels (child, least);
}

/* How many texts there are, none of them smaller than LEAST at ZOOM. */
static int
check_figure (const PlgFigure *figure, double zoom, double least)
{
  int n = 0;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT)
        continue;
      n++;
      g_assert_cmpfloat (shape->font_size * zoom, >=, least);
    }
  return n;
}

static void
check_sizes (Rig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  check_labels (GTK_WIDGET (rig->window), least);
  /* Each rank and each node is still named. */
  g_assert_cmpint (check_figure (plg_canvas_figure (canvas), plg_canvas_get_zoom (canvas), least),
                   >=, 64 + 8);
  g_assert_cmpint (check_figure (plg_canvas_legend_figure (canvas), 1, least), >, 0);
}

static void
resize (Rig *rig, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (rig->window), width, height);
  /* Less its shadows, for there is no window manager here. */
  rig_until (ABS (gtk_widget_get_height (GTK_WIDGET (rig->window)) - height) < 20);
  for (int i = 0; i < 4; i++)
    rig_next_frame (GTK_WIDGET (rig->window));
}

static void
test_sizes (Rig *rig, gconstpointer data)
{
  present (rig);
  resize (rig, 1024, 768);
  check_sizes (rig);
  resize (rig, 1920, 1080);
  check_sizes (rig);
}

/* Pointing */

static PlgBeam *
beam (Rig *rig)
{
  return PLG_BEAM (find (rig, PLG_TYPE_BEAM));
}

/* Whether the middle of the cell of GPU is in the disc. */
static gboolean
lights (Rig *rig, int gpu)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgRect rect = plg_grid_gpu_rect (plg_document_plan (plg_window_document (rig->window)), gpu);
  double x, y, disc_x, disc_y, radius;

  plg_canvas_to_widget (canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &x, &y);
  gtk_widget_translate_coordinates (GTK_WIDGET (canvas), GTK_WIDGET (beam (rig)), x, y, &x, &y);
  plg_beam_get_disc (beam (rig), &disc_x, &disc_y, &radius);
  return hypot (x - disc_x, y - disc_y) < radius;
}

static void
move_pointer (Rig *rig, double x, double y)
{
  GListModel *controllers = gtk_widget_observe_controllers (GTK_WIDGET (rig->window));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", x, y);
    }
  g_object_unref (controllers);
}

/* The disc is where the pointer is, in the frame of its motion, and only the beam is painted. */
static void
test_spotlight (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double x, y, radius;
  guint paints;

  present (rig);
  g_assert_true (press (rig, GDK_KEY_s));
  rig_until (is_mapped (rig, PLG_TYPE_BEAM));
  move_pointer (rig, 300, 200);
  rig_next_frame (GTK_WIDGET (canvas));
  paints = plg_canvas_n_paints (canvas);
  for (int i = 0; i < 20; i++)
    {
      move_pointer (rig, 300 + 10 * i, 200 + 5 * i);
      plg_beam_get_disc (beam (rig), &x, &y, &radius);
      g_assert_cmpfloat_with_epsilon (x, 300 + 10 * i, 1);
      g_assert_cmpfloat_with_epsilon (y, 200 + 5 * i, 1);
      rig_next_frame (GTK_WIDGET (canvas));
    }
  g_assert_cmpuint (plg_canvas_n_paints (canvas), ==, paints);
  g_assert_cmpfloat (radius, >, 80);
  /* Arrows take it along; what has the focus is in it. */
  for (int i = 0; i < 3; i++)
    {
      press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
      rig_next_frame (GTK_WIDGET (canvas));
      rig_next_frame (GTK_WIDGET (canvas));
      g_assert_true (lights (rig, plg_canvas_get_selected (canvas)));
    }
  g_assert_true (press (rig, GDK_KEY_S));
  g_assert_false (is_mapped (rig, PLG_TYPE_BEAM));
}

/* The share of the canvas that node 3 takes, of its width or of its height. */
static double
share_of_node (Rig *rig, int node)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgRect rect = plg_grid_node_rect (plg_document_plan (plg_window_document (rig->window)), node);
  double zoom = plg_canvas_get_zoom (canvas);

  return MAX (rect.width * zoom / gtk_widget_get_width (GTK_WIDGET (canvas)),
              rect.height * zoom / gtk_widget_get_height (GTK_WIDGET (canvas)));
}

/* Z zooms to the node of the focus and back to what was in sight. */
static void
test_zoom (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double zoom, large;

  present (rig);
  zoom = plg_canvas_get_zoom (canvas);
  plg_canvas_select (canvas, 3 * 8);
  for (int i = 0; i < 3; i++)
    {
      press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
    }
  g_assert_true (press (rig, GDK_KEY_z));
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpfloat (share_of_node (rig, 0), >, 0.6);
  large = plg_canvas_get_zoom (canvas);
  g_assert_cmpfloat (large, >, zoom);
  /* Over its border, the next one is shown. */
  for (int i = 0; i < 8; i++)
    gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_DOWN);
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpint (plg_canvas_get_alone (canvas), >, 0);
  g_assert_true (press (rig, GDK_KEY_Z));
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, -1);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* Each Esc gives up one thing of presenting and nothing else does: pins and selection stay. */
static void
test_escape (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgSpotlight *spotlight = plg_document_spotlight (plg_window_document (rig->window));
  int n_pins;

  plg_spotlight_toggle (spotlight, (PlgThing) { PLG_THING_GPU, 0, 5 });
  plg_canvas_select (canvas, 7);
  present (rig);
  press (rig, GDK_KEY_s);
  press (rig, GDK_KEY_z);
  press (rig, GDK_KEY_b);
  g_assert_true (press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_alone (canvas), >=, 0);
  g_assert_true (press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, -1);
  g_assert_true (is_mapped (rig, PLG_TYPE_BEAM));
  g_assert_true (press (rig, GDK_KEY_Escape));
  g_assert_false (is_mapped (rig, PLG_TYPE_BEAM));
  g_assert_true (is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (press (rig, GDK_KEY_Escape));
  g_assert_false (is_mapped (rig, PLG_TYPE_PRESENTATION));
  plg_spotlight_lit (spotlight, NULL, &n_pins);
  g_assert_cmpint (n_pins, ==, 1);
  g_assert_cmpint (plg_canvas_get_selected (canvas), ==, 7);
  /* With nothing of presenting, the first ends it; and what was pointed with does not come back. */
  present (rig);
  g_assert_false (is_mapped (rig, PLG_TYPE_BEAM));
  press (rig, GDK_KEY_Escape);
  g_assert_false (is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_false (press (rig, GDK_KEY_s));
}

static void
check_pointing_sizes (Rig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  check_labels (GTK_WIDGET (rig->window), least);
  g_assert_cmpint (check_figure (plg_canvas_figure (canvas), plg_canvas_get_zoom (canvas), least),
                   >=, 8);
  g_assert_cmpint (check_figure (plg_canvas_legend_figure (canvas), 1, least), >, 0);
}

static void
test_pointing_sizes (Rig *rig, gconstpointer data)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1920, 1080 } };

  present (rig);
  press (rig, GDK_KEY_s);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      resize (rig, sizes[i][0], sizes[i][1]);
      check_pointing_sizes (rig);
      press (rig, GDK_KEY_z);
      rig_next_frame (GTK_WIDGET (rig->window));
      rig_next_frame (GTK_WIDGET (rig->window));
      check_pointing_sizes (rig);
      g_assert_cmpfloat (share_of_node (rig, 0), >, 0.6);
      press (rig, GDK_KEY_z);
    }
}

/* Lessons */

static PlgLesson *
lesson_with_question (GPtrArray *lessons)
{
  for (guint i = 0; i < lessons->len; i++)
    if (strcmp (((PlgLesson *) lessons->pdata[i])->id, "pipeline") == 0)
      return lessons->pdata[i];
  g_assert_not_reached ();
}

static const char *
title_of (const PlgLesson *lesson, int step)
{
  return ((PlgStepOfLesson *) lesson->steps->pdata[step])->title;
}

static gboolean
says (GtkWidget *widget, gpointer start)
{
  return gtk_widget_get_mapped (widget) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), start);
}

/* The question is asked of the room, and its number is as hidden as elsewhere; a clicker goes on
 * when it is answered, not before. */
static void
test_lesson (Rig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = lesson_with_question (lessons);
  char *first = (char *) title_of (lesson, 0), *second = (char *) title_of (lesson, 1);
  GtkWidget *presentation, *choice;
  GtkLabel *number;

  plg_window_begin_lesson (rig->window, lesson);
  present (rig);
  resize (rig, 1024, 768);
  check_sizes (rig);
  presentation = find (rig, PLG_TYPE_PRESENTATION);
  number = GTK_LABEL (gtk_widget_get_template_child (presentation, PLG_TYPE_PRESENTATION,
                                                     "number"));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (number), "–"));
  /* Nor does the key then move the cluster out of sight. */
  g_assert_true (press (rig, GDK_KEY_Page_Down));
  g_assert_true (plg_canvas_keep_view (plg_window_canvas (rig->window)).fit);
  g_assert_nonnull (rig_find (presentation, GTK_TYPE_LABEL, says, first));
  choice = rig_find (presentation, GTK_TYPE_BUTTON, NULL, NULL);
  gtk_test_accessible_assert_property (
      choice, GTK_ACCESSIBLE_PROPERTY_LABEL,
      gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (choice)))));
  g_signal_emit_by_name (choice, "clicked");
  g_assert_false (g_str_has_prefix (gtk_label_get_text (number), "–"));
  g_assert_true (press (rig, GDK_KEY_Page_Down));
  g_assert_nonnull (rig_find (presentation, GTK_TYPE_LABEL, says, second));
  g_assert_true (press (rig, GDK_KEY_Page_Up));
  plg_window_end_lesson (rig->window);
  g_assert_null (rig_find (presentation, GTK_TYPE_LABEL, says, first));
}

static GtkWindow *
presenter (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (PLG_IS_PRESENTER (window))
        return window;
    }
  return NULL;
}

/* Who presents sees notes and what comes next, and leads from there too. */
static void
test_presenter (Rig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  PlgLesson *lesson = lesson_with_question (lessons);
  GtkWidget *window;
  GtkLabel *mfu;

  plg_window_begin_lesson (rig->window, lesson);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.presenter", NULL));
  rig_until (presenter () != NULL && gtk_widget_get_mapped (GTK_WIDGET (presenter ())));
  g_assert_true (is_mapped (rig, PLG_TYPE_PRESENTATION));
  window = GTK_WIDGET (presenter ());
  g_assert_nonnull (rig_find (window, GTK_TYPE_LABEL, says, (char *) title_of (lesson, 0)));
  g_assert_nonnull (rig_find (window, GTK_TYPE_LABEL, says, (char *) title_of (lesson, 1)));
  mfu = GTK_LABEL (gtk_widget_get_template_child (window, PLG_TYPE_PRESENTER, "mfu"));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (mfu), "–"));
  /* It can be closed, and the show goes on. */
  gtk_window_destroy (presenter ());
  g_assert_true (is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.presenter", NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  g_assert_null (presenter ());
}

int
main (int argc, char **argv)
{
  g_autoptr (PlgApplication) application = NULL;

  if (!rig_init (&argc, &argv))
    return 0;
  application = plg_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
#define ADD(name, function) \
  g_test_add ("/presenting/" name, Rig, application, set_up, function, tear_down)
  ADD ("begin-and-end", test_begin_and_end);
  ADD ("is-live", test_is_live);
  ADD ("blank", test_blank);
  ADD ("sizes", test_sizes);
  ADD ("spotlight", test_spotlight);
  ADD ("zoom", test_zoom);
  ADD ("escape", test_escape);
  ADD ("pointing-sizes", test_pointing_sizes);
  ADD ("lesson", test_lesson);
  ADD ("presenter", test_presenter);
  return g_test_run ();
}
