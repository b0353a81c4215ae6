/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where who presents wants everybody to look: a beam that follows the pointer, or the focus of who
 * uses keys, and one node alone. */

#include "app/window-private.h"

#include "widgets/cell.h"

#include <math.h>

/* Of the window's height. */
#define RADIUS 0.17
/* Of the half diagonal of what has the focus, so that it lies in the disc with what is around it.
 */
#define AROUND 1.25

struct _PlgPointing
{
  GtkEventController *motion;
  PlgPoint pointer; /* in the window; x < 0: it is elsewhere */
  gboolean by_keys; /* the last that moved was the focus */
  guint tick_id;    /* while the beam follows the focus, which no signal tells of */
};

/* The beam */

static gboolean
is_lit (PlgWindow *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->beam));
}

static double
usual_radius (PlgWindow *self)
{
  return RADIUS * gtk_widget_get_height (GTK_WIDGET (self));
}

/* FALSE where nothing of the cluster has the focus. */
static gboolean
light_focus (PlgWindow *self)
{
  GtkWidget *cell = gtk_widget_get_focus_child (GTK_WIDGET (self->canvas));
  graphene_rect_t bounds;

  if (!PLG_IS_CELL (cell) || !gtk_widget_compute_bounds (cell, GTK_WIDGET (self->beam), &bounds))
    return FALSE;
  plg_beam_light (self->beam, graphene_rect_get_x (&bounds) + graphene_rect_get_width (&bounds) / 2,
                  graphene_rect_get_y (&bounds) + graphene_rect_get_height (&bounds) / 2,
                  MAX (usual_radius (self), AROUND / 2 *
                                                hypot (graphene_rect_get_width (&bounds),
                                                       graphene_rect_get_height (&bounds))));
  return TRUE;
}

static gboolean
light_pointer (PlgWindow *self)
{
  double x, y;

  if (self->pointing->pointer.x < 0 ||
      !gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (self->beam),
                                         self->pointing->pointer.x, self->pointing->pointer.y, &x,
                                         &y))
    return FALSE;
  plg_beam_light (self->beam, x, y, usual_radius (self));
  return TRUE;
}

static void
light (PlgWindow *self)
{
  if (self->pointing->by_keys ? light_focus (self) : light_pointer (self))
    return;
  if (!light_focus (self))
    plg_beam_light (self->beam, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                    gtk_widget_get_height (GTK_WIDGET (self)) / 2.0, usual_radius (self));
}

/* The focus has its place only after the layout that follows, and a zoom moves it. */
static gboolean
tick_cb (GtkWidget *beam, GdkFrameClock *clock, gpointer data)
{
  light (data);
  return G_SOURCE_CONTINUE;
}

static void
update_beam (PlgWindow *self)
{
  PlgPointing *pointing = self->pointing;
  gboolean follows = is_lit (self) && (pointing->by_keys || pointing->pointer.x < 0);

  if (is_lit (self))
    light (self);
  if (follows && pointing->tick_id == 0)
    pointing->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self->beam), tick_cb, self, NULL);
  if (!follows && pointing->tick_id != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self->beam), pointing->tick_id);
      pointing->tick_id = 0;
    }
}

static void
set_lit (PlgWindow *self, gboolean lit)
{
  gtk_widget_set_visible (GTK_WIDGET (self->beam), lit);
  update_beam (self);
}

/* Where the pointer is */

static void
motion_cb (PlgWindow *self, double x, double y)
{
  PlgPoint before = self->pointing->pointer;

  /* A pointer that rests is told of, too, when what is below it moves. */
  if (hypot (x - before.x, y - before.y) < 0.5)
    return;
  self->pointing->pointer = (PlgPoint) { x, y };
  self->pointing->by_keys = FALSE;
  update_beam (self);
}

static void
find_pointer (PlgWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));
  GdkDevice *device = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  double x, y, dx, dy;

  self->pointing->pointer = (PlgPoint) { -1, -1 };
  if (surface == NULL || device == NULL ||
      !gdk_surface_get_device_position (surface, device, &x, &y, NULL))
    return;
  gtk_native_get_surface_transform (GTK_NATIVE (self), &dx, &dy);
  x -= dx;
  y -= dy;
  if (x >= 0 && y >= 0 && x < gtk_widget_get_width (GTK_WIDGET (self)) &&
      y < gtk_widget_get_height (GTK_WIDGET (self)))
    self->pointing->pointer = (PlgPoint) { x, y };
}

/* Zoom */

static int
node_at_hand (PlgWindow *self)
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

static void
toggle_zoom (PlgWindow *self)
{
  gboolean back = plg_canvas_get_alone (self->canvas) >= 0;

  plg_canvas_show_alone (self->canvas, back ? -1 : node_at_hand (self));
}

/* Keys */

gboolean
plg_window_point_key (PlgWindow *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_s:
    case GDK_KEY_S:
      set_lit (self, !is_lit (self));
      return TRUE;
    case GDK_KEY_z:
    case GDK_KEY_Z:
      toggle_zoom (self);
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
      update_beam (self);
      return FALSE; /* they are the cluster's */
    default:
      return FALSE;
    }
}

gboolean
plg_window_point_escape (PlgWindow *self)
{
  if (plg_canvas_get_alone (self->canvas) >= 0)
    plg_canvas_show_alone (self->canvas, -1);
  else if (is_lit (self))
    set_lit (self, FALSE);
  else
    return FALSE;
  return TRUE;
}

/* Begin and end */

void
plg_window_begin_pointing (PlgWindow *self)
{
  self->pointing = g_new0 (PlgPointing, 1);
  find_pointer (self);
  self->pointing->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (self->pointing->motion, GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->pointing->motion, "motion", G_CALLBACK (motion_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), self->pointing->motion);
  plg_canvas_set_frames_zoom (self->canvas, TRUE);
}

void
plg_window_end_pointing (PlgWindow *self)
{
  if (self->pointing == NULL)
    return;
  set_lit (self, FALSE);
  plg_canvas_show_alone (self->canvas, -1);
  plg_canvas_set_frames_zoom (self->canvas, FALSE);
  gtk_widget_remove_controller (GTK_WIDGET (self), self->pointing->motion);
  g_clear_pointer (&self->pointing, g_free);
}
