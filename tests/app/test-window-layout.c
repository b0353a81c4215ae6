/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app-rig.h"

#include "drawing/cluster/cluster-layout.h"
#include "lessons/lesson-library.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/tables/link-table.h"
#include "widgets/panels/panels.h"
#include "plan/settings/setting.h"
#include "widgets/pictures/picture-view.h"
#include "widgets/tables/pin-list.h"
#include "widgets/pictures/player.h"

/* The layout of the main window. */

static gboolean
act (AppRig *rig, const char *action)
{
  return gtk_widget_activate_action (GTK_WIDGET (rig->window), action, NULL);
}

static void
make_wide (AppRig *rig, int width)
{
  gtk_window_set_default_size (GTK_WINDOW (rig->window), width, 768);
  /* Without a window manager, the size excludes the shadows. */
  rig_until (ABS (gtk_widget_get_width (GTK_WIDGET (rig->window)) - width) < 20);
  rig_next_frame (GTK_WIDGET (rig->window));
  rig_next_frame (GTK_WIDGET (rig->window));
}

static void
make_small (AppRig *rig)
{
  make_wide (rig, 1024);
}

static void
settle (AppRig *rig)
{
  for (int i = 0; i < 4; i++)
    {
      gtk_widget_queue_draw (GTK_WIDGET (plg_window_canvas (rig->window)));
      rig_next_frame (GTK_WIDGET (rig->window));
    }
}

static gboolean
starts_with (GtkWidget *widget, gpointer start)
{
  return gtk_widget_get_mapped (widget) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), start);
}

/* The visible range of the timeline is described completely, also in a small window. */
static void
test_timeline_description (AppRig *rig, gconstpointer data)
{
  GtkWidget *label;

  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1024, 768);
  rig_until (gtk_widget_get_width (GTK_WIDGET (rig->window)) <= 1024);
  rig_next_frame (GTK_WIDGET (rig->window));
  rig_until ((label = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_LABEL, starts_with,
                                (gpointer) "first ")) != NULL);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
}

static gboolean
is_shown (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_child_visible (widget) && gtk_widget_get_mapped (widget);
}

/* The stop button fits into the bar without moving the panels. */
static void
test_play_in_small_window (AppRig *rig, gconstpointer data)
{
  gtk_window_set_default_size (GTK_WINDOW (rig->window), 1024, 768);
  rig_until (gtk_widget_get_width (GTK_WIDGET (rig->window)) <= 1024);
  rig_until (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PANELS, is_shown, NULL) != NULL);
  g_assert_true (act (rig, "win.play-next"));
  rig_next_frame (GTK_WIDGET (rig->window));
  rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_false (adw_flap_get_folded (ADW_FLAP (rig_find (GTK_WIDGET (rig->window), ADW_TYPE_FLAP,
                                                           NULL, NULL))));
  g_assert_nonnull (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PANELS, is_shown, NULL));
}

static int
height_of_canvas (AppRig *rig)
{
  return gtk_widget_get_height (GTK_WIDGET (plg_window_canvas (rig->window)));
}

/* On each page the bottom pane leaves most of a small window to the cluster, and the legend needs
 * two lines. */
static void
test_canvas_has_room (AppRig *rig, gconstpointer data)
{
  static const char *const pages[] = { "timeline", "links", "pairs" };

  make_small (rig);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", pages[i]);
      settle (rig);
      g_assert_cmpint (height_of_canvas (rig), >=, 768 / 2);
      g_assert_cmpint (plg_canvas_legend_height (plg_window_canvas (rig->window)), <=, 2 * 42);
    }
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", "timeline");
}

/* The view stays at its place when colours change and when playback starts or ends. */
static void
test_canvas_stays (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  PlgPlayer *player = PLG_PLAYER (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL));
  PlgPoint origin;
  double zoom;

  make_small (rig);
  settle (rig);
  zoom = plg_canvas_get_zoom (canvas);
  origin = canvas->view.origin;
  for (int i = 0; i < 4; i++)
    {
      if (i % 2 == 0)
        gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.show", "s",
                                    i == 0 ? "memory" : "all");
      else if (i == 1)
        act (rig, "win.play-next");
      else
        plg_player_seek (player, -1);
      settle (rig);
      g_assert_cmpfloat (plg_canvas_get_zoom (canvas), ==, zoom);
      g_assert_cmpfloat (canvas->view.origin.y, ==, origin.y);
      g_assert_cmpfloat (canvas->view.origin.x, ==, origin.x);
    }
}

