/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "widgets/canvas-private.h"

/* Placement by hand on the canvas: nodes. */
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
gpu_of_rank (const Rig *rig, int rank)
{
  return plg_placement_gpu (&plg_document_plan (rig->document)->placement, rank);
}

/* The middle of the label left of NODE, in the widget. */
static PlgPoint
label_of_node (const Rig *rig, int node)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);
  PlgPoint point = { 0 };

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT || shape->thing.kind != PLG_THING_NODE ||
          shape->thing.index != node)
        continue;
      plg_canvas_to_widget (rig->canvas, shape->rect.x + shape->rect.width / 2,
                            shape->rect.y + shape->rect.height / 2, &point.x, &point.y);
      return point;
    }
  g_assert_not_reached ();
}

/* A node is dragged by its label: all its ranks go, in one step, and Escape would have undone it.
 */
static void
test_drag_node (Rig *rig, gconstpointer data)
{
  PlgPoint from = label_of_node (rig, 2), to = label_of_node (rig, 5);

  g_signal_emit_by_name (rig->drag, "drag-begin", from.x, from.y);
  g_signal_emit_by_name (rig->drag, "drag-update", to.x - from.x, (to.y - from.y) / 2);
  g_assert_true (plg_document_is_previewing (rig->document));
  g_signal_emit_by_name (rig->drag, "drag-update", to.x - from.x, to.y - from.y);
  g_assert_cmpint (gpu_of_rank (rig, 16), ==, 40);
  g_signal_emit_by_name (rig->drag, "drag-end", 0.0, 0.0);
  g_assert_false (plg_document_is_previewing (rig->document));
  g_assert_cmpint (gpu_of_rank (rig, 16), ==, 40);
  g_assert_cmpint (gpu_of_rank (rig, 47), ==, 23);
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "The ranks of node 2 ↔ node 5");
  g_assert_true (plg_document_undo (rig->document));
  g_assert_cmpint (plg_document_plan (rig->document)->placement.size, ==, 0);
  g_assert_false (plg_document_undo (rig->document));
}

static void
test_pick_up_node (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.pick-up-node", NULL));
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.pick-up", NULL));
  g_assert_cmpint (gpu_of_rank (rig, 3), ==, 19);
  g_assert_cmpint (gpu_of_rank (rig, 19), ==, 3);
  g_assert_cmpint (gpu_of_rank (rig, 11), ==, 11);
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/placing/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("drag-node", test_drag_node);
  ADD ("pick-up-node", test_pick_up_node);
#undef ADD
  return g_test_run ();
}
