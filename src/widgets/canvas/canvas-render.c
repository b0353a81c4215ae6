/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A frame of the canvas: the picture in tiles, what is drawn over it, the focus. */

#include "widgets/canvas/canvas-private.h"
#include "drawing/export/paint.h"
#include "widgets/canvas/gpu-cell.h"

/* What the focus ring goes around: the cell that has the focus, or the canvas without a plan. */
static gboolean
focus_bounds (PlgCanvas *self, graphene_rect_t *bounds)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkWidget *focus = gtk_widget_get_focus_child (widget);

  if (gtk_widget_has_focus (widget))
    {
      graphene_rect_init (bounds, 0, 0, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
      return TRUE;
    }
  if (focus == NULL || !gtk_widget_get_visible (focus) || !PLG_IS_GPU_CELL (focus) ||
      !gtk_widget_compute_bounds (focus, widget, bounds))
    return FALSE;
  graphene_rect_inset (bounds, -4, -4);
  return TRUE;
}

/* The numbers of the marks of the figure. They are among what it ends with: its groups and what is
 * drawn after them. */
static GArray *
find_marks (const PlgFigure *figure)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = plg_figure_n_shapes (figure) - 1; i >= 0; i--)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (shape->layer < PLG_LAYER_GROUPS)
        break;
      if (shape->is_mark)
        g_array_prepend_val (marks, i);
    }
  return marks;
}

/* Once more, over what was drawn within BOUNDS. */
static void
snapshot_marks (PlgCanvas *self, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
  g_autoptr (GArray) marks = find_marks (self->figure);
  cairo_t *cr;

  if (marks->len == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, bounds);
  cairo_translate (cr, self->origin.x, self->origin.y);
  cairo_scale (cr, self->zoom, self->zoom);
  plg_paint_shapes (cr, self->figure, &self->theme, &g_array_index (marks, int, 0), marks->len);
  cairo_destroy (cr);
}

static void
snapshot_focus (PlgCanvas *self, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds;
  GskRoundedRect outline;
  PlgColor accent = self->theme.role[PLG_ROLE_ACCENT];
  GdkRGBA color = { accent.red, accent.green, accent.blue, 1 };
  float width[4] = { 3, 3, 3, 3 };

  if (!gtk_window_get_focus_visible (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)))) ||
      !focus_bounds (self, &bounds))
    return;
  gsk_rounded_rect_init_from_rect (&outline, &bounds, 8);
  gtk_snapshot_append_border (snapshot, &outline, width,
                              (GdkRGBA[4]) { color, color, color, color });
  snapshot_marks (self, snapshot, &bounds);
}

static gboolean
sharpen_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PlgCanvas *self = PLG_CANVAS (widget);

  if (plg_tiles_can_sharpen (self->tiles))
    gtk_widget_queue_draw (widget);
  if (!plg_tiles_are_sharp (self->tiles))
    return G_SOURCE_CONTINUE;
  self->sharpen_tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
snapshot_figure (PlgCanvas *self, GtkSnapshot *snapshot, int width, int height)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PlgTilesView view = { self->zoom,   gtk_widget_get_scale_factor (widget),
                        self->origin, width,
                        height,       !self->fit };

  if (self->figure_is_changed || self->figure_zoom == self->tiles_zoom)
    plg_tiles_set_figure (self->tiles, self->figure, &self->theme);
  else
    plg_tiles_set_zoomed_figure (self->tiles, self->figure, &self->theme);
  self->figure_is_changed = FALSE;
  self->tiles_zoom = self->figure_zoom;
  if (plg_tiles_snapshot (self->tiles, snapshot, &view) > 0)
    self->n_paints++;
  if (!plg_tiles_are_sharp (self->tiles) && self->sharpen_tick_id == 0)
    self->sharpen_tick_id = gtk_widget_add_tick_callback (widget, sharpen_cb, NULL, NULL);
}

void
plg_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgCanvas *self = PLG_CANVAS (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  plg_canvas_ensure_figure (self);
  if (self->figure == NULL || width <= 0 || height <= 0)
    return;
  /* Nothing of the cluster shows through the legend. */
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (0, 0, width, plg_canvas_free_height (self)));
  snapshot_figure (self, snapshot, width, height);
  plg_canvas_snapshot_solo_node (self, snapshot);
  snapshot_focus (self, snapshot);
  plg_canvas_snapshot_mark (self, snapshot);
  gtk_snapshot_pop (snapshot);
  plg_canvas_snapshot_legend (self, snapshot);
  if (self->map_is_needed)
    gtk_widget_snapshot_child (widget, GTK_WIDGET (self->map), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->drag_label), snapshot);
}