/* Returns the opacity of the canvas itself at X, Y. */
static int
alpha_at (PlgCanvas *canvas, int x, int y)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, 1);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;
  int alpha;

  GTK_WIDGET_GET_CLASS (canvas)->snapshot (GTK_WIDGET (canvas), snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  cairo_translate (cr, -x, -y);
  gsk_render_node_draw (node, cr);
  cairo_surface_flush (surface);
  alpha = cairo_image_surface_get_data (surface)[G_BYTE_ORDER == G_LITTLE_ENDIAN ? 3 : 0];
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return alpha;
}

/* The legend has an opaque background, wherever the cluster is moved. */
static void
test_legend_background (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  int height, width;

  settle (rig);
  act (rig, "win.zoom-in");
  act (rig, "win.zoom-in");
  settle (rig);
  width = gtk_widget_get_width (GTK_WIDGET (canvas));
  height = gtk_widget_get_height (GTK_WIDGET (canvas));
  for (int x = 8; x < width; x += 8)
    g_assert_cmpint (alpha_at (canvas, x, height - 3), ==, 0);
}

/* The slider is long enough to select a second, also next to the stop button. */
static void
test_slider_has_room (AppRig *rig, gconstpointer data)
{
  GtkWidget *slider;

  make_small (rig);
  slider = rig_find (rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PLAYER, NULL, NULL),
                     GTK_TYPE_SCALE, NULL, NULL);
  g_assert_cmpint (gtk_widget_get_width (slider), >=, 120);
  g_assert_true (act (rig, "win.play-next"));
  settle (rig);
  g_assert_cmpint (gtk_widget_get_width (slider), >=, 120);
}

/* The names of pins are below the last row of nodes. */
static void
test_pins_have_room (AppRig *rig, gconstpointer data)
{
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgPlan *plan = plg_document_plan (plg_window_document (rig->window));
  GtkWidget *pins = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PIN_LIST, NULL, NULL);
  graphene_rect_t place;
  PlgRect last;

  make_small (rig);
  plg_highlight_model_toggle (plg_document_highlight_model (plg_window_document (rig->window)),
                              (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = 9 });
  settle (rig);
  last = plg_cluster_node_rect (plan, plan->cluster.nodes - 1);
  g_assert_true (gtk_widget_compute_bounds (pins, GTK_WIDGET (canvas), &place));
  g_assert_cmpfloat (place.size.height, >, 16);
  g_assert_cmpfloat (place.origin.y, >=,
                     canvas->view.origin.y + (last.y + last.height) * plg_canvas_get_zoom (canvas));
}

/* No page of the bottom pane needs more than half of a small window. */
static void
test_pages_are_narrow (AppRig *rig, gconstpointer data)
{
  static const char *const pages[] = { "links", "pairs" };
  GtkWidget *links = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LINK_TABLE, NULL, NULL);
  GtkWidget *stack = gtk_widget_get_ancestor (links, GTK_TYPE_STACK);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *page = gtk_stack_get_child_by_name (GTK_STACK (stack), pages[i]);
      int least;

      gtk_widget_measure (page, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <, 460);
    }
}

/* The description of a fault's effects is shown completely, in several lines. */
static void
test_long_message (AppRig *rig, gconstpointer data)
{
  static const char *const message = "NIC 0 of node 0 has failed: step +9.94 %, DP 0–1 "
                                     "reduce-scatter 222 ms → 441 ms, DP 0–1 all-gather 112 ms → "
                                     "222 ms, and so on";
  GtkWidget *label;
  graphene_rect_t bounds;

  make_small (rig);
  plg_window_toast (rig->window, message);
  rig_until ((label = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_LABEL, starts_with,
                                (gpointer) message)) != NULL);
  rig_next_frame (GTK_WIDGET (rig->window));
  rig_next_frame (GTK_WIDGET (rig->window));
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_true (gtk_widget_compute_bounds (label, GTK_WIDGET (rig->window), &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, 0);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, 1024);
}

