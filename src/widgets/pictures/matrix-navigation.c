/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/matrix-navigation.h"

#include "drawing/charts/pair-matrix.h"

/* A part of the cluster, and the cell that is marked in the matrix of this part. If nodes.n is
 * 0, the part is the whole cluster. */
typedef struct
{
  PlgRange nodes;
  PlgRange columns;
  int row;
  int column;
} MatrixPart;

typedef struct
{
  PlgPictureView *view; /* not referenced, because the view owns the controllers and the
                           controllers own this struct */
  PlgDocument *document;
  GSimpleActionGroup *actions;
  MatrixPart current;
  GArray *outer_parts; /* the parts (MatrixPart) to return to, outermost first */
} MatrixNavigation;

/* Sets up @matrix for the current part of the cluster. If the marked cell is outside the matrix,
 * marks the nearest cell instead. Returns the index of the marked cell, counted row by row. */
static int
navigation_get_cell (MatrixNavigation *navigation, PlgPairMatrix *matrix)
{
  MatrixPart *current = &navigation->current;
  const PlgPictureOptions options = { .nodes = current->nodes, .columns = current->columns };

  plg_pair_matrix_init (matrix, plg_document_plan (navigation->document), &options,
                        PLG_PAIR_MATRIX_MAX_ITEMS);
  current->row = CLAMP (current->row, 0, matrix->rows - 1);
  current->column = CLAMP (current->column, 0, matrix->columns - 1);
  return current->row * matrix->columns + current->column;
}

static void
navigation_set_enabled (MatrixNavigation *navigation, const char *name, gboolean is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (navigation->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

/* Marks the current cell and scrolls to it. */
static void
navigation_mark (MatrixNavigation *navigation)
{
  GtkWidget *widget = GTK_WIDGET (navigation->view), *scrolled;
  GtkAdjustment *adjustment;
  PlgPairMatrix matrix;
  PlgRange nodes, columns;
  PlgRect rect;
  int cell = navigation_get_cell (navigation, &matrix);

  navigation_set_enabled (navigation, "enter",
                          plg_pair_matrix_cell_nodes (&matrix, cell, &nodes, &columns));
  plg_picture_view_mark (navigation->view, (PlgEntity) { PLG_ENTITY_PAIR, 0, cell });
  scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  if (scrolled == NULL || !plg_picture_view_marked_rect (navigation->view, &rect))
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  gtk_adjustment_clamp_page (adjustment, rect.y - rect.height, rect.y + 2 * rect.height);
}

/* Parts of the cluster ------------------------------------------------------------------------- */

static void
navigation_show_part (MatrixNavigation *navigation, MatrixPart part)
{
  navigation->current = part;
  navigation_set_enabled (navigation, "leave", navigation->outer_parts->len > 0);
  plg_picture_view_set_part (navigation->view, part.nodes, part.columns);
  navigation_mark (navigation);
}

static void
navigation_enter (MatrixNavigation *navigation)
{
  PlgPairMatrix matrix;
  MatrixPart inner = { 0 };
  int cell = navigation_get_cell (navigation, &matrix);

  if (!plg_pair_matrix_cell_nodes (&matrix, cell, &inner.nodes, &inner.columns))
    return;
  g_array_append_val (navigation->outer_parts, navigation->current);
  navigation_show_part (navigation, inner);
}

/* Shows the enclosing part of the cluster. Returns FALSE if the whole cluster is already shown. */
static gboolean
navigation_leave (MatrixNavigation *navigation)
{
  GArray *outer = navigation->outer_parts;
  MatrixPart part;

  if (outer->len == 0)
    return FALSE;
  part = g_array_index (outer, MatrixPart, outer->len - 1);
  g_array_set_size (outer, outer->len - 1);
  navigation_show_part (navigation, part);
  return TRUE;
}

static void
enter_action (GSimpleAction *action, GVariant *parameter, gpointer navigation)
{
  navigation_enter (navigation);
}

static void
leave_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MatrixNavigation *navigation = data;

  navigation_leave (navigation);
  gtk_widget_grab_focus (GTK_WIDGET (navigation->view));
}

static void
show_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const MatrixPart all = { 0 };
  MatrixNavigation *navigation = data;
  MatrixPart part = { 0 };

  g_variant_get (parameter, "(ii)", &part.nodes.first, &part.nodes.n);
  g_array_set_size (navigation->outer_parts, 0);
  g_array_append_val (navigation->outer_parts, all);
  navigation_show_part (navigation, part);
}

/* Keys and pointer ----------------------------------------------------------------------------- */

