/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/export/paint.h"

#include "drawing/figure/hatch.h"
#include "drawing/figure/stroke-geometry.h"
#include "drawing/figure/round-rect.h"
#include "drawing/figure/text.h"

#include <math.h>

static void
set_color (cairo_t *cr, PlgColor color)
{
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha);
}

static void
paint_shape (cairo_t *cr, const PlgFigure *figure, const PlgTheme *theme, const PlgShape *shape)
{
  const PlgPoint *points = plg_figure_points (figure, shape);
  PlgArrow arrow;
  gboolean has_arrow = shape->kind != PLG_SHAPE_RECT && plg_shape_arrow (shape, points, &arrow);

  if (shape->kind == PLG_SHAPE_TEXT)
    {
      set_color (cr, shape->fill);
      plg_text_show (cr, shape->text, shape->at, shape->anchor, shape->font_size, shape->bold);
      return;
    }
  cairo_new_path (cr);
  if (shape->kind == PLG_SHAPE_RECT)
    plg_round_rect_add (cr, shape->rect, shape->radius);
  else
    {
      /* End the stroke of an arrow at its neck, because a stroke up to the tip would show around
       * the tip. */
      PlgPoint end = has_arrow ? arrow.neck : points[shape->n_points - 1];
      int last = shape->n_points - 1;

      cairo_move_to (cr, points[0].x, points[0].y);
      if (shape->smooth)
        for (int i = 1; i + 2 <= last; i += 3)
          {
            PlgPoint to = i + 2 == last ? end : points[i + 2];

            cairo_curve_to (cr, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y, to.x,
                            to.y);
          }
      else
        for (int i = 1; i <= last; i++)
          cairo_line_to (cr, i == last ? end.x : points[i].x, i == last ? end.y : points[i].y);
      if (shape->closed)
        cairo_close_path (cr);
    }

  if (shape->fill.alpha > 0)
    {
      set_color (cr, shape->fill);
      cairo_fill_preserve (cr);
    }
  if (shape->kind == PLG_SHAPE_RECT && shape->hatch > 0 && plg_shape_hatch_color (shape).alpha > 0)
    {
      cairo_new_path (cr);
      /* Use the default antialiasing; paint_shape_on_screen() explains why. */
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
      plg_hatch_add (cr, shape->rect, shape->radius, plg_hatch_lines (shape->hatch),
                     plg_theme_hatch_width (theme));
      set_color (cr, plg_shape_hatch_color (shape));
      cairo_fill (cr);
      plg_round_rect_add (cr, shape->rect, shape->radius);
    }
  if (plg_shape_has_stroke (shape))
    {
      double lengths[PLG_MAX_DASHES];
      int n_lengths = plg_shape_dashes (shape, lengths);

      /* Cairo draws vertical and horizontal lines several times faster without round joins, so
       * use round joins only for rounded rectangles and for paths with more than one segment. */
      gboolean has_joins = shape->kind == PLG_SHAPE_RECT ? shape->radius > 0 : shape->n_points > 2;

      cairo_set_line_join (cr, has_joins ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
      set_color (cr, shape->stroke);
      cairo_set_line_width (cr, shape->stroke_width);
      cairo_set_dash (cr, lengths, n_lengths, 0);
      cairo_stroke_preserve (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      if (has_arrow)
        {
          cairo_new_path (cr);
          cairo_move_to (cr, arrow.tip.x, arrow.tip.y);
          cairo_line_to (cr, arrow.left.x, arrow.left.y);
          cairo_line_to (cr, arrow.right.x, arrow.right.y);
          cairo_close_path (cr);
          cairo_fill (cr);
        }
    }
  cairo_new_path (cr);
}

/* Paints SHAPE for the screen. Antialiasing in steps of a quarter pixel takes half the time of
 * Cairo's default antialiasing. It is used only for rectangles without dashes, and not for their
 * hatches. With hatches, dashes or curves, _cairo_tor22_scan_converter in Cairo 1.16 may write
 * beyond its buffer if all pixels of a row differ from their neighbours. */
static void
paint_shape_on_screen (cairo_t *cr,
                       const PlgFigure *figure,
                       const PlgTheme *theme,
                       const PlgShape *shape)
{
  gboolean is_plain = shape->kind == PLG_SHAPE_RECT && shape->dashed == PLG_DASH_NONE;

  cairo_set_antialias (cr, is_plain ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_DEFAULT);
  if (is_plain && shape->fill.alpha >= 1 && shape->stroke.alpha >= 1 && shape->hatch == 0 &&
      shape->stroke_width > 0 && MIN (shape->rect.width, shape->rect.height) > shape->stroke_width)
    {
      /* Cairo fills two rectangles in half the time that it needs to stroke one. */
      double half = shape->stroke_width / 2, radius = shape->radius;
      PlgRect r = shape->rect;
      PlgRect out = { r.x - half, r.y - half, r.width + 2 * half, r.height + 2 * half };
      PlgRect in = { r.x + half, r.y + half, r.width - 2 * half, r.height - 2 * half };

      plg_round_rect_add (cr, out, radius > 0 ? radius + half : 0);
      set_color (cr, shape->stroke);
      cairo_fill (cr);
      plg_round_rect_add (cr, in, radius - half);
      set_color (cr, shape->fill);
      cairo_fill (cr);
    }
  else
    paint_shape (cr, figure, theme, shape);
}

static void
set_line_defaults (cairo_t *cr)
{
  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
}

void
plg_paint_shapes (cairo_t *cr,
                  const PlgFigure *figure,
                  const PlgTheme *theme,
                  const int *shapes,
                  int n)
{
  g_return_if_fail (cr != NULL && figure != NULL && theme != NULL);

  set_line_defaults (cr);
  for (int i = 0; i < n; i++)
    paint_shape_on_screen (cr, figure, theme, plg_figure_shape (figure, shapes[i]));
  cairo_restore (cr);
}

void
plg_paint_on_screen (cairo_t *cr, const PlgFigure *figure, const PlgTheme *theme, PlgLayers layers)
{
  g_return_if_fail (cr != NULL && figure != NULL && theme != NULL);

  set_line_defaults (cr);
  for (int i = 0; i < plg_figure_n_shapes (figure); i++)
    if (plg_shape_is_visible_in_layers (plg_figure_shape (figure, i), layers))
      paint_shape_on_screen (cr, figure, theme, plg_figure_shape (figure, i));
  cairo_restore (cr);
}

/* Paints the shapes with indices FIRST .. END - 1 that are in LAYERS and intersect CLIP. */
static void
paint_matching (cairo_t *cr,
                const PlgFigure *figure,
                const PlgTheme *theme,
                PlgLayers layers,
                const PlgRect *clip,
                int first,
                int end)
{
  for (int i = first; i < end; i++)
    {
      const PlgShape *shape = plg_figure_shape (figure, i);

      if (plg_shape_is_visible_in_layers (shape, layers) &&
          (clip == NULL || plg_rect_intersects (plg_shape_extents (shape), *clip)))
        paint_shape (cr, figure, theme, shape);
    }
}

void
plg_paint (cairo_t *cr,
           const PlgFigure *figure,
           const PlgTheme *theme,
           PlgLayers layers,
           const PlgRect *clip)
{
  PlgRect cut;
  int n_cut;

  g_return_if_fail (cr != NULL && figure != NULL && theme != NULL);

  n_cut = plg_figure_get_crop (figure, &cut);
  set_line_defaults (cr);
  if (n_cut > 0)
    {
      cairo_rectangle (cr, cut.x, cut.y, cut.width, cut.height);
      cairo_clip (cr);
    }
  paint_matching (cr, figure, theme, layers, clip, 0, n_cut);
  cairo_restore (cr);
  set_line_defaults (cr);
  paint_matching (cr, figure, theme, layers, clip, n_cut, plg_figure_n_shapes (figure));
  cairo_restore (cr);
}
