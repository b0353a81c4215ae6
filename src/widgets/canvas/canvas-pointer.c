/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the pointer does on the canvas: hover, select, drag, pan and zoom. The drag itself is a
 * state machine of document/drag.h; here pixels become GPU numbers. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* How far from a link or a grip, in pixels, the pointer still means it. */
#define GPU_HIT_MARGIN 5.0
#define WHEEL_ZOOM 1.15
#define WHEEL_PAN 48.0
/* How long the pointer rests on a link before the rest fades: what it only crosses must not make
 * the cluster flash. */
#define HIGHLIGHT_DELAY_MILLISECONDS 150

PlgEntity
plg_canvas_entity_at (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);
  const PlgShape *shape;

  plg_canvas_ensure_figure (self);
  if (y >= plg_canvas_free_height (self))
    shape = plg_canvas_legend_hit (self, x, y);
  else
    shape = self->figure != NULL
                ? plg_figure_hit_test (self->figure, point.x, point.y, GPU_HIT_MARGIN / self->zoom)
                : NULL;
  return shape != NULL ? shape->entity : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

int
plg_canvas_gpu_near (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);

  return plg_cluster_gpu_near (plg_canvas_plan (self), point.x, point.y);
}

/* How far the pointer moves, in pixels, before it points at something else than a menu did. */
#define HIGHLIGHT_LOCK_DISTANCE 24.0

/* Hover ---------------------------------------------------------------------------------------- */

/* What lights up when the pointer rests on it: a link, or the arrows of a ring. A GPU has its
 * groups outlined at once, and nothing fades while people look for one. */
static PlgEntity
highlight_of_entity (PlgCanvas *self, PlgEntity entity)
{
  gboolean is_ring = entity.kind == PLG_ENTITY_GROUP && plg_canvas_plan (self)->view.rings;

  return entity.kind == PLG_ENTITY_LINK || is_ring ? entity
                                                   : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}

static const char *
cursor_for (PlgCanvas *self, PlgEntity entity)
{
  const PlgShape *shape;

  if (entity.kind == PLG_ENTITY_NODE && self->frame_click_zooms)
    return self->solo_node < 0 ? "zoom-in" : "zoom-out";
  if (entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_NODE)
    return "grab";
  if (entity.kind == PLG_ENTITY_RACK)
    return "zoom-in";
  if (entity.kind != PLG_ENTITY_HANDLE || self->figure == NULL)
    return NULL;
  shape = plg_figure_find_entity (self->figure, entity);
  return shape != NULL && shape->rect.width > shape->rect.height ? "ns-resize" : "ew-resize";
}

static gboolean
highlight_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->highlight_timeout_id = 0;
  if (self->document != NULL)
    plg_highlight_model_set_hovered (plg_document_highlight_model (self->document),
                                     highlight_of_entity (self, self->hovered));
  return G_SOURCE_REMOVE;
}

static void
set_hover (PlgCanvas *self, PlgEntity entity)
{
  const char *cursor;
  int outlined;

  if (plg_entity_equal (self->hovered, entity) || self->document == NULL)
    return;
  /* Of the figure that THING was found in, which the next line may throw away. */
  cursor = cursor_for (self, entity);
  outlined = plg_canvas_outlined (self);
  self->hovered = entity;
  if (entity.kind == PLG_ENTITY_GPU)
    self->hovered_gpu = entity.index;
  if (outlined != plg_canvas_outlined (self))
    plg_canvas_invalidate (self);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  if (!plg_entity_equal (
          plg_highlight_model_hovered (plg_document_highlight_model (self->document)),
          highlight_of_entity (self, entity)))
    self->highlight_timeout_id = g_timeout_add (HIGHLIGHT_DELAY_MILLISECONDS, highlight_cb, self);
}

void
plg_canvas_clear_hover (PlgCanvas *self)
{
  PlgEntity highlighted = highlight_of_entity (self, self->hovered);
  PlgHighlightModel *highlight_model;

  if (highlighted.kind == PLG_ENTITY_NONE)
    return;
  highlight_model = plg_document_highlight_model (self->document);
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  self->hovered = (PlgEntity) { .kind = PLG_ENTITY_NONE };
  if (plg_entity_equal (plg_highlight_model_hovered (highlight_model), highlighted))
    plg_highlight_model_set_hovered (highlight_model, self->hovered);
}

