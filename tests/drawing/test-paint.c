/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/paint.h"

#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/round-rect.h"
#include "drawing/figure/text.h"

#include <math.h>
#include <string.h>

#define SIZE 100
#define WHITE 0xffffffu
#define RED 0xff0000u
#define BLUE 0x0000ffu

/* A white image on which a figure is painted. */
typedef struct
{
  PlgFigure *figure;
  PlgTheme theme;
  cairo_surface_t *surface;
  cairo_t *cr;
} Paper;

static void
set_up (Paper *paper, gconstpointer data)
{
  paper->figure = plg_figure_new (SIZE, SIZE);
  plg_theme_init (&paper->theme, PLG_PALETTE_LIGHT);
  paper->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
  paper->cr = cairo_create (paper->surface);
  cairo_set_source_rgb (paper->cr, 1, 1, 1);
  cairo_paint (paper->cr);
}

static void
tear_down (Paper *paper, gconstpointer data)
{
  g_assert_cmpint (cairo_status (paper->cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (paper->cr);
  cairo_surface_destroy (paper->surface);
  plg_figure_unref (paper->figure);
}

static void
paint (Paper *paper, PlgLayers layers, const PlgRect *clip)
{
  plg_paint (paper->cr, paper->figure, &paper->theme, layers, clip);
  cairo_surface_flush (paper->surface);
}

static guint32
pixel (Paper *paper, int x, int y)
{
  const unsigned char *row = cairo_image_surface_get_data (paper->surface) +
                             y * cairo_image_surface_get_stride (paper->surface);
  guint32 value;

  memcpy (&value, row + 4 * x, sizeof value);
  return value & 0xffffff;
}

/* Counts the pixels in RECT that are not white. */
static int
count_ink (Paper *paper, PlgRect rect)
{
  int ink = 0;

  for (int y = (int) rect.y; y < rect.y + rect.height; y++)
    for (int x = (int) rect.x; x < rect.x + rect.width; x++)
      ink += pixel (paper, x, y) != WHITE;
  return ink;
}

static PlgShape *
add_rect (Paper *paper, double x, double y, double width, double height, guint32 rgb)
{
  return plg_figure_rect (paper->figure, x, y, width, height, 0, plg_color_from_rgb (rgb));
}

static void
test_fill (Paper *paper, gconstpointer data)
{
  add_rect (paper, 10, 10, 30, 30, RED);
  add_rect (paper, 30, 30, 30, 30, BLUE);
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmphex (pixel (paper, 20, 20), ==, RED);
  g_assert_cmphex (pixel (paper, 35, 35), ==, BLUE);
  g_assert_cmphex (pixel (paper, 70, 70), ==, WHITE);
}

/* In the quick mode for screens, no edge is more than a quarter of a pixel from its exact
 * position, in any direction. */
static void
test_quick_mode (Paper *paper, gconstpointer data)
{
  PlgColor ink = plg_color_from_rgb (BLUE);
  PlgShape *shape;
  guint32 slow[SIZE * SIZE];
  int most = 0;

  for (int i = 0; i < 4; i++)
    {
      shape = add_rect (paper, 5.3 + 23 * i, 8.6, 18.4, 30.2, RED);
      shape->radius = 3 * i;
      shape->stroke = ink;
      shape->stroke_width = 0.8 + i;
    }
  plg_figure_line (paper->figure, 10, 50, 90, 95, ink, 3);
  plg_figure_line (paper->figure, 10, 95, 90, 95, ink, 2)->dashed = PLG_DASH_SHORT;
  add_rect (paper, 60, 45, 20, 20, RED)->hatch = 1;
  paint (paper, PLG_LAYERS_ALL, NULL);
  for (int i = 0; i < SIZE * SIZE; i++)
    slow[i] = pixel (paper, i % SIZE, i / SIZE);
  cairo_set_source_rgb (paper->cr, 1, 1, 1);
  cairo_paint (paper->cr);
  plg_paint_on_screen (paper->cr, paper->figure, &paper->theme, PLG_LAYERS_ALL);
  cairo_surface_flush (paper->surface);
  for (int i = 0; i < SIZE * SIZE; i++)
    for (int shift = 0; shift < 24; shift += 8)
      most = MAX (most, ABS ((int) (slow[i] >> shift & 0xff) -
                             (int) (pixel (paper, i % SIZE, i / SIZE) >> shift & 0xff)));
  g_assert_cmpint (most, >, 0);
  g_assert_cmpint (most, <, (int) (255 * (1 - 0.75 * 0.75)));
}

/* Returns the distance [pixels] of the middle between two points of the corner around MIDDLE
 * from its arc; points are stored in 256ths of a pixel. */
static double
away_from_arc (PlgPoint a, PlgPoint b, PlgPoint middle, double radius)
{
  return fabs (hypot ((a.x + b.x) / 2 - middle.x, (a.y + b.y) / 2 - middle.y) - radius);
}

/* The chords are too short to be distinguished from curves. */
static void
test_quick_corners (Paper *paper, gconstpointer data)
{
  cairo_set_antialias (paper->cr, CAIRO_ANTIALIAS_FAST);
  for (double radius = 0.5; radius <= 40; radius *= 1.1)
    {
      PlgPoint last = { 0, 0 }, middle = { SIZE - radius, radius };
      int n = 0;
      cairo_path_t *path;

      cairo_new_path (paper->cr);
      plg_round_rect_add (paper->cr, (PlgRect) { 0, 0, SIZE, SIZE }, radius);
      path = cairo_copy_path (paper->cr);
      for (int i = 0; i < path->num_data; i += path->data[i].header.length)
        {
          cairo_path_data_t *to = path->data + i;

          g_assert_cmpint (to->header.type, !=, CAIRO_PATH_CURVE_TO);
          if (to->header.type == CAIRO_PATH_LINE_TO && to[1].point.x > middle.x - 0.01 &&
              to[1].point.y < middle.y + 0.01 && n++ > 0)
            g_assert_cmpfloat (away_from_arc (last, (PlgPoint) { to[1].point.x, to[1].point.y },
                                              middle, radius),
                               <=, 0.11);
          if (to->header.length > 1)
            last = (PlgPoint) { to[1].point.x, to[1].point.y };
        }
      g_assert_cmpint (n, >=, 2);
      g_assert_cmpint (path->num_data, <=, 2 * (4 * 13 + 4));
      cairo_path_destroy (path);
    }
}

/* Each pixel of these rows differs from the previous one, in widths that fill an allocated
 * block: Cairo's quick converter wrote beyond its memory, and the program crashed later. */
static void
test_quick_mode_dense (Paper *paper, gconstpointer data)
{
  for (int i = 0; i < 1500; i++)
    {
      double zoom = g_test_rand_double_range (0.1, 0.5), width = g_test_rand_double_range (70, 99);
      g_autoptr (PlgFigure) figure = plg_figure_new (SIZE / zoom, SIZE / zoom);
      PlgShape *shape = plg_figure_rect (figure, 0.3 / zoom, 0.3 / zoom, width / zoom, 20 / zoom, 3,
                                         plg_color_from_rgb (RED));

      shape->stroke = plg_color_from_rgb (BLUE);
      shape->stroke_width = 1;
      shape->hatch = g_test_rand_int_range (1, 8);
      cairo_save (paper->cr);
      cairo_scale (paper->cr, zoom, zoom);
      plg_paint_on_screen (paper->cr, figure, &paper->theme, PLG_LAYERS_ALL);
      cairo_restore (paper->cr);
    }
}

static void
test_alpha (Paper *paper, gconstpointer data)
{
  add_rect (paper, 0, 0, 50, 50, RED)->fill.alpha = 0.5f;
  add_rect (paper, 50, 0, 50, 50, RED)->fill.alpha = 0;
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmphex (pixel (paper, 20, 20) >> 16, ==, 0xff);
  g_assert_cmpint (pixel (paper, 20, 20) & 0xff, >, 0x7d);
  g_assert_cmpint (pixel (paper, 20, 20) & 0xff, <, 0x82);
  g_assert_cmphex (pixel (paper, 70, 20), ==, WHITE);
}

static void
test_radius (Paper *paper, gconstpointer data)
{
  /* A radius that is too large turns a square into a circle. */
  add_rect (paper, 10, 10, 40, 40, RED)->radius = 1000;
  add_rect (paper, 60, 10, 30, 30, RED)->radius = -4;
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmphex (pixel (paper, 30, 30), ==, RED);
  g_assert_cmphex (pixel (paper, 12, 12), ==, WHITE);
  g_assert_cmphex (pixel (paper, 61, 11), ==, RED);
}

static void
test_stroke (Paper *paper, gconstpointer data)
{
  PlgShape *shape = add_rect (paper, 20, 20, 60, 60, WHITE);

  shape->stroke = plg_color_from_rgb (RED);
  shape->stroke_width = 4;
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmphex (pixel (paper, 19, 50), ==, RED);
  g_assert_cmphex (pixel (paper, 21, 50), ==, RED);
  g_assert_cmphex (pixel (paper, 23, 50), ==, WHITE);
  g_assert_cmphex (pixel (paper, 16, 50), ==, WHITE);
}

static void
test_dashes (Paper *paper, gconstpointer data)
{
  for (PlgDashes dashed = PLG_DASH_SHORT; dashed <= PLG_DASH_LONG; dashed++)
    {
      double y = 20.0 * dashed, x = 0, length[PLG_MAX_DASHES];
      PlgShape *line = plg_figure_line (paper->figure, 0, y, 100, y, plg_color_from_rgb (RED), 2);
      int n;

      line->dashed = dashed;
      n = plg_shape_dashes (line, length);
      paint (paper, PLG_LAYERS_ALL, NULL);
      g_assert_cmpint (n % 2, ==, 0);
      for (int i = 0; i < n; i++)
        {
          g_assert_cmphex (pixel (paper, (int) (x + length[i] / 2), (int) y), ==,
                           i % 2 == 0 ? RED : WHITE);
          x += length[i];
        }
    }
}

/* Each hatch is visible, has space between its lines, and stays inside its shape. */
static void
test_hatch (Paper *paper, gconstpointer data)
{
  for (int hatch = 1; hatch <= 5; hatch++)
    {
      PlgRect inside = { 18.0 * hatch - 13, 20, 14, 60 };
      PlgShape *shape = add_rect (paper, inside.x, inside.y, inside.width, inside.height, WHITE);

      shape->hatch = hatch;
      shape->stroke = plg_color_from_rgb (RED);
    }
  paint (paper, PLG_LAYERS_ALL, NULL);
  for (int hatch = 1; hatch <= 5; hatch++)
    {
      int ink = count_ink (paper, (PlgRect) { 18.0 * hatch - 13, 20, 14, 60 });

      g_assert_cmpint (ink, >, 14 * 60 / 10);
      g_assert_cmpint (ink, <, 14 * 60 * 9 / 10);
      g_assert_cmpint (count_ink (paper, (PlgRect) { 18.0 * hatch + 2, 20, 2, 60 }), ==, 0);
    }
  g_assert_cmpint (count_ink (paper, (PlgRect) { 0, 0, SIZE, 20 }), ==, 0);
}

static void
test_arrow (Paper *paper, gconstpointer data)
{
  plg_figure_line (paper->figure, 10, 50, 90, 50, plg_color_from_rgb (RED), 2)->arrow = TRUE;
  paint (paper, PLG_LAYERS_ALL, NULL);
  /* The arrow is wider than its line before the tip, and nothing lies beyond the tip. */
  g_assert_cmphex (pixel (paper, 83, 52), ==, RED);
  g_assert_cmphex (pixel (paper, 60, 52), ==, WHITE);
  g_assert_cmpint (count_ink (paper, (PlgRect) { 91, 40, 9, 20 }), ==, 0);
}

static void
test_curve (Paper *paper, gconstpointer data)
{
  const PlgPoint points[] = { { 0, 0 }, { 0, 100 }, { 100, 100 }, { 100, 0 } };

  plg_figure_path (paper->figure, points, 4, plg_color_from_rgb (RED), 4)->smooth = TRUE;
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmphex (pixel (paper, 50, 74), ==, RED);
  g_assert_cmphex (pixel (paper, 50, 98), ==, WHITE);
}

static void
test_layers (Paper *paper, gconstpointer data)
{
  for (int layer = 0; layer < PLG_N_LAYERS; layer++)
    {
      plg_figure_set_layer (paper->figure, (PlgLayer) layer);
      add_rect (paper, 20 * layer, 0, 20, 100, RED);
    }
  paint (paper, 1u << PLG_LAYER_LINKS | 1u << PLG_LAYER_LEGEND, NULL);
  for (int layer = 0; layer < PLG_N_LAYERS; layer++)
    {
      gboolean wanted = layer == PLG_LAYER_LINKS || layer == PLG_LAYER_LEGEND;

      g_assert_cmphex (pixel (paper, 20 * layer + 10, 50), ==, wanted ? RED : WHITE);
    }
}

static void
test_handles_are_not_exported (Paper *paper, gconstpointer data)
{
  plg_figure_set_layer (paper->figure, PLG_LAYER_HANDLES);
  add_rect (paper, 0, 0, 100, 100, RED);
  paint (paper, PLG_LAYERS_EXPORT, NULL);
  g_assert_cmpint (count_ink (paper, (PlgRect) { 0, 0, SIZE, SIZE }), ==, 0);
}

static void
test_clip (Paper *paper, gconstpointer data)
{
  PlgRect clip = { 0, 0, 45, 100 };

  add_rect (paper, 10, 10, 20, 20, RED);
  add_rect (paper, 60, 10, 20, 20, RED);
  /* The stroke reaches into the clip although the points do not. */
  plg_figure_line (paper->figure, 50, 40, 50, 90, plg_color_from_rgb (RED), 20);
  paint (paper, PLG_LAYERS_ALL, &clip);
  g_assert_cmphex (pixel (paper, 20, 20), ==, RED);
  g_assert_cmphex (pixel (paper, 70, 20), ==, WHITE);
  g_assert_cmphex (pixel (paper, 43, 60), ==, RED);
}

/* All letters lie within the bounds of the text, except for small overhangs. */
static void
test_text (Paper *paper, gconstpointer data)
{
  for (int anchor = PLG_ANCHOR_START; anchor <= PLG_ANCHOR_END; anchor++)
    {
      const PlgShape *text = plg_figure_text (paper->figure, 50, 25 + 30 * anchor,
                                              (PlgAnchor) anchor, 12, anchor == PLG_ANCHOR_END,
                                              plg_color_from_rgb (BLUE), "GPU 17");
      PlgRect bounds = text->rect;
      int before = count_ink (paper, (PlgRect) { 0, 0, SIZE, SIZE });

      paint (paper, PLG_LAYERS_ALL, NULL);
      g_assert_cmpint (count_ink (paper, bounds), >, 60);
      g_assert_cmpint (count_ink (paper, (PlgRect) { 0, 0, SIZE, SIZE }), >, before);
      g_assert_cmpint (count_ink (paper, (PlgRect) { 0, bounds.y, bounds.x - 1, 12 }), ==, 0);
    }
}

static void
test_bold_is_bolder (Paper *paper, gconstpointer data)
{
  plg_figure_text (paper->figure, 5, 40, PLG_ANCHOR_START, 20, FALSE, plg_color_from_rgb (0),
                   "HHH");
  plg_figure_text (paper->figure, 5, 90, PLG_ANCHOR_START, 20, TRUE, plg_color_from_rgb (0), "HHH");
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmpint (count_ink (paper, (PlgRect) { 0, 50, SIZE, 50 }), >,
                   count_ink (paper, (PlgRect) { 0, 0, SIZE, 50 }));
}

/* An invalid shape is left out, and the shapes after it are drawn. */
static void
test_hostile (Paper *paper, gconstpointer data)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e18, -1e18 };
  PlgColor red = plg_color_from_rgb (RED);

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      add_rect (paper, odd[i], 0, 10, 10, RED)->hatch = 5;
      add_rect (paper, 0, 0, odd[i], odd[i], RED)->hatch = 1;
      plg_figure_line (paper->figure, odd[i], 0, 10, odd[i], red, 1)->arrow = TRUE;
      plg_figure_line (paper->figure, 200, 200, 210, 210, red, odd[i]);
      plg_figure_text (paper->figure, 200, 200, PLG_ANCHOR_START, odd[i], FALSE, red, "x");
      plg_figure_text (paper->figure, odd[i], 200, PLG_ANCHOR_END, 9, FALSE, red, "x");
    }
  plg_figure_path (paper->figure, NULL, 0, red, 1)->arrow = TRUE;
  plg_figure_line (paper->figure, 200, 200, 200, 200, red, 1)->arrow = TRUE;
  plg_figure_text (paper->figure, 200, 200, PLG_ANCHOR_START, 0, FALSE, red, "x");
  plg_figure_text (paper->figure, 20, 20, PLG_ANCHOR_START, 1e-300, FALSE, red, "x");
  plg_figure_text (paper->figure, 200, 200, PLG_ANCHOR_START, -3, FALSE, red, "x");
  add_rect (paper, 90, 90, -50, -50, RED);
  add_rect (paper, 0, 50, 50, 50, BLUE);
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmpint (cairo_status (paper->cr), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmphex (pixel (paper, 25, 75), ==, BLUE);
}

