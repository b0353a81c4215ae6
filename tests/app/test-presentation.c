/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"
#include "presentation-rig.h"

#include "plan/settings/setting.h"
#include "widgets/canvas/pointer-spotlight.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/inspector/inspector.h"
#include "widgets/panels/panels.h"
#include "widgets/pictures/player.h"
#include "widgets/lesson/presentation.h"

#include <math.h>

/* A presentation shows only the cluster and its text; afterwards the window is restored. */
static void
test_begin_and_end (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgPalette palette = plg_canvas_get_palette (canvas);
  gboolean had_panels, had_inspector, had_player;
  double zoom = 1.5;

  presentation_rig_come_to_rest (rig);
  had_panels = presentation_rig_is_mapped (rig, PLG_TYPE_PANELS);
  had_inspector = presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR);
  had_player = presentation_rig_is_mapped (rig, PLG_TYPE_PLAYER);
  plg_canvas_set_zoom (canvas, zoom);
  presentation_rig_present (rig);
  rig_until (!presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  g_assert_false (presentation_rig_is_mapped (rig, ADW_TYPE_HEADER_BAR));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PLAYER));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (canvas)));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, PLG_PALETTE_PROJECTOR);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.present", NULL));
  rig_until (presentation_rig_is_mapped (rig, ADW_TYPE_HEADER_BAR));
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_PANELS) == had_panels);
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR) == had_inspector);
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_PLAYER) == had_player);
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_cmpint (plg_canvas_get_palette (canvas), ==, palette);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* Hidden panels do not reappear in a narrow window. */
static void
test_panels_stay_closed (PresentationRig *rig, gconstpointer data)
{
  presentation_rig_resize (rig, 1024, 768);
  presentation_rig_come_to_rest (rig);
  if (presentation_rig_is_mapped (rig, PLG_TYPE_PANELS))
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.panels", NULL));
  rig_until (!presentation_rig_is_mapped (rig, PLG_TYPE_PANELS));
  if (!presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR))
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.inspector", NULL));
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  presentation_rig_present (rig);
  presentation_rig_come_to_rest (rig);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  presentation_rig_come_to_rest (rig);
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_INSPECTOR));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PANELS));
}

/* The plan stays editable in a presentation. */
static void
test_plan_is_editable (PresentationRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  g_autofree char *before = NULL;
  GtkLabel *number;

  presentation_rig_present (rig);
  number = GTK_LABEL (gtk_widget_get_template_child (presentation_rig_find (rig,
                                                                            PLG_TYPE_PRESENTATION),
                                                     PLG_TYPE_PRESENTATION, "number"));
  before = g_strdup (gtk_label_get_text (number));
  g_assert_true (plg_document_set (document, "parallelism.tp", "4", NULL));
  g_assert_cmpstr (gtk_label_get_text (number), !=, before);
}

/* A plan that cannot run is described in words, whatever number is shown. */
static void
test_fits (PresentationRig *rig, gconstpointer data)
{
  PlgDocument *document = plg_window_document (rig->window);
  GtkLabel *verdict;

  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  verdict = GTK_LABEL (presentation_rig_part (rig, "verdict"));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (verdict)));
  g_assert_true (plg_document_set (document, "parallelism.tp", "2", NULL));
  presentation_rig_come_to_rest (rig);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (verdict)));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (verdict), "does not fit: "));
  g_assert_true (g_str_has_suffix (gtk_label_get_text (verdict), " of 79.6\302\240GiB"));
  presentation_rig_check_sizes (rig);
  plg_document_undo (document);
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s", "memory");
  presentation_rig_come_to_rest (rig);
  g_assert_cmpstr (gtk_label_get_text (verdict), ==, "fits");
}

static gboolean
is_blank (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "blank") && gtk_widget_get_mapped (widget);
}

/* Any key ends the blank screen without another effect. A blank screen is black up to the edges of
 * the window. */
