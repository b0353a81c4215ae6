/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Keyboard equivalents of the pointer actions. Arrows move the focus, Space picks up and drops a
 * tile, Ctrl with an arrow swaps the focused rank or node with its neighbour, Alt+Left and Alt+Right
 * change the degree of the displayed axis, and Alt+Up and Alt+Down the size of the shard groups. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

/* Focus ---------------------------------------------------------------------------------------- */

static void
announce_limit (PlgCanvas *self, const char *reason)
{
  gtk_widget_error_bell (GTK_WIDGET (self));
  plg_canvas_announce (self, reason);
}

/* Moves the focus. Tab enters the canvas at the GPU that last had the focus, and another Tab
 * leaves the canvas. */
gboolean
plg_canvas_move_focus (PlgCanvas *self, GtkDirectionType direction)
{
  GtkWidget *popover = plg_canvas_open_popover (self);
  gboolean is_drag = plg_canvas_is_keyboard_drag (self);
  int next;

  if (self->document == NULL)
    return FALSE;
  if (popover != NULL)
    return gtk_widget_child_focus (popover, direction);
  if (gtk_widget_get_focus_child (GTK_WIDGET (self)) == NULL)
    {
      plg_canvas_focus_gpu (self, plg_canvas_focused (self));
      return TRUE;
    }
  if (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
    return FALSE;
  next = plg_canvas_neighbour (self,
                               is_drag ? plg_canvas_drag_gpu (self) : plg_canvas_focused (self),
                               direction);
  if (next < 0)
    {
      announce_limit (self, _ ("The cluster ends here"));
      return TRUE;
    }
  if (is_drag)
    {
      plg_canvas_set_pointer_position (self, plg_canvas_point_of_gpu (self, next));
      plg_canvas_drag_choose (self, next);
    }
  plg_canvas_focus_gpu (self, next);
  return TRUE;
}

static void
end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  plg_canvas_focus_gpu (self, g_variant_get_boolean (parameter)
                                  ? plg_cluster_gpus (&plg_canvas_plan (self)->cluster) - 1
                                  : 0);
}

/* Picking up and dropping ---------------------------------------------------------------------- */

static void
pick_up (PlgCanvas *self, PlgDragKind kind)
{
  if (!plg_canvas_is_dragging (self))
    plg_canvas_begin_keyboard_drag (self, kind, plg_canvas_focused (self), FALSE);
  else if (plg_canvas_is_keyboard_drag (self))
    plg_canvas_drag_drop (self);
}

static void
pick_up_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  PlgFocusLevel level;

  if (self->document == NULL)
    return;
  level = plg_canvas_focus_level (self);
  if (!plg_canvas_is_dragging (self) && level == PLG_FOCUS_RACKS)
    plg_canvas_zoom_to_group (self, plg_canvas_focused (self));
  else
    pick_up (self, level == PLG_FOCUS_NODES ? PLG_DRAG_NODE : plg_canvas_tile_drag_kind (self));
}

static void
pick_up_node_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    pick_up (PLG_CANVAS (widget), PLG_DRAG_NODE);
}

/* Edits without a drag ------------------------------------------------------------------------- */

static PlgDrag *
drag_from_focus (PlgCanvas *self, PlgDragKind kind, PlgAxis axis)
{
  PlgDrag *drag = plg_drag_begin (kind, plg_document_plan (self->document),
                                  (PlgReport *) plg_document_report (self->document), axis,
                                  plg_canvas_rank_of_gpu (self, plg_canvas_focused (self)));

  plg_drag_set_policy (drag, plg_document_policy (self->document));
  return drag;
}

/* Applies @drag, moves the focus to @gpu and announces the effect. Emits "refused" if @drag is
 * not possible. */
static void
apply_drag (PlgCanvas *self, PlgDrag *drag, int gpu)
{
  g_autofree char *label = plg_drag_label (drag), *message = NULL;
  g_autoptr (GError) error = NULL;

  if (!plg_drag_is_legal (drag))
    error = g_error_new_literal (PLG_PLAN_ERROR, PLG_PLAN_ERROR_RANGE, plg_drag_limit (drag)->text);
  else
    plg_document_apply (self->document, plg_drag_plan (drag), label, NULL, &error);
  if (error != NULL)
    {
      plg_canvas_emit_refused (self, error);
      return;
    }
  if (gpu != plg_canvas_focused (self))
    plg_canvas_focus_gpu (self, gpu);
  message = plg_drag_describe (drag, plg_document_report (self->document));
  plg_canvas_announce (self, message);
}

