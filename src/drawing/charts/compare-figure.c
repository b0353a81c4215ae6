/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/charts/order-comparison.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The cluster in two nesting orders, side by side: links in the colours of one scale, and under
 * each what the order makes of every axis. */

#define GAP 24.0
/* Never the small text of a panel. */
#define FONT_SIZE 12.0
/* Two clusters are at least so wide. */
#define MIN_WIDTH 480.0
/* Wider than this a table falls apart; in font sizes. */
#define MAX_TABLE 45.0
/* The width of two clusters of 64 GPUs. Larger ones are shown smaller, wherever it is, and texts
 * beside them must still be read then. */
#define DEFAULT_WIDTH 1700.0

typedef struct
{
  double left, right;
} Place;

typedef struct
{
  PlgChart chart;
  PlgOrderComparison *comparison;
  Place places[2];
  PlgPictureOptions options;
} Compare;

/* The clusters --------------------------------------------------------------------------------- */

/* Both as wide as they fit; on the screen with as much detail as can be read at that size. */
static void
set_zoom (Compare *compare, double room)
{
  PlgClusterLayout layout = plg_cluster_layout_on_screen (compare->comparison->sides[0].plan, 1);

  compare->options.zoom = 0;
  if (compare->options.width > 0)
    compare->options.zoom = MIN (room / layout.width, 1);
}

static double
add_cluster (Compare *compare, int side, double top)
{
  const PlgOrderSide *shown = &compare->comparison->sides[side];
  const Place *place = &compare->places[side];
  PlgPictureOptions options = compare->options;
  g_autoptr (PlgFigure) figure = NULL;
  double factor;

  options.same_scale = compare->comparison->sides[!side].report;
  figure = plg_cluster_figure (shown->plan, shown->report, compare->chart.theme, &options);
  factor = MIN ((place->right - place->left) / plg_figure_width (figure), 1);
  plg_figure_embed (compare->chart.figure, figure, place->left, top, factor,
                    side == 0 ? "a-" : "b-");
  return plg_figure_height (figure) * factor;
}

static void
add_heading (Compare *compare, int side)
{
  PlgChart *chart = &compare->chart;
  const PlgOrderSide *shown = &compare->comparison->sides[side];
  const Place *place = &compare->places[side];
  double size = chart->font_size * 1.15;

  plg_chart_add_text (chart, place->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], shown->title);
  if (side == 0)
    plg_chart_add_text (chart, place->left + plg_text_width (shown->title, size, TRUE) + size,
                        chart->y + size / 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                        chart->theme->role[PLG_ROLE_TEXT_DIM], _ ("this plan"));
}

static void
add_clusters (Compare *compare)
{
  PlgChart *chart = &compare->chart;
  double height = 0;

  for (int side = 0; side < 2; side++)
    add_heading (compare, side);
  chart->y += chart->font_size * 1.6;
  for (int side = 0; side < 2; side++)
    {
      double taken = add_cluster (compare, side, chart->y);

      height = MAX (height, taken);
    }
  plg_figure_set_layer (chart->figure, PLG_LAYER_CLUSTER);
  chart->y += height;
}

/* One for both, since they have one scale. */
static void
add_legend (Compare *compare)
{
  PlgChart *chart = &compare->chart;
  PlgPictureOptions options = compare->options;
  g_autoptr (PlgFigure) figure = NULL;
  double factor = chart->font_size / FONT_SIZE;

  options.same_scale = compare->comparison->sides[1].report;
  options.zoom = options.zoom > 0 ? options.zoom : 1;
  figure = plg_cluster_legend_figure (compare->comparison->sides[0].plan,
                                      compare->comparison->sides[0].report, chart->theme, &options,
                                      (chart->right - chart->left) / factor);
  plg_figure_embed (chart->figure, figure, chart->left, chart->y, factor, "");
  chart->y += plg_figure_height (figure) * factor + chart->font_size * 0.6;
}

/* The tables ----------------------------------------------------------------------------------- */

/* Where the columns behind the name end, as parts of the table. */
typedef enum
{
  COLUMN_DISTANCE,
  COLUMN_HOPS,
  COLUMN_TIER,
  COLUMN_TIME,
} Column;

