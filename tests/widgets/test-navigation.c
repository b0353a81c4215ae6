/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "engine/schedule/snapshot.h"
#include "drawing/cluster/cluster-layout.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/canvas/gpu-cell.h"
#include "widgets/canvas/find-bar.h"

#include <math.h>

typedef struct
{
  PlgDocument *document;
  PlgCanvas *canvas;
  PlgFindBar *bar;
  GtkWindow *window;
} Rig;

/* Selects a window as narrow as a canvas of 1,024 pixels, instead of a number of nodes. */
#define NARROW "narrow"

static void
set_up (Rig *rig, gconstpointer nodes)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  rig->document = rig_document ();
  if (nodes != NULL && strcmp (nodes, NARROW) != 0)
    {
      g_assert_true (plg_document_set (rig->document, "training.global-batch", "4096", NULL));
      g_assert_true (plg_document_set (rig->document, "cluster.nodes", nodes, NULL));
    }
  rig->canvas = PLG_CANVAS (plg_canvas_new ());
  g_object_set (rig->canvas, "document", rig->document, NULL);
  rig->bar = g_object_new (PLG_TYPE_FIND_BAR, "canvas", rig->canvas, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (rig->bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (rig->canvas));
  rig->window = rig_show (box, g_strcmp0 (nodes, NARROW) == 0 ? 690 : 1000, 760);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static void
frame (Rig *rig)
{
  rig_next_frame (GTK_WIDGET (rig->canvas));
}

/* The map ------------------------------------------------------------------------------------ */

static gboolean
has_map (const Rig *rig)
{
  return rig->canvas->rendering.is_minimap_needed;
}

/* The minimap is in the lower right corner while a part of the cluster is out of sight. */
static void
test_minimap (Rig *rig, gconstpointer data)
{
  graphene_rect_t bounds;

  g_assert_false (has_map (rig));
  plg_canvas_set_zoom (rig->canvas, 2);
  frame (rig);
  g_assert_true (has_map (rig));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (rig->canvas->rendering.minimap),
                                            GTK_WIDGET (rig->canvas), &bounds));
  g_assert_cmpfloat (bounds.size.width, >, 60);
  g_assert_cmpfloat (bounds.size.width, <=, 220);
  g_assert_cmpfloat (bounds.size.height, <=, 160);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, 1000);
  g_assert_cmpfloat (bounds.origin.x, >, 700);
  plg_canvas_fit (rig->canvas);
  frame (rig);
  g_assert_false (has_map (rig));
}

/* Nearly the whole cluster is in sight, so the minimap would only cover cells. */
static void
test_minimap_is_useful (Rig *rig, gconstpointer data)
{
  rig->canvas->view.is_fitted = FALSE;
  rig->canvas->view.origin.x -= 40;
  plg_canvas_invalidate_view (rig->canvas);
  frame (rig);
  g_assert_false (has_map (rig));
}

/* The legend --------------------------------------------------------------------------------- */

static double
smallest_text (const PlgFigure *figure)
{
  double smallest = G_MAXDOUBLE;

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_figure_shape (figure, i)->kind == PLG_SHAPE_TEXT)
      smallest = MIN (smallest, plg_figure_shape (figure, i)->font_size);
  return smallest;
}

/* The zoom changes the number of lines in the legend. The fitted cluster ends above the legend of
 * its own zoom. */
static void
test_fit_above_legend (Rig *rig, gconstpointer data)
{
  static const char *const faults[] = {
    "",
    "nic:2.3=0",
    "gpu:9=0.5",
    "gpu:9=0.5,nic:2.3=0",
    "gpu:9=0.5,nic:2.3=0,nic:2.4=0.5",
    "gpu:9=0.5,gpu:10=0.25,nic:2.3=0,nic:2.4=0.5,nic:2.5=0.125",
  };
  PlgCanvas *canvas = rig->canvas;

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    for (int width = 420; width <= 1000; width += 58)
      {
        g_assert_true (plg_document_set (rig->document, "cluster.faults", faults[i], NULL));
        plg_canvas_set_zoom (canvas, 1);
        plg_canvas_allocate (GTK_WIDGET (canvas), width, 760, -1);
        plg_canvas_fit (canvas);
        plg_canvas_allocate (GTK_WIDGET (canvas), width, 760, -1);
        g_assert_cmpfloat (canvas->view.origin.y +
                               plg_figure_height (canvas->rendering.figure) * canvas->view.zoom,
                           <=, plg_canvas_free_height_of (canvas, 760) + 1);
      }
}

