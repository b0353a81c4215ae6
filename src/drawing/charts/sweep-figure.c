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

/* A chart of the MFU against the number of GPUs, with one curve for weak and one for strong
 * scaling. If the plan is similar to the reported runs below, the chart also shows these runs. A
 * table lists all values. */

#define HEIGHT 150.0 /* height of the plot [points] */
#define MARK_RADIUS 3.2

/* The lowest MFU at which a run is worthwhile, according to the course that reported the runs
 * below. */
#define MIN_USEFUL_MFU 0.4

/* Runs with data parallelism alone and about 7 billion parameters on H100, reported by a course on
 * training systems. The course does not say how the batch was chosen. */
static const struct
{
  int gpus;
  double mfu;
} reported[] = { { 8, 0.52 }, { 64, 0.38 }, { 512, 0.19 } };
/* The reported runs are shown if the plan's model has a size in this range [parameters]. */
#define REPORTED_MIN 6e9
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
  int own; /* number of GPUs in the plan */
  gboolean hidden;
  gboolean has_reported;
  double top, bottom; /* upper and lower edge of the plot */
  double highest;     /* MFU at the top of the plot */
} Sweep;

static const struct
{
  const char *title;
  PlgRole role;
} columns[] = {
  [COLUMN_WEAK] = { N_ ("Same batch per replica"), PLG_ROLE_AXIS_TP + PLG_AXIS_DP },
  [COLUMN_STRONG] = { N_ ("Same global batch"), PLG_ROLE_AXIS_TP + PLG_AXIS_PP },
  [COLUMN_REPORTED] = { N_ ("Reported"), PLG_ROLE_TEXT },
};
G_STATIC_ASSERT (G_N_ELEMENTS (columns) == N_COLUMNS);

/* Returns the MFU at point I; NAN if the value is hidden or does not exist. */
static double
sweep_value (const Sweep *sweep, Column column, int i)
{
  const PlgSweepPoint *point = &sweep->points[i];

  if (column != COLUMN_REPORTED)
    return sweep->hidden ? NAN : column == COLUMN_WEAK ? point->weak : point->strong;
  for (guint j = 0; sweep->has_reported && j < G_N_ELEMENTS (reported); j++)
    if (reported[j].gpus == point->gpus)
      return reported[j].mfu;
  return NAN;
}

static gboolean
has_column (const Sweep *sweep, Column column)
{
  return column != COLUMN_REPORTED || sweep->has_reported;
}

/* The plot ------------------------------------------------------------------------------------- */

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

