/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* An axis of the nesting row that is dropped on the cluster: on a node, so that its groups lie
 * inside nodes, or on the rails between them, so that they go across. */

#include "widgets/canvas/canvas-private.h"

static gboolean
is_inside (PlgRect rect, PlgPoint point)
{
  return point.x >= rect.x && point.x <= rect.x + rect.width && point.y >= rect.y &&
         point.y <= rect.y + rect.height;
}

/* Whether what is there joins nodes: a cable of a NIC, an uplink, or no node at all. */
static gboolean
is_between_nodes (PlgCanvas *self, double x, double y, int gpu)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  const GArray *links = plg_document_report (self->document)->links;
  PlgEntity entity = plg_canvas_entity_at (self, x, y);
  PlgRect card = plg_cluster_node_rect (plan, gpu / plan->cluster.gpus_per_node);

  if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) links->len)
    return g_array_index (links, PlgLink, entity.index).tier >= PLG_TIER_NIC;
  return entity.kind != PLG_ENTITY_NODE && !is_inside (card, plg_canvas_to_figure (self, x, y));
}

static gboolean
update_axis_drag (PlgCanvas *self, const GValue *value, double x, double y)
{
  PlgPoint at = plg_canvas_to_figure (self, x, y);
  int axis = value != NULL ? g_value_get_int (value) : -1, gpu;

  if (self->document == NULL || axis < 0 || axis >= PLG_N_AXES || axis == PLG_AXIS_EP)
    return FALSE;
  if (self->drag == NULL)
    plg_canvas_drag_start (self, PLG_DRAG_AXIS, axis, 0);
  self->pointer = (PlgPoint) { x, y };
  gpu = plg_cluster_gpu_near (plg_canvas_plan (self), at.x, at.y);
  plg_canvas_drag_to (self, gpu, is_between_nodes (self, x, y, gpu));
  return TRUE;
}

static GdkDragAction
motion_cb (PlgCanvas *self, double x, double y, GtkDropTarget *target)
{
  update_axis_drag (self, gtk_drop_target_get_value (target), x, y);
  return GDK_ACTION_COPY;
}

static void
leave_cb (PlgCanvas *self)
{
  plg_canvas_drag_cancel (self);
}

static gboolean
drop_cb (PlgCanvas *self, const GValue *value, double x, double y)
{
  if (!update_axis_drag (self, value, x, y))
    return FALSE;
  plg_canvas_drag_drop (self);
  return TRUE;
}

void
plg_canvas_add_drop_target (PlgCanvas *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INT, GDK_ACTION_COPY);

  /* What is dragged is known before it is dropped. */
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect_swapped (target, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
