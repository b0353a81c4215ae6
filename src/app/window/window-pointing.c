/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Directs attention in a presentation with a spotlight, which follows the pointer or the
 * keyboard focus, and with a zoom to a single node. */

#include "app/window/window-private.h"

#include "widgets/canvas/gpu-cell.h"

#include <math.h>

/* The radius of the spotlight as a fraction of the window height. */
#define RADIUS_SHARE 0.17
/* The radius for a focused widget as a multiple of half its diagonal. The factor keeps the
 * surroundings of the widget visible. */
#define FOCUS_RADIUS_FACTOR 1.25

struct _PlgPointing
{
  GtkEventController *motion;
  PlgPoint pointer; /* position of the pointer in the window; x < 0 if the pointer is outside the
                       window */
  gboolean by_keys; /* whether the latest movement came from the keyboard */
  guint tick_id;    /* id of the callback that moves the spotlight to the focused widget in every
                       frame, because no signal reports the widget's position */
};

/* Spotlight ------------------------------------------------------------------------------------ */

static gboolean
is_spotlight_on (PlgWindow *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->beam));
}

static double
usual_radius (PlgWindow *self)
{
  return RADIUS_SHARE * gtk_widget_get_height (GTK_WIDGET (self));
}

/* Moves the spotlight to the focused GPU. Returns FALSE if the focus is outside the cluster. */
static gboolean
follow_focus (PlgWindow *self)
{
  GtkWidget *cell = gtk_widget_get_focus_child (GTK_WIDGET (self->canvas));
  graphene_rect_t bounds;

  if (!PLG_IS_GPU_CELL (cell) ||
      !gtk_widget_compute_bounds (cell, GTK_WIDGET (self->beam), &bounds))
    return FALSE;
  plg_pointer_spotlight_set_disc (self->beam,
                                  graphene_rect_get_x (&bounds) +
                                      graphene_rect_get_width (&bounds) / 2,
                                  graphene_rect_get_y (&bounds) +
                                      graphene_rect_get_height (&bounds) / 2,
                                  MAX (usual_radius (self),
                                       FOCUS_RADIUS_FACTOR / 2 *
                                           hypot (graphene_rect_get_width (&bounds),
                                                  graphene_rect_get_height (&bounds))));
  return TRUE;
}

static gboolean
follow_pointer (PlgWindow *self)
{
  double x, y;

  if (self->pointing->pointer.x < 0 ||
      !gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (self->beam),
                                         self->pointing->pointer.x, self->pointing->pointer.y, &x,
                                         &y))
    return FALSE;
  plg_pointer_spotlight_set_disc (self->beam, x, y, usual_radius (self));
  return TRUE;
}

static void
update_disc (PlgWindow *self)
{
  if (self->pointing->by_keys ? follow_focus (self) : follow_pointer (self))
    return;
  if (!follow_focus (self))
    plg_pointer_spotlight_set_disc (self->beam, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                                    gtk_widget_get_height (GTK_WIDGET (self)) / 2.0,
                                    usual_radius (self));
}

/* Updates the spotlight in every frame, because the focused widget gets its position only in the
 * next layout and moves during a zoom. */
static gboolean
tick_cb (GtkWidget *beam, GdkFrameClock *clock, gpointer data)
{
  update_disc (data);
  return G_SOURCE_CONTINUE;
}

static void
update_spotlight (PlgWindow *self)
{
  PlgPointing *pointing = self->pointing;
  gboolean follows = is_spotlight_on (self) && (pointing->by_keys || pointing->pointer.x < 0);

  if (is_spotlight_on (self))
    update_disc (self);
  if (follows && pointing->tick_id == 0)
    pointing->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self->beam), tick_cb, self, NULL);
  if (!follows && pointing->tick_id != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self->beam), pointing->tick_id);
      pointing->tick_id = 0;
    }
}

