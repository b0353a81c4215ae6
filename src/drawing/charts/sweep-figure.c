/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/charts/ascii.h"
#include "drawing/charts/scaling-figure.h"
#include "drawing/figure/monospace-table.h"
#include "drawing/figure/text.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A metric against one or two settings. A single setting has one line. If there is a second
 * setting, it has one line per value or, if it has more than a few values, rows of coloured cells.
 * A plan that does not fit in memory is hatched; a plan that is not possible has no value. */

#define MIN_PLOT_HEIGHT 200.0 /* minimum height of the plot [points] */
#define PLOT_ASPECT 0.35      /* height of the plot, as a share of its width */
#define MARK_RADIUS 3.6
/* Each line has its own dash pattern, so that the lines are distinct without colours. */
#define MAX_LINES PLG_N_DASHES
/* The table below the lines is left out if there are more values than this. */
#define MAX_TABLE_ROWS 40
#define MAX_COLUMN_WIDTH 150.0
#define MAX_CELL_WIDTH 76.0
#define MAX_CELL_HEIGHT 26.0
#define MAX_CELLS_HEIGHT 640.0 /* height of all cells together [points] */
#define FIT_HATCH 1            /* hatch of a plan that does not fit; see PlgShape.hatch */
/* The horizontal axis is logarithmic if the last value is at least this many times the first. */
#define LOGARITHMIC_RATIO 8.0
/* The description lists all values up to this number of points. */
#define MAX_DESCRIBED 64

typedef struct
{
  PlgChart chart;
  const PlgSweep *sweep;
  gboolean hidden;
  double least; /* smallest and largest value that is shown; 0 and 1 if there is no value */
  double most;
  int n_fits, n_too_large, n_impossible;
  gboolean
      has_cell_texts; /* whether the value of every plan that fits in memory fits in its cell */
} Picture;

/* Texts ---------------------------------------------------------------------------------------- */

static char *
key_title (const PlgSweepKey *key)
{
  const char *title = _ (key->setting->title);

  return key->setting->unit != NULL ? g_strdup_printf ("%s [%s]", title, _ (key->setting->unit))
                                    : g_strdup (title);
}

static gboolean
key_has_numbers (const PlgSweepKey *key)
{
  return key->setting->kind == PLG_SETTING_INTEGER || key->setting->kind == PLG_SETTING_NUMBER;
}

/* Returns value I of KEY as text for people, for example "131 072". */
static char *
key_text (const PlgSweepKey *key, int i)
{
  const char *value = g_ptr_array_index (key->values, i);

  return key_has_numbers (key) ? plg_format_number (g_ascii_strtod (value, NULL), 6)
                               : g_strdup (value);
}

static char *
picture_title (const PlgSweep *sweep)
{
  g_autofree char *metric = plg_metric_title (sweep->metric);
  g_autofree char *x = g_strdup (_ (sweep->x.setting->title));

  if (sweep->rows > 1)
    return g_strdup_printf (_ ("%s against %s and %s"), metric, x, _ (sweep->y.setting->title));
  return g_strdup_printf (_ ("%s against %s"), metric, x);
}

static const PlgSweepPoint *
point_at (const Picture *picture, int column, int row)
{
  return plg_sweep_point (picture->sweep, column, row);
}

/* Returns TRUE if the point has a value that may be shown. */
static gboolean
has_value (const Picture *picture, int column, int row)
{
  return !picture->hidden && isfinite (point_at (picture, column, row)->value);
}

static char *
value_text (const Picture *picture, double value)
{
  PlgMeasure measure = picture->sweep->metric->measure;

  /* Numbers need fewer digits in a picture than in a report. */
  if (measure == PLG_MEASURE_NUMBER && fabs (value) < 1e5)
    return plg_format_number (value, 4);
  return plg_measure_text (measure, value);
}

/* Returns the settings of a point, for example "Pipeline (PP) 4, Micro-batch 1". */
static char *
point_name (const Picture *picture, int column, int row)
{
  const PlgSweep *sweep = picture->sweep;
  g_autofree char *x = key_text (&sweep->x, column);
  g_autofree char *y = NULL;

  if (sweep->y.setting == NULL)
    return g_strdup_printf ("%s %s", _ (sweep->x.setting->title), x);
  y = key_text (&sweep->y, row);
  return g_strdup_printf ("%s %s, %s %s", _ (sweep->x.setting->title), x,
                          _ (sweep->y.setting->title), y);
}

