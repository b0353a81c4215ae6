/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The start, motion and end of a drag. The user drags with the pointer or the keyboard, or drags
 * an axis from the nesting-order row. The drag itself is a state machine in document/drag.h. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

/* The maximum distance from the pointer to a node that is still the drop target [points]. */
#define NEAR_NODE_DISTANCE 16.0

static void
drag_update_label (PlgCanvas *self)
{
  PlgDrag *drag = self->drag.current;
  const PlgReport *report = plg_document_report (self->document);
  g_autofree char *headline = plg_drag_title (drag);
  g_autofree char *consequence = plg_drag_consequence (drag, report);
  g_autofree char *warning = plg_drag_warning (drag, report);
  const char *limit = plg_drag_limit (drag)->text;

  plg_drag_label_set (self->drag.label, headline, consequence, warning, limit,
                      !plg_drag_is_legal (drag));
  gtk_widget_set_visible (GTK_WIDGET (self->drag.label), TRUE);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  /* With the keyboard, the description of the focused GPU contains the limit. With the pointer,
   * announce each new limit once. */
  if (self->drag.is_by_keyboard)
    plg_canvas_describe_cell (self, self->drag.gpu);
  else if (g_strcmp0 (limit, self->drag.announced_limit) != 0)
    {
      g_free (self->drag.announced_limit);
      self->drag.announced_limit = g_strdup (limit);
      plg_canvas_announce (self, limit);
    }
}

/* Returns a copy of the plan that results from the drag. The copy has the current view, because
 * the view may change during a drag. */
static PlgPlan *
drag_copy_plan (PlgCanvas *self)
{
  PlgPlan *plan = plg_plan_copy (plg_drag_plan (self->drag.current));

  plan->view = plg_document_committed_plan (self->document)->view;
  return plan;
}

static void
drag_end (PlgCanvas *self)
{
  g_clear_pointer (&self->drag.current, plg_drag_free);
  g_clear_pointer (&self->drag.announced_limit, g_free);
  self->drag.report = NULL;
  /* The drop may have changed which entity is under the pointer. */
  if (!self->drag.is_by_keyboard)
    plg_canvas_reset_rest_position (self);
  self->drag.is_by_keyboard = self->drag.is_choosing_target = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->drag.label), FALSE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  plg_canvas_describe_cell (self, self->drag.gpu);
  plg_canvas_invalidate (self);
}

/* Start ---------------------------------------------------------------------------------------- */

void
plg_canvas_drag_start (PlgCanvas *self, PlgDragKind kind, PlgAxis axis, int rank)
{
  g_assert (self->drag.current == NULL);

  plg_canvas_announce (self, NULL);
  self->drag.report = plg_document_committed_report (self->document);
  self->drag.current = plg_drag_begin (kind, plg_document_plan (self->document),
                                       (PlgReport *) plg_document_report (self->document), axis,
                                       rank);
  plg_drag_set_policy (self->drag.current, plg_document_policy (self->document));
  self->drag.axis = axis;
  self->drag.rank = rank;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
  /* Take the focus, so that the canvas receives Escape. */
  gtk_widget_grab_focus (GTK_WIDGET (self));
  drag_update_label (self);
  g_signal_emit_by_name (self, "drag-started");
}

gboolean
plg_canvas_prepare_pointer_drag (PlgCanvas *self)
{
  self->drag.is_cancelled = self->drag.current != NULL;
  if (!self->drag.is_cancelled)
    self->drag.edge_offset = (PlgPoint) { 0, 0 };
  return !self->drag.is_cancelled;
}

/* Starts to drag HANDLE, the edge of a block or of a shard group. Records the distance from the press to the centre of the
 * block's last GPU, so that the edge moves by the same distance as the pointer. */
void
plg_canvas_start_edge_drag (PlgCanvas *self, PlgEntity handle, PlgPoint press)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  gboolean is_shard = handle.kind == PLG_ENTITY_SHARD;
  int block = is_shard ? plg_shard_block (&plan->parallelism)
                       : plg_axis_bounded_block (&plan->parallelism, handle.axis);
  int first;
  PlgPoint from = plg_canvas_to_figure (self, press.x, press.y);
  PlgRect last;

  plg_placement_block (&plan->placement, handle.index / block * block, block, &first);
  last = plg_cluster_gpu_rect (plan, first + block - 1);
  self->drag.edge_offset.x = last.x + last.width / 2 - from.x;
  self->drag.edge_offset.y = last.y + last.height / 2 - from.y;
  plg_canvas_drag_start (self, is_shard ? PLG_DRAG_SHARD : PLG_DRAG_EDGE, handle.axis,
                         handle.index);
}

