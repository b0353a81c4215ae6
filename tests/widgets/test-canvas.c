/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/settings/setting.h"
#include "widgets/canvas/canvas-private.h"
#include "widgets/canvas/gpu-cell.h"
#include "widgets/deferred-update.h"

#include "plan/quantity.h"

typedef struct
{
  PlgDocument *document;
  PlgCanvas *canvas;
  GtkWindow *window;
  GtkEventController *drag;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->canvas = PLG_CANVAS (plg_canvas_new ());
  g_object_set (rig->canvas, "document", rig->document, NULL);
  rig->window = rig_show (GTK_WIDGET (rig->canvas), 1000, 760);
  rig->drag = rig_controller (GTK_WIDGET (rig->canvas), GTK_TYPE_GESTURE_DRAG);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static int
degree (const Rig *rig, PlgAxis axis)
{
  return plg_document_plan (rig->document)->parallelism.degree[axis];
}

/* The middle of the handle on the edge of @axis, in the widget. */
static PlgPoint
handle_of_kind (const Rig *rig, PlgEntityKind kind, PlgAxis axis)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);
  PlgPoint point = { 0 };

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      if (shape->entity.kind != kind || shape->entity.axis != axis)
        continue;
      plg_canvas_to_widget (rig->canvas, shape->rect.x + shape->rect.width / 2,
                            shape->rect.y + shape->rect.height / 2, &point.x, &point.y);
      return point;
    }
  g_assert_not_reached ();
}

static PlgPoint
handle_position (const Rig *rig, PlgAxis axis)
{
  return handle_of_kind (rig, PLG_ENTITY_HANDLE, axis);
}

static PlgPoint
middle_of_gpu (const Rig *rig, int gpu)
{
  return rig_middle_of_gpu (rig->canvas, plg_document_plan (rig->document), gpu);
}

static void
press (Rig *rig, PlgPoint at)
{
  g_signal_emit_by_name (rig->drag, "drag-begin", at.x, at.y);
}

static void
move (Rig *rig, PlgPoint from, PlgPoint to)
{
  g_signal_emit_by_name (rig->drag, "drag-update", to.x - from.x, to.y - from.y);
}

static void
release (Rig *rig)
{
  g_signal_emit_by_name (rig->drag, "drag-end", 0.0, 0.0);
}

static void
act (Rig *rig, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), action, NULL));
}

static void
change_edge (Rig *rig, const char *action, gboolean other)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), action, "b", other));
}

static void
test_handles (Rig *rig, gconstpointer data)
{
  PlgPoint tp = handle_position (rig, PLG_AXIS_TP);
  PlgPoint last = middle_of_gpu (rig, 7);

  /* At the right edge of the last GPU of node 0, where the first TP group ends. */
  g_assert_cmpfloat (tp.x, >, last.x);
  g_assert_cmpfloat (ABS (tp.y - last.y), <, 20);
  handle_position (rig, PLG_AXIS_PP);
}

static void
test_press_and_cancel (Rig *rig, gconstpointer data)
{
  press (rig, handle_position (rig, PLG_AXIS_TP));
  g_signal_emit_by_name (rig->drag, "cancel", NULL);
  g_signal_emit_by_name (rig->drag, "drag-end", 0.0, 0.0);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 8);
  g_assert_null (plg_document_undo_label (rig->document));
  g_assert_false (plg_document_is_previewing (rig->document));
}

static void
test_degree_by_keys (Rig *rig, gconstpointer data)
{
  change_edge (rig, "canvas.shrink", FALSE);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_cmpint (degree (rig, PLG_AXIS_DP), ==, 4);
  change_edge (rig, "canvas.grow", FALSE);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 8);
  g_assert_true (plg_document_undo (rig->document));
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_true (plg_document_undo (rig->document));
  g_assert_false (plg_document_undo (rig->document));
}

/* The other axis gives and takes, as with Shift during a drag. */
static void
test_other_axis_by_keys (Rig *rig, gconstpointer data)
{
  change_edge (rig, "canvas.shrink", TRUE);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_cmpint (degree (rig, PLG_AXIS_PP), ==, 8);
  g_assert_cmpint (degree (rig, PLG_AXIS_DP), ==, 2);
}