static void
set_spotlight_on (PlgWindow *self, gboolean highlighted)
{
  gtk_widget_set_visible (GTK_WIDGET (self->beam), highlighted);
  update_spotlight (self);
}

/* Pointer -------------------------------------------------------------------------------------- */

static void
motion_cb (PlgWindow *self, double x, double y)
{
  PlgPoint before = self->pointing->pointer;

  /* Ignore movements of less than half a pixel, because GTK also reports motion if a widget
   * moves under a resting pointer. */
  if (hypot (x - before.x, y - before.y) < 0.5)
    return;
  self->pointing->pointer = (PlgPoint) { x, y };
  self->pointing->by_keys = FALSE;
  update_spotlight (self);
}

/* Zoom ----------------------------------------------------------------------------------------- */

static int
node_to_zoom (PlgWindow *self)
{
  const PlgPointing *pointing = self->pointing;
  int node = -1;
  double x, y;

  if (!pointing->by_keys && pointing->pointer.x >= 0 &&
      gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (self->canvas),
                                        pointing->pointer.x, pointing->pointer.y, &x, &y))
    node = plg_canvas_node_at (self->canvas, x, y);
  return node >= 0 ? node : plg_canvas_focused_node (self->canvas);
}

/* Keys ----------------------------------------------------------------------------------------- */

gboolean
plg_window_pointing_key (PlgWindow *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_s:
    case GDK_KEY_S:
      set_spotlight_on (self, !is_spotlight_on (self));
      return TRUE;
    case GDK_KEY_z:
    case GDK_KEY_Z:
      {
        gboolean back = plg_canvas_get_solo_node (self->canvas) >= 0;

        plg_canvas_show_solo_node (self->canvas, back ? -1 : node_to_zoom (self));
      }
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
    case GDK_KEY_Up:
    case GDK_KEY_Down:
    case GDK_KEY_Home:
    case GDK_KEY_End:
    case GDK_KEY_Tab:
    case GDK_KEY_ISO_Left_Tab:
      self->pointing->by_keys = TRUE;
      update_spotlight (self);
      return FALSE; /* let the focused widget handle the key as well */
    default:
      return FALSE;
    }
}

gboolean
plg_window_pointing_escape (PlgWindow *self)
{
  if (plg_canvas_get_solo_node (self->canvas) >= 0)
    plg_canvas_show_solo_node (self->canvas, -1);
  else if (is_spotlight_on (self))
    set_spotlight_on (self, FALSE);
  else
    return FALSE;
  return TRUE;
}

/* Begin and end -------------------------------------------------------------------------------- */

void
plg_window_begin_pointing (PlgWindow *self)
{
  self->pointing = g_new0 (PlgPointing, 1);

  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));
  GdkDevice *device = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  double x, y, dx, dy;

  self->pointing->pointer = (PlgPoint) { -1, -1 };
  if (surface != NULL && device != NULL &&
      gdk_surface_get_device_position (surface, device, &x, &y, NULL))
    {
      gtk_native_get_surface_transform (GTK_NATIVE (self), &dx, &dy);
      x -= dx;
      y -= dy;
      if (x >= 0 && y >= 0 && x < gtk_widget_get_width (GTK_WIDGET (self)) &&
          y < gtk_widget_get_height (GTK_WIDGET (self)))
        self->pointing->pointer = (PlgPoint) { x, y };
    }

  self->pointing->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (self->pointing->motion, GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->pointing->motion, "motion", G_CALLBACK (motion_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), self->pointing->motion);
  plg_canvas_set_frame_click_zooms (self->canvas, TRUE);
}

void
plg_window_end_pointing (PlgWindow *self)
{
  if (self->pointing == NULL)
    return;
  set_spotlight_on (self, FALSE);
  plg_canvas_show_solo_node (self->canvas, -1);
  plg_canvas_set_frame_click_zooms (self->canvas, FALSE);
  gtk_widget_remove_controller (GTK_WIDGET (self), self->pointing->motion);
  g_clear_pointer (&self->pointing, g_free);
}