void
plg_canvas_begin_keyboard_drag (PlgCanvas *self,
                                PlgDragKind kind,
                                int gpu,
                                gboolean is_choosing_target)
{
  if (self->document == NULL || self->drag.current != NULL)
    return;
  plg_canvas_set_focused (self, gpu);
  self->drag.gpu = gpu;
  self->drag.is_by_keyboard = TRUE;
  self->drag.is_choosing_target = is_choosing_target;
  self->drag.edge_offset = (PlgPoint) { 0, 0 };
  plg_canvas_set_pointer_position (self, plg_canvas_point_of_gpu (self, gpu));
  plg_canvas_drag_start (self, kind, plg_canvas_drag_axis (self),
                         plg_canvas_rank_of_gpu (self, gpu));
}

/* Motion --------------------------------------------------------------------------------------- */

/* Returns the GPU under the pointer and reports to the drag whether the pointer is beside a node.
 * If the edge of a block is dragged, this is the GPU nearest to the pointer, or a number outside
 * the cluster if the pointer is more than half a GPU before the first or after the last GPU. If a
 * tile is dragged, the pointer must be on or near a node; the label to the left of a node is part
 * of the node. */
int
plg_canvas_drag_target (PlgCanvas *self, double x, double y)
{
  int per_node = plg_canvas_plan (self)->cluster.gpus_per_node;
  double zoom = plg_canvas_get_zoom (self);
  int gpu = plg_canvas_gpu_near (self, x + self->drag.edge_offset.x * zoom,
                                 y + self->drag.edge_offset.y * zoom);
  PlgRect card = plg_canvas_node_rect (self, gpu / per_node);
  double label_width = plg_canvas_node_rect (self, 0).x;
  PlgPoint at = plg_canvas_to_figure (self, x, y);

  g_assert (self->drag.current != NULL);

  if (plg_drag_kind (self->drag.current) == PLG_DRAG_SHARD ||
      plg_drag_kind (self->drag.current) == PLG_DRAG_EDGE)
    {
      PlgPoint edge = { at.x + self->drag.edge_offset.x, at.y + self->drag.edge_offset.y };
      PlgRect rect = plg_cluster_gpu_rect (plg_canvas_plan (self), gpu);
      int last = plg_cluster_gpus (&plg_canvas_plan (self)->cluster) - 1;

      plg_drag_set_beside_node (self->drag.current,
                                (edge.x > card.x + card.width) - (edge.x < card.x));
      if (plg_drag_kind (self->drag.current) == PLG_DRAG_SHARD)
        return gpu;
      if (gpu == last &&
          (edge.x > rect.x + 1.5 * rect.width || edge.y > rect.y + 1.5 * rect.height))
        return last + 1;
      if (gpu == 0 && (edge.x < rect.x - 0.5 * rect.width || edge.y < rect.y - 0.5 * rect.height))
        return PLG_DRAG_NO_GPU;
      return gpu;
    }
  if (x < 0 || x >= gtk_widget_get_width (GTK_WIDGET (self)) || y < 0 ||
      y >= plg_canvas_free_height (self))
    return PLG_DRAG_NO_GPU;
  return at.x >= card.x - label_width - NEAR_NODE_DISTANCE &&
                 at.x <= card.x + card.width + NEAR_NODE_DISTANCE &&
                 at.y >= card.y - NEAR_NODE_DISTANCE &&
                 at.y <= card.y + card.height + NEAR_NODE_DISTANCE
             ? gpu
             : PLG_DRAG_NO_GPU;
}

void
plg_canvas_drag_to (PlgCanvas *self, int gpu, gboolean shift)
{
  if (self->drag.current == NULL)
    return;
  if (plg_drag_update (self->drag.current, gpu, shift))
    {
      g_autoptr (PlgPlan) plan = drag_copy_plan (self);

      plg_document_preview (self->document, plan);
    }
  /* The preview emits signals. A signal handler may have changed the plan, and such a change
   * cancels the drag. */
  if (self->drag.current != NULL)
    drag_update_label (self);
}

