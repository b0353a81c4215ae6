/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/timeline-seek.h"

static void
seek (PlgPlayer *player, GtkEventController *controller, double x)
{
  GtkWidget *view = gtk_event_controller_get_widget (controller);
  double time;

  if (plg_picture_view_time_at (PLG_PICTURE_VIEW (view), x, &time))
    plg_player_seek (player, time);
}

static void
drag_begin_cb (PlgPlayer *player, double x, double y, GtkGesture *gesture)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (gesture);

  gtk_widget_grab_focus (gtk_event_controller_get_widget (controller));
  plg_player_play (player, FALSE);
  seek (player, controller, x);
}

static void
drag_update_cb (PlgPlayer *player, double dx, double dy, GtkGesture *gesture)
{
  double start_x, start_y;

  if (gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (gesture), &start_x, &start_y))
    seek (player, GTK_EVENT_CONTROLLER (gesture), start_x + dx);
}

static gboolean
key_pressed_cb (PlgPlayer *player, guint keyval, guint keycode, GdkModifierType state)
{
  return plg_player_key (player, keyval, state);
}

/* Announces the text after a single step. During playback, nothing is announced, because the
 * text changes in every frame. */
static void
text_changed_cb (PlgPlayer *player, GParamSpec *pspec, PlgPictureView *view)
{
  g_autofree char *text = NULL;

  if (plg_player_is_playing (player))
    return;
  g_object_get (player, "text", &text, NULL);
  plg_picture_view_announce (view, plg_player_time (player) >= 0 ? text : NULL);
}

void
plg_timeline_seek_install (PlgPictureView *view, PlgPlayer *player)
{
  GtkWidget *widget = GTK_WIDGET (view);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_return_if_fail (PLG_IS_PICTURE_VIEW (view) && PLG_IS_PLAYER (player));

  gtk_widget_set_focusable (widget, TRUE);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), player,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), player,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), player,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, keys);
  g_signal_connect_object (player, "notify::text", G_CALLBACK (text_changed_cb), view, 0);
  g_signal_connect_object (player, "notify::playing", G_CALLBACK (text_changed_cb), view, 0);
  g_object_bind_property (player, "time", view, "time", G_BINDING_SYNC_CREATE);
}
