/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Everything that the pointer can do on the canvas, by keys: arrows walk over the GPUs, Space picks
 * one (or its group) up and drops it, Ctrl with an arrow exchanges neighbours at once, Alt with an
 * arrow moves the edge of the groups of the axis shown. */

#include "widgets/canvas/canvas-private.h"
#include "widgets/canvas/gpu-cell.h"

#include <glib/gi18n-lib.h>

PlgPoint
plg_canvas_point_of_gpu (PlgCanvas *self, int gpu)
{
  PlgRect rect = plg_cluster_gpu_rect (plg_canvas_plan (self), gpu);
  PlgPoint point;

  plg_canvas_to_widget (self, rect.x + rect.width / 2, rect.y + rect.height, &point.x, &point.y);
  return point;
}

static gboolean
has_focus (PlgCanvas *self)
{
  return gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
}

/* Nothing happens, which is heard in a bell and why. */
static void
announce_limit (PlgCanvas *self, const char *reason)
{
  gtk_widget_error_bell (GTK_WIDGET (self));
  plg_canvas_announce (self, reason);
}

static void
announce_border (PlgCanvas *self)
{
  announce_limit (self, _ ("Nothing lies beyond"));
}

static gboolean
move_focus (PlgCanvas *self, GtkDirectionType direction)
{
  int next = plg_canvas_neighbour (self, self->drag_by_keyboard ? self->drag_gpu : self->focused,
                                   direction);

  if (next < 0)
    {
      announce_border (self);
      return TRUE;
    }
  if (self->drag_by_keyboard)
    {
      self->drag_gpu = next;
      self->pointer = plg_canvas_point_of_gpu (self, next);
      plg_canvas_drag_to (self, next, FALSE);
    }
  plg_canvas_focus_gpu (self, next);
  return TRUE;
}

/* Tab enters the GPU that was left last, and the next Tab leaves the canvas. */
gboolean
plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction)
{
  if (self->document == NULL)
    return FALSE;
  /* The arrows are the menu's while it is open. */
  if (self->popover != NULL && gtk_widget_get_mapped (self->popover))
    return gtk_widget_child_focus (self->popover, direction);
  if (!has_focus (self))
    {
      plg_canvas_focus_gpu (self, self->focused);
      return TRUE;
    }
  if (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
    return FALSE;
  return move_focus (self, direction);
}

/* Picking up and dropping ------------------------------------------------------------------------
 */

static void
pick_up (PlgCanvas *self, PlgDragKind kind)
{
  if (self->document == NULL)
    return;
  if (self->drag != NULL)
    {
      if (self->drag_by_keyboard)
        plg_canvas_drag_drop (self);
      return;
    }
  self->drag_by_keyboard = TRUE;
  self->drag_gpu = self->focused;
  self->pointer = plg_canvas_point_of_gpu (self, self->focused);
  plg_canvas_drag_start (self, kind, plg_canvas_drag_axis (self),
                         plg_canvas_rank_of_gpu (self, self->focused));
}

void
plg_canvas_begin_keyboard_drag (PlgCanvas *self, PlgDragKind kind, int gpu)
{
  if (self->document == NULL || self->drag != NULL)
    return;
  self->focused = self->drag_gpu = gpu;
  self->drag_by_keyboard = self->is_choosing_target = TRUE;
  self->pointer = plg_canvas_point_of_gpu (self, gpu);
  self->edge_drag_offset = (PlgPoint) { 0, 0 };
  plg_canvas_drag_start (self, kind, plg_canvas_drag_axis (self),
                         plg_canvas_rank_of_gpu (self, gpu));
}

static void
pick_up_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document == NULL)
    return;
  if (self->drag == NULL && plg_canvas_focus_level (self) == PLG_FOCUS_RACKS)
    plg_canvas_zoom_to_group (self, self->focused);
  else
    pick_up (self, plg_canvas_focus_level (self) == PLG_FOCUS_NODES
                       ? PLG_DRAG_NODE
                       : plg_canvas_tile_drag_kind (self));
}

static void
pick_up_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pick_up (PLG_CANVAS (widget), PLG_DRAG_NODE);
}

/* What was begun last is given up first: a drag, the second that is shown, what was looked for or
 * is lit by keys, pins. */
gboolean
plg_canvas_escape (PlgCanvas *self)
{
  if (self->drag != NULL)
    plg_canvas_drag_cancel (self);
  else if (plg_canvas_is_playing_step (self))
    plg_canvas_set_time (self, -1);
  else if (self->document != NULL && plg_canvas_has_locked_highlight (self))
    plg_canvas_clear_link_focus (self);
  else
    return self->document != NULL &&
           plg_highlight_model_unpin_all (plg_document_highlight_model (self->document));
  return TRUE;
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return plg_canvas_escape (PLG_CANVAS (widget));
}

/* Exchanging neighbours ---------------------------------------------------------------------------
 */