/* The legend is visible and readable at each zoom and position, and the cluster ends above it. */
static void
test_legend (Rig *rig, gconstpointer data)
{
  static const double zooms[] = { 0.05, 0.3, 1, 4 };
  PlgCanvas *canvas = rig->canvas;
  int room = plg_canvas_free_height (canvas), width = gtk_widget_get_width (GTK_WIDGET (canvas));
  PlgEntity entity = { 0 };

  g_assert_cmpfloat (canvas->view.origin.y +
                         plg_figure_height (canvas->rendering.figure) * canvas->view.zoom,
                     <=, room);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      plg_canvas_set_zoom (canvas, zooms[i]);
      frame (rig);
      g_assert_cmpint (plg_canvas_free_height (canvas), ==, room);
      g_assert_cmpfloat (smallest_text (plg_canvas_legend_figure (canvas)), >=, 11);
      g_assert_cmpfloat (plg_figure_width (plg_canvas_legend_figure (canvas)), ==, width);
    }
  for (int x = 0; x < width && entity.kind != PLG_ENTITY_STAGE; x += 4)
    for (int y = room; y < gtk_widget_get_height (GTK_WIDGET (canvas)); y += 4)
      if (plg_canvas_entity_at (canvas, x, y).kind == PLG_ENTITY_STAGE)
        entity = plg_canvas_entity_at (canvas, x, y);
  g_assert_cmpint (entity.kind, ==, PLG_ENTITY_STAGE);
}

/* A new pin does not move the cluster, because its label always has space. */
static void
test_fit_over_pins (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = rig->canvas;
  double zoom = plg_canvas_get_zoom (canvas), top = canvas->view.origin.y;
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plg_document_plan (rig->document), zoom);

  g_assert_cmpfloat (canvas->view.origin.y + layout.height * zoom, <=,
                     plg_canvas_free_height (canvas) - 30);
  plg_highlight_model_toggle (plg_document_highlight_model (rig->document),
                              (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = 9 });
  frame (rig);
  g_assert_cmpfloat (plg_canvas_get_zoom (canvas), ==, zoom);
  plg_canvas_fit (canvas);
  frame (rig);
  g_assert_cmpfloat (plg_canvas_get_zoom (canvas), ==, zoom);
  g_assert_cmpfloat (canvas->view.origin.y, ==, top);
}

/* A press on the minimap moves the canvas there. */
static void
test_minimap_moves_canvas (Rig *rig, gconstpointer data)
{
  GtkWidget *map = GTK_WIDGET (rig->canvas->rendering.minimap);
  GtkEventController *drag = rig_controller (map, GTK_TYPE_GESTURE_DRAG);
  PlgRect last = plg_cluster_gpu_rect (plg_document_plan (rig->document), 63);
  double x, y;

  plg_canvas_set_zoom (rig->canvas, 3);
  frame (rig);
  g_signal_emit_by_name (drag, "drag-begin", (double) gtk_widget_get_width (map) - 8,
                         (double) gtk_widget_get_height (map) * 0.85);
  frame (rig);
  plg_canvas_to_widget (rig->canvas, last.x, last.y, &x, &y);
  g_assert_true (x > 0 && x < 1000 && y > 0 && y < 760);
  g_signal_emit_by_name (drag, "drag-update", -(double) gtk_widget_get_width (map),
                         -(double) gtk_widget_get_height (map));
  frame (rig);
  plg_canvas_to_widget (rig->canvas, last.x, last.y, &x, &y);
  g_assert_false (x > 0 && x < 1000 && y > 0 && y < 760);
}

/* The minimap does not cover the selected GPU. */
static void
test_minimap_avoids_selection (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  graphene_rect_t map, cell;

  plg_canvas_set_zoom (rig->canvas, 2);
  frame (rig);
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (rig->canvas->rendering.minimap), canvas,
                                            &map));
  plg_canvas_select (rig->canvas,
                     plg_canvas_gpu_near (rig->canvas, map.origin.x + 40, map.origin.y + 40));
  frame (rig);
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (rig->canvas->rendering.minimap), canvas,
                                            &map));
  g_assert_true (gtk_widget_compute_bounds (plg_canvas_cell (rig->canvas,
                                                             rig->canvas->keyboard.selected),
                                            canvas, &cell));
  g_assert_false (graphene_rect_intersection (&map, &cell, NULL));
}

