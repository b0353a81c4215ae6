/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the figure lies in the canvas: zoom, origin and fit, and the widgets that lie over what
 * the figure shows. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"
#include "widgets/canvas/edge-handle.h"
#include "widgets/widget-theme.h"

#include <math.h>

#define MARGIN 16.0
/* What a figure without a legend has below the cluster, in points. */
#define BOTTOM_MARGIN 10.0
/* A small plan is not blown up beyond this when it is fitted to a large window. */
#define MAX_FIT_ZOOM 2.5
/* So much more than what is seen is in the figure on each side, so that moving a little needs no
 * other one: a share of what is seen, or in pixels, whichever is more. With twice the share there
 * were half as many, each so large that panning stuttered. */
#define MARGIN_AROUND_VIEW 0.25
#define MIN_MARGIN_AROUND_VIEW 320.0
/* To so many GPUs the figure is always one of all of them. */
#define MAX_WHOLE_FIGURE 512
/* Above and below what is fitted to the canvas. Below there is room for the names of pins, always,
 * for a pin must not move what it is on. */
#define LABEL_SPACE_ABOVE 8.0
#define LABEL_SPACE_BELOW 28.0

/* The figure ------------------------------------------------------------------------------------
 */

/* What is seen, in points. */
static PlgRect
visible_rect (PlgCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PlgPoint from = plg_canvas_to_figure (self, 0, 0);

  return (PlgRect) { from.x, from.y, gtk_widget_get_width (widget) / self->zoom,
                     plg_canvas_free_height (self) / self->zoom };
}

static gboolean
contains (PlgRect outer, PlgRect inner)
{
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

/* What is seen and some around it. Nothing, which means all, where the plan is small or so far away
 * that all is seen. */
static PlgRect
wanted_part (PlgCanvas *self)
{
  PlgRect part = visible_rect (self);
  double aside = MAX (MARGIN_AROUND_VIEW * part.width, MIN_MARGIN_AROUND_VIEW / self->zoom);
  double above = MAX (MARGIN_AROUND_VIEW * part.height, MIN_MARGIN_AROUND_VIEW / self->zoom);

  if ((self->fit && self->solo_node < 0) ||
      plg_cluster_gpus (&plg_canvas_plan (self)->cluster) <= MAX_WHOLE_FIGURE)
    return (PlgRect) { 0 };
  return (PlgRect) { part.x - aside, part.y - above, part.width + 2 * aside,
                     part.height + 2 * above };
}

/* Where nothing of what is lit is in sight, all that is would fade for no reason to be seen. */
static gboolean
shows_highlight (PlgCanvas *self)
{
  PlgPictureOptions options;

  if (self->fit && self->solo_node < 0)
    return TRUE;
  plg_canvas_get_options (self, &options);
  return plg_cluster_is_highlighted_in (plg_canvas_plan (self),
                                        plg_document_report (self->document), &options,
                                        visible_rect (self));
}

/* The zoom that the figure is made for. Texts of a given size need one for each. */
static double
wanted_zoom (PlgCanvas *self)
{
  return self->min_text_size > 0 ? self->zoom : plg_cluster_layout_zoom_step (self->zoom);
}

static gboolean
is_figure_right (PlgCanvas *self)
{
  return self->figure != NULL && wanted_zoom (self) == self->figure_zoom &&
         self->figure_has_highlight == shows_highlight (self) &&
         (self->figure_part.width <= 0 || contains (self->figure_part, visible_rect (self)));
}

void
plg_canvas_ensure_figure (PlgCanvas *self)
{
  PlgPictureOptions options;

  if (self->document == NULL || is_figure_right (self))
    return;
  g_clear_pointer (&self->figure, plg_figure_unref);
  plg_widget_theme_init (self->palette, &self->theme);
  plg_canvas_get_options (self, &options);
  self->figure_zoom = wanted_zoom (self);
  self->figure_part = wanted_part (self);
  options.legend = PLG_LEGEND_OFF;
  self->figure_has_highlight = shows_highlight (self);
  if (!self->figure_has_highlight)
    options.n_highlighted = options.n_pins = 0;
  options.without_ids = TRUE;
  options.zoom = self->zoom;
  options.visible = self->figure_part;
  self->figure = plg_cluster_figure (plg_canvas_plan (self), plg_document_report (self->document),
                                     &self->theme, &options);
  self->n_layouts++;
}

/* The view ------------------------------------------------------------------------------------- */

PlgPoint
plg_canvas_to_figure (PlgCanvas *self, double widget_x, double widget_y)
{
  return (PlgPoint) { (widget_x - self->origin.x) / self->zoom,
                      (widget_y - self->origin.y) / self->zoom };
}

void
plg_canvas_to_widget (PlgCanvas *self, double x, double y, double *widget_x, double *widget_y)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  *widget_x = x * self->zoom + self->origin.x;
  *widget_y = y * self->zoom + self->origin.y;
}

