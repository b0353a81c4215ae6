/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the window with pictures of it in tests/app/golden. `./dev goldens` makes the pictures
 * anew. */
#include "app-rig.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A pixel differs when a channel differs by more than this, of 255, after both pictures are
 * blurred. The blur evens out how letters and lines are rounded to pixels. */
#define CHANNEL_TOLERANCE 24
/* Largest share of pixels that may differ. */
#define PIXEL_TOLERANCE 0.005
/* Width of the border that GTK draws around a window on a server without a compositor. */
#define BORDER 5
/* The window is at rest when this many pictures in a row are the same. */
#define PICTURES_OF_REST 25
#define TIME_BETWEEN_PICTURES (20 * G_TIME_SPAN_MILLISECOND)

typedef struct
{
  const char *look; /* value of PLG_GOLDEN_LOOK */
  int width;
  int height;
} Golden;

static const Golden goldens[] = {
  { "light", 1600, 1000 }, { "light", 1280, 800 },    { "light", 1024, 768 },
  { "dark", 1280, 800 },   { "contrast", 1280, 800 },
};

static PlgApplication *application;

/* Paints WIDGET with Cairo, as the renderer of the tests does, in device pixels. */
static cairo_surface_t *
paint_widget (GtkWidget *widget)
{
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  GdkPaintable *paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    {
      gsk_render_node_draw (node, cr);
      gsk_render_node_unref (node);
    }
  cairo_surface_flush (surface);
  cairo_destroy (cr);
  g_object_unref (paintable);
  return surface;
}

static gsize
surface_size (cairo_surface_t *surface)
{
  return (gsize) cairo_image_surface_get_stride (surface) *
         cairo_image_surface_get_height (surface);
}

static gboolean
surfaces_equal (cairo_surface_t *a, cairo_surface_t *b)
{
  return surface_size (a) == surface_size (b) &&
         memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b),
                 surface_size (a)) == 0;
}

/* Paints WINDOW until nothing in it changes, at most for 500 pictures. Between two pictures the main
 * loop runs for a while, because labels change in idle callbacks, which wait while frames are due. */
static cairo_surface_t *
paint_window_at_rest (GtkWidget *window)
{
  cairo_surface_t *surface = paint_widget (window);
  int same = 0;

  for (int i = 0; i < 500 && same < PICTURES_OF_REST; i++)
    {
      gint64 end = g_get_monotonic_time () + TIME_BETWEEN_PICTURES;
      cairo_surface_t *next;

      while (g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
      next = paint_widget (window);
      same = surfaces_equal (surface, next) ? same + 1 : 0;
      cairo_surface_destroy (surface);
      surface = next;
    }
  g_assert_cmpint (same, ==, PICTURES_OF_REST);
  return surface;
}

/* Channel CHANNEL of SURFACE at X, Y, blurred: the sum of two by two pixels. */
static int
blurred (cairo_surface_t *surface, int x, int y, int channel)
{
  const guchar *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  const guchar *pixel = data + (gsize) y * stride + 4 * x + channel;

  return pixel[0] + pixel[4] + pixel[stride] + pixel[stride + 4];
}

/* Share of the pixels that differ between two surfaces of the same size. */
static double
differing_share (cairo_surface_t *a, cairo_surface_t *b)
{
  int width = cairo_image_surface_get_width (a) - 1;
  int height = cairo_image_surface_get_height (a) - 1;
  /* CAIRO_FORMAT_RGB24: the byte without a colour is the last or the first. */
  int first_channel = G_BYTE_ORDER == G_LITTLE_ENDIAN ? 0 : 1;
  gsize differing = 0;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int channel = first_channel; channel < first_channel + 3; channel++)
        if (abs (blurred (a, x, y, channel) - blurred (b, x, y, channel)) > 4 * CHANNEL_TOLERANCE)
          {
            differing++;
            break;
          }
  return (double) differing / ((double) width * height);
}