/* The minimap does not move away from the pointer, because a second press would hit the GPU below. */
static void
test_minimap_stays_under_pointer (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *map = GTK_WIDGET (rig->canvas->rendering.minimap);
  graphene_rect_t before, after;

  plg_canvas_set_zoom (rig->canvas, 2);
  frame (rig);
  gtk_widget_set_state_flags (map, GTK_STATE_FLAG_PRELIGHT, FALSE);
  g_assert_true (gtk_widget_compute_bounds (map, canvas, &before));
  plg_canvas_select (rig->canvas,
                     plg_canvas_gpu_near (rig->canvas, before.origin.x + 40, before.origin.y + 40));
  frame (rig);
  g_assert_true (gtk_widget_compute_bounds (map, canvas, &after));
  g_assert_true (graphene_rect_equal (&before, &after));
  gtk_widget_unset_state_flags (map, GTK_STATE_FLAG_PRELIGHT);
  frame (rig);
  g_assert_true (gtk_widget_compute_bounds (map, canvas, &after));
  g_assert_false (graphene_rect_equal (&before, &after));
}

static char *
map_of (Rig *rig)
{
  return plg_figure_dump (plg_minimap_figure (rig->canvas->rendering.minimap));
}

static gboolean
map_differs (Rig *rig, const char *from)
{
  g_autofree char *now = map_of (rig);

  return g_strcmp0 (now, from) != 0;
}

/* While a part is out of sight, the minimap shows the first time that is played, the time of the
 * pause, and the whole step at the end. In between it changes from time to time. */
static void
test_minimap_in_playback (Rig *rig, gconstpointer data)
{
  double length = plg_snapshot_end (plg_document_report (rig->document));
  g_autofree char *at_rest = NULL, *first = NULL, *paused = NULL;

  plg_canvas_set_zoom (rig->canvas, 2);
  frame (rig);
  at_rest = map_of (rig);
  plg_canvas_set_time (rig->canvas, 0);
  frame (rig);
  g_assert_true (map_differs (rig, at_rest));
  first = map_of (rig);
  plg_canvas_set_time (rig->canvas, length / 4);
  plg_canvas_set_time (rig->canvas, length / 2);
  frame (rig);
  g_assert_false (map_differs (rig, first));
  rig_until (map_differs (rig, first));
  paused = map_of (rig);
  plg_canvas_invalidate (rig->canvas);
  rig->canvas->rendering.has_minimap_figure = FALSE;
  frame (rig);
  g_assert_false (map_differs (rig, paused));
  plg_canvas_set_time (rig->canvas, -1);
  rig_until (!map_differs (rig, at_rest));
}

/* A time within the same event, or a minimap that is not visible, causes no new figure. */
static void
test_minimap_is_not_redrawn (Rig *rig, gconstpointer data)
{
  const PlgFigure *before;

  plg_canvas_set_zoom (rig->canvas, 2);
  plg_canvas_set_time (rig->canvas, 0);
  rig_until (rig->canvas->rendering.minimap_timeout_id == 0);
  frame (rig);
  before = plg_minimap_figure (rig->canvas->rendering.minimap);
  plg_canvas_set_time (rig->canvas, 1e-9);
  frame (rig);
  g_assert_true (plg_minimap_figure (rig->canvas->rendering.minimap) == before);
  plg_canvas_fit (rig->canvas);
  frame (rig);
  plg_canvas_set_time (rig->canvas, plg_snapshot_end (plg_document_report (rig->document)) / 2);
  frame (rig);
  g_assert_true (plg_minimap_figure (rig->canvas->rendering.minimap) == before);
}

static gboolean
has_label (GtkWidget *cell, const char *label)
{
  g_autofree char *problem = gtk_test_accessible_check_property (GTK_ACCESSIBLE (cell),
                                                                 GTK_ACCESSIBLE_PROPERTY_LABEL,
                                                                 label);

  return problem == NULL;
}

static void
assert_label (GtkWidget *cell, const char *label)
{
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
}

static gboolean
is_in_view (Rig *rig, PlgRect rect)
{
  double x, y;

  plg_canvas_to_widget (rig->canvas, rect.x, rect.y, &x, &y);
  return x >= 0 && y >= 0 && x < gtk_widget_get_width (GTK_WIDGET (rig->canvas)) &&
         y < gtk_widget_get_height (GTK_WIDGET (rig->canvas));
}

/* In a large cluster the arrows move the single cell, which names the current GPU. */
static void
test_keys_in_large_cluster (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *cell;
  int per_node = plg_document_plan (rig->document)->cluster.gpus_per_node;

  plg_canvas_show_entity (rig->canvas, (PlgEntity) { PLG_ENTITY_GPU, 0, 100 * per_node });
  plg_canvas_set_zoom (rig->canvas, 1);
  frame (rig);
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  frame (rig);
  cell = gtk_widget_get_focus_child (canvas);
  g_assert_true (PLG_IS_GPU_CELL (cell));
  assert_label (cell, "Node 100 GPU 0, rank 800");
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  assert_label (cell, "Node 100 GPU 1, rank 801");
  g_assert_cmpint (plg_canvas_get_selected (rig->canvas), ==, 801);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  frame (rig);
  assert_label (cell, "Node 101 GPU 1, rank 809");
  g_assert_true (is_in_view (rig, plg_cluster_gpu_rect (plg_document_plan (rig->document), 809)));
}