/* Toasts appear between the cluster and its legend and cover neither, nor the bottom pane. */
static void
test_toast_covers_nothing (AppRig *rig, gconstpointer data)
{
  static const char *const pages[] = { "timeline", "links", "pairs" };
  PlgCanvas *canvas = plg_window_canvas (rig->window);
  const PlgPlan *plan = plg_document_plan (plg_window_document (rig->window));
  PlgRect last = plg_cluster_node_rect (plan, plan->cluster.nodes - 1);
  GtkWidget *pins = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PIN_LIST, NULL, NULL);

  make_small (rig);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *label, *toast;
      graphene_rect_t place, pinned;

      gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", pages[i]);
      settle (rig);
      plg_window_toast (rig->window, pages[i]);
      rig_until ((label = rig_find (GTK_WIDGET (rig->window), GTK_TYPE_LABEL, starts_with,
                                    (gpointer) pages[i])) != NULL);
      settle (rig);
      for (toast = label; !ADW_IS_TOAST_OVERLAY (gtk_widget_get_parent (toast));)
        toast = gtk_widget_get_parent (toast);
      g_assert_true (gtk_widget_compute_bounds (toast, GTK_WIDGET (canvas), &place));
      g_assert_cmpfloat (place.origin.y, >=,
                         canvas->view.origin.y +
                             (last.y + last.height) * plg_canvas_get_zoom (canvas));
      g_assert_cmpfloat (place.origin.y + place.size.height, <=, plg_canvas_free_height (canvas));
      /* Toasts do not cover a pin that has just been set. */
      g_assert_true (gtk_widget_compute_bounds (pins, GTK_WIDGET (canvas), &pinned));
      g_assert_true (i == 0 || place.origin.x >= pinned.origin.x + pinned.size.width);
      if (i == 0)
        plg_highlight_model_toggle (
            plg_document_highlight_model (plg_window_document (rig->window)),
            (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = 9 });
    }
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", "timeline");
}

static gboolean
has_panels (AppRig *rig)
{
  return adw_flap_get_reveal_flap (ADW_FLAP (rig_find (GTK_WIDGET (rig->window), ADW_TYPE_FLAP,
                                                       NULL, NULL)));
}

/* During a lesson, the panels appear in a wide window and disappear in a narrow one, unless the
 * user shows or hides them. */
static void
test_lesson_shares_room (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  make_small (rig);
  plg_window_begin_lesson (rig->window, lessons->pdata[0]);
  g_assert_false (has_panels (rig));
  make_wide (rig, 1400);
  g_assert_true (has_panels (rig));
  make_small (rig);
  g_assert_false (has_panels (rig));
  g_assert_true (act (rig, "win.panels"));
  make_wide (rig, 1400);
  g_assert_true (act (rig, "win.panels"));
  g_assert_false (has_panels (rig));
  make_small (rig);
  make_wide (rig, 1400);
  g_assert_false (has_panels (rig));
  /* The setting is kept for the next window. */
  g_assert_true (act (rig, "win.panels"));
}

/* After the lesson the panels are restored. */
static void
test_lesson_gives_room_back (AppRig *rig, gconstpointer data)
{
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();

  make_wide (rig, 1280);
  g_assert_true (has_panels (rig));
  plg_window_begin_lesson (rig->window, lessons->pdata[0]);
  g_assert_false (has_panels (rig));
  plg_window_end_lesson (rig->window);
  rig_until (has_panels (rig));
}

static gboolean
is_within (GtkWidget *widget, GtkWidget *view)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, view, &bounds));
  return bounds.origin.x >= 0 && bounds.origin.y >= 0 &&
         bounds.origin.x + bounds.size.width <= gtk_widget_get_width (view) &&
         bounds.origin.y + bounds.size.height <= gtk_widget_get_height (view);
}

static gboolean
is_title (GtkWidget *label, gpointer text)
{
  return is_shown (label, NULL) && strcmp (gtk_label_get_text (GTK_LABEL (label)), text) == 0;
}

/* Returns whether a row ends with "…". */
static gboolean
is_cut (GtkWidget *label, gpointer data)
{
  return is_shown (label, NULL) &&
         pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))) &&
         strchr (gtk_label_get_text (GTK_LABEL (label)), ',') == NULL;
}