void
plg_canvas_clear_pointer (PlgCanvas *self)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  plg_canvas_clear_hover (self);
  set_hover (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

void
plg_canvas_clear_highlight (PlgCanvas *self)
{
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  self->highlight_locked = FALSE;
  if (self->document == NULL)
    return;
  plg_highlight_model_set_hovered (plg_document_highlight_model (self->document),
                                   (PlgEntity) { .kind = PLG_ENTITY_NONE });
}

gboolean
plg_canvas_has_locked_highlight (PlgCanvas *self)
{
  PlgEntity pointed = plg_highlight_model_hovered (plg_document_highlight_model (self->document));

  return pointed.kind != PLG_ENTITY_NONE &&
         (self->highlight_locked ||
          !plg_entity_equal (pointed, highlight_of_entity (self, self->hovered)));
}

/* Drags ---------------------------------------------------------------------------------------- */

/* A node is taken by its label or by what of its card no GPU covers. */
static void
start_tile_drag (PlgCanvas *self, int gpu)
{
  if (self->pressed_entity.kind == PLG_ENTITY_NODE)
    {
      const PlgPlan *plan = plg_canvas_plan (self);

      gpu = self->pressed_entity.index * plan->cluster.gpus_per_node;
      plg_canvas_drag_start (self, PLG_DRAG_NODE, plg_canvas_drag_axis (self),
                             plg_canvas_rank_of_gpu (self, gpu));
      return;
    }
  plg_canvas_drag_start (self, plg_canvas_tile_drag_kind (self), plg_canvas_drag_axis (self),
                         plg_canvas_rank_of_gpu (self, gpu));
}

/* A grip may be anywhere on its edge. From wherever it is taken, the edge moves as far as the
 * pointer does, so that it rests while the pointer does. */
static void
start_edge_drag (PlgCanvas *self, PlgAxis axis, int rank)
{
  const PlgPlan *plan = plg_document_committed_plan (self->document);
  int block = plg_axis_bounded_block (&plan->parallelism, axis);
  PlgPoint press_position = plg_canvas_to_figure (self, self->press_position.x,
                                                  self->press_position.y);
  PlgRect last;
  int first;

  plg_placement_block (&plan->placement, rank / block * block, block, &first);
  last = plg_cluster_gpu_rect (plan, first + block - 1);
  self->edge_drag_offset.x = last.x + last.width / 2 - press_position.x;
  self->edge_drag_offset.y = last.y + last.height / 2 - press_position.y;
  plg_canvas_drag_start (self, PLG_DRAG_EDGE, axis, rank);
}

static void
drag_begin_cb (PlgCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  PlgEntity entity;

  /* Nor does the pointer take over what the keys hold. */
  self->drag_cancelled = self->drag != NULL;
  if (self->document == NULL || self->drag_cancelled)
    return;
  self->press_position = self->pointer = (PlgPoint) { x, y };
  self->edge_drag_offset = (PlgPoint) { 0, 0 };
  self->pressed_entity = entity = plg_canvas_entity_at (self, x, y);
  if (entity.kind == PLG_ENTITY_HANDLE)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      start_edge_drag (self, entity.axis, entity.index);
    }
  else if (entity.kind != PLG_ENTITY_GPU && entity.kind != PLG_ENTITY_NODE)
    {
      self->panning = TRUE;
      self->pan_start = self->origin;
    }
}

