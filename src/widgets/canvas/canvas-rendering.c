/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Discards and queries the figures of the canvas. canvas-figure.c creates these figures. */

#include "widgets/canvas/canvas-private.h"

#include "widgets/widget-theme.h"

#include <math.h>

/* The maximum number of paint threads. More threads would only wait for memory. */
#define MAX_PAINT_THREADS 4
/* The maximum height of the legend as a fraction of the canvas height. */
#define MAX_LEGEND_SHARE 0.4

void
plg_canvas_init_rendering (PlgCanvas *self)
{
  self->rendering.tiles = plg_tiles_new (MAX_PAINT_THREADS);
  self->rendering.legend_tiles = plg_tiles_new (1);
  self->rendering.time = -1;
}

void
plg_canvas_dispose_rendering (PlgCanvas *self)
{
  GtkWidget *minimap = GTK_WIDGET (self->rendering.minimap);

  g_clear_handle_id (&self->rendering.minimap_timeout_id, g_source_remove);
  g_clear_pointer (&self->rendering.step_snapshot, plg_snapshot_free);
  self->rendering.minimap = NULL;
  g_clear_pointer (&minimap, gtk_widget_unparent);
  g_clear_pointer (&self->rendering.figure, plg_figure_unref);
  g_clear_pointer (&self->rendering.legend, plg_figure_unref);
}

void
plg_canvas_finalize_rendering (PlgCanvas *self)
{
  plg_tiles_free (self->rendering.tiles);
  plg_tiles_free (self->rendering.legend_tiles);
  g_free (self->rendering.palette);
}

void
plg_canvas_drop_figure (PlgCanvas *self)
{
  g_clear_pointer (&self->rendering.figure, plg_figure_unref);
  self->rendering.is_figure_changed = TRUE;
}

gboolean
plg_canvas_has_figure (PlgCanvas *self)
{
  return self->rendering.figure != NULL;
}

void
plg_canvas_invalidate (PlgCanvas *self)
{
  plg_canvas_drop_figure (self);
  self->rendering.legend_zoom = 0;
  plg_canvas_invalidate_view (self);
}

void
plg_canvas_invalidate_figure (PlgCanvas *self)
{
  plg_canvas_drop_figure (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_canvas_update_theme (PlgCanvas *self)
{
  self->rendering.has_minimap_figure = FALSE;
  plg_canvas_invalidate (self);
}

const char *
plg_canvas_palette (PlgCanvas *self)
{
  return self->rendering.palette;
}

void
plg_canvas_set_palette (PlgCanvas *self, const char *palette)
{
  if (g_strcmp0 (palette, self->rendering.palette) == 0)
    return;
  g_free (self->rendering.palette);
  self->rendering.palette = g_strdup (palette);
  plg_canvas_update_theme (self);
  g_object_notify (G_OBJECT (self), "palette");
}

PlgPalette
plg_canvas_get_palette (PlgCanvas *self)
{
  PlgTheme theme;

  g_return_val_if_fail (PLG_IS_CANVAS (self), PLG_PALETTE_LIGHT);
  plg_widget_theme_init (self->rendering.palette, &theme);
  return theme.palette;
}

double
plg_canvas_min_text_size (PlgCanvas *self)
{
  return self->rendering.min_text_size;
}

void
plg_canvas_set_min_text_size (PlgCanvas *self, double pixels)
{
  g_return_if_fail (PLG_IS_CANVAS (self));

  if (pixels == self->rendering.min_text_size)
    return;
  self->rendering.min_text_size = pixels;
  plg_canvas_invalidate (self);
}

int
plg_canvas_legend_height (PlgCanvas *self)
{
  const PlgFigure *legend = self->rendering.legend;

  return legend != NULL ? (int) ceil (plg_figure_height (legend)) : 0;
}

int
plg_canvas_free_height_of (PlgCanvas *self, int height)
{
  return MAX (height - MIN (plg_canvas_legend_height (self), (int) (height * MAX_LEGEND_SHARE)), 1);
}

int
plg_canvas_free_height (PlgCanvas *self)
{
  return plg_canvas_free_height_of (self, gtk_widget_get_height (GTK_WIDGET (self)));
}

const PlgFigure *
plg_canvas_legend_figure (PlgCanvas *self)
{
  g_return_val_if_fail (PLG_IS_CANVAS (self), NULL);
  return self->rendering.legend;
}

/* Tests and benchmarks ------------------------------------------------------------------------- */

guint
plg_canvas_n_layouts (PlgCanvas *self)
{
  return self->rendering.n_layouts;
}

guint
plg_canvas_n_paints (PlgCanvas *self)
{
  return self->rendering.n_paints;
}

gboolean
plg_canvas_is_sharp (PlgCanvas *self)
{
  return plg_tiles_are_sharp (self->rendering.tiles);
}
