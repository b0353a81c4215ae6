/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/round-rect.h"

#include <math.h>

/* The distance from a corner of the rectangle to the control points of its quarter circle, as a
 * share of the radius: 1 - 4 (sqrt 2 - 1) / 3. */
#define QUARTER 0.44771525016920655

/* The maximum number of chords per quarter circle. All smaller numbers in use divide this
 * maximum, so they can share the table SINES, which has one entry per 7.5 degrees. */
#define MAX_CHORDS 12

static const double sines[MAX_CHORDS + 1] = {
  0.0,      0.130526, 0.258819, 0.382683, 0.5,      0.608761, 0.707107,
  0.793353, 0.866025, 0.923880, 0.965926, 0.991445, 1.0,
};

/* Returns the smallest number of chords per quarter circle with which every chord stays within a
 * tenth of a pixel of the arc. A tenth of a pixel is also Cairo's default tolerance. */
static int
chords_for (cairo_t *cr, double radius)
{
  /* The distance between a chord and its arc is 1 - cos (45 degrees / chords), as a share of the
   * radius. */
  static const struct
  {
    int chords;
    double distance;
  } rows[] = { { 2, 0.0762 }, { 3, 0.0341 }, { 4, 0.0193 }, { 6, 0.0086 } };
  double x = radius, y = 0.0, pixels;

  cairo_user_to_device_distance (cr, &x, &y);
  pixels = hypot (x, y);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (pixels * rows[i].distance <= 0.1)
      return rows[i].chords;
  return MAX_CHORDS;
}

/* Adds a quarter circle around MIDDLE, clockwise from the point MIDDLE + FIRST. */
static void
add_quarter (cairo_t *cr, PlgPoint middle, PlgPoint first, int chords)
{
  g_assert (chords > 0 && MAX_CHORDS % chords == 0);

  for (int i = 0; i <= MAX_CHORDS; i += MAX_CHORDS / chords)
    {
      double sine = sines[i], cosine = sines[MAX_CHORDS - i];

      cairo_line_to (cr, middle.x + cosine * first.x - sine * first.y,
                     middle.y + cosine * first.y + sine * first.x);
    }
}

void
plg_round_rect_add (cairo_t *cr, PlgRect rect, double radius)
{
  double corner = MIN (radius, MIN (rect.width, rect.height) / 2);

  if (!(corner > 0))
    {
      cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
      return;
    }
  /* With hundreds of corners in each frame, Cairo would spend most of its time flattening
   * curves, so replace the curves with chords. */
  if (cairo_get_antialias (cr) == CAIRO_ANTIALIAS_FAST)
    {
      double left = rect.x + corner, right = rect.x + rect.width - corner;
      double top = rect.y + corner, bottom = rect.y + rect.height - corner;
      int chords = chords_for (cr, corner);

      cairo_new_sub_path (cr);
      add_quarter (cr, (PlgPoint) { right, top }, (PlgPoint) { 0.0, -corner }, chords);
      add_quarter (cr, (PlgPoint) { right, bottom }, (PlgPoint) { corner, 0.0 }, chords);
      add_quarter (cr, (PlgPoint) { left, bottom }, (PlgPoint) { 0.0, corner }, chords);
      add_quarter (cr, (PlgPoint) { left, top }, (PlgPoint) { -corner, 0.0 }, chords);
    }
  else
    {
      double right = rect.x + rect.width, bottom = rect.y + rect.height, near = corner * QUARTER;

      cairo_move_to (cr, right - corner, rect.y);
      cairo_curve_to (cr, right - near, rect.y, right, rect.y + near, right, rect.y + corner);
      cairo_line_to (cr, right, bottom - corner);
      cairo_curve_to (cr, right, bottom - near, right - near, bottom, right - corner, bottom);
      cairo_line_to (cr, rect.x + corner, bottom);
      cairo_curve_to (cr, rect.x + near, bottom, rect.x, bottom - near, rect.x, bottom - corner);
      cairo_line_to (cr, rect.x, rect.y + corner);
      cairo_curve_to (cr, rect.x, rect.y + near, rect.x + near, rect.y, rect.x + corner, rect.y);
    }
  cairo_close_path (cr);
}
