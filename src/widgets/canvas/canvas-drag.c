/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The state of the drag on the canvas. */

#include "widgets/canvas/canvas-private.h"

#include <glib/gi18n-lib.h>

void
plg_canvas_init_drag (PlgCanvas *self)
{
  GtkWidget *label = plg_drag_label_new ();

  self->drag.label = PLG_DRAG_LABEL (label);
  gtk_widget_set_visible (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
}

void
plg_canvas_dispose_drag (PlgCanvas *self)
{
  GtkWidget *label = GTK_WIDGET (self->drag.label);

  g_clear_pointer (&self->drag.current, plg_drag_free);
  g_clear_pointer (&self->drag.announced_limit, g_free);
  self->drag.label = NULL;
  g_clear_pointer (&label, gtk_widget_unparent);
}

gboolean
plg_canvas_is_dragging (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), FALSE);
  return self->drag.current != NULL;
}

gboolean
plg_canvas_is_keyboard_drag (PlgCanvas *self)
{
  return self->drag.is_by_keyboard;
}

gboolean
plg_canvas_is_choosing_target (PlgCanvas *self)
{
  return self->drag.is_choosing_target;
}

gboolean
plg_canvas_is_drag_cancelled (PlgCanvas *self)
{
  return self->drag.is_cancelled;
}

int
plg_canvas_drag_gpu (PlgCanvas *self)
{
  return self->drag.gpu;
}

gboolean
plg_canvas_is_drag_outdated (PlgCanvas *self)
{
  return self->drag.current != NULL &&
         self->drag.report != plg_document_committed_report (self->document);
}

PlgEntity
plg_canvas_drag_entity (PlgCanvas *self)
{
  gboolean is_shard = plg_drag_kind (self->drag.current) == PLG_DRAG_SHARD;

  return (PlgEntity) { is_shard ? PLG_ENTITY_SHARD : PLG_ENTITY_HANDLE, self->drag.axis,
                       self->drag.rank };
}

char *
plg_canvas_describe_drag (PlgCanvas *self)
{
  g_autofree char *text = plg_drag_describe (self->drag.current,
                                             plg_document_report (self->document));

  return plg_drag_changes (self->drag.current) ? g_steal_pointer (&text)
                                               : g_strdup_printf (_ ("Picked up: %s"), text);
}

PlgAxis
plg_canvas_drag_axis (PlgCanvas *self)
{
  switch (plg_document_plan (self->document)->view.show)
    {
    case PLG_SHOW_CP:
      return PLG_AXIS_CP;
    case PLG_SHOW_EP:
      return PLG_AXIS_EP;
    case PLG_SHOW_PP:
      return PLG_AXIS_PP;
    case PLG_SHOW_DP:
      return PLG_AXIS_DP;
    case PLG_SHOW_ALL:
    case PLG_SHOW_TP:
    case PLG_SHOW_MEMORY:
    default:
      return PLG_AXIS_TP;
    }
}

PlgDragKind
plg_canvas_tile_drag_kind (PlgCanvas *self)
{
  const PlgPlan *plan = plg_document_plan (self->document);
  gboolean all = plan->view.show == PLG_SHOW_ALL || plan->view.show == PLG_SHOW_MEMORY;

  return all || plan->parallelism.degree[plg_canvas_drag_axis (self)] <= 1 ? PLG_DRAG_RANK
                                                                           : PLG_DRAG_GROUP;
}

void
plg_canvas_allocate_drag_label (PlgCanvas *self, int width, int height)
{
  GtkWidget *label = GTK_WIDGET (self->drag.label);
  PlgPoint pointer = plg_canvas_pointer_position (self);
  GtkRequisition size;
  GtkAllocation allocation;

  if (!gtk_widget_should_layout (label))
    return;
  gtk_widget_get_preferred_size (label, NULL, &size);
  allocation.width = MIN (size.width, MAX (width - 16, 1));
  allocation.height = size.height;
  allocation.x = pointer.x + 24;
  if (allocation.x + allocation.width > width - 8)
    allocation.x = pointer.x - 24 - allocation.width;
  /* Keep the label visible even if the pointer is outside the canvas. */
  allocation.x = CLAMP (allocation.x, 8, MAX (8, width - 8 - allocation.width));
  allocation.y = CLAMP (pointer.y + 16, 8, MAX (8, height - 8 - allocation.height));
  gtk_widget_size_allocate (label, &allocation, -1);
}

void
plg_canvas_snapshot_drag_label (PlgCanvas *self, GtkSnapshot *snapshot)
{
  gtk_widget_snapshot_child (GTK_WIDGET (self), GTK_WIDGET (self->drag.label), snapshot);
}
