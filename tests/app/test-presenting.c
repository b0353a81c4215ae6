/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"
#include "show-rig.h"

#include "plan/setting.h"
#include "widgets/beam.h"
#include "widgets/canvas-private.h"
#include "widgets/inspector.h"
#include "widgets/panels.h"
#include "widgets/player.h"
#include "widgets/presentation.h"

#include <math.h>

/* Only the cluster and what belongs to it is left; afterwards all is as it was. */
static void
test_begin_and_end (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgPalette palette = plg_canvas_get_palette (canvas);
  gboolean had_panels, had_inspector, had_player;
  double zoom = 1.5;

  show_rig_come_to_rest (rig);
  had_panels = show_rig_is_mapped (rig, PLG_TYPE_PANELS);
  had_inspector = show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR);
  had_player = show_rig_is_mapped (rig, PLG_TYPE_PLAYER);
  plg_canvas_set_zoom (canvas, zoom);
  show_rig_present (rig);
  rig_until (!show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  g_assert_false (show_rig_is_mapped (rig, ADW_TYPE_HEADER_BAR));
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_PLAYER));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (canvas)));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, PLG_PALETTE_PROJECTOR);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  rig_until (show_rig_is_mapped (rig, ADW_TYPE_HEADER_BAR));
  rig_until (show_rig_is_mapped (rig, PLG_TYPE_PANELS) == had_panels);
  rig_until (show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR) == had_inspector);
  rig_until (show_rig_is_mapped (rig, PLG_TYPE_PLAYER) == had_player);
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, palette);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* Panels that people have closed do not come by themselves in a narrow window. */
static void
test_panels_stay_closed (ShowRig *rig, gconstpointer data)
{
  show_rig_resize (rig, 1024, 768);
  show_rig_come_to_rest (rig);
  if (show_rig_is_mapped (rig, PLG_TYPE_PANELS))
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.panels", NULL));
  rig_until (!show_rig_is_mapped (rig, PLG_TYPE_PANELS));
  if (!show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR))
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.inspector", NULL));
  rig_until (show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  show_rig_present (rig);
  show_rig_come_to_rest (rig);
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  show_rig_come_to_rest (rig);
  g_assert_true (show_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_PANELS));
}

/* It is no picture: what is presented is still the plan. */
static void
test_is_live (ShowRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *before = NULL;
  GtkLabel *number;

  show_rig_present (rig);
  number = GTK_LABEL (gtk_widget_get_template_child (show_rig_find (rig, PLG_TYPE_PRESENTATION),
                                                     PLG_TYPE_PRESENTATION, "number"));
  before = g_strdup (gtk_label_get_text (number));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_cmpstr (gtk_label_get_text (number), !=, before);
}

/* Whatever number is shown, a plan that cannot run is told as one, in words. */
static void
test_fits (ShowRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkLabel *verdict;

  show_rig_present (rig);
  show_rig_resize (rig, 1024, 768);
  verdict = GTK_LABEL (show_rig_part (rig, "verdict"));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (verdict)));
  g_assert_true (plg_document_set (document, "parallelism.tp", "2", NULL));
  show_rig_come_to_rest (rig);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (verdict)));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (verdict), "does not fit: "));
  g_assert_true (g_str_has_suffix (gtk_label_get_text (verdict), " of 79.6\302\240GiB"));
  show_rig_check_sizes (rig);
  plg_document_undo (document);
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "memory");
  show_rig_come_to_rest (rig);
  g_assert_cmpstr (gtk_label_get_text (verdict), ==, "fits");
}

static gboolean
is_blank (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "blank") && gtk_widget_get_mapped (widget);
}

/* Any key brings the picture back, and does no more than that. Until then all is black, to the
 * edges of what the window has of the screen. */
