/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the pointer does on the canvas: hover, select, drag, pan and zoom. The drag itself is a
 * state machine of document/drag.h; here pixels become GPU numbers. */

#include "widgets/canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* How far from a link or a grip, in pixels, the pointer still means it. */
#define SLACK 5.0
#define WHEEL_ZOOM 1.15
#define WHEEL_PAN 48.0
/* How long the pointer rests on a link before the rest fades: what it only crosses must not make
 * the cluster flash. */
#define FOCUS_MILLISECONDS 150

PlgThing
plg_canvas_thing_at (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);
  const PlgShape *shape;

  plg_canvas_ensure_figure (self);
  if (y >= plg_canvas_room (self))
    shape = plg_canvas_legend_hit (self, x, y);
  else
    shape = self->figure != NULL
                ? plg_figure_hit (self->figure, point.x, point.y, SLACK / self->zoom)
                : NULL;
  return shape != NULL ? shape->thing : (PlgThing) { .kind = PLG_THING_NONE };
}

int
plg_canvas_gpu_near (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);

  return plg_grid_gpu_near (plg_canvas_plan (self), point.x, point.y);
}

/* How far the pointer moves, in pixels, before it points at something else than a menu did. */
#define KEPT_DISTANCE 24.0

/* Hover ---------------------------------------------------------------------------------------- */

/* What lights up when the pointer rests on it: a link, or the arrows of a ring. A GPU has its
 * groups outlined at once, and nothing fades while people look for one. */
static PlgThing
what_lights_up (PlgCanvas *self, PlgThing thing)
{
  gboolean is_ring = thing.kind == PLG_THING_GROUP && plg_canvas_plan (self)->view.rings;

  return thing.kind == PLG_THING_LINK || is_ring ? thing : (PlgThing) { .kind = PLG_THING_NONE };
}

static const char *
cursor_for (PlgCanvas *self, PlgThing thing)
{
  const PlgShape *shape;

  if (thing.kind == PLG_THING_NODE && self->frames_zoom)
    return self->alone < 0 ? "zoom-in" : "zoom-out";
  if (thing.kind == PLG_THING_GPU || thing.kind == PLG_THING_NODE)
    return "grab";
  if (thing.kind == PLG_THING_RACK)
    return "zoom-in";
  if (thing.kind != PLG_THING_HANDLE || self->figure == NULL)
    return NULL;
  shape = plg_figure_find_thing (self->figure, thing);
  return shape != NULL && shape->rect.width > shape->rect.height ? "ns-resize" : "ew-resize";
}

static gboolean
focus_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->focus_id = 0;
  if (self->document != NULL)
    plg_spotlight_point (plg_document_spotlight (self->document),
                         what_lights_up (self, self->hover));
  return G_SOURCE_REMOVE;
}

static void
set_hover (PlgCanvas *self, PlgThing thing)
{
  const char *cursor;
  int outlined;

  if (plg_thing_equal (self->hover, thing) || self->document == NULL)
    return;
  /* Of the figure that THING was found in, which the next line may throw away. */
  cursor = cursor_for (self, thing);
  outlined = plg_canvas_outlined (self);
  self->hover = thing;
  if (thing.kind == PLG_THING_GPU)
    self->looked_at = thing.index;
  if (outlined != plg_canvas_outlined (self))
    plg_canvas_invalidate (self);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  g_clear_handle_id (&self->focus_id, g_source_remove);
  if (!plg_thing_equal (plg_spotlight_pointed (plg_document_spotlight (self->document)),
                        what_lights_up (self, thing)))
    self->focus_id = g_timeout_add (FOCUS_MILLISECONDS, focus_cb, self);
}

void
plg_canvas_let_go (PlgCanvas *self)
{
  PlgThing lit = what_lights_up (self, self->hover);
  PlgSpotlight *spotlight;

  if (lit.kind == PLG_THING_NONE)
    return;
  spotlight = plg_document_spotlight (self->document);
  g_clear_handle_id (&self->focus_id, g_source_remove);
  self->hover = (PlgThing) { .kind = PLG_THING_NONE };
  if (plg_thing_equal (plg_spotlight_pointed (spotlight), lit))
    plg_spotlight_point (spotlight, self->hover);
}

