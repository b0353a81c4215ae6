/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/cluster/cluster-layout.h"
#include "drawing/charts/order-comparison.h"
#include "drawing/plans/plans-figure.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The cluster in two nesting orders, side by side. The links of both clusters share one colour
 * scale, and a table below each cluster lists the costs of each axis. */

#define GAP 24.0
/* font size [points]; unlike other charts, embedded comparisons do not use a smaller font */
#define FONT_SIZE 12.0
#define MIN_WIDTH 480.0 /* minimum width of the two clusters together [points] */
/* maximum width of a table, because a wider table is hard to read [font sizes] */
#define MAX_TABLE 45.0
/* The natural width of the comparison for 64 GPUs [points]. A wider comparison gets a larger
 * font, because it is scaled down when it is viewed. */
#define DEFAULT_WIDTH 1700.0

typedef struct
{
  double left, right;
} Extent;

typedef struct
{
  PlgChart chart;
  PlgOrderComparison *comparison;
  Extent extents[2];
  PlgPictureOptions options;
} Compare;

/* The clusters --------------------------------------------------------------------------------- */

static void
compare_add_clusters (Compare *compare)
{
  PlgChart *chart = &compare->chart;
  double height = 0;

  for (int side = 0; side < 2; side++)
    {
      const PlgOrderSide *shown = &compare->comparison->sides[side];
      const Extent *extent = &compare->extents[side];
      double size = chart->font_size * 1.15;

      plg_chart_add_text (chart, extent->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                          chart->theme->role[PLG_ROLE_TEXT], shown->title);
      if (side == 0)
        plg_chart_add_text (chart, extent->left + plg_text_width (shown->title, size, TRUE) + size,
                            chart->y + size / 2, PLG_ANCHOR_START, chart->font_size, FALSE,
                            chart->theme->role[PLG_ROLE_TEXT_DIM], _ ("this plan"));
    }
  chart->y += chart->font_size * 1.6;
  for (int side = 0; side < 2; side++)
    {
      const PlgOrderSide *shown = &compare->comparison->sides[side];
      const Extent *extent = &compare->extents[side];
      PlgPictureOptions options = compare->options;
      g_autoptr (PlgFigure) figure = NULL;
      double factor;

      options.same_scale = compare->comparison->sides[!side].report;
      figure = plg_cluster_figure (shown->plan, shown->report, chart->theme, &options);
      factor = MIN ((extent->right - extent->left) / plg_figure_width (figure), 1);
      plg_figure_embed (chart->figure, figure, extent->left, chart->y, factor,
                        side == 0 ? "a-" : "b-");
      height = MAX (height, plg_figure_height (figure) * factor);
    }
  plg_figure_set_layer (chart->figure, PLG_LAYER_CLUSTER);
  chart->y += height;
}

/* The tables ----------------------------------------------------------------------------------- */

typedef enum
{
  COLUMN_DISTANCE,
  COLUMN_HOPS,
  COLUMN_TIER,
  COLUMN_TIME,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title;
  double start, end; /* start and end of the column, as shares of the width of the table; the
                        names of the axes are to the left of the columns */
} columns[] = {
  [COLUMN_DISTANCE] = { N_ ("ranks apart"), 0.06, 0.26 },
  [COLUMN_HOPS] = { N_ ("hops between nodes"), 0.26, 0.57 },
  [COLUMN_TIER] = { N_ ("slowest link"), 0.57, 0.8 },
  [COLUMN_TIME] = { N_ ("not hidden"), 0.8, 1 },
};
G_STATIC_ASSERT (G_N_ELEMENTS (columns) == N_COLUMNS);

static void
compare_add_value (Compare *compare, int side, Column column, gboolean is_better, const char *text)
{
  PlgChart *chart = &compare->chart;
  const Extent *extent = &compare->extents[side];
  double width = MIN (extent->right - extent->left, MAX_TABLE * chart->font_size);
  double room = (columns[column].end - columns[column].start) * width - chart->font_size * 0.5;
  g_autofree char *fitting = plg_text_fit (text, room, chart->font_size, is_better);

  plg_chart_add_text (chart, extent->left + columns[column].end * width,
                      chart->y + chart->font_size * 0.5, PLG_ANCHOR_END, chart->font_size,
                      is_better, chart->theme->role[PLG_ROLE_TEXT], fitting);
}

static void
compare_add_row_name (Compare *compare, int side, const char *text)
{
  PlgChart *chart = &compare->chart;

  plg_chart_add_text (chart, compare->extents[side].left, chart->y + chart->font_size * 0.5,
                      PLG_ANCHOR_START, chart->font_size, FALSE, chart->theme->role[PLG_ROLE_TEXT],
                      text);
}

static void
compare_end_row (Compare *compare)
{
  compare->chart.y += compare->chart.font_size * 1.55;
}

