/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/rendering/surface.h"

#include <errno.h>
#include <sys/mman.h>

/* So many wait to be painted again: about the tiles of a screen. */
#define MAX_IDLE_SURFACES 32

struct _PlgSurfacePool
{
  gatomicrefcount count;
  GMutex mutex;
  GQueue idle_surfaces; /* PlgSurface */
};

/* Two surfaces of the same pixels. When one that is shown is painted on or destroyed, Cairo first
 * copies it for whoever recorded it, so the one that is shown is, as far as Cairo knows, never
 * painted on: its pixels change only when nobody shows them. */
struct _PlgSurface
{
  PlgSurfacePool *pool;
  int width, height, scale;
  gsize size; /* of the pixels, in bytes */
  guchar *pixels;
  cairo_surface_t *painted, *shown;
};

PlgSurfacePool *
plg_surface_pool_new (void)
{
  PlgSurfacePool *pool = g_new0 (PlgSurfacePool, 1);

  g_atomic_ref_count_init (&pool->count);
  g_mutex_init (&pool->mutex);
  g_queue_init (&pool->idle_surfaces);
  return pool;
}

/* Not from the heap: GTK takes and gives back a block as large as the window for each frame, and
 * slates, which last, would settle in the gap that it leaves, so that the next one had to lie
 * elsewhere and the heap grew to several windows. */
static guchar *
new_pixels (gsize size)
{
  void *pixels = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pixels == MAP_FAILED)
    g_error ("No %" G_GSIZE_FORMAT " bytes for a picture: %s", size, g_strerror (errno));
  return pixels;
}

static void
surface_free (PlgSurface *pooled_surface)
{
  cairo_surface_destroy (pooled_surface->painted);
  cairo_surface_destroy (pooled_surface->shown);
  munmap (pooled_surface->pixels, pooled_surface->size);
  g_free (pooled_surface);
}

void
plg_surface_pool_unref (PlgSurfacePool *pool)
{
  if (!g_atomic_ref_count_dec (&pool->count))
    return;
  g_queue_clear_full (&pool->idle_surfaces, (GDestroyNotify) surface_free);
  g_mutex_clear (&pool->mutex);
  g_free (pool);
}

static cairo_surface_t *
new_cairo_surface (PlgSurface *pooled_surface)
{
  int width = pooled_surface->width * pooled_surface->scale,
      height = pooled_surface->height * pooled_surface->scale;
  cairo_surface_t *surface = cairo_image_surface_create_for_data (
      pooled_surface->pixels, CAIRO_FORMAT_ARGB32, width, height,
      cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width));

  cairo_surface_set_device_scale (surface, pooled_surface->scale, pooled_surface->scale);
  return surface;
}

static PlgSurface *
surface_new (int width, int height, int scale)
{
  PlgSurface *pooled_surface = g_new0 (PlgSurface, 1);
  int stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width * scale);

  pooled_surface->width = width;
  pooled_surface->height = height;
  pooled_surface->scale = scale;
  pooled_surface->size = (gsize) height * scale * stride;
  pooled_surface->pixels = new_pixels (pooled_surface->size);
  pooled_surface->painted = new_cairo_surface (pooled_surface);
  pooled_surface->shown = new_cairo_surface (pooled_surface);
  return pooled_surface;
}

static void
clear_pixels (PlgSurface *pooled_surface)
{
  cairo_t *cr = cairo_create (pooled_surface->painted);

  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  cairo_paint (cr);
  cairo_destroy (cr);
}

/* Those of another size were for another screen, or another window. */
static PlgSurface *
take_idle (PlgSurfacePool *pool, int width, int height, int scale)
{
  PlgSurface *pooled_surface;

  g_mutex_lock (&pool->mutex);
  while ((pooled_surface = g_queue_pop_head (&pool->idle_surfaces)) != NULL &&
         (pooled_surface->width != width || pooled_surface->height != height ||
          pooled_surface->scale != scale))
    surface_free (pooled_surface);
  g_mutex_unlock (&pool->mutex);
  return pooled_surface;
}

PlgSurface *
plg_surface_pool_take (PlgSurfacePool *pool, int width, int height, int scale)
{
  PlgSurface *pooled_surface = take_idle (pool, width, height, scale);

  if (pooled_surface != NULL)
    clear_pixels (pooled_surface);
  else
    pooled_surface = surface_new (width, height, scale);
  g_atomic_ref_count_inc (&pool->count);
  pooled_surface->pool = pool;
  return pooled_surface;
}

cairo_surface_t *
plg_surface_cairo (PlgSurface *pooled_surface)
{
  return pooled_surface->painted;
}

static void
return_to_pool (gpointer data)
{
  PlgSurface *pooled_surface = data;
  PlgSurfacePool *pool = pooled_surface->pool;
  gboolean is_full;

  g_mutex_lock (&pool->mutex);
  is_full = g_queue_get_length (&pool->idle_surfaces) >= MAX_IDLE_SURFACES;
  if (!is_full)
    g_queue_push_head (&pool->idle_surfaces, pooled_surface);
  g_mutex_unlock (&pool->mutex);
  if (is_full)
    surface_free (pooled_surface);
  plg_surface_pool_unref (pool);
}

/* A texture would be converted pixel by pixel, through floats, whenever the software renderer shows
 * it; the surface is copied as it is, and the other renderers upload it once. */
GskRenderNode *
plg_surface_to_node (PlgSurface *pooled_surface)
{
  static const cairo_user_data_key_t key;
  GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, pooled_surface->width,
                                                                 pooled_surface->height));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_flush (pooled_surface->painted);
  cairo_set_source_surface (cr, pooled_surface->shown, 0, 0);
  /* Enlarged, the tile must neither fade at its edge nor be smoothed at length. */
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_rectangle (cr, 0, 0, pooled_surface->width, pooled_surface->height);
  cairo_fill (cr);
  cairo_destroy (cr);
  /* The recording is finished before its data are freed. */
  cairo_surface_set_user_data (gsk_cairo_node_get_surface (node), &key, pooled_surface,
                               return_to_pool);
  return node;
}