void
plg_canvas_look_away (PlgCanvas *self)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  plg_canvas_let_go (self);
  set_hover (self, (PlgThing) { .kind = PLG_THING_NONE });
}

void
plg_canvas_put_out (PlgCanvas *self)
{
  g_clear_handle_id (&self->focus_id, g_source_remove);
  self->kept = FALSE;
  if (self->document == NULL)
    return;
  plg_spotlight_point (plg_document_spotlight (self->document),
                       (PlgThing) { .kind = PLG_THING_NONE });
}

gboolean
plg_canvas_is_held (PlgCanvas *self)
{
  PlgThing pointed = plg_spotlight_pointed (plg_document_spotlight (self->document));

  return pointed.kind != PLG_THING_NONE &&
         (self->kept || !plg_thing_equal (pointed, what_lights_up (self, self->hover)));
}

/* Drags ---------------------------------------------------------------------------------------- */

/* A node is taken by its label or by what of its card no GPU covers. */
static void
start_tile_drag (PlgCanvas *self, int gpu)
{
  if (self->pressed.kind == PLG_THING_NODE)
    {
      const PlgPlan *plan = plg_canvas_plan (self);

      gpu = self->pressed.index * plan->cluster.gpus_per_node;
      plg_canvas_drag_start (self, PLG_DRAG_NODE, plg_canvas_axis (self),
                             plg_canvas_rank_of_gpu (self, gpu));
      return;
    }
  plg_canvas_drag_start (self, plg_canvas_tile_drag (self), plg_canvas_axis (self),
                         plg_canvas_rank_of_gpu (self, gpu));
}

/* A grip may be anywhere on its edge. From wherever it is taken, the edge moves as far as the
 * pointer does, so that it rests while the pointer does. */
static void
start_edge_drag (PlgCanvas *self, PlgAxis axis, int rank)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  int block = plg_axis_bounded_block (&plan->parallelism, axis);
  PlgPoint press = plg_canvas_to_figure (self, self->press.x, self->press.y);
  PlgRect last;
  int first;

  plg_placement_block (&plan->placement, rank / block * block, block, &first);
  last = plg_grid_gpu_rect (plan, first + block - 1);
  self->offset.x = last.x + last.width / 2 - press.x;
  self->offset.y = last.y + last.height / 2 - press.y;
  plg_canvas_drag_start (self, PLG_DRAG_EDGE, axis, rank);
}

static void
drag_begin_cb (PlgCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  PlgThing thing;

  /* Nor does the pointer take over what the keys hold. */
  self->given_up = self->drag != NULL;
  if (self->document == NULL || self->given_up)
    return;
  self->press = self->pointer = (PlgPoint) { x, y };
  self->offset = (PlgPoint) { 0, 0 };
  self->pressed = thing = plg_canvas_thing_at (self, x, y);
  if (thing.kind == PLG_THING_HANDLE)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      start_edge_drag (self, thing.axis, thing.index);
    }
  else if (thing.kind != PLG_THING_GPU && thing.kind != PLG_THING_NODE)
    {
      self->panning = TRUE;
      self->pan_start = self->origin;
    }
}

static void
pan_to (PlgCanvas *self, double dx, double dy)
{
  set_hover (self, (PlgThing) { .kind = PLG_THING_NONE });
  self->fit = FALSE;
  self->origin.x = self->pan_start.x + dx;
  self->origin.y = self->pan_start.y + dy;
  plg_canvas_invalidate_view (self);
}

static gboolean
shift_is_held (GtkGestureDrag *gesture)
{
  return (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) &
          GDK_SHIFT_MASK) != 0;
}

static void
drag_update_cb (PlgCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x = self->press.x + dx;
  double y = self->press.y + dy;

  if (self->document == NULL || self->given_up)
    return;
  if (self->drag == NULL &&
      !gtk_drag_check_threshold (GTK_WIDGET (self), self->press.x, self->press.y, x, y))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->click_pins = FALSE;
  if (self->panning)
    {
      pan_to (self, dx, dy);
      return;
    }
  if (self->drag == NULL)
    start_tile_drag (self, plg_canvas_gpu_near (self, self->press.x, self->press.y));
  self->pointer = (PlgPoint) { x, y };
  plg_canvas_drag_to (self, plg_canvas_drag_target (self, x, y), shift_is_held (gesture));
}

