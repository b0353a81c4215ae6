/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/hatch.h"

#include <math.h>

/* A hatch line is the part of a convex outline between two parallel lines. The outline is
 * clipped first by one line, then by the other. */

/* Four rounded corners have five points each, and each of two clips adds at most one point. */
#define MAX_CORNERS 22

/* A convex area. */
typedef struct
{
  PlgPoint corners[MAX_CORNERS];
  int n;
} Polygon;

/* The coefficients of the linear function x · point.x + y · point.y. The function is constant
 * along every hatch line of one direction. */
typedef struct
{
  double x, y;
} Slope;

static double
slope_value (Slope slope, PlgPoint point)
{
  return slope.x * point.x + slope.y * point.y;
}

static void
polygon_add (Polygon *polygon, double x, double y)
{
  if (polygon->n < MAX_CORNERS)
    polygon->corners[polygon->n++] = (PlgPoint) { x, y };
}

/* Adds a quarter circle around (X, Y), clockwise from FIRST, which is relative to (X, Y). The
 * quarter circle consists of four chords that deviate from the arc by at most a fiftieth of the
 * radius. */
static void
polygon_add_quarter (Polygon *polygon, double x, double y, PlgPoint first)
{
  static const double sines[] = { 0.0, 0.382683, 0.707107, 0.923880, 1.0 };

  for (int i = 0; i < 5; i++)
    polygon_add (polygon, x + sines[4 - i] * first.x - sines[i] * first.y,
                 y + sines[4 - i] * first.y + sines[i] * first.x);
}

/* Returns the part of POLYGON in which the value of SLOPE is at least LEAST. */
static Polygon
polygon_clip (const Polygon *polygon, Slope slope, double least)
{
  Polygon part = { .n = 0 };

  for (int i = 0; i < polygon->n; i++)
    {
      PlgPoint from = polygon->corners[i], to = polygon->corners[(i + 1) % polygon->n];
      double over = slope_value (slope, from) - least, next = slope_value (slope, to) - least;

      if (over >= 0)
        polygon_add (&part, from.x, from.y);
      if ((over < 0) != (next < 0))
        polygon_add (&part, from.x + (to.x - from.x) * over / (over - next),
                     from.y + (to.y - from.y) * over / (over - next));
    }
  return part;
}

/* Adds the hatch lines on which the value of SLOPE is a multiple of the spacing. */
static void
add_lines (cairo_t *cr, const Polygon *polygon, Slope slope, double width)
{
  double half = width / 2 * hypot (slope.x, slope.y), low = INFINITY, high = -INFINITY;

  for (int i = 0; i < polygon->n; i++)
    {
      low = MIN (low, slope_value (slope, polygon->corners[i]));
      high = MAX (high, slope_value (slope, polygon->corners[i]));
    }
  for (double at = ceil ((low - half) / PLG_HATCH_SPACING) * PLG_HATCH_SPACING; at < high + half;
       at += PLG_HATCH_SPACING)
    {
      Polygon upper = polygon_clip (polygon, slope, at - half);
      Polygon line = polygon_clip (&upper, (Slope) { -slope.x, -slope.y }, -(at + half));

      if (line.n < 3)
        continue;
      cairo_move_to (cr, line.corners[0].x, line.corners[0].y);
      for (int i = 1; i < line.n; i++)
        cairo_line_to (cr, line.corners[i].x, line.corners[i].y);
      cairo_close_path (cr);
    }
}

void
plg_hatch_add (cairo_t *cr, PlgRect rect, double radius, PlgHatchLines lines, double width)
{
  double round = CLAMP (radius, 0, MIN (rect.width, rect.height) / 2);
  double left = rect.x + round, right = rect.x + rect.width - round;
  double top = rect.y + round, bottom = rect.y + rect.height - round;
  Polygon polygon = { { { left, top }, { right, top }, { right, bottom }, { left, bottom } }, 4 };

  g_return_if_fail (cr != NULL);

  if (round > 0)
    {
      polygon.n = 0;
      polygon_add_quarter (&polygon, right, top, (PlgPoint) { 0, -round });
      polygon_add_quarter (&polygon, right, bottom, (PlgPoint) { round, 0 });
      polygon_add_quarter (&polygon, left, bottom, (PlgPoint) { 0, round });
      polygon_add_quarter (&polygon, left, top, (PlgPoint) { -round, 0 });
    }

  if (lines & PLG_HATCH_RISING)
    add_lines (cr, &polygon, (Slope) { 1, 1 }, width);
  if (lines & PLG_HATCH_FALLING)
    add_lines (cr, &polygon, (Slope) { 1, -1 }, width);
  if (lines & PLG_HATCH_LEVEL)
    add_lines (cr, &polygon, (Slope) { 0, 1 }, width);
  if (lines & PLG_HATCH_UPRIGHT)
    add_lines (cr, &polygon, (Slope) { 1, 0 }, width);
}