static void
test_refusal_is_announced (Rig *rig, gconstpointer data)
{
  g_autofree char *message = NULL;
  int refusals = 0;

  g_signal_connect_swapped (rig->canvas, "refused", G_CALLBACK (g_atomic_int_inc), &refusals);
  /* TP divides 64 heads; 16 x PP 4 leaves DP 1, so no further step is possible. */
  change_edge (rig, "canvas.grow", FALSE);
  change_edge (rig, "canvas.grow", FALSE);
  change_edge (rig, "canvas.grow", FALSE);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), <=, 16);
  g_assert_true (plg_plan_check (plg_document_plan (rig->document), NULL));
}

static void
test_pick_up_and_drop (Rig *rig, gconstpointer data)
{
  const PlgPlan *plan;

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  act (rig, "canvas.pick-up");
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_RIGHT);
  g_assert_true (plg_document_is_previewing (rig->document));
  act (rig, "canvas.pick-up");
  g_assert_false (plg_document_is_previewing (rig->document));
  plan = plg_document_plan (rig->document);
  g_assert_cmpint (plg_placement_gpu (&plan->placement, 0), ==, 1);
  g_assert_cmpint (plg_placement_gpu (&plan->placement, 1), ==, 0);
  g_assert_true (plg_document_undo (rig->document));
  g_assert_cmpint (plg_document_plan (rig->document)->placement.size, ==, 0);
}

static void
test_arrows_move_focus (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  g_assert_cmpint (plg_gpu_cell_gpu (PLG_GPU_CELL (gtk_widget_get_focus_child (canvas))), ==, 0);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  g_assert_cmpint (plg_gpu_cell_gpu (PLG_GPU_CELL (gtk_widget_get_focus_child (canvas))), ==, 9);
  gtk_widget_child_focus (canvas, GTK_DIR_UP);
  gtk_widget_child_focus (canvas, GTK_DIR_LEFT);
  g_assert_cmpint (plg_gpu_cell_gpu (PLG_GPU_CELL (gtk_widget_get_focus_child (canvas))), ==, 0);
  g_assert_false (gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD));
}

static void
test_cells_are_named (Rig *rig, gconstpointer data)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (rig->canvas));
  int cells = 0;

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (PLG_IS_GPU_CELL (child))
      {
        g_autofree char *name = g_strdup_printf ("Node %d GPU %d, rank %d", cells / 8, cells % 8,
                                                 cells);
        gtk_test_accessible_assert_role (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_ROLE_GRID_CELL);
        gtk_test_accessible_assert_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                             name);
        cells++;
      }
  g_assert_cmpint (cells, ==, 64);
}

/* An unchanged plan causes neither a layout nor a paint. */
static void
test_frames_are_lazy (Rig *rig, gconstpointer data)
{
  guint layouts = plg_canvas_n_layouts (rig->canvas);
  guint paints = plg_canvas_n_paints (rig->canvas);

  for (int i = 0; i < 5; i++)
    {
      gtk_widget_queue_draw (GTK_WIDGET (rig->canvas));
      rig_next_frame (GTK_WIDGET (rig->canvas));
    }
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), ==, layouts);
  g_assert_cmpuint (plg_canvas_n_paints (rig->canvas), ==, paints);

  /* Many changes before a frame cause one layout. */
  for (int i = 0; i < 4; i++)
    {
      change_edge (rig, "canvas.shrink", FALSE);
      change_edge (rig, "canvas.grow", FALSE);
    }
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), <=, layouts + 1);
  g_assert_cmpuint (plg_canvas_n_paints (rig->canvas), <=, paints + 1);
}

typedef struct
{
  Rig *rig;
  int times;
  int degree;
} Follower;

static void
follow_cb (Follower *follower)
{
  follower->times++;
  follower->degree = degree (follower->rig, PLG_AXIS_TP);
}

/* The widgets next to the canvas follow a drag one frame later, and show the last state when the
 * drag rests or ends. */