char *
plg_sweep_describe_point (const PlgSweep *sweep, int column, int row)
{
  const Picture picture = { .sweep = sweep };
  const PlgSweepPoint *point = plg_sweep_point (sweep, column, row);
  g_autofree char *name = point_name (&picture, column, row);
  g_autofree char *value = value_text (&picture, point->value);
  g_autofree char *memory = plg_format_memory (point->memory);

  switch (point->state)
    {
    case PLG_SWEEP_FITS:
      return g_strdup_printf ("%s: %s", name, value);
    case PLG_SWEEP_TOO_LARGE:
      return g_strdup_printf (_ ("%s: %s, does not fit in memory (%s)"), name, value, memory);
    case PLG_SWEEP_IMPOSSIBLE:
    default:
      return g_strdup_printf (_ ("%s: not possible. %s"), name, point->reason);
    }
}

/* Returns a sentence about the plan itself, or NULL if the plan is not in the sweep. */
static char *
own_text (const Picture *picture)
{
  const PlgSweep *sweep = picture->sweep;
  g_autofree char *point = NULL;

  if (sweep->own_column < 0 || sweep->own_row < 0 || picture->hidden)
    return NULL;
  point = plg_sweep_describe_point (sweep, sweep->own_column, sweep->own_row);
  return g_strdup_printf (_ ("This plan: %s"), point);
}

/* Returns the description for screen readers: the counts, the plan itself and, if there are not
 * too many, all values. */
static char *
picture_describe (const Picture *picture)
{
  const PlgSweep *sweep = picture->sweep;
  GString *text = g_string_new (NULL);
  g_autofree char *own = own_text (picture);

  if (picture->hidden)
    return g_string_free (text, FALSE);
  g_string_append_printf (text,
                          g_dngettext (GETTEXT_PACKAGE, "%d plan fits in memory",
                                       "%d plans fit in memory", picture->n_fits),
                          picture->n_fits);
  g_string_append_printf (text,
                          g_dngettext (GETTEXT_PACKAGE, ", %d does not fit", ", %d do not fit",
                                       picture->n_too_large),
                          picture->n_too_large);
  g_string_append_printf (text,
                          g_dngettext (GETTEXT_PACKAGE, ", %d is not possible.",
                                       ", %d are not possible.", picture->n_impossible),
                          picture->n_impossible);
  if (own != NULL)
    g_string_append_printf (text, " %s.", own);
  for (int row = 0; sweep->columns * sweep->rows <= MAX_DESCRIBED && row < sweep->rows; row++)
    for (int column = 0; column < sweep->columns; column++)
      {
        const PlgSweepPoint *point = point_at (picture, column, row);
        g_autofree char *name = point_name (picture, column, row);
        g_autofree char *value = value_text (picture, point->value);

        if (point->state != PLG_SWEEP_IMPOSSIBLE)
          g_string_append_printf (text, " %s: %s%s;", name, value,
                                  point->state == PLG_SWEEP_TOO_LARGE ? _ (" (does not fit)") : "");
      }
  return g_string_free (text, FALSE);
}

static void
picture_init (Picture *picture, const PlgReport *report, const PlgSweep *sweep)
{
  *picture = (Picture) { .sweep = sweep, .least = INFINITY, .most = -INFINITY };
  /* The sweep evaluates the plan alone, so each hidden part of the report could be seen in it. */
  picture->hidden = report != NULL && report->redaction != 0;
  for (int i = 0; i < sweep->columns * sweep->rows; i++)
    {
      const PlgSweepPoint *point = &sweep->points[i];

      picture->n_fits += point->state == PLG_SWEEP_FITS;
      picture->n_too_large += point->state == PLG_SWEEP_TOO_LARGE;
      picture->n_impossible += point->state == PLG_SWEEP_IMPOSSIBLE;
      /* Cells show only values of plans that fit. */
      if (!isfinite (point->value) || (sweep->rows > MAX_LINES && point->state != PLG_SWEEP_FITS))
        continue;
      picture->least = MIN (picture->least, point->value);
      picture->most = MAX (picture->most, point->value);
    }
  if (!(picture->least <= picture->most))
    {
      picture->least = 0;
      picture->most = 1;
    }
}

/* Marks ---------------------------------------------------------------------------------------- */

