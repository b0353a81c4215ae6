/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "plan/fault.h"
#include "widgets/canvas/canvas-private.h"

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

/* The middle of the label left of @node, in the widget. */
static PlgPoint
label_of_node (const Rig *rig, int node)
{
  const PlgFigure *figure = plg_canvas_figure (rig->canvas);
  PlgPoint point = { 0 };

  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->kind != PLG_SHAPE_TEXT || shape->entity.kind != PLG_ENTITY_NODE ||
          shape->entity.index != node)
        continue;
      plg_canvas_to_widget (rig->canvas, shape->rect.x + shape->rect.width / 2,
                            shape->rect.y + shape->rect.height / 2, &point.x, &point.y);
      return point;
    }
  g_assert_not_reached ();
}

/* A node is dragged by its label: all its ranks move in one step, and Escape cancels. */
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

static void
count_cb (int *announced, const char *message)
{
  (*announced)++;
  g_assert_true (g_str_has_prefix (message, "GPU 17 runs at 80 %: step +"));
}

/* Keys open a menu on a GPU. Its items edit the plan in one step and announce the effect. */
static void
test_fault (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  int announced = 0;

  g_signal_connect_swapped (canvas, "announced", G_CALLBACK (count_cb), &announced);
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.menu", NULL));
  rig_until (gtk_widget_get_mapped (rig->canvas->popovers.current));
  g_assert_true (GTK_IS_POPOVER_MENU (rig->canvas->popovers.current));
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.set-fault", "(iiid)", PLG_FAULT_GPU,
                                             17, 0, 0.8));
  g_assert_cmpint (announced, ==, 1);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).kind, ==, PLG_ENTITY_GPU);
  g_assert_cmpint (plg_highlight_model_hovered (highlight_model).index, ==, 17);
  g_assert_cmpfloat (plg_document_plan (rig->document)->cluster.faults[0].rate, ==, 0.8);
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "GPU 17 runs at 80 %");
  g_assert_true (plg_document_undo (rig->document));
  g_assert_cmpint (plg_document_plan (rig->document)->cluster.n_faults, ==, 0);
}

static gboolean
has_item (GMenuModel *menu, const char *label)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *own = NULL;
      GMenuLinkIter *links = g_menu_model_iterate_item_links (menu, i);
      gboolean found = g_menu_model_get_item_attribute (menu, i, "label", "s", &own) &&
                       g_str_equal (own, label);

      while (!found && g_menu_link_iter_next (links))
        {
          g_autoptr (GMenuModel) below = g_menu_link_iter_get_value (links);

          found = has_item (below, label);
        }
      g_object_unref (links);
      if (found)
        return TRUE;
    }
  return FALSE;
}

static void
keep_cb (char **announced, const char *message)
{
  g_free (*announced);
  *announced = g_strdup (message);
}

/* The menu of a node and the menu of its GPUs slow the node down and repair it. */
static void
test_node_faults (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  int gpus = plg_document_plan (rig->document)->cluster.gpus_per_node;
  static const PlgEntity entities[] = { { PLG_ENTITY_NODE, 0, 2 }, { PLG_ENTITY_GPU, 0, 17 } };
  g_autofree char *announced = NULL;

  g_signal_connect_swapped (canvas, "announced", G_CALLBACK (keep_cb), &announced);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.slow-node", "(id)", 2, 0.5));
  g_assert_cmpint (plg_document_plan (rig->document)->cluster.n_faults, ==, gpus);
  g_assert_true (g_str_has_prefix (announced, "All GPUs of node 2 run at 50 %: step +"));
  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    {
      GMenuModel *menu;

      plg_canvas_open_menu (rig->canvas, entities[i], (PlgPoint) { 10, 10 });
      menu = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (rig->canvas->popovers.current));
      g_assert_true (has_item (menu, "To 80 %"));
      g_assert_true (has_item (menu, "NIC 3"));
      g_assert_true (has_item (menu, "Repair Node"));
    }
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.repair-node", "i", 2));
  g_assert_cmpint (plg_document_plan (rig->document)->cluster.n_faults, ==, 0);
  g_assert_true (g_str_has_prefix (announced, "node 2 is repaired: step "));
  plg_canvas_open_menu (rig->canvas, entities[0], (PlgPoint) { 10, 10 });
  g_assert_false (has_item (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (rig->canvas->popovers
                                                                                   .current)),
                            "Repair Node"));
}

