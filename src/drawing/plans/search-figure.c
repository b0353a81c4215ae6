/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/plans/search-figure.h"

#include "drawing/charts/ascii.h"
#include "drawing/charts/chart.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define DOT_RADIUS 3.0
#define NATURAL_WIDTH 480.0
#define NATURAL_HEIGHT 300.0
/* The width of an exported figure, and the height of its plot. */
#define EXPORT_WIDTH 720.0
#define EXPORT_HEIGHT 340.0
#define MOST_TICKS 6

static const PlgSearchDot *
dot_at (const PlgSearchPicture *picture, guint i)
{
  return &g_array_index (picture->dots, PlgSearchDot, i);
}

static guint
count_front (const PlgSearchPicture *picture)
{
  guint n = 0;

  for (guint i = 0; i < picture->dots->len; i++)
    n += dot_at (picture, i)->is_front;
  return n;
}

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
  PlgMeasure measure = picture->metrics[axis]->measure;
  double unit = measure == PLG_MEASURE_BYTES  ? PLG_GIB
                : measure == PLG_MEASURE_DAYS ? 86400.0
                                              : 1.0;

  for (guint i = 0; i < picture->dots->len; i++)
    {
      if (dot_at (picture, i)->is_outside)
        continue;
      first = MIN (first, dot_at (picture, i)->value[axis]);
      last = MAX (last, dot_at (picture, i)->value[axis]);
    }
  if (!isfinite (first) || !isfinite (last))
    first = 0.0, last = 1.0;
  if (last - first <= fabs (last) * 1e-9)
    last = first + MAX (fabs (first) * 0.1, 1e-9);
  step = unit * round_step ((last - first) / MOST_TICKS / unit);
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

  for (guint i = 0; i < picture->dots->len; i++)
    {
      PlgPoint at = plg_search_scale_point (scale, dot_at (picture, i)->value);
      double distance = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);

      if (dot_at (picture, i)->is_dimmed || dot_at (picture, i)->is_outside || distance > nearest)
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
    for (guint i = picture->dots->len; i-- > 0;)
      {
        const PlgSearchDot *dot = dot_at (picture, i);
        PlgPoint at = plg_search_scale_point (scale, dot->value);
        int class_index = MIN (dot->class_index, PLG_MAX_DOT_CLASSES - 1);
        gint64 *key;

        if (dot->is_outside || dot->is_dimmed != (pass == 0))
          continue;
        key = g_new (gint64, 1);
        *key = (((gint64) lround (at.x / 2.0) << 24) + lround (at.y / 2.0)) * 32 + class_index * 2 +
               dot->is_dimmed;
        if (g_hash_table_add (drawn, key))
          add_dot (chart, at, class_index, MIN ((int) picture->classes->len, PLG_MAX_DOT_CLASSES),
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

  for (guint i = 0; i < picture->dots->len; i++)
    if (dot_at (picture, i)->is_front && !dot_at (picture, i)->is_outside)
      {
        PlgPoint at = plg_search_scale_point (scale, dot_at (picture, i)->value);

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

/* Adds a ring around a plan, or a square frame around the best plan. */
static void
add_ring (PlgChart *chart, PlgPoint at, PlgRole role, gboolean is_square)
{
  double r = DOT_RADIUS + 3;
  PlgShape *ring = plg_figure_rect (chart->figure, at.x - r, at.y - r, 2 * r, 2 * r,
                                    is_square ? 0 : r, (PlgColor) { 0 });

  ring->stroke = chart->theme->role[role];
  ring->stroke_width = 2.0;
}

/* The place of the next entry of the legend. */
typedef struct
{
  PlgChart *chart;
  gboolean is_drawn; /* FALSE to measure the legend only */
  double x, y;
} Legend;

/* Adds TEXT after a sample of WIDTH, on the next line if this line has too little room. Returns
 * the centre of the sample. */
static PlgPoint
legend_add (Legend *legend, double width, const char *text)
{
  PlgChart *chart = legend->chart;
  double text_width = plg_text_width (text, chart->font_size, FALSE);
  PlgPoint at;

  if (legend->x > chart->margin && legend->x + width + text_width > chart->right)
    {
      legend->x = chart->margin;
      legend->y += chart->font_size * 1.6;
    }
  at = (PlgPoint) { legend->x + width / 2 - 3, legend->y };
  if (legend->is_drawn)
    plg_chart_add_text (chart, legend->x + width, legend->y, PLG_ANCHOR_START, chart->font_size,
                        FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM],
                        plg_figure_string (chart->figure, "%s", text));
  legend->x += width + text_width + 13;
  return at;
}

static void
legend_add_ring (Legend *legend, PlgRole role, gboolean is_square, const char *text)
{
  PlgPoint at = legend_add (legend, 17, text);

  if (legend->is_drawn)
    add_ring (legend->chart, at, role, is_square);
}

/* Adds the legend at Y: the classes, then the marked plans. Returns the centre of the last line. */
static double
add_legend (PlgChart *chart, const PlgSearchPicture *picture, double y, gboolean is_drawn)
{
  Legend legend = { chart, is_drawn, chart->margin, y };
  int n = MIN ((int) picture->classes->len, PLG_MAX_DOT_CLASSES);
  g_autofree char *title = g_strdup_printf ("%s:", picture->class_title);
  guint n_outside = 0;

  legend_add (&legend, 0, title);
  for (int i = 0; i < n; i++)
    {
      gboolean is_rest = i == PLG_MAX_DOT_CLASSES - 1 && (int) picture->classes->len > n;
      PlgPoint at = legend_add (&legend, 12, is_rest ? _ ("other") : picture->classes->pdata[i]);

      if (is_drawn)
        add_dot (chart, at, i, n, FALSE);
    }
  if (picture->has_own)
    legend_add_ring (&legend, PLG_ROLE_ACCENT, FALSE, _ ("open plan"));
  if (picture->best >= 0)
    legend_add_ring (&legend, PLG_ROLE_TEXT, TRUE, _ ("best plan"));
  if (picture->selected >= 0)
    legend_add_ring (&legend, PLG_ROLE_TEXT, FALSE, _ ("selected"));
  if (count_front (picture) > 1 && !chart->embedded)
    {
      PlgPoint at = legend_add (&legend, 24, _ ("no plan is better in both"));

      if (is_drawn)
        plg_figure_line (chart->figure, at.x - 9, at.y, at.x + 9, at.y,
                         chart->theme->role[PLG_ROLE_TEXT_DIM], 1.2)
            ->dashed = PLG_DASH_SHORT;
    }
  for (guint i = 0; i < picture->dots->len; i++)
    n_outside += dot_at (picture, i)->is_outside;
  if (n_outside > 0)
    {
      g_autofree char *text = g_strdup_printf (_ ("%u beyond the plot"), n_outside);

      legend_add (&legend, 0, text);
    }
  return legend.y;
}

/* Returns "Best plan: 8.21 s (open plan: 10.2 s)", or NULL if no plan was found. */
static char *
best_text (const PlgSearchPicture *picture)
{
  g_autofree char *best = plg_measure_text (picture->by->measure, picture->best_by);
  g_autofree char *own = plg_measure_text (picture->by->measure, picture->own_by);
  g_autofree char *metric = plg_metric_title (picture->by);

  if (picture->best < 0)
    return NULL;
  return picture->has_own ? g_strdup_printf (_ ("%s: %s with the best plan, %s with the open plan"),
                                             metric, best, own)
                          : g_strdup_printf (_ ("%s: %s with the best plan"), metric, best);
}

/* Adds the settings of the best plan and the numbers of plans. */
static void
add_notes (PlgChart *chart, const PlgSearchPicture *picture)
{
  g_autofree char *progress = plg_search_progress_describe (&picture->progress);

  if (picture->names != NULL && picture->best >= 0)
    {
      g_autofree char *best = g_strdup_printf (_ ("Best plan: %s"), picture->names[0]);

      plg_chart_add_note (chart, best, chart->font_size);
    }
  plg_chart_add_note (chart, progress, chart->font_size);
}

static char *
picture_title (const PlgSearchPicture *picture)
{
  g_autofree char *x = plg_metric_title (picture->metrics[0]);
  g_autofree char *y = plg_metric_title (picture->metrics[1]);

  return g_strdup_printf (_ ("Plans by %s and %s"), x, y);
}

PlgFigure *
plg_search_figure (const PlgSearchPicture *picture,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options,
                   PlgSearchScale *scale)
{
  g_autofree char *names[2] = { plg_metric_title (picture->metrics[0]),
                                plg_metric_title (picture->metrics[1]) };
  g_autofree char *title = picture_title (picture);
  g_autofree char *headline = best_text (picture);
  g_autofree char *description = NULL;
  gboolean has_legend = options->legend != PLG_LEGEND_OFF;
  PlgSearchScale own_scale;
  double step[2], widest = 0.0, legend_height = 0.0, height;
  PlgChart chart;

  scale = scale != NULL ? scale : &own_scale;
  plg_chart_begin (&chart, theme, options, options->embedded ? NATURAL_WIDTH : EXPORT_WIDTH);
  plg_chart_add_title (&chart, title, headline != NULL ? headline : "", PLG_ROLE_TEXT);
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
                      plg_figure_string (chart.figure, options->embedded ? "↑ %s" : "%s",
                                         names[1]));
  scale->area.x = chart.left;
  scale->area.y = chart.y + chart.font_size * 1.8;
  scale->area.width = MAX (chart.right - chart.left - chart.font_size, 40.0);
  if (has_legend)
    legend_height = chart.font_size * 1.6 + add_legend (&chart, picture, 0, FALSE);
  height = options->embedded && options->height > 0
               ? options->height - scale->area.y - chart.font_size * 2.4 - legend_height
               : (options->embedded ? NATURAL_HEIGHT : EXPORT_HEIGHT);
  scale->area.height = MAX (height, 40.0);
  add_axes (&chart, picture, scale, step);
  /* A panel has little height, so the title of its horizontal axis stands above the plot too. */
  plg_chart_add_text (&chart, chart.right,
                      options->embedded
                          ? chart.y + chart.font_size * 0.6
                          : scale->area.y + scale->area.height + chart.font_size * 2.4,
                      PLG_ANCHOR_END, chart.font_size, TRUE, theme->role[PLG_ROLE_TEXT],
                      plg_figure_string (chart.figure, options->embedded ? "→ %s" : "%s",
                                         names[0]));
  plg_figure_open (chart.figure, "plans", "plans", title);
  add_front (&chart, picture, scale);
  add_dots (&chart, picture, scale);
  if (picture->has_own)
    add_ring (&chart, plg_search_scale_point (scale, picture->own), PLG_ROLE_ACCENT, FALSE);
  if (picture->best >= 0 && !dot_at (picture, picture->best)->is_outside)
    add_ring (&chart, plg_search_scale_point (scale, dot_at (picture, picture->best)->value),
              PLG_ROLE_TEXT, TRUE);
  if (picture->selected >= 0 && picture->selected < (int) picture->dots->len)
    add_ring (&chart, plg_search_scale_point (scale, dot_at (picture, picture->selected)->value),
              PLG_ROLE_TEXT, FALSE);
  plg_figure_close (chart.figure);
  chart.y = scale->area.y + scale->area.height + chart.font_size * (options->embedded ? 2.7 : 4.0);
  if (has_legend)
    chart.y = add_legend (&chart, picture, chart.y, TRUE) + chart.font_size;
  if (!options->embedded)
    {
      chart.y += chart.font_size * 0.6;
      add_notes (&chart, picture);
    }

  description = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                              "%u plan; no other plan beats %u of them in both.",
                                              "%u plans; no other plan beats %u of them in both.",
                                              picture->dots->len),
                                 picture->dots->len, count_front (picture));
  plg_figure_describe (chart.figure, title, description);
  return plg_chart_end (&chart);
}