static void
test_updates_during_drag (Rig *rig, gconstpointer data)
{
  PlgPoint from = handle_position (rig, PLG_AXIS_TP),
           to[] = { middle_of_gpu (rig, 3), middle_of_gpu (rig, 7) };
  Follower follower = { rig, 0, 0 };

  plg_deferred_update_install (GTK_WIDGET (rig->canvas), rig->document);
  g_signal_connect_swapped (rig->document, "numbers-changed", G_CALLBACK (follow_cb), &follower);
  press (rig, from);
  move (rig, from, to[0]);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
  g_assert_cmpint (follower.times, ==, 0);
  rig_until (follower.times == 1);
  g_assert_cmpint (follower.degree, ==, 4);
  for (int i = 1; i < 10; i++)
    {
      move (rig, from, to[i % 2]);
      move (rig, from, to[0]);
      rig_next_frame (GTK_WIDGET (rig->canvas));
    }
  g_assert_cmpint (follower.times, <=, 6);
  move (rig, from, middle_of_gpu (rig, 1));
  rig_until (follower.degree == 2);
  move (rig, from, to[0]);
  release (rig);
  g_assert_cmpint (follower.degree, ==, 4);
  from = handle_position (rig, PLG_AXIS_TP);
  press (rig, from);
  move (rig, from, middle_of_gpu (rig, 1));
  rig_until (follower.degree == 2);
  plg_canvas_drag_cancel (rig->canvas);
  rig_until (follower.degree == 4);
  release (rig);
  g_signal_handlers_disconnect_by_data (rig->document, &follower);
}

static void
test_zoom (Rig *rig, gconstpointer data)
{
  double fitted = plg_canvas_get_zoom (rig->canvas);

  plg_canvas_zoom_by (rig->canvas, 2);
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (rig->canvas), 2 * fitted, 1e-9);
  for (int i = 0; i < 50; i++)
    plg_canvas_zoom_by (rig->canvas, 2);
  g_assert_cmpfloat (plg_canvas_get_zoom (rig->canvas), <=, 10);
  plg_canvas_fit (rig->canvas);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpfloat_with_epsilon (plg_canvas_get_zoom (rig->canvas), fitted, 1e-9);
}

/* The edge moves by the same distance as the pointer, wherever the press is. */
static void
test_edge_follows_pointer (Rig *rig, gconstpointer data)
{
  PlgPoint pp = handle_position (rig, PLG_AXIS_PP);
  PlgPoint below = middle_of_gpu (rig, 31);
  PlgPoint above = middle_of_gpu (rig, 15);

  for (int dx = -8; dx <= 8; dx += 8)
    {
      PlgPoint taken = { pp.x + dx, pp.y + dx / 2 };
      PlgPoint up = { taken.x, taken.y + above.y - below.y };

      press (rig, taken);
      move (rig, taken, taken);
      g_assert_false (plg_document_is_previewing (rig->document));
      move (rig, taken, up);
      g_assert_cmpint (degree (rig, PLG_AXIS_PP), ==, 2);
      release (rig);
      g_assert_true (plg_document_undo (rig->document));
      rig_next_frame (GTK_WIDGET (rig->canvas));
    }
}

/* Returns the highest time on the colour scale of REPORT's links, as the legend shows it. */
static char *
end_of_scale (const PlgReport *report)
{
  return plg_format_time (plg_link_scale (report, PLG_LINK_COLOR_TIME).maximum);
}

/* Returns whether the legend has END at the end of a scale, alone or after "≥". */
static gboolean
legend_has_end (const Rig *rig, const char *end)
{
  const PlgFigure *legend;
  g_autofree char *exceeded = g_strdup_printf ("≥ %s", end);

  plg_canvas_ensure_legend (rig->canvas, gtk_widget_get_width (GTK_WIDGET (rig->canvas)));
  legend = plg_canvas_legend_figure (rig->canvas);
  for (int i = 0; i < plg_figure_n_shapes (legend); i++)
    {
      const PlgShape *shape = plg_figure_shape (legend, i);

      if (shape->kind == PLG_SHAPE_TEXT &&
          (g_str_equal (shape->text, end) || g_str_equal (shape->text, exceeded)))
        return TRUE;
    }
  return FALSE;
}

