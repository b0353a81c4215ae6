/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/chart.h"

#include "drawing/grid-layout.h"
#include "drawing/text.h"
#include "engine/evaluate.h"
#include "engine/hops.h"
#include "engine/veil.h"
#include "plan/edit.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The cluster in two nesting orders, side by side: links in the colours of one scale, and under
 * each what the order makes of every axis. */

#define GAP 24.0
/* Two clusters are at least so wide. */
#define MIN_WIDTH 480.0
/* Wider than this a table falls apart. */
#define MAX_TABLE 540.0
/* Steps that differ by less take equally long. */
#define EQUAL 5e-5

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  char *title;
  PlgHops hops[PLG_N_AXES];
  PlgTier tier[PLG_N_AXES]; /* the slowest that its collectives cross */
  double left, right;
} Side;

typedef struct
{
  PlgChart chart;
  Side sides[2]; /* the plan's order, the other */
  PlgPictureOptions options;
} Compare;

/* The order that is held against the plan's own. */
static void
find_other_order (const PlgPlan *plan,
                  const PlgPictureOptions *options,
                  PlgAxis order[PLG_N_NESTED_AXES])
{
  for (int i = 0; i < PLG_N_NESTED_AXES; i++)
    {
      PlgAxis axis = plan->parallelism.order[i];

      if (options->has_other_order)
        order[i] = options->other_order[i];
      else
        order[i] = axis == PLG_AXIS_PP ? PLG_AXIS_DP : axis == PLG_AXIS_DP ? PLG_AXIS_PP : axis;
    }
}

static PlgPlan *
other_plan (const PlgPlan *plan, const PlgPictureOptions *options, GError **error)
{
  g_autoptr (PlgPlan) other = plg_plan_copy (plan);
  PlgAxis order[PLG_N_NESTED_AXES];

  find_other_order (plan, options, order);
  if (!plg_edit_set_order (other, order, error))
    return NULL;
  return g_steal_pointer (&other);
}

static void
side_init (Side *side, const PlgPlan *plan, const PlgReport *report)
{
  *side = (Side) { .plan = plan, .report = report };
  side->title = plg_order_title (plan->parallelism.order, plan->parallelism.degree);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    side->hops[axis] = plg_hops_count (plan, axis);
  for (guint i = 0; i < report->collectives->len; i++)
    {
      const PlgCollective *row = &g_array_index (report->collectives, PlgCollective, i);

      side->tier[row->axis] = MAX (side->tier[row->axis], row->tier);
    }
}

/* What it comes to ----------------------------------------------------------------------------- */

static gboolean
is_same_order (const Compare *compare)
{
  return g_str_equal (compare->sides[0].title, compare->sides[1].title);
}

static gboolean
uses_same_links (const Compare *compare)
{
  const Side *a = &compare->sides[0], *b = &compare->sides[1];

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (a->hops[axis].between_nodes != b->hops[axis].between_nodes ||
        a->tier[axis] != b->tier[axis])
      return FALSE;
  return TRUE;
}

static double
step_time (const Compare *compare, int side)
{
  return compare->sides[side].report->step.time;
}

static char *
speed_in_words (const Compare *compare)
{
  int faster = step_time (compare, 0) <= step_time (compare, 1) ? 0 : 1;
  double low = step_time (compare, faster), high = step_time (compare, !faster);
  g_autofree char *least = plg_format_time (low), *most = plg_format_time (high);
  g_autofree char *change = plg_format_change (high, low);

  if (isnan (low) || isnan (high))
    return g_strdup ("");
  if (!(high - low > EQUAL * high))
    return g_strdup_printf (_ ("Both orders take %s a step."), least);
  return g_strdup_printf (_ ("%s is faster: %s a step against %s (%s)."),
                          compare->sides[faster].title, least, most, change);
}

static char *
verdict (const Compare *compare)
{
  g_autofree char *speed = NULL;
  GString *text;

  if (is_same_order (compare))
    return g_strdup (_ ("For these degrees both are the same order."));
  speed = speed_in_words (compare);
  text = g_string_new (speed);
  if (uses_same_links (compare))
    g_string_append_printf (text, " %s",
                            _ ("Each axis uses the same kinds of links in both, so which racks and "
                               "rails it meets decides."));
  if (compare->sides[0].plan->placement.gpu_of_rank != NULL)
    g_string_append_printf (text, " %s", _ ("Only the left one has the ranks moved by hand."));
  return g_strchug (g_string_free (text, FALSE));
}

static char *
hops_in_words (const Side *side, PlgAxis axis)
{
  return g_strdup_printf (_ ("%d of %d"), side->hops[axis].between_nodes, side->hops[axis].total);
}

