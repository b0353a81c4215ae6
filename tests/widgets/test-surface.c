/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A node shows the content of its surface, however often the pixels are reused. */

#include "widgets/rendering/surface.h"

#include <unistd.h>

#define SIDE 16

static void
fill (PlgSurface *buffer, double red, double green, double width)
{
  cairo_t *cr = cairo_create (plg_surface_cairo (buffer));

  cairo_set_source_rgb (cr, red, green, 0);
  cairo_rectangle (cr, 0, 0, width, SIDE);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static guint32
pixel_of (GskRenderNode *node, int x)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  guint32 pixel;

  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixel = ((const guint32 *) (gconstpointer) cairo_image_surface_get_data (surface))[x];
  cairo_surface_destroy (surface);
  return pixel;
}

static void
test_shown (void)
{
  PlgSurfacePool *pool = plg_surface_pool_new ();
  PlgSurface *one = plg_surface_pool_take (pool, SIDE, SIDE, 1),
             *other = plg_surface_pool_take (pool, SIDE, SIDE, 1);
  GskRenderNode *red, *green;

  fill (one, 1, 0, SIDE);
  fill (other, 0, 1, SIDE);
  red = plg_surface_to_node (one);
  green = plg_surface_to_node (other);
  g_assert_cmphex (pixel_of (red, 0), ==, 0xffff0000);
  g_assert_cmphex (pixel_of (green, 0), ==, 0xff00ff00);
  /* The screen may show a node after the painting has ended. */
  plg_surface_pool_unref (pool);
  gsk_render_node_unref (red);
  g_assert_cmphex (pixel_of (green, 0), ==, 0xff00ff00);
  gsk_render_node_unref (green);
}

static void
test_painted_again (void)
{
  PlgSurfacePool *pool = plg_surface_pool_new ();
  GskRenderNode *last = NULL;

  for (int i = 0; i < 100; i++)
    {
      PlgSurface *buffer = plg_surface_pool_take (pool, SIDE, SIDE, 1);
      gboolean is_red = i % 2 == 0;
      GskRenderNode *node;

      fill (buffer, is_red, !is_red, SIDE / 2);
      node = plg_surface_to_node (buffer);
      g_assert_cmphex (pixel_of (node, 0), ==, is_red ? 0xffff0000 : 0xff00ff00);
      /* A reused surface is empty. */
      g_assert_cmphex (pixel_of (node, SIDE - 1), ==, 0);
      if (last != NULL)
        {
          g_assert_cmphex (pixel_of (last, 0), ==, is_red ? 0xff00ff00 : 0xffff0000);
          gsk_render_node_unref (last);
        }
      last = node;
    }
  gsk_render_node_unref (last);
  plg_surface_pool_unref (pool);
}

static void
test_another_scale (void)
{
  PlgSurfacePool *pool = plg_surface_pool_new ();

  for (int scale = 1; scale <= 3; scale++)
    {
      PlgSurface *buffer = plg_surface_pool_take (pool, SIDE, SIDE, scale);
      GskRenderNode *node;

      g_assert_cmpint (cairo_image_surface_get_width (plg_surface_cairo (buffer)), ==,
                       SIDE * scale);
      fill (buffer, 1, 0, SIDE);
      node = plg_surface_to_node (buffer);
      g_assert_cmphex (pixel_of (node, SIDE - 1), ==, 0xffff0000);
      gsk_render_node_unref (node);
    }
  plg_surface_pool_unref (pool);
}

/* A block of the heap starts after its size, so never at the start of a page. */
static void
test_outside_the_heap (void)
{
  PlgSurfacePool *pool = plg_surface_pool_new ();
  PlgSurface *buffer = plg_surface_pool_take (pool, SIDE, SIDE, 1);
  gsize at = (gsize) cairo_image_surface_get_data (plg_surface_cairo (buffer));

  g_assert_cmpuint (at % (gsize) sysconf (_SC_PAGESIZE), ==, 0);
  gsk_render_node_unref (plg_surface_to_node (buffer));
  plg_surface_pool_unref (pool);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/surface/shown", test_shown);
  g_test_add_func ("/surface/painted-again", test_painted_again);
  g_test_add_func ("/surface/another-scale", test_another_scale);
  g_test_add_func ("/surface/outside-the-heap", test_outside_the_heap);
  return g_test_run ();
}