/* The colours of links keep their scale from the start to the end of a drag. A drop shows the new
 * plan's own scale, and a cancelled drag shows the old plan's. */
static void
test_scale_during_drag (Rig *rig, gconstpointer data)
{
  PlgPoint tp = handle_position (rig, PLG_AXIS_TP), middle = middle_of_gpu (rig, 3);
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  g_autofree char *end = NULL, *other_end = NULL;

  plan->view.link_color = PLG_LINK_COLOR_TIME;
  g_assert_true (plg_document_apply (rig->document, plan, "Link colour", NULL, NULL));
  end = end_of_scale (plg_document_report (rig->document));
  g_assert_true (legend_has_end (rig, end));
  for (int is_dropped = 0; is_dropped < 2; is_dropped++)
    {
      press (rig, tp);
      move (rig, tp, middle);
      g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 4);
      g_clear_pointer (&other_end, g_free);
      other_end = end_of_scale (plg_document_report (rig->document));
      g_assert_cmpstr (other_end, !=, end);
      g_assert_true (legend_has_end (rig, end));
      g_assert_false (legend_has_end (rig, other_end));
      if (is_dropped)
        release (rig);
      else
        plg_canvas_escape (rig->canvas);
      g_assert_true (legend_has_end (rig, is_dropped ? other_end : end));
      g_assert_false (legend_has_end (rig, is_dropped ? end : other_end));
      if (!is_dropped)
        release (rig);
    }
}

/* Each handle lies at the edge of its block; a block that cannot be dragged has no handle. */
static void
test_handles_of_all_axes (Rig *rig, gconstpointer data)
{
  static const char *const orders[] = { "tp-cp-pp-dp", "dp-pp-cp-tp", "cp-dp-tp-pp",
                                        "pp-tp-dp-cp" };
  static const PlgAxis axes[] = { PLG_AXIS_TP, PLG_AXIS_CP, PLG_AXIS_PP, PLG_AXIS_DP };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint k = 0; k < G_N_ELEMENTS (axes); k++)
      {
        PlgView view = { .show = (PlgShow) (PLG_SHOW_TP + axes[k]) };
        PlgPoint taken, last;
        int block;

        plg_document_reset (rig->document, NULL);
        g_assert_true (plg_document_set (rig->document, "parallelism.order", orders[i], NULL));
        plg_document_set_view (rig->document, &view);
        rig_next_frame (GTK_WIDGET (rig->canvas));
        taken = handle_position (rig, axes[k]);
        block = plg_axis_bounded_block (&plg_document_plan (rig->document)->parallelism, axes[k]);
        last = middle_of_gpu (rig, block - 1);
        g_assert_cmpfloat (ABS (taken.y - last.y), <, 60);
        press (rig, taken);
        move (rig, taken, taken);
        g_assert_false (plg_document_is_previewing (rig->document));
        release (rig);
      }
}

/* After Escape nothing happens until the next press. */
static void
test_escape_during_pointer_drag (Rig *rig, gconstpointer data)
{
  PlgPoint tp = handle_position (rig, PLG_AXIS_TP);
  PlgPoint away = middle_of_gpu (rig, 29);

  press (rig, tp);
  move (rig, tp, middle_of_gpu (rig, 2));
  g_assert_true (plg_document_is_previewing (rig->document));
  plg_canvas_drag_cancel (rig->canvas);
  move (rig, tp, away);
  g_assert_null (rig->canvas->drag.current);
  release (rig);
  g_assert_null (plg_document_undo_label (rig->document));
  press (rig, middle_of_gpu (rig, 0));
  move (rig, middle_of_gpu (rig, 0), away);
  release (rig);
  g_assert_cmpint (plg_placement_gpu (&plg_document_plan (rig->document)->placement, 0), ==, 29);
}

