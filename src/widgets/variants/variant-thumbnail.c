/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/variants/variant-thumbnail.h"

#include "drawing/cluster/cluster-layout.h"
#include "widgets/rendering/surface.h"
#include "widgets/widget-theme.h"

/* The size [pixels]. */
#define WIDTH 64
#define HEIGHT 44

struct _PlgVariantThumbnail
{
  GtkWidget parent_instance;

  PlgPlan *plan;
  char *palette;
  PlgSurfacePool *surface_pool;
  GskRenderNode *node; /* the painted cluster, or NULL */
  int painted_scale;
};

G_DEFINE_FINAL_TYPE (PlgVariantThumbnail, plg_variant_thumbnail, GTK_TYPE_WIDGET)

static void
invalidate (PlgVariantThumbnail *self)
{
  g_clear_pointer (&self->node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
plg_variant_thumbnail_measure (GtkWidget *widget,
                               GtkOrientation orientation,
                               int for_size,
                               int *minimum,
                               int *natural,
                               int *minimum_baseline,
                               int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

/* Paints a rectangle for each GPU in the colour of its stage. */
static void
paint (PlgVariantThumbnail *self)
{
  const PlgParallelism *parallelism = &self->plan->parallelism;
  int stages = parallelism->degree[PLG_AXIS_PP], gpus = plg_cluster_gpus (&self->plan->cluster);
  PlgClusterLayout layout = plg_cluster_layout_on_screen (self->plan, 1);
  PlgRect first = plg_cluster_layout_gpu (&layout, 0), all = first;
  g_autofree int *rank_of_gpu = plg_plan_rank_of_gpus (self->plan);
  PlgSurface *surface = plg_surface_pool_take (self->surface_pool, WIDTH, HEIGHT,
                                               self->painted_scale);
  cairo_t *cr = cairo_create (plg_surface_cairo (surface));
  PlgTheme theme;
  double scale;

  plg_widget_theme_init (self->palette, &theme);
  for (int gpu = 1; gpu < gpus; gpu++)
    {
      PlgRect rect = plg_cluster_layout_gpu (&layout, gpu);
      double right = MAX (all.x + all.width, rect.x + rect.width);
      double bottom = MAX (all.y + all.height, rect.y + rect.height);

      all.x = MIN (all.x, rect.x);
      all.y = MIN (all.y, rect.y);
      all.width = right - all.x;
      all.height = bottom - all.y;
    }
  scale = MIN (WIDTH / all.width, HEIGHT / all.height);
  cairo_translate (cr, (WIDTH - all.width * scale) / 2, (HEIGHT - all.height * scale) / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -all.x, -all.y);
  for (int gpu = 0; gpu < gpus; gpu++)
    {
      PlgRect rect = plg_cluster_layout_gpu (&layout, gpu);
      PlgCoordinate coordinate = plg_rank_coordinate (parallelism, rank_of_gpu[gpu]);
      PlgColor fill = plg_theme_swatch (&theme, coordinate.index[PLG_AXIS_PP], stages, FALSE).fill;

      cairo_set_source_rgb (cr, fill.red, fill.green, fill.blue);
      cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
  self->node = plg_surface_to_node (surface);
}

static void
plg_variant_thumbnail_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PlgVariantThumbnail *self = PLG_VARIANT_THUMBNAIL (widget);
  int device_scale = gtk_widget_get_scale_factor (widget);

  if (self->plan == NULL)
    return;
  if (self->node != NULL && self->painted_scale != device_scale)
    g_clear_pointer (&self->node, gsk_render_node_unref);
  self->painted_scale = device_scale;
  if (self->node == NULL)
    paint (self);
  gtk_snapshot_append_node (snapshot, self->node);
}

static void
plg_variant_thumbnail_finalize (GObject *object)
{
  PlgVariantThumbnail *self = PLG_VARIANT_THUMBNAIL (object);

  g_clear_pointer (&self->node, gsk_render_node_unref);
  plg_surface_pool_unref (self->surface_pool);
  g_clear_pointer (&self->plan, plg_plan_free);
  g_free (self->palette);
  G_OBJECT_CLASS (plg_variant_thumbnail_parent_class)->finalize (object);
}

static void
plg_variant_thumbnail_class_init (PlgVariantThumbnailClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plg_variant_thumbnail_finalize;
  widget_class->measure = plg_variant_thumbnail_measure;
  widget_class->snapshot = plg_variant_thumbnail_snapshot;
  gtk_widget_class_set_css_name (widget_class, "variantthumbnail");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
plg_variant_thumbnail_init (PlgVariantThumbnail *self)
{
  self->surface_pool = plg_surface_pool_new ();
  plg_widget_theme_watch (GTK_WIDGET (self), G_CALLBACK (invalidate));
}

void
plg_variant_thumbnail_set_plan (PlgVariantThumbnail *self, const PlgPlan *plan)
{
  g_return_if_fail (PLG_IS_VARIANT_THUMBNAIL (self) && plan != NULL);

  g_clear_pointer (&self->plan, plg_plan_free);
  self->plan = plg_plan_copy (plan);
  invalidate (self);
}

void
plg_variant_thumbnail_set_palette (PlgVariantThumbnail *self, const char *palette)
{
  g_return_if_fail (PLG_IS_VARIANT_THUMBNAIL (self));

  if (g_strcmp0 (self->palette, palette) == 0)
    return;
  g_free (self->palette);
  self->palette = g_strdup (palette);
  invalidate (self);
}
