/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One node as large as the canvas, and nothing beside it: for who explains what is inside. A row of
 * GPUs is as wide as the canvas already, so the row is folded into as many as fill it best. */

#include "widgets/canvas-private.h"

#include "drawing/grid-layout.h"

/* Of the room that there is. */
#define FILLED 0.97
/* Points above the card, where the name of a group stands. */
#define TAG 14
/* What is not the node is hardly there. */
#define FADED 0.94

const PlgPlan *
plg_canvas_plan (PlgCanvas *self)
{
  int row_gpus = self->folded.view.row_gpus;

  if (self->alone < 0)
    return plg_document_plan (self->document);
  self->folded = *plg_document_plan (self->document);
  self->folded.view.row_gpus = row_gpus;
  return &self->folded;
}

static int
nodes (PlgCanvas *self)
{
  return plg_canvas_plan (self)->cluster.nodes;
}

/* The card of the node with its name beside it. */
static PlgRect
rect_of (PlgCanvas *self, const PlgPlan *plan)
{
  PlgGridLayout layout = plg_grid_layout_on_screen (plan, self->zoom);
  PlgRect rect = plg_grid_node_rect (plan, self->alone);

  rect.x -= layout.label_width;
  rect.width += layout.label_width;
  rect.y -= TAG;
  rect.height += TAG;
  return rect;
}

/* The zoom at which the node of PLAN fills WIDTH x ROOM pixels. */
static double
zoom_of (PlgCanvas *self, const PlgPlan *plan, int width, int room)
{
  PlgRect rect = rect_of (self, plan);

  return MIN (width * FILLED / rect.width, room * FILLED / rect.height);
}

/* Into rows of equal length, of the length with which the node is seen largest. */
static void
fold (PlgCanvas *self, int width, int room)
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
      zoom = zoom_of (self, &plan, width, room);
      if (zoom > largest)
        {
          largest = zoom;
          best = length;
        }
    }
  if (best == self->folded.view.row_gpus)
    return;
  self->folded.view.row_gpus = best;
  g_clear_pointer (&self->figure, plg_figure_unref);
  self->is_changed = TRUE;
}

gboolean
plg_canvas_fit_alone (PlgCanvas *self, int width, int room)
{
  const PlgPlan *plan;

  if (self->document == NULL || self->alone >= nodes (self))
    self->alone = -1;
  if (self->alone < 0)
    return FALSE;
  fold (self, width, room);
  plan = plg_canvas_plan (self);
  plg_canvas_look_at (self, rect_of (self, plan), zoom_of (self, plan, width, room), width, room);
  return TRUE;
}

void
plg_canvas_snapshot_alone (PlgCanvas *self, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  PlgColor background = self->theme.role[PLG_ROLE_BACKGROUND];
  GdkRGBA color = { background.red, background.green, background.blue, FADED };
  PlgRect rect;
  double left, top, right, bottom;

  if (self->alone < 0)
    return;
  rect = rect_of (self, plg_canvas_plan (self));
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
plg_canvas_follow_alone (PlgCanvas *self, int gpu)
{
  if (self->alone < 0)
    return;
  self->alone = gpu / plg_canvas_plan (self)->cluster.gpus_per_node;
  self->fit = TRUE;
}

int
plg_canvas_get_alone (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);
  return self->alone;
}

void
plg_canvas_show_alone (PlgCanvas *self, int node)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (self->document == NULL || node == self->alone || node >= nodes (self))
    return;
  if (self->alone < 0)
    self->before_alone = plg_canvas_keep_view (self);
  self->alone = node;
  self->fit = TRUE;
  if (node < 0)
    plg_canvas_restore_view (self, self->before_alone);
  plg_canvas_invalidate (self);
}

int
plg_canvas_node_at (PlgCanvas *self, double x, double y)
{
  PlgPoint point;

  g_return_val_if_fail (PLG_IS_CANVAS (self), -1);

  if (self->document == NULL || x < 0 || y < 0 || x >= gtk_widget_get_width (GTK_WIDGET (self)) ||
      y >= plg_canvas_room (self))
    return -1;
  point = plg_canvas_to_figure (self, x, y);
  return plg_grid_gpu_near (plg_canvas_plan (self), point.x, point.y) /
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
plg_canvas_set_frames_zoom (PlgCanvas *self, gboolean frames_zoom)
{
  g_return_if_fail (PLG_IS_CANVAS (self));
  self->frames_zoom = frames_zoom;
}

gboolean
plg_canvas_is_dragging (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), FALSE);
  return self->drag != NULL;
}