/* Adds a disc for a plan that fits, or a hatched square for a plan that does not. */
static void
add_mark (PlgChart *chart, PlgSweepState state, double x, double y, PlgColor color)
{
  gboolean fits = state == PLG_SWEEP_FITS;
  double radius = fits ? MARK_RADIUS : MARK_RADIUS * 1.3;
  PlgShape *shape = plg_figure_rect (chart->figure, x - radius, y - radius, 2 * radius, 2 * radius,
                                     fits ? radius : 0,
                                     fits ? color : chart->theme->role[PLG_ROLE_BACKGROUND]);

  shape->stroke = color;
  shape->stroke_width = 1.2;
  shape->hatch = fits ? 0 : FIT_HATCH;
}

static void
add_cross (PlgChart *chart, double x, double y)
{
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT_DIM];
  double radius = MARK_RADIUS * 0.9;

  plg_figure_line (chart->figure, x - radius, y - radius, x + radius, y + radius, color, 1.2);
  plg_figure_line (chart->figure, x - radius, y + radius, x + radius, y - radius, color, 1.2);
}

/* Adds the outline around the plan itself. */
static void
add_own_outline (PlgChart *chart, double x, double y, double width, double height)
{
  PlgShape *shape = plg_figure_rect (chart->figure, x, y, width, height, 2, PLG_COLOR_NONE);

  /* A light edge keeps the outline visible on a dark cell. */
  shape->stroke = chart->theme->role[PLG_ROLE_BACKGROUND];
  shape->stroke_width = 4.5;
  shape = plg_figure_rect (chart->figure, x, y, width, height, 2, PLG_COLOR_NONE);
  shape->stroke = chart->theme->role[PLG_ROLE_TEXT];
  shape->stroke_width = 2;
}

static void
add_legend_line (PlgChart *chart, double from, const char *text)
{
  double room = chart->right - from;
  g_autofree char *fitting = plg_text_fit (text, room, chart->font_size, FALSE);

  plg_chart_add_text (chart, from, chart->y, PLG_ANCHOR_START, chart->font_size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT], fitting);
  chart->y += chart->font_size * 1.6;
}

/* Explains the marks that the picture has. */
static void
add_legend_of_marks (const Picture *picture, PlgChart *chart)
{
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT_DIM];
  double middle = chart->margin + 11, from = chart->margin + 30;
  g_autofree char *own = own_text (picture);

  if (own != NULL)
    {
      add_own_outline (chart, middle - 6, chart->y - 5, 12, 10);
      add_legend_line (chart, from, own);
    }
  if (picture->n_too_large > 0 && !picture->hidden)
    {
      add_mark (chart, PLG_SWEEP_TOO_LARGE, middle, chart->y, color);
      add_legend_line (chart, from, _ ("Hatched: does not fit in memory"));
    }
  if (picture->n_impossible > 0)
    {
      add_cross (chart, middle, chart->y);
      add_legend_line (chart, from, _ ("Cross: not possible"));
    }
}

/* Opens the group of one point, with the values as its tooltip. */
static void
open_point (const Picture *picture, PlgChart *chart, int column, int row)
{
  g_autofree char *words = picture->hidden ? point_name (picture, column, row)
                                           : plg_sweep_describe_point (picture->sweep, column, row);

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "point-%d-%d", column, row),
                   "point", plg_figure_string (chart->figure, "%s", words));
}

static PlgEntity
point_entity (const Picture *picture, int column, int row)
{
  return (PlgEntity) { PLG_ENTITY_POINT, 0, row * picture->sweep->columns + column };
}

/* Lines ---------------------------------------------------------------------------------------- */