/* A click hides the focus ring, and an arrow key shows it again. */
static void
test_keys_after_click (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (canvas));

  plg_canvas_fit (rig->canvas);
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_window_set_focus_visible (window, FALSE);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  g_assert_true (gtk_window_get_focus_visible (window));
}

/* At a low zoom the arrows visit nodes, at a lower zoom racks. Return zooms into one. */
static void
test_keys_at_low_zoom (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *cell;
  double zoom;

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  plg_canvas_set_zoom (rig->canvas, 0.13);
  frame (rig);
  cell = gtk_widget_get_focus_child (canvas);
  assert_label (cell, "Node 0");
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  assert_label (cell, "Node 1");
  plg_canvas_fit (rig->canvas);
  frame (rig);
  zoom = rig->canvas->view.zoom;
  assert_label (cell, "Nodes 0 to 31");
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  assert_label (cell, "Nodes 32 to 63");
  /* The headers between two rows of racks are crossed. */
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  g_assert_cmpint (rig->canvas->keyboard.focused, >, 64 * 8);
  gtk_widget_child_focus (canvas, GTK_DIR_UP);
  assert_label (cell, "Nodes 32 to 63");
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.pick-up", NULL));
  frame (rig);
  g_assert_cmpfloat (rig->canvas->view.zoom, >, 1.5 * zoom);
}

/* A rack is an entity of its own, with its nodes and ranks. */
static void
test_racks (Rig *rig, gconstpointer data)
{
  const PlgPlan *plan = plg_document_plan (rig->document);
  const PlgFigure *figure;
  g_autofree char *words = NULL;

  plg_canvas_fit (rig->canvas);
  frame (rig);
  figure = plg_canvas_figure (rig->canvas);
  g_assert_nonnull (plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_RACK, 0, 63 }));
  g_assert_null (plg_figure_find_entity (figure, (PlgEntity) { PLG_ENTITY_NODE, 0, 0 }));
  words = plg_describe_entity (plan, plg_document_report (rig->document),
                               (PlgEntity) { PLG_ENTITY_RACK, 0, 1 });
  g_assert_cmpstr (words, ==, "Nodes 32–63, 256 GPUs\nRanks 256–511");
}

/* The activity of the focused GPU is read during playback, and not after it. */
static void
test_activity_is_announced (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *cell;
  g_autofree char *activity = NULL, *label = NULL;

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  cell = gtk_widget_get_focus_child (canvas);
  assert_label (cell, "Node 0 GPU 0, rank 0");
  plg_canvas_set_time (rig->canvas, 0);
  assert_label (cell, "Node 0 GPU 0, rank 0, forward 0");
  plg_canvas_set_time (rig->canvas, 0.5 * plg_snapshot_end (plg_document_report (rig->document)));
  activity = plg_canvas_gpu_activity (rig->canvas, 0);
  g_assert_cmpstr (activity, !=, "forward 0");
  label = g_strconcat ("Node 0 GPU 0, rank 0, ", activity, NULL);
  rig_until (has_label (cell, label));
  plg_canvas_set_time (rig->canvas, -1);
  rig_until (has_label (cell, "Node 0 GPU 0, rank 0"));
}

static gboolean
legend_names (Rig *rig, PlgActivity activity)
{
  const PlgFigure *legend = plg_canvas_legend_figure (rig->canvas);

  for (int i = 0; i < plg_figure_n_shapes (legend); i++)
    {
      const PlgShape *shape = plg_figure_shape (legend, i);

      if (shape->kind == PLG_SHAPE_TEXT && strstr (shape->text, plg_activity_title (activity)))
        return TRUE;
    }
  return FALSE;
}

/* In a narrow window the legend names all activities, at the end of the step as at its start. */
static void
test_legend_follows_time (Rig *rig, gconstpointer data)
{
  double late = 0.9999 * plg_snapshot_end (plg_document_report (rig->document));

  plg_canvas_set_time (rig->canvas, 0);
  frame (rig);
  g_assert_true (legend_names (rig, PLG_ACTIVITY_FORWARD));
  plg_canvas_set_time (rig->canvas, late);
  frame (rig);
  g_assert_true (legend_names (rig, rig->canvas->rendering.step_snapshot->stages[0].activity));
  plg_canvas_set_time (rig->canvas, 0);
  frame (rig);
  g_assert_true (legend_names (rig, PLG_ACTIVITY_FORWARD));
}