/* The table in words, for whoever does not see it. */
static char *
describe (const Compare *compare)
{
  g_autofree char *result = verdict (compare);
  GString *text = g_string_new (result);

  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    {
      g_autofree char *a = hops_in_words (&compare->sides[0], axis);
      g_autofree char *b = hops_in_words (&compare->sides[1], axis);

      if (compare->sides[0].plan->parallelism.degree[axis] > 1)
        g_string_append_printf (text, _ (" %s, hops between nodes: %s against %s."),
                                plg_axis_label (axis), a, b);
    }
  return g_string_free (text, FALSE);
}

/* The clusters --------------------------------------------------------------------------------- */

/* Both as wide as they fit; on the screen with as much detail as can be read at that size. */
static void
set_zoom (Compare *compare, double room)
{
  PlgGridLayout layout = plg_grid_layout_on_screen (compare->sides[0].plan, 1);

  compare->options.zoom = 0;
  if (compare->options.width > 0)
    compare->options.zoom = MIN (room / layout.width, 1);
}

static double
add_cluster (Compare *compare, int side, double top)
{
  const Side *shown = &compare->sides[side];
  PlgPictureOptions options = compare->options;
  g_autoptr (PlgFigure) figure = NULL;
  double factor;

  options.same_scale = compare->sides[!side].report;
  figure = plg_grid_figure (shown->plan, shown->report, compare->chart.theme, &options);
  factor = MIN ((shown->right - shown->left) / plg_figure_width (figure), 1);
  plg_figure_place (compare->chart.figure, figure, shown->left, top, factor,
                    side == 0 ? "a-" : "b-");
  return plg_figure_height (figure) * factor;
}

static void
add_heading (Compare *compare, int side)
{
  PlgChart *chart = &compare->chart;
  const Side *shown = &compare->sides[side];
  double size = chart->font_size * 1.15;

  plg_chart_add_text (chart, shown->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], shown->title);
  if (side == 0)
    plg_chart_add_text (chart, shown->left + plg_text_width (shown->title, size, TRUE) + size,
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

  options.same_scale = compare->sides[1].report;
  options.zoom = options.zoom > 0 ? options.zoom : 1;
  figure = plg_grid_legend_figure (compare->sides[0].plan, compare->sides[0].report, chart->theme,
                                   &options, chart->right - chart->left);
  plg_figure_place (chart->figure, figure, chart->left, chart->y, 1, "");
  chart->y += plg_figure_height (figure) + chart->font_size * 0.6;
}

/* The tables ----------------------------------------------------------------------------------- */

/* Where the columns behind the name end, as parts of the table. */
typedef enum
{
  COLUMN_APART,
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
  const Side *shown = &compare->sides[side];
  double width = MIN (shown->right - shown->left, MAX_TABLE);
  double room = (ends[column + 1] - ends[column]) * width - chart->font_size * 0.5;
  g_autofree char *fitting = plg_text_fit (text, room, chart->font_size, is_better);

  plg_chart_add_text (chart, shown->left + ends[column + 1] * width,
                      chart->y + chart->font_size * 0.5, PLG_ANCHOR_END, chart->font_size,
                      is_better, chart->theme->role[PLG_ROLE_TEXT], fitting);
}

static void
add_row_name (Compare *compare, int side, const char *text)
{
  PlgChart *chart = &compare->chart;

  plg_chart_add_text (chart, compare->sides[side].left, chart->y + chart->font_size * 0.5,
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
      const Side *shown = &compare->sides[side];
      double width = MIN (shown->right - shown->left, MAX_TABLE);

      for (Column column = 0; column <= COLUMN_TIME; column++)
        add_value (compare, side, column, FALSE, _ (names[column]));
      plg_figure_line (chart->figure, shown->left, chart->y + chart->font_size * 1.4,
                       shown->left + width, chart->y + chart->font_size * 1.4,
                       chart->theme->role[PLG_ROLE_GRID], 1);
    }
  chart->y += chart->font_size * 1.9;
}

static PlgPart
part_of_axis (PlgAxis axis)
{
  static const PlgPart parts[PLG_N_AXES] = { PLG_PART_TP, PLG_PART_CP, PLG_PART_EP, PLG_PART_PP,
                                             PLG_PART_DP };

  return parts[axis];
}

static gboolean
is_clearly_less (double a, double b)
{
  return a < b - 0.002 * fabs (b);
}