/* The menu of a GPU out of sight opens at the edge of the canvas, not off the screen. */
static void
test_menu_stays_on_screen (Rig *rig, gconstpointer data)
{
  PlgCanvas *canvas = PLG_CANVAS (rig->canvas);
  GdkRectangle place;

  gtk_widget_child_focus (GTK_WIDGET (canvas), GTK_DIR_TAB_FORWARD);
  plg_canvas_set_zoom (canvas, 8);
  plg_canvas_center_on (canvas, plg_figure_width (canvas->rendering.figure),
                        plg_figure_height (canvas->rendering.figure));
  rig_next_frame (GTK_WIDGET (canvas));
  g_assert_cmpfloat (plg_canvas_point_of_gpu (canvas, canvas->keyboard.focused).x, <, -1280);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (canvas), "canvas.menu", NULL));
  rig_until (gtk_widget_get_mapped (canvas->popovers.current));
  gtk_popover_get_pointing_to (GTK_POPOVER (canvas->popovers.current), &place);
  g_assert_cmpint (place.x, ==, 0);
  g_assert_cmpint (place.y, ==, 0);
}

/* After a choice deep in a menu, the canvas has the keyboard focus again. */
static void
test_menu_gives_focus_back (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *menu, *focus;
  GtkRoot *root = gtk_widget_get_root (canvas);
  const PlgPlan *plan = plg_document_plan (rig->document);
  g_autofree char *nic = plg_fault_name (&plan->cluster, &plan->node_names,
                                         &(PlgFault) { PLG_FAULT_NIC, 0, 0, 1 });

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.menu", NULL));
  menu = rig->canvas->popovers.current;
  rig_until (gtk_widget_get_mapped (menu));
  g_object_set (menu, "visible-submenu", nic, NULL);
  rig_next_frame (canvas);
  gtk_widget_child_focus (menu, GTK_DIR_TAB_FORWARD);
  focus = gtk_root_get_focus (root);
  g_assert_true (focus != NULL && gtk_widget_is_ancestor (focus, menu));
  gtk_popover_popdown (GTK_POPOVER (menu));
  rig_until (!gtk_widget_get_mapped (menu));
  focus = gtk_root_get_focus (root);
  g_assert_true (focus == plg_canvas_cell (rig->canvas, rig->canvas->keyboard.focused));
}

/* A node cannot lose its last NIC; the refusal is announced, and the plan stays. */
static void
test_fault_refused (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  int refused = 0;

  g_signal_connect_swapped (canvas, "refused", G_CALLBACK (g_atomic_int_inc), &refused);
  for (int nic = 0; nic < 8; nic++)
    gtk_widget_activate_action (canvas, "canvas.set-fault", "(iiid)", PLG_FAULT_NIC, 1, nic, 0.0);
  g_assert_cmpint (refused, ==, 1);
  g_assert_cmpint (plg_document_plan (rig->document)->cluster.n_faults, ==, 7);
}