static void
test_blank (ShowRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GtkWidget *blank;

  show_rig_present (rig);
  g_assert_true (show_rig_press (rig, GDK_KEY_b));
  rig_until (rig_find (window, GTK_TYPE_BOX, is_blank, NULL) != NULL);
  blank = rig_find (window, GTK_TYPE_BOX, is_blank, NULL);
  rig_until (gtk_widget_get_width (blank) == gdk_surface_get_width (surface) &&
             gtk_widget_get_height (blank) == gdk_surface_get_height (surface));
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
  g_assert_true (show_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (show_rig_press (rig, GDK_KEY_B));
  g_assert_true (show_rig_press (rig, GDK_KEY_B));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
}

/* Texts */

static void
test_sizes (ShowRig *rig, gconstpointer data)
{
  show_rig_present (rig);
  show_rig_resize (rig, 1024, 768);
  show_rig_check_sizes (rig);
  show_rig_resize (rig, 1920, 1080);
  show_rig_check_sizes (rig);
}

/* Larger clusters, and whatever is shown of them. */
static void
test_sizes_of_large (ShowRig *rig, gconstpointer data)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1920, 1080 } };
  static const char *const shown[][2] = { { "view.show", "tp" },
                                          { "view.show", "memory" },
                                          { "view.link-color", "bytes" },
                                          { "view.link-color", "time" },
                                          { "view.show", "all" } };
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlan *plan;

  show_rig_present (rig);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      show_rig_resize (rig, sizes[i][0], sizes[i][1]);
      for (int nodes = 8; nodes <= 128; nodes *= 4)
        {
          g_autofree char *text = g_strdup_printf ("%d", nodes);

          g_assert_true (plg_document_set (document, "cluster.nodes", text, NULL));
          for (guint j = 0; j < G_N_ELEMENTS (shown); j++)
            {
              plan = plg_plan_copy (plg_document_plan (document));
              g_assert_true (plg_setting_set (plan, NULL, shown[j][0], shown[j][1], NULL));
              plg_document_set_view (document, &plan->view);
              plg_plan_free (plan);
              show_rig_come_to_rest (rig);
              show_rig_check_all_texts (rig);
            }
        }
    }
}

/* Pointing */

static PlgBeam *
beam (ShowRig *rig)
{
  return PLG_BEAM (show_rig_find (rig, PLG_TYPE_BEAM));
}

/* Whether the middle of the cell of GPU is in the disc. */
static gboolean
lights (ShowRig *rig, int gpu)
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
move_pointer (ShowRig *rig, double x, double y)
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
test_spotlight (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double x, y, radius;
  guint paints;

  show_rig_present (rig);
  g_assert_true (show_rig_press (rig, GDK_KEY_s));
  rig_until (show_rig_is_mapped (rig, PLG_TYPE_BEAM));
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
      show_rig_press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
      rig_next_frame (GTK_WIDGET (canvas));
      rig_next_frame (GTK_WIDGET (canvas));
      g_assert_true (lights (rig, plg_canvas_get_selected (canvas)));
    }
  g_assert_true (show_rig_press (rig, GDK_KEY_S));
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_BEAM));
}

/* The share that the card of NODE takes of what the legend leaves of the canvas. */
static double
share_of_node (ShowRig *rig, int node)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgFigure *figure = plg_canvas_figure (canvas);
  double zoom = plg_canvas_get_zoom (canvas);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->thing.kind == PLG_THING_NODE &&
          shape->thing.index == node)
        return shape->rect.width * shape->rect.height * zoom * zoom /
               gtk_widget_get_width (GTK_WIDGET (canvas)) /
               (gtk_widget_get_height (GTK_WIDGET (canvas)) -
                plg_figure_height (plg_canvas_legend_figure (canvas)));
    }
  g_assert_not_reached ();
}

/* Z zooms to the node of the focus and back to what was in sight. */
static void
test_zoom (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double zoom, large;

  show_rig_present (rig);
  show_rig_come_to_rest (rig);
  zoom = plg_canvas_get_zoom (canvas);
  plg_canvas_select (canvas, 3 * 8);
  for (int i = 0; i < 3; i++)
    {
      show_rig_press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
    }
  g_assert_true (show_rig_press (rig, GDK_KEY_z));
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpfloat (share_of_node (rig, plg_canvas_get_alone (canvas)), >, 0.4);
  large = plg_canvas_get_zoom (canvas);
  g_assert_cmpfloat (large, >, zoom);
  /* Over its border, the next one is shown. */
  for (int i = 0; i < 8; i++)
    gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_DOWN);
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpint (plg_canvas_get_alone (canvas), >, 0);
  g_assert_true (show_rig_press (rig, GDK_KEY_Z));
  show_rig_come_to_rest (rig);
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, -1);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* The name of the group that is outlined, large enough to be read from the back row, ends with what
 * is in sight of the node. */
static void
test_zoom_keeps_names (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgFigure *figure;
  int names = 0;

  show_rig_present (rig);
  plg_canvas_select (canvas, 2 * 8 + 1);
  plg_canvas_show_alone (canvas, 2);
  show_rig_come_to_rest (rig);
  figure = plg_canvas_figure (canvas);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      double x, y;

      if (shape->kind != PLG_SHAPE_TEXT || strstr (shape->text, "TP group") == NULL)
        continue;
      names++;
      plg_canvas_to_widget (canvas, shape->rect.x + shape->rect.width, 0, &x, &y);
      g_assert_cmpfloat (x, <=, gtk_widget_get_width (GTK_WIDGET (canvas)));
    }
  g_assert_cmpint (names, >, 0);
}

/* What the pointer rested on before is not under it any more: the cluster is whole. What is pinned
 * stays. */
