/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pointer events: hover, click, drag, pan and zoom. */

#include "widgets/canvas/canvas-private.h"

#include <math.h>

#define WHEEL_ZOOM 1.15
#define WHEEL_PAN 48.0
/* The time that the pointer must rest on a link before the link is highlighted. Without this
 * delay, a pointer that only crosses links would make the cluster flash. */
#define HIGHLIGHT_DELAY_MILLISECONDS 150
/* The distance that the pointer must move to end a locked highlight [pixels]. */
#define HIGHLIGHT_LOCK_DISTANCE 24.0

void
plg_canvas_set_frame_click_zooms (PlgCanvas *self, gboolean frame_click_zooms)
{
  g_return_if_fail (PLG_IS_CANVAS (self));
  self->pointer.can_click_node_frame = frame_click_zooms;
}

/* Hover ---------------------------------------------------------------------------------------- */

/* Returns whether ENTITY is an edge that can be dragged. */
static gboolean
is_handle (PlgEntity entity)
{
  return entity.kind == PLG_ENTITY_HANDLE || entity.kind == PLG_ENTITY_SHARD;
}

static const char *
pointer_cursor (PlgCanvas *self, PlgEntity entity)
{
  const PlgShape *shape;

  if (entity.kind == PLG_ENTITY_NODE && self->pointer.can_click_node_frame)
    return plg_canvas_get_solo_node (self) < 0 ? "zoom-in" : "zoom-out";
  if (entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_NODE)
    return "grab";
  if (entity.kind == PLG_ENTITY_RACK)
    return "zoom-in";
  if (!is_handle (entity) || !plg_canvas_has_figure (self))
    return NULL;
  shape = plg_figure_find_entity (plg_canvas_figure (self), entity);
  return shape != NULL && shape->rect.width > shape->rect.height ? "ns-resize" : "ew-resize";
}

static gboolean
highlight_timeout_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->pointer.highlight_timeout_id = 0;
  if (self->document != NULL)
    plg_highlight_model_set_hovered (plg_document_highlight_model (self->document),
                                     plg_canvas_highlight_of_entity (self, self->pointer.hovered));
  return G_SOURCE_REMOVE;
}

static void
pointer_set_hovered (PlgCanvas *self, PlgEntity entity)
{
  PlgHighlightModel *model;
  const char *cursor;
  int outlined;

  if (plg_entity_equal (self->pointer.hovered, entity) || self->document == NULL)
    return;
  model = plg_document_highlight_model (self->document);
  /* Compute the cursor first, because it depends on the figure and the invalidation below
   * discards the figure. */
  cursor = pointer_cursor (self, entity);
  outlined = plg_canvas_outlined (self);
  self->pointer.hovered = entity;
  if (entity.kind == PLG_ENTITY_GPU)
    self->pointer.hovered_gpu = entity.index;
  if (outlined != plg_canvas_outlined (self))
    plg_canvas_invalidate (self);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  g_clear_handle_id (&self->pointer.highlight_timeout_id, g_source_remove);
  if (!plg_entity_equal (plg_highlight_model_hovered (model),
                         plg_canvas_highlight_of_entity (self, entity)))
    self->pointer.highlight_timeout_id = g_timeout_add (HIGHLIGHT_DELAY_MILLISECONDS,
                                                        highlight_timeout_cb, self);
}

void
plg_canvas_clear_pointer (PlgCanvas *self)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  plg_canvas_clear_hover (self);
  pointer_set_hovered (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

/* Drags and pans ------------------------------------------------------------------------------- */

static void
drag_begin_cb (PlgCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  PlgEntity entity;

  if (!plg_canvas_prepare_pointer_drag (self) || self->document == NULL)
    return;
  self->pointer.press_position = self->pointer.position = (PlgPoint) { x, y };
  self->pointer.pressed_entity = entity = plg_canvas_entity_at (self, x, y);
  if (is_handle (entity))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      plg_canvas_start_edge_drag (self, entity, self->pointer.press_position);
    }
  else if (entity.kind != PLG_ENTITY_GPU && entity.kind != PLG_ENTITY_NODE)
    {
      self->pointer.is_panning = TRUE;
      self->pointer.pan_start = plg_canvas_origin (self);
    }
}