static void
add_value (Compare *compare, int side, Column column, gboolean is_better, const char *text)
{
  /* The name of an axis, then the columns. */
  static const double ends[] = { 0.06, 0.26, 0.57, 0.8, 1 };
  PlgChart *chart = &compare->chart;
  const Place *place = &compare->places[side];
  double width = MIN (place->right - place->left, MAX_TABLE * chart->font_size);
  double room = (ends[column + 1] - ends[column]) * width - chart->font_size * 0.5;
  g_autofree char *fitting = plg_text_fit (text, room, chart->font_size, is_better);

  plg_chart_add_text (chart, place->left + ends[column + 1] * width,
                      chart->y + chart->font_size * 0.5, PLG_ANCHOR_END, chart->font_size,
                      is_better, chart->theme->role[PLG_ROLE_TEXT], fitting);
}

static void
add_row_name (Compare *compare, int side, const char *text)
{
  PlgChart *chart = &compare->chart;

  plg_chart_add_text (chart, compare->places[side].left, chart->y + chart->font_size * 0.5,
                      PLG_ANCHOR_START, chart->font_size, FALSE, chart->theme->role[PLG_ROLE_TEXT],
                      text);
}

static void
end_row (Compare *compare)
{
  compare->chart.y += compare->chart.font_size * 1.55;
}

static void
add_head (Compare *compare)
{
  static const char *const names[] = { N_ ("ranks apart"), N_ ("hops between nodes"),
                                       N_ ("slowest link"), N_ ("not hidden") };
  PlgChart *chart = &compare->chart;

  for (int side = 0; side < 2; side++)
    {
      const Place *place = &compare->places[side];
      double width = MIN (place->right - place->left, MAX_TABLE * chart->font_size);

      for (Column column = 0; column <= COLUMN_TIME; column++)
        add_value (compare, side, column, FALSE, _ (names[column]));
      plg_figure_line (chart->figure, place->left, chart->y + chart->font_size * 1.4,
                       place->left + width, chart->y + chart->font_size * 1.4,
                       chart->theme->role[PLG_ROLE_GRID], 1);
    }
  chart->y += chart->font_size * 1.9;
}

static gboolean
is_clearly_less (double a, double b)
{
  return a < b - 0.002 * fabs (b);
}

static void
add_axis_of (Compare *compare, int side, PlgAxis axis)
{
  const PlgOrderSide *shown = &compare->comparison->sides[side];
  const PlgOrderSide *other = &compare->comparison->sides[!side];
  double time = shown->report->step.part[plg_order_comparison_part (axis)];
  g_autofree char *hops = plg_order_comparison_hops_text (shown, axis),
                  *hidden = plg_format_time (time);
  g_autofree char *apart = g_strdup_printf ("%d", axis == PLG_AXIS_EP
                                                      ? 0
                                                      : plg_axis_stride (&shown->plan->parallelism,
                                                                         axis));

  add_row_name (compare, side, plg_axis_label (axis));
  /* Expert groups have no place of their own in the order. */
  if (axis != PLG_AXIS_EP)
    add_value (compare, side, COLUMN_DISTANCE, FALSE, apart);
  add_value (compare, side, COLUMN_HOPS,
             shown->hops[axis].between_nodes < other->hops[axis].between_nodes, hops);
  add_value (compare, side, COLUMN_TIER, shown->tier[axis] < other->tier[axis],
             plg_tier_title (&shown->plan->cluster, shown->tier[axis]));
  add_value (compare, side, COLUMN_TIME,
             is_clearly_less (time, other->report->step.part[plg_order_comparison_part (axis)]),
             hidden);
}

static void
add_axis (Compare *compare, PlgAxis axis)
{
  for (int side = 0; side < 2; side++)
    add_axis_of (compare, side, axis);
  end_row (compare);
}