/* The label of a drag is readable at each position of the pointer, also outside of the canvas. */
static void
test_label_stays_inside (Rig *rig, gconstpointer data)
{
  static const PlgPoint places[] = { { -300, -300 }, { 2000, 300 }, { 980, 2000 }, { 500, 400 } };
  PlgPoint tp = handle_position (rig, PLG_AXIS_TP);
  GtkWidget *label = GTK_WIDGET (rig->canvas->drag.label);

  press (rig, tp);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      graphene_rect_t bounds, inside;

      move (rig, tp, places[i]);
      rig_next_frame (GTK_WIDGET (rig->canvas));
      g_assert_true (gtk_widget_compute_bounds (label, GTK_WIDGET (rig->canvas), &bounds));
      graphene_rect_init (&inside, 0, 0, 1000, 760);
      g_assert_true (graphene_rect_contains_rect (&inside, &bounds));
    }
  plg_canvas_drag_cancel (rig->canvas);
}

/* Picks up rank 0 and holds it over GPU 1. */
static void
hold (Rig *rig)
{
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  act (rig, "canvas.pick-up");
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_RIGHT);
  g_assert_true (plg_document_is_previewing (rig->document));
}

static void
change_by_undo (PlgDocument *document)
{
  g_assert_true (plg_document_undo (document));
}

static void
change_by_reset (PlgDocument *document)
{
  plg_document_reset (document, NULL);
}

static void
change_by_setting (PlgDocument *document)
{
  g_assert_true (plg_document_set (document, "training.global-batch", "512", NULL));
}

/* A change of the plan from elsewhere ends the drag, because a drop would restore the old plan. */
static void
test_change_ends_drag (Rig *rig, gconstpointer data)
{
  void (*changes[]) (PlgDocument *) = { change_by_undo, change_by_reset, change_by_setting };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (PlgPlan) changed = NULL;

      plg_document_reset (rig->document, NULL);
      g_assert_true (plg_document_set (rig->document, "training.global-batch", "2048", NULL));
      hold (rig);
      changes[i](rig->document);
      g_assert_null (rig->canvas->drag.current);
      g_assert_false (plg_document_is_previewing (rig->document));
      g_assert_false (gtk_widget_get_visible (GTK_WIDGET (rig->canvas->drag.label)));
      changed = plg_plan_copy (plg_document_plan (rig->document));
      plg_canvas_drag_drop (rig->canvas);
      g_assert_true (plg_plan_equal (plg_document_plan (rig->document), changed));
    }
}

/* A change of the view does not change the plan: the drag goes on, and the drop keeps the view. */
static void
test_view_during_drag (Rig *rig, gconstpointer data)
{
  PlgView view = plg_document_plan (rig->document)->view;

  hold (rig);
  view.show = PLG_SHOW_MEMORY;
  plg_document_set_view (rig->document, &view);
  g_assert_nonnull (rig->canvas->drag.current);
  act (rig, "canvas.pick-up");
  g_assert_cmpint (plg_document_plan (rig->document)->view.show, ==, PLG_SHOW_MEMORY);
  g_assert_cmpint (plg_placement_gpu (&plg_document_plan (rig->document)->placement, 0), ==, 1);
}

static void
test_other_document_ends_drag (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgDocument) other = rig_document ();

  hold (rig);
  g_object_set (rig->canvas, "document", other, NULL);
  g_assert_null (rig->canvas->drag.current);
  g_assert_false (plg_document_is_previewing (rig->document));
  g_assert_null (plg_document_undo_label (rig->document));
  g_object_set (rig->canvas, "document", rig->document, NULL);
}

/* The cluster does not move under the pointer until the drop; then the view fits again. */
static void
test_view_rests_during_drag (Rig *rig, gconstpointer data)
{
  double zoom = plg_canvas_get_zoom (rig->canvas);
  PlgPoint place = middle_of_gpu (rig, 9);
  PlgPoint now;

  hold (rig);
  gtk_widget_set_margin_bottom (GTK_WIDGET (rig->canvas), 200);
  rig_until (gtk_widget_get_height (GTK_WIDGET (rig->canvas)) <= 560);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  now = middle_of_gpu (rig, 9);
  g_assert_cmpfloat_with_epsilon (now.x, place.x, 1e-9);
  g_assert_cmpfloat_with_epsilon (now.y, place.y, 1e-9);
  plg_canvas_drag_cancel (rig->canvas);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  g_assert_cmpfloat (plg_canvas_get_zoom (rig->canvas), <, zoom);
}