/* Also emitted after "cancel", when the drag is gone already. */
static void
drag_end_cb (PlgCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  self->panning = FALSE;
  if (self->drag_by_keyboard || self->drag == NULL)
    return;
  plg_canvas_drag_drop (self);
  set_hover (self, (PlgThing) { .kind = PLG_THING_NONE });
  /* The pointer has come here to drop, not to look at what it dropped onto. */
  self->kept = TRUE;
  self->kept_at = self->pointer;
}

static void
drag_cancel_cb (PlgCanvas *self)
{
  self->panning = FALSE;
  if (!self->drag_by_keyboard)
    plg_canvas_drag_cancel (self);
}

/* Motion and presses ---------------------------------------------------------------------------
 */

void
plg_canvas_keep_lit (PlgCanvas *self, PlgThing thing)
{
  g_clear_handle_id (&self->focus_id, g_source_remove);
  self->kept = thing.kind != PLG_THING_NONE;
  self->kept_at = (PlgPoint) { -1, -1 };
  self->kept_report = plg_document_committed_report (self->document);
  plg_spotlight_point (plg_document_spotlight (self->document), thing);
}

/* A menu that closes is no reason to look at what lies under it. */
static gboolean
is_kept (PlgCanvas *self, double x, double y)
{
  if (self->kept && self->kept_at.x < 0)
    self->kept_at = (PlgPoint) { x, y };
  if (!self->kept || hypot (x - self->kept_at.x, y - self->kept_at.y) < KEPT_DISTANCE)
    return self->kept;
  /* Also where there is nothing to look at instead. */
  plg_canvas_put_out (self);
  return FALSE;
}

/* GTK also tells of a pointer that rests when what is under it moves. Who has looked for something
 * or turned the page does not point at what happens to come there. */
static gboolean
has_moved (PlgCanvas *self, double x, double y)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  PlgPoint before = self->rested_at, *now = &self->rested_at;

  if (root == NULL || !gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (root), x, y,
                                                         &now->x, &now->y))
    return TRUE;
  return hypot (now->x - before.x, now->y - before.y) > 0.5;
}

static void
motion_cb (PlgCanvas *self, double x, double y)
{
  gboolean moved = has_moved (self, x, y);

  if (self->drag_by_keyboard && !self->choosing)
    return;
  if (moved && self->document != NULL)
    plg_canvas_set_walked (self, FALSE);
  self->pointer = (PlgPoint) { x, y };
  if (self->choosing)
    {
      self->drag_gpu = plg_canvas_gpu_near (self, x, y);
      plg_canvas_drag_to (self, self->drag_gpu, FALSE);
      return;
    }
  if (self->document == NULL || self->drag != NULL || self->panning || !moved)
    return;
  if (is_kept (self, x, y))
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                     cursor_for (self, plg_canvas_thing_at (self, x, y)));
  else
    set_hover (self, plg_canvas_thing_at (self, x, y));
}

static void
leave_cb (PlgCanvas *self)
{
  if (self->drag == NULL && !self->kept)
    set_hover (self, (PlgThing) { .kind = PLG_THING_NONE });
  if (self->looked_at >= 0)
    plg_canvas_invalidate (self);
  self->looked_at = -1;
}

static void
pressed_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgThing thing;

  /* The click that drops what was picked up does nothing else, nor does one on a grip. */
  self->click_pins = !self->choosing && plg_canvas_thing_at (self, x, y).kind != PLG_THING_HANDLE;
  if (self->choosing)
    plg_canvas_drag_to (self, plg_canvas_gpu_near (self, x, y), FALSE);
  if (self->choosing)
    plg_canvas_drag_drop (self);
  if (self->document == NULL || self->drag != NULL)
    return;
  thing = plg_canvas_thing_at (self, x, y);
  if (thing.kind == PLG_THING_NODE && n_press == 2 && !self->frames_zoom)
    {
      self->menu_at = (PlgPoint) { x, y };
      plg_canvas_ask_name (self, thing.index);
      return;
    }
  self->pressed = thing;
  plg_canvas_take_focus (self, thing);
}

/* A click that became no drag pins what it is on, or takes the pin away: what was there before the
 * press, which outlines the groups of what it selects. */
