/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The legend along the lower edge of the canvas. It is no part of the figure, for it is to be read
 * however far away the cluster is, and wherever one has moved in it. */

#include "widgets/canvas/canvas-private.h"

#include "widgets/widget-theme.h"

#include <math.h>

/* Of a very low canvas it takes no more than this share. */
#define MAX_HEIGHT_SHARE 0.4

void
plg_canvas_ensure_legend (PlgCanvas *self, int width)
{
  PlgPictureOptions options;
  int height = plg_canvas_legend_height (self);

  if (self->document == NULL || width <= 0 ||
      (self->legend != NULL && self->legend_zoom == self->zoom &&
       plg_figure_width (self->legend) == width))
    return;
  g_clear_pointer (&self->legend, plg_figure_unref);
  plg_widget_theme_init (self->palette, &self->theme);
  plg_canvas_get_options (self, &options);
  options.zoom = self->legend_zoom = self->zoom;
  options.shorten_legend = TRUE;
  self->legend = plg_cluster_legend_figure (plg_canvas_plan (self),
                                            plg_document_report (self->document), &self->theme,
                                            &options, width);
  if (height != plg_canvas_legend_height (self))
    plg_canvas_queue_notify (self);
}

int
plg_canvas_legend_height (PlgCanvas *self)
{
  return self->legend != NULL ? (int) ceil (plg_figure_height (self->legend)) : 0;
}

int
plg_canvas_free_height_of (PlgCanvas *self, int height)
{
  return MAX (height - MIN (plg_canvas_legend_height (self), (int) (height * MAX_HEIGHT_SHARE)), 1);
}

int
plg_canvas_free_height (PlgCanvas *self)
{
  return plg_canvas_free_height_of (self, gtk_widget_get_height (GTK_WIDGET (self)));
}

static GdkRGBA
rgba (PlgColor color)
{
  return (GdkRGBA) { color.red, color.green, color.blue, 1 };
}

/* It has no ground of its own: the window's, which no theme of ours knows, goes on below it. */
void
plg_canvas_snapshot_legend (PlgCanvas *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int width = gtk_widget_get_width (widget), top = plg_canvas_free_height (self);
  int height = gtk_widget_get_height (widget) - top;
  GdkRGBA line = rgba (self->theme.role[PLG_ROLE_CARD_BORDER]);

  if (self->legend == NULL || height <= 0)
    return;
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (0, top, width, 1));
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, top, width, height));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, top));
  plg_tiles_set_figure (self->legend_tiles, self->legend, &self->theme);
  plg_tiles_snapshot (self->legend_tiles, snapshot,
                      &(PlgTilesView) { 1,
                                        gtk_widget_get_scale_factor (widget),
                                        { 0, 0 },
                                        width,
                                        height,
                                        FALSE });
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
}

const PlgShape *
plg_canvas_legend_hit (PlgCanvas *self, double x, double y)
{
  return self->legend != NULL
             ? plg_figure_hit_test (self->legend, x, y - plg_canvas_free_height (self), 1)
             : NULL;
}

const PlgFigure *
plg_canvas_legend_figure (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), NULL);
  return self->legend;
}
