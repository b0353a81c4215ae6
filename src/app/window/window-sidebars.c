/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The inspector and the panels next to the cluster. A sidebar folds and hides when the window
 * becomes narrow, and reappears when the window becomes wide. During a lesson, the folded
 * sidebar stays visible over the cluster. During a presentation, hidden sidebars stay hidden. */

#include "app/window/window-private.h"

/* FRAMES_TO_SETTLE is the maximum number of frames to wait until a window manager has restored
 * the window size. FRAMES_OF_LAYOUT is the number of frames to wait afterwards for the layout. */
#define FRAMES_TO_SETTLE 60
#define FRAMES_OF_LAYOUT 4

/* The minimum window width at which a lesson shows the panels [pixels]. */
#define ROOM_FOR_PANELS 1300

static void
update_panels_for_width (PlgWindow *self)
{
  if (self->has_lesson_layout && self->presentation_state == NULL)
    adw_flap_set_reveal_flap (self->panels_flap,
                              gtk_widget_get_width (GTK_WIDGET (self)) >= ROOM_FOR_PANELS);
}

void
plg_window_update_sidebars (PlgWindow *self)
{
  gboolean has_lesson = self->run != NULL;
  gboolean locked = has_lesson || self->presentation_state != NULL;

  self->frames_to_settle = 0;
  adw_flap_set_locked (self->inspector_flap, locked);
  adw_flap_set_locked (self->panels_flap, locked);
  /* A click on the cluster must not hide the lesson. */
  adw_flap_set_modal (self->inspector_flap, !has_lesson);
  update_panels_for_width (self);
}

void
plg_window_begin_lesson_layout (PlgWindow *self)
{
  self->has_lesson_layout = TRUE;
  plg_window_update_sidebars (self);
  if (self->presentation_state == NULL)
    adw_flap_set_reveal_flap (self->inspector_flap, TRUE);
}

/* Shows the panels again after a lesson if their setting is on and the panels fit next to the
 * cluster. */
void
plg_window_end_lesson_layout (PlgWindow *self)
{
  if (self->has_lesson_layout && self->presentation_state == NULL)
    adw_flap_set_reveal_flap (self->panels_flap,
                              g_settings_get_boolean (self->settings, "panels-visible") &&
                                  !adw_flap_get_folded (self->panels_flap));
  self->has_lesson_layout = FALSE;
  plg_window_update_sidebars (self);
}

static gboolean
settle_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgWindow *self = PLG_WINDOW (widget);

  if (self->frames_to_settle == 0)
    return G_SOURCE_REMOVE;
  if (gtk_widget_get_width (widget) == self->width_to_settle)
    self->frames_to_settle = MIN (self->frames_to_settle, FRAMES_OF_LAYOUT);
  if (--self->frames_to_settle > 0)
    return G_SOURCE_CONTINUE;
  plg_window_update_sidebars (self);
  return G_SOURCE_REMOVE;
}

void
plg_window_settle_sidebars (PlgWindow *self, int width)
{
  gboolean is_settling = self->frames_to_settle > 0;

  self->frames_to_settle = FRAMES_TO_SETTLE;
  self->width_to_settle = width;
  if (!is_settling)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), settle_cb, NULL, NULL);
}

/* Dragging out of the sidebar ------------------------------------------------------------------ */

/* Restores the sidebars after a drag. If a lesson runs, its pane reappears. */
static void
drag_finished_cb (PlgWindow *self)
{
  plg_window_update_sidebars (self);
  if (self->run != NULL)
    adw_flap_set_reveal_flap (self->inspector_flap, TRUE);
}

/* While an axis is dragged onto the cluster, hides a sidebar that covers the cluster. */
static void
dragged_cb (PlgWindow *self, double x, double y, GtkDropControllerMotion *motion)
{
  GdkDrop *drop = gtk_drop_controller_motion_get_drop (motion);
  GdkDrag *drag = drop != NULL ? gdk_drop_get_drag (drop) : NULL;

  if (drag == NULL ||
      !gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), G_TYPE_INT) ||
      !adw_flap_get_folded (self->inspector_flap))
    return;

  /* Make the sidebar non-modal now, while the pointer is still on the sidebar. If the widget
   * under the pointer disappeared later, GTK would not report the next target of the drag. */
  if (g_signal_handler_find (drag, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, self) == 0)
    {
      adw_flap_set_modal (self->inspector_flap, FALSE);
      g_signal_connect_object (drag, "dnd-finished", G_CALLBACK (drag_finished_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (drag, "cancel", G_CALLBACK (drag_finished_cb), self,
                               G_CONNECT_SWAPPED);
    }

  GtkWidget *sidebar = adw_flap_get_flap (self->inspector_flap);
  double left, top;

  if (gtk_widget_translate_coordinates (GTK_WIDGET (self->inspector_flap), sidebar, x, 0, &left,
                                        &top) &&
      (left < 0 || left > gtk_widget_get_width (sidebar)))
    adw_flap_set_reveal_flap (self->inspector_flap, FALSE);
}

static gboolean
resized_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  update_panels_for_width (PLG_WINDOW (widget));
  return G_SOURCE_REMOVE;
}

/* Waits for the next frame, because the window gets its new size only in the next layout. */
static void
layout_cb (GtkWidget *widget)
{
  gtk_widget_add_tick_callback (widget, resized_cb, NULL, NULL);
}

static void
realized_cb (PlgWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout",
                           G_CALLBACK (layout_cb), self, G_CONNECT_SWAPPED);
}

void
plg_window_set_up_sidebars (PlgWindow *self)
{
  GtkEventController *motion = gtk_drop_controller_motion_new ();

  g_signal_connect_object (self, "realize", G_CALLBACK (realized_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "enter", G_CALLBACK (dragged_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "motion", G_CALLBACK (dragged_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->inspector_flap), motion);
}