static gboolean
notify_zoom_cb (gpointer data)
{
  PlgCanvas *self = data;

  self->notify_idle_id = 0;
  g_object_notify (G_OBJECT (self), "zoom");
  g_object_notify (G_OBJECT (self), "zoom-text");
  g_object_notify (G_OBJECT (self), "legend-height");
  return G_SOURCE_REMOVE;
}

/* It may have changed during an allocation, when a label that shows it must not ask for another
 * size. */
void
plg_canvas_queue_notify (PlgCanvas *self)
{
  if (self->notify_idle_id == 0)
    self->notify_idle_id = g_idle_add (notify_zoom_cb, self);
}

static void
set_zoom_value (PlgCanvas *self, double zoom)
{
  if (zoom == self->zoom)
    return;
  self->zoom = zoom;
  plg_canvas_queue_notify (self);
}

void
plg_canvas_center_rect (PlgCanvas *self, PlgRect rect, double zoom, int width, int free_height)
{
  set_zoom_value (self, CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, PLG_CANVAS_MAX_ZOOM));
  self->origin.x = round (width / 2.0 - (rect.x + rect.width / 2) * self->zoom);
  self->origin.y = round (free_height / 2.0 - (rect.y + rect.height / 2) * self->zoom);
}

/* The zoom at which SIZE fits WIDTH x HEIGHT pixels. */
static double
fitting_zoom (double figure_width, double figure_height, int width, int height)
{
  double zoom = MIN ((width - 2 * MARGIN) / figure_width,
                     (height - LABEL_SPACE_ABOVE - LABEL_SPACE_BELOW) / figure_height);

  return CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, MAX_FIT_ZOOM);
}

/* A figure is made for a zoom, and the zoom that fits depends on the figure's size, which is known
 * before, so that one figure is enough. */
static void
fit_before_layout (PlgCanvas *self, int width, int height)
{
  PlgClusterLayout layout;

  if (self->document == NULL || self->figure != NULL)
    return;
  layout = plg_cluster_layout_on_screen (plg_canvas_plan (self), 1);
  set_zoom_value (self, fitting_zoom (layout.width, layout.height + BOTTOM_MARGIN, width, height));
}

static void
fit_view (PlgCanvas *self, int width, int height)
{
  double figure_width = plg_figure_width (self->figure);
  double figure_height = plg_figure_height (self->figure);

  set_zoom_value (self, fitting_zoom (figure_width, figure_height, width, height));
  self->origin.x = round ((width - figure_width * self->zoom) / 2);
  self->origin.y = round (MAX (LABEL_SPACE_ABOVE,
                               MIN ((height - figure_height * self->zoom) / 2,
                                    height - LABEL_SPACE_BELOW - figure_height * self->zoom)));
}

/* Some of the figure always stays in sight. */
static void
keep_in_sight (PlgCanvas *self, int width, int height)
{
  double figure_width = plg_figure_width (self->figure) * self->zoom;
  double figure_height = plg_figure_height (self->figure) * self->zoom;
  double keep = 64;

  self->origin.x = CLAMP (self->origin.x, keep - figure_width,
                          MAX (width - keep, keep - figure_width));
  self->origin.y = CLAMP (self->origin.y, keep - figure_height,
                          MAX (height - keep, keep - figure_height));
}

void
plg_canvas_fit (PlgCanvas *self)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  self->fit = TRUE;
  self->solo_node = -1;
  plg_canvas_invalidate_view (self);
}

PlgCanvasView
plg_canvas_save_view (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), (PlgCanvasView) { .fit = TRUE });
  return (PlgCanvasView) { self->fit, self->zoom, self->origin };
}

void
plg_canvas_restore_view (PlgCanvas *self, PlgCanvasView view)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  self->fit = view.fit;
  set_zoom_value (self, view.zoom);
  self->origin = view.origin;
  plg_canvas_invalidate_view (self);
}

static void
zoom_around (PlgCanvas *self, double zoom, double x, double y)
{
  PlgPoint fixed = plg_canvas_to_figure (self, x, y);

  self->fit = FALSE;
  set_zoom_value (self, CLAMP (zoom, PLG_CANVAS_MIN_ZOOM, PLG_CANVAS_MAX_ZOOM));
  self->origin.x = x - fixed.x * self->zoom;
  self->origin.y = y - fixed.y * self->zoom;
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_zoom_by (PlgCanvas *self, double factor)
{
  g_return_if_fail (PLG_IS_CANVAS (self));
  plg_canvas_set_zoom (self, self->zoom * factor);
}

void
plg_canvas_set_zoom (PlgCanvas *self, double zoom)
{
  PlgPoint fixed;

  g_return_if_fail (PLG_IS_CANVAS (self));
  fixed = plg_canvas_zoom_center (self);
  zoom_around (self, zoom, fixed.x, fixed.y);
}

double
plg_canvas_get_zoom (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), 1);
  return self->zoom;
}

/* Geometry ------------------------------------------------------------------------------------- */

void
plg_canvas_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : 240;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 820 : 640;
}