static void
add_axis_of (Compare *compare, int side, PlgAxis axis)
{
  const Side *shown = &compare->sides[side], *other = &compare->sides[!side];
  double time = shown->report->step.part[part_of_axis (axis)];
  g_autofree char *hops = hops_in_words (shown, axis), *hidden = plg_format_time (time);
  g_autofree char *apart = g_strdup_printf ("%d", axis == PLG_AXIS_EP
                                                      ? 0
                                                      : plg_axis_stride (&shown->plan->parallelism,
                                                                         axis));

  add_row_name (compare, side, plg_axis_label (axis));
  /* Expert groups have no place of their own in the order. */
  if (axis != PLG_AXIS_EP)
    add_value (compare, side, COLUMN_APART, FALSE, apart);
  add_value (compare, side, COLUMN_HOPS,
             shown->hops[axis].between_nodes < other->hops[axis].between_nodes, hops);
  add_value (compare, side, COLUMN_TIER, shown->tier[axis] < other->tier[axis],
             plg_tier_title (&shown->plan->cluster, shown->tier[axis]));
  add_value (compare, side, COLUMN_TIME,
             is_clearly_less (time, other->report->step.part[part_of_axis (axis)]), hidden);
}

static void
add_axis (Compare *compare, PlgAxis axis)
{
  for (int side = 0; side < 2; side++)
    add_axis_of (compare, side, axis);
  end_row (compare);
}

static void
add_whole (Compare *compare)
{
  for (int side = 0; side < 2; side++)
    {
      g_autofree char *time = plg_format_time (step_time (compare, side));

      add_row_name (compare, side, _ ("Step"));
      add_value (compare, side, COLUMN_TIME,
                 step_time (compare, side) < step_time (compare, !side) * (1 - EQUAL), time);
    }
  end_row (compare);
  for (int side = 0; side < 2; side++)
    {
      double mfu = compare->sides[side].report->step.mfu;
      g_autofree char *share = plg_format_share (mfu);

      add_row_name (compare, side, _ ("MFU"));
      add_value (compare, side, COLUMN_TIME,
                 mfu > compare->sides[!side].report->step.mfu * (1 + EQUAL), share);
    }
  end_row (compare);
}

static void
add_tables (Compare *compare)
{
  add_head (compare);
  for (PlgAxis axis = 0; axis < PLG_N_AXES; axis++)
    if (compare->sides[0].plan->parallelism.degree[axis] > 1)
      add_axis (compare, axis);
  add_whole (compare);
}

/* All together --------------------------------------------------------------------------------- */

static void
compare_init (Compare *compare, const PlgTheme *theme, const PlgPictureOptions *options)
{
  PlgGridLayout layout = plg_grid_layout (compare->sides[0].plan);
  double room;

  compare->options = *options;
  compare->options.legend = PLG_LEGEND_OFF;
  compare->options.handles = FALSE;
  compare->options.has_moment = FALSE;
  compare->options.visible = (PlgRect) { 0 };
  if (compare->options.width > 0)
    compare->options.width = MAX (compare->options.width, MIN_WIDTH);
  plg_chart_begin (&compare->chart, theme, &compare->options, 2 * layout.width + GAP + 32);
  /* Never the small text of a panel. */
  compare->chart.font_size = 12;
  room = (compare->chart.right - compare->chart.left - GAP) / 2;
  for (int side = 0; side < 2; side++)
    {
      compare->sides[side].left = compare->chart.left + side * (room + GAP);
      compare->sides[side].right = compare->sides[side].left + room;
    }
  set_zoom (compare, room);
}

static PlgFigure *
draw (Compare *compare, const PlgTheme *theme, const PlgPictureOptions *options)
{
  g_autofree char *result = verdict (compare), *description = describe (compare);
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
draw_refusal (const PlgTheme *theme, const PlgPictureOptions *options, const char *reason)
{
  PlgChart chart;

  plg_chart_begin (&chart, theme, options, 640);
  plg_figure_describe (chart.figure, _ ("Two orders"), reason);
  plg_chart_add_lines (&chart, reason, PLG_ROLE_TEXT);
  chart.y += chart.font_size * 1.6;
  return plg_chart_end (&chart);
}

/* The other order hides what the plan's own report hides, or it would tell it. */
static PlgReport *
evaluate_other (const PlgPlan *other, guint veil, GError **error)
{
  g_autoptr (PlgReport) report = plg_evaluate (other, PLG_EVALUATE_LINKS, error);

  if (report == NULL || veil == 0)
    return g_steal_pointer (&report);
  return plg_report_veil (report, veil);
}

PlgFigure *
plg_compare_figure (const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgPlan) other = other_plan (plan, options, &error);
  g_autoptr (PlgReport) of_other = NULL;
  Compare compare = { 0 };
  PlgFigure *figure;

  if (other != NULL)
    of_other = evaluate_other (other, report->veil, &error);
  if (of_other == NULL)
    return draw_refusal (theme, options, error->message);
  side_init (&compare.sides[0], plan, report);
  side_init (&compare.sides[1], other, of_other);
  figure = draw (&compare, theme, options);
  g_free (compare.sides[0].title);
  g_free (compare.sides[1].title);
  return figure;
}