/* Returns the step between two ticks in SI units, so that there are four to ten ticks. */
static double
tick_step (PlgMeasure measure, double most)
{
  double unit = measure == PLG_MEASURE_BYTES                           ? PLG_GIB
                : measure == PLG_MEASURE_SECONDS && most > 2 * 86400.0 ? 86400.0
                                                                       : 1.0;
  double step = most / unit / 5, power = pow (10, floor (log10 (step)));
  double digit = step / power;

  if (measure == PLG_MEASURE_BOOLEAN)
    return 1;
  return unit * power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static gboolean
is_logarithmic (const PlgSweepKey *key)
{
  double first, last;

  if (!key_has_numbers (key))
    return FALSE;
  first = g_ascii_strtod (g_ptr_array_index (key->values, 0), NULL);
  last = g_ascii_strtod (g_ptr_array_index (key->values, key->values->len - 1), NULL);
  return first > 0 && last / first >= LOGARITHMIC_RATIO;
}

/* Returns the position 0..1 of value I on the horizontal axis. */
static double
key_position (const PlgSweepKey *key, int i)
{
  int n = (int) key->values->len;
  double first, last, value;

  if (n == 1)
    return 0.5;
  if (!key_has_numbers (key))
    return (double) i / (n - 1);
  first = g_ascii_strtod (g_ptr_array_index (key->values, 0), NULL);
  last = g_ascii_strtod (g_ptr_array_index (key->values, n - 1), NULL);
  value = g_ascii_strtod (g_ptr_array_index (key->values, i), NULL);
  return is_logarithmic (key) ? log (value / first) / log (last / first)
                              : (value - first) / (last - first);
}

static PlgColor
line_color (const Picture *picture, const PlgTheme *theme, int row)
{
  return plg_theme_swatch (theme, row, MAX (picture->sweep->rows, 2), FALSE).border;
}

static void
add_plot (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgSweep *sweep = picture->sweep;
  const PlgColor *role = chart->theme->role;
  PlgMeasure measure = sweep->metric->measure;
  double step = tick_step (measure, picture->most > 0 ? picture->most : 1);
  double highest = step * MAX (1, ceil (picture->most / step - 1e-9));
  double height = MAX (MIN_PLOT_HEIGHT, PLOT_ASPECT * (chart->right - chart->left));
  double top = chart->y + chart->font_size * 0.6, bottom = top + height;
  double label_room = 0, taken = -INFINITY, left, width;
  g_autofree PlgPoint *line = g_new (PlgPoint, sweep->columns);
  g_autofree char *x_title = key_title (&sweep->x);
  int n_ticks = (int) lround (highest / step);

  for (int i = 0; i <= n_ticks; i++)
    {
      g_autofree char *text = value_text (picture, i * step);

      label_room = MAX (label_room, plg_text_width (text, chart->font_size, FALSE));
    }
  chart->left += label_room + 6;
  left = chart->left + 10;
  width = chart->right - 14 - left;
  for (int i = 0; i <= n_ticks; i++)
    {
      double y = bottom - height * i / n_ticks;
      g_autofree char *text = i == 0 && measure != PLG_MEASURE_BOOLEAN
                                  ? g_strdup ("0")
                                  : value_text (picture, i * step);

      plg_figure_line (chart->figure, chart->left, y, chart->right, y,
                       role[i == 0 ? PLG_ROLE_CARD_BORDER : PLG_ROLE_GRID], 1);
      if (!picture->hidden)
        plg_chart_add_text (chart, chart->left - 5, y, PLG_ANCHOR_END, chart->font_size, FALSE,
                            role[PLG_ROLE_TEXT_DIM], text);
    }

  /* Leave out a value that would overlap the previous value, but never the plan's own value. */
  for (int i = 0; i < sweep->columns; i++)
    {
      g_autofree char *text = key_text (&sweep->x, i);
      gboolean is_own = i == sweep->own_column;
      double x = left + width * key_position (&sweep->x, i);
      double half = plg_text_width (text, chart->font_size, is_own) / 2;

      if (x - half < taken && !is_own)
        continue;
      plg_chart_add_text (chart, x, bottom + chart->font_size * 1.3, PLG_ANCHOR_MIDDLE,
                          chart->font_size, is_own, role[PLG_ROLE_TEXT_DIM],
                          plg_figure_string (chart->figure, "%s", text));
      taken = x + half + 6;
    }
  plg_chart_add_text (chart, chart->right, bottom + chart->font_size * 2.8, PLG_ANCHOR_END,
                      chart->font_size, FALSE, role[PLG_ROLE_TEXT],
                      plg_figure_string (chart->figure, "%s", x_title));
  if (sweep->own_column >= 0)
    {
      double x = left + width * key_position (&sweep->x, sweep->own_column);

      plg_figure_line (chart->figure, x, top, x, bottom, role[PLG_ROLE_ACCENT], 1)
          ->dashed = PLG_DASH_DOTS;
    }

  for (int row = 0; row < sweep->rows && !picture->hidden; row++)
    {
      PlgColor color = line_color (picture, chart->theme, row);
      int n = 0;

      /* Interrupt the line where no plan is possible. */
      for (int i = 0; i <= sweep->columns; i++)
        {
          if (i < sweep->columns && has_value (picture, i, row))
            {
              line[n++] = (PlgPoint) { left + width * key_position (&sweep->x, i),
                                       bottom -
                                           height * point_at (picture, i, row)->value / highest };
              continue;
            }
          if (n > 1)
            plg_figure_path (chart->figure, line, n, color, 1.6)->dashed = (PlgDashes) row;
          n = 0;
        }
    }
  for (int i = 0; i < sweep->columns && !picture->hidden; i++)
    {
      double x = left + width * key_position (&sweep->x, i);
      gboolean is_possible = FALSE;

      for (int row = 0; row < sweep->rows; row++)
        {
          double y;

          is_possible |= point_at (picture, i, row)->state != PLG_SWEEP_IMPOSSIBLE;
          if (!has_value (picture, i, row))
            continue;
          y = bottom - height * point_at (picture, i, row)->value / highest;
          open_point (picture, chart, i, row);
          add_mark (chart, point_at (picture, i, row)->state, x, y,
                    line_color (picture, chart->theme, row));
          plg_figure_rect (chart->figure, x - 7, y - 7, 14, 14, 0, PLG_COLOR_NONE)
              ->entity = point_entity (picture, i, row);
          if (plg_sweep_is_own (sweep, i, row))
            add_own_outline (chart, x - 7, y - 7, 14, 14);
          plg_figure_close (chart->figure);
        }
      if (!is_possible)
        add_cross (chart, x, bottom);
    }
  chart->y = bottom + chart->font_size * 4.2;
}

/* Adds the table of all values: a row per value of X, a column per value of Y. */
static void
add_table (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgSweep *sweep = picture->sweep;
  const PlgColor *role = chart->theme->role;
  double start = chart->margin + (chart->right - chart->margin) * 0.22;
  double column_width = MIN ((chart->right - start) / sweep->rows, MAX_COLUMN_WIDTH);
  g_autofree char *x_title = key_title (&sweep->x);
  g_autofree char *heading = plg_text_fit (x_title, start - chart->margin, chart->font_size, TRUE);

  if (sweep->columns > MAX_TABLE_ROWS)
    return;
  chart->y += chart->font_size * 1.2;
  plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, TRUE,
                      role[PLG_ROLE_TEXT], plg_figure_string (chart->figure, "%s", heading));
  for (int row = 0; row < sweep->rows; row++)
    {
      g_autofree char *text = sweep->y.setting != NULL ? key_text (&sweep->y, row)
                                                       : plg_metric_title (sweep->metric);

      plg_chart_add_text (chart, start + column_width * (row + 1), chart->y, PLG_ANCHOR_END,
                          chart->font_size, TRUE, role[PLG_ROLE_TEXT],
                          plg_figure_string (chart->figure, "%s", text));
    }
  chart->y += chart->font_size * 1.5;
  for (int i = 0; i < sweep->columns; i++)
    {
      g_autofree char *name = key_text (&sweep->x, i);

      plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size,
                          i == sweep->own_column, role[PLG_ROLE_TEXT],
                          plg_figure_string (chart->figure, "%s", name));
      for (int row = 0; row < sweep->rows; row++)
        {
          const PlgSweepPoint *point = point_at (picture, i, row);
          double end = start + column_width * (row + 1);
          g_autofree char *text = value_text (picture, picture->hidden ? NAN : point->value);

          if (point->state == PLG_SWEEP_IMPOSSIBLE)
            {
              add_cross (chart, end - MARK_RADIUS, chart->y);
              continue;
            }
          plg_chart_add_text (chart, end, chart->y, PLG_ANCHOR_END, chart->font_size,
                              plg_sweep_is_own (sweep, i, row), role[PLG_ROLE_TEXT],
                              plg_figure_string (chart->figure, "%s", text));
          if (point->state == PLG_SWEEP_TOO_LARGE && !picture->hidden)
            add_mark (chart, point->state,
                      end - plg_text_width (text, chart->font_size, FALSE) - 12, chart->y,
                      role[PLG_ROLE_TEXT_DIM]);
        }
      chart->y += chart->font_size * 1.5;
    }
}