/* After “Swap with…” the pointer chooses a place, and a click confirms it. */
static void
test_swap_with (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);
  GtkEventController *motion = rig_controller (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  GtkEventController *click = rig_controller (canvas, GTK_TYPE_GESTURE_CLICK);
  PlgPoint to = plg_canvas_point_of_gpu (rig->canvas, 42);

  g_assert_cmpuint (gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (click)), ==,
                    GDK_BUTTON_PRIMARY);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.swap", "i", 7));
  g_signal_emit_by_name (motion, "motion", to.x, to.y - 4);
  g_assert_cmpint (gpu_of_rank (rig, 7), ==, 42);
  g_assert_true (plg_document_is_previewing (rig->document));
  g_signal_emit_by_name (click, "pressed", 1, to.x, to.y - 4);
  g_assert_false (plg_document_is_previewing (rig->document));
  g_assert_cmpint (gpu_of_rank (rig, 7), ==, 42);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.tidy", "(iii)", PLG_ENTITY_GPU, 0,
                                             42));
  g_assert_cmpint (plg_document_plan (rig->document)->placement.size, ==, 0);
}

static gboolean
is_error (GtkWidget *widget, gpointer unused)
{
  return gtk_widget_has_css_class (widget, "error");
}

/* F2 asks for the name of the focused node, and an invalid name is refused. */
static void
test_rename (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *entry;
  const PlgNodeNames *names;
  GtkWidget *button, *reason;

  g_assert_true (plg_document_set (rig->document, "cluster.node-names", "0=dgx-a", NULL));
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.rename", NULL));
  entry = rig_find (rig->canvas->popovers.current, GTK_TYPE_ENTRY, NULL, NULL);
  button = rig_find (rig->canvas->popovers.current, GTK_TYPE_BUTTON, NULL, NULL);
  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "two words");
  g_assert_false (gtk_widget_get_sensitive (button));
  reason = rig_find (rig->canvas->popovers.current, GTK_TYPE_LABEL, is_error, NULL);
  g_assert_nonnull (reason);
  g_assert_true (gtk_widget_get_visible (reason));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (reason)), "“two words” is not a valid"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "dgx-a");
  g_assert_false (gtk_widget_get_sensitive (button));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (reason)),
                            "Node 0 already has the name"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "dgx-b");
  g_assert_true (gtk_widget_get_sensitive (button));
  g_assert_false (gtk_widget_get_visible (reason));
  g_signal_emit_by_name (entry, "activate");
  names = &plg_document_plan (rig->document)->node_names;
  g_assert_cmpstr (plg_node_names_get (names, 1), ==, "dgx-b");
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "Node 1 is called dgx-b");
}

/* A node of several hosts takes a pattern with one name per host. */
static void
test_rename_hosts (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas), *entry, *button, *reason;

  g_assert_true (plg_document_set (rig->document, "cluster.gpus-per-host", "4", NULL));
  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.rename", NULL));
  entry = rig_find (rig->canvas->popovers.current, GTK_TYPE_ENTRY, NULL, NULL);
  button = rig_find (rig->canvas->popovers.current, GTK_TYPE_BUTTON, NULL, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "gb[1-3]");
  g_assert_false (gtk_widget_get_sensitive (button));
  reason = rig_find (rig->canvas->popovers.current, GTK_TYPE_LABEL, is_error, NULL);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (reason)),
                            "“gb[1-3]” names 3 hosts, but node 1 consists of 2 hosts"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "gb[1-2]");
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (plg_node_names_get (&plg_document_plan (rig->document)->node_names, 1), ==,
                   "gb[1-2]");
  /* Nodes of one host have one name. */
  g_assert_true (plg_document_set (rig->document, "cluster.gpus-per-host", "0", NULL));
  g_assert_null (plg_node_names_get (&plg_document_plan (rig->document)->node_names, 1));
}

static void
test_move_machine (Rig *rig, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  g_assert_true (plg_document_set (rig->document, "cluster.node-names", "1=dgx-b", NULL));
  g_assert_true (gtk_widget_activate_action (canvas, "canvas.move-node", "(ii)", 1, 1));
  g_assert_cmpstr (plg_node_names_get (&plg_document_plan (rig->document)->node_names, 2), ==,
                   "dgx-b");
  g_assert_cmpstr (plg_document_undo_label (rig->document), ==, "Move dgx-b down");
  g_assert_cmpint (plg_document_plan (rig->document)->placement.size, ==, 0);
}

