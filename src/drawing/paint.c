/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/paint.h"

#include "drawing/outline.h"
#include "drawing/text.h"

#include <math.h>

static void
set_color (cairo_t *cr, PlgColor color)
{
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha);
}

static void
add_rect (cairo_t *cr, PlgRect r, double radius)
{
  double corner = MIN (radius, MIN (r.width, r.height) / 2);

  if (!(corner > 0))
    {
      cairo_rectangle (cr, r.x, r.y, r.width, r.height);
      return;
    }
  cairo_new_sub_path (cr);
  cairo_arc (cr, r.x + r.width - corner, r.y + corner, corner, -G_PI_2, 0);
  cairo_arc (cr, r.x + r.width - corner, r.y + r.height - corner, corner, 0, G_PI_2);
  cairo_arc (cr, r.x + corner, r.y + r.height - corner, corner, G_PI_2, G_PI);
  cairo_arc (cr, r.x + corner, r.y + corner, corner, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/* The points of SHAPE, the last of them replaced by END. */
static void
add_points (cairo_t *cr, const PlgPoint *p, const PlgShape *shape, PlgPoint end)
{
  int last = shape->n_points - 1;

  cairo_move_to (cr, p[0].x, p[0].y);
  if (shape->smooth)
    for (int i = 1; i + 2 <= last; i += 3)
      {
        PlgPoint to = i + 2 == last ? end : p[i + 2];

        cairo_curve_to (cr, p[i].x, p[i].y, p[i + 1].x, p[i + 1].y, to.x, to.y);
      }
  else
    for (int i = 1; i <= last; i++)
      cairo_line_to (cr, i == last ? end.x : p[i].x, i == last ? end.y : p[i].y);
  if (shape->closed)
    cairo_close_path (cr);
}

static void
add_outline (cairo_t *cr, const PlgFigure *figure, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);
  PlgArrow arrow;

  if (shape->kind == PLG_SHAPE_RECT)
    add_rect (cr, shape->rect, shape->radius);
  else if (plg_outline_arrow (figure, shape, &arrow))
    add_points (cr, points, shape, arrow.neck);
  else
    add_points (cr, points, shape, points[shape->n_points - 1]);
}

static void
add_rising_lines (cairo_t *cr, PlgRect r)
{
  double first = floor ((r.x + r.y) / PLG_HATCH_SPACING) * PLG_HATCH_SPACING;

  for (double sum = first; sum <= r.x + r.width + r.y + r.height; sum += PLG_HATCH_SPACING)
    {
      cairo_move_to (cr, sum - r.y, r.y);
      cairo_line_to (cr, sum - r.y - r.height, r.y + r.height);
    }
}

static void
add_falling_lines (cairo_t *cr, PlgRect r)
{
  double first = floor ((r.x - r.y - r.height) / PLG_HATCH_SPACING) * PLG_HATCH_SPACING;

  for (double difference = first; difference <= r.x + r.width - r.y;
       difference += PLG_HATCH_SPACING)
    {
      cairo_move_to (cr, difference + r.y, r.y);
      cairo_line_to (cr, difference + r.y + r.height, r.y + r.height);
    }
}

static void
add_level_lines (cairo_t *cr, PlgRect r)
{
  double first = floor (r.y / PLG_HATCH_SPACING) * PLG_HATCH_SPACING;

  for (double y = first; y <= r.y + r.height; y += PLG_HATCH_SPACING)
    {
      cairo_move_to (cr, r.x, y);
      cairo_line_to (cr, r.x + r.width, y);
    }
}

static void
add_upright_lines (cairo_t *cr, PlgRect r)
{
  double first = floor (r.x / PLG_HATCH_SPACING) * PLG_HATCH_SPACING;

  for (double x = first; x <= r.x + r.width; x += PLG_HATCH_SPACING)
    {
      cairo_move_to (cr, x, r.y);
      cairo_line_to (cr, x, r.y + r.height);
    }
}

/* Hatches the outline that is the current path, and keeps it as the path. */
static void
hatch_outline (cairo_t *cr, const PlgFigure *figure, const PlgShape *shape, double line_width)
{
  PlgHatchLines lines = plg_outline_hatch (shape->hatch);

  cairo_save (cr);
  cairo_clip (cr);
  if (lines & PLG_HATCH_RISING)
    add_rising_lines (cr, shape->rect);
  if (lines & PLG_HATCH_FALLING)
    add_falling_lines (cr, shape->rect);
  if (lines & PLG_HATCH_LEVEL)
    add_level_lines (cr, shape->rect);
  if (lines & PLG_HATCH_UPRIGHT)
    add_upright_lines (cr, shape->rect);
  set_color (cr, shape->stroke);
  cairo_set_line_width (cr, line_width);
  cairo_stroke (cr);
  cairo_restore (cr);
  add_outline (cr, figure, shape);
}

static void
stroke_outline (cairo_t *cr, const PlgShape *shape)
{
  PlgDash dash = plg_outline_dash (shape->stroke_width);
  const double lengths[] = { dash.on, dash.off };

  set_color (cr, shape->stroke);
  cairo_set_line_width (cr, shape->stroke_width);
  cairo_set_dash (cr, lengths, shape->dashed ? G_N_ELEMENTS (lengths) : 0, 0);
  cairo_stroke_preserve (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
fill_arrow (cairo_t *cr, const PlgFigure *figure, const PlgShape *shape)
{
  PlgArrow arrow;

  if (!plg_outline_arrow (figure, shape, &arrow))
    return;
  cairo_new_path (cr);
  cairo_move_to (cr, arrow.tip.x, arrow.tip.y);
  cairo_line_to (cr, arrow.left.x, arrow.left.y);
  cairo_line_to (cr, arrow.right.x, arrow.right.y);
  cairo_close_path (cr);
  set_color (cr, shape->stroke);
  cairo_fill (cr);
}

static void
paint_outline (cairo_t *cr, const PlgFigure *figure, const PlgShape *shape, double hatch_width)
{
  cairo_new_path (cr);
  add_outline (cr, figure, shape);
  if (shape->fill.alpha > 0)
    {
      set_color (cr, shape->fill);
      cairo_fill_preserve (cr);
    }
  if (shape->hatch > 0 && shape->stroke.alpha > 0)
    hatch_outline (cr, figure, shape, hatch_width);
  if (plg_outline_is_stroked (shape))
    {
      stroke_outline (cr, shape);
      fill_arrow (cr, figure, shape);
    }
  cairo_new_path (cr);
}

static void
paint_text (cairo_t *cr, const PlgShape *shape)
{
  set_color (cr, shape->fill);
  plg_text_show (cr, shape->text, shape->at, shape->anchor, shape->font_size, shape->bold);
}

static gboolean
is_wanted (const PlgShape *shape, PlgLayers layers, const PlgRect *clip)
{
  if ((layers & 1u << shape->layer) == 0 || !plg_outline_is_visible (shape))
    return FALSE;
  return clip == NULL || plg_rect_meets (plg_outline_extents (shape), *clip);
}

void
plg_paint (cairo_t *cr,
           const PlgFigure *figure,
           const PlgTheme *theme,
           PlgLayers layers,
           const PlgRect *clip)
{
  g_return_if_fail (cr != NULL && figure != NULL && theme != NULL);

  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (!is_wanted (shape, layers, clip))
        continue;
      if (shape->kind == PLG_SHAPE_TEXT)
        paint_text (cr, shape);
      else
        paint_outline (cr, figure, shape, theme->line_width);
    }
  cairo_restore (cr);
}
