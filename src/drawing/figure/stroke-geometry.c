/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/stroke-geometry.h"

#include <math.h>

int
plg_shape_dashes (const PlgShape *shape, double lengths[PLG_MAX_DASHES])
{
  double on = MAX (4, 3 * shape->stroke_width), off = MAX (3, 2 * shape->stroke_width);
  double dot = MAX (1.5, shape->stroke_width);

  lengths[0] = lengths[2] = on;
  lengths[1] = lengths[3] = off;
  switch (shape->dashed)
    {
    case PLG_DASH_SHORT:
      return 2;
    case PLG_DASH_DOTS:
      lengths[0] = dot;
      lengths[1] = dot * 1.5;
      return 2;
    case PLG_DASH_DOT_DASH:
      lengths[1] = lengths[3] = dot * 1.5;
      lengths[2] = dot;
      return 4;
    case PLG_DASH_LONG:
      lengths[0] = 2.5 * on;
      return 2;
    case PLG_DASH_NONE:
    default:
      return 0;
    }
}

static double
arrow_length (double stroke_width)
{
  return 5 + 2 * stroke_width;
}

gboolean
plg_shape_arrow (const PlgShape *shape, const PlgPoint *points, PlgArrow *arrow)
{
  PlgPoint origin = { 0, 0 }, tip;
  double length, distance = 0, dx, dy;

  if (!shape->arrow || shape->n_points < 2)
    return FALSE;
  /* Take the direction of the arrow from the last point that differs from the tip. */
  tip = points[shape->n_points - 1];
  for (int i = shape->n_points - 2; i >= 0 && !(distance > 1e-6); i--)
    {
      origin = points[i];
      distance = hypot (tip.x - origin.x, tip.y - origin.y);
    }
  if (!(distance > 1e-6))
    return FALSE;
  dx = (tip.x - origin.x) / distance;
  dy = (tip.y - origin.y) / distance;
  length = MIN (arrow_length (shape->stroke_width), distance);
  arrow->tip = tip;
  arrow->left = (PlgPoint) { tip.x - length * (dx - dy / 2), tip.y - length * (dy + dx / 2) };
  arrow->right = (PlgPoint) { tip.x - length * (dx + dy / 2), tip.y - length * (dy - dx / 2) };
  arrow->neck = (PlgPoint) { tip.x - 0.9 * length * dx, tip.y - 0.9 * length * dy };
  return TRUE;
}

PlgHatchLines
plg_hatch_lines (int hatch)
{
  static const PlgHatchLines lines[] = {
    PLG_HATCH_RISING,
    PLG_HATCH_FALLING,
    PLG_HATCH_LEVEL,
    PLG_HATCH_UPRIGHT,
    PLG_HATCH_RISING | PLG_HATCH_FALLING,
    PLG_HATCH_LEVEL | PLG_HATCH_UPRIGHT,
    PLG_HATCH_RISING | PLG_HATCH_LEVEL,
  };

  if (hatch <= 0)
    return 0;
  return lines[(hatch - 1) % G_N_ELEMENTS (lines)];
}

double
plg_theme_hatch_width (const PlgTheme *theme)
{
  return MIN (theme->line_width, 1.2);
}

PlgColor
plg_shape_hatch_color (const PlgShape *shape)
{
  return shape->hatch_color.alpha > 0 ? shape->hatch_color : shape->stroke;
}

gboolean
plg_shape_has_stroke (const PlgShape *shape)
{
  return shape->stroke.alpha > 0 && shape->stroke_width > 0;
}

/* Smaller text is illegible, and Cairo cannot invert the matrix of extremely small text. */
#define MIN_FONT_SIZE 0.01

/* Returns whether VALUE is finite and within the range of Cairo's coordinates, which ends at
 * 2^23. Larger values and NaN would spoil all later shapes. */
static gboolean
is_finite_and_near (double value)
{
  return fabs (value) < 8e6;
}

gboolean
plg_shape_is_visible (const PlgShape *shape)
{
  PlgRect r = shape->rect;

  if (!is_finite_and_near (r.x) || !is_finite_and_near (r.y) || !is_finite_and_near (r.width) ||
      !is_finite_and_near (r.height) || !is_finite_and_near (shape->stroke_width))
    return FALSE;
  switch (shape->kind)
    {
    case PLG_SHAPE_RECT:
      return r.width >= 0 && r.height >= 0 &&
             (shape->fill.alpha > 0 || shape->hatch > 0 || plg_shape_has_stroke (shape));
    case PLG_SHAPE_PATH:
      return shape->n_points > 0 &&
             (shape->fill.alpha > 0 || shape->hatch > 0 || plg_shape_has_stroke (shape));
    case PLG_SHAPE_TEXT:
      return shape->fill.alpha > 0 && shape->text[0] != '\0' && shape->font_size > MIN_FONT_SIZE;
    case PLG_SHAPE_OPEN:
    case PLG_SHAPE_CLOSE:
    default:
      return FALSE;
    }
}

gboolean
plg_shape_is_visible_in_layers (const PlgShape *shape, guint layers)
{
  return (layers & 1u << shape->layer) != 0 && plg_shape_is_visible (shape);
}

PlgRect
plg_shape_extents (const PlgShape *shape)
{
  double margin = shape->stroke_width / 2;

  if (shape->arrow)
    margin += arrow_length (shape->stroke_width);
  if (shape->kind == PLG_SHAPE_TEXT)
    margin += shape->font_size / 4;
  return (PlgRect) { shape->rect.x - margin, shape->rect.y - margin, shape->rect.width + 2 * margin,
                     shape->rect.height + 2 * margin };
}

gboolean
plg_rect_intersects (PlgRect a, PlgRect b)
{
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height &&
         b.y <= a.y + a.height;
}