/* In a large cluster one cell stands for all GPUs, and the focus stays. */
static void
test_keys_of_one_cell (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  g_assert_true (plg_document_set (rig->document, "cluster.nodes", "256", NULL));
  g_assert_cmpuint (rig->canvas->keyboard.cells->len, ==, 1);
  g_assert_nonnull (gtk_widget_get_focus_child (canvas));
  change_edge (rig, "canvas.grow", FALSE);
  g_assert_cmpint (degree (rig, PLG_AXIS_TP), ==, 16);
  g_assert_false (gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD));
  gtk_window_set_focus (rig->window, NULL);
  g_assert_true (gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD));
  g_assert_nonnull (gtk_widget_get_focus_child (canvas));
  rig_next_frame (canvas);
  g_assert_true (plg_document_set (rig->document, "cluster.nodes", "8", NULL));
  g_assert_cmpuint (rig->canvas->keyboard.cells->len, ==, 64);
}

static PlgPoint
middle_of_a_link (const Rig *rig)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);

  for (double y = 0; y < plg_figure_height (figure); y++)
    for (double x = 0; x < plg_figure_width (figure); x++)
      {
        const PlgShape *shape = plg_figure_hit_test (figure, x, y, 0);
        PlgPoint point;

        if (shape == NULL || shape->entity.kind != PLG_ENTITY_LINK)
          continue;
        plg_canvas_to_widget (rig->canvas, x, y, &point.x, &point.y);
        return point;
      }
  g_assert_not_reached ();
}

/* A link is highlighted only when the pointer rests on it, and a pan ends the highlight. */
static void
test_link_is_highlighted_at_rest (Rig *rig, gconstpointer data)
{
  GtkEventController *motion = rig_controller (GTK_WIDGET (rig->canvas),
                                               GTK_TYPE_EVENT_CONTROLLER_MOTION);
  PlgPoint link = middle_of_a_link (rig);
  PlgPictureOptions options;
  guint layouts = plg_canvas_n_layouts (rig->canvas);
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);

  g_signal_emit_by_name (motion, "motion", link.x, link.y);
  g_signal_emit_by_name (motion, "motion", 2.0, 2.0);
  g_assert_cmpuint (rig->canvas->pointer.highlight_timeout_id, ==, 0);
  g_signal_emit_by_name (motion, "motion", link.x, link.y);
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.n_highlighted, ==, 0);
  plg_canvas_figure (rig->canvas);
  g_assert_cmpuint (plg_canvas_n_layouts (rig->canvas), ==, layouts);

  rig_until (plg_highlight_model_hovered (highlight_model).kind == PLG_ENTITY_LINK);
  plg_canvas_get_options (rig->canvas, &options);
  g_assert_cmpint (options.n_highlighted, ==, 1);
  g_assert_cmpint (options.highlighted[0].kind, ==, PLG_ENTITY_LINK);
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->canvas),
                                         GTK_TYPE_EVENT_CONTROLLER_SCROLL),
                         "scroll", 0.0, 1.0, &(gboolean) { FALSE });
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_NONE);
  rig_until (plg_highlight_model_hovered (highlight_model).kind == PLG_ENTITY_NONE);
}

/* When the focus leaves the canvas, a drag by keyboard ends. Escape would not reach the canvas, and
 * the pointer could not drag. */
static void
test_focus_leaves (Rig *rig, gconstpointer data)
{
  hold (rig);
  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->canvas), GTK_TYPE_EVENT_CONTROLLER_FOCUS),
                         "leave");
  g_assert_null (rig->canvas->drag.current);
  g_assert_false (plg_document_is_previewing (rig->document));
  g_assert_cmpint (plg_document_plan (rig->document)->placement.size, ==, 0);
}

/* A change of the view keeps the highlight under a pointer at rest. The highlight ends when the
 * pointer leaves, whatever the number of the link is then. */