static void
pan_to (PlgCanvas *self, double dx, double dy)
{
  pointer_set_hovered (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  plg_canvas_set_origin (self, (PlgPoint) { self->pointer.pan_start.x + dx,
                                            self->pointer.pan_start.y + dy });
}

static void
drag_update_cb (PlgCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  PlgPoint press = self->pointer.press_position;
  PlgEntity entity = self->pointer.pressed_entity;
  double x = press.x + dx, y = press.y + dy;
  GdkModifierType state;
  int gpu;

  if (self->document == NULL || plg_canvas_is_drag_cancelled (self))
    return;
  if (!plg_canvas_is_dragging (self) &&
      !gtk_drag_check_threshold (GTK_WIDGET (self), press.x, press.y, x, y))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->pointer.is_click = FALSE;
  if (self->pointer.is_panning)
    {
      pan_to (self, dx, dy);
      return;
    }
  /* Drag the node if the drag starts on its label or on an empty area of its box. */
  if (!plg_canvas_is_dragging (self) && entity.kind == PLG_ENTITY_NODE)
    {
      gpu = entity.index * plg_canvas_plan (self)->cluster.gpus_per_node;
      plg_canvas_drag_start (self, PLG_DRAG_NODE, plg_canvas_drag_axis (self),
                             plg_canvas_rank_of_gpu (self, gpu));
    }
  else if (!plg_canvas_is_dragging (self))
    {
      gpu = plg_canvas_gpu_near (self, press.x, press.y);
      plg_canvas_drag_start (self, plg_canvas_tile_drag_kind (self), plg_canvas_drag_axis (self),
                             plg_canvas_rank_of_gpu (self, gpu));
    }
  self->pointer.position = (PlgPoint) { x, y };
  state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  plg_canvas_drag_to (self, plg_canvas_drag_target (self, x, y), (state & GDK_SHIFT_MASK) != 0);
}

/* Ends the drag. GTK emits "drag-end" after "cancel" too, so the drag may already have ended. */
static void
drag_end_cb (PlgCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  self->pointer.is_panning = FALSE;
  if (plg_canvas_is_keyboard_drag (self) || !plg_canvas_is_dragging (self))
    return;
  plg_canvas_drag_drop (self);
  pointer_set_hovered (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  /* Highlight the entity under the dropped tile only after the pointer has moved away. */
  self->pointer.is_highlight_locked = TRUE;
  self->pointer.highlight_lock_position = self->pointer.position;
}

static void
drag_cancel_cb (PlgCanvas *self)
{
  self->pointer.is_panning = FALSE;
  if (!plg_canvas_is_keyboard_drag (self))
    plg_canvas_drag_cancel (self);
}

/* Motion --------------------------------------------------------------------------------------- */

/* Returns whether to keep a locked highlight. A small movement of the pointer, for example after
 * a menu has closed, does not clear the highlight. */
static gboolean
pointer_keeps_highlight (PlgCanvas *self, double x, double y)
{
  PlgPoint *lock = &self->pointer.highlight_lock_position;

  if (!self->pointer.is_highlight_locked)
    return FALSE;
  if (lock->x < 0)
    *lock = (PlgPoint) { x, y };
  if (hypot (x - lock->x, y - lock->y) < HIGHLIGHT_LOCK_DISTANCE)
    return TRUE;
  plg_canvas_clear_highlight (self);
  return FALSE;
}

/* Returns whether the pointer itself has moved. GTK also reports motion if the content moves
 * under a resting pointer, for example after a search. */
static gboolean
pointer_has_moved (PlgCanvas *self, double x, double y)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  PlgPoint before = self->pointer.rest_position, *now = &self->pointer.rest_position;

  if (root == NULL || !gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (root), x, y,
                                                         &now->x, &now->y))
    return TRUE;
  return hypot (now->x - before.x, now->y - before.y) > 0.5;
}

