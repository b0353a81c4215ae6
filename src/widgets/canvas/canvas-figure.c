/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The layout of two figures: the cluster and the legend. The legend is a separate figure, so
 * that it stays readable and visible at every zoom. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"
#include "widgets/widget-theme.h"

/* A large plan's figure has a margin on each side of the visible part, so that a short pan can
 * reuse the figure. The margin is the fraction MARGIN_AROUND_VIEW of the visible width or
 * height, but at least MIN_MARGIN_AROUND_VIEW pixels. With twice the margin, a pan would need
 * half as many figures, but each figure would take so long to draw that the pan would stutter. */
#define MARGIN_AROUND_VIEW 0.25
#define MIN_MARGIN_AROUND_VIEW 320.0
/* In clusters of up to this many GPUs, the figure always shows the whole cluster. */
#define MAX_WHOLE_FIGURE 512
/* The pointer hits a link or a handle that is at most this far from the pointer [pixels]. */
#define HIT_MARGIN 5.0

void
plg_canvas_get_options (PlgCanvas *self, PlgPictureOptions *options)
{
  PlgHighlightModel *model;
  int outlined;

  g_return_if_fail (PLG_IS_CANVAS (self));

  plg_picture_options_init (options, plg_document_plan (self->document));
  options->legend = PLG_LEGEND_BELOW;
  options->handles = TRUE;
  options->row_gpus = plg_canvas_row_gpus (self);
  options->min_text_size = self->rendering.min_text_size;
  options->has_moment = plg_canvas_is_playing_step (self);
  options->moment = self->rendering.time;
  if (plg_canvas_is_dragging (self))
    {
      options->selected = plg_canvas_drag_entity (self);
      options->kept_scale = self->drag.report;
      return;
    }
  model = plg_document_highlight_model (self->document);
  options->highlighted = plg_highlight_model_entities (model, &options->n_highlighted,
                                                       &options->n_pins);
  outlined = plg_canvas_outlined (self);
  if (outlined >= 0)
    options->selected = (PlgEntity) { .kind = PLG_ENTITY_GPU, .index = outlined };
}

void
plg_canvas_ensure_figure (PlgCanvas *self)
{
  PlgCanvasRendering *rendering = &self->rendering;
  double zoom = plg_canvas_get_zoom (self);
  gboolean is_whole = plg_canvas_is_fitted (self) && plg_canvas_get_solo_node (self) < 0;
  PlgPoint corner = plg_canvas_to_figure (self, 0, 0);
  PlgRect visible = { corner.x, corner.y, gtk_widget_get_width (GTK_WIDGET (self)) / zoom,
                      plg_canvas_free_height (self) / zoom };
  PlgRect *part = &rendering->figure_part;
  PlgPictureOptions options;
  double figure_zoom, margin_x, margin_y;
  gboolean has_highlight;

  if (self->document == NULL)
    return;
  /* Text with a minimum size on screen has a different size in the figure at each zoom, so each
   * zoom needs a new figure. */
  figure_zoom = rendering->min_text_size > 0 ? zoom : plg_cluster_layout_zoom_step (zoom);
  plg_canvas_get_options (self, &options);
  /* Entities are dimmed only while a highlighted entity is visible, so that the user can see the
   * reason for the dimming. */
  has_highlight = is_whole || plg_cluster_is_highlighted_in (plg_canvas_plan (self),
                                                             plg_document_report (self->document),
                                                             &options, visible);
  if (rendering->figure != NULL && figure_zoom == rendering->figure_zoom &&
      has_highlight == rendering->figure_has_highlight &&
      (part->width <= 0 || (visible.x >= part->x && visible.y >= part->y &&
                            visible.x + visible.width <= part->x + part->width &&
                            visible.y + visible.height <= part->y + part->height)))
    return;

  g_clear_pointer (&rendering->figure, plg_figure_unref);
  plg_widget_theme_init (rendering->palette, &rendering->theme);
  margin_x = MAX (MARGIN_AROUND_VIEW * visible.width, MIN_MARGIN_AROUND_VIEW / zoom);
  margin_y = MAX (MARGIN_AROUND_VIEW * visible.height, MIN_MARGIN_AROUND_VIEW / zoom);
  *part = (PlgRect) { 0 };
  if (!is_whole && plg_cluster_gpus (&plg_canvas_plan (self)->cluster) > MAX_WHOLE_FIGURE)
    *part = (PlgRect) { visible.x - margin_x, visible.y - margin_y, visible.width + 2 * margin_x,
                        visible.height + 2 * margin_y };
  rendering->figure_zoom = figure_zoom;
  rendering->figure_has_highlight = has_highlight;
  if (!has_highlight)
    options.n_highlighted = options.n_pins = 0;
  options.legend = PLG_LEGEND_OFF;
  options.without_ids = TRUE;
  options.zoom = zoom;
  options.visible = *part;
  rendering->figure = plg_cluster_figure (plg_canvas_plan (self),
                                          plg_document_report (self->document), &rendering->theme,
                                          &options);
  rendering->n_layouts++;
}

const PlgFigure *
plg_canvas_figure (PlgCanvas *self)
{
  plg_canvas_ensure_figure (self);
  return self->rendering.figure;
}

void
plg_canvas_ensure_legend (PlgCanvas *self, int width)
{
  PlgCanvasRendering *rendering = &self->rendering;
  double zoom = plg_canvas_get_zoom (self);
  int height = plg_canvas_legend_height (self);
  PlgPictureOptions options;

  if (self->document == NULL || width <= 0 ||
      (rendering->legend != NULL && rendering->legend_zoom == zoom &&
       plg_figure_width (rendering->legend) == width))
    return;
  g_clear_pointer (&rendering->legend, plg_figure_unref);
  plg_widget_theme_init (rendering->palette, &rendering->theme);
  plg_canvas_get_options (self, &options);
  options.zoom = rendering->legend_zoom = zoom;
  options.shorten_legend = TRUE;
  rendering->legend = plg_cluster_legend_figure (plg_canvas_plan (self),
                                                 plg_document_report (self->document),
                                                 &rendering->theme, &options, width);
  if (height != plg_canvas_legend_height (self))
    plg_canvas_queue_notify (self);
}

PlgEntity
plg_canvas_entity_at (PlgCanvas *self, double x, double y)
{
  PlgPoint point = plg_canvas_to_figure (self, x, y);
  int free_height = plg_canvas_free_height (self);
  const PlgShape *shape = NULL;

  plg_canvas_ensure_figure (self);
  if (y < free_height && self->rendering.figure != NULL)
    shape = plg_figure_hit_test (self->rendering.figure, point.x, point.y,
                                 HIT_MARGIN / plg_canvas_get_zoom (self));
  else if (y >= free_height && self->rendering.legend != NULL)
    shape = plg_figure_hit_test (self->rendering.legend, x, y - free_height, 1);
  return shape != NULL ? shape->entity : (PlgEntity) { .kind = PLG_ENTITY_NONE };
}
