/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One node as large as the canvas, and nothing beside it: for who explains what is inside. A row of
 * GPUs is as wide as the canvas already, so the row is folded into as many as fill it best. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"

/* Of the room that there is. */
#define FILLED_SHARE 0.97
/* Points above the card, where the name of a group stands. */
#define GROUP_NAME_HEIGHT 14
/* What is not the node is hardly there. */
#define DIM_ALPHA 0.94

const PlgPlan *
plg_canvas_plan (PlgCanvas *self)
{
  int row_gpus = self->solo_plan.view.row_gpus;

  if (self->solo_node < 0)
    return plg_document_plan (self->document);
  self->solo_plan = *plg_document_plan (self->document);
  self->solo_plan.view.row_gpus = row_gpus;
  return &self->solo_plan;
}

static int
nodes (PlgCanvas *self)
{
  return plg_canvas_plan (self)->cluster.nodes;
}

/* The card of the node with its name beside it. */
static PlgRect
solo_rect (PlgCanvas *self, const PlgPlan *plan)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (plan, self->zoom);
  PlgRect rect = plg_cluster_node_rect (plan, self->solo_node);

  rect.x -= layout.label_width;
  rect.width += layout.label_width;
  rect.y -= GROUP_NAME_HEIGHT;
  rect.height += GROUP_NAME_HEIGHT;
  return rect;
}

/* The zoom at which the node of PLAN fills WIDTH x ROOM pixels. */
static double
solo_zoom (PlgCanvas *self, const PlgPlan *plan, int width, int free_height)
{
  PlgRect rect = solo_rect (self, plan);

  return MIN (width * FILLED_SHARE / rect.width, free_height * FILLED_SHARE / rect.height);
}

/* Into rows of equal length, of the length with which the node is seen largest. */
static void
choose_row_length (PlgCanvas *self, int width, int free_height)
{
  PlgPlan plan = *plg_document_plan (self->document);
  int gpus = plan.cluster.gpus_per_node, best = 0;
  double largest = 0;

  for (int length = gpus; length > 0; length--)
    {
      double zoom;

      if (gpus % length != 0)
        continue;
      plan.view.row_gpus = length;
      zoom = solo_zoom (self, &plan, width, free_height);
      if (zoom > largest)
        {
          largest = zoom;
          best = length;
        }
    }
  if (best == self->solo_plan.view.row_gpus)
    return;
  self->solo_plan.view.row_gpus = best;
  g_clear_pointer (&self->figure, plg_figure_unref);
  self->figure_is_changed = TRUE;
}

gboolean
plg_canvas_fit_solo_node (PlgCanvas *self, int width, int free_height)
{
  const PlgPlan *plan;

  if (self->document == NULL || self->solo_node >= nodes (self))
    self->solo_node = -1;
  if (self->solo_node < 0)
    return FALSE;
  choose_row_length (self, width, free_height);
  plan = plg_canvas_plan (self);
  plg_canvas_center_rect (self, solo_rect (self, plan), solo_zoom (self, plan, width, free_height),
                          width, free_height);
  return TRUE;
}

void
plg_canvas_snapshot_solo_node (PlgCanvas *self, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  PlgColor background = self->theme.role[PLG_ROLE_BACKGROUND];
  GdkRGBA color = { background.red, background.green, background.blue, DIM_ALPHA };
  PlgRect rect;
  double left, top, right, bottom;

  if (self->solo_node < 0)
    return;
  rect = solo_rect (self, plg_canvas_plan (self));
  plg_canvas_to_widget (self, rect.x, rect.y, &left, &top);
  plg_canvas_to_widget (self, rect.x + rect.width, rect.y + rect.height, &right, &bottom);
  left = CLAMP (left - 2, 0, width);
  right = CLAMP (right + 2, 0, width);
  top = CLAMP (top - 2, 0, height);
  bottom = CLAMP (bottom + 2, 0, height);
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (0, 0, width, top));
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (0, bottom, width, height - bottom));
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (0, top, left, bottom - top));
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (right, top, width - right, bottom - top));
}

/* Arrows that leave the node take the canvas along. */
void
plg_canvas_follow_solo_node (PlgCanvas *self, int gpu)
{
  if (self->solo_node < 0)
    return;
  self->solo_node = gpu / plg_canvas_plan (self)->cluster.gpus_per_node;
  self->fit = TRUE;
}

int
plg_canvas_get_solo_node (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);
  return self->solo_node;
}

void
plg_canvas_show_solo_node (PlgCanvas *self, int node)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || node == self->solo_node || node >= nodes (self))
    return;
  if (self->solo_node < 0)
    self->view_before_solo = plg_canvas_save_view (self);
  self->solo_node = node;
  self->fit = TRUE;
  if (node < 0)
    plg_canvas_restore_view (self, self->view_before_solo);
  plg_canvas_invalidate (self);
}

int
plg_canvas_node_at (PlgCanvas *self, double x, double y)
{
  PlgPoint point;

  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);

  if (self->document == NULL || x < 0 || y < 0 || x >= gtk_widget_get_width (GTK_WIDGET (self)) ||
      y >= plg_canvas_free_height (self))
    return -1;
  point = plg_canvas_to_figure (self, x, y);
  return plg_cluster_gpu_near (plg_canvas_plan (self), point.x, point.y) /
         plg_canvas_plan (self)->cluster.gpus_per_node;
}

int
plg_canvas_focused_node (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);

  return self->document != NULL ? self->focused / plg_canvas_plan (self)->cluster.gpus_per_node
                                : -1;
}

void
plg_canvas_set_frame_click_zooms (PlgCanvas *self, gboolean frame_click_zooms)
{
  g_return_if_fail (PLG_IS_CANVAS (self));
  self->frame_click_zooms = frame_click_zooms;
}

gboolean
plg_canvas_is_dragging (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), FALSE);
  return self->drag != NULL;
}