static void
add_lines (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgSweep *sweep = picture->sweep;
  const char *axis = is_logarithmic (&sweep->x) ? _ ("The horizontal axis is logarithmic.") : NULL;

  add_plot (picture);
  for (int row = 0; row < sweep->rows && sweep->y.setting != NULL; row++)
    {
      PlgColor color = line_color (picture, chart->theme, row);
      g_autofree char *value = key_text (&sweep->y, row);
      g_autofree char *title = key_title (&sweep->y);
      g_autofree char *text = g_strdup_printf ("%s: %s", title, value);

      plg_figure_line (chart->figure, chart->margin, chart->y, chart->margin + 22, chart->y, color,
                       1.6)
          ->dashed = (PlgDashes) row;
      add_mark (chart, PLG_SWEEP_FITS, chart->margin + 11, chart->y, color);
      add_legend_line (chart, chart->margin + 30, text);
    }
  add_legend_of_marks (picture, chart);
  if (axis != NULL)
    plg_chart_add_note (chart, axis, chart->font_size * 0.9);
  add_table (picture);
}

/* Cells ---------------------------------------------------------------------------------------- */

/* The colours of the cells grow darker (or lighter, on a dark background) with the value. */
static PlgColor
cell_color (double share, gconstpointer data)
{
  const PlgTheme *theme = data;

  return plg_color_mix (theme->role[PLG_ROLE_BACKGROUND], theme->role[PLG_ROLE_ACCENT],
                        0.12 + 0.88 * share);
}