/* A dropped chip of the nesting row arrives as the number of its axis. */
static void
test_drop_axis (Rig *rig, gconstpointer data)
{
  GtkEventController *target = rig_controller (GTK_WIDGET (rig->canvas), GTK_TYPE_DROP_TARGET);
  PlgPoint on = plg_canvas_point_of_gpu (rig->canvas, 19);
  g_auto (GValue) axis = G_VALUE_INIT;
  g_autofree char *inner = NULL, *outer = NULL;
  gboolean taken = FALSE;

  g_value_init (&axis, G_TYPE_INT);
  g_value_set_int (&axis, PLG_AXIS_DP);
  g_signal_emit_by_name (target, "drop", &axis, on.x, on.y - 8, &taken);
  g_assert_true (taken);
  inner = plg_order_to_string (&plg_document_plan (rig->document)->parallelism);
  g_assert_cmpstr (inner, ==, "dp-tp-cp-pp");
  g_signal_emit_by_name (target, "drop", &axis, on.x, 4.0, &taken);
  outer = plg_order_to_string (&plg_document_plan (rig->document)->parallelism);
  g_assert_cmpstr (outer, ==, "tp-cp-pp-dp");
  g_assert_false (plg_document_is_previewing (rig->document));
  g_value_set_int (&axis, PLG_AXIS_EP);
  g_signal_emit_by_name (target, "drop", &axis, on.x, on.y, &taken);
  g_assert_false (taken);
  g_assert_true (plg_document_undo (rig->document));
  g_assert_true (plg_document_undo (rig->document));
  g_assert_false (plg_document_undo (rig->document));
}

static GtkWidget *
focused_cell (const Rig *rig)
{
  return gtk_widget_get_focus_child (GTK_WIDGET (rig->canvas));
}

/* A screen reader reads all of @parts at the focus, in this order, after @start. */
static void
assert_says (const Rig *rig, const char *start, const char *const *parts)
{
  g_autofree char *said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focused_cell (rig)),
                                                              GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  const char *at = said;

  g_test_message ("%s", said);
  g_assert_true (g_str_has_prefix (said, start));
  for (; *parts != NULL; parts++)
    {
      at = strstr (at, *parts);
      g_assert_nonnull (at);
    }
}

static void
assert_says_only (const Rig *rig, const char *name)
{
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (focused_cell (rig)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, name);
}

static void
act (const Rig *rig, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), action, NULL));
}

static void
walk_to_gpu_9 (const Rig *rig)
{
  GtkWidget *canvas = GTK_WIDGET (rig->canvas);

  gtk_widget_child_focus (canvas, GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (canvas, GTK_DIR_RIGHT);
  gtk_widget_child_focus (canvas, GTK_DIR_DOWN);
  assert_says_only (rig, "Node 1 GPU 1, rank 9");
}

/* A screen reader gets the text of the drag label, from the pick-up to the drop. */
static void
test_drag_is_announced (Rig *rig, gconstpointer data)
{
  static const char *const taken[] = { ". Picked up: Rank 9 on ", "; Step ", NULL };
  static const char *const carried[] = { ". Rank 9 ↔ rank 17 on ", "; Step ", "MFU ", " → ",
                                         "; TP leaves the node",   NULL };
  static const char *const dropped[] = {
    ". Dropped: Rank 9 ↔ rank 17 on ", "; Step ", "MFU ", " → ", "; TP leaves the node", NULL
  };

  walk_to_gpu_9 (rig);
  act (rig, "canvas.pick-up");
  assert_says (rig, "Node 1 GPU 1, rank 9", taken);
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_DOWN);
  assert_says (rig, "Node 2 GPU 1, rank 9", carried);
  /* The tile is not at its old place too. */
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (plg_canvas_cell (rig->canvas, 9)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Node 1 GPU 1, rank 17");
  act (rig, "canvas.pick-up");
  assert_says (rig, "Node 2 GPU 1, rank 9", dropped);
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_DOWN);
  assert_says_only (rig, "Node 3 GPU 1, rank 25");
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_UP);
  assert_says_only (rig, "Node 2 GPU 1, rank 9");
}