/* Pages -------------------------------------------------------------------------------------- */

static void
test_pages (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  PlgPoint origin;

  plg_canvas_set_zoom (rig->canvas, 3);
  frame (rig);
  origin = rig->canvas->view.origin;
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.page", "(ii)", 0, 1));
  frame (rig);
  g_assert_cmpfloat (rig->canvas->view.origin.y, <, origin.y - 300);
  g_assert_cmpfloat (rig->canvas->view.origin.x, ==, origin.x);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.page", "(ii)", 0, -1));
  frame (rig);
  g_assert_cmpfloat_with_epsilon (rig->canvas->view.origin.y, origin.y, 1);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.end", "b", TRUE));
  g_assert_cmpint (rig->canvas->keyboard.focused, ==, 63);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.end", "b", FALSE));
  g_assert_cmpint (rig->canvas->keyboard.focused, ==, 0);
}

/* A focus that moves out of sight moves the view. */
static void
test_focus_stays_in_view (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  plg_canvas_set_zoom (rig->canvas, 3);
  frame (rig);
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  for (int i = 0; i < 7; i++)
    {
      PlgRect rect;
      double x, y;

      gtk_widget_child_focus (canvas, i % 2 == 0 ? GTK_DIR_DOWN : GTK_DIR_RIGHT);
      frame (rig);
      rect = plg_cluster_gpu_rect (plg_document_plan (rig->document),
                                   rig->canvas->keyboard.focused);
      plg_canvas_to_widget (rig->canvas, rect.x, rect.y, &x, &y);
      g_assert_true (x >= 0 && x < 1000 && y >= 0 && y < 760);
    }
}

/* Finding ------------------------------------------------------------------------------------ */

static gboolean
is_editable (GtkWidget *widget, gpointer data)
{
  return TRUE;
}

static GtkWidget *
entry (const Rig *rig)
{
  return rig_find (GTK_WIDGET (rig->bar), GTK_TYPE_SEARCH_ENTRY, is_editable, NULL);
}

/* Types @words and waits for the delay of the entry. */
static void
type (const Rig *rig, const char *words)
{
  /* Without this, the entry would emit its signal once more later. */
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (entry (rig)), 0);
  gtk_editable_set_text (GTK_EDITABLE (entry (rig)), words);
  g_signal_emit_by_name (entry (rig), "search-changed");
  rig_next_frame (GTK_WIDGET (rig->canvas));
  rig_next_frame (GTK_WIDGET (rig->canvas));
}

static gboolean
is_answer (GtkWidget *widget, gpointer words)
{
  return strstr (gtk_label_get_text (GTK_LABEL (widget)), words) != NULL;
}

static void
assert_answer (const Rig *rig, const char *words)
{
  g_assert_nonnull (rig_find (GTK_WIDGET (rig->bar), GTK_TYPE_LABEL, is_answer, (gpointer) words));
}

/* The result of a search is selected, in sight and large enough to read. */
static void
assert_shown (const Rig *rig, int gpu)
{
  PlgRect rect = plg_cluster_gpu_rect (plg_document_plan (rig->document), gpu);
  double x, y;

  g_assert_cmpint (rig->canvas->keyboard.selected, ==, gpu);
  g_assert_cmpfloat (plg_canvas_get_zoom (rig->canvas), >=, 0.36);
  plg_canvas_to_widget (rig->canvas, rect.x, rect.y, &x, &y);
  g_assert_true (x > 0 && x < 1000 && y > 0 && y < 760);
}

static void
test_find (Rig *rig, gconstpointer data)
{
  plg_find_bar_open (rig->bar);
  type (rig, "rank 517");
  assert_shown (rig, 517);
  assert_answer (rig, "Node 64 GPU 5, rank 517");
  g_assert_cmpuint (rig->canvas->view.mark_timeout_id, !=, 0);
  type (rig, "16383");
  assert_shown (rig, 16383);
  type (rig, "rank 99999");
  assert_answer (rig, "Rank 99999 does not exist; ranks are numbered from 0 to 16383");
  assert_shown (rig, 16383);
  type (rig, "nic-70-3");
  assert_answer (rig, "70");
  rig_until (rig->canvas->view.mark_timeout_id == 0);
}

/* The end of the search ends the highlight; the result keeps the focus. */
static void
test_find_closes (Rig *rig, gconstpointer data)
{
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  GtkWidget *bar = rig_find (GTK_WIDGET (rig->bar), GTK_TYPE_SEARCH_BAR, NULL, NULL);

  plg_find_bar_open (rig->bar);
  type (rig, "rank 517");
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).index, ==, 517);
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (bar), FALSE);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_NONE);
  g_assert_nonnull (gtk_widget_get_focus_child (GTK_WIDGET (rig->canvas)));
  g_assert_cmpint (rig->canvas->keyboard.focused, ==, 517);
}

