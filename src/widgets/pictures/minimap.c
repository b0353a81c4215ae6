/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/pictures/minimap.h"

#include "widgets/rendering/tiles.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The maximum size [pixels]. */
#define MAX_WIDTH 200.0
#define MAX_HEIGHT 140.0
#define PADDING 6.0
/* The minimum size of the mark for a highlighted rectangle [pixels]. */
#define MIN_HIGHLIGHT_SIZE 7.0

struct _PlgMinimap
{
  GtkWidget parent_instance;

  PlgFigure *figure;
  PlgTheme theme;
  PlgTiles *tiles;
  double zoom;
  PlgRect visible_rect;
  GArray *highlighted; /* elements of type PlgRect */
  PlgPoint press;      /* the position of the press in the widget [pixels] */
};

G_DEFINE_FINAL_TYPE (PlgMinimap, plg_minimap, GTK_TYPE_WIDGET)

enum
{
  POSITION_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

double
plg_minimap_zoom (double figure_width, double figure_height)
{
  return MIN (MAX_WIDTH / figure_width, MAX_HEIGHT / figure_height);
}

static void
request_position (PlgMinimap *self, double x, double y)
{
  if (self->figure != NULL)
    g_signal_emit (self, signals[POSITION_REQUESTED], 0, (x - PADDING) / self->zoom,
                   (y - PADDING) / self->zoom);
}

static void
drag_begin_cb (PlgMinimap *self, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  self->press = (PlgPoint) { x, y };
  request_position (self, x, y);
}

static void
drag_update_cb (PlgMinimap *self, double dx, double dy)
{
  request_position (self, self->press.x + dx, self->press.y + dy);
}

static void
snapshot_visible_rect (PlgMinimap *self, GtkSnapshot *snapshot)
{
  PlgColor accent = self->theme.role[PLG_ROLE_ACCENT];
  GdkRGBA line = { accent.red, accent.green, accent.blue, 1 };
  GdkRGBA fill = { accent.red, accent.green, accent.blue, 0.12 };
  float width[4] = { 2, 2, 2, 2 };
  graphene_rect_t visible_rect, all;
  GskRoundedRect outline;

  graphene_rect_init (&all, 0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                      gtk_widget_get_height (GTK_WIDGET (self)));
  graphene_rect_init (&visible_rect, PADDING + self->visible_rect.x * self->zoom,
                      PADDING + self->visible_rect.y * self->zoom,
                      MAX (4, self->visible_rect.width * self->zoom),
                      MAX (4, self->visible_rect.height * self->zoom));
  if (!graphene_rect_intersection (&visible_rect, &all, &visible_rect))
    return;
  gtk_snapshot_append_color (snapshot, &fill, &visible_rect);
  gsk_rounded_rect_init_from_rect (&outline, &visible_rect, 2);
  gtk_snapshot_append_border (snapshot, &outline, width, (GdkRGBA[4]) { line, line, line, line });
}

/* Draws the mark for RECT. The edge of the mark has the background colour, so that the mark is
 * visible on every colour. */
static void
snapshot_highlight (PlgMinimap *self, GtkSnapshot *snapshot, PlgRect rect)
{
  PlgColor text = self->theme.role[PLG_ROLE_TEXT], back = self->theme.role[PLG_ROLE_BACKGROUND];
  GdkRGBA fill = { text.red, text.green, text.blue, 1 };
  GdkRGBA edge = { back.red, back.green, back.blue, 1 };
  double width = MAX (MIN_HIGHLIGHT_SIZE, rect.width * self->zoom);
  double height = MAX (MIN_HIGHLIGHT_SIZE, rect.height * self->zoom);
  graphene_rect_t box;

  graphene_rect_init (&box, PADDING + (rect.x + rect.width / 2) * self->zoom - width / 2,
                      PADDING + (rect.y + rect.height / 2) * self->zoom - height / 2, width,
                      height);
  gtk_snapshot_append_color (snapshot, &edge, &box);
  graphene_rect_inset (&box, 1.5, 1.5);
  gtk_snapshot_append_color (snapshot, &fill, &box);
}

static void
plg_minimap_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgMinimap *self = PLG_MINIMAP (widget);
  PlgTilesView view = { self->zoom,
                        gtk_widget_get_scale_factor (widget),
                        { PADDING, PADDING },
                        gtk_widget_get_width (widget),
                        gtk_widget_get_height (widget),
                        FALSE };