static void
motion_cb (PlgCanvas *self, double x, double y)
{
  gboolean has_moved = pointer_has_moved (self, x, y);
  gboolean is_choosing = plg_canvas_is_choosing_target (self);

  if (plg_canvas_is_keyboard_drag (self) && !is_choosing)
    return;
  if (has_moved && self->document != NULL)
    plg_canvas_set_keyboard_active (self, FALSE);
  self->pointer.position = (PlgPoint) { x, y };
  if (is_choosing)
    {
      plg_canvas_drag_choose (self, plg_canvas_gpu_near (self, x, y));
      return;
    }
  if (self->document == NULL || plg_canvas_is_dragging (self) || self->pointer.is_panning ||
      !has_moved)
    return;
  if (pointer_keeps_highlight (self, x, y))
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                     pointer_cursor (self, plg_canvas_entity_at (self, x, y)));
  else
    pointer_set_hovered (self, plg_canvas_entity_at (self, x, y));
}

static void
leave_cb (PlgCanvas *self)
{
  if (!plg_canvas_is_dragging (self) && !self->pointer.is_highlight_locked)
    pointer_set_hovered (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  if (self->pointer.hovered_gpu >= 0)
    plg_canvas_invalidate (self);
  self->pointer.hovered_gpu = -1;
}

/* Clicks --------------------------------------------------------------------------------------- */

static void
pressed_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgEntity entity;

  if (plg_canvas_is_choosing_target (self))
    {
      /* Do not pin an entity with this click, because the click only drops the tile that was
       * picked up from the menu. */
      self->pointer.is_click = FALSE;
      plg_canvas_drag_to (self, plg_canvas_gpu_near (self, x, y), FALSE);
      plg_canvas_drag_drop (self);
    }
  else
    self->pointer.is_click = !is_handle (plg_canvas_entity_at (self, x, y));
  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  entity = plg_canvas_entity_at (self, x, y);
  if (entity.kind == PLG_ENTITY_NODE && n_press == 2 && !self->pointer.can_click_node_frame)
    {
      plg_canvas_set_menu_position (self, (PlgPoint) { x, y });
      plg_canvas_open_name_popover (self, entity.index);
      return;
    }
  self->pointer.pressed_entity = entity;
  plg_canvas_grab_focus_at (self, entity);
}

/* Handles a click on the entity that was pressed: pins or unpins it, zooms to it or shows it
 * alone. A different entity may be under the pointer at the release, because the press outlines
 * groups. */
static void
released_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgEntity entity = self->pointer.pressed_entity;

  if (self->document == NULL || plg_canvas_is_dragging (self) || !self->pointer.is_click)
    return;
  if (entity.kind == PLG_ENTITY_NODE && self->pointer.can_click_node_frame)
    plg_canvas_show_solo_node (self, plg_canvas_get_solo_node (self) < 0 ? entity.index : -1);
  if (entity.kind == PLG_ENTITY_RACK)
    plg_canvas_zoom_to_group (self, plg_canvas_gpu_near (self, x, y));
  if (entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_LINK ||
      entity.kind == PLG_ENTITY_GROUP)
    plg_highlight_model_toggle (plg_document_highlight_model (self->document), entity);
}

/* Wheel, pinch and focus ----------------------------------------------------------------------- */

static gboolean
scroll_cb (PlgCanvas *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  if (state & GDK_CONTROL_MASK)
    {
      plg_canvas_zoom_around (self, plg_canvas_get_zoom (self) * pow (WHEEL_ZOOM, -dy),
                              self->pointer.position.x, self->pointer.position.y);
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK)
    {
      dx = dx != 0 ? dx : dy;
      dy = 0;
    }
  self->pointer.pan_start = plg_canvas_origin (self);
  pan_to (self, -dx * WHEEL_PAN, -dy * WHEEL_PAN);
  return TRUE;
}

static void
pinch_begin_cb (PlgCanvas *self)
{
  self->pointer.pinch_zoom = plg_canvas_get_zoom (self);
}

static void
pinch_cb (PlgCanvas *self, double scale, GtkGesture *gesture)
{
  double x, y;

  if (gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    plg_canvas_zoom_around (self, self->pointer.pinch_zoom * scale, x, y);
}

/* Cancels a keyboard drag, because no key can move the tile after the focus has left the canvas. */
static void
leave_focus_cb (PlgCanvas *self)
{
  if (plg_canvas_is_keyboard_drag (self) && !plg_canvas_is_choosing_target (self))
    plg_canvas_drag_cancel (self);
  if (plg_canvas_is_keyboard_active (self) && plg_canvas_outlined (self) < 0)
    plg_canvas_invalidate_figure (self);
}

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
