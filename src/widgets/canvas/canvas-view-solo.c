/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Shows a single node as large as the canvas. One row of GPUs would use little of the canvas's
 * height, so the GPUs are arranged in the number of rows that gives the highest zoom. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"

/* The fraction of the canvas width or height that the node fills. */
#define FILLED_SHARE 0.97
/* The space above the node box for the name of a group [points]. */
#define GROUP_NAME_HEIGHT 14

static PlgRect
solo_rect (PlgCanvas *self, int row_gpus)
{
  const PlgPlan *plan = plg_canvas_plan (self);
  PlgClusterLayout layout = plg_cluster_layout_with_rows (plan, self->view.zoom, 0, 0, row_gpus);
  PlgClusterLayout places = plg_cluster_layout_with_rows (plan, 1, 0, 0, row_gpus);
  PlgRect rect = plg_cluster_layout_node (&places, self->view.solo_node);

  rect.x -= layout.label_width;
  rect.width += layout.label_width;
  rect.y -= GROUP_NAME_HEIGHT;
  rect.height += GROUP_NAME_HEIGHT;
  return rect;
}

PlgRect
plg_canvas_solo_rect (PlgCanvas *self)
{
  return solo_rect (self, plg_canvas_row_gpus (self));
}

static double
solo_zoom (PlgCanvas *self, int row_gpus, int width, int height)
{
  PlgRect rect = solo_rect (self, row_gpus);

  return MIN (width * FILLED_SHARE / rect.width, height * FILLED_SHARE / rect.height);
}

gboolean
plg_canvas_fit_solo_node (PlgCanvas *self, int width, int height)
{
  double largest = 0;
  int row_gpus = 0, gpus;

  if (self->document == NULL || self->view.solo_node >= plg_canvas_plan (self)->cluster.nodes)
    self->view.solo_node = -1;
  if (self->view.solo_node < 0)
    return FALSE;
  gpus = plg_canvas_plan (self)->cluster.gpus_per_node;
  for (int length = gpus; length > 0; length--)
    {
      double zoom;

      if (gpus % length != 0)
        continue;
      zoom = solo_zoom (self, length, width, height);
      if (zoom > largest)
        {
          largest = zoom;
          row_gpus = length;
        }
    }
  if (row_gpus != self->view.solo_row_gpus)
    {
      self->view.solo_row_gpus = row_gpus;
      plg_canvas_drop_figure (self);
    }
  plg_canvas_center_rect (self, solo_rect (self, row_gpus),
                          solo_zoom (self, row_gpus, width, height), width, height);
  return TRUE;
}

void
plg_canvas_follow_solo_node (PlgCanvas *self, int gpu)
{
  if (self->view.solo_node < 0)
    return;
  self->view.solo_node = gpu / plg_canvas_plan (self)->cluster.gpus_per_node;
  self->view.is_fitted = TRUE;
}

void
plg_canvas_leave_solo_node (PlgCanvas *self)
{
  self->view.solo_node = -1;
}

int
plg_canvas_get_solo_node (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);
  return self->view.solo_node;
}

void
plg_canvas_show_solo_node (PlgCanvas *self, int node)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || node == self->view.solo_node ||
      node >= plg_canvas_plan (self)->cluster.nodes)
    return;
  if (self->view.solo_node < 0)
    self->view.view_before_solo = plg_canvas_save_view (self);
  self->view.solo_node = node;
  self->view.is_fitted = TRUE;
  if (node < 0)
    plg_canvas_restore_view (self, self->view.view_before_solo);
  plg_canvas_invalidate (self);
}

int
plg_canvas_node_at (PlgCanvas *self, double x, double y)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);

  if (self->document == NULL || x < 0 || y < 0 || x >= gtk_widget_get_width (GTK_WIDGET (self)) ||
      y >= plg_canvas_free_height (self))
    return -1;
  return plg_canvas_gpu_near (self, x, y) / plg_canvas_plan (self)->cluster.gpus_per_node;
}