/* Another degree resets a placement by hand; the label and the announcement warn. */
static void
test_loss_is_announced (Rig *rig, gconstpointer data)
{
  static const char *const moved[] = { ". TP 8 → 4", "; The placement by hand is reset", NULL };

  walk_to_gpu_9 (rig);
  act (rig, "canvas.move-down");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.shrink", "b",
                                             FALSE));
  assert_says (rig, "Node 2 GPU 1, rank ", moved);
}

static PlgPoint
middle_of_gpu (const Rig *rig, int gpu)
{
  return rig_middle_of_gpu (rig->canvas, plg_document_plan (rig->document), gpu);
}

/* A rank that is dropped off the nodes, or outside of the canvas, stays, with an announcement. The
 * edge of a block follows the pointer everywhere. */
static void
test_dropped_off_nodes (Rig *rig, gconstpointer data)
{
  PlgPoint from = middle_of_gpu (rig, 9), last = middle_of_gpu (rig, 63);
  const PlgPoint beside[] = { { last.x + 110, last.y },
                              { last.x, last.y + 60 },
                              { -40, from.y },
                              { 1200, from.y } };

  walk_to_gpu_9 (rig);
  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_signal_emit_by_name (rig->drag, "drag-begin", from.x, from.y);
      g_signal_emit_by_name (rig->drag, "drag-update", last.x - from.x, last.y - from.y);
      g_assert_cmpint (gpu_of_rank (rig, 63), !=, 63);
      g_signal_emit_by_name (rig->drag, "drag-update", beside[i].x - from.x, beside[i].y - from.y);
      g_assert_cmpint (gpu_of_rank (rig, 63), ==, 63);
      g_signal_emit_by_name (rig->drag, "drag-end", 0.0, 0.0);
      g_assert_false (plg_document_is_previewing (rig->document));
      g_assert_cmpint (gpu_of_rank (rig, 63), ==, 63);
      g_assert_false (plg_document_undo (rig->document));
      assert_says_only (rig, "Node 1 GPU 1, rank 9. Dropped outside the nodes; nothing has "
                             "changed");
    }
}

/* Returns the text of the visible line of the label at the pointer that has the class "error". */
static const char *
limit_at_pointer (const Rig *rig)
{
  GtkWidget *label = GTK_WIDGET (rig->canvas->drag.label);

  g_assert_true (gtk_widget_get_visible (label));
  for (GtkWidget *line = gtk_widget_get_first_child (label); line != NULL;
       line = gtk_widget_get_next_sibling (line))
    if (gtk_widget_has_css_class (line, "error") && gtk_widget_get_visible (line))
      return gtk_label_get_text (GTK_LABEL (line));
  return NULL;
}

/* The label at the pointer says why an edge stops and what to do, and a screen reader gets the
 * same sentence. Shift then moves the edge further, and the keyboard gives the sentence too. */
static void
test_limit_at_pointer (Rig *rig, gconstpointer data)
{
  static const char sentence[] = "DP is 1 already: hold Shift to take it from PP";
  static const char *const announced[] = { sentence, NULL };
  PlgPoint from = middle_of_gpu (rig, 7), beyond = middle_of_gpu (rig, 31);

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  plg_canvas_start_edge_drag (rig->canvas, (PlgEntity) { PLG_ENTITY_HANDLE, PLG_AXIS_TP, 0 }, from);
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, from.x, from.y), FALSE);
  g_assert_null (limit_at_pointer (rig));
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, beyond.x, beyond.y), FALSE);
  g_assert_cmpstr (limit_at_pointer (rig), ==, sentence);
  assert_says (rig, "Node 0 GPU 0, rank 0", announced);
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, beyond.x, beyond.y), TRUE);
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.degree[PLG_AXIS_TP], ==, 32);
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, beyond.x, beyond.y), FALSE);
  plg_canvas_drag_drop (rig->canvas);
  g_assert_cmpint (plg_document_plan (rig->document)->parallelism.degree[PLG_AXIS_TP], ==, 16);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.grow", "b", FALSE));
  assert_says (rig, "Node 0 GPU 0, rank 0", announced);
}

