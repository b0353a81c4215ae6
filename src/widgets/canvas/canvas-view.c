/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The position of the figure in the canvas: zoom, origin and fit. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"

#include <math.h>

#define MARGIN 16.0
/* The space below the cluster in a figure without a legend [points]. */
#define BOTTOM_MARGIN 10.0
/* The maximum zoom at which a small plan is fitted into the canvas. */
#define MAX_FIT_ZOOM 2.5
/* The space above and below a fitted cluster [pixels]. The space below always has room for the
 * labels of pins, so that a new pin does not move the cluster. */
#define LABEL_SPACE_ABOVE 8.0
#define LABEL_SPACE_BELOW 28.0
/* The minimum width and height of the visible part of the figure [pixels]. */
#define MIN_VISIBLE 64.0
#define MARK_MILLISECONDS 1800

void
plg_canvas_init_view (PlgCanvas *self)
{
  self->view.zoom = 1;
  self->view.is_fitted = TRUE;
  self->view.solo_node = -1;
}

void
plg_canvas_dispose_view (PlgCanvas *self)
{
  g_clear_handle_id (&self->view.notify_idle_id, g_source_remove);
  g_clear_handle_id (&self->view.mark_timeout_id, g_source_remove);
}

PlgPoint
plg_canvas_origin (PlgCanvas *self)
{
  return self->view.origin;
}

gboolean
plg_canvas_is_fitted (PlgCanvas *self)
{
  return self->view.is_fitted;
}

double
plg_canvas_get_zoom (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), 1);
  return self->view.zoom;
}

const PlgPlan *
plg_canvas_plan (PlgCanvas *self)
{
  return plg_document_plan (self->document);
}

int
plg_canvas_row_gpus (PlgCanvas *self)
{
  return self->view.solo_node < 0 ? 0 : self->view.solo_row_gpus;
}

PlgClusterLayout
plg_canvas_layout (PlgCanvas *self, double zoom)
{
  return plg_cluster_layout_with_rows (plg_canvas_plan (self), zoom, 0, 0,
                                       plg_canvas_row_gpus (self));
}

PlgRect
plg_canvas_gpu_rect (PlgCanvas *self, int gpu)
{
  PlgClusterLayout layout = plg_canvas_layout (self, 1);

  return plg_cluster_layout_gpu (&layout, gpu);
}

PlgRect
plg_canvas_node_rect (PlgCanvas *self, int node)
{
  PlgClusterLayout layout = plg_canvas_layout (self, 1);

  return plg_cluster_layout_node (&layout, node);
}

int
plg_canvas_rank_of_gpu (PlgCanvas *self, int gpu)
{
  return plg_placement_rank (&plg_document_plan (self->document)->placement, gpu);
}

/* Zoom and origin ------------------------------------------------------------------------------ */

void
plg_canvas_invalidate_view (PlgCanvas *self)
{
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
notify_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->view.notify_idle_id = 0;
  g_object_notify (G_OBJECT (self), "zoom");
  g_object_notify (G_OBJECT (self), "zoom-text");
  g_object_notify (G_OBJECT (self), "legend-height");
  return G_SOURCE_REMOVE;
}

void
plg_canvas_queue_notify (PlgCanvas *self)
{
  if (self->view.notify_idle_id == 0)
    self->view.notify_idle_id = g_idle_add (notify_cb, self);
}

static void
view_set_zoom (PlgCanvas *self, double zoom)
{
  if (zoom == self->view.zoom)
    return;
  self->view.zoom = zoom;
  plg_canvas_queue_notify (self);
}

void
plg_canvas_set_origin (PlgCanvas *self, PlgPoint origin)
{
  self->view.is_fitted = FALSE;
  self->view.origin = origin;
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_zoom_around (PlgCanvas *self, double zoom, double x, double y)
{
  PlgPoint fixed = plg_canvas_to_figure (self, x, y);

  view_set_zoom (self, CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, PLG_CANVAS_MAX_ZOOM));
  plg_canvas_set_origin (self, (PlgPoint) { x - fixed.x * self->view.zoom,
                                            y - fixed.y * self->view.zoom });
}

void
plg_canvas_fit (PlgCanvas *self)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  self->view.is_fitted = TRUE;
  self->view.solo_node = -1;
  plg_canvas_invalidate_view (self);
}

PlgCanvasView
plg_canvas_save_view (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), (PlgCanvasView) { .fit = TRUE });
  return (PlgCanvasView) { self->view.is_fitted, self->view.zoom, self->view.origin };
}

void
plg_canvas_restore_view (PlgCanvas *self, PlgCanvasView view)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  self->view.is_fitted = view.fit;
  view_set_zoom (self, view.zoom);
  self->view.origin = view.origin;
  plg_canvas_invalidate_view (self);
}

