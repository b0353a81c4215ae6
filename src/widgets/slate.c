/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/slate.h"

#include <errno.h>
#include <sys/mman.h>

/* So many wait to be painted again: about the tiles of a screen. */
#define WAITING 32

struct _PlgSlateRack
{
  gatomicrefcount count;
  GMutex mutex;
  GQueue waiting; /* PlgSlate */
};

/* Two surfaces of the same pixels. When one that is shown is painted on or destroyed, Cairo first
 * copies it for whoever recorded it, so the one that is shown is, as far as Cairo knows, never
 * painted on: its pixels change only when nobody shows them. */
struct _PlgSlate
{
  PlgSlateRack *rack;
  int width, height, scale;
  gsize size; /* of the pixels, in bytes */
  guchar *pixels;
  cairo_surface_t *painted, *shown;
};

PlgSlateRack *
plg_slate_rack_new (void)
{
  PlgSlateRack *rack = g_new0 (PlgSlateRack, 1);

  g_atomic_ref_count_init (&rack->count);
  g_mutex_init (&rack->mutex);
  g_queue_init (&rack->waiting);
  return rack;
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
slate_free (PlgSlate *slate)
{
  cairo_surface_destroy (slate->painted);
  cairo_surface_destroy (slate->shown);
  munmap (slate->pixels, slate->size);
  g_free (slate);
}

void
plg_slate_rack_unref (PlgSlateRack *rack)
{
  if (!g_atomic_ref_count_dec (&rack->count))
    return;
  g_queue_clear_full (&rack->waiting, (GDestroyNotify) slate_free);
  g_mutex_clear (&rack->mutex);
  g_free (rack);
}

static cairo_surface_t *
surface_of (PlgSlate *slate)
{
  int width = slate->width * slate->scale, height = slate->height * slate->scale;
  cairo_surface_t *surface = cairo_image_surface_create_for_data (
      slate->pixels, CAIRO_FORMAT_ARGB32, width, height,
      cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width));

  cairo_surface_set_device_scale (surface, slate->scale, slate->scale);
  return surface;
}

static PlgSlate *
slate_new (int width, int height, int scale)
{
  PlgSlate *slate = g_new0 (PlgSlate, 1);
  int stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width * scale);

  slate->width = width;
  slate->height = height;
  slate->scale = scale;
  slate->size = (gsize) height * scale * stride;
  slate->pixels = new_pixels (slate->size);
  slate->painted = surface_of (slate);
  slate->shown = surface_of (slate);
  return slate;
}

static void
wipe (PlgSlate *slate)
{
  cairo_t *cr = cairo_create (slate->painted);

  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  cairo_paint (cr);
  cairo_destroy (cr);
}

/* Those of another size were for another screen, or another window. */
static PlgSlate *
take_waiting (PlgSlateRack *rack, int width, int height, int scale)
{
  PlgSlate *slate;

  g_mutex_lock (&rack->mutex);
  while ((slate = g_queue_pop_head (&rack->waiting)) != NULL &&
         (slate->width != width || slate->height != height || slate->scale != scale))
    slate_free (slate);
  g_mutex_unlock (&rack->mutex);
  return slate;
}

PlgSlate *
plg_slate_take (PlgSlateRack *rack, int width, int height, int scale)
{
  PlgSlate *slate = take_waiting (rack, width, height, scale);

  if (slate != NULL)
    wipe (slate);
  else
    slate = slate_new (width, height, scale);
  g_atomic_ref_count_inc (&rack->count);
  slate->rack = rack;
  return slate;
}

cairo_surface_t *
plg_slate_surface (PlgSlate *slate)
{
  return slate->painted;
}

static void
put_back (gpointer data)
{
  PlgSlate *slate = data;
  PlgSlateRack *rack = slate->rack;
  gboolean is_full;

  g_mutex_lock (&rack->mutex);
  is_full = g_queue_get_length (&rack->waiting) >= WAITING;
  if (!is_full)
    g_queue_push_head (&rack->waiting, slate);
  g_mutex_unlock (&rack->mutex);
  if (is_full)
    slate_free (slate);
  plg_slate_rack_unref (rack);
}

/* A texture would be converted pixel by pixel, through floats, whenever the software renderer shows
 * it; the surface is copied as it is, and the other renderers upload it once. */
GskRenderNode *
plg_slate_show (PlgSlate *slate)
{
  static const cairo_user_data_key_t key;
  GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, slate->width,
                                                                 slate->height));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_flush (slate->painted);
  cairo_set_source_surface (cr, slate->shown, 0, 0);
  /* Enlarged, the tile must neither fade at its edge nor be smoothed at length. */
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_rectangle (cr, 0, 0, slate->width, slate->height);
  cairo_fill (cr);
  cairo_destroy (cr);
  /* The recording is finished before its data are freed. */
  cairo_surface_set_user_data (gsk_cairo_node_get_surface (node), &key, slate, put_back);
  return node;
}
