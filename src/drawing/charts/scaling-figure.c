/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/scaling-figure.h"

#include "drawing/charts/chart.h"
#include "drawing/figure/monospace-table.h"
#include "engine/sweep.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

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
  PlgSweep *sweep; /* owned */
  int node;        /* number of GPUs per node */
  int n;           /* number of clusters */
  int own;         /* number of GPUs in the plan */
  gboolean hidden;
  gboolean has_reported;
  double top, bottom; /* upper and lower edge of the plot */
  double highest;     /* MFU at the top of the plot */
} Scaling;

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

/* Returns the number of GPUs at point I. */
static int
gpus_at (const Scaling *scaling, int i)
{
  return atoi (g_ptr_array_index (scaling->sweep->x.values, i)) * scaling->node;
}

/* Returns the MFU at point I; NAN if the value is hidden or does not exist. */
static double
scaling_value (const Scaling *scaling, Column column, int i)
{
  if (column != COLUMN_REPORTED)
    {
      /* The rows of the sweep are weak and strong scaling, in the order of the columns. */
      const PlgSweepPoint *point = plg_sweep_point (scaling->sweep, i, (int) column);

      return scaling->hidden || point->state != PLG_SWEEP_FITS ? NAN : point->value;
    }
  for (guint j = 0; scaling->has_reported && j < G_N_ELEMENTS (reported); j++)
    if (reported[j].gpus == gpus_at (scaling, i))
      return reported[j].mfu;
  return NAN;
}

static gboolean
has_column (const Scaling *scaling, Column column)
{
  return column != COLUMN_REPORTED || scaling->has_reported;
}

/* The plot ------------------------------------------------------------------------------------- */

static double
x_of (const Scaling *scaling, int gpus)
{
  double first = log2 (gpus_at (scaling, 0)), last = log2 (gpus_at (scaling, scaling->n - 1));
  double along = last > first ? (log2 (gpus) - first) / (last - first) : 0.5;

  return scaling->chart.left + 8 + (scaling->chart.right - scaling->chart.left - 28) * along;
}

static double
y_of (const Scaling *scaling, double mfu)
{
  return scaling->bottom - (scaling->bottom - scaling->top) * mfu / scaling->highest;
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
add_plot (Scaling *scaling)
{
  PlgChart *chart = &scaling->chart;
  const PlgColor *role = chart->theme->role;
  double floor_y, taken = -INFINITY;

  scaling->top = chart->y + chart->font_size * 0.6;
  scaling->bottom = scaling->top + HEIGHT;
  plg_figure_open (chart->figure, "sweep-field", "field", _ ("MFU against the number of GPUs"));
  for (int tenth = 0; tenth <= (int) lround (scaling->highest * 10); tenth++)
    {
      double y = y_of (scaling, tenth / 10.0);

      plg_figure_line (chart->figure, chart->left, y, chart->right, y,
                       chart->theme->role[tenth == 0 ? PLG_ROLE_CARD_BORDER : PLG_ROLE_GRID], 1);
      if (tenth % 2 == 0)
        plg_chart_add_text (chart, chart->left - 5, y, PLG_ANCHOR_END, chart->font_size, FALSE,
                            chart->theme->role[PLG_ROLE_TEXT_DIM],
                            plg_figure_string (chart->figure, "%d %%", tenth * 10));
    }
  /* Show the numbers of GPUs below the plot, but leave out a number that would overlap the
   * previous number. */
  for (int i = 0; i < scaling->n; i++)
    {
      const char *text = plg_figure_string (chart->figure, "%d", gpus_at (scaling, i));
      double x = x_of (scaling, gpus_at (scaling, i));
      double half = plg_text_width (text, chart->font_size, FALSE) / 2;

      if (x - half < taken)
        continue;
      plg_chart_add_text (chart, x, scaling->bottom + chart->font_size, PLG_ANCHOR_MIDDLE,
                          chart->font_size, FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM], text);
      taken = x + half + 6;
    }

  /* Draw the practical floor (MIN_USEFUL_MFU) even while results are hidden, because it does not
   * depend on the plan. */
  floor_y = y_of (scaling, MIN_USEFUL_MFU);
  plg_figure_open (chart->figure, "sweep-floor", "floor", _ ("Practical floor, 40 %"));
  plg_figure_line (chart->figure, chart->left, floor_y, chart->right, floor_y,
                   role[PLG_ROLE_TEXT_DIM], 1.2)
      ->dashed = PLG_DASH_LONG;
  plg_figure_close (chart->figure);

  if (scaling->n > 0)
    {
      double x = x_of (scaling, scaling->own);

      plg_figure_line (chart->figure, x, scaling->top, x, scaling->bottom, role[PLG_ROLE_ACCENT], 1)
          ->dashed = PLG_DASH_DOTS;
    }
  for (int column = 0; column < N_COLUMNS; column++)
    {
      g_autofree PlgPoint *points = g_new (PlgPoint, MAX (scaling->n, 1));
      int n = 0;

      for (int i = 0; i < scaling->n; i++)
        {
          double value = scaling_value (scaling, column, i);

          if (isfinite (value))
            points[n++] = (PlgPoint) { x_of (scaling, gpus_at (scaling, i)),
                                       y_of (scaling, value) };
        }
      if (n > 1 && column != COLUMN_REPORTED)
        plg_figure_path (chart->figure, points, n, role[columns[column].role], 1.5)
            ->dashed = column == COLUMN_STRONG ? PLG_DASH_SHORT : PLG_DASH_NONE;
      for (int i = 0; i < n; i++)
        add_mark (chart, column, points[i].x, points[i].y);
    }
  plg_figure_close (chart->figure);
  chart->y = scaling->bottom + chart->font_size * 2.4;
}

/* The table ------------------------------------------------------------------------------------ */