/* In a small window the most important columns and the names of all links are not cut off. */
static void
test_link_columns (AppRig *rig, gconstpointer data)
{
  static const char *const titles[] = { "Link", "Busy", "Calls", "Out", "In" };
  GtkWidget *table = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LINK_TABLE, NULL, NULL);

  make_small (rig);
  make_wide (rig, 2 * 1024 - gtk_widget_get_width (GTK_WIDGET (rig->window)));
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", "links");
  rig_until (is_shown (table, NULL));
  for (guint tier = 0; tier <= 1 + PLG_TIER_SPINE; tier++)
    {
      g_object_set (table, "tier", tier, NULL);
      settle (rig);
      for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
        rig_until (is_within (rig_find (table, GTK_TYPE_LABEL, is_title, (gpointer) titles[i]),
                              table));
      rig_until (rig_find (table, GTK_TYPE_LABEL, is_cut, NULL) == NULL);
    }
  gtk_widget_activate_action (GTK_WIDGET (rig->window), "win.page", "s", "timeline");
}

/* The same during a lesson on a projector. */
static void
test_links_during_lesson (AppRig *rig, gconstpointer data)
{
  static const char *const titles[] = { "Link", "Busy", "Calls", "Out" };
  g_autoptr (GPtrArray) lessons = plg_lesson_library ();
  GtkWidget *table = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_LINK_TABLE, NULL, NULL);

  plg_window_begin_lesson (rig->window, lessons->pdata[3]);
  make_small (rig);
  rig_until (is_shown (table, NULL));
  settle (rig);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    g_assert_true (is_within (rig_find (table, GTK_TYPE_LABEL, is_title, (gpointer) titles[i]),
                              table));
}

/* The timeline with its axis is complete, even with as many stages as GPUs. */
static void
test_many_stages (AppRig *rig, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (plg_window_document (rig->window)));
  const char *const settings[] = { "parallelism.tp=1", "parallelism.pp=64", "parallelism.dp=1",
                                   NULL };
  PlgCatalogue *catalogue = plg_document_catalogue (plg_window_document (rig->window));
  GtkWidget *timeline;

  g_assert_true (plg_settings_apply (plan, catalogue, settings, NULL));
  plg_document_reset (plg_window_document (rig->window), plan);
  make_small (rig);
  timeline = rig_find (GTK_WIDGET (rig->window), PLG_TYPE_PICTURE_VIEW, is_shown, NULL);
  settle (rig);
  g_assert_true (is_within (timeline,
                            gtk_widget_get_ancestor (timeline, GTK_TYPE_SCROLLED_WINDOW)));
}

/* Every page of the shortcuts window fits on a projector; the widest page decides. */
static gboolean
fits (GtkWidget *section, gpointer data)
{
  int width;
  g_autofree char *title = NULL;

  gtk_widget_measure (section, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_object_get (section, "title", &title, NULL);
  g_test_message ("%s: %d", title, width);
  g_assert_cmpint (width, <=, 1024);
  return FALSE;
}

static void
test_shortcuts (AppRig *rig, gconstpointer data)
{
  GtkShortcutsWindow
      *help = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (rig->window));

  g_assert_null (rig_find (GTK_WIDGET (help), GTK_TYPE_SHORTCUTS_SECTION, fits, NULL));
}

int
main (int argc, char **argv)
{
  static const AppRigCase cases[] = {
    { "/window-layout/timeline-description", test_timeline_description },
    { "/window-layout/play-in-small-window", test_play_in_small_window },
    { "/window-layout/canvas", test_canvas_has_room },
    { "/window-layout/canvas-stays", test_canvas_stays },
    { "/window-layout/legend-background", test_legend_background },
    { "/window-layout/slider", test_slider_has_room },
    { "/window-layout/pins", test_pins_have_room },
    { "/window-layout/narrow-pages", test_pages_are_narrow },
    { "/window-layout/long-message", test_long_message },
    { "/window-layout/toast-covers-nothing", test_toast_covers_nothing },
    { "/window-layout/lesson-shares-room", test_lesson_shares_room },
    { "/window-layout/lesson-gives-room-back", test_lesson_gives_room_back },
    { "/window-layout/link-columns", test_link_columns },
    { "/window-layout/links-during-lesson", test_links_during_lesson },
    { "/window-layout/many-stages", test_many_stages },
    { "/window-layout/shortcuts", test_shortcuts },
  };

  return app_rig_run (&argc, &argv, cases, G_N_ELEMENTS (cases));
}
