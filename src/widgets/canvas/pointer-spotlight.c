/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/canvas/pointer-spotlight.h"

#include <math.h>

/* The opacity of the shade. At this value, the shade is dark enough to emphasize the disc on a
 * projector, but the widgets below remain visible. */
#define SHADE_ALPHA 0.72
/* The fraction of the radius at which the disc starts to fade into the shade. */
#define SOFT_EDGE 0.94

struct _PlgPointerSpotlight
{
  GtkWidget parent_instance;

  double x, y;
  double radius;
};

G_DEFINE_FINAL_TYPE (PlgPointerSpotlight, plg_pointer_spotlight, GTK_TYPE_WIDGET)

static void
add_shade (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  if (width > 0 && height > 0)
    gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, SHADE_ALPHA },
                               &GRAPHENE_RECT_INIT (x, y, width, height));
}

static void
plg_pointer_spotlight_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgPointerSpotlight *self = PLG_POINTER_SPOTLIGHT (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  /* Align the square to whole pixels, so that the shade and the square around the disc meet
   * without a seam. */
  double side = 2 * ceil (self->radius);
  double left = round (self->x) - side / 2, top = round (self->y) - side / 2;
  GskColorStop stops[] = { { 0, { 0, 0, 0, 0 } },
                           { SOFT_EDGE, { 0, 0, 0, 0 } },
                           { 1, { 0, 0, 0, SHADE_ALPHA } } };

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  add_shade (snapshot, 0, 0, width, top);
  add_shade (snapshot, 0, MAX (top + side, 0), width, height - MAX (top + side, 0));
  add_shade (snapshot, 0, top, left, side);
  add_shade (snapshot, left + side, top, width - left - side, side);
  /* The gradient is expensive, so it covers only the square around the disc. */
  if (side > 0)
    gtk_snapshot_append_radial_gradient (snapshot, &GRAPHENE_RECT_INIT (left, top, side, side),
                                         &GRAPHENE_POINT_INIT (left + side / 2, top + side / 2),
                                         side / 2, side / 2, 0, 1, stops, G_N_ELEMENTS (stops));
  gtk_snapshot_pop (snapshot);
}

static void
plg_pointer_spotlight_class_init (PlgPointerSpotlightClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = plg_pointer_spotlight_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "beam");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
plg_pointer_spotlight_init (PlgPointerSpotlight *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

void
plg_pointer_spotlight_set_disc (PlgPointerSpotlight *self, double x, double y, double radius)
{
  g_return_if_fail (PLG_IS_POINTER_SPOTLIGHT (self));

  if (x == self->x && y == self->y && radius == self->radius)
    return;
  self->x = x;
  self->y = y;
  self->radius = radius;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
plg_pointer_spotlight_get_disc (PlgPointerSpotlight *self, double *x, double *y, double *radius)
{
  g_return_if_fail (PLG_IS_POINTER_SPOTLIGHT (self));

  *x = self->x;
  *y = self->y;
  *radius = self->radius;
}
