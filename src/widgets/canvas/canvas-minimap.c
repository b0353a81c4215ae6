/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The minimap in a corner of the canvas. */

#include "widgets/canvas/canvas-private.h"

#include "drawing/cluster/cluster-layout.h"

#define MINIMAP_MARGIN 12
/* The minimap is not shown if more than this fraction of the cluster is visible, because the
 * minimap would then hide part of the cluster and show little that is not already visible. */
#define MAX_VISIBLE_SHARE 0.85
/* The minimum time between two updates of the minimap during playback. */
#define MINIMAP_MILLISECONDS 100
/* The minimap moves to another corner only if it then hides less of the cluster, by at least
 * this fraction of the minimap's area. */
#define MIN_CORNER_GAIN 0.2

static void
position_requested_cb (PlgCanvas *self, double x, double y)
{
  plg_canvas_center_on (self, x, y);
}

void
plg_canvas_add_minimap (PlgCanvas *self)
{
  PlgMinimap *minimap = PLG_MINIMAP (plg_minimap_new ());

  self->rendering.minimap = minimap;
  g_signal_connect_object (minimap, "position-requested", G_CALLBACK (position_requested_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (minimap, "state-flags-changed", G_CALLBACK (gtk_widget_queue_allocate),
                           self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (minimap), GTK_WIDGET (self));
}

void
plg_canvas_drop_minimap_figure (PlgCanvas *self)
{
  self->rendering.has_minimap_figure = FALSE;
}

static void
minimap_rebuild (PlgCanvas *self)
{
  self->rendering.has_minimap_figure = FALSE;
  if (self->rendering.is_minimap_needed)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static gboolean
minimap_timeout_cb (gpointer data)
{
  PlgCanvas *self = data;

  if (!self->rendering.is_minimap_stale)
    {
      self->rendering.minimap_timeout_id = 0;
      return G_SOURCE_REMOVE;
    }
  self->rendering.is_minimap_stale = FALSE;
  minimap_rebuild (self);
  return G_SOURCE_CONTINUE;
}

/* Updates the minimap to the time that the canvas shows. A few updates per second are enough,
 * because the canvas itself shows every change. A last update ensures that the minimap shows the
 * final time. */
void
plg_canvas_update_minimap_time (PlgCanvas *self)
{
  if (self->rendering.minimap_timeout_id != 0)
    {
      self->rendering.is_minimap_stale = TRUE;
      return;
    }
  minimap_rebuild (self);
  self->rendering.minimap_timeout_id = g_timeout_add (MINIMAP_MILLISECONDS, minimap_timeout_cb,
                                                      self);
}

static double
overlap_area (PlgRect a, PlgRect b)
{
  double width = MIN (a.x + a.width, b.x + b.width) - MAX (a.x, b.x);
  double height = MIN (a.y + a.height, b.y + b.height) - MAX (a.y, b.y);

  return MAX (width, 0) * MAX (height, 0);
}

/* Returns the area of the nodes that a minimap at @place hides [pixels]. Adds the whole area of
 * the minimap if it hides the selected GPU, so that another corner is preferred. */
static double
hidden_area (PlgCanvas *self, const GtkAllocation *place)
{
  double zoom = plg_canvas_get_zoom (self);
  PlgClusterLayout layout = plg_canvas_layout (self, zoom);
  PlgPoint corner = plg_canvas_to_figure (self, place->x, place->y);
  PlgRect part = { corner.x, corner.y, place->width / zoom, place->height / zoom };
  int selected = plg_canvas_get_selected (self);
  double hidden = 0;

  for (int node = 0; node < layout.nodes; node++)
    {
      PlgRect card = plg_cluster_layout_node (&layout, node);

      card.x -= layout.label_width;
      card.width += layout.label_width;
      hidden += overlap_area (part, card);
    }
  if (selected >= 0 && overlap_area (part, plg_cluster_layout_gpu (&layout, selected)) > 0)
    hidden += part.width * part.height;
  return hidden * zoom * zoom;
}

static void
move_to_corner (GtkAllocation *place, int corner, int width, int height)
{
  place->x = corner & 1 ? MINIMAP_MARGIN : width - place->width - MINIMAP_MARGIN;
  place->y = corner & 2 ? MINIMAP_MARGIN : height - place->height - MINIMAP_MARGIN;
}

/* Moves the minimap to the corner where it hides the smallest area of nodes. Keeps the current
 * corner if no other corner is much better. Also keeps it while the pointer is on the minimap,
 * because the next click would otherwise hit a node. */
static void
place_minimap (PlgCanvas *self, GtkAllocation *place, int width, int height)
{
  int *current = &self->rendering.minimap_corner;
  GtkWidget *minimap = GTK_WIDGET (self->rendering.minimap);
  double least;

  move_to_corner (place, *current, width, height);
  if (gtk_widget_get_state_flags (minimap) & GTK_STATE_FLAG_PRELIGHT)
    return;
  least = hidden_area (self, place) - MIN_CORNER_GAIN * place->width * place->height;
  for (int corner = 0; corner < 4; corner++)
    {
      double hidden;

      move_to_corner (place, corner, width, height);
      hidden = hidden_area (self, place);
      if (corner == *current || hidden >= least)
        continue;
      least = hidden;
      *current = corner;
    }
  move_to_corner (place, *current, width, height);
}

/* Updates the minimap's highlight and visible rectangle, and its figure if the figure is
 * outdated. */
static void
update_minimap (PlgCanvas *self, PlgRect visible)
{
  PlgCanvasRendering *rendering = &self->rendering;
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  PlgPictureOptions options;
  PlgRect rect;

  if (!rendering->has_minimap_figure)
    {
      g_autoptr (PlgFigure) figure = NULL;

      plg_canvas_get_options (self, &options);
      options.handles = FALSE;
      options.selected.kind = PLG_ENTITY_NONE;
      options.n_highlighted = 0;
      options.legend = PLG_LEGEND_OFF;
      options.zoom = plg_minimap_zoom (plg_figure_width (rendering->figure),
                                       plg_figure_height (rendering->figure));
      figure = plg_cluster_figure (plg_canvas_plan (self), plg_document_report (self->document),
                                   &rendering->theme, &options);
      plg_minimap_set_figure (rendering->minimap, figure, &rendering->theme);
      rendering->has_minimap_figure = TRUE;
    }
  plg_canvas_get_options (self, &options);
  for (int i = 0; i < options.n_highlighted; i++)
    if (plg_canvas_entity_rect (self, options.highlighted[i], &rect))
      g_array_append_val (rects, rect);
  plg_minimap_set_highlight (rendering->minimap, (const PlgRect *) (gconstpointer) rects->data,
                             rects->len);
  plg_minimap_set_visible_rect (rendering->minimap, visible);
}

/* Places the minimap. It is always a visible child, because hiding it would change the layout
 * during an allocation. A minimap that is not needed is not drawn and receives no events. */
void
plg_canvas_allocate_minimap (PlgCanvas *self, int width, int height)
{
  PlgCanvasRendering *rendering = &self->rendering;
  GtkWidget *minimap = GTK_WIDGET (rendering->minimap);
  double zoom = plg_canvas_get_zoom (self);
  PlgPoint corner = plg_canvas_to_figure (self, 0, 0);
  PlgRect visible = { corner.x, corner.y, width / zoom, height / zoom };
  PlgRect all = { 0, 0, plg_figure_width (rendering->figure),
                  plg_figure_height (rendering->figure) };
  GtkAllocation place = { 0, 0, 1, 1 };

  rendering->is_minimap_needed = overlap_area (visible, all) <
                                     MAX_VISIBLE_SHARE * all.width * all.height &&
                                 !plg_canvas_is_dragging (self) &&
                                 plg_canvas_get_solo_node (self) < 0;
  gtk_widget_set_can_target (minimap, rendering->is_minimap_needed);
  gtk_accessible_update_state (GTK_ACCESSIBLE (minimap), GTK_ACCESSIBLE_STATE_HIDDEN,
                               !rendering->is_minimap_needed, -1);
  if (rendering->is_minimap_needed)
    {
      update_minimap (self, visible);
      plg_minimap_get_size (rendering->minimap, &place.width, &place.height);
      place_minimap (self, &place, width, height);
    }
  else
    rendering->minimap_corner = 0;
  gtk_widget_size_allocate (minimap, &place, -1);
}