/* Returns the search that may be shown, or NULL. A search evaluates the plan alone, so each hidden
 * part of the report could be seen in it. */
static const PlgSearchPicture *
visible_search (const PlgReport *report, const PlgPictureOptions *options)
{
  return report != NULL && report->redaction != 0 ? NULL : options->search;
}

PlgFigure *
plg_search_view_figure (const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgTheme *theme,
                        const PlgPictureOptions *options)
{
  const PlgSearchPicture *picture = visible_search (report, options);
  const char *note = _ ("No plans have been searched. Find Plans (Ctrl+B) or the command "
                        "`search` tries all plans for the model and the cluster.");
  PlgChart chart;

  if (picture != NULL)
    return plg_search_figure (picture, theme, options, NULL);
  plg_chart_begin (&chart, theme, options, EXPORT_WIDTH);
  plg_figure_describe (chart.figure, _ ("Found plans"), note);
  plg_chart_add_title (&chart, _ ("Found plans"), "", PLG_ROLE_TEXT);
  plg_chart_add_note (&chart, note, chart.font_size);
  return plg_chart_end (&chart);
}

/* Adds a plan: NAME, its values, and its settings, which may be NULL. */
static void
ascii_add_plan (GString *out,
                const PlgSearchPicture *picture,
                const char *name,
                const double values[2],
                const char *settings)
{
  g_autofree char *x = plg_measure_text (picture->metrics[0]->measure, values[0]);
  g_autofree char *y = plg_measure_text (picture->metrics[1]->measure, values[1]);

  if (settings != NULL)
    plg_monospace_add_line (out, "%s: %s, %s. %s", name, x, y, settings);
  else
    plg_monospace_add_line (out, "%s: %s, %s", name, x, y);
}

