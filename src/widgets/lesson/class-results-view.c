/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/lesson/class-results-view.h"

#include "drawing/export/paint.h"
#include "drawing/charts/class-results-figure.h"
#include "widgets/widget-theme.h"

/* The minimum width [points at normal text size]. */
#define MIN_WIDTH 300

struct _PlgClassResultsView
{
  GtkWidget parent_instance;

  const PlgClassResults *results;
  char *palette;
  char *lesson;
  PlgTheme theme;
  PlgFigure *figure;
  int width; /* the width for which the figure is laid out [pixels] */
};

G_DEFINE_FINAL_TYPE (PlgClassResultsView, plg_class_results_view, GTK_TYPE_WIDGET)

static void
ensure_figure (PlgClassResultsView *self, int width)
{
  double scale = plg_widget_theme_text_scale (GTK_WIDGET (self));

  if (self->results == NULL || (self->figure != NULL && self->width == width))
    return;
  g_clear_pointer (&self->figure, plg_figure_unref);
  plg_widget_theme_init (self->palette, &self->theme);
  self->figure = plg_class_results_figure (self->results, &self->theme, width / scale, TRUE,
                                           self->lesson);
  self->width = width;
}

static void
invalidate (PlgClassResultsView *self)
{
  g_clear_pointer (&self->figure, plg_figure_unref);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static GtkSizeRequestMode
plg_class_results_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plg_class_results_view_measure (GtkWidget *widget,
                                GtkOrientation orientation,
                                int for_size,
                                int *minimum,
                                int *natural,
                                int *minimum_baseline,
                                int *natural_baseline)
{
  PlgClassResultsView *self = PLG_CLASS_RESULTS_VIEW (widget);
  double scale = plg_widget_theme_text_scale (widget);
  int width = for_size > 0 ? for_size : (int) (MIN_WIDTH * scale);

  *minimum = *natural = (int) (MIN_WIDTH * scale);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  ensure_figure (self, width);
  *minimum = *natural = self->figure != NULL ? (int) (plg_figure_height (self->figure) * scale) : 0;
}

static void
plg_class_results_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgClassResultsView *self = PLG_CLASS_RESULTS_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double scale = plg_widget_theme_text_scale (widget);
  cairo_t *cr;

  if (self->results == NULL || width <= 0 || height <= 0)
    return;
  ensure_figure (self, width);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_scale (cr, scale, scale);
  plg_paint_on_screen (cr, self->figure, &self->theme, PLG_LAYERS_EXPORT);
  cairo_destroy (cr);
}

static void
plg_class_results_view_finalize (GObject *object)
{
  PlgClassResultsView *self = PLG_CLASS_RESULTS_VIEW (object);

  g_free (self->palette);
  g_free (self->lesson);
  g_clear_pointer (&self->figure, plg_figure_unref);
  G_OBJECT_CLASS (plg_class_results_view_parent_class)->finalize (object);
}

static void
plg_class_results_view_class_init (PlgClassResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_class_results_view_finalize;
  widget_class->get_request_mode = plg_class_results_view_get_request_mode;
  widget_class->measure = plg_class_results_view_measure;
  widget_class->snapshot = plg_class_results_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "tallyview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
plg_class_results_view_init (PlgClassResultsView *self)
{
  plg_widget_theme_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}

void
plg_class_results_view_show (PlgClassResultsView *self,
                             const PlgClassResults *results,
                             const char *palette,
                             const char *lesson)
{
  g_return_if_fail (PLG_IS_CLASS_RESULTS_VIEW (self));

  self->results = results;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  g_free (self->lesson);
  self->lesson = g_strdup (lesson);
  invalidate (self);
  if (results == NULL)
    return;
  ensure_figure (self, MIN_WIDTH);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  plg_figure_title (self->figure),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  plg_figure_description (self->figure), -1);
}