/* The colours are logarithmic if the largest value is at least this many times the smallest. */
#define LOGARITHMIC_COLORS 30.0

static gboolean
has_logarithmic_colors (const Picture *picture)
{
  return picture->least > 0 && picture->most / picture->least >= LOGARITHMIC_COLORS;
}

/* Returns the position 0..1 of VALUE on the colour scale. */
static double
value_share (const Picture *picture, double value)
{
  if (!(picture->most > picture->least))
    return 0.5;
  return has_logarithmic_colors (picture)
             ? log (value / picture->least) / log (picture->most / picture->least)
             : (value - picture->least) / (picture->most - picture->least);
}

#define MAX_NAME_LINES 5

/* Adds the values of X above the cells. Long values stand on several lines, with a line from each
 * value to its column; values that do not fit even so are left out. Moves the chart to the top of
 * the cells. */
static void
add_column_names (Picture *picture, double cell_width)
{
  PlgChart *chart = &picture->chart;
  const PlgSweep *sweep = picture->sweep;
  double size = chart->font_size * 0.92, taken[MAX_NAME_LINES];
  g_autofree int *lines = g_new (int, sweep->columns);
  int n_lines = 1;

  for (int line = 0; line < MAX_NAME_LINES; line++)
    taken[line] = chart->margin;
  for (int i = 0; i < sweep->columns; i++)
    {
      g_autofree char *text = key_text (&sweep->x, i);
      double middle = chart->left + (i + 0.5) * cell_width;
      double half = plg_text_width (text, size, TRUE) / 2;

      for (lines[i] = 0; lines[i] < MAX_NAME_LINES; lines[i]++)
        if (middle - half >= taken[lines[i]] && middle + half <= chart->right + 8)
          break;
      if (lines[i] == MAX_NAME_LINES)
        continue;
      taken[lines[i]] = middle + half + 6;
      n_lines = MAX (n_lines, lines[i] + 1);
    }
  for (int i = 0; i < sweep->columns; i++)
    {
      g_autofree char *text = key_text (&sweep->x, i);
      double middle = chart->left + (i + 0.5) * cell_width;
      double y = chart->y + (n_lines - 1 - lines[i]) * size * 1.3 + size * 0.5;

      if (lines[i] == MAX_NAME_LINES)
        continue;
      if (n_lines > 1)
        plg_figure_line (chart->figure, middle, y + size * 0.6, middle,
                         chart->y + n_lines * size * 1.3, chart->theme->role[PLG_ROLE_CARD_BORDER],
                         0.8);
      plg_chart_add_text (chart, middle, y, PLG_ANCHOR_MIDDLE, size, i == sweep->own_column,
                          chart->theme->role[PLG_ROLE_TEXT_DIM],
                          plg_figure_string (chart->figure, "%s", text));
    }
  chart->y += n_lines * size * 1.3 + 2;
}

static double
cell_text_size (const PlgChart *chart, PlgRect cell)
{
  return MIN (cell.height * 0.5, chart->font_size * 0.92);
}