static void
compare_add_tables (Compare *compare)
{
  const PlgOrderSide *sides = compare->comparison->sides;
  PlgChart *chart = &compare->chart;

  for (int side = 0; side < 2; side++)
    {
      const Extent *extent = &compare->extents[side];
      double width = MIN (extent->right - extent->left, MAX_TABLE * chart->font_size);

      for (Column column = 0; column < N_COLUMNS; column++)
        compare_add_value (compare, side, column, FALSE, _ (columns[column].title));
      plg_figure_line (chart->figure, extent->left, chart->y + chart->font_size * 1.4,
                       extent->left + width, chart->y + chart->font_size * 1.4,
                       chart->theme->role[PLG_ROLE_GRID], 1);
    }
  chart->y += chart->font_size * 1.9;
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (sides[0].plan->parallelism.degree[axis] > 1)
      {
        /* Show the better of the two sides' values in bold. */
        PlgPart part = plg_order_comparison_part (axis);

        for (int side = 0; side < 2; side++)
          {
            const PlgOrderSide *shown = &compare->comparison->sides[side];
            const PlgOrderSide *other = &compare->comparison->sides[!side];
            double time = shown->report->step.part[part],
                   other_time = other->report->step.part[part];
            g_autofree char *hops = plg_order_comparison_hops_text (shown, axis);
            g_autofree char *not_hidden = plg_format_time (time);

            compare_add_row_name (compare, side, plg_axis_label (axis));
            /* EP has no position of its own in the nesting order, so the cell for the distance
             * between its group members stays empty. */
            if (axis != PLG_AXIS_EP)
              {
                int stride = plg_axis_stride (&shown->plan->parallelism, axis);
                g_autofree char *distance = g_strdup_printf ("%d", stride);

                compare_add_value (compare, side, COLUMN_DISTANCE, FALSE, distance);
              }
            compare_add_value (compare, side, COLUMN_HOPS,
                               shown->hops[axis].between_nodes < other->hops[axis].between_nodes,
                               hops);
            compare_add_value (compare, side, COLUMN_TIER, shown->tier[axis] < other->tier[axis],
                               plg_tier_title (&shown->plan->cluster, shown->tier[axis]));
            compare_add_value (compare, side, COLUMN_TIME,
                               time < other_time - 0.002 * fabs (other_time), not_hidden);
          }
        compare_end_row (compare);
      }
  for (int side = 0; side < 2; side++)
    {
      double time = sides[side].report->step.time, other = sides[!side].report->step.time;
      g_autofree char *text = plg_format_time (time);

      compare_add_row_name (compare, side, _ ("Step"));
      compare_add_value (compare, side, COLUMN_TIME,
                         time < other * (1 - PLG_ORDER_COMPARISON_EPSILON), text);
    }
  compare_end_row (compare);
  for (int side = 0; side < 2; side++)
    {
      double mfu = sides[side].report->step.mfu, other = sides[!side].report->step.mfu;
      g_autofree char *text = plg_format_share (mfu);

      compare_add_row_name (compare, side, _ ("MFU"));
      compare_add_value (compare, side, COLUMN_TIME,
                         mfu > other * (1 + PLG_ORDER_COMPARISON_EPSILON), text);
    }
  compare_end_row (compare);
}

/* The whole picture ---------------------------------------------------------------------------- */

PlgFigure *
plg_compare_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgOrderComparison) comparison = NULL;
  g_autofree char *result = NULL, *description = NULL;
  Compare compare = { 0 };
  PlgChart *chart = &compare.chart;
  PlgClusterLayout layout, zoom_layout;
  double room;

  if (options->compared != NULL)
    return plg_plans_figure (plan, report, theme, options);
  comparison = plg_order_comparison_new (plan, report, options, &error);
  if (comparison == NULL)
    {
      plg_chart_begin (chart, theme, options, 640);
      plg_figure_describe (chart->figure, _ ("Two orders"), error->message);
      plg_chart_add_lines (chart, error->message, PLG_ROLE_TEXT);
      chart->y += chart->font_size * 1.6;
      return plg_chart_end (chart);
    }
  compare.comparison = comparison;
  result = plg_order_comparison_summary (comparison);
  description = plg_order_comparison_describe (comparison);
  layout = plg_cluster_layout (plan);
  zoom_layout = plg_cluster_layout_on_screen (plan, 1);
  compare.options = *options;
  compare.options.legend = PLG_LEGEND_OFF;
  compare.options.handles = FALSE;
  compare.options.has_moment = FALSE;
  compare.options.visible = (PlgRect) { 0 };
  if (compare.options.width > 0)
    compare.options.width = MAX (compare.options.width, MIN_WIDTH);
  plg_chart_begin (chart, theme, &compare.options, 2 * layout.width + GAP + 32);
  chart->font_size = FONT_SIZE;
  if (compare.options.width <= 0)
    chart->font_size *= MAX (plg_figure_width (chart->figure) / DEFAULT_WIDTH, 1);
  room = (chart->right - chart->left - GAP) / 2;
  for (int side = 0; side < 2; side++)
    {
      compare.extents[side].left = chart->left + side * (room + GAP);
      compare.extents[side].right = compare.extents[side].left + room;
    }

  /* On screen, draw the clusters with only as much detail as is legible at their size. */
  compare.options.zoom = compare.options.width > 0 ? MIN (room / zoom_layout.width, 1) : 0;

  plg_figure_describe (chart->figure, _ ("Two orders"), description);
  plg_chart_add_title (chart, _ ("Two orders"), "", PLG_ROLE_TEXT_DIM);
  /* plg_chart_add_lines() leaves room for a line of text at the current y, but here no text is
   * at that y. */
  chart->y -= chart->font_size * 1.5;
  plg_chart_add_lines (chart, result, PLG_ROLE_TEXT);
  chart->y += chart->font_size * 2.4;
  compare_add_clusters (&compare);
  if (options->legend != PLG_LEGEND_OFF)
    {
      /* One legend is enough for both clusters, because their links share one colour scale. */
      PlgPictureOptions legend_options = compare.options;
      g_autoptr (PlgFigure) figure = NULL;
      double factor = chart->font_size / FONT_SIZE;

      legend_options.same_scale = comparison->sides[1].report;
      legend_options.zoom = legend_options.zoom > 0 ? legend_options.zoom : 1;
      figure = plg_cluster_legend_figure (plan, report, theme, &legend_options,
                                          (chart->right - chart->left) / factor);
      plg_figure_embed (chart->figure, figure, chart->left, chart->y, factor, "");
      chart->y += plg_figure_height (figure) * factor + chart->font_size * 0.6;
    }
  compare_add_tables (&compare);
  return plg_chart_end (chart);
}