static void
test_blank (PresentationRig *rig, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (rig->window);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GtkWidget *blank;

  presentation_rig_present (rig);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_b));
  rig_until (rig_find (window, GTK_TYPE_BOX, is_blank, NULL) != NULL);
  blank = rig_find (window, GTK_TYPE_BOX, is_blank, NULL);
  rig_until (gtk_widget_get_width (blank) == gdk_surface_get_width (surface) &&
             gtk_widget_get_height (blank) == gdk_surface_get_height (surface));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_B));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_B));
  g_assert_null (rig_find (window, GTK_TYPE_BOX, is_blank, NULL));
}

/* Texts ---------------------------------------------------------------------------------------- */

static void
test_sizes (PresentationRig *rig, gconstpointer data)
{
  presentation_rig_present (rig);
  presentation_rig_resize (rig, 1024, 768);
  presentation_rig_check_sizes (rig);
  presentation_rig_resize (rig, 1920, 1080);
  presentation_rig_check_sizes (rig);
}

/* Larger clusters, with each view. */
static void
test_sizes_of_large (PresentationRig *rig, gconstpointer data)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1920, 1080 } };
  static const char *const shown[][2] = { { "view.show", "tp" },
                                          { "view.show", "memory" },
                                          { "view.link-color", "bytes" },
                                          { "view.link-color", "time" },
                                          { "view.show", "all" } };
  PlgDocument *document = plg_window_document (rig->window);
  PlgPlan *plan;

  presentation_rig_present (rig);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      presentation_rig_resize (rig, sizes[i][0], sizes[i][1]);
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
              presentation_rig_come_to_rest (rig);
              presentation_rig_check_all_texts (rig);
            }
        }
    }
}

/* Pointing ------------------------------------------------------------------------------------- */

static PlgPointerSpotlight *
beam (PresentationRig *rig)
{
  return PLG_POINTER_SPOTLIGHT (presentation_rig_find (rig, PLG_TYPE_POINTER_SPOTLIGHT));
}

/* Returns whether the middle of GPU's cell is inside the spotlight. */
static gboolean
lights (PresentationRig *rig, int gpu)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgRect rect = plg_cluster_gpu_rect (plg_document_plan (plg_window_document (rig->window)), gpu);
  double x, y, disc_x, disc_y, radius;

  plg_canvas_to_widget (canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &x, &y);
  gtk_widget_translate_coordinates (GTK_WIDGET (canvas), GTK_WIDGET (beam (rig)), x, y, &x, &y);
  plg_pointer_spotlight_get_disc (beam (rig), &disc_x, &disc_y, &radius);
  return hypot (x - disc_x, y - disc_y) < radius;
}

static void
move_pointer (PresentationRig *rig, double x, double y)
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

/* The spotlight follows the pointer in the same frame, and only the spotlight is painted. */
static void
test_spotlight (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double x, y, radius;
  guint paints;

  presentation_rig_present (rig);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_s));
  rig_until (presentation_rig_is_mapped (rig, PLG_TYPE_POINTER_SPOTLIGHT));
  move_pointer (rig, 300, 200);
  /* On a busy machine, the canvas paints once more when its last tile is ready. */
  do
    {
      paints = plg_canvas_n_paints (canvas);
      for (int i = 0; i < 20; i++)
        rig_next_frame (GTK_WIDGET (canvas));
    }
  while (plg_canvas_n_paints (canvas) != paints);
  for (int i = 0; i < 20; i++)
    {
      move_pointer (rig, 300 + 10 * i, 200 + 5 * i);
      plg_pointer_spotlight_get_disc (beam (rig), &x, &y, &radius);
      g_assert_cmpfloat_with_epsilon (x, 300 + 10 * i, 1);
      g_assert_cmpfloat_with_epsilon (y, 200 + 5 * i, 1);
      rig_next_frame (GTK_WIDGET (canvas));
    }
  g_assert_cmpuint (plg_canvas_n_paints (canvas), ==, paints);
  g_assert_cmpfloat (radius, >, 80);
  /* Arrow keys move the spotlight to the focused cell. */
  for (int i = 0; i < 3; i++)
    {
      presentation_rig_press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
      rig_next_frame (GTK_WIDGET (canvas));
      rig_next_frame (GTK_WIDGET (canvas));
      g_assert_true (lights (rig, plg_canvas_get_selected (canvas)));
    }
  g_assert_true (presentation_rig_press (rig, GDK_KEY_S));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_POINTER_SPOTLIGHT));
}

