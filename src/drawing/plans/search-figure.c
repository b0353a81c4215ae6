/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/plans/search-figure.h"

#include "drawing/charts/chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define DOT_RADIUS 3.0
#define NATURAL_WIDTH 480.0
#define NATURAL_HEIGHT 300.0
#define MOST_TICKS 6

/* Returns a round number near STEP: 1, 2 or 5 times a power of ten. */
static double
round_step (double step)
{
  double power = pow (10.0, floor (log10 (step)));
  double share = step / power;

  return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

/* Sets the range of AXIS to the values of all dots, extended to whole ticks. Returns the distance
 * of the ticks. */
static double
set_range (const PlgSearchPicture *picture, int axis, PlgSearchScale *scale)
{
  double first = picture->has_own ? picture->own[axis] : INFINITY;
  double last = picture->has_own ? picture->own[axis] : -INFINITY, step;

  for (guint i = 0; i < picture->n_dots; i++)
    {
      if (picture->dots[i].is_outside)
        continue;
      first = MIN (first, picture->dots[i].value[axis]);
      last = MAX (last, picture->dots[i].value[axis]);
    }
  if (!isfinite (first) || !isfinite (last))
    first = 0.0, last = 1.0;
  if (last - first <= fabs (last) * 1e-9)
    last = first + MAX (fabs (first) * 0.1, 1e-9);
  step = round_step ((last - first) / MOST_TICKS);
  scale->first[axis] = floor (first / step) * step;
  scale->last[axis] = ceil (last / step) * step;
  return step;
}

PlgPoint
plg_search_scale_point (const PlgSearchScale *scale, const double value[2])
{
  double share[2];

  for (int axis = 0; axis < 2; axis++)
    share[axis] = (value[axis] - scale->first[axis]) / (scale->last[axis] - scale->first[axis]);
  return (PlgPoint) { scale->area.x + share[0] * scale->area.width,
                      scale->area.y + (1.0 - share[1]) * scale->area.height };
}

int
plg_search_picture_find (const PlgSearchPicture *picture,
                         const PlgSearchScale *scale,
                         double x,
                         double y,
                         double reach)
{
  double nearest = reach * reach;
  int found = -1;

  for (guint i = 0; i < picture->n_dots; i++)
    {
      PlgPoint at = plg_search_scale_point (scale, picture->dots[i].value);
      double distance = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);

      if (picture->dots[i].is_dimmed || picture->dots[i].is_outside || distance > nearest)
        continue;
      nearest = distance;
      found = (int) i;
    }
  return found;
}

/* Adds a dot of class CLASS_INDEX. Each class has its own shape, so that the classes differ even
 * without colours. */
static void
add_dot (PlgChart *chart, PlgPoint at, int class_index, int n_classes, gboolean is_dimmed)
{
  PlgSwatch swatch = plg_theme_swatch (chart->theme, class_index, MAX (n_classes, 1), FALSE);
  double r = DOT_RADIUS;
  PlgShape *shape;
  PlgPoint corners[4];

  if (is_dimmed)
    {
      plg_figure_rect (chart->figure, at.x - 1.0, at.y - 1.0, 2.0, 2.0, 1.0,
                       chart->theme->role[PLG_ROLE_GRID]);
      return;
    }
  switch (class_index % 4)
    {
    case 0:
      shape = plg_figure_rect (chart->figure, at.x - r, at.y - r, 2 * r, 2 * r, r, swatch.fill);
      break;
    case 1:
      shape = plg_figure_rect (chart->figure, at.x - r, at.y - r, 2 * r, 2 * r, 0, swatch.fill);
      break;
    case 2:
      corners[0] = (PlgPoint) { at.x, at.y - 1.3 * r };
      corners[1] = (PlgPoint) { at.x + 1.3 * r, at.y };
      corners[2] = (PlgPoint) { at.x, at.y + 1.3 * r };
      corners[3] = (PlgPoint) { at.x - 1.3 * r, at.y };
      shape = plg_figure_path (chart->figure, corners, 4, swatch.border, 1.0);
      shape->closed = TRUE;
      break;
    default:
      corners[0] = (PlgPoint) { at.x, at.y - 1.2 * r };
      corners[1] = (PlgPoint) { at.x + 1.2 * r, at.y + r };
      corners[2] = (PlgPoint) { at.x - 1.2 * r, at.y + r };
      shape = plg_figure_path (chart->figure, corners, 3, swatch.border, 1.0);
      shape->closed = TRUE;
      break;
    }
  shape->fill = swatch.middle;
  shape->stroke = swatch.border;
  shape->stroke_width = 1.0;
}

/* Draws the dots. Dots in the same square of two points that look alike are drawn once, because a
 * search can find thousands of nearly equal plans. */