/* A number has several results. Enter goes to the next, and from the last to the first. */
static void
test_find_next (Rig *rig, gconstpointer data)
{
  plg_find_bar_open (rig->bar);
  type (rig, "5");
  assert_answer (rig, "1 of 2");
  g_signal_emit_by_name (entry (rig), "activate");
  assert_answer (rig, "Node 5 (2 of 2)");
  g_signal_emit_by_name (entry (rig), "activate");
  assert_answer (rig, "1 of 2");
  g_signal_emit_by_name (entry (rig), "previous-match");
  assert_answer (rig, "2 of 2");
}

static gboolean
never_cb (gpointer data)
{
  return G_SOURCE_REMOVE;
}

/* A result that comes under a pointer at rest is not hovered, because the hover would dim the
 * result. */
static void
test_find_under_pointer (Rig *rig, gconstpointer data)
{
  GtkEventController *motion = rig_controller (GTK_WIDGET (rig->canvas),
                                               GTK_TYPE_EVENT_CONTROLLER_MOTION);
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);

  g_signal_emit_by_name (motion, "motion", 500.0, 300.0);
  rig->canvas->pointer.highlight_timeout_id = g_timeout_add (G_MAXINT, never_cb, NULL);
  type (rig, "rank 12345");
  g_assert_cmpuint (rig->canvas->pointer.highlight_timeout_id, ==, 0);
  for (int i = 0; i < 3; i++)
    {
      g_signal_emit_by_name (motion, "motion", 500.0, 300.0);
      g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_NONE);
      g_assert_cmpint (plg_highlight_model_hovered (highlight_model).index, ==, 12345);
    }
  assert_shown (rig, 12345);
  type (rig, "node 77");
  g_signal_emit_by_name (motion, "motion", 500.0, 300.0);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_NONE);
  g_signal_emit_by_name (motion, "motion", 501.0, 300.0);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, !=, PLG_ENTITY_NONE);
}

static PlgPoint
middle_of_node (const Rig *rig, int node)
{
  PlgRect rect = plg_cluster_node_rect (plg_document_plan (rig->document), node);
  PlgPoint at;

  plg_canvas_to_widget (rig->canvas, rect.x + rect.width / 2, rect.y + rect.height / 2, &at.x,
                        &at.y);
  return at;
}

/* Keys zoom around the search result while it is in sight. */
static void
test_zoom_around_found (Rig *rig, gconstpointer data)
{
  PlgPoint before, after;

  type (rig, "node 77");
  plg_canvas_set_zoom (rig->canvas, 0.4);
  rig->canvas->view.origin.x += 200;
  before = middle_of_node (rig, 77);
  for (int i = 0; i < 3; i++)
    plg_canvas_zoom_by (rig->canvas, 1.25);
  frame (rig);
  after = middle_of_node (rig, 77);
  g_assert_cmpfloat_with_epsilon (before.x, after.x, 1);
  g_assert_cmpfloat_with_epsilon (before.y, after.y, 1);
  /* Out of sight, the result no longer matters, and the middle stays. */
  plg_canvas_set_zoom (rig->canvas, 4);
  plg_canvas_center_on (rig->canvas, 0, 0);
  plg_canvas_zoom_by (rig->canvas, 1.25);
  plg_canvas_to_widget (rig->canvas, 0, 0, &after.x, &after.y);
  g_assert_cmpfloat_with_epsilon (after.x, gtk_widget_get_width (GTK_WIDGET (rig->canvas)) / 2.0,
                                  1);
}

/* Highlights --------------------------------------------------------------------------------- */

static PlgColor
fill_of_gpu (const Rig *rig, int gpu)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);

  return plg_figure_find_entity (figure, (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = gpu })
      ->fill;
}

/* The visible part dims only while a highlighted entity is visible. The minimap marks the others. */
static void
test_highlight_out_of_view (Rig *rig, gconstpointer data)
{
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  PlgRect first = plg_cluster_gpu_rect (plg_document_plan (rig->document), 0);
  PlgColor plain, now;

  plg_canvas_set_zoom (rig->canvas, 4);
  plg_canvas_center_on (rig->canvas, first.x, first.y);
  frame (rig);
  plain = fill_of_gpu (rig, 1);
  plg_highlight_model_set_hovered (highlight_model,
                                   (PlgEntity) { .kind = PLG_ENTITY_NODE, .index = 5 });
  frame (rig);
  now = fill_of_gpu (rig, 1);
  g_assert_cmpmem (&plain, sizeof plain, &now, sizeof now);
  plg_canvas_set_zoom (rig->canvas, 0.5);
  frame (rig);
  now = fill_of_gpu (rig, 1);
  g_assert_true (memcmp (&plain, &now, sizeof now) != 0);
}

