/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/ascii.h"
#include "engine/sweep.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* MFU against the number of GPUs: a curve for each of the two experiments that are called scaling,
 * reported runs beside them where the plan is like theirs, and all values in a table. */

#define HEIGHT 150.0 /* of the field */
#define MARK_RADIUS 3.2

/* What the course that reported the runs below takes for the least that is worth running. */
#define MIN_USEFUL_MFU 0.4

/* Reported by a course on training systems for data parallelism alone, about 7 billion parameters,
 * on H100: 52, 38 and 19 %. It does not say how the batch was chosen. */
static const struct
{
  int gpus;
  double mfu;
} reported[] = { { 8, 0.52 }, { 64, 0.38 }, { 512, 0.19 } };
#define REPORTED_MIN 6e9 /* parameters */
#define REPORTED_MAX 8e9

typedef enum
{
  COLUMN_WEAK,
  COLUMN_STRONG,
  COLUMN_REPORTED,
  N_COLUMNS,
} Column;

typedef struct
{
  PlgChart chart;
  PlgSweepPoint points[PLG_SWEEP_MAX];
  int n;
  int own; /* the plan's GPUs */
  gboolean hidden;
  gboolean has_reported;
  double top, bottom; /* of the field */
  double highest;     /* MFU at its top */
} Sweep;

static const char *
column_title (Column column)
{
  static const char *const titles[N_COLUMNS] = {
    N_ ("Same batch a replica"),
    N_ ("Same global batch"),
    N_ ("Reported"),
  };

  return _ (titles[column]);
}

static PlgRole
column_role (Column column)
{
  static const PlgRole roles[N_COLUMNS] = {
    PLG_ROLE_AXIS_TP + PLG_AXIS_DP,
    PLG_ROLE_AXIS_TP + PLG_AXIS_PP,
    PLG_ROLE_TEXT,
  };

  return roles[column];
}

static double
reported_at (const Sweep *sweep, int gpus)
{
  for (guint i = 0; sweep->has_reported && i < G_N_ELEMENTS (reported); i++)
    if (reported[i].gpus == gpus)
      return reported[i].mfu;
  return NAN;
}

static double
value_of (const Sweep *sweep, Column column, int i)
{
  const PlgSweepPoint *point = &sweep->points[i];

  if (column == COLUMN_REPORTED)
    return reported_at (sweep, point->gpus);
  if (sweep->hidden)
    return NAN;
  return column == COLUMN_WEAK ? point->weak : point->strong;
}

static gboolean
has_column (const Sweep *sweep, Column column)
{
  return column != COLUMN_REPORTED || sweep->has_reported;
}

/* Only a plan like theirs can be held against those runs. */
static gboolean
is_like_reported (const PlgPlan *plan, const PlgReport *report)
{
  const int *degree = plan->parallelism.degree;

  return degree[PLG_AXIS_DP] == plg_plan_world (plan) && plan->model.experts == 0 &&
         report->parameters_total >= REPORTED_MIN && report->parameters_total <= REPORTED_MAX;
}

static void
set_scale (Sweep *sweep)
{
  double most = MIN_USEFUL_MFU + 0.05; /* the floor is seen with what is above it */

  for (int column = 0; column < N_COLUMNS; column++)
    for (int i = 0; i < sweep->n; i++)
      {
        double value = value_of (sweep, column, i);

        if (isfinite (value))
          most = MAX (most, value);
      }
  sweep->highest = ceil (most * 10) / 10;
}

/* The field */

static double
x_of (const Sweep *sweep, int gpus)
{
  double first = log2 (sweep->points[0].gpus), last = log2 (sweep->points[sweep->n - 1].gpus);
  double along = last > first ? (log2 (gpus) - first) / (last - first) : 0.5;

  return sweep->chart.left + 8 + (sweep->chart.right - sweep->chart.left - 28) * along;
}

