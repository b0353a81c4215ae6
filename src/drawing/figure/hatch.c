/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/hatch.h"

#include <math.h>

/* Each line is what lies between two parallels of a convex outline, so it is cut out of that by one
 * after the other. */

/* Five corners for each of a rectangle's, and one more for each of two cuts. */
#define MAX_CORNERS 22

/* A convex area. */
typedef struct
{
  PlgPoint corners[MAX_CORNERS];
  int n;
} Polygon;

/* The value that lines of one direction have at a point, equal all along a line. */
typedef struct
{
  double x, y;
} Slope;

static double
value_at (Slope slope, PlgPoint point)
{
  return slope.x * point.x + slope.y * point.y;
}

static void
add_corner (Polygon *polygon, double x, double y)
{
  if (polygon->n < MAX_CORNERS)
    polygon->corners[polygon->n++] = (PlgPoint) { x, y };
}

/* A quarter of the circle around X, Y, from FIRST on, which counts from there, clockwise: four
 * chords, which are nowhere farther from it than a fiftieth of the radius. */
static void
add_quarter (Polygon *polygon, double x, double y, PlgPoint first)
{
  static const double sines[] = { 0.0, 0.382683, 0.707107, 0.923880, 1.0 };

  for (int i = 0; i < 5; i++)
    add_corner (polygon, x + sines[4 - i] * first.x - sines[i] * first.y,
                y + sines[4 - i] * first.y + sines[i] * first.x);
}

static Polygon
polygon_of (PlgRect r, double radius)
{
  double round = CLAMP (radius, 0, MIN (r.width, r.height) / 2);
  double left = r.x + round, right = r.x + r.width - round;
  double top = r.y + round, bottom = r.y + r.height - round;
  Polygon polygon = { .n = 0 };

  if (!(round > 0))
    return (Polygon) { { { r.x, r.y }, { right, r.y }, { right, bottom }, { r.x, bottom } }, 4 };
  add_quarter (&polygon, right, top, (PlgPoint) { 0, -round });
  add_quarter (&polygon, right, bottom, (PlgPoint) { round, 0 });
  add_quarter (&polygon, left, bottom, (PlgPoint) { 0, round });
  add_quarter (&polygon, left, top, (PlgPoint) { -round, 0 });
  return polygon;
}

/* What of AREA has a value of LEAST or more. */
static Polygon
clip_polygon (const Polygon *polygon, Slope slope, double least)
{
  Polygon left = { .n = 0 };

  for (int i = 0; i < polygon->n; i++)
    {
      PlgPoint from = polygon->corners[i], to = polygon->corners[(i + 1) % polygon->n];
      double over = value_at (slope, from) - least, next = value_at (slope, to) - least;

      if (over >= 0)
        add_corner (&left, from.x, from.y);
      if ((over < 0) != (next < 0))
        add_corner (&left, from.x + (to.x - from.x) * over / (over - next),
                    from.y + (to.y - from.y) * over / (over - next));
    }
  return left;
}

static void
add_polygon (cairo_t *cr, const Polygon *polygon)
{
  if (polygon->n < 3)
    return;
  cairo_move_to (cr, polygon->corners[0].x, polygon->corners[0].y);
  for (int i = 1; i < polygon->n; i++)
    cairo_line_to (cr, polygon->corners[i].x, polygon->corners[i].y);
  cairo_close_path (cr);
}

/* Lines on which SLOPE's value is a multiple of the spacing. */
static void
add_lines (cairo_t *cr, const Polygon *polygon, Slope slope, double width)
{
  double half = width / 2 * hypot (slope.x, slope.y), low = INFINITY, high = -INFINITY;

  for (int i = 0; i < polygon->n; i++)
    {
      low = MIN (low, value_at (slope, polygon->corners[i]));
      high = MAX (high, value_at (slope, polygon->corners[i]));
    }
  for (double at = ceil ((low - half) / PLG_HATCH_SPACING) * PLG_HATCH_SPACING; at < high + half;
       at += PLG_HATCH_SPACING)
    {
      Polygon upper = clip_polygon (polygon, slope, at - half);
      Polygon line = clip_polygon (&upper, (Slope) { -slope.x, -slope.y }, -(at + half));

      add_polygon (cr, &line);
    }
}

void
plg_hatch_add (cairo_t *cr, PlgRect rect, double radius, PlgHatchLines lines, double width)
{
  Polygon polygon = polygon_of (rect, radius);

  g_return_if_fail (cr != NULL);

  if (lines & PLG_HATCH_RISING)
    add_lines (cr, &polygon, (Slope) { 1, 1 }, width);
  if (lines & PLG_HATCH_FALLING)
    add_lines (cr, &polygon, (Slope) { 1, -1 }, width);
  if (lines & PLG_HATCH_LEVEL)
    add_lines (cr, &polygon, (Slope) { 0, 1 }, width);
  if (lines & PLG_HATCH_UPRIGHT)
    add_lines (cr, &polygon, (Slope) { 1, 0 }, width);
}