static void
test_highlight_ends_with_pointer (Rig *rig, gconstpointer data)
{
  GtkEventController *motion = rig_controller (GTK_WIDGET (rig->canvas),
                                               GTK_TYPE_EVENT_CONTROLLER_MOTION);
  PlgPoint link = middle_of_a_link (rig);
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  PlgView view = plg_document_plan (rig->document)->view;

  g_signal_emit_by_name (motion, "motion", link.x, link.y);
  rig_until (plg_highlight_model_hovered (highlight_model).kind == PLG_ENTITY_LINK);
  view.show = PLG_SHOW_DP;
  plg_document_set_view (rig->document, &view);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_LINK);
  g_signal_emit_by_name (motion, "leave");
  rig_until (plg_highlight_model_hovered (highlight_model).kind == PLG_ENTITY_NONE);
}

/* A drag by keys that returns to its start does not highlight the entity under a pointer at rest. */
static void
test_keys_with_pointer_at_rest (Rig *rig, gconstpointer data)
{
  GtkEventController *motion = rig_controller (GTK_WIDGET (rig->canvas),
                                               GTK_TYPE_EVENT_CONTROLLER_MOTION);
  PlgPoint link = middle_of_a_link (rig);
  PlgPoint at_rest = { 2, 2 };

  g_signal_emit_by_name (motion, "motion", at_rest.x, at_rest.y);
  act (rig, "canvas.pick-up");
  plg_canvas_drag_cancel (rig->canvas);
  /* A pan moves the link under the pointer. */
  rig->canvas->view.origin.x += at_rest.x - link.x;
  rig->canvas->view.origin.y += at_rest.y - link.y;
  g_signal_emit_by_name (motion, "motion", at_rest.x, at_rest.y);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_NONE);
  g_signal_emit_by_name (motion, "motion", at_rest.x + 1, at_rest.y);
  g_assert_cmpint (rig->canvas->pointer.hovered.kind, ==, PLG_ENTITY_LINK);
}

static void
test_selected_cell (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  for (int gpu = 0; gpu < 2; gpu++)
    gtk_test_accessible_assert_state (GTK_ACCESSIBLE (g_ptr_array_index (rig->canvas->keyboard
                                                                             .cells,
                                                                         gpu)),
                                      GTK_ACCESSIBLE_STATE_SELECTED, gpu == 1);
}

/* Assistive technology does not find a handle that the figure lacks. */
static void
test_edges_without_handles (Rig *rig, gconstpointer data)
{
  PlgView view = plg_document_plan (rig->document)->view;

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    gtk_test_accessible_assert_state (GTK_ACCESSIBLE (rig->canvas->keyboard.edges[axis]),
                                      GTK_ACCESSIBLE_STATE_HIDDEN,
                                      axis != PLG_AXIS_TP && axis != PLG_AXIS_PP);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (rig->canvas->keyboard.edges[PLG_EDGE_SHARD]),
                                    GTK_ACCESSIBLE_STATE_HIDDEN, TRUE);
  view.show = PLG_SHOW_DP;
  plg_document_set_view (rig->document, &view);
  rig_next_frame (GTK_WIDGET (rig->canvas));
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    gtk_test_accessible_assert_state (GTK_ACCESSIBLE (rig->canvas->keyboard.edges[axis]),
                                      GTK_ACCESSIBLE_STATE_HIDDEN, axis != PLG_AXIS_DP);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (rig->canvas->keyboard.edges[PLG_EDGE_SHARD]),
                                    GTK_ACCESSIBLE_STATE_HIDDEN, FALSE);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (rig->canvas->keyboard.edges[PLG_EDGE_SHARD]),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Edge of a shard group, 1 group");
}