/* Speed -------------------------------------------------------------------------------------- */

/* A move of the view causes at most one layout per frame, and paints only the tiles that come into
 * sight. */
static void
test_frames (Rig *rig, gconstpointer data)
{
  for (int i = 0; i < 40; i++)
    {
      guint layouts = plg_canvas_n_layouts (rig->canvas);
      guint paints = plg_canvas_n_paints (rig->canvas);

      if (i % 2 == 0)
        plg_canvas_zoom_by (rig->canvas, i < 20 ? 1.3 : 1 / 1.3);
      else
        plg_canvas_center_on (rig->canvas, i * 400, i * 200);
      frame (rig);
      g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), <=, layouts + 1);
      g_assert_cmpuint (plg_canvas_n_paints (rig->canvas), <=, paints + 1);
    }
}

static cairo_surface_t *
picture_of (Rig *rig)
{
  GtkWidget *widget = GTK_WIDGET (rig->canvas);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static gboolean
look_alike (cairo_surface_t *a, cairo_surface_t *b)
{
  gsize size = (gsize) cairo_image_surface_get_stride (a) * cairo_image_surface_get_height (a);

  return cairo_image_surface_get_width (a) == cairo_image_surface_get_width (b) &&
         cairo_image_surface_get_height (a) == cairo_image_surface_get_height (b) &&
         memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b), size) == 0;
}

/* The pixels within @rect of the figure. */
static GBytes *
pixels_of (Rig *rig, PlgRect rect)
{
  cairo_surface_t *surface = picture_of (rig), *part;
  int width = rect.width * rig->canvas->view.zoom, height = rect.height * rig->canvas->view.zoom;
  cairo_t *cr;
  double x, y;
  GBytes *bytes;

  plg_canvas_to_widget (rig->canvas, rect.x, rect.y, &x, &y);
  part = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cr = cairo_create (part);
  cairo_set_source_surface (cr, surface, -round (x), -round (y));
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (part);
  bytes = g_bytes_new (cairo_image_surface_get_data (part),
                       (gsize) cairo_image_surface_get_stride (part) * height);
  cairo_surface_destroy (part);
  cairo_surface_destroy (surface);
  return bytes;
}

/* The focus ring covers neither the number of a pin nor the name of a group. */
static void
test_focus_ring_avoids_marks (Rig *rig, gconstpointer data)
{
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  const PlgFigure *figure;
  int marks = 0;

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  plg_highlight_model_toggle (highlight_model, (PlgEntity) { PLG_ENTITY_GPU, 0, 0 });
  frame (rig);
  figure = plg_canvas_figure (rig->canvas);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      PlgRect inner = { shape->rect.x + 4, shape->rect.y + 4, shape->rect.width - 8,
                        shape->rect.height - 8 };
      g_autoptr (GBytes) with = NULL, without = NULL;

      if (!shape->is_mark || shape->kind != PLG_SHAPE_RECT)
        continue;
      gtk_window_set_focus_visible (rig->window, TRUE);
      with = pixels_of (rig, inner);
      gtk_window_set_focus_visible (rig->window, FALSE);
      without = pixels_of (rig, inner);
      g_assert_true (g_bytes_equal (with, without));
      marks++;
    }
  g_assert_cmpint (marks, ==, 2);
}

/* The same view, painted without old tiles. */
static void
paint_anew (Rig *rig)
{
  g_autofree char *palette = NULL;

  g_object_get (rig->canvas, "palette", &palette, NULL);
  g_object_set (rig->canvas, "palette", "grey", NULL);
  frame (rig);
  g_object_set (rig->canvas, "palette", palette, NULL);
  frame (rig);
}

/* During a zoom old tiles are shown enlarged. When the zoom rests, all tiles are new, and no more
 * are painted. */