  if (self->figure == NULL)
    return;
  plg_tiles_set_figure (self->tiles, self->figure, &self->theme);
  plg_tiles_snapshot (self->tiles, snapshot, &view);
  for (guint i = 0; i < self->highlighted->len; i++)
    snapshot_highlight (self, snapshot, g_array_index (self->highlighted, PlgRect, i));
  snapshot_visible_rect (self, snapshot);
}

static void
plg_minimap_dispose (GObject *object)
{
  g_clear_pointer (&PLG_MINIMAP (object)->figure, plg_figure_unref);
  G_OBJECT_CLASS (plg_minimap_parent_class)->dispose (object);
}

static void
plg_minimap_finalize (GObject *object)
{
  plg_tiles_free (PLG_MINIMAP (object)->tiles);
  g_array_unref (PLG_MINIMAP (object)->highlighted);
  G_OBJECT_CLASS (plg_minimap_parent_class)->finalize (object);
}

static void
plg_minimap_class_init (PlgMinimapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plg_minimap_dispose;
  G_OBJECT_CLASS (klass)->finalize = plg_minimap_finalize;
  widget_class->snapshot = plg_minimap_snapshot;
  signals[POSITION_REQUESTED] = g_signal_new ("position-requested", PLG_TYPE_MINIMAP,
                                              G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                              2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_minimap_init (PlgMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->tiles = plg_tiles_new (1);
  self->highlighted = g_array_new (FALSE, FALSE, sizeof (PlgRect));
  self->zoom = 1;
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "pointer");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Map of the whole cluster"), -1);
}

GtkWidget *
plg_minimap_new (void)
{
  return g_object_new (PLG_TYPE_MINIMAP, NULL);
}

void
plg_minimap_set_figure (PlgMinimap *self, PlgFigure *figure, const PlgTheme *theme)
{
  g_return_if_fail (PLG_IS_MINIMAP (self));

  g_clear_pointer (&self->figure, plg_figure_unref);
  self->figure = plg_figure_ref (figure);
  self->theme = *theme;
  self->zoom = plg_minimap_zoom (plg_figure_width (figure), plg_figure_height (figure));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_minimap_set_highlight (PlgMinimap *self, const PlgRect *rects, int n)
{
  g_return_if_fail (PLG_IS_MINIMAP (self));

  if (n == 0 && self->highlighted->len == 0)
    return;
  g_array_set_size (self->highlighted, 0);
  if (n > 0)
    g_array_append_vals (self->highlighted, rects, n);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_minimap_set_visible_rect (PlgMinimap *self, PlgRect visible_rect)
{
  g_return_if_fail (PLG_IS_MINIMAP (self));

  if (visible_rect.x == self->visible_rect.x && visible_rect.y == self->visible_rect.y &&
      visible_rect.width == self->visible_rect.width &&
      visible_rect.height == self->visible_rect.height)
    return;
  self->visible_rect = visible_rect;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_minimap_get_size (PlgMinimap *self, int *width, int *height)
{
  g_return_if_fail (PLG_IS_MINIMAP (self) && self->figure != NULL);

  *width = (int) ceil (plg_figure_width (self->figure) * self->zoom + 2 * PADDING);
  *height = (int) ceil (plg_figure_height (self->figure) * self->zoom + 2 * PADDING);
}

const PlgFigure *
plg_minimap_figure (PlgMinimap *self)
{
  g_return_val_if_fail (PLG_IS_MINIMAP (self), NULL);
  return self->figure;
}