static void
add_step_row (Compare *compare)
{
  for (int side = 0; side < 2; side++)
    {
      g_autofree char *time = plg_format_time (compare->comparison->sides[side].report->step.time);

      add_row_name (compare, side, _ ("Step"));
      add_value (compare, side, COLUMN_TIME,
                 compare->comparison->sides[side].report->step.time <
                     compare->comparison->sides[!side].report->step.time *
                         (1 - PLG_ORDER_COMPARISON_EPSILON),
                 time);
    }
  end_row (compare);
  for (int side = 0; side < 2; side++)
    {
      double mfu = compare->comparison->sides[side].report->step.mfu;
      g_autofree char *share = plg_format_share (mfu);

      add_row_name (compare, side, _ ("MFU"));
      add_value (compare, side, COLUMN_TIME,
                 mfu > compare->comparison->sides[!side].report->step.mfu *
                           (1 + PLG_ORDER_COMPARISON_EPSILON),
                 share);
    }
  end_row (compare);
}

static void
add_tables (Compare *compare)
{
  add_head (compare);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (compare->comparison->sides[0].plan->parallelism.degree[axis] > 1)
      add_axis (compare, axis);
  add_step_row (compare);
}

/* All together --------------------------------------------------------------------------------- */

/* The width that is asked for is that at which it is seen, as on the screen. */
static double
font_size (const Compare *compare)
{
  double width = plg_figure_width (compare->chart.figure);

  return compare->options.width > 0 ? FONT_SIZE : FONT_SIZE * MAX (width / DEFAULT_WIDTH, 1);
}

static void
compare_init (Compare *compare, const PlgTheme *theme, const PlgPictureOptions *options)
{
  PlgClusterLayout layout = plg_cluster_layout (compare->comparison->sides[0].plan);
  double room;

  compare->options = *options;
  compare->options.legend = PLG_LEGEND_OFF;
  compare->options.handles = FALSE;
  compare->options.has_moment = FALSE;
  compare->options.visible = (PlgRect) { 0 };
  if (compare->options.width > 0)
    compare->options.width = MAX (compare->options.width, MIN_WIDTH);
  plg_chart_begin (&compare->chart, theme, &compare->options, 2 * layout.width + GAP + 32);
  compare->chart.font_size = font_size (compare);
  room = (compare->chart.right - compare->chart.left - GAP) / 2;
  for (int side = 0; side < 2; side++)
    {
      compare->places[side].left = compare->chart.left + side * (room + GAP);
      compare->places[side].right = compare->places[side].left + room;
    }
  set_zoom (compare, room);
}

static PlgFigure *
draw (Compare *compare, const PlgTheme *theme, const PlgPictureOptions *options)
{
  g_autofree char *result = plg_order_comparison_summary (compare->comparison),
                  *description = plg_order_comparison_describe (compare->comparison);
  PlgChart *chart = &compare->chart;

  compare_init (compare, theme, options);
  plg_figure_describe (chart->figure, _ ("Two orders"), description);
  plg_chart_add_title (chart, _ ("Two orders"), "", PLG_ROLE_TEXT_DIM);
  /* A line begins below the last one, and here there is none yet. */
  chart->y -= chart->font_size * 1.5;
  plg_chart_add_lines (chart, result, PLG_ROLE_TEXT);
  chart->y += chart->font_size * 2.4;
  add_clusters (compare);
  if (options->legend != PLG_LEGEND_OFF)
    add_legend (compare);
  add_tables (compare);
  return plg_chart_end (chart);
}

static PlgFigure *
draw_error (const PlgTheme *theme, const PlgPictureOptions *options, const char *reason)
{
  PlgChart chart;

  plg_chart_begin (&chart, theme, options, 640);
  plg_figure_describe (chart.figure, _ ("Two orders"), reason);
  plg_chart_add_lines (&chart, reason, PLG_ROLE_TEXT);
  chart.y += chart.font_size * 1.6;
  return plg_chart_end (&chart);
}

PlgFigure *
plg_compare_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgOrderComparison)
                 comparison = plg_order_comparison_new (plan, report, options, &error);
  Compare compare = { .comparison = comparison };

  if (comparison == NULL)
    return draw_error (theme, options, error->message);
  return draw (&compare, theme, options);
}
