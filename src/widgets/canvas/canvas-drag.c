/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A drag on the canvas, by pointer or keys: what it shows and says, where it can be dropped, and
 * what becomes of it. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

static void
update_drag_label (PlgCanvas *self)
{
  g_autofree char *headline = plg_drag_title (self->drag);
  const PlgReport *report = plg_document_report (self->document);
  g_autofree char *consequence = plg_drag_consequence (self->drag, report);
  g_autofree char *warning = plg_drag_warning (self->drag, report);

  plg_drag_label_set (self->drag_label, headline, consequence, warning,
                      plg_drag_reason (self->drag));
  gtk_widget_set_visible (GTK_WIDGET (self->drag_label), TRUE);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  if (self->drag_by_keyboard)
    plg_canvas_describe_cell (self, self->drag_gpu);
}

void
plg_canvas_drag_start (PlgCanvas *self, PlgDragKind kind, PlgAxis axis, int rank)
{
  g_return_if_fail (self->drag == NULL);

  plg_canvas_announce (self, NULL);
  self->drag_report = plg_document_committed_report (self->document);
  self->drag = plg_drag_begin (kind, plg_document_committed_plan (self->document),
                               (PlgReport *) self->drag_report, axis, rank);
  self->drag_axis = axis;
  self->drag_rank = rank;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
  /* So that Escape comes here. */
  gtk_widget_grab_focus (GTK_WIDGET (self));
  update_drag_label (self);
}

/* What a drop would make, looked at as the plan is now: the view may change during a drag. */
static PlgPlan *
dragged_plan (PlgCanvas *self)
{
  PlgPlan *plan = plg_plan_copy (plg_drag_plan (self->drag));

  plan->view = plg_document_committed_plan (self->document)->view;
  return plan;
}

/* Around the nodes, in points of the figure, the pointer still means the nearest. */
#define NEAR_NODE_DISTANCE 16.0

/* Left of a node is its label, for which there is as much room as beside the first. */
static gboolean
is_near_node (PlgCanvas *self, PlgPoint at, int node)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  PlgRect card = plg_cluster_node_rect (plan, node);
  double label = plg_cluster_node_rect (plan, 0).x;

  return at.x >= card.x - label - NEAR_NODE_DISTANCE &&
         at.x <= card.x + card.width + NEAR_NODE_DISTANCE && at.y >= card.y - NEAR_NODE_DISTANCE &&
         at.y <= card.y + card.height + NEAR_NODE_DISTANCE;
}

/* The edge of a block follows the pointer wherever it goes; what is moved needs a place. */
int
plg_canvas_drag_target (PlgCanvas *self, double x, double y)
{
  double to_x = x + self->edge_drag_offset.x * self->zoom,
         to_y = y + self->edge_drag_offset.y * self->zoom;
  int gpu = plg_canvas_gpu_near (self, to_x, to_y);
  int node = gpu / plg_canvas_plan (self)->cluster.gpus_per_node;
  gboolean is_inside = x >= 0 && x < gtk_widget_get_width (GTK_WIDGET (self)) && y >= 0 &&
                       y < plg_canvas_free_height (self);

  if (plg_drag_kind (self->drag) == PLG_DRAG_EDGE ||
      (is_inside && is_near_node (self, plg_canvas_to_figure (self, x, y), node)))
    return gpu;
  return PLG_DRAG_NO_GPU;
}

void
plg_canvas_drag_to (PlgCanvas *self, int gpu, gboolean shift)
{
  if (self->drag == NULL)
    return;
  /* Back where it began, the drag still goes on. */
  if (plg_drag_update (self->drag, gpu, shift))
    {
      g_autoptr (PlgPlan) plan = dragged_plan (self);

      plg_document_preview (self->document, plan);
    }
  /* Who follows the preview may have changed the plan, which gives the drag up. */
  if (self->drag != NULL)
    update_drag_label (self);
}

static void
end_drag (PlgCanvas *self)
{
  g_clear_pointer (&self->drag, plg_drag_free);
  self->drag_report = NULL;
  /* There is something else under the pointer now, if that has moved anything. */
  if (!self->drag_by_keyboard)
    self->pointer_rest_position = (PlgPoint) { -1, -1 };
  self->drag_by_keyboard = self->is_choosing_target = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->drag_label), FALSE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  plg_canvas_describe_cell (self, self->drag_gpu);
  plg_canvas_invalidate (self);
}

/* What a drop at once will have done. */
static char *
describe_drop (PlgCanvas *self)
{
  g_autofree char *words = plg_drag_describe (self->drag, plg_document_report (self->document));

  if (plg_drag_is_off_nodes (self->drag))
    return g_strdup (_ ("Dropped beside the nodes, nothing has changed"));
  return plg_drag_changes (self->drag) ? g_strdup_printf (_ ("Dropped: %s"), words)
                                       : g_strdup (_ ("Dropped where it was"));
}

void
plg_canvas_drag_drop (PlgCanvas *self)
{
  g_autoptr (PlgPlan) plan = NULL;
  g_autofree char *label = NULL, *words = NULL;
  g_autoptr (GError) error = NULL;
  gboolean changes, is_said = self->drag_by_keyboard;

  if (self->drag == NULL)
    return;
  is_said |= plg_drag_is_off_nodes (self->drag);
  words = describe_drop (self);
  changes = plg_drag_changes (self->drag);
  plan = dragged_plan (self);
  label = plg_drag_label (self->drag);
  end_drag (self);
  if (changes && !plg_document_apply (self->document, plan, label, NULL, &error))
    plg_canvas_emit_refused (self, error);
  plg_document_preview (self->document, NULL);
  if (is_said && error == NULL)
    plg_canvas_announce (self, words);
}

void
plg_canvas_drag_cancel (PlgCanvas *self)
{
  if (self->drag == NULL)
    return;
  self->drag_cancelled = TRUE;
  end_drag (self);
  plg_document_preview (self->document, NULL);
  plg_canvas_announce (self, _ ("Given up, nothing has changed"));
}
