/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/matrix-navigation.h"

#include "drawing/charts/pair-matrix.h"

/* A part of the cluster, 0 nodes for all of it, and the cell of its matrix to go on from. */
typedef struct
{
  PlgRange nodes;
  PlgRange columns;
  int row;
  int column;
} MatrixPart;

typedef struct
{
  PlgPictureView *view; /* whose controllers have this */
  PlgDocument *document;
  GSimpleActionGroup *actions; /* the view's */
  MatrixPart current;
  GArray *outer_parts; /* Level: through which one came here */
} MatrixNavigation;

static void
current_pairing (const MatrixNavigation *navigation, PlgPairMatrix *pairing)
{
  const PlgPictureOptions part = { .nodes = navigation->current.nodes,
                                   .columns = navigation->current.columns };

  plg_pair_matrix_init (pairing, plg_document_plan (navigation->document), &part,
                        PLG_PAIR_MATRIX_MAX_ITEMS);
}

/* The cell that one is in, of those that there are. */
static int
current_cell (MatrixNavigation *navigation, const PlgPairMatrix *pairing)
{
  navigation->current.row = CLAMP (navigation->current.row, 0, pairing->rows - 1);
  navigation->current.column = CLAMP (navigation->current.column, 0, pairing->columns - 1);
  return navigation->current.row * pairing->columns + navigation->current.column;
}

/* A cell that is walked to is scrolled to. */
static void
show_cell (MatrixNavigation *navigation)
{
  GtkWidget *view = GTK_WIDGET (navigation->view);
  GtkWidget *scrolled = gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;
  PlgRect rect;

  if (scrolled == NULL || !plg_picture_view_marked_rect (navigation->view, &rect))
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  gtk_adjustment_clamp_page (adjustment, rect.y - rect.height, rect.y + 2 * rect.height);
}

static void
set_enabled (MatrixNavigation *navigation, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (navigation->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
mark (MatrixNavigation *navigation)
{
  PlgPairMatrix pairing;
  PlgRange nodes, columns;
  int cell;

  current_pairing (navigation, &pairing);
  cell = current_cell (navigation, &pairing);
  set_enabled (navigation, "enter", plg_pair_matrix_cell_nodes (&pairing, cell, &nodes, &columns));
  plg_picture_view_mark (navigation->view, (PlgEntity) { PLG_ENTITY_PAIR, 0, cell });
  show_cell (navigation);
}

/* Levels --------------------------------------------------------------------------------------- */

static void
show_part (MatrixNavigation *navigation, MatrixPart shown_part)
{
  navigation->current = shown_part;
  set_enabled (navigation, "leave", navigation->outer_parts->len > 0);
  plg_picture_view_set_part (navigation->view, shown_part.nodes, shown_part.columns);
  mark (navigation);
}

static void
enter (MatrixNavigation *navigation)
{
  PlgPairMatrix pairing;
  MatrixPart inner = { 0 };

  current_pairing (navigation, &pairing);
  if (!plg_pair_matrix_cell_nodes (&pairing, current_cell (navigation, &pairing), &inner.nodes,
                                   &inner.columns))
    return;
  g_array_append_val (navigation->outer_parts, navigation->current);
  show_part (navigation, inner);
}

/* FALSE where one is at the whole cluster. */
static gboolean
leave (MatrixNavigation *navigation)
{
  MatrixPart shown_part;

  if (navigation->outer_parts->len == 0)
    return FALSE;
  shown_part = g_array_index (navigation->outer_parts, MatrixPart,
                              navigation->outer_parts->len - 1);
  g_array_set_size (navigation->outer_parts, navigation->outer_parts->len - 1);
  show_part (navigation, shown_part);
  return TRUE;
}

static void
enter_cb (GSimpleAction *action, GVariant *parameter, gpointer navigation)
{
  enter (navigation);
}

static void
leave_action_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MatrixNavigation *navigation = data;

  leave (navigation);
  gtk_widget_grab_focus (GTK_WIDGET (navigation->view));
}

static void
show_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const MatrixPart all = { 0 };
  MatrixNavigation *navigation = data;
  MatrixPart shown_part = { 0 };

  g_variant_get (parameter, "(ii)", &shown_part.nodes.first, &shown_part.nodes.n);
  g_array_set_size (navigation->outer_parts, 0);
  g_array_append_val (navigation->outer_parts, all);
  show_part (navigation, shown_part);
}

/* Keys and pointer ----------------------------------------------------------------------------- */