static void
add_dots (PlgChart *chart, const PlgSearchPicture *picture, const PlgSearchScale *scale)
{
  g_autoptr (GHashTable) drawn = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (int pass = 0; pass < 2; pass++)
    for (guint i = picture->n_dots; i-- > 0;)
      {
        const PlgSearchDot *dot = &picture->dots[i];
        PlgPoint at = plg_search_scale_point (scale, dot->value);
        int class_index = MIN (dot->class_index, PLG_MAX_DOT_CLASSES - 1);
        gint64 *key;

        if (dot->is_outside || dot->is_dimmed != (pass == 0))
          continue;
        key = g_new (gint64, 1);
        *key = (((gint64) lround (at.x / 2.0) << 24) + lround (at.y / 2.0)) * 32 + class_index * 2 +
               dot->is_dimmed;
        if (g_hash_table_add (drawn, key))
          add_dot (chart, at, class_index, MIN (picture->n_classes, PLG_MAX_DOT_CLASSES),
                   dot->is_dimmed);
      }
}

static int
compare_front (gconstpointer a, gconstpointer b)
{
  const PlgPoint *first = a, *second = b;

  return (first->x > second->x) - (first->x < second->x);
}

/* Connects the plans of the Pareto front by a line. */
static void
add_front (PlgChart *chart, const PlgSearchPicture *picture, const PlgSearchScale *scale)
{
  g_autoptr (GArray) front = g_array_new (FALSE, FALSE, sizeof (PlgPoint));

  for (guint i = 0; i < picture->n_dots; i++)
    if (picture->dots[i].is_front && !picture->dots[i].is_outside)
      {
        PlgPoint at = plg_search_scale_point (scale, picture->dots[i].value);

        g_array_append_val (front, at);
      }
  g_array_sort (front, compare_front);
  if (front->len > 1)
    plg_figure_path (chart->figure, (const PlgPoint *) (void *) front->data, (int) front->len,
                     chart->theme->role[PLG_ROLE_TEXT_DIM], 1.2)
        ->dashed = PLG_DASH_SHORT;
}

static void
add_axes (PlgChart *chart,
          const PlgSearchPicture *picture,
          const PlgSearchScale *scale,
          const double step[2])
{
  const PlgRect *area = &scale->area;
  PlgColor grid = chart->theme->role[PLG_ROLE_GRID], dim = chart->theme->role[PLG_ROLE_TEXT_DIM];
  double taken = -INFINITY;

  for (int axis = 0; axis < 2; axis++)
    for (double value = scale->first[axis]; value < scale->last[axis] + step[axis] / 2;
         value += step[axis])
      {
        const double at_value[2] = { axis == 0 ? value : scale->first[0],
                                     axis == 1 ? value : scale->first[1] };
        PlgPoint at = plg_search_scale_point (scale, at_value);
        g_autofree char *text = plg_measure_text (picture->metrics[axis]->measure, value);
        const char *kept = plg_figure_string (chart->figure, "%s", text);
        double half = plg_text_width (kept, chart->font_size, FALSE) / 2;

        if (axis == 0)
          {
            plg_figure_line (chart->figure, at.x, area->y, at.x, area->y + area->height, grid, 1);
            if (at.x - half < taken)
              continue;
            plg_chart_add_text (chart, at.x, area->y + area->height + chart->font_size,
                                PLG_ANCHOR_MIDDLE, chart->font_size, FALSE, dim, kept);
            taken = at.x + half + 6;
          }
        else
          {
            plg_figure_line (chart->figure, area->x, at.y, area->x + area->width, at.y, grid, 1);
            plg_chart_add_text (chart, area->x - 5, at.y, PLG_ANCHOR_END, chart->font_size, FALSE,
                                dim, kept);
          }
      }
}

/* Adds the legend: the classes, then the open plan and the front. */
static void
add_legend (PlgChart *chart, const PlgSearchPicture *picture, double y)
{
  int n = MIN (picture->n_classes, PLG_MAX_DOT_CLASSES);
  PlgColor text = chart->theme->role[PLG_ROLE_TEXT_DIM];
  double x = chart->margin;
  guint n_outside = 0;
  const char *title = plg_figure_string (chart->figure, "%s:", picture->class_title);

  plg_chart_add_text (chart, x, y, PLG_ANCHOR_START, chart->font_size, FALSE, text, title);
  x += plg_text_width (title, chart->font_size, FALSE) + 10;
  for (int i = 0; i < n; i++)
    {
      gboolean is_rest = i == PLG_MAX_DOT_CLASSES - 1 && picture->n_classes > n;
      const char *name = is_rest ? plg_figure_string (chart->figure, "%s", _ ("other"))
                                 : plg_figure_string (chart->figure, "%s", picture->classes[i]);

      add_dot (chart, (PlgPoint) { x, y }, i, n, FALSE);
      plg_chart_add_text (chart, x + 7, y, PLG_ANCHOR_START, chart->font_size, FALSE, text, name);
      x += plg_text_width (name, chart->font_size, FALSE) + 20;
    }
  if (picture->has_own)
    {
      double r = DOT_RADIUS + 2;
      PlgShape *ring = plg_figure_rect (chart->figure, x - r, y - r, 2 * r, 2 * r, r,
                                        (PlgColor) { 0 });

      ring->stroke = chart->theme->role[PLG_ROLE_ACCENT];
      ring->stroke_width = 2.0;
      plg_chart_add_text (chart, x + 9, y, PLG_ANCHOR_START, chart->font_size, FALSE, text,
                          _ ("open plan"));
      x += plg_text_width (_ ("open plan"), chart->font_size, FALSE) + 24;
    }
  for (guint i = 0; i < picture->n_dots; i++)
    n_outside += picture->dots[i].is_outside;
  if (n_outside > 0)
    plg_chart_add_text (chart, x, y, PLG_ANCHOR_START, chart->font_size, FALSE, text,
                        plg_figure_string (chart->figure, _ ("%u beyond the plot"), n_outside));
}