static void
test_begins_whole (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgSpotlight *spotlight = plg_document_spotlight (plg_window_document (rig->window));
  PlgThing link = { PLG_THING_LINK, 0, 2 };
  const PlgShape *shape;
  double x, y;
  int n, n_pins;

  show_rig_come_to_rest (rig);
  plg_spotlight_toggle (spotlight, (PlgThing) { PLG_THING_GPU, 0, 5 });
  shape = plg_figure_find_thing (plg_canvas_figure (canvas), link);
  plg_canvas_to_widget (canvas, shape->rect.x + shape->rect.width / 2,
                        shape->rect.y + shape->rect.height / 2, &x, &y);
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (canvas), GTK_TYPE_EVENT_CONTROLLER_MOTION),
                         "motion", x, y);
  rig_until (plg_thing_equal (plg_spotlight_pointed (spotlight), link));
  show_rig_present (rig);
  plg_spotlight_lit (spotlight, &n, &n_pins);
  g_assert_cmpint (n_pins, ==, 1);
  g_assert_cmpint (n, ==, 1);
}

/* Each Esc gives up one thing of presenting and nothing else does: pins and selection stay. */
static void
test_escape (ShowRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgSpotlight *spotlight = plg_document_spotlight (plg_window_document (rig->window));
  int n_pins;

  plg_spotlight_toggle (spotlight, (PlgThing) { PLG_THING_GPU, 0, 5 });
  plg_canvas_select (canvas, 7);
  show_rig_present (rig);
  show_rig_press (rig, GDK_KEY_s);
  show_rig_press (rig, GDK_KEY_z);
  show_rig_press (rig, GDK_KEY_b);
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_alone (canvas), >=, 0);
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_alone (canvas), ==, -1);
  g_assert_true (show_rig_is_mapped (rig, PLG_TYPE_BEAM));
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_BEAM));
  g_assert_true (show_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (show_rig_press (rig, GDK_KEY_Escape));
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  plg_spotlight_lit (spotlight, NULL, &n_pins);
  g_assert_cmpint (n_pins, ==, 1);
  g_assert_cmpint (plg_canvas_get_selected (canvas), ==, 7);
  /* With nothing of presenting, the first ends it; and what was pointed with does not come back. */
  show_rig_present (rig);
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_BEAM));
  show_rig_press (rig, GDK_KEY_Escape);
  g_assert_false (show_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_false (show_rig_press (rig, GDK_KEY_s));
}

static void
check_pointing_sizes (ShowRig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = SHOW_RIG_LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  show_rig_check_labels (GTK_WIDGET (rig->window), least);
  g_assert_cmpint (show_rig_check_figure (plg_canvas_figure (canvas), plg_canvas_get_zoom (canvas),
                                          least),
                   >=, 8);
  g_assert_cmpint (show_rig_check_figure (plg_canvas_legend_figure (canvas), 1, least), >, 0);
}

static void
test_pointing_sizes (ShowRig *rig, gconstpointer data)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1920, 1080 } };

  show_rig_present (rig);
  show_rig_press (rig, GDK_KEY_s);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      show_rig_resize (rig, sizes[i][0], sizes[i][1]);
      check_pointing_sizes (rig);
      show_rig_press (rig, GDK_KEY_z);
      rig_next_frame (GTK_WIDGET (rig->window));
      rig_next_frame (GTK_WIDGET (rig->window));
      check_pointing_sizes (rig);
      g_assert_cmpfloat (share_of_node (rig, 0), >, 0.4);
      show_rig_press (rig, GDK_KEY_z);
    }
}

/* Either key of a full screen begins it. */
static void
test_keys (ShowRig *rig, gconstpointer data)
{
  g_auto (GStrv) keys = gtk_application_get_accels_for_action (GTK_APPLICATION ((gpointer) data),
                                                               "win.present");

  g_assert_true (g_strv_contains ((const char *const *) keys, "F5"));
  g_assert_true (g_strv_contains ((const char *const *) keys, "F11"));
}

int
main (int argc, char **argv)
{
  static const ShowRigCase cases[] = {
    { "/presenting/begin-and-end", test_begin_and_end },
    { "/presenting/is-live", test_is_live },
    { "/presenting/fits", test_fits },
    { "/presenting/blank", test_blank },
    { "/presenting/sizes", test_sizes },
    { "/presenting/sizes-of-large", test_sizes_of_large },
    { "/presenting/spotlight", test_spotlight },
    { "/presenting/begins-whole", test_begins_whole },
    { "/presenting/zoom", test_zoom },
    { "/presenting/zoom-keeps-names", test_zoom_keeps_names },
    { "/presenting/escape", test_escape },
    { "/presenting/keys", test_keys },
    { "/presenting/pointing-sizes", test_pointing_sizes },
    { "/presenting/panels-stay-closed", test_panels_stay_closed },
  };

  return show_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