static gboolean
key_pressed_cb (MatrixNavigation *navigation, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  MatrixPart *current = &navigation->current;
  gboolean has_ctrl = modifiers == GDK_CONTROL_MASK;

  if (modifiers != 0 && !has_ctrl)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      if (has_ctrl)
        return GDK_EVENT_PROPAGATE;
      navigation_enter (navigation);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
    case GDK_KEY_BackSpace:
      return has_ctrl || !navigation_leave (navigation) ? GDK_EVENT_PROPAGATE : GDK_EVENT_STOP;
    case GDK_KEY_Up:
      current->row--;
      break;
    case GDK_KEY_Down:
      current->row++;
      break;
    case GDK_KEY_Left:
      current->column--;
      break;
    case GDK_KEY_Right:
      current->column++;
      break;
    case GDK_KEY_Home:
      current->column = 0;
      current->row = has_ctrl ? 0 : current->row;
      break;
    case GDK_KEY_End:
      current->column = G_MAXINT;
      current->row = has_ctrl ? G_MAXINT : current->row;
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  navigation_mark (navigation);
  return GDK_EVENT_STOP;
}

/* Marks the clicked cell. A double click also shows the nodes or GPUs in the cell. */
static void
pressed_cb (MatrixNavigation *navigation, int n_press, double x, double y)
{
  PlgEntity entity = plg_picture_view_entity_at (navigation->view, x, y);
  PlgPairMatrix matrix;

  gtk_widget_grab_focus (GTK_WIDGET (navigation->view));
  if (entity.kind != PLG_ENTITY_PAIR)
    return;
  navigation_get_cell (navigation, &matrix);
  navigation->current.row = entity.index / matrix.columns;
  navigation->current.column = entity.index % matrix.columns;
  navigation_mark (navigation);
  if (n_press == 2)
    navigation_enter (navigation);
}

static void
focus_leave_cb (MatrixNavigation *navigation)
{
  plg_picture_view_mark (navigation->view, (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

/* After a change of the plan, returns to an enclosing part of the cluster if the new plan lacks
 * some nodes of the current part. Then marks the current cell again if the view has the focus,
 * because the index of the cell may have changed. */
static void
pictures_changed_cb (MatrixNavigation *navigation)
{
  const MatrixPart *current = &navigation->current;
  int nodes = plg_document_plan (navigation->document)->cluster.nodes;

  while ((current->nodes.first + current->nodes.n > nodes ||
          current->columns.first + current->columns.n > nodes) &&
         navigation_leave (navigation))
    ;
  if (gtk_widget_has_focus (GTK_WIDGET (navigation->view)))
    navigation_mark (navigation);
}

static void
navigation_free (gpointer data, GClosure *closure)
{
  MatrixNavigation *navigation = data;

  g_object_unref (navigation->document);
  g_object_unref (navigation->actions);
  g_array_unref (navigation->outer_parts);
  g_free (navigation);
}

GActionGroup *
plg_matrix_navigation_install (PlgPictureView *view, PlgDocument *document)
{
  static const GActionEntry entries[] = {
    { .name = "enter", .activate = enter_action },
    { .name = "leave", .activate = leave_action },
    { .name = "show", .activate = show_action, .parameter_type = "(ii)" },
  };
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkWidget *widget = GTK_WIDGET (view), *viewport;
  GClosure *changed;
  MatrixNavigation *navigation;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (view) && PLG_IS_DOCUMENT (document), NULL);

  navigation = g_new0 (MatrixNavigation, 1);
  navigation->view = view;
  navigation->document = g_object_ref (document);
  navigation->outer_parts = g_array_new (FALSE, FALSE, sizeof (MatrixPart));
  navigation->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (navigation->actions), entries,
                                   G_N_ELEMENTS (entries), navigation);
  navigation_set_enabled (navigation, "leave", FALSE);
  gtk_widget_insert_action_group (widget, "pair", G_ACTION_GROUP (navigation->actions));

  /* Do not let the viewport follow the focus, because the viewport would scroll to the end of a
   * large picture that takes the focus. */
  gtk_widget_set_focusable (widget, TRUE);
  viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  if (viewport != NULL)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), FALSE);

  g_signal_connect_data (keys, "key-pressed", G_CALLBACK (key_pressed_cb), navigation,
                         navigation_free, G_CONNECT_SWAPPED);
  changed = g_cclosure_new_swap (G_CALLBACK (pictures_changed_cb), navigation, NULL);
  g_object_watch_closure (G_OBJECT (view), changed);
  g_signal_connect_closure (document, "pictures-changed", changed, FALSE);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (navigation_mark), navigation);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_leave_cb), navigation);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), navigation);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, focus);
  gtk_widget_add_controller (widget, keys);
  return G_ACTION_GROUP (navigation->actions);
}