static void
released_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgThing thing = self->pressed;

  if (self->document == NULL || self->drag != NULL || !self->click_pins)
    return;
  if (thing.kind == PLG_THING_NODE && self->frames_zoom)
    plg_canvas_show_alone (self, self->alone < 0 ? thing.index : -1);
  if (thing.kind == PLG_THING_RACK)
    {
      PlgPoint at = plg_canvas_to_figure (self, x, y);

      plg_canvas_enter (self, plg_grid_gpu_near (plg_canvas_plan (self), at.x, at.y));
    }
  if (thing.kind == PLG_THING_GPU || thing.kind == PLG_THING_LINK || thing.kind == PLG_THING_GROUP)
    plg_spotlight_toggle (plg_document_spotlight (self->document), thing);
}

/* Zoom and pan ----------------------------------------------------------------------------------
 */

static void
zoom_at (PlgCanvas *self, double factor, double x, double y)
{
  PlgPoint fixed = plg_canvas_to_figure (self, x, y);

  plg_canvas_zoom_by (self, factor);
  self->origin.x = x - fixed.x * self->zoom;
  self->origin.y = y - fixed.y * self->zoom;
}

static gboolean
scroll_cb (PlgCanvas *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  if (state & GDK_CONTROL_MASK)
    {
      zoom_at (self, pow (WHEEL_ZOOM, -dy), self->pointer.x, self->pointer.y);
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK)
    {
      dx = dx != 0 ? dx : dy;
      dy = 0;
    }
  self->pan_start = self->origin;
  pan_to (self, -dx * WHEEL_PAN, -dy * WHEEL_PAN);
  return TRUE;
}

static void
pinch_begin_cb (PlgCanvas *self)
{
  self->pinch_zoom = self->zoom;
}

static void
pinch_cb (PlgCanvas *self, double scale, GtkGesture *gesture)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    zoom_at (self, self->pinch_zoom * scale / self->zoom, x, y);
}

/* Who walks elsewhere is not at the selected GPU any more, and holds nothing: keys that move or
 * drop it do not come here from there. */
static void
leave_focus_cb (PlgCanvas *self)
{
  if (self->drag_by_keyboard && !self->choosing)
    plg_canvas_drag_cancel (self);
  if (self->walked && plg_canvas_outlined (self) < 0)
    plg_canvas_invalidate_figure (self);
}

/* Controllers -----------------------------------------------------------------------------------
 */

static GtkEventController *
connect (PlgCanvas *self,
         GtkEventController *controller,
         const char *signal,
         void (*callback) (void))
{
  g_signal_connect_swapped (controller, signal, G_CALLBACK (callback), self);
  return controller;
}

void
plg_canvas_add_controllers (PlgCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *click = GTK_EVENT_CONTROLLER (gtk_gesture_click_new ());
  GtkEventController *drag = GTK_EVENT_CONTROLLER (gtk_gesture_drag_new ());
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController
      *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *pinch = GTK_EVENT_CONTROLLER (gtk_gesture_zoom_new ());
  GtkEventController *focus = gtk_event_controller_focus_new ();

  connect (self, click, "pressed", G_CALLBACK (pressed_cb));
  gtk_widget_add_controller (widget, connect (self, click, "released", G_CALLBACK (released_cb)));
  connect (self, drag, "drag-begin", G_CALLBACK (drag_begin_cb));
  connect (self, drag, "drag-update", G_CALLBACK (drag_update_cb));
  connect (self, drag, "drag-end", G_CALLBACK (drag_end_cb));
  gtk_widget_add_controller (widget, connect (self, drag, "cancel", G_CALLBACK (drag_cancel_cb)));
  connect (self, motion, "enter", G_CALLBACK (motion_cb));
  connect (self, motion, "motion", G_CALLBACK (motion_cb));
  gtk_widget_add_controller (widget, connect (self, motion, "leave", G_CALLBACK (leave_cb)));
  gtk_widget_add_controller (widget, connect (self, scroll, "scroll", G_CALLBACK (scroll_cb)));
  gtk_widget_add_controller (widget, connect (self, focus, "leave", G_CALLBACK (leave_focus_cb)));
  connect (self, pinch, "begin", G_CALLBACK (pinch_begin_cb));
  gtk_widget_add_controller (widget, connect (self, pinch, "scale-changed", G_CALLBACK (pinch_cb)));
}