void
plg_canvas_allocate_on_figure (PlgCanvas *self, GtkWidget *child, PlgRect rect)
{
  GtkAllocation allocation;
  double x, y;

  plg_canvas_to_widget (self, rect.x, rect.y, &x, &y);
  allocation.x = floor (x);
  allocation.y = floor (y);
  allocation.width = MAX (1, ceil (rect.width * self->zoom));
  allocation.height = MAX (1, ceil (rect.height * self->zoom));
  gtk_widget_size_allocate (child, &allocation, -1);
}

static const PlgShape *
find_handle (PlgCanvas *self, PlgAxis axis)
{
  int n = plg_figure_n_shapes (self->figure);

  for (int i = 0; i < n; i++)
    {
      const PlgShape *shape = plg_figure_shape (self->figure, i);
      if (shape->entity.kind == PLG_ENTITY_HANDLE && shape->entity.axis == axis)
        return shape;
    }
  return NULL;
}

/* On the first grip of each axis that has one. */
static void
allocate_edges (PlgCanvas *self)
{
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      const PlgShape *handle = find_handle (self, axis);
      gtk_widget_set_child_visible (self->edges[axis], handle != NULL);
      plg_edge_handle_set_present (PLG_EDGE_HANDLE (self->edges[axis]), handle != NULL);
      if (handle != NULL)
        plg_canvas_allocate_on_figure (self, self->edges[axis], handle->rect);
    }
}

/* Beside the pointer where there is room, so that the finger or the pointer hides nothing. */
static void
allocate_drag_label (PlgCanvas *self, int width, int height)
{
  GtkWidget *label = GTK_WIDGET (self->drag_label);
  GtkRequisition size;
  GtkAllocation allocation;

  if (!gtk_widget_should_layout (label))
    return;
  gtk_widget_get_preferred_size (label, NULL, &size);
  allocation.width = MIN (size.width, MAX (width - 16, 1));
  allocation.height = size.height;
  allocation.x = self->pointer.x + 24;
  if (allocation.x + allocation.width > width - 8)
    allocation.x = self->pointer.x - 24 - allocation.width;
  /* The pointer may have left the canvas; what the drag does is told all the same. */
  allocation.x = CLAMP (allocation.x, 8, MAX (8, width - 8 - allocation.width));
  allocation.y = CLAMP (self->pointer.y + 16, 8, MAX (8, height - 8 - allocation.height));
  gtk_widget_size_allocate (label, &allocation, -1);
}

/* At the zoom that fits, the legend may say something else than before, on more lines. What of
 * HEIGHT is left above it. */
static int
fit_above_legend (PlgCanvas *self, int width, int height)
{
  int free_height = plg_canvas_free_height_of (self, height), before;

  for (int i = 0; i < 2; i++)
    {
      before = free_height;
      fit_view (self, width, free_height);
      plg_canvas_ensure_legend (self, width);
      free_height = plg_canvas_free_height_of (self, height);
      if (free_height == before)
        break;
    }
  return free_height;
}

void
plg_canvas_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  /* What is under the pointer must stay there while it drags. */
  gboolean fits = self->fit && self->drag == NULL;
  gboolean solo_node;
  int free_height;

  plg_canvas_ensure_legend (self, width);
  free_height = plg_canvas_free_height_of (self, height);
  solo_node = fits && plg_canvas_fit_solo_node (self, width, free_height);
  if (fits && !solo_node)
    fit_before_layout (self, width, free_height);
  plg_canvas_ensure_figure (self);
  if (self->figure == NULL)
    return;
  if (fits && !solo_node)
    free_height = fit_above_legend (self, width, height);
  else
    keep_in_sight (self, width, free_height);
  plg_canvas_ensure_legend (self, width);
  plg_canvas_allocate_cells (self);
  allocate_edges (self);
  allocate_drag_label (self, width, height);
  plg_canvas_allocate_map (self, width, free_height);
  if (self->popover != NULL)
    gtk_popover_present (GTK_POPOVER (self->popover));
}

void
plg_canvas_get_view (PlgCanvas *self, PlgRect *view)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PlgPoint from, to;
  double width, height;

  g_return_if_fail (PLG_IS_CANVAS (self));

  *view = (PlgRect) { 0, 0, 0, 0 };
  plg_canvas_ensure_figure (self);
  if (self->figure == NULL || gtk_widget_get_width (widget) <= 0)
    return;
  width = plg_figure_width (self->figure);
  height = plg_figure_height (self->figure);
  from = plg_canvas_to_figure (self, 0, 0);
  to = plg_canvas_to_figure (self, gtk_widget_get_width (widget), plg_canvas_free_height (self));
  /* Whole points, so that it can be told in words. */
  from = (PlgPoint) { MAX (floor (from.x), 0), MAX (floor (from.y), 0) };
  to = (PlgPoint) { MIN (ceil (to.x), width), MIN (ceil (to.y), height) };
  if ((from.x > 0 || from.y > 0 || to.x < width || to.y < height) && to.x >= from.x + 1 &&
      to.y >= from.y + 1)
    *view = (PlgRect) { from.x, from.y, to.x - from.x, to.y - from.y };
}