/* Coordinates ---------------------------------------------------------------------------------- */

PlgPoint
plg_canvas_to_figure (PlgCanvas *self, double widget_x, double widget_y)
{
  return (PlgPoint) { (widget_x - self->view.origin.x) / self->view.zoom,
                      (widget_y - self->view.origin.y) / self->view.zoom };
}

void
plg_canvas_to_widget (PlgCanvas *self, double x, double y, double *widget_x, double *widget_y)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  *widget_x = x * self->view.zoom + self->view.origin.x;
  *widget_y = y * self->view.zoom + self->view.origin.y;
}

PlgPoint
plg_canvas_point_of_gpu (PlgCanvas *self, int gpu)
{
  PlgRect rect = plg_canvas_gpu_rect (self, gpu);
  PlgPoint point;

  plg_canvas_to_widget (self, rect.x + rect.width / 2, rect.y + rect.height, &point.x, &point.y);
  return point;
}

int
plg_canvas_gpu_near (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);
  PlgClusterLayout layout = plg_canvas_layout (self, 1);

  return plg_cluster_layout_gpu_near (&layout, point.x, point.y);
}

void
plg_canvas_allocate_on_figure (PlgCanvas *self, GtkWidget *child, PlgRect rect)
{
  GtkAllocation allocation;
  double x, y;

  plg_canvas_to_widget (self, rect.x, rect.y, &x, &y);
  allocation.x = floor (x);
  allocation.y = floor (y);
  allocation.width = MAX (1, ceil (rect.width * self->view.zoom));
  allocation.height = MAX (1, ceil (rect.height * self->view.zoom));
  gtk_widget_size_allocate (child, &allocation, -1);
}

/* Allocation ----------------------------------------------------------------------------------- */

void
plg_canvas_center_rect (PlgCanvas *self, PlgRect rect, double zoom, int width, int height)
{
  view_set_zoom (self, CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, PLG_CANVAS_MAX_ZOOM));
  self->view.origin.x = round (width / 2.0 - (rect.x + rect.width / 2) * self->view.zoom);
  self->view.origin.y = round (height / 2.0 - (rect.y + rect.height / 2) * self->view.zoom);
}

static void
view_fit_size (PlgCanvas *self, double figure_width, double figure_height, int width, int height)
{
  double zoom = MIN ((width - 2 * MARGIN) / figure_width,
                     (height - LABEL_SPACE_ABOVE - LABEL_SPACE_BELOW) / figure_height);

  view_set_zoom (self, CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, MAX_FIT_ZOOM));
}

/* Sets the zoom before the figure exists, so that the figure is laid out only once. The zoom
 * depends on the size of the figure, which is computed from the layout of the cluster. */
void
plg_canvas_fit_layout (PlgCanvas *self, int width, int height)
{
  PlgClusterLayout layout = plg_canvas_layout (self, 1);

  view_fit_size (self, layout.width, layout.height + BOTTOM_MARGIN, width, height);
}

void
plg_canvas_fit_figure (PlgCanvas *self, const PlgFigure *figure, int width, int height)
{
  double figure_width = plg_figure_width (figure), figure_height = plg_figure_height (figure);

  view_fit_size (self, figure_width, figure_height, width, height);
  figure_width *= self->view.zoom;
  figure_height *= self->view.zoom;
  self->view.origin.x = round ((width - figure_width) / 2);
  self->view.origin.y = round (MAX (LABEL_SPACE_ABOVE,
                                    MIN ((height - figure_height) / 2,
                                         height - LABEL_SPACE_BELOW - figure_height)));
}

void
plg_canvas_keep_in_sight (PlgCanvas *self, const PlgFigure *figure, int width, int height)
{
  double left = MIN_VISIBLE - plg_figure_width (figure) * self->view.zoom;
  double top = MIN_VISIBLE - plg_figure_height (figure) * self->view.zoom;

  self->view.origin.x = CLAMP (self->view.origin.x, left, MAX (width - MIN_VISIBLE, left));
  self->view.origin.y = CLAMP (self->view.origin.y, top, MAX (height - MIN_VISIBLE, top));
}

/* The mark of a search result ------------------------------------------------------------------ */

static gboolean
unmark_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->view.mark_timeout_id = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

void
plg_canvas_mark_rect (PlgCanvas *self, PlgRect rect)
{
  self->view.marked_rect = rect;
  g_clear_handle_id (&self->view.mark_timeout_id, g_source_remove);
  self->view.mark_timeout_id = g_timeout_add (MARK_MILLISECONDS, unmark_cb, self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
plg_canvas_get_marked_rect (PlgCanvas *self, PlgRect *rect)
{
  *rect = self->view.marked_rect;
  return self->view.mark_timeout_id != 0;
}