static void
test_sharp_at_rest (Rig *rig, gconstpointer data)
{
  static const double factors[] = { 1.1, 1.1, 1 / 1.3, 1.7, 1.7, 3, 1 / 1.2, 1 / 9.0, 1.05 };
  cairo_surface_t *rested, *anew;
  gint64 begun;
  guint paints;

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      plg_canvas_zoom_by (rig->canvas, factors[i]);
      frame (rig);
    }
  rig_until (plg_canvas_is_sharp (rig->canvas));
  /* A short step needs no new figure, and the zoom does not rest yet, unless the machine was busy
   * for that time. */
  begun = g_get_monotonic_time ();
  plg_canvas_zoom_by (rig->canvas, 1.001);
  frame (rig);
  if (g_get_monotonic_time () - begun < G_USEC_PER_SEC / 20)
    g_assert_false (plg_canvas_is_sharp (rig->canvas));
  rig_until (plg_canvas_is_sharp (rig->canvas));
  rested = picture_of (rig);
  paints = plg_canvas_n_paints (rig->canvas);
  for (int i = 0; i < 3; i++)
    frame (rig);
  g_assert_cmpuint (plg_canvas_n_paints (rig->canvas), ==, paints);
  paint_anew (rig);
  anew = picture_of (rig);
  g_assert_true (look_alike (rested, anew));
  cairo_surface_destroy (rested);
  cairo_surface_destroy (anew);
}

static void
pan_by (Rig *rig, double x, double y)
{
  gboolean result;

  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->canvas),
                                         GTK_TYPE_EVENT_CONTROLLER_SCROLL),
                         "scroll", x, y, &result);
  frame (rig);
}

/* Tiles that a pan painted before, and figures in between, do not change the result. */
static void
test_pan (Rig *rig, gconstpointer data)
{
  static const PlgPoint ways[] = { { 0.4, 0.6 }, { 0, -0.7 }, { -0.5, 0.2 } };

  plg_canvas_set_zoom (rig->canvas, 0.4);
  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      cairo_surface_t *panned, *anew;

      for (int i = 0; i < 25; i++)
        pan_by (rig, ways[way].x, ways[way].y);
      rig_until (plg_canvas_is_sharp (rig->canvas));
      panned = picture_of (rig);
      paint_anew (rig);
      anew = picture_of (rig);
      g_assert_true (look_alike (panned, anew));
      cairo_surface_destroy (panned);
      cairo_surface_destroy (anew);
    }
}

/* A change is shown at once, also during a zoom. */
static void
test_change_during_zoom (Rig *rig, gconstpointer data)
{
  cairo_surface_t *before, *after;

  plg_canvas_zoom_by (rig->canvas, 1.1);
  frame (rig);
  before = picture_of (rig);
  g_assert_true (plg_document_set (rig->document, "parallelism.tp", "4", NULL));
  frame (rig);
  after = picture_of (rig);
  g_assert_false (look_alike (before, after));
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, nodes, function) \
  g_test_add ("/navigation/" name, Rig, nodes, set_up, function, tear_down)
  ADD ("minimap", NULL, test_minimap);
  ADD ("minimap-is-useful", NULL, test_minimap_is_useful);
  ADD ("legend", NULL, test_legend);
  ADD ("legend-of-many", "2048", test_legend);
  ADD ("fit-above-legend", "2048", test_fit_above_legend);
  ADD ("fit-over-pins", NULL, test_fit_over_pins);
  ADD ("minimap-avoids-selection", NULL, test_minimap_avoids_selection);
  ADD ("minimap-stays-under-pointer", NULL, test_minimap_stays_under_pointer);
  ADD ("minimap-moves-canvas", NULL, test_minimap_moves_canvas);
  ADD ("minimap-in-playback", NULL, test_minimap_in_playback);
  ADD ("minimap-is-not-redrawn", NULL, test_minimap_is_not_redrawn);
  ADD ("keys-in-large-cluster", "2048", test_keys_in_large_cluster);
  ADD ("keys-after-click", "2048", test_keys_after_click);
  ADD ("keys-at-low-zoom", "2048", test_keys_at_low_zoom);
  ADD ("racks", "2048", test_racks);
  ADD ("activity-is-announced", NULL, test_activity_is_announced);
  ADD ("legend-follows-time", NARROW, test_legend_follows_time);
  ADD ("focus-ring-avoids-marks", NULL, test_focus_ring_avoids_marks);
  ADD ("pages", NULL, test_pages);
  ADD ("focus-stays-in-view", NULL, test_focus_stays_in_view);
  ADD ("find", "2048", test_find);
  ADD ("find-next", NULL, test_find_next);
  ADD ("find-closes", "2048", test_find_closes);
  ADD ("find-under-pointer", "2048", test_find_under_pointer);
  ADD ("zoom-around-found", "128", test_zoom_around_found);
  ADD ("highlight-out-of-view", NULL, test_highlight_out_of_view);
  ADD ("frames", "2048", test_frames);
  ADD ("sharp-at-rest", NULL, test_sharp_at_rest);
  ADD ("sharp-at-rest-of-many", "2048", test_sharp_at_rest);
  ADD ("pan", "2048", test_pan);
  ADD ("change-during-zoom", NULL, test_change_during_zoom);
#undef ADD
  return g_test_run ();
}