static void
add_cell (Picture *picture, int column, int row, PlgRect cell)
{
  PlgChart *chart = &picture->chart;
  const PlgSweepPoint *point = point_at (picture, column, row);
  double size = cell_text_size (chart, cell);
  gboolean is_shown = has_value (picture, column, row);
  gboolean fits = point->state == PLG_SWEEP_FITS;
  PlgColor fill = is_shown && fits ? cell_color (value_share (picture, point->value), chart->theme)
                                   : chart->theme->role[PLG_ROLE_BACKGROUND];
  g_autofree char *text = value_text (picture, point->value);
  PlgShape *shape;

  open_point (picture, chart, column, row);
  shape = plg_figure_rect (chart->figure, cell.x, cell.y, cell.width, cell.height, 0, fill);
  shape->entity = point_entity (picture, column, row);
  /* Edges would cover very small cells. */
  if (cell.width > 6 && cell.height > 6)
    {
      shape->stroke = chart->theme->role[PLG_ROLE_GRID];
      shape->stroke_width = 0.6;
    }
  if (!picture->hidden && point->state == PLG_SWEEP_TOO_LARGE)
    {
      shape->hatch = FIT_HATCH;
      shape->hatch_color = plg_color_mix (chart->theme->role[PLG_ROLE_BACKGROUND],
                                          chart->theme->role[PLG_ROLE_TEXT_DIM], 0.55);
    }
  if (point->state == PLG_SWEEP_IMPOSSIBLE && cell.height > 9 && cell.width > 9)
    add_cross (chart, cell.x + cell.width / 2, cell.y + cell.height / 2);
  else if (is_shown && fits && picture->has_cell_texts)
    plg_chart_add_text (chart, cell.x + cell.width / 2, cell.y + cell.height / 2, PLG_ANCHOR_MIDDLE,
                        size, plg_sweep_is_own (picture->sweep, column, row),
                        plg_theme_text_on (chart->theme, fill),
                        plg_figure_string (chart->figure, "%s", text));
  plg_figure_close (chart->figure);
}

static void
add_cells (Picture *picture)
{
  PlgChart *chart = &picture->chart;
  const PlgSweep *sweep = picture->sweep;
  const PlgColor *role = chart->theme->role;
  g_autofree char *x_title = key_title (&sweep->x);
  g_autofree char *y_title = key_title (&sweep->y);
  g_autofree char *metric = plg_metric_title (sweep->metric);
  g_auto (GStrv) names = g_new0 (char *, sweep->rows + 1);
  double name_bottom = -INFINITY, top;
  PlgRect cell;
  PlgLegend legend;

  for (int row = 0; row < sweep->rows; row++)
    names[row] = key_text (&sweep->y, row);
  plg_chart_add_text (chart, chart->margin, chart->y + chart->font_size * 0.5, PLG_ANCHOR_START,
                      chart->font_size, TRUE, role[PLG_ROLE_TEXT],
                      plg_figure_string (chart->figure, _ ("Down: %s · across: %s"), y_title,
                                         x_title));
  chart->y += chart->font_size * 1.8;
  plg_chart_fit_names (chart, (const char *const *) names, sweep->rows);
  cell.width = MIN ((chart->right - chart->left) / sweep->columns, MAX_CELL_WIDTH);
  cell.height = MIN (MAX_CELLS_HEIGHT / sweep->rows, MAX_CELL_HEIGHT);
  picture->has_cell_texts = cell.height > 10;
  for (int i = 0; picture->has_cell_texts && i < sweep->columns * sweep->rows; i++)
    {
      g_autofree char *text = value_text (picture, sweep->points[i].value);
      double width = plg_text_width (text, cell_text_size (chart, cell), TRUE);

      if (sweep->points[i].state == PLG_SWEEP_FITS && width > cell.width - 3)
        picture->has_cell_texts = FALSE;
    }
  add_column_names (picture, cell.width);
  top = chart->y;
  for (int row = 0; row < sweep->rows; row++)
    {
      cell.y = top + row * cell.height;
      if (cell.y + cell.height / 2 - chart->font_size * 0.55 >= name_bottom)
        {
          plg_chart_add_name (chart, cell.y + cell.height / 2, names[row]);
          name_bottom = cell.y + cell.height / 2 + chart->font_size * 0.55;
        }
      for (int column = 0; column < sweep->columns; column++)
        {
          cell.x = chart->left + column * cell.width;
          add_cell (picture, column, row, cell);
        }
    }
  if (sweep->own_column >= 0 && sweep->own_row >= 0)
    add_own_outline (chart, chart->left + sweep->own_column * cell.width,
                     top + sweep->own_row * cell.height, cell.width, cell.height);
  chart->y = top + sweep->rows * cell.height + chart->font_size * 1.2;

  if (!picture->hidden)
    {
      g_autofree char *least = value_text (picture, picture->least);
      g_autofree char *most = value_text (picture, picture->most);
      double between = has_logarithmic_colors (picture) ? sqrt (picture->least * picture->most)
                                                        : (picture->least + picture->most) / 2;
      g_autofree char *middle = value_text (picture, between);
      PlgLegendTick ticks[] = { { 0, least }, { 0.5, middle }, { 1, most } };
      int n_ticks = G_N_ELEMENTS (ticks);

      /* A metric that is true or false has no value between. */
      if (sweep->metric->measure == PLG_MEASURE_BOOLEAN)
        ticks[1] = ticks[--n_ticks];

      plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                        chart->font_size);
      plg_legend_ramp (&legend, metric, cell_color, chart->theme, ticks, n_ticks);
      chart->y = plg_legend_end (&legend) + chart->font_size * 1.2;
      plg_figure_set_layer (chart->figure, PLG_LAYER_CLUSTER);
    }
  add_legend_of_marks (picture, chart);
}

