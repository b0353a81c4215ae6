/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "widgets/pictures/matrix-navigation.h"

/* The pair matrix by keys. */
typedef struct
{
  PlgDocument *document;
  PlgPictureView *view;
  GtkWindow *window;
} Rig;

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->document = rig_document ();
  rig->view = g_object_new (PLG_TYPE_PICTURE_VIEW, "picture", "matrix", "document", rig->document,
                            NULL);
  plg_matrix_navigation_install (rig->view, rig->document);
  rig->window = rig_show (GTK_WIDGET (rig->view), 900, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
  g_assert_finalize_object (rig->document);
}

static gboolean
press (const Rig *rig, guint key, GdkModifierType state)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, state, &handled);
  return handled;
}

/* The traffic of a step comes after the route. */
static void
assert_says (const Rig *rig, const char *wanted)
{
  g_autofree char *said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (rig->view),
                                                              GTK_ACCESSIBLE_PROPERTY_LABEL,
                                                              wanted);

  g_assert_true (said == NULL || g_str_has_prefix (said, wanted));
}

/* Arrows move from cell to cell, with a frame and a sentence, and stop at the edges. */
static void
test_arrows (Rig *rig, gconstpointer data)
{
  PlgRect first, next;

  gtk_widget_grab_focus (GTK_WIDGET (rig->view));
  assert_says (rig, "GPU 0 of node 0");
  g_assert_true (plg_picture_view_marked_rect (rig->view, &first));
  g_assert_true (press (rig, GDK_KEY_Up, 0));
  assert_says (rig, "GPU 0 of node 0");
  for (int i = 0; i < 3; i++)
    g_assert_true (press (rig, GDK_KEY_Down, 0));
  for (int i = 0; i < 12; i++)
    g_assert_true (press (rig, GDK_KEY_Right, 0));
  assert_says (rig, "GPU 3 of node 0 to GPU 4 of node 1, NICs, via a spine: 50\u00a0GB/s per "
                    "direction");
  g_assert_true (plg_picture_view_marked_rect (rig->view, &next));
  g_assert_cmpfloat (next.x, >, first.x + 11 * first.width);
  g_assert_cmpfloat (next.y, >, first.y + 2 * first.height);
  g_assert_true (press (rig, GDK_KEY_Home, GDK_CONTROL_MASK));
  assert_says (rig, "GPU 0 of node 0");
  g_assert_true (press (rig, GDK_KEY_End, GDK_CONTROL_MASK));
  assert_says (rig, "GPU 7 of node 7");
  g_assert_false (press (rig, GDK_KEY_a, 0));
  g_assert_false (press (rig, GDK_KEY_Right, GDK_ALT_MASK));
}

/* With fewer nodes, the marked cell stays within the matrix. */
static void
test_fewer_nodes (Rig *rig, gconstpointer data)
{
  gtk_widget_grab_focus (GTK_WIDGET (rig->view));
  g_assert_true (press (rig, GDK_KEY_End, GDK_CONTROL_MASK));
  g_assert_true (plg_document_set (rig->document, "cluster.nodes", "4", NULL));
  assert_says (rig, "GPU 7 of node 3");
}

/* Keys continue from a clicked cell. */
static void
test_click (Rig *rig, gconstpointer data)
{
  GtkEventController *click = rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_GESTURE_CLICK);
  PlgRect rect;

  gtk_widget_grab_focus (GTK_WIDGET (rig->view));
  g_assert_true (plg_picture_view_marked_rect (rig->view, &rect));
  g_signal_emit_by_name (click, "pressed", 1, rect.x + 5.5 * rect.width, rect.y + rect.height / 2);
  assert_says (rig, "GPU 0 of node 0 to GPU 5 of node 0, NVLink: 450\u00a0GB/s per direction");
  g_assert_true (press (rig, GDK_KEY_Left, 0));
  assert_says (rig, "GPU 0 of node 0 to GPU 4 of node 0, NVLink: 450\u00a0GB/s per direction");
}

/* With 1,024 GPUs, a cell stands for two nodes by two, and its matrix shows single GPUs. */
static void
make_large (const Rig *rig)
{
  g_assert_true (plg_document_set (rig->document, "cluster.nodes", "128", NULL));
  g_assert_true (plg_document_set (rig->document, "view.pairs", "traffic", NULL));
  gtk_widget_grab_focus (GTK_WIDGET (rig->view));
}

