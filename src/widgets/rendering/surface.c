/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/surface.h"

#include <errno.h>
#include <sys/mman.h>

/* The maximum number of idle surfaces, which is about the number of tiles on a screen. */
#define MAX_IDLE_SURFACES 32

struct _PlgSurfacePool
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GQueue idle_surfaces; /* elements of type PlgSurface */
};

/* Two Cairo surfaces share one pixel buffer: PAINTED is painted on, and a render node shows SHOWN.
 * Cairo would copy all pixels before it paints on a surface that a render node shows. Nothing
 * paints on SHOWN, so Cairo makes no copy. Paint on PAINTED only while no render node shows the
 * pixels. */
struct _PlgSurface
{
  PlgSurfacePool *pool;
  int width, height; /* [points] */
  int scale;         /* [pixels per point] */
  gsize size;        /* the size of the pixel buffer [bytes] */
  guchar *pixels;
  cairo_surface_t *painted;
  cairo_surface_t *shown;
};

static cairo_surface_t *
surface_create_cairo (PlgSurface *surface)
{
  int width = surface->width * surface->scale, height = surface->height * surface->scale;
  cairo_surface_t *cairo_surface = cairo_image_surface_create_for_data (
      surface->pixels, CAIRO_FORMAT_ARGB32, width, height,
      cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width));

  cairo_surface_set_device_scale (cairo_surface, surface->scale, surface->scale);
  return cairo_surface;
}

static PlgSurface *
surface_new (int width, int height, int scale)
{
  PlgSurface *surface = g_new0 (PlgSurface, 1);
  int stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width * scale);
  void *pixels;

  surface->width = width;
  surface->height = height;
  surface->scale = scale;
  surface->size = (gsize) height * scale * stride;
  /* Allocate the pixels outside the heap. In each frame, GTK allocates and frees a block as
   * large as the window. If long-lived pixels used the gap left by this block, the heap would
   * grow to several times the size of the window. */
  pixels = mmap (NULL, surface->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pixels == MAP_FAILED)
    g_error ("No %" G_GSIZE_FORMAT " bytes for a picture: %s", surface->size, g_strerror (errno));
  surface->pixels = pixels;
  surface->painted = surface_create_cairo (surface);
  surface->shown = surface_create_cairo (surface);
  return surface;
}

static void
surface_free (PlgSurface *surface)
{
  cairo_surface_destroy (surface->painted);
  cairo_surface_destroy (surface->shown);
  munmap (surface->pixels, surface->size);
  g_free (surface);
}

PlgSurfacePool *
plg_surface_pool_new (void)
{
  PlgSurfacePool *pool = g_new0 (PlgSurfacePool, 1);

  g_atomic_ref_count_init (&pool->ref_count);
  g_mutex_init (&pool->mutex);
  g_queue_init (&pool->idle_surfaces);
  return pool;
}

void
plg_surface_pool_unref (PlgSurfacePool *pool)
{
  if (!g_atomic_ref_count_dec (&pool->ref_count))
    return;
  g_queue_clear_full (&pool->idle_surfaces, (GDestroyNotify) surface_free);
  g_mutex_clear (&pool->mutex);
  g_free (pool);
}

PlgSurface *
plg_surface_pool_take (PlgSurfacePool *pool, int width, int height, int scale)
{
  PlgSurface *surface;

  g_assert (width > 0 && height > 0 && scale > 0);

  /* Free idle surfaces of a different size, because they belong to an old screen or window size. */
  g_mutex_lock (&pool->mutex);
  while ((surface = g_queue_pop_head (&pool->idle_surfaces)) != NULL &&
         (surface->width != width || surface->height != height || surface->scale != scale))
    surface_free (surface);
  g_mutex_unlock (&pool->mutex);

  if (surface != NULL)
    {
      cairo_t *cr = cairo_create (surface->painted);

      cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
      cairo_paint (cr);
      cairo_destroy (cr);
    }
  else
    surface = surface_new (width, height, scale);
  g_atomic_ref_count_inc (&pool->ref_count);
  surface->pool = pool;
  return surface;
}

cairo_surface_t *
plg_surface_cairo (PlgSurface *surface)
{
  return surface->painted;
}

static void
return_to_pool (gpointer data)
{
  PlgSurface *surface = data;
  PlgSurfacePool *pool = surface->pool;
  gboolean is_full;

  g_mutex_lock (&pool->mutex);
  is_full = g_queue_get_length (&pool->idle_surfaces) >= MAX_IDLE_SURFACES;
  if (!is_full)
    g_queue_push_head (&pool->idle_surfaces, surface);
  g_mutex_unlock (&pool->mutex);
  if (is_full)
    surface_free (surface);
  plg_surface_pool_unref (pool);
}

/* Returns a node that records a Cairo surface instead of a texture. The software renderer copies
 * a surface, but would convert every pixel of a texture through floats in each frame. Other
 * renderers upload the surface once. */
GskRenderNode *
plg_surface_to_node (PlgSurface *surface)
{
  static const cairo_user_data_key_t key;
  GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, surface->width,
                                                                 surface->height));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_flush (surface->painted);
  cairo_set_source_surface (cr, surface->shown, 0, 0);
  /* Extend the border pixels of the tile, so that its edges do not fade when it is enlarged. A
   * better filter would take too long. */
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_rectangle (cr, 0, 0, surface->width, surface->height);
  cairo_fill (cr);
  cairo_destroy (cr);
  /* Cairo finishes the recording before freeing the user data, so the surface can then return to
   * the pool. */
  cairo_surface_set_user_data (gsk_cairo_node_get_surface (node), &key, surface, return_to_pool);
  return node;
}

GskRenderNode *
plg_surface_pool_draw_figure (PlgSurfacePool *pool,
                              GtkWidget *widget,
                              const PlgFigure *figure,
                              const PlgTheme *theme,
                              double text_scale,
                              int width,
                              int height)
{
  PlgSurface *surface = plg_surface_pool_take (pool, width, height,
                                               gtk_widget_get_scale_factor (widget));
  cairo_t *cr = cairo_create (plg_surface_cairo (surface));

  cairo_scale (cr, text_scale, text_scale);
  plg_paint_on_screen (cr, figure, theme, PLG_LAYERS_EXPORT);
  cairo_destroy (cr);
  return plg_surface_to_node (surface);
}
