/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hatches are computed areas; each pixel must equal lines drawn through a clip. */
#include "config.h"

#include "drawing/figure/hatch.h"
#include "drawing/figure/round-rect.h"

#include <math.h>

#define SIDE 96

static cairo_t *
new_picture (void)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);

  cairo_surface_destroy (surface);
  return cr;
}

/* Draws the lines on which A x + B y is a multiple of the spacing. */
static void
draw_lines (cairo_t *cr, double a, double b)
{
  double length = hypot (a, b);

  for (double value = -4 * SIDE * PLG_HATCH_SPACING; value < 4 * SIDE * PLG_HATCH_SPACING;
       value += PLG_HATCH_SPACING)
    {
      double x = value * a / (length * length), y = value * b / (length * length);

      cairo_move_to (cr, x + 4 * SIDE * b, y - 4 * SIDE * a);
      cairo_line_to (cr, x - 4 * SIDE * b, y + 4 * SIDE * a);
    }
}

static void
draw_clipped (cairo_t *cr, PlgRect rect, double radius, PlgHatchLines lines, double width)
{
  plg_round_rect_add (cr, rect, radius);
  cairo_clip (cr);
  if (lines & PLG_HATCH_RISING)
    draw_lines (cr, 1, 1);
  if (lines & PLG_HATCH_FALLING)
    draw_lines (cr, 1, -1);
  if (lines & PLG_HATCH_LEVEL)
    draw_lines (cr, 0, 1);
  if (lines & PLG_HATCH_UPRIGHT)
    draw_lines (cr, 1, 0);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

/* Returns the greatest difference of a pixel, of 255; MEAN gets the average. */
static int
difference (cairo_t *one, cairo_t *other, double *mean)
{
  cairo_surface_t *a = cairo_get_target (one), *b = cairo_get_target (other);
  int stride = cairo_image_surface_get_stride (a), most = 0;
  double sum = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      int at = i / SIDE * stride + i % SIDE;
      int by = abs (cairo_image_surface_get_data (a)[at] - cairo_image_surface_get_data (b)[at]);

      most = MAX (most, by);
      sum += by;
    }
  *mean = sum / (SIDE * SIDE);
  return most;
}

static void
check (PlgRect rect, double radius, int hatch)
{
  cairo_t *computed = new_picture (), *clipped = new_picture ();
  PlgHatchLines lines = plg_hatch_lines (hatch);
  double mean;
  int most;

  plg_hatch_add (computed, rect, radius, lines, 1.5);
  cairo_fill (computed);
  draw_clipped (clipped, rect, radius, lines, 1.5);
  most = difference (computed, clipped, &mean);
  g_test_message ("hatch %d, radius %g: most %d, mean %g", hatch, radius, most, mean);
  /* Edges that are smoothed twice, by the line and by the clip, are slightly paler. */
  g_assert_cmpint (most, <, 60);
  g_assert_cmpfloat (mean, <, 1.5);
  cairo_destroy (computed);
  cairo_destroy (clipped);
}

static void
test_as_clipped (void)
{
  static const PlgRect rects[] = {
    { 8, 8, 80, 80 },
    { 10.3, 20.7, 60.2, 9.4 },
    { 40, 3, 4, 90 },
    { 30, 30, 1.5, 1.5 },
  };
  static const double radii[] = { 0, 2, 4.7, 12 };

  for (guint i = 0; i < G_N_ELEMENTS (rects); i++)
    for (guint j = 0; j < G_N_ELEMENTS (radii); j++)
      for (int hatch = 1; hatch <= 7; hatch++)
        check (rects[i], radii[j], hatch);
}

/* An empty rectangle, or an invisible hatch. */
static void
test_nothing (void)
{
  cairo_t *cr = new_picture ();

  plg_hatch_add (cr, (PlgRect) { 5, 5, 0, 0 }, 3, PLG_HATCH_RISING, 1);
  plg_hatch_add (cr, (PlgRect) { 5, 5, 20, 20 }, 3, 0, 1);
  cairo_fill (cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hatch/as-clipped", test_as_clipped);
  g_test_add_func ("/hatch/nothing", test_nothing);
  return g_test_run ();
}