PlgFigure *
plg_sweep_figure (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgTheme *theme,
                  const PlgPictureOptions *options)
{
  const PlgSweep *sweep = options->sweep;
  g_autofree char *title = NULL, *words = NULL;
  const char *placeholder;
  Picture picture;

  if (sweep == NULL || sweep->kind == PLG_SWEEP_OF_SCALING)
    return plg_scaling_figure (plan, report, theme, options);
  picture_init (&picture, report, sweep);
  title = picture_title (sweep);
  words = picture_describe (&picture);
  plg_chart_begin (&picture.chart, theme, options, 640);
  plg_figure_describe (picture.chart.figure, title, words);
  plg_chart_add_title (&picture.chart, title, "", PLG_ROLE_TEXT);
  placeholder = plg_redaction_placeholder (report->redaction, PLG_REDACT_ALL);
  if (placeholder != NULL)
    plg_chart_add_note (&picture.chart, placeholder, picture.chart.font_size);
  if (sweep->rows <= MAX_LINES)
    add_lines (&picture);
  else
    add_cells (&picture);
  return plg_chart_end (&picture.chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

void
plg_ascii_add_sweep (GString *out,
                     const PlgPlan *plan,
                     const PlgReport *report,
                     const PlgPictureOptions *options)
{
  const PlgSweep *sweep = options->sweep;
  g_autoptr (PlgMonospaceTable) table = NULL;
  g_autofree char *x_title = NULL, *own = NULL;
  Picture picture;

  if (sweep == NULL || sweep->kind == PLG_SWEEP_OF_SCALING)
    {
      plg_ascii_add_scaling (out, plan, report, options);
      return;
    }
  picture_init (&picture, report, sweep);
  x_title = key_title (&sweep->x);
  own = own_text (&picture);
  table = plg_monospace_table_new (1 + sweep->rows);
  plg_monospace_table_add (table, x_title);
  for (int row = 0; row < sweep->rows; row++)
    plg_monospace_table_take (table, sweep->y.setting != NULL ? key_text (&sweep->y, row)
                                                              : plg_metric_title (sweep->metric));
  for (int column = 0; column < sweep->columns; column++)
    {
      plg_monospace_table_take (table, key_text (&sweep->x, column));
      for (int row = 0; row < sweep->rows; row++)
        {
          const PlgSweepPoint *point = plg_sweep_point (sweep, column, row);
          g_autofree char *value = value_text (&picture, picture.hidden ? NAN : point->value);
          gboolean is_marked = point->state == PLG_SWEEP_TOO_LARGE && !picture.hidden;

          if (point->state == PLG_SWEEP_IMPOSSIBLE)
            plg_monospace_table_add (table, "×");
          else
            plg_monospace_table_take (table, g_strconcat (is_marked ? "* " : "", value, NULL));
        }
    }
  if (sweep->y.setting != NULL)
    {
      g_autofree char *y_title = key_title (&sweep->y);

      plg_monospace_add_line (out, _ ("The columns are values of: %s"), y_title);
    }
  plg_monospace_table_write (table, out);
  plg_monospace_end_line (out);
  if (own != NULL)
    plg_monospace_add_paragraph (out, own);
  if (picture.n_too_large > 0 && !picture.hidden)
    plg_monospace_add_paragraph (out, _ ("* does not fit in memory"));
  if (picture.n_impossible > 0)
    plg_monospace_add_paragraph (out, _ ("× not possible"));
}
