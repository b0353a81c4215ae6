/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Draws one frame of the canvas: the tiles of the figure, the overlays, the focus ring and the
 * legend. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/export/paint.h"
#include "widgets/canvas/gpu-cell.h"

/* The opacity of the shade over the other nodes while one node is shown alone. */
#define DIM_ALPHA 0.94

static gboolean
sharpen_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgCanvasRendering *rendering = &PLG_CANVAS (widget)->rendering;

  if (plg_tiles_can_sharpen (rendering->tiles))
    gtk_widget_queue_draw (widget);
  if (!plg_tiles_are_sharp (rendering->tiles))
    return G_SOURCE_CONTINUE;
  rendering->sharpen_tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
snapshot_figure (PlgCanvas *self, GtkSnapshot *snapshot, int width, int height)
{
  PlgCanvasRendering *rendering = &self->rendering;
  GtkWidget *widget = GTK_WIDGET (self);
  PlgTilesView view = { .zoom = plg_canvas_get_zoom (self),
                        .scale = gtk_widget_get_scale_factor (widget),
                        .origin = plg_canvas_origin (self),
                        .width = width,
                        .height = height,
                        .may_blur = !plg_canvas_is_fitted (self) };

  if (rendering->is_figure_changed || rendering->figure_zoom == rendering->tiles_zoom)
    plg_tiles_set_figure (rendering->tiles, rendering->figure, &rendering->theme);
  else
    plg_tiles_set_zoomed_figure (rendering->tiles, rendering->figure, &rendering->theme);
  rendering->is_figure_changed = FALSE;
  rendering->tiles_zoom = rendering->figure_zoom;
  if (plg_tiles_snapshot (rendering->tiles, snapshot, &view) > 0)
    rendering->n_paints++;
  if (!plg_tiles_are_sharp (rendering->tiles) && rendering->sharpen_tick_id == 0)
    rendering->sharpen_tick_id = gtk_widget_add_tick_callback (widget, sharpen_cb, NULL, NULL);
}

/* Draws a shade over everything except the node that is shown alone. */
static void
snapshot_solo_node (PlgCanvas *self, GtkSnapshot *snapshot, double width, double height)
{
  PlgColor background = self->rendering.theme.role[PLG_ROLE_BACKGROUND];
  GdkRGBA color = { background.red, background.green, background.blue, DIM_ALPHA };
  PlgRect rect;
  double left, top, right, bottom;

  if (plg_canvas_get_solo_node (self) < 0)
    return;
  rect = plg_canvas_solo_rect (self);
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

static void
snapshot_outline (PlgCanvas *self,
                  GtkSnapshot *snapshot,
                  const graphene_rect_t *bounds,
                  float radius,
                  float width)
{
  PlgColor accent = self->rendering.theme.role[PLG_ROLE_ACCENT];
  GdkRGBA color = { accent.red, accent.green, accent.blue, 1 };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, bounds, radius);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { color, color, color, color });
}

/* Paints the names and numbers inside @bounds again, because the focus ring may have covered
 * them. Their shapes have is_mark set and are in the last layers of the figure, from
 * PLG_LAYER_GROUPS upwards. */
static void
snapshot_marks (PlgCanvas *self, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (int));
  const PlgFigure *figure = self->rendering.figure;
  PlgPoint origin = plg_canvas_origin (self);
  double zoom = plg_canvas_get_zoom (self);
  cairo_t *cr;

  g_assert (figure != NULL);

  for (int i = plg_figure_n_shapes (figure) - 1; i >= 0; i--)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->layer < PLG_LAYER_GROUPS)
        break;
      if (shape->is_mark)
        g_array_prepend_val (marks, i);
    }
  if (marks->len == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, bounds);
  cairo_translate (cr, origin.x, origin.y);
  cairo_scale (cr, zoom, zoom);
  plg_paint_shapes (cr, figure, &self->rendering.theme, &g_array_index (marks, int, 0), marks->len);
  cairo_destroy (cr);
}

/* Draws the focus ring around the focused cell, or around the canvas if there is no plan. */
static void
snapshot_focus (PlgCanvas *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self), *focus = gtk_widget_get_focus_child (widget);
  graphene_rect_t bounds;

  if (!gtk_window_get_focus_visible (GTK_WINDOW (gtk_widget_get_root (widget))))
    return;
  if (gtk_widget_has_focus (widget))
    graphene_rect_init (&bounds, 0, 0, gtk_widget_get_width (widget),
                        gtk_widget_get_height (widget));
  else if (focus != NULL && gtk_widget_get_visible (focus) && PLG_IS_GPU_CELL (focus) &&
           gtk_widget_compute_bounds (focus, widget, &bounds))
    graphene_rect_inset (&bounds, -4, -4);
  else
    return;
  snapshot_outline (self, snapshot, &bounds, 8, 3);
  snapshot_marks (self, snapshot, &bounds);
}

static void
snapshot_search_mark (PlgCanvas *self, GtkSnapshot *snapshot)
{
  double zoom = plg_canvas_get_zoom (self), x, y;
  graphene_rect_t bounds;
  PlgRect rect;

  if (!plg_canvas_get_marked_rect (self, &rect))
    return;
  plg_canvas_to_widget (self, rect.x, rect.y, &x, &y);
  graphene_rect_init (&bounds, x, y, rect.width * zoom, rect.height * zoom);
  graphene_rect_inset (&bounds, -8, -8);
  snapshot_outline (self, snapshot, &bounds, 10, 4);
}

/* Draws the legend. The legend has no background, so the background of the window shows through. */
static void
snapshot_legend (PlgCanvas *self, GtkSnapshot *snapshot, int width, int top, int height)
{
  PlgCanvasRendering *rendering = &self->rendering;
  PlgColor border = rendering->theme.role[PLG_ROLE_CARD_BORDER];
  PlgTilesView view = { .zoom = 1,
                        .scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)),
                        .width = width,
                        .height = height };

  if (rendering->legend == NULL || height <= 0)
    return;
  gtk_snapshot_append_color (snapshot, &(GdkRGBA) { border.red, border.green, border.blue, 1 },
                             &GRAPHENE_RECT_INIT (0, top, width, 1));
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, top, width, height));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, top));
  plg_tiles_set_figure (rendering->legend_tiles, rendering->legend, &rendering->theme);
  plg_tiles_snapshot (rendering->legend_tiles, snapshot, &view);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
}

void
plg_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int free_height = plg_canvas_free_height (self);

  plg_canvas_ensure_figure (self);
  if (self->rendering.figure == NULL || width <= 0 || height <= 0)
    return;
  /* Clip the cluster so that it does not cover the legend. */
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, free_height));
  snapshot_figure (self, snapshot, width, height);
  snapshot_solo_node (self, snapshot, width, height);
  snapshot_focus (self, snapshot);
  snapshot_search_mark (self, snapshot);
  gtk_snapshot_pop (snapshot);
  snapshot_legend (self, snapshot, width, free_height, height - free_height);
  if (self->rendering.is_minimap_needed)
    gtk_widget_snapshot_child (widget, GTK_WIDGET (self->rendering.minimap), snapshot);
  plg_canvas_snapshot_drag_label (self, snapshot);
}