static void
pan_to (PlgCanvas *self, double dx, double dy)
{
  set_hover (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
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
  double x = self->press_position.x + dx;
  double y = self->press_position.y + dy;

  if (self->document == NULL || self->drag_cancelled)
    return;
  if (self->drag == NULL && !gtk_drag_check_threshold (GTK_WIDGET (self), self->press_position.x,
                                                       self->press_position.y, x, y))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->click_pins = FALSE;
  if (self->panning)
    {
      pan_to (self, dx, dy);
      return;
    }
  if (self->drag == NULL)
    start_tile_drag (self,
                     plg_canvas_gpu_near (self, self->press_position.x, self->press_position.y));
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
  set_hover (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  /* The pointer has come here to drop, not to look at what it dropped onto. */
  self->highlight_locked = TRUE;
  self->highlight_locked_at = self->pointer;
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
plg_canvas_lock_highlight (PlgCanvas *self, PlgEntity entity)
{
  g_clear_handle_id (&self->highlight_timeout_id, g_source_remove);
  self->highlight_locked = entity.kind != PLG_ENTITY_NONE;
  self->highlight_locked_at = (PlgPoint) { -1, -1 };
  self->highlight_locked_report = plg_document_committed_report (self->document);
  plg_highlight_model_set_hovered (plg_document_highlight_model (self->document), entity);
}

/* A menu that closes is no reason to look at what lies under it. */
static gboolean
is_highlight_locked (PlgCanvas *self, double x, double y)
{
  if (self->highlight_locked && self->highlight_locked_at.x < 0)
    self->highlight_locked_at = (PlgPoint) { x, y };
  if (!self->highlight_locked || hypot (x - self->highlight_locked_at.x,
                                        y - self->highlight_locked_at.y) < HIGHLIGHT_LOCK_DISTANCE)
    return self->highlight_locked;
  /* Also where there is nothing to look at instead. */
  plg_canvas_clear_highlight (self);
  return FALSE;
}

/* GTK also tells of a pointer that rests when what is under it moves. Who has looked for something
 * or turned the page does not point at what happens to come there. */
static gboolean
has_moved (PlgCanvas *self, double x, double y)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  PlgPoint before = self->pointer_rest_position, *now = &self->pointer_rest_position;

  if (root == NULL || !gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (root), x, y,
                                                         &now->x, &now->y))
    return TRUE;
  return hypot (now->x - before.x, now->y - before.y) > 0.5;
}

static void
motion_cb (PlgCanvas *self, double x, double y)
{
  gboolean moved = has_moved (self, x, y);

  if (self->drag_by_keyboard && !self->is_choosing_target)
    return;
  if (moved && self->document != NULL)
    plg_canvas_set_keyboard_mode (self, FALSE);
  self->pointer = (PlgPoint) { x, y };
  if (self->is_choosing_target)
    {
      self->drag_gpu = plg_canvas_gpu_near (self, x, y);
      plg_canvas_drag_to (self, self->drag_gpu, FALSE);
      return;
    }
  if (self->document == NULL || self->drag != NULL || self->panning || !moved)
    return;
  if (is_highlight_locked (self, x, y))
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                     cursor_for (self, plg_canvas_entity_at (self, x, y)));
  else
    set_hover (self, plg_canvas_entity_at (self, x, y));
}

static void
leave_cb (PlgCanvas *self)
{
  if (self->drag == NULL && !self->highlight_locked)
    set_hover (self, (PlgEntity) { .kind = PLG_ENTITY_NONE });
  if (self->hovered_gpu >= 0)
    plg_canvas_invalidate (self);
  self->hovered_gpu = -1;
}

static void
pressed_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgEntity entity;

  /* The click that drops what was picked up does nothing else, nor does one on a grip. */
  self->click_pins = !self->is_choosing_target &&
                     plg_canvas_entity_at (self, x, y).kind != PLG_ENTITY_HANDLE;
  if (self->is_choosing_target)
    plg_canvas_drag_to (self, plg_canvas_gpu_near (self, x, y), FALSE);
  if (self->is_choosing_target)
    plg_canvas_drag_drop (self);
  if (self->document == NULL || self->drag != NULL)
    return;
  entity = plg_canvas_entity_at (self, x, y);
  if (entity.kind == PLG_ENTITY_NODE && n_press == 2 && !self->frame_click_zooms)
    {
      self->menu_position = (PlgPoint) { x, y };
      plg_canvas_open_name_popover (self, entity.index);
      return;
    }
  self->pressed_entity = entity;
  plg_canvas_grab_focus_at (self, entity);
}

/* A click that became no drag pins what it is on, or takes the pin away: what was there before the
 * press, which outlines the groups of what it selects. */
static void
released_cb (PlgCanvas *self, int n_press, double x, double y)
{
  PlgEntity entity = self->pressed_entity;

  if (self->document == NULL || self->drag != NULL || !self->click_pins)
    return;
  if (entity.kind == PLG_ENTITY_NODE && self->frame_click_zooms)
    plg_canvas_show_solo_node (self, self->solo_node < 0 ? entity.index : -1);
  if (entity.kind == PLG_ENTITY_RACK)
    {
      PlgPoint at = plg_canvas_to_figure (self, x, y);

      plg_canvas_zoom_to_group (self, plg_cluster_gpu_near (plg_canvas_plan (self), at.x, at.y));
    }
  if (entity.kind == PLG_ENTITY_GPU || entity.kind == PLG_ENTITY_LINK ||
      entity.kind == PLG_ENTITY_GROUP)
    plg_highlight_model_toggle (plg_document_highlight_model (self->document), entity);
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
  if (self->drag_by_keyboard && !self->is_choosing_target)
    plg_canvas_drag_cancel (self);
  if (self->keyboard_mode && plg_canvas_outlined (self) < 0)
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
