/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/figure.h"

#include <math.h>

/* Returns the hit-test priority of shapes that represent an entity of KIND. Shapes with priority
 * 0 cannot be hit. */
static int
entity_priority (PlgEntityKind kind)
{
  switch (kind)
    {
    case PLG_ENTITY_HANDLE:
    case PLG_ENTITY_SHARD:
      return 5;
    case PLG_ENTITY_GPU:
    case PLG_ENTITY_BLOCK:
    case PLG_ENTITY_PART:
    case PLG_ENTITY_COLLECTIVE:
    case PLG_ENTITY_PAIR:
    case PLG_ENTITY_POINT:
      return 4;
    case PLG_ENTITY_GROUP:
    case PLG_ENTITY_LINK:
      return 3;
    case PLG_ENTITY_STAGE:
      return 2;
    case PLG_ENTITY_NODE:
    case PLG_ENTITY_LEGEND:
    case PLG_ENTITY_RACK:
      return 1;
    case PLG_ENTITY_NONE:
    default:
      return 0;
    }
}

static double
distance_to_segment (PlgPoint p, PlgPoint a, PlgPoint b)
{
  double dx = b.x - a.x, dy = b.y - a.y;
  double squared = dx * dx + dy * dy;
  double t = 0;

  if (squared > 0)
    t = CLAMP (((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0, 1);
  return hypot (p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static PlgPoint
curve_point (const PlgPoint c[4], double t)
{
  double s = 1 - t;
  double w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;

  return (PlgPoint) { w0 * c[0].x + w1 * c[1].x + w2 * c[2].x + w3 * c[3].x,
                      w0 * c[0].y + w1 * c[1].y + w2 * c[2].y + w3 * c[3].y };
}

/* The state of a scan along an outline: the distance of the point P from the outline, and
 * whether P is inside the outline. */
typedef struct
{
  PlgPoint p;
  PlgPoint last;
  double distance;
  gboolean is_inside;
} PathScan;

static void
scan_segment (PathScan *scan, PlgPoint next)
{
  PlgPoint p = scan->p, last = scan->last;

  scan->distance = MIN (scan->distance, distance_to_segment (p, last, next));
  /* By the even-odd rule, P is inside if an odd number of segments cross the ray from P to the
   * right. Each crossing therefore toggles the result. */
  if ((last.y > p.y) != (next.y > p.y) &&
      p.x < last.x + (p.y - last.y) / (next.y - last.y) * (next.x - last.x))
    scan->is_inside = !scan->is_inside;
  scan->last = next;
}

static gboolean
rect_contains (PlgRect rect, double margin, PlgPoint p)
{
  return p.x >= rect.x - margin && p.x <= rect.x + rect.width + margin && p.y >= rect.y - margin &&
         p.y <= rect.y + rect.height + margin;
}

static gboolean
is_outline (const PlgShape *shape)
{
  return shape->fill.alpha <= 0 && shape->stroke.alpha > 0 && shape->stroke_width > 0;
}

/* Returns the distance between P and the painted part of SHAPE: 0 if P is on the painted part,
 * G_MAXDOUBLE if P is too far away to hit SHAPE. */
static double
shape_distance (const PlgFigure *figure, const PlgShape *shape, PlgPoint p, double slack)
{
  double half = shape->stroke_width / 2;

  if (!rect_contains (shape->rect, MAX (slack, half), p))
    return G_MAXDOUBLE;
  if (shape->kind == PLG_SHAPE_PATH && shape->n_points > 0)
    {
      /* Curves are scanned as chords. Sixteen chords deviate from the curve by far less than a
       * point. */
      const PlgPoint *points = plg_figure_points (figure, shape);
      const int chords = 16;
      PathScan scan = { .p = p, .last = points[0], .distance = G_MAXDOUBLE };

      scan_segment (&scan, points[0]);
      if (shape->smooth)
        for (int i = 0; i + 3 < shape->n_points; i += 3)
          for (int k = 1; k <= chords; k++)
            scan_segment (&scan, curve_point (points + i, (double) k / chords));
      else
        for (int i = 1; i < shape->n_points; i++)
          scan_segment (&scan, points[i]);
      if (shape->closed)
        scan_segment (&scan, points[0]);
      if (scan.is_inside && shape->closed && shape->fill.alpha > 0)
        return 0;
      return MAX (0, scan.distance - half);
    }
  if (shape->kind == PLG_SHAPE_RECT && is_outline (shape))
    {
      PlgRect r = shape->rect;
      const PlgPoint corner[] = { { r.x, r.y },
                                  { r.x + r.width, r.y },
                                  { r.x + r.width, r.y + r.height },
                                  { r.x, r.y + r.height } };
      double distance = G_MAXDOUBLE;

      for (int i = 0; i < 4; i++)
        distance = MIN (distance, distance_to_segment (p, corner[i], corner[(i + 1) % 4]));
      return MAX (0, distance - half);
    }
  if (shape->kind == PLG_SHAPE_RECT || shape->kind == PLG_SHAPE_TEXT)
    return rect_contains (shape->rect, 0, p) ? 0 : G_MAXDOUBLE;
  return G_MAXDOUBLE;
}

/* Returns the priority that decides between shapes with the same entity_priority() at the same
 * distance. A link wins over the outline or arrow of a group, because an arrow extends beyond
 * the link and can be hit elsewhere. An area, such as the name of a group, wins over a link,
 * because the area hides the link. */
static int
tie_priority (const PlgShape *shape)
{
  if (shape->entity.kind == PLG_ENTITY_LINK)
    return 1;
  return shape->kind == PLG_SHAPE_PATH || is_outline (shape) ? 0 : 2;
}

static gboolean
is_better (const PlgShape *shape, double distance, const PlgShape *best, double best_distance)
{
  int priority = entity_priority (shape->entity.kind);
  int best_priority = best != NULL ? entity_priority (best->entity.kind) : 0;

  if (priority != best_priority)
    return priority > best_priority;
  if (distance != best_distance || shape->entity.kind == best->entity.kind)
    return distance < best_distance;
  return tie_priority (shape) > tie_priority (best);
}

const PlgShape *
plg_figure_hit_test (const PlgFigure *figure, double x, double y, double slack)
{
  const PlgShape *best = NULL;
  double best_distance = G_MAXDOUBLE;
  int best_priority = 1;

  for (int i = plg_figure_n_shapes (figure) - 1; i >= 0; i--)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);
      int priority = entity_priority (shape->entity.kind);
      double distance;

      if (priority < best_priority)
        continue;
      distance = shape_distance (figure, shape, (PlgPoint) { x, y }, slack);
      if (!(distance <= MAX (0, slack - shape->stroke_width / 2)) ||
          !is_better (shape, distance, best, best_distance))
        continue;
      best = shape;
      best_priority = priority;
      best_distance = distance;
    }
  return best;
}