/* The edge of a shard group is dragged inside DP, moved by keys and announced. */
static void
test_shard_edge (Rig *rig, gconstpointer data)
{
  const char *const settings[] = { "parallelism.tp=8", "parallelism.pp=1", "parallelism.zero=3",
                                   NULL };
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  PlgPoint last, to;

  g_assert_true (plg_settings_apply (plan, NULL, settings, NULL));
  plan->view.show = PLG_SHOW_DP;
  g_assert_true (plg_document_apply (rig->document, plan, "setup", NULL, NULL));
  rig_next_frame (GTK_WIDGET (rig->canvas));
  last = middle_of_gpu (rig, 63);
  to = middle_of_gpu (rig, 28);
  press (rig, handle_of_kind (rig, PLG_ENTITY_SHARD, PLG_AXIS_DP));
  g_assert_true (plg_canvas_is_dragging (rig->canvas));
  move (rig, last, to);
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.replicate, ==, 2);
  release (rig);
  g_assert_cmpint (plg_document_committed_plan (rig->document)->parallelism.replicate, ==, 2);
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==,
                   "HSDP: shard groups × replicas 1 × 8 → 2 × 4");

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.shrink-shards",
                                             NULL));
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.replicate, ==, 4);
  act (rig, "canvas.grow-shards");
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.replicate, ==, 2);
}

/* The edge of an EP group is dragged: EP is no factor of the world size, so only EP changes. */
static void
test_expert_edge (Rig *rig, gconstpointer data)
{
  const char *const settings[] = { "parallelism.tp=4", "parallelism.ep=8", "parallelism.pp=1",
                                   NULL };
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));
  PlgPoint last, to;

  plan->model.experts = 8;
  plan->model.top_k = 2;
  plan->model.expert_ffn = plan->model.ffn;
  g_assert_true (plg_settings_apply (plan, NULL, settings, NULL));
  plan->view.show = PLG_SHOW_EP;
  g_assert_true (plg_document_apply (rig->document, plan, "setup", NULL, NULL));
  rig_next_frame (GTK_WIDGET (rig->canvas));
  last = middle_of_gpu (rig, 7);
  to = middle_of_gpu (rig, 3);
  press (rig, handle_of_kind (rig, PLG_ENTITY_HANDLE, PLG_AXIS_EP));
  move (rig, last, to);
  release (rig);
  g_assert_cmpint (degree (rig, PLG_AXIS_EP), ==, 4);
  g_assert_cmpint (degree (rig, PLG_AXIS_DP), ==, 16);
  change_edge (rig, "canvas.shrink", FALSE);
  g_assert_cmpint (degree (rig, PLG_AXIS_EP), ==, 2);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/canvas/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("handles", test_handles);
  ADD ("press-and-cancel", test_press_and_cancel);
  ADD ("degree-by-keys", test_degree_by_keys);
  ADD ("other-axis-by-keys", test_other_axis_by_keys);
  ADD ("refusal-is-announced", test_refusal_is_announced);
  ADD ("pick-up-and-drop", test_pick_up_and_drop);
  ADD ("arrows-move-focus", test_arrows_move_focus);
  ADD ("cells-are-named", test_cells_are_named);
  ADD ("frames-are-lazy", test_frames_are_lazy);
  ADD ("zoom", test_zoom);
  ADD ("change-ends-drag", test_change_ends_drag);
  ADD ("view-during-drag", test_view_during_drag);
  ADD ("other-document-ends-drag", test_other_document_ends_drag);
  ADD ("view-rests-during-drag", test_view_rests_during_drag);
  ADD ("keys-without-cells", test_keys_of_one_cell);
  ADD ("link-is-highlighted-at-rest", test_link_is_highlighted_at_rest);
  ADD ("focus-leaves", test_focus_leaves);
  ADD ("highlight-ends-with-pointer", test_highlight_ends_with_pointer);
  ADD ("keys-with-pointer-at-rest", test_keys_with_pointer_at_rest);
  ADD ("selected-cell", test_selected_cell);
  ADD ("edges-without-handles", test_edges_without_handles);
  ADD ("shard-edge", test_shard_edge);
  ADD ("expert-edge", test_expert_edge);
  ADD ("edge-follows-pointer", test_edge_follows_pointer);
  ADD ("scale-during-drag", test_scale_during_drag);
  ADD ("handles-of-all-axes", test_handles_of_all_axes);
  ADD ("updates-during-drag", test_updates_during_drag);
  ADD ("label-stays-inside", test_label_stays_inside);
  ADD ("escape-during-pointer-drag", test_escape_during_pointer_drag);
#undef ADD
  return g_test_run ();
}