static char *
golden_path (GTestFileType type, const Golden *golden)
{
  g_autofree char *name = g_strdup_printf ("window-%dx%d-%s.png", golden->width, golden->height,
                                           golden->look);

  return g_test_build_filename (type, "app", "golden", name, NULL);
}

/* Keeps 5 bits of each channel of SURFACE: the file gets half as large, and a channel changes by
 * less than a third of the tolerance. */
static void
reduce_colours (cairo_surface_t *surface)
{
  guchar *data = cairo_image_surface_get_data (surface);

  for (gsize i = 0; i < surface_size (surface); i++)
    data[i] = (data[i] & 0xf8) | (data[i] >> 5);
  cairo_surface_mark_dirty (surface);
}

static void
write_surface (cairo_surface_t *surface, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
}

static void
compare_with_golden (cairo_surface_t *surface, const Golden *golden)
{
  g_autofree char *expected = golden_path (G_TEST_DIST, golden);
  g_autofree char *actual = golden_path (G_TEST_BUILT, golden);
  cairo_surface_t *stored;
  double share = 1;

  if (g_getenv ("PLG_MAKE_GOLDENS") != NULL)
    {
      reduce_colours (surface);
      write_surface (surface, expected);
      return;
    }
  stored = cairo_image_surface_create_from_png (expected);
  if (cairo_surface_status (stored) != CAIRO_STATUS_SUCCESS)
    g_test_message ("%s cannot be read; ./dev goldens makes it", expected);
  else if (cairo_image_surface_get_width (stored) != cairo_image_surface_get_width (surface) ||
           cairo_image_surface_get_height (stored) != cairo_image_surface_get_height (surface))
    g_test_message ("The window has another size than %s", expected);
  else
    {
      /* A PNG with an alpha channel would be read in another format. */
      g_assert_cmpint (cairo_image_surface_get_format (stored), ==, CAIRO_FORMAT_RGB24);
      share = differing_share (stored, surface);
    }
  cairo_surface_destroy (stored);
  if (share > PIXEL_TOLERANCE)
    {
      write_surface (surface, actual);
      g_printerr ("# %.2f %% of the pixels differ from %s. The window is in %s. If it is meant to "
                  "look like this, run ./dev goldens.\n",
                  share * 100, expected, actual);
      g_test_fail ();
    }
}

static void
test_window (gconstpointer data)
{
  const Golden *golden = data;
  PlgWindow *window = plg_window_new (application);
  cairo_surface_t *surface;

  gtk_window_set_default_size (GTK_WINDOW (window), golden->width + 2 * BORDER,
                               golden->height + 2 * BORDER);
  gtk_window_present (GTK_WINDOW (window));
  rig_until (gtk_widget_get_mapped (GTK_WIDGET (plg_window_canvas (window))));
  rig_next_frame (GTK_WIDGET (window));
  surface = paint_window_at_rest (GTK_WIDGET (window));
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, golden->width);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, golden->height);
  compare_with_golden (surface, golden);
  cairo_surface_destroy (surface);
  rig_close (GTK_WINDOW (window));
}

int
main (int argc, char *argv[])
{
  const char *look = g_getenv ("PLG_GOLDEN_LOOK");
  int status;

  application = app_rig_application (&argc, &argv);
  if (application == NULL)
    return 0;
  if (gtk_get_major_version () != 4 || gtk_get_minor_version () != 8)
    {
      g_print ("1..0 # SKIP The pictures show the widgets of GTK 4.8\n");
      return 0;
    }
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, "gtk-font-name", "DejaVu Sans 10", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++)
    if (strcmp (goldens[i].look, look != NULL ? look : "light") == 0)
      {
        g_autofree char *path = g_strdup_printf ("/golden/%s/%dx%d", goldens[i].look,
                                                 goldens[i].width, goldens[i].height);

        g_test_add_data_func (path, &goldens[i], test_window);
      }
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