static void
swap_neighbours (PlgCanvas *self, GtkDirectionType direction)
{
  g_autoptr (PlgDrag) drag = NULL;
  PlgFocusLevel level;
  int next;

  if (self->document == NULL || plg_canvas_is_dragging (self))
    return;
  level = plg_canvas_focus_level (self);
  next = plg_canvas_neighbour (self, plg_canvas_focused (self), direction);
  if (level == PLG_FOCUS_RACKS)
    announce_limit (self, _ ("Racks cannot be moved; zoom in to move nodes and ranks"));
  else if (next < 0)
    announce_limit (self, _ ("The cluster ends here"));
  else
    {
      drag = drag_from_focus (self, level == PLG_FOCUS_NODES ? PLG_DRAG_NODE : PLG_DRAG_RANK,
                              plg_canvas_drag_axis (self));
      plg_drag_update (drag, next, FALSE);
      apply_drag (self, drag, next);
    }
}

static void
move_left_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  swap_neighbours (PLG_CANVAS (widget), GTK_DIR_LEFT);
}

static void
move_right_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  swap_neighbours (PLG_CANVAS (widget), GTK_DIR_RIGHT);
}

static void
move_up_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  swap_neighbours (PLG_CANVAS (widget), GTK_DIR_UP);
}

static void
move_down_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  swap_neighbours (PLG_CANVAS (widget), GTK_DIR_DOWN);
}

/* Changes the degree of @edge, a PlgAxis, to the next higher possible degree (@step is 1) or the
 * next lower one (@step is -1). If @edge is PLG_EDGE_SHARD, makes the shard groups larger or
 * smaller. The degree of a second axis changes by the inverse factor; @is_other_axis
 * selects a different second axis, as Shift does during a drag. */
static void
change_degree (PlgCanvas *self, int edge, int step, gboolean is_other_axis)
{
  gboolean is_shard = edge == PLG_EDGE_SHARD;
  g_autoptr (PlgDrag) drag = NULL;

  if (plg_canvas_is_dragging (self))
    return;
  drag = drag_from_focus (self, is_shard ? PLG_DRAG_SHARD : PLG_DRAG_EDGE,
                          is_shard ? PLG_AXIS_DP : (PlgAxis) edge);
  plg_drag_step_degree (drag, step, is_other_axis);
  apply_drag (self, drag, plg_canvas_focused (self));
}

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
grow_shards_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    change_degree (PLG_CANVAS (widget), PLG_EDGE_SHARD, 1, FALSE);
}

static void
shrink_shards_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (PLG_CANVAS (widget)->document != NULL)
    change_degree (PLG_CANVAS (widget), PLG_EDGE_SHARD, -1, FALSE);
}

static void
change_degree_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  int axis, step;

  g_variant_get (parameter, "(ii)", &axis, &step);
  if (PLG_CANVAS (widget)->document != NULL)
    change_degree (PLG_CANVAS (widget), axis, step, FALSE);
}

void
plg_canvas_install_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *parameter;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "canvas.pick-up", NULL, pick_up_action },
    { "canvas.pick-up-node", NULL, pick_up_node_action },
    { "canvas.move-left", NULL, move_left_action },
    { "canvas.move-right", NULL, move_right_action },
    { "canvas.move-up", NULL, move_up_action },
    { "canvas.move-down", NULL, move_down_action },
    { "canvas.grow", "b", grow_action },
    { "canvas.shrink", "b", shrink_action },
    { "canvas.grow-shards", NULL, grow_shards_action },
    { "canvas.shrink-shards", NULL, shrink_shards_action },
    { "canvas.change-degree", "(ii)", change_degree_action },
    { "canvas.end", "b", end_action },
  };
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
    { GDK_KEY_Down, GDK_ALT_MASK, "canvas.grow-shards" },
    { GDK_KEY_Up, GDK_ALT_MASK, "canvas.shrink-shards" },
    { GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-picture" },
  };
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
    gboolean parameter;
  } boolean_bindings[] = {
    { GDK_KEY_Right, GDK_ALT_MASK, "canvas.grow", FALSE },
    { GDK_KEY_Left, GDK_ALT_MASK, "canvas.shrink", FALSE },
    { GDK_KEY_Right, GDK_ALT_MASK | GDK_SHIFT_MASK, "canvas.grow", TRUE },
    { GDK_KEY_Left, GDK_ALT_MASK | GDK_SHIFT_MASK, "canvas.shrink", TRUE },
    { GDK_KEY_Home, 0, "canvas.end", FALSE },
    { GDK_KEY_End, 0, "canvas.end", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].parameter,
                                     actions[i].activate);
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         bindings[i].action, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (boolean_bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, boolean_bindings[i].key,
                                         boolean_bindings[i].modifiers, boolean_bindings[i].action,
                                         "b", boolean_bindings[i].parameter);
}