/* The painter restores the context and follows its transformation. */
static void
test_transformation (Paper *paper, gconstpointer data)
{
  cairo_matrix_t before, after;

  add_rect (paper, 10, 10, 10, 10, RED);
  plg_figure_text (paper->figure, 1, 8, PLG_ANCHOR_START, 6, FALSE, plg_color_from_rgb (0), "x");
  cairo_translate (paper->cr, 20, 0);
  cairo_scale (paper->cr, 3, 3);
  cairo_get_matrix (paper->cr, &before);
  paint (paper, PLG_LAYERS_ALL, NULL);
  cairo_get_matrix (paper->cr, &after);
  g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
  g_assert_cmphex (pixel (paper, 52, 32), ==, RED);
  g_assert_cmphex (pixel (paper, 78, 58), ==, RED);
  g_assert_cmphex (pixel (paper, 15, 15), ==, WHITE);
}

static void
test_repeatable (Paper *paper, gconstpointer data)
{
  g_autofree guchar *first = NULL;
  gsize size = (gsize) cairo_image_surface_get_stride (paper->surface) * SIZE;

  add_rect (paper, 10.3, 10.7, 33.3, 33.3, RED)->radius = 5;
  plg_figure_text (paper->figure, 12.5, 70.2, PLG_ANCHOR_START, 13, TRUE, plg_color_from_rgb (0),
                   "stage 3");
  paint (paper, PLG_LAYERS_ALL, NULL);
  first = g_memdup2 (cairo_image_surface_get_data (paper->surface), size);
  cairo_set_source_rgb (paper->cr, 1, 1, 1);
  cairo_paint (paper->cr);
  paint (paper, PLG_LAYERS_ALL, NULL);
  g_assert_cmpmem (first, size, cairo_image_surface_get_data (paper->surface), size);
}

static void
add (const char *path, void (*test) (Paper *paper, gconstpointer data))
{
  g_test_add (path, Paper, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/paint/fill", test_fill);
  add ("/paint/quick-mode", test_quick_mode);
  add ("/paint/quick-corners", test_quick_corners);
  add ("/paint/quick-mode-dense", test_quick_mode_dense);
  add ("/paint/alpha", test_alpha);
  add ("/paint/radius", test_radius);
  add ("/paint/stroke", test_stroke);
  add ("/paint/dashes", test_dashes);
  add ("/paint/hatch", test_hatch);
  add ("/paint/arrow", test_arrow);
  add ("/paint/curve", test_curve);
  add ("/paint/layers", test_layers);
  add ("/paint/handles-are-not-exported", test_handles_are_not_exported);
  add ("/paint/clip", test_clip);
  add ("/paint/text", test_text);
  add ("/paint/bold-is-bolder", test_bold_is_bolder);
  add ("/paint/hostile", test_hostile);
  add ("/paint/transformation", test_transformation);
  add ("/paint/repeatable", test_repeatable);
  return g_test_run ();
}