/* Adds a disc for weak scaling, a ring for strong scaling or a cross for a reported run. */
static void
add_mark (PlgChart *chart, Column column, double x, double y)
{
  PlgColor color = chart->theme->role[columns[column].role];
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
add_plot (Sweep *sweep)
{
  PlgChart *chart = &sweep->chart;
  const PlgColor *role = chart->theme->role;
  double floor_y, taken = -INFINITY;

  sweep->top = chart->y + chart->font_size * 0.6;
  sweep->bottom = sweep->top + HEIGHT;
  plg_figure_open (chart->figure, "sweep-field", "field", _ ("MFU against the number of GPUs"));
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
  /* Show the numbers of GPUs below the plot, but leave out a number that would overlap the
   * previous number. */
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

  /* Draw the practical floor (MIN_USEFUL_MFU) even while results are hidden, because it does not
   * depend on the plan. */
  floor_y = y_of (sweep, MIN_USEFUL_MFU);
  plg_figure_open (chart->figure, "sweep-floor", "floor", _ ("Practical floor, 40 %"));
  plg_figure_line (chart->figure, chart->left, floor_y, chart->right, floor_y,
                   role[PLG_ROLE_TEXT_DIM], 1.2)
      ->dashed = PLG_DASH_LONG;
  plg_figure_close (chart->figure);

  if (sweep->n > 0)
    {
      double x = x_of (sweep, sweep->own);

      plg_figure_line (chart->figure, x, sweep->top, x, sweep->bottom, role[PLG_ROLE_ACCENT], 1)
          ->dashed = PLG_DASH_DOTS;
    }
  for (int column = 0; column < N_COLUMNS; column++)
    {
      PlgPoint points[PLG_SWEEP_MAX];
      int n = 0;

      for (int i = 0; i < sweep->n; i++)
        {
          double value = sweep_value (sweep, column, i);

          if (isfinite (value))
            points[n++] = (PlgPoint) { x_of (sweep, sweep->points[i].gpus), y_of (sweep, value) };
        }
      if (n > 1 && column != COLUMN_REPORTED)
        plg_figure_path (chart->figure, points, n, role[columns[column].role], 1.5)
            ->dashed = column == COLUMN_STRONG ? PLG_DASH_SHORT : PLG_DASH_NONE;
      for (int i = 0; i < n; i++)
        add_mark (chart, column, points[i].x, points[i].y);
    }
  plg_figure_close (chart->figure);
  chart->y = sweep->bottom + chart->font_size * 2.4;
}

/* The table ------------------------------------------------------------------------------------ */

static double
column_end (const Sweep *sweep, Column column)
{
  const PlgChart *chart = &sweep->chart;
  int n = sweep->has_reported ? N_COLUMNS : N_COLUMNS - 1;
  double start = chart->margin + (chart->right - chart->margin) * 0.16;

  return start + (chart->right - start) * (column + 1) / n;
}

static char *
share_text (double value)
{
  return isfinite (value) ? plg_format_share (value) : g_strdup ("–");
}

/* Returns the values for screen readers, column by column: the title of the column, then each
 * number of GPUs and its MFU, for example "Same global batch: 8 46.7 % …". */
static char *
sweep_describe (const Sweep *sweep)
{
  GString *text = g_string_new (NULL);

  for (int column = 0; column < N_COLUMNS; column++)
    {
      g_string_append_printf (text, "%s%s:", text->len > 0 ? "; " : "", _ (columns[column].title));
      for (int i = 0; i < sweep->n; i++)
        {
          double value = sweep_value (sweep, column, i);
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
  const int *degree = plan->parallelism.degree;

  sweep->own = plg_plan_world (plan);
  /* While faults are hidden, PLAN lacks them, so the points computed from PLAN would not match
   * the report. Hide these points as well. */
  sweep->hidden = plg_report_hides (report, PLG_REDACT_TIME | PLG_REDACT_FAULTS);
  sweep->n = plg_sweep (plan, sweep->points);

  sweep->has_reported = degree[PLG_AXIS_DP] == sweep->own && plan->model.experts == 0 &&
                        report->parameters_total >= REPORTED_MIN &&
                        report->parameters_total <= REPORTED_MAX;
  /* Extend the plot above the practical floor (MIN_USEFUL_MFU), so that the line of the floor is
   * always visible. */
  sweep->highest = MIN_USEFUL_MFU + 0.05;
  for (int column = 0; column < N_COLUMNS; column++)
    for (int i = 0; i < sweep->n; i++)
      {
        double value = sweep_value (sweep, column, i);

        if (isfinite (value))
          sweep->highest = MAX (sweep->highest, value);
      }
  sweep->highest = ceil (sweep->highest * 10) / 10;
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
  add_plot (&sweep);

  /* Explain the columns in a legend, because the columns of the table are too narrow for their
   * titles. */
  for (int column = 0; column < N_COLUMNS; column++)
    {
      PlgColor color = chart->theme->role[columns[column].role];

      if (!has_column (&sweep, column))
        continue;
      if (column != COLUMN_REPORTED)
        plg_figure_line (chart->figure, chart->margin, chart->y, chart->margin + 22, chart->y,
                         color, 1.5)
            ->dashed = column == COLUMN_STRONG ? PLG_DASH_SHORT : PLG_DASH_NONE;
      add_mark (chart, column, chart->margin + 11, chart->y);
      plg_chart_add_text (chart, chart->margin + 30, chart->y, PLG_ANCHOR_START, chart->font_size,
                          FALSE, chart->theme->role[PLG_ROLE_TEXT], _ (columns[column].title));
      chart->y += chart->font_size * 1.6;
    }
  plg_figure_line (chart->figure, chart->margin, chart->y, chart->margin + 22, chart->y,
                   chart->theme->role[PLG_ROLE_TEXT_DIM], 1.2)
      ->dashed = PLG_DASH_LONG;
  plg_chart_add_text (chart, chart->margin + 30, chart->y, PLG_ANCHOR_START, chart->font_size,
                      FALSE, chart->theme->role[PLG_ROLE_TEXT], _ ("Practical floor, 40 %"));
  chart->y += chart->font_size * 1.6;

  plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], _ ("GPUs"));
  for (int column = 0; column < N_COLUMNS; column++)
    if (has_column (&sweep, column))
      add_mark (chart, column, column_end (&sweep, column) - 16, chart->y);
  chart->y += chart->font_size * 1.5;

  for (int i = 0; i < sweep.n; i++)
    {
      gboolean own = sweep.points[i].gpus == sweep.own;
      PlgColor color = chart->theme->role[PLG_ROLE_TEXT];

      plg_figure_open (chart->figure,
                       plg_figure_string (chart->figure, "sweep-%d", sweep.points[i].gpus), "row",
                       NULL);
      plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, own,
                          color, plg_figure_string (chart->figure, "%d", sweep.points[i].gpus));
      for (int column = 0; column < N_COLUMNS; column++)
        {
          double value = sweep_value (&sweep, column, i);
          g_autofree char *text = share_text (value);

          if (has_column (&sweep, column))
            plg_chart_add_text (chart, column_end (&sweep, column), chart->y, PLG_ANCHOR_END,
                                chart->font_size, own, color, text);
        }
      plg_figure_close (chart->figure);
      chart->y += chart->font_size * 1.5;
    }
  return plg_chart_end (chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

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
      plg_monospace_table_add (table, _ (columns[column].title));
  for (int i = 0; i < sweep.n; i++)
    {
      gboolean own = sweep.points[i].gpus == sweep.own;

      plg_monospace_table_take (table,
                                g_strdup_printf ("%d%s%s", sweep.points[i].gpus, own ? "  " : "",
                                                 own ? _ ("this plan") : ""));
      for (int column = 0; column < N_COLUMNS; column++)
        {
          if (has_column (&sweep, column))
            plg_monospace_table_take (table, share_text (sweep_value (&sweep, column, i)));
        }
    }
  plg_monospace_table_write (table, out);
}