static double
column_end (const Scaling *scaling, Column column)
{
  const PlgChart *chart = &scaling->chart;
  int n = scaling->has_reported ? N_COLUMNS : N_COLUMNS - 1;
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
scaling_describe (const Scaling *scaling)
{
  GString *text = g_string_new (NULL);

  for (int column = 0; column < N_COLUMNS; column++)
    {
      g_string_append_printf (text, "%s%s:", text->len > 0 ? "; " : "", _ (columns[column].title));
      for (int i = 0; i < scaling->n; i++)
        {
          double value = scaling_value (scaling, column, i);
          g_autofree char *share = isfinite (value) ? plg_format_share (value) : NULL;

          if (share != NULL)
            g_string_append_printf (text, " %d %s", gpus_at (scaling, i), share);
        }
      if (!has_column (scaling, column + 1 < N_COLUMNS ? column + 1 : column))
        break;
    }
  return g_string_free (text, FALSE);
}

static void
scaling_init (Scaling *scaling, const PlgPlan *plan, const PlgReport *report)
{
  const int *degree = plan->parallelism.degree;

  scaling->own = plg_plan_world (plan);
  /* While faults are hidden, PLAN lacks them, so the points computed from PLAN would not match
   * the report. Hide these points as well. */
  scaling->hidden = plg_report_hides (report, PLG_REDACT_TIME | PLG_REDACT_FAULTS);
  scaling->sweep = plg_sweep_scaling (plan);
  scaling->node = plan->cluster.gpus_per_node;
  scaling->n = scaling->sweep->columns;

  scaling->has_reported = degree[PLG_AXIS_DP] == scaling->own && plan->model.experts == 0 &&
                          report->parameters_total >= REPORTED_MIN &&
                          report->parameters_total <= REPORTED_MAX;
  /* Extend the plot above the practical floor (MIN_USEFUL_MFU), so that the line of the floor is
   * always visible. */
  scaling->highest = MIN_USEFUL_MFU + 0.05;
  for (int column = 0; column < N_COLUMNS; column++)
    for (int i = 0; i < scaling->n; i++)
      {
        double value = scaling_value (scaling, column, i);

        if (isfinite (value))
          scaling->highest = MAX (scaling->highest, value);
      }
  scaling->highest = ceil (scaling->highest * 10) / 10;
}

PlgFigure *
plg_scaling_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_autofree char *words = NULL;
  Scaling scaling;
  PlgChart *chart = &scaling.chart;

  scaling_init (&scaling, plan, report);
  words = scaling_describe (&scaling);
  plg_chart_begin (chart, theme, options, 560);
  plg_figure_describe (chart->figure, _ ("MFU against the number of GPUs"), words);
  plg_chart_add_title (chart, _ ("MFU against the number of GPUs"), "", PLG_ROLE_TEXT);
  chart->left += plg_text_width ("100 %", chart->font_size, FALSE) + 6;
  add_plot (&scaling);

  /* Explain the columns in a legend, because the columns of the table are too narrow for their
   * titles. */
  for (int column = 0; column < N_COLUMNS; column++)
    {
      PlgColor color = chart->theme->role[columns[column].role];

      if (!has_column (&scaling, column))
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
    if (has_column (&scaling, column))
      add_mark (chart, column, column_end (&scaling, column) - 16, chart->y);
  chart->y += chart->font_size * 1.5;

  for (int i = 0; i < scaling.n; i++)
    {
      gboolean own = gpus_at (&scaling, i) == scaling.own;
      PlgColor color = chart->theme->role[PLG_ROLE_TEXT];

      plg_figure_open (chart->figure,
                       plg_figure_string (chart->figure, "sweep-%d", gpus_at (&scaling, i)), "row",
                       NULL);
      plg_chart_add_text (chart, chart->margin, chart->y, PLG_ANCHOR_START, chart->font_size, own,
                          color, plg_figure_string (chart->figure, "%d", gpus_at (&scaling, i)));
      for (int column = 0; column < N_COLUMNS; column++)
        {
          double value = scaling_value (&scaling, column, i);
          g_autofree char *text = share_text (value);

          if (has_column (&scaling, column))
            plg_chart_add_text (chart, column_end (&scaling, column), chart->y, PLG_ANCHOR_END,
                                chart->font_size, own, color, text);
        }
      plg_figure_close (chart->figure);
      chart->y += chart->font_size * 1.5;
    }
  plg_sweep_unref (scaling.sweep);
  return plg_chart_end (chart);
}

/* Monospace text ------------------------------------------------------------------------------- */

void
plg_ascii_add_scaling (GString *out,
                       const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgPictureOptions *options)
{
  g_autoptr (PlgMonospaceTable) table = NULL;
  Scaling scaling;

  scaling_init (&scaling, plan, report);
  table = plg_monospace_table_new (1 + (scaling.has_reported ? N_COLUMNS : N_COLUMNS - 1));
  plg_monospace_table_add (table, _ ("GPUs"));
  for (int column = 0; column < N_COLUMNS; column++)
    if (has_column (&scaling, column))
      plg_monospace_table_add (table, _ (columns[column].title));
  for (int i = 0; i < scaling.n; i++)
    {
      gboolean own = gpus_at (&scaling, i) == scaling.own;

      plg_monospace_table_take (table,
                                g_strdup_printf ("%d%s%s", gpus_at (&scaling, i), own ? "  " : "",
                                                 own ? _ ("this plan") : ""));
      for (int column = 0; column < N_COLUMNS; column++)
        {
          if (has_column (&scaling, column))
            plg_monospace_table_take (table, share_text (scaling_value (&scaling, column, i)));
        }
    }
  plg_monospace_table_write (table, out);
  plg_sweep_unref (scaling.sweep);
}