static double
y_of (const Sweep *sweep, double mfu)
{
  return sweep->bottom - (sweep->bottom - sweep->top) * mfu / sweep->highest;
}

static void
add_grid (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;

  for (int tenth = 0; tenth <= (int) lround (sweep->highest * 10); tenth++)
    {
      double y = y_of (sweep, tenth / 10.0);

      plg_figure_line (chart->figure, chart->left, y, chart->right, y,
                       chart->theme->role[tenth == 0 ? PLG_ROLE_CARD_BORDER : PLG_ROLE_GRID], 1);
      if (tenth % 2 == 0)
        plg_chart_add_text (chart, chart->left - 5, y, PLG_ANCHOR_END, chart->font_size, FALSE,
                            chart->theme->role[PLG_ROLE_TEXT_DIM],
                            plg_figure_string (chart->figure, "%d %%", tenth * 10));
    }
}

/* Below the field, as many of the numbers of GPUs as have room. */
static void
add_gpus (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;
  double taken = -INFINITY;

  for (int i = 0; i < sweep->n; i++)
    {
      const char *text = plg_figure_string (chart->figure, "%d", sweep->points[i].gpus);
      double x = x_of (sweep, sweep->points[i].gpus);
      double half = plg_text_width (text, chart->font_size, FALSE) / 2;

      if (x - half < taken)
        continue;
      plg_chart_add_text (chart, x, sweep->bottom + chart->font_size, PLG_ANCHOR_MIDDLE,
                          chart->font_size, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM], text);
      taken = x + half + 6;
    }
}

/* A disc for what keeps each replica's batch, a ring for what keeps the global one, a cross for
 * what was reported. */
static void
add_mark (PlgChart *chart, Column column, double x, double y)
{
  PlgColor color = chart->theme->role[column_role (column)];
  PlgShape *shape;

  if (column == COLUMN_REPORTED)
    {
      plg_figure_line (chart->figure, x - MARK_RADIUS, y - MARK_RADIUS, x + MARK_RADIUS,
                       y + MARK_RADIUS, color, 2);
      plg_figure_line (chart->figure, x - MARK_RADIUS, y + MARK_RADIUS, x + MARK_RADIUS,
                       y - MARK_RADIUS, color, 2);
      return;
    }
  shape = plg_figure_rect (chart->figure, x - MARK_RADIUS, y - MARK_RADIUS, 2 * MARK_RADIUS,
                           2 * MARK_RADIUS, MARK_RADIUS,
                           column == COLUMN_WEAK ? color : chart->theme->role[PLG_ROLE_BACKGROUND]);
  shape->stroke = color;
  shape->stroke_width = 1.5;
}

static void
add_curve (Sweep *sweep, Column column)
{
  PlgChart *chart = &sweep->chart;
  PlgPoint points[PLG_SWEEP_MAX];
  int n = 0;

  for (int i = 0; i < sweep->n; i++)
    {
      double value = value_of (sweep, column, i);

      if (isfinite (value))
        points[n++] = (PlgPoint) { x_of (sweep, sweep->points[i].gpus), y_of (sweep, value) };
    }
  if (n > 1 && column != COLUMN_REPORTED)
    plg_figure_path (chart->figure, points, n, chart->theme->role[column_role (column)], 1.5)
        ->dashed = column == COLUMN_STRONG ? PLG_DASH_SHORT : PLG_DASH_NONE;
  for (int i = 0; i < n; i++)
    add_mark (chart, column, points[i].x, points[i].y);
}

/* Not the veil's business: it is a line that people draw, whatever the plan does. */
static void
add_floor (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;
  double y = y_of (sweep, MIN_USEFUL_MFU);

  plg_figure_open (chart->figure, "sweep-floor", "floor", _ ("Practical floor, 40 %"));
  plg_figure_line (chart->figure, chart->left, y, chart->right, y,
                   chart->theme->role[PLG_ROLE_TEXT_DIM], 1.2)
      ->dashed = PLG_DASH_LONG;
  plg_figure_close (chart->figure);
}