/* Does what DRAG would, which ends on GPU, and says so in the words of a drag by pointer. */
static void
apply (PlgCanvas *self, PlgDrag *drag, int gpu)
{
  g_autofree char *label = plg_drag_label (drag), *words = NULL;
  g_autoptr (GError) error = NULL;

  if (!plg_drag_is_legal (drag))
    error = g_error_new_literal (PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE, plg_drag_reason (drag));
  else
    plg_document_apply (self->document, plg_drag_plan (drag), label, NULL, &error);
  if (error != NULL)
    {
      plg_canvas_emit_refused (self, error);
      return;
    }
  if (gpu != self->focused)
    plg_canvas_focus_gpu (self, gpu);
  words = plg_drag_describe (drag, plg_document_report (self->document));
  plg_canvas_announce (self, words);
}

static PlgDrag *
drag_from_focus (PlgCanvas *self, PlgDragKind kind, PlgAxis axis)
{
  return plg_drag_begin (kind, plg_document_committed_plan (self->document),
                         (PlgReport *) plg_document_committed_report (self->document), axis,
                         plg_canvas_rank_of_gpu (self, self->focused));
}

static void
move_neighbour (PlgCanvas *self, GtkDirectionType direction)
{
  g_autoptr (PlgDrag) drag = NULL;
  PlgFocusLevel move_focus;
  int next;

  if (self->document == NULL || self->drag != NULL)
    return;
  move_focus = plg_canvas_focus_level (self);
  next = plg_canvas_neighbour (self, self->focused, direction);
  if (move_focus == PLG_FOCUS_RACKS)
    announce_limit (self, _ ("Racks stay where they are: zoom in to move nodes and ranks"));
  else if (next < 0)
    announce_border (self);
  else
    {
      drag = drag_from_focus (self, move_focus == PLG_FOCUS_NODES ? PLG_DRAG_NODE : PLG_DRAG_RANK,
                              plg_canvas_drag_axis (self));
      plg_drag_update (drag, next, FALSE);
      apply (self, drag, next);
    }
}

static void
move_left_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_neighbour (PLG_CANVAS (widget), GTK_DIR_LEFT);
}

static void
move_right_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_neighbour (PLG_CANVAS (widget), GTK_DIR_RIGHT);
}

static void
move_up_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_neighbour (PLG_CANVAS (widget), GTK_DIR_UP);
}

static void
move_down_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  move_neighbour (PLG_CANVAS (widget), GTK_DIR_DOWN);
}

/* Moving edges ------------------------------------------------------------------------------------
 */

static void
change_degree (PlgCanvas *self, PlgAxis axis, int step, gboolean other)
{
  g_autoptr (PlgDrag) drag = NULL;

  if (self->document == NULL || self->drag != NULL)
    return;
  drag = drag_from_focus (self, PLG_DRAG_EDGE, axis);
  plg_drag_step_degree (drag, step, other);
  apply (self, drag, self->focused);
}

/* The parameter: whether the other axis is to give or take, as with Shift while dragging. */
static void
grow_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    change_degree (self, plg_canvas_drag_axis (self), 1, g_variant_get_boolean (parameter));
}

static void
shrink_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document != NULL)
    change_degree (self, plg_canvas_drag_axis (self), -1, g_variant_get_boolean (parameter));
}

static void
change_degree_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  int axis, step;

  g_variant_get (parameter, "(ii)", &axis, &step);
  change_degree (PLG_CANVAS (widget), axis, step, FALSE);
}

void
plg_canvas_install_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } bindings[] = {
    { GDK_KEY_space, 0, "canvas.pick-up" },
    { GDK_KEY_space, GDK_CONTROL_MASK, "canvas.pick-up-node" },
    { GDK_KEY_Return, 0, "canvas.pick-up" },
    { GDK_KEY_KP_Enter, 0, "canvas.pick-up" },
    { GDK_KEY_Left, GDK_CONTROL_MASK, "canvas.move-left" },
    { GDK_KEY_Right, GDK_CONTROL_MASK, "canvas.move-right" },
    { GDK_KEY_Up, GDK_CONTROL_MASK, "canvas.move-up" },
    { GDK_KEY_Down, GDK_CONTROL_MASK, "canvas.move-down" },
  };

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK,
                                       "win.copy-picture", NULL);
  gtk_widget_class_install_action (widget_class, "canvas.pick-up", NULL, pick_up_action);
  gtk_widget_class_install_action (widget_class, "canvas.pick-up-node", NULL, pick_up_node_action);
  gtk_widget_class_install_action (widget_class, "canvas.move-left", NULL, move_left_action);
  gtk_widget_class_install_action (widget_class, "canvas.move-right", NULL, move_right_action);
  gtk_widget_class_install_action (widget_class, "canvas.move-up", NULL, move_up_action);
  gtk_widget_class_install_action (widget_class, "canvas.move-down", NULL, move_down_action);
  gtk_widget_class_install_action (widget_class, "canvas.grow", "b", grow_action);
  gtk_widget_class_install_action (widget_class, "canvas.shrink", "b", shrink_action);
  gtk_widget_class_install_action (widget_class, "canvas.change-degree", "(ii)",
                                   change_degree_action);
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         bindings[i].action, NULL);
  for (gboolean other = FALSE; other <= TRUE; other++)
    {
      GdkModifierType modifiers = other ? GDK_ALT_MASK | GDK_SHIFT_MASK : GDK_ALT_MASK;
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Right, modifiers, "canvas.grow",
                                           "b", other);
      gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, modifiers, "canvas.shrink",
                                           "b", other);
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}