/* An edge that leaves the cluster after its last GPU names the block to drag instead. */
static void
test_limit_at_cluster_end (Rig *rig, gconstpointer data)
{
  PlgPoint last = middle_of_gpu (rig, 63);

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  plg_canvas_start_edge_drag (rig->canvas, (PlgEntity) { PLG_ENTITY_HANDLE, PLG_AXIS_TP, 56 },
                              last);
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, last.x, last.y), FALSE);
  g_assert_null (limit_at_pointer (rig));
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, last.x + 160, last.y),
                      FALSE);
  g_assert_cmpstr (limit_at_pointer (rig), ==,
                   "The cluster ends here: drag the edge of the first TP block instead");
  plg_canvas_drag_cancel (rig->canvas);
}

/* An edge that leaves its node to the right names the node to drag it to. */
static void
test_limit_beside_node (Rig *rig, gconstpointer data)
{
  PlgPoint last = middle_of_gpu (rig, 7);

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  plg_canvas_start_edge_drag (rig->canvas, (PlgEntity) { PLG_ENTITY_HANDLE, PLG_AXIS_TP, 0 }, last);
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, last.x + 160, last.y),
                      FALSE);
  g_assert_cmpstr (limit_at_pointer (rig), ==,
                   "This is the end of node 0: drag the edge to node 1 for TP 16");
  plg_canvas_drag_to (rig->canvas, plg_canvas_drag_target (rig->canvas, last.x, last.y), FALSE);
  g_assert_null (limit_at_pointer (rig));
  plg_canvas_drag_cancel (rig->canvas);
}

static void
test_cancel_is_announced (Rig *rig, gconstpointer data)
{
  walk_to_gpu_9 (rig);
  act (rig, "canvas.pick-up");
  act (rig, "canvas.pick-up");
  assert_says_only (rig, "Node 1 GPU 1, rank 9. Dropped in the same place; nothing has changed");
  act (rig, "canvas.pick-up");
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_DOWN);
  g_assert_true (plg_canvas_escape (rig->canvas));
  assert_says_only (rig, "Node 2 GPU 1, rank 17. Cancelled; nothing has changed");
}

static void
test_edits_are_announced (Rig *rig, gconstpointer data)
{
  static const char *const degree[] = { ". TP 8 → 16 · DP 2 → 1; MFU ", " → ", ", memory ",
                                        "; TP leaves the node", NULL };
  static const char *const refused[] = { ". DP is 1 already: hold Shift to take it from PP", NULL };
  static const char *const exchange[] = { ". Rank 9 ↔ rank 17 on ", "; Step ", NULL };

  walk_to_gpu_9 (rig);
  act (rig, "canvas.move-down");
  assert_says (rig, "Node 2 GPU 1, rank 9", exchange);
  /* A new plan clears the announcement. */
  g_assert_true (plg_document_undo (rig->document));
  assert_says_only (rig, "Node 2 GPU 1, rank 17");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.grow", "b", FALSE));
  assert_says (rig, "Node 2 GPU 1, rank 17", degree);
  /* The sentence about the first step would be false at the last. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.grow", "b", FALSE));
  assert_says (rig, "Node 2 GPU 1, rank 17", refused);
}

/* The border of the cluster is announced. */
static void
test_border_is_announced (Rig *rig, gconstpointer data)
{
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  act (rig, "canvas.move-up");
  assert_says_only (rig, "Node 0 GPU 0, rank 0. The cluster ends here");
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_RIGHT);
  assert_says_only (rig, "Node 0 GPU 1, rank 1");
}