/* Where the plan itself stands. */
static void
mark_own_plan (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;
  double x = x_of (sweep, sweep->own);

  plg_figure_line (chart->figure, x, sweep->top, x, sweep->bottom,
                   chart->theme->role[PLG_ROLE_ACCENT], 1)
      ->dashed = PLG_DASH_DOTS;
}

static void
add_field (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;

  sweep->top = chart->y + chart->font_size * 0.6;
  sweep->bottom = sweep->top + HEIGHT;
  plg_figure_open (chart->figure, "sweep-field", "field", _ ("MFU against the number of GPUs"));
  add_grid (sweep);
  add_gpus (sweep);
  add_floor (sweep);
  if (sweep->n > 0)
    mark_own_plan (sweep);
  for (int column = 0; column < N_COLUMNS; column++)
    add_curve (sweep, column);
  plg_figure_close (chart->figure);
  chart->y = sweep->bottom + chart->font_size * 2.4;
}

/* The table */

static double
column_end (const Sweep *sweep, Column column)
{
  const PlgChart *chart = &sweep->chart;
  int n = sweep->has_reported ? N_COLUMNS : N_COLUMNS - 1;
  double start = chart->margin + (chart->right - chart->margin) * 0.16;

  return start + (chart->right - start) * (column + 1) / n;
}

/* Marks and titles, which are the legend too: each title on a line of its own where the columns
 * are too narrow for them. */
static void
add_legend (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;
  double pitch = chart->font_size * 1.6;

  for (int column = 0; column < N_COLUMNS; column++)
    {
      PlgColor color = chart->theme->role[column_role (column)];

      if (!has_column (sweep, column))
        continue;
      if (column != COLUMN_REPORTED)
        plg_figure_line (chart->figure, chart->margin, chart->y, chart->margin + 22, chart->y,
                         color, 1.5)
            ->dashed = column == COLUMN_STRONG ? PLG_DASH_SHORT : PLG_DASH_NONE;
      add_mark (chart, column, chart->margin + 11, chart->y);
      plg_chart_add_text (chart, chart->margin + 30, chart->y, PLG_ANCHOR_START, chart->font_size,
                          FALSE, chart->theme->role[PLG_ROLE_TEXT], column_title (column));
      chart->y += pitch;
    }
  plg_figure_line (chart->figure, chart->margin, chart->y, chart->margin + 22, chart->y,
                   chart->theme->role[PLG_ROLE_TEXT_DIM], 1.2)
      ->dashed = PLG_DASH_LONG;
  plg_chart_add_text (chart, chart->margin + 30, chart->y, PLG_ANCHOR_START, chart->font_size,
                      FALSE, chart->theme->role[PLG_ROLE_TEXT], _ ("Practical floor, 40 %"));
  chart->y += pitch;
}

static void
add_heads (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;

  plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], _ ("GPUs"));
  for (int column = 0; column < N_COLUMNS; column++)
    if (has_column (sweep, column))
      add_mark (chart, column, column_end (sweep, column) - 16, chart->y);
  chart->y += chart->font_size * 1.5;
}

static char *
share_text (double value)
{
  return isfinite (value) ? plg_format_share (value) : g_strdup ("–");
}

static void
add_row (Sweep *sweep, int i)
{
  PlgChart *chart = &sweep->chart;
  gboolean own = sweep->points[i].gpus == sweep->own;
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT];

  plg_figure_open (chart->figure,
                   plg_figure_string (chart->figure, "sweep-%d", sweep->points[i].gpus), "row",
                   NULL);
  plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, own,
                      color, plg_figure_string (chart->figure, "%d", sweep->points[i].gpus));
  for (int column = 0; column < N_COLUMNS; column++)
    {
      double value = value_of (sweep, column, i);
      g_autofree char *text = share_text (value);

      if (has_column (sweep, column))
        plg_chart_add_text (chart, column_end (sweep, column), chart->y, PLG_ANCHOR_END,
                            chart->font_size, own, color, text);
    }
  plg_figure_close (chart->figure);
  chart->y += chart->font_size * 1.5;
}