void
plg_canvas_drag_choose (PlgCanvas *self, int gpu)
{
  self->drag.gpu = gpu;
  plg_canvas_drag_to (self, gpu, FALSE);
}

/* End ------------------------------------------------------------------------------------------ */

void
plg_canvas_drag_drop (PlgCanvas *self)
{
  PlgDrag *drag = self->drag.current;
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *label = NULL, *text = NULL, *message = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_changed, is_announced;

  if (drag == NULL)
    return;
  is_changed = plg_drag_changes (drag);
  is_announced = self->drag.is_by_keyboard || plg_drag_is_off_nodes (drag);
  text = plg_drag_describe (drag, plg_document_report (self->document));
  if (plg_drag_is_off_nodes (drag))
    message = g_strdup (_ ("Dropped outside the nodes; nothing has changed"));
  else if (is_changed)
    message = g_strdup_printf (_ ("Dropped: %s"), text);
  else
    message = g_strdup (_ ("Dropped in the same place; nothing has changed"));
  plan = drag_copy_plan (self);
  label = plg_drag_label (drag);
  drag_end (self);
  if (is_changed && !plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
  plg_document_preview (self->document, NULL);
  if (is_announced && error == NULL)
    plg_canvas_announce (self, message);
}

void
plg_canvas_drag_cancel (PlgCanvas *self)
{
  if (self->drag.current == NULL)
    return;
  self->drag.is_cancelled = TRUE;
  drag_end (self);
  plg_document_preview (self->document, NULL);
  plg_canvas_announce (self, _ ("Cancelled; nothing has changed"));
}

/* An axis from the nesting-order row ----------------------------------------------------------- */

/* Updates the drag of an axis. Over a node, the axis moves to the innermost position, inside the
 * nodes. Over a link between nodes or outside the nodes, it moves to the outermost position,
 * across nodes. */
static gboolean
drag_update_axis (PlgCanvas *self, const GValue *value, double x, double y)
{
  int axis = value != NULL ? g_value_get_int (value) : -1, gpu;
  gboolean is_across;
  const GArray *links;
  PlgEntity entity;
  PlgPoint at;
  PlgRect card;

  if (self->document == NULL || axis < 0 || axis >= PLG_N_AXES || axis == PLG_AXIS_EP)
    return FALSE;
  if (self->drag.current == NULL)
    plg_canvas_drag_start (self, PLG_DRAG_AXIS, axis, 0);
  plg_canvas_set_pointer_position (self, (PlgPoint) { x, y });
  gpu = plg_canvas_gpu_near (self, x, y);
  at = plg_canvas_to_figure (self, x, y);
  entity = plg_canvas_entity_at (self, x, y);
  card = plg_canvas_node_rect (self, gpu / plg_canvas_plan (self)->cluster.gpus_per_node);
  links = plg_document_report (self->document)->links;
  if (entity.kind == PLG_ENTITY_LINK && entity.index < (int) links->len)
    is_across = g_array_index (links, PlgLink, entity.index).tier >= PLG_TIER_NIC;
  else
    is_across = entity.kind != PLG_ENTITY_NODE && !(at.x >= card.x && at.x <= card.x + card.width &&
                                                    at.y >= card.y && at.y <= card.y + card.height);
  plg_canvas_drag_to (self, gpu, is_across);
  return TRUE;
}

static GdkDragAction
drop_motion_cb (PlgCanvas *self, double x, double y, GtkDropTarget *target)
{
  drag_update_axis (self, gtk_drop_target_get_value (target), x, y);
  return GDK_ACTION_COPY;
}

static gboolean
drop_cb (PlgCanvas *self, const GValue *value, double x, double y)
{
  if (!drag_update_axis (self, value, x, y))
    return FALSE;
  plg_canvas_drag_drop (self);
  return TRUE;
}

void
plg_canvas_add_drop_target (PlgCanvas *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INT, GDK_ACTION_COPY);

  /* Preload the value, because the preview needs the axis before the drop. */
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect_swapped (target, "motion", G_CALLBACK (drop_motion_cb), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (plg_canvas_drag_cancel), self);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