/* Returns the share of the canvas, without the legend, that the card of NODE takes. */
static double
share_of_node (PresentationRig *rig, int node)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgFigure *figure = plg_canvas_figure (canvas);
  double zoom = plg_canvas_get_zoom (canvas);

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind == PLG_SHAPE_RECT && shape->entity.kind == PLG_ENTITY_NODE &&
          shape->entity.index == node)
        return shape->rect.width * shape->rect.height * zoom * zoom /
               gtk_widget_get_width (GTK_WIDGET (canvas)) /
               (gtk_widget_get_height (GTK_WIDGET (canvas)) -
                plg_figure_height (plg_canvas_legend_figure (canvas)));
    }
  g_assert_not_reached ();
}

/* Z zooms to the focused node and back. */
static void
test_zoom (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double zoom, large;

  presentation_rig_present (rig);
  presentation_rig_come_to_rest (rig);
  zoom = plg_canvas_get_zoom (canvas);
  plg_canvas_select (canvas, 3 * 8);
  for (int i = 0; i < 3; i++)
    {
      presentation_rig_press (rig, GDK_KEY_Right);
      gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_RIGHT);
    }
  g_assert_true (presentation_rig_press (rig, GDK_KEY_z));
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpfloat (share_of_node (rig, plg_canvas_get_solo_node (canvas)), >, 0.4);
  large = plg_canvas_get_zoom (canvas);
  g_assert_cmpfloat (large, >, zoom);
  /* Beyond the edge of the node, the next node is shown. */
  for (int i = 0; i < 8; i++)
    gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_DOWN);
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), ==, plg_canvas_get_selected (canvas) / 8);
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), >, 0);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Z));
  presentation_rig_come_to_rest (rig);
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), ==, -1);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (canvas), zoom, 1e-9);
}

/* The name of the outlined group ends at the visible part of the node and is readable from the back
 * row. */
static void
test_zoom_keeps_names (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgFigure *figure;
  int names = 0;

  presentation_rig_present (rig);
  plg_canvas_select (canvas, 2 * 8 + 1);
  plg_canvas_show_solo_node (canvas, 2);
  presentation_rig_come_to_rest (rig);
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

/* The previous pointer highlight is cleared, so the cluster is not dimmed. Pins stay. */
static void
test_hover_is_cleared (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgHighlightModel *spotlight = plg_document_highlight_model (plg_window_document (rig->window));
  PlgEntity link = { PLG_ENTITY_LINK, 0, 2 };
  const PlgShape *shape;
  double x, y;
  int n, n_pins;

  presentation_rig_come_to_rest (rig);
  plg_highlight_model_toggle (spotlight, (PlgEntity) { PLG_ENTITY_GPU, 0, 5 });
  shape = plg_figure_find_entity (plg_canvas_figure (canvas), link);
  plg_canvas_to_widget (canvas, shape->rect.x + shape->rect.width / 2,
                        shape->rect.y + shape->rect.height / 2, &x, &y);
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (canvas), GTK_TYPE_EVENT_CONTROLLER_MOTION),
                         "motion", x, y);
  rig_until (plg_entity_equal (plg_highlight_model_hovered (spotlight), link));
  presentation_rig_present (rig);
  plg_highlight_model_entities (spotlight, &n, &n_pins);
  g_assert_cmpint (n_pins, ==, 1);
  g_assert_cmpint (n, ==, 1);
}