void
plg_ascii_add_search (GString *out,
                      const PlgPlan *plan,
                      const PlgReport *report,
                      const PlgPictureOptions *options)
{
  const PlgSearchPicture *picture = visible_search (report, options);
  g_autofree char *progress = NULL;
  g_autofree char *best = NULL;
  int n_front = 0;

  if (picture == NULL)
    return;
  progress = plg_search_progress_describe (&picture->progress);
  best = best_text (picture);
  plg_monospace_add_paragraph (out, progress);
  if (best != NULL)
    plg_monospace_add_paragraph (out, best);
  plg_monospace_end_line (out);
  if (picture->has_own)
    ascii_add_plan (out, picture, _ ("Open plan"), picture->own, NULL);
  if (picture->best >= 0)
    ascii_add_plan (out, picture, _ ("Best plan"), dot_at (picture, picture->best)->value,
                    picture->names != NULL ? picture->names[0] : NULL);
  for (guint i = 0; i < picture->dots->len; i++)
    if (dot_at (picture, i)->is_front)
      {
        g_autofree char *name = g_strdup_printf (_ ("Front %d"), ++n_front);
        int index = n_front - (picture->best < 0);

        ascii_add_plan (out, picture, name, dot_at (picture, i)->value,
                        picture->names != NULL ? picture->names[index] : NULL);
      }
}