/* An announcement ends with its subject: at another link, pin or time. */
static void
test_announcements_end (Rig *rig, gconstpointer data)
{
  static const char *const news[] = { "The cluster ends here", NULL };

  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *said = NULL;

      act (rig, "canvas.move-up");
      assert_says (rig, "Node 0 GPU 0, rank 0", news);
      if (i == 2)
        plg_canvas_set_time (rig->canvas, 1);
      else
        act (rig, i == 0 ? "canvas.next-link" : "canvas.pin");
      said = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focused_cell (rig)),
                                                 GTK_ACCESSIBLE_PROPERTY_LABEL, "");
      g_assert_null (strstr (said, news[0]));
      plg_canvas_clear_highlight (rig->canvas);
    }
}

/* The announcement has the text of the toast. */
static void
test_faults_are_announced (Rig *rig, gconstpointer data)
{
  static const char *const slow[] = { ". GPU 9 runs at 50 %", "step ", NULL };
  static const char *const tidy[] = { ". Placement in nesting order: step ", NULL };
  static const char *const alike[] = {
    " changes nothing, because only the name and the faults of a machine move with it", NULL
  };
  const PlgFault fault = { PLG_FAULT_GPU, 9, 0, 0.5 }, repaired = { PLG_FAULT_GPU, 9, 0, 1.0 };

  walk_to_gpu_9 (rig);
  plg_canvas_set_fault (rig->canvas, &fault);
  assert_says (rig, "Node 1 GPU 1, rank 9", slow);
  plg_canvas_set_fault (rig->canvas, &repaired);
  act (rig, "canvas.move-up");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.tidy", "(iii)",
                                             PLG_ENTITY_NODE, 0, 0));
  assert_says (rig, "Node 0 GPU 1, rank 1", tidy);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.move-focused-node",
                                             "i", 1));
  assert_says (rig, "Node 0 GPU 1, rank 1", alike);
}

/* The keys do not continue from a link that the pointer crosses. */
static void
test_links_begin_with_the_first (Rig *rig, gconstpointer data)
{
  PlgHighlightModel *highlight_model = plg_document_highlight_model (rig->document);
  PlgEntity first, second;

  walk_to_gpu_9 (rig);
  act (rig, "canvas.next-link");
  first = plg_highlight_model_hovered (highlight_model);
  act (rig, "canvas.next-link");
  second = plg_highlight_model_hovered (highlight_model);
  g_assert_false (plg_entity_equal (first, second));
  rig->canvas->pointer.hovered = second;
  g_assert_false (plg_canvas_has_locked_highlight (rig->canvas));
  act (rig, "canvas.next-link");
  g_assert_true (plg_entity_equal (plg_highlight_model_hovered (highlight_model), first));
}

/* The menu belongs to the link that keys highlight, and otherwise to the GPU. */
static void
test_menu_of_highlighted_link (Rig *rig, gconstpointer data)
{
  walk_to_gpu_9 (rig);
  for (int i = 0; i < 2; i++)
    {
      GMenuModel *menu;

      act (rig, "canvas.menu");
      menu = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (rig->canvas->popovers.current));
      g_assert_cmpint (has_item (menu, "Swap with…"), ==, i == 0);
      g_assert_true (has_item (menu, "Slow Down to 50 %"));
      act (rig, "canvas.next-link");
    }
}