/* Each Escape ends one part of the presentation; pins and selection stay. */
static void
test_escape (PresentationRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgHighlightModel *spotlight = plg_document_highlight_model (plg_window_document (rig->window));
  int n_pins;

  plg_highlight_model_toggle (spotlight, (PlgEntity) { PLG_ENTITY_GPU, 0, 5 });
  plg_canvas_select (canvas, 7);
  presentation_rig_present (rig);
  presentation_rig_press (rig, GDK_KEY_s);
  presentation_rig_press (rig, GDK_KEY_z);
  presentation_rig_press (rig, GDK_KEY_b);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), >=, 0);
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_cmpint (plg_canvas_get_solo_node (canvas), ==, -1);
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_POINTER_SPOTLIGHT));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_POINTER_SPOTLIGHT));
  g_assert_true (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_true (presentation_rig_press (rig, GDK_KEY_Escape));
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  plg_highlight_model_entities (spotlight, NULL, &n_pins);
  g_assert_cmpint (n_pins, ==, 1);
  g_assert_cmpint (plg_canvas_get_selected (canvas), ==, 7);
  /* Without a zoom or spotlight, the first Escape ends the presentation, and the spotlight does not
   * return. */
  presentation_rig_present (rig);
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_POINTER_SPOTLIGHT));
  presentation_rig_press (rig, GDK_KEY_Escape);
  g_assert_false (presentation_rig_is_mapped (rig, PLG_TYPE_PRESENTATION));
  g_assert_false (presentation_rig_press (rig, GDK_KEY_s));
}

static void
check_pointing_sizes (PresentationRig *rig)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  double least = PRESENTATION_RIG_LEAST * gtk_widget_get_height (GTK_WIDGET (rig->window));

  presentation_rig_check_labels (GTK_WIDGET (rig->window), least);
  g_assert_cmpint (presentation_rig_check_figure (plg_canvas_figure (canvas),
                                                  plg_canvas_get_zoom (canvas), least),
                   >=, 8);
  g_assert_cmpint (presentation_rig_check_figure (plg_canvas_legend_figure (canvas), 1, least), >,
                   0);
}

static void
test_pointing_sizes (PresentationRig *rig, gconstpointer data)
{
  static const int sizes[][2] = { { 1024, 768 }, { 1920, 1080 } };

  presentation_rig_present (rig);
  presentation_rig_press (rig, GDK_KEY_s);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      presentation_rig_resize (rig, sizes[i][0], sizes[i][1]);
      check_pointing_sizes (rig);
      presentation_rig_press (rig, GDK_KEY_z);
      rig_next_frame (GTK_WIDGET (rig->window));
      rig_next_frame (GTK_WIDGET (rig->window));
      check_pointing_sizes (rig);
      g_assert_cmpfloat (share_of_node (rig, 0), >, 0.4);
      presentation_rig_press (rig, GDK_KEY_z);
    }
}

/* Each fullscreen key starts a presentation. */
static void
test_keys (PresentationRig *rig, gconstpointer data)
{
  g_auto (GStrv) keys = gtk_application_get_accels_for_action (GTK_APPLICATION ((gpointer) data),
                                                               "win.present");

  g_assert_true (g_strv_contains ((const char *const *) keys, "F5"));
  g_assert_true (g_strv_contains ((const char *const *) keys, "F11"));
}

int
main (int argc, char **argv)
{
  static const PresentationRigCase cases[] = {
    { "/presentation/begin-and-end", test_begin_and_end },
    { "/presentation/plan-is-editable", test_plan_is_editable },
    { "/presentation/fits", test_fits },
    { "/presentation/blank", test_blank },
    { "/presentation/sizes", test_sizes },
    { "/presentation/sizes-of-large", test_sizes_of_large },
    { "/presentation/spotlight", test_spotlight },
    { "/presentation/hover-is-cleared", test_hover_is_cleared },
    { "/presentation/zoom", test_zoom },
    { "/presentation/zoom-keeps-names", test_zoom_keeps_names },
    { "/presentation/escape", test_escape },
    { "/presentation/keys", test_keys },
    { "/presentation/pointing-sizes", test_pointing_sizes },
    { "/presentation/panels-stay-closed", test_panels_stay_closed },
  };

  return presentation_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