static gboolean
move (MatrixNavigation *navigation, guint key, gboolean far)
{
  switch (key)
    {
    case GDK_KEY_Up:
      navigation->current.row--;
      return TRUE;
    case GDK_KEY_Down:
      navigation->current.row++;
      return TRUE;
    case GDK_KEY_Left:
      navigation->current.column--;
      return TRUE;
    case GDK_KEY_Right:
      navigation->current.column++;
      return TRUE;
    case GDK_KEY_Home:
      navigation->current.column = 0;
      navigation->current.row = far ? 0 : navigation->current.row;
      return TRUE;
    case GDK_KEY_End:
      navigation->current.column = G_MAXINT;
      navigation->current.row = far ? G_MAXINT : navigation->current.row;
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
enter_or_leave (MatrixNavigation *navigation, guint key)
{
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      enter (navigation);
      return TRUE;
    case GDK_KEY_Escape:
    case GDK_KEY_BackSpace:
      return leave (navigation);
    default:
      return FALSE;
    }
}

static gboolean
key_pressed_cb (MatrixNavigation *navigation, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == 0 && enter_or_leave (navigation, key))
    return GDK_EVENT_STOP;
  if ((modifiers & ~GDK_CONTROL_MASK) != 0 || !move (navigation, key, modifiers != 0))
    return GDK_EVENT_PROPAGATE;
  mark (navigation);
  return GDK_EVENT_STOP;
}

/* A click goes to its cell, a double click into it. */
static void
pressed_cb (MatrixNavigation *navigation, int n_press, double x, double y)
{
  PlgEntity entity = plg_picture_view_entity_at (navigation->view, x, y);
  PlgPairMatrix pairing;

  gtk_widget_grab_focus (GTK_WIDGET (navigation->view));
  if (entity.kind != PLG_ENTITY_PAIR)
    return;
  current_pairing (navigation, &pairing);
  navigation->current.row = entity.index / pairing.columns;
  navigation->current.column = entity.index % pairing.columns;
  mark (navigation);
  if (n_press == 2)
    enter (navigation);
}

static void
leave_cb (MatrixNavigation *navigation)
{
  plg_picture_view_mark (navigation->view, (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

static gboolean
is_shown (const MatrixNavigation *navigation)
{
  const MatrixPart *current = &navigation->current;
  int nodes = plg_document_plan (navigation->document)->cluster.nodes;

  return current->nodes.first + current->nodes.n <= nodes &&
         current->columns.first + current->columns.n <= nodes;
}

/* Cells are numbered anew where there are other nodes, and a part may be gone. */
static void
changed_cb (MatrixNavigation *navigation)
{
  while (!is_shown (navigation) && leave (navigation))
    ;
  if (gtk_widget_has_focus (GTK_WIDGET (navigation->view)))
    mark (navigation);
}

static void
matrix_navigation_free (gpointer data, GClosure *closure)
{
  MatrixNavigation *navigation = data;

  g_object_unref (navigation->document);
  g_object_unref (navigation->actions);
  g_array_unref (navigation->outer_parts);
  g_free (navigation);
}

static const GActionEntry entries[] = {
  { .name = "enter", .activate = enter_cb },
  { .name = "leave", .activate = leave_action_cb },
  { .name = "show", .activate = show_cb, .parameter_type = "(ii)" },
};

static MatrixNavigation *
matrix_navigation_new (PlgPictureView *view, PlgDocument *document)
{
  MatrixNavigation *navigation = g_new0 (MatrixNavigation, 1);

  navigation->view = view;
  navigation->document = g_object_ref (document);
  navigation->outer_parts = g_array_new (FALSE, FALSE, sizeof (MatrixPart));
  navigation->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (navigation->actions), entries,
                                   G_N_ELEMENTS (entries), navigation);
  set_enabled (navigation, "leave", FALSE);
  gtk_widget_insert_action_group (GTK_WIDGET (view), "pair", G_ACTION_GROUP (navigation->actions));
  return navigation;
}

/* Else the focus would scroll to the end of a picture that is larger. */
static void
make_focusable (PlgPictureView *view)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_VIEWPORT);

  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  if (viewport != NULL)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), FALSE);
}

GActionGroup *
plg_matrix_navigation_install (PlgPictureView *view, PlgDocument *document)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GClosure *changed;
  MatrixNavigation *navigation;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (view) && PLG_IS_DOCUMENT (document), NULL);

  navigation = matrix_navigation_new (view, document);
  make_focusable (view);
  g_signal_connect_data (keys, "key-pressed", G_CALLBACK (key_pressed_cb), navigation,
                         matrix_navigation_free, G_CONNECT_SWAPPED);
  changed = g_cclosure_new_swap (G_CALLBACK (changed_cb), navigation, NULL);
  g_object_watch_closure (G_OBJECT (view), changed);
  g_signal_connect_closure (document, "pictures-changed", changed, FALSE);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (mark), navigation);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), navigation);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), navigation);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (view), focus);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  return G_ACTION_GROUP (navigation->actions);
}
