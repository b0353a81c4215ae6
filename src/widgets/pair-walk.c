/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pair-walk.h"

#include "drawing/pairs.h"

typedef struct
{
  PlgPictureView *view; /* whose controllers have this */
  PlgDocument *document;
  int row;
  int column;
} Walk;

static int
n_items (const Walk *walk)
{
  PlgPairing pairing;

  plg_pairing_init (&pairing, plg_document_plan (walk->document), PLG_PAIRING_MOST);
  return pairing.items;
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
mark (Walk *walk)
{
  int n = n_items (walk);

  walk->row = CLAMP (walk->row, 0, n - 1);
  walk->column = CLAMP (walk->column, 0, n - 1);
  plg_picture_view_mark (walk->view,
                         (PlgThing) { PLG_THING_PAIR, 0, walk->row * n + walk->column });
  show_cell (walk);
}

static gboolean
move (Walk *walk, guint key, gboolean far)
{
  switch (key)
    {
    case GDK_KEY_Up:
      walk->row--;
      return TRUE;
    case GDK_KEY_Down:
      walk->row++;
      return TRUE;
    case GDK_KEY_Left:
      walk->column--;
      return TRUE;
    case GDK_KEY_Right:
      walk->column++;
      return TRUE;
    case GDK_KEY_Home:
      walk->column = 0;
      walk->row = far ? 0 : walk->row;
      return TRUE;
    case GDK_KEY_End:
      walk->column = G_MAXINT;
      walk->row = far ? G_MAXINT : walk->row;
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
key_pressed_cb (Walk *walk, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if ((modifiers & ~GDK_CONTROL_MASK) != 0 || !move (walk, key, modifiers != 0))
    return GDK_EVENT_PROPAGATE;
  mark (walk);
  return GDK_EVENT_STOP;
}

/* A click goes to its cell. */
static void
pressed_cb (Walk *walk, int n_press, double x, double y)
{
  PlgThing thing = plg_picture_view_thing_at (walk->view, x, y);
  int n = n_items (walk);

  if (thing.kind == PLG_THING_PAIR)
    {
      walk->row = thing.index / n;
      walk->column = thing.index % n;
      mark (walk);
    }
  gtk_widget_grab_focus (GTK_WIDGET (walk->view));
}

static void
leave_cb (Walk *walk)
{
  plg_picture_view_mark (walk->view, (PlgThing) { .kind = PLG_THING_NONE });
}

/* Cells are numbered anew where there are other nodes. */
static void
changed_cb (Walk *walk)
{
  if (gtk_widget_has_focus (GTK_WIDGET (walk->view)))
    mark (walk);
}

static void
walk_free (gpointer data, GClosure *closure)
{
  g_object_unref (((Walk *) data)->document);
  g_free (data);
}

void
plg_pair_walk_install (PlgPictureView *view, PlgDocument *document)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  /* It would scroll to the end of a picture that is larger. */
  GtkWidget *viewport = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_VIEWPORT);
  GClosure *changed;
  Walk *walk;

  g_return_if_fail (PLG_IS_PICTURE_VIEW (view) && PLG_IS_DOCUMENT (document));

  walk = g_new0 (Walk, 1);
  walk->view = view;
  walk->document = g_object_ref (document);
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  if (viewport != NULL)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), FALSE);
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
}
