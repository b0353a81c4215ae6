/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pair-walk.h"

#include "drawing/pairs.h"

/* A part of the cluster, 0 nodes for all of it, and the cell of its matrix to go on from. */
typedef struct
{
  PlgRange nodes;
  PlgRange columns;
  int row;
  int column;
} Level;

typedef struct
{
  PlgPictureView *view; /* whose controllers have this */
  PlgDocument *document;
  GSimpleActionGroup *actions; /* the view's */
  Level here;
  GArray *outer; /* Level: through which one came here */
} Walk;

static void
pair_here (const Walk *walk, PlgPairing *pairing)
{
  const PlgPictureOptions part = { .nodes = walk->here.nodes, .columns = walk->here.columns };

  plg_pairing_init (pairing, plg_document_plan (walk->document), &part, PLG_PAIRING_MOST);
}

/* The cell that one is in, of those that there are. */
static int
cell_here (Walk *walk, const PlgPairing *pairing)
{
  walk->here.row = CLAMP (walk->here.row, 0, pairing->rows - 1);
  walk->here.column = CLAMP (walk->here.column, 0, pairing->columns - 1);
  return walk->here.row * pairing->columns + walk->here.column;
}

/* A cell that is walked to is scrolled to. */
static void
show_cell (Walk *walk)
{
  GtkWidget *view = GTK_WIDGET (walk->view);
  GtkWidget *scrolled = gtk_widget_get_ancestor (view, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;
  PlgRect rect;

  if (scrolled == NULL || !plg_picture_view_marked_rect (walk->view, &rect))
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  gtk_adjustment_clamp_page (adjustment, rect.y - rect.height, rect.y + 2 * rect.height);
}

static void
set_enabled (Walk *walk, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (walk->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
mark (Walk *walk)
{
  PlgPairing pairing;
  PlgRange nodes, columns;
  int cell;

  pair_here (walk, &pairing);
  cell = cell_here (walk, &pairing);
  set_enabled (walk, "enter", plg_pairing_enter (&pairing, cell, &nodes, &columns));
  plg_picture_view_mark (walk->view, (PlgThing) { PLG_THING_PAIR, 0, cell });
  show_cell (walk);
}

/* Levels --------------------------------------------------------------------------------------- */

static void
show_level (Walk *walk, Level level)
{
  walk->here = level;
  set_enabled (walk, "leave", walk->outer->len > 0);
  plg_picture_view_set_part (walk->view, level.nodes, level.columns);
  mark (walk);
}

static void
enter (Walk *walk)
{
  PlgPairing pairing;
  Level inner = { 0 };

  pair_here (walk, &pairing);
  if (!plg_pairing_enter (&pairing, cell_here (walk, &pairing), &inner.nodes, &inner.columns))
    return;
  g_array_append_val (walk->outer, walk->here);
  show_level (walk, inner);
}

/* FALSE where one is at the whole cluster. */
static gboolean
leave (Walk *walk)
{
  Level level;

  if (walk->outer->len == 0)
    return FALSE;
  level = g_array_index (walk->outer, Level, walk->outer->len - 1);
  g_array_set_size (walk->outer, walk->outer->len - 1);
  show_level (walk, level);
  return TRUE;
}

static void
enter_cb (GSimpleAction *action, GVariant *parameter, gpointer walk)
{
  enter (walk);
}

static void
leave_level_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Walk *walk = data;

  leave (walk);
  gtk_widget_grab_focus (GTK_WIDGET (walk->view));
}

static void
show_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Level all = { 0 };
  Walk *walk = data;
  Level level = { 0 };

  g_variant_get (parameter, "(ii)", &level.nodes.first, &level.nodes.n);
  g_array_set_size (walk->outer, 0);
  g_array_append_val (walk->outer, all);
  show_level (walk, level);
}

/* Keys and pointer ----------------------------------------------------------------------------- */

static gboolean
move (Walk *walk, guint key, gboolean far)
{
  switch (key)
    {
    case GDK_KEY_Up:
      walk->here.row--;
      return TRUE;
    case GDK_KEY_Down:
      walk->here.row++;
      return TRUE;
    case GDK_KEY_Left:
      walk->here.column--;
      return TRUE;
    case GDK_KEY_Right:
      walk->here.column++;
      return TRUE;
    case GDK_KEY_Home:
      walk->here.column = 0;
      walk->here.row = far ? 0 : walk->here.row;
      return TRUE;
    case GDK_KEY_End:
      walk->here.column = G_MAXINT;
      walk->here.row = far ? G_MAXINT : walk->here.row;
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
change_level (Walk *walk, guint key)
{
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      enter (walk);
      return TRUE;
    case GDK_KEY_Escape:
    case GDK_KEY_BackSpace:
      return leave (walk);
    default:
      return FALSE;
    }
}

static gboolean
key_pressed_cb (Walk *walk, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == 0 && change_level (walk, key))
    return GDK_EVENT_STOP;
  if ((modifiers & ~GDK_CONTROL_MASK) != 0 || !move (walk, key, modifiers != 0))
    return GDK_EVENT_PROPAGATE;
  mark (walk);
  return GDK_EVENT_STOP;
}

/* A click goes to its cell, a double click into it. */
static void
pressed_cb (Walk *walk, int n_press, double x, double y)
{
  PlgThing thing = plg_picture_view_thing_at (walk->view, x, y);
  PlgPairing pairing;

  gtk_widget_grab_focus (GTK_WIDGET (walk->view));
  if (thing.kind != PLG_THING_PAIR)
    return;
  pair_here (walk, &pairing);
  walk->here.row = thing.index / pairing.columns;
  walk->here.column = thing.index % pairing.columns;
  mark (walk);
  if (n_press == 2)
    enter (walk);
}

static void
leave_cb (Walk *walk)
{
  plg_picture_view_mark (walk->view, (PlgThing) { .kind = PLG_THING_NONE });
}

static gboolean
is_there (const Walk *walk)
{
  const Level *here = &walk->here;
  int nodes = plg_document_plan (walk->document)->cluster.nodes;

  return here->nodes.first + here->nodes.n <= nodes &&
         here->columns.first + here->columns.n <= nodes;
}

/* Cells are numbered anew where there are other nodes, and a part may be gone. */
static void
changed_cb (Walk *walk)
{
  while (!is_there (walk) && leave (walk))
    ;
  if (gtk_widget_has_focus (GTK_WIDGET (walk->view)))
    mark (walk);
}

static void
walk_free (gpointer data, GClosure *closure)
{
  Walk *walk = data;

  g_object_unref (walk->document);
  g_object_unref (walk->actions);
  g_array_unref (walk->outer);
  g_free (walk);
}

static const GActionEntry entries[] = {
  { .name = "enter", .activate = enter_cb },
  { .name = "leave", .activate = leave_level_cb },
  { .name = "show", .activate = show_cb, .parameter_type = "(ii)" },
};

static Walk *
walk_new (PlgPictureView *view, PlgDocument *document)
{
  Walk *walk = g_new0 (Walk, 1);

  walk->view = view;
  walk->document = g_object_ref (document);
  walk->outer = g_array_new (FALSE, FALSE, sizeof (Level));
  walk->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (walk->actions), entries, G_N_ELEMENTS (entries),
                                   walk);
  set_enabled (walk, "leave", FALSE);
  gtk_widget_insert_action_group (GTK_WIDGET (view), "pair", G_ACTION_GROUP (walk->actions));
  return walk;
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
plg_pair_walk_install (PlgPictureView *view, PlgDocument *document)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GClosure *changed;
  Walk *walk;

  g_return_val_if_fail (PLG_IS_PICTURE_VIEW (view) && PLG_IS_DOCUMENT (document), NULL);

  walk = walk_new (view, document);
  make_focusable (view);
  g_signal_connect_data (keys, "key-pressed", G_CALLBACK (key_pressed_cb), walk, walk_free,
                         G_CONNECT_SWAPPED);
  changed = g_cclosure_new_swap (G_CALLBACK (changed_cb), walk, NULL);
  g_object_watch_closure (G_OBJECT (view), changed);
  g_signal_connect_closure (document, "followed", changed, FALSE);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (mark), walk);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), walk);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), walk);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (view), focus);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  return G_ACTION_GROUP (walk->actions);
}