static void
test_pin_is_announced (Rig *rig, gconstpointer data)
{
  static const char *const pinned[] = { ", pinned", NULL };
  g_autofree char *link = NULL;

  walk_to_gpu_9 (rig);
  act (rig, "canvas.pin");
  assert_says_only (rig, "Node 1 GPU 1, rank 9, pinned");
  act (rig, "canvas.pin");
  assert_says_only (rig, "Node 1 GPU 1, rank 9");
  act (rig, "canvas.next-link");
  link = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focused_cell (rig)),
                                             GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  g_assert_null (strstr (link, "rank 9"));
  act (rig, "canvas.pin");
  assert_says (rig, link, pinned);
  /* The pin belongs to the link, not to the GPU. */
  g_assert_true (plg_canvas_escape (rig->canvas));
  assert_says_only (rig, "Node 1 GPU 1, rank 9");
}

/* The blocks at a time belong to their report. Pins change before the document emits its signal. */
static void
test_pin_during_playback (Rig *rig, gconstpointer data)
{
  static const char *const activity[] = { NULL };

  walk_to_gpu_9 (rig);
  plg_canvas_set_time (rig->canvas, 1);
  act (rig, "canvas.pin");
  assert_says (rig, "Node 1 GPU 1, rank 9, pinned, ", activity);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.grow", "b", TRUE));
  g_assert_true (plg_document_undo (rig->document));
  assert_says (rig, "Node 1 GPU 1, rank 9, pinned, ", activity);
}

/* A key moves a machine with a name down, and the focus follows. */
static void
test_move_machine_by_key (Rig *rig, gconstpointer data)
{
  g_autoptr (PlgPlan) plan = plg_plan_copy (plg_document_plan (rig->document));

  g_assert_true (plg_node_names_set (&plan->node_names, 1, "atlas", NULL));
  g_assert_true (plg_document_apply (rig->document, plan, "name", NULL, NULL));
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_TAB_FORWARD);
  gtk_widget_child_focus (GTK_WIDGET (rig->canvas), GTK_DIR_DOWN);
  assert_says_only (rig, "Node 1, atlas, GPU 0, rank 8");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (rig->canvas), "canvas.move-focused-node",
                                             "i", 1));
  assert_says_only (rig, "Node 2, atlas, GPU 0, rank 16");
}

int
main (int argc, char **argv)
{
  if (!rig_init (&argc, &argv))
    return 0;
#define ADD(name, function) g_test_add ("/placement/" name, Rig, NULL, set_up, function, tear_down)
  ADD ("node-faults", test_node_faults);
  ADD ("menu-stays-on-screen", test_menu_stays_on_screen);
  ADD ("drag-node", test_drag_node);
  ADD ("pick-up-node", test_pick_up_node);
  ADD ("fault", test_fault);
  ADD ("menu-gives-focus-back", test_menu_gives_focus_back);
  ADD ("fault-refused", test_fault_refused);
  ADD ("swap-with", test_swap_with);
  ADD ("rename", test_rename);
  ADD ("rename-hosts", test_rename_hosts);
  ADD ("move-machine", test_move_machine);
  ADD ("drop-axis", test_drop_axis);
  ADD ("move-machine-by-key", test_move_machine_by_key);
  ADD ("dropped-off-nodes", test_dropped_off_nodes);
  ADD ("limit-at-pointer", test_limit_at_pointer);
  ADD ("limit-at-cluster-end", test_limit_at_cluster_end);
  ADD ("limit-beside-node", test_limit_beside_node);
  ADD ("drag-is-announced", test_drag_is_announced);
  ADD ("cancel-is-announced", test_cancel_is_announced);
  ADD ("edits-are-announced", test_edits_are_announced);
  ADD ("border-is-announced", test_border_is_announced);
  ADD ("announcements-end", test_announcements_end);
  ADD ("faults-are-announced", test_faults_are_announced);
  ADD ("links-begin-with-the-first", test_links_begin_with_the_first);
  ADD ("pin-is-announced", test_pin_is_announced);
  ADD ("menu-of-highlighted-link", test_menu_of_highlighted_link);
  ADD ("loss-is-announced", test_loss_is_announced);
  ADD ("pin-during-playback", test_pin_during_playback);
#undef ADD
  return g_test_run ();
}