static void
assert_shows (const Rig *rig, const char *scope)
{
  g_autofree char *description = NULL;

  g_object_get (rig->view, "description", &description, NULL);
  if (!g_str_has_prefix (description, scope))
    g_error ("“%s” does not begin with “%s”", description, scope);
}

/* Keys enter a cell and return to the same cell; names are those of the GPUs shown. */
static void
test_enter_and_return (Rig *rig, gconstpointer data)
{
  make_large (rig);
  assert_shows (rig, "Each row is 2 nodes");
  g_assert_false (press (rig, GDK_KEY_Escape, 0));
  for (int i = 0; i < 3; i++)
    g_assert_true (press (rig, GDK_KEY_Down, 0));
  for (int i = 0; i < 5; i++)
    g_assert_true (press (rig, GDK_KEY_Right, 0));
  assert_says (rig, "nodes 6–7 to nodes 10–11");
  g_assert_true (press (rig, GDK_KEY_Return, 0));
  assert_shows (rig, "From nodes 6–7 to nodes 10–11 · Each row is a GPU");
  assert_says (rig, "GPU 0 of node 6 to GPU 0 of node 10");
  g_assert_true (press (rig, GDK_KEY_End, GDK_CONTROL_MASK));
  assert_says (rig, "GPU 7 of node 7 to GPU 7 of node 11");
  g_assert_true (press (rig, GDK_KEY_KP_Enter, 0));
  assert_shows (rig, "From node 7 to node 11 · Each row is a GPU");
  g_assert_true (press (rig, GDK_KEY_End, GDK_CONTROL_MASK));
  assert_says (rig, "GPU 7 of node 7 to GPU 7 of node 11");
  /* A GPU cannot be entered. */
  g_assert_true (press (rig, GDK_KEY_Return, 0));
  assert_shows (rig, "From node 7 to node 11 · Each row is a GPU");
  g_assert_true (press (rig, GDK_KEY_BackSpace, 0));
  assert_says (rig, "GPU 7 of node 7 to GPU 7 of node 11");
  g_assert_true (press (rig, GDK_KEY_Escape, 0));
  assert_shows (rig, "Each row is 2 nodes");
  assert_says (rig, "nodes 6–7 to nodes 10–11");
  g_assert_false (press (rig, GDK_KEY_BackSpace, 0));
}

/* A double click enters its cell. */
static void
test_double_click (Rig *rig, gconstpointer data)
{
  GtkEventController *click = rig_controller (GTK_WIDGET (rig->view), GTK_TYPE_GESTURE_CLICK);
  PlgRect rect;

  make_large (rig);
  g_assert_true (plg_picture_view_marked_rect (rig->view, &rect));
  for (int n = 1; n <= 2; n++)
    g_signal_emit_by_name (click, "pressed", n, rect.x + 4.5 * rect.width,
                           rect.y + 1.5 * rect.height);
  assert_shows (rig, "From nodes 2–3 to nodes 8–9 · Each row is a GPU");
  assert_says (rig, "GPU 0 of node 2 to GPU 0 of node 8");
}

/* The action shows a node, and Escape returns to all nodes. A part that no longer exists is left. */
static void
test_part (Rig *rig, gconstpointer data)
{
  make_large (rig);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->view), "pair.show", "(ii)", 100, 1));
  assert_shows (rig, "Within node 100 · Each row is a GPU");
  assert_says (rig, "GPU 0 of node 100");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->view), "pair.leave", NULL));
  assert_shows (rig, "Each row is 2 nodes");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->view), "pair.show", "(ii)", 100, 1));
  g_assert_true (plg_document_set (rig->document, "cluster.nodes", "8", NULL));
  assert_shows (rig, "Each row is a GPU");
  assert_says (rig, "GPU 0 of node 0");
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) \
  g_test_add ("/matrix-navigation/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("arrows", test_arrows);
  ADD ("fewer-nodes", test_fewer_nodes);
  ADD ("click", test_click);
  ADD ("enter-and-return", test_enter_and_return);
  ADD ("double-click", test_double_click);
  ADD ("part", test_part);
#undef ADD
  return g_test_run ();
}