/* Adds a ring around a plan. */
static void
add_ring (PlgChart *chart, PlgPoint at, PlgRole role)
{
  double r = DOT_RADIUS + 3;
  PlgShape *ring = plg_figure_rect (chart->figure, at.x - r, at.y - r, 2 * r, 2 * r, r,
                                    (PlgColor) { 0 });

  ring->stroke = chart->theme->role[role];
  ring->stroke_width = 2.0;
}

PlgFigure *
plg_search_figure (const PlgSearchPicture *picture,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options,
                   PlgSearchScale *scale)
{
  g_autofree char *names[2] = { plg_metric_title (picture->metrics[0]),
                                plg_metric_title (picture->metrics[1]) };
  g_autofree char *title = g_strdup_printf (_ ("Plans by %s and %s"), names[0], names[1]);
  g_autofree char *description = NULL;
  PlgSearchScale own_scale;
  double step[2], widest = 0.0;
  guint n_front = 0;
  PlgChart chart;

  scale = scale != NULL ? scale : &own_scale;
  plg_chart_begin (&chart, theme, options, NATURAL_WIDTH);
  plg_chart_add_title (&chart, title, "", PLG_ROLE_TEXT);
  for (int axis = 0; axis < 2; axis++)
    step[axis] = set_range (picture, axis, scale);
  for (double value = scale->first[1]; value < scale->last[1] + step[1] / 2; value += step[1])
    {
      g_autofree char *text = plg_measure_text (picture->metrics[1]->measure, value);

      widest = MAX (widest, plg_text_width (text, chart.font_size, FALSE));
    }
  chart.left = chart.margin + widest + 8;
  /* The title of the vertical axis stands above the plot. */
  plg_chart_add_text (&chart, chart.margin, chart.y + chart.font_size * 0.6, PLG_ANCHOR_START,
                      chart.font_size, TRUE, theme->role[PLG_ROLE_TEXT],
                      plg_figure_string (chart.figure, "%s", names[1]));
  scale->area.x = chart.left;
  scale->area.y = chart.y + chart.font_size * 1.8;
  scale->area.width = MAX (chart.right - chart.left - chart.font_size, 40.0);
  scale->area.height = MAX ((options->height > 0 ? options->height : NATURAL_HEIGHT) -
                                scale->area.y - chart.font_size * 5.2,
                            40.0);
  add_axes (&chart, picture, scale, step);
  plg_chart_add_text (&chart, chart.right,
                      scale->area.y + scale->area.height + chart.font_size * 2.4, PLG_ANCHOR_END,
                      chart.font_size, TRUE, theme->role[PLG_ROLE_TEXT],
                      plg_figure_string (chart.figure, "%s", names[0]));
  plg_figure_open (chart.figure, "plans", "plans", title);
  add_front (&chart, picture, scale);
  add_dots (&chart, picture, scale);
  if (picture->has_own)
    add_ring (&chart, plg_search_scale_point (scale, picture->own), PLG_ROLE_ACCENT);
  if (picture->selected >= 0 && picture->selected < (int) picture->n_dots)
    add_ring (&chart, plg_search_scale_point (scale, picture->dots[picture->selected].value),
              PLG_ROLE_TEXT);
  plg_figure_close (chart.figure);
  chart.y = scale->area.y + scale->area.height + chart.font_size * 4.0;
  add_legend (&chart, picture, chart.y);
  chart.y += chart.font_size;

  for (guint i = 0; i < picture->n_dots; i++)
    n_front += picture->dots[i].is_front;
  description = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                              "%u plan; no other plan beats %u of them in both.",
                                              "%u plans; no other plan beats %u of them in both.",
                                              picture->n_dots),
                                 picture->n_dots, n_front);
  plg_figure_describe (chart.figure, title, description);
  return plg_chart_end (&chart);
}
