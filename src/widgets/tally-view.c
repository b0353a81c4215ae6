/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/tally-view.h"

#include "drawing/paint.h"
#include "drawing/tally-figure.h"
#include "widgets/look.h"

/* Points, at normal text size. */
#define MIN_WIDTH 300

struct _PlgTallyView
{
  GtkWidget parent_instance;

  const PlgTally *tally;
  char *palette;
  char *lesson;
  PlgTheme theme;
  PlgFigure *figure;
  int width; /* that the figure was laid out for */
};

G_DEFINE_FINAL_TYPE (PlgTallyView, plg_tally_view, GTK_TYPE_WIDGET)

static void
ensure_figure (PlgTallyView *self, int width)
{
  double scale = plg_look_text_scale (GTK_WIDGET (self));

  if (self->tally == NULL || (self->figure != NULL && self->width == width))
    return;
  g_clear_pointer (&self->figure, plg_figure_unref);
  plg_look_theme (self->palette, &self->theme);
  self->figure = plg_tally_figure (self->tally, &self->theme, width / scale, TRUE, self->lesson);
  self->width = width;
}

static void
invalidate (PlgTallyView *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static GtkSizeRequestMode
plg_tally_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plg_tally_view_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  PlgTallyView *self = PLG_TALLY_VIEW (widget);
  double scale = plg_look_text_scale (widget);
  int width = for_size > 0 ? for_size : (int) (MIN_WIDTH * scale);

  *minimum = *natural = (int) (MIN_WIDTH * scale);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  ensure_figure (self, width);
  *minimum = *natural = self->figure != NULL ? (int) (plg_figure_height (self->figure) * scale) : 0;
}

static void
plg_tally_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgTallyView *self = PLG_TALLY_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double scale = plg_look_text_scale (widget);
  cairo_t *cr;

  if (self->tally == NULL || width <= 0 || height <= 0)
    return;
  ensure_figure (self, width);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_scale (cr, scale, scale);
  plg_paint_quickly (cr, self->figure, &self->theme, PLG_LAYERS_EXPORT);
  cairo_destroy (cr);
}

static void
plg_tally_view_finalize (GObject *object)
{
  PlgTallyView *self = PLG_TALLY_VIEW (object);

  g_free (self->palette);
  g_free (self->lesson);
  g_clear_pointer (&self->figure, plg_figure_unref);
  G_OBJECT_CLASS (plg_tally_view_parent_class)->finalize (object);
}

static void
plg_tally_view_class_init (PlgTallyViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_tally_view_finalize;
  widget_class->get_request_mode = plg_tally_view_get_request_mode;
  widget_class->measure = plg_tally_view_measure;
  widget_class->snapshot = plg_tally_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "tallyview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_tally_view_init (PlgTallyView *self)
{
  plg_look_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}

void
plg_tally_view_show (PlgTallyView *self,
                     const PlgTally *tally,
                     const char *palette,
                     const char *lesson)
{
  g_return_if_fail (PLG_IS_TALLY_VIEW (self));

  self->tally = tally;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  g_free (self->lesson);
  self->lesson = g_strdup (lesson);
  invalidate (self);
  if (tally == NULL)
    return;
  ensure_figure (self, MIN_WIDTH);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  plg_figure_title (self->figure),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  plg_figure_description (self->figure), -1);
}
