/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Shows the presenter's notes in a separate window, on another monitor if possible. The private
 * notes never cover the presentation. */

#include "app/presenter-window.h"
#include "app/window/window-private.h"

struct _PlgPresenterView
{
  PlgPresenterWindow *window; /* NULL if the user has closed the window */
  gint64 start_time;          /* the start of the presentation [µs of g_get_monotonic_time()] */
  guint settle_id;
  gboolean has_new_monitor; /* whether a monitor was added after the last check */
};

static GListModel *
monitors (PlgWindow *self)
{
  return gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
}

/* Returns the first monitor that does not show the presentation, or NULL. */
static GdkMonitor *
other_monitor (PlgWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  guint n = g_list_model_get_n_items (monitors (self));
  GdkMonitor *own = surface != NULL
                        ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface),
                                                              surface)
                        : NULL;

  /* A single monitor always shows the presentation, even if the window has no surface yet. */
  for (guint i = 0; n > 1 && i < n; i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors (self), i);

      if (monitor != own)
        return monitor; /* owned by the display */
    }
  return NULL;
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Returns whether KEY is a Ctrl shortcut that moves the focus in the notes, copies their text or
 * closes their window. The notes handle these shortcuts before the presentation. */
static gboolean
is_notes_key (guint key, GdkModifierType modifiers)
{
  static const guint keys[] = { GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_w, GDK_KEY_c };

  for (guint i = 0; i < G_N_ELEMENTS (keys) && (modifiers & GDK_CONTROL_MASK) != 0; i++)
    if (key == keys[i])
      return TRUE;
  return FALSE;
}

/* Lets the presentation handle the keys that the notes have ignored. If KEY is Tab, first moves
 * the focus within the notes to the text, because Space would otherwise open a focused link. */
static gboolean
key_left_cb (GtkEventControllerKey *keys,
             guint key,
             guint code,
             GdkModifierType modifiers,
             PlgWindow *self)
{
  if (is_notes_key (key, modifiers))
    return FALSE;
  if (key == GDK_KEY_Tab || key == GDK_KEY_ISO_Left_Tab)
    plg_presenter_window_focus (self->presenter_view->window);

  /* The presentation handles all other keys according to the focus in its own window. */
  GtkWidget *widget = gtk_window_get_focus (GTK_WINDOW (self));

  gtk_window_set_focus_visible (GTK_WINDOW (self), TRUE);
  for (widget = widget != NULL ? widget : GTK_WIDGET (self); widget != NULL;
       widget = gtk_widget_get_parent (widget))
    if (gtk_event_controller_key_forward (keys, widget))
      return TRUE;
  return FALSE;
}

/* The window ----------------------------------------------------------------------------------- */

static void
move_to_other_monitor (PlgWindow *self)
{
  GdkMonitor *monitor = other_monitor (self);

  if (monitor != NULL)
    gtk_window_fullscreen_on_monitor (GTK_WINDOW (self->presenter_view->window), monitor);
}

void
plg_window_open_presenter (PlgWindow *self)
{
  if (self->presenter_view->window == NULL)
    {
      PlgPresenterWindow *window = g_object_new (PLG_TYPE_PRESENTER_WINDOW, NULL);

      g_set_weak_pointer (&self->presenter_view->window, window);

      /* Let the presentation handle its own keys before the notes, and other keys only after the
       * notes have ignored them. */
      GtkEventController *first = gtk_event_controller_key_new ();
      GtkEventController *last = gtk_event_controller_key_new ();

      gtk_event_controller_set_propagation_phase (first, GTK_PHASE_CAPTURE);
      g_signal_connect_object (first, "key-pressed", G_CALLBACK (plg_window_presentation_key), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (last, "key-pressed", G_CALLBACK (key_left_cb), self, 0);
      gtk_widget_add_controller (GTK_WIDGET (window), first);
      gtk_widget_add_controller (GTK_WIDGET (window), last);

      plg_presenter_window_show (window, self->document, self->run);
      plg_presenter_window_set_start (window, self->presenter_view->start_time);
      move_to_other_monitor (self);
    }
  gtk_window_present (GTK_WINDOW (self->presenter_view->window));
}

static void
close_presenter (PlgWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self->presenter_view->window);

  g_clear_weak_pointer (&self->presenter_view->window);
  if (window != NULL)
    gtk_window_destroy (window);
}

/* Closes the notes if the only monitor shows the presentation; otherwise moves the notes to
 * another monitor. If the user has closed the notes, opens them again only after a monitor was
 * added. */
static gboolean
settle_cb (gpointer data)
{
  PlgWindow *self = data;
  gboolean is_new = self->presenter_view->has_new_monitor;

  self->presenter_view->settle_id = 0;
  self->presenter_view->has_new_monitor = FALSE;
  if (other_monitor (self) == NULL)
    close_presenter (self);
  else if (self->presenter_view->window != NULL)
    move_to_other_monitor (self);
  else if (is_new)
    plg_window_open_presenter (self);
  return G_SOURCE_REMOVE;
}

/* Schedules a check of the monitors. The check runs when idle, because replacing a monitor emits
 * two change signals. */
static void
monitors_changed_cb (PlgWindow *self, guint position, guint removed, guint added)
{
  self->presenter_view->has_new_monitor |= added > 0;
  if (self->presenter_view->settle_id == 0)
    self->presenter_view->settle_id = g_idle_add_full (G_PRIORITY_DEFAULT, settle_cb, self, NULL);
}

void
plg_window_update_presenter (PlgWindow *self)
{
  if (self->presenter_view != NULL && self->presenter_view->window != NULL)
    plg_presenter_window_show (self->presenter_view->window, self->document, self->run);
}

void
plg_window_begin_presenter (PlgWindow *self)
{
  self->presenter_view = g_new0 (PlgPresenterView, 1);
  self->presenter_view->start_time = g_get_monotonic_time ();
  g_signal_connect_object (monitors (self), "items-changed", G_CALLBACK (monitors_changed_cb), self,
                           G_CONNECT_SWAPPED);
  if (other_monitor (self) != NULL)
    plg_window_open_presenter (self);
}

void
plg_window_end_presenter (PlgWindow *self)
{
  g_signal_handlers_disconnect_by_func (monitors (self), monitors_changed_cb, self);
  g_clear_handle_id (&self->presenter_view->settle_id, g_source_remove);
  close_presenter (self);
  g_clear_pointer (&self->presenter_view, g_free);
}