/* "MFU at 8 GPUs 46.7 %, … ": what screen readers are told. */
static char *
sweep_describe (const Sweep *sweep)
{
  GString *text = g_string_new (NULL);

  for (int column = 0; column < N_COLUMNS; column++)
    {
      g_string_append_printf (text, "%s%s:", text->len > 0 ? "; " : "", column_title (column));
      for (int i = 0; i < sweep->n; i++)
        {
          double value = value_of (sweep, column, i);
          g_autofree char *share = isfinite (value) ? plg_format_share (value) : NULL;

          if (share != NULL)
            g_string_append_printf (text, " %d %s", sweep->points[i].gpus, share);
        }
      if (!has_column (sweep, column + 1 < N_COLUMNS ? column + 1 : column))
        break;
    }
  return g_string_free (text, FALSE);
}

static void
sweep_init (Sweep *sweep, const PlgPlan *plan, const PlgReport *report)
{
  sweep->own = plg_plan_world (plan);
  /* Without faults that are hidden, the points would be of another cluster than the plan's own. */
  sweep->hidden = (report->redaction & (PLG_REDACT_TIME | PLG_REDACT_FAULTS)) != 0;
  sweep->n = plg_sweep (plan, sweep->points);
  sweep->has_reported = is_like_reported (plan, report);
  set_scale (sweep);
}

PlgFigure *
plg_sweep_figure (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgTheme *theme,
                  const PlgPictureOptions *options)
{
  g_autofree char *words = NULL;
  Sweep sweep;
  PlgChart *chart = &sweep.chart;

  sweep_init (&sweep, plan, report);
  words = sweep_describe (&sweep);
  plg_chart_begin (chart, theme, options, 560);
  plg_figure_describe (chart->figure, _ ("MFU against the number of GPUs"), words);
  plg_chart_add_title (chart, _ ("MFU against the number of GPUs"), "", PLG_ROLE_TEXT);
  chart->left += plg_text_width ("100 %", chart->font_size, FALSE) + 6;
  add_field (&sweep);
  add_legend (&sweep);
  add_heads (&sweep);
  for (int i = 0; i < sweep.n; i++)
    add_row (&sweep, i);
  return plg_chart_end (chart);
}

/* The letters */

static void
add_monospace_row (PlgMonospaceTable *table, const Sweep *sweep, int i)
{
  gboolean own = sweep->points[i].gpus == sweep->own;
  g_autofree char *gpus = g_strdup_printf ("%d%s%s", sweep->points[i].gpus, own ? "  " : "",
                                           own ? _ ("this plan") : "");

  plg_monospace_table_add (table, gpus);
  for (int column = 0; column < N_COLUMNS; column++)
    {
      g_autofree char *text = share_text (value_of (sweep, column, i));

      if (has_column (sweep, column))
        plg_monospace_table_add (table, text);
    }
}

void
plg_ascii_add_sweep (GString *out,
                     const PlgPlan *plan,
                     const PlgReport *report,
                     const PlgPictureOptions *options)
{
  g_autoptr (PlgMonospaceTable) table = NULL;
  Sweep sweep;

  sweep_init (&sweep, plan, report);
  table = plg_monospace_table_new (1 + (sweep.has_reported ? N_COLUMNS : N_COLUMNS - 1));
  plg_monospace_table_add (table, _ ("GPUs"));
  for (int column = 0; column < N_COLUMNS; column++)
    if (has_column (&sweep, column))
      plg_monospace_table_add (table, column_title (column));
  for (int i = 0; i < sweep.n; i++)
    add_monospace_row (table, &sweep, i);
  plg_monospace_table_write (table, out);
}
