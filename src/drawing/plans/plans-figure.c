/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/plans/plans-figure.h"

#include "drawing/charts/chart.h"
#include "drawing/cluster/cluster-layout.h"
#include "drawing/figure/text.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Two plans side by side: tables of what differs, clusters, timelines, memory per stage and the
 * parts of the step. Each pair of pictures has one scale. */

#define GAP 32.0        /* gap between the two sides [points] */
#define FONT_SIZE 12.0  /* font size of a figure of at most DEFAULT_WIDTH [points] */
#define MIN_WIDTH 640.0 /* minimum width of both sides together [points] */
/* The natural width of a comparison of 64 GPUs [points]. A wider comparison gets a larger font,
 * because it is scaled down when it is viewed. */
#define DEFAULT_WIDTH 1700.0
#define MAX_ROWS 14 /* maximum number of rows in a table */

/* The figures in the table, by the names of their metrics. */
static const char *const table_figures[] = {
  "step-time",  "mfu",           "tokens-per-second-per-gpu",
  "memory",     "bubble",        "training-time",
  "gpu-hours",  "dp-time",       "tp-time",
  "world-size", "micro-batches", "warnings",
  "errors",
};

typedef struct
{
  const PlgPlan *plan;
  const PlgReport *report;
  const char *name;
  double left, right;
} Side;

typedef struct
{
  PlgChart chart;
  PlgPictureOptions options; /* options of the embedded pictures */
  double factor;             /* enlargement of embedded charts */
  Side sides[2];
} Plans;

/* Embedded pictures are added in pairs, A before B, so that picture N belongs to side N % 2. */
static const char *const prefixes[][2] = {
  { "a-", "b-" },
  { "a-step-", "b-step-" },
  { "a-memory-", "b-memory-" },
};
G_STATIC_ASSERT (G_N_ELEMENTS (prefixes) == PLG_PLANS_FIGURE_PAIRS);

static void
add_heading (Plans *plans, const Side *side, const char *title, const char *value)
{
  PlgChart *chart = &plans->chart;
  double size = chart->font_size, room = side->right - side->left;
  double value_width = plg_text_width (value, size, FALSE);
  g_autofree char *shown = plg_text_fit (title, room - value_width - size, size, TRUE);

  plg_chart_add_text (chart, side->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], shown);
  plg_chart_add_text (chart, side->right, chart->y + size / 2, PLG_ANCHOR_END, size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT_DIM], value);
}

/* The tables ----------------------------------------------------------------------------------- */

#define N_COLUMNS 5

/* The right ends of the columns, as shares of the width of a table. The first column, with the
 * names, is left-aligned. */
static const double column_ends[N_COLUMNS] = { 0.31, 0.45, 0.59, 0.86, 1 };

static void
add_table_row (Plans *plans, const Side *side, double y, PlgRole role, const char *const *cells)
{
  PlgChart *chart = &plans->chart;
  double width = side->right - side->left, size = chart->font_size;

  for (int column = 0; column < N_COLUMNS; column++)
    {
      double start = column == 0 ? 0 : column_ends[column - 1];
      double room = (column_ends[column] - start) * width - size * 0.7;
      g_autofree char *text = plg_text_fit (cells[column], room, size, FALSE);

      plg_chart_add_text (chart, side->left + (column == 0 ? 0 : column_ends[column] * width),
                          y + size / 2, column == 0 ? PLG_ANCHOR_START : PLG_ANCHOR_END, size,
                          FALSE, chart->theme->role[role], text);
    }
}

/* Returns the rows of a table: the settings except those of the view, in their order, or the
 * figures in the order of table_figures. */
static GPtrArray *
table_rows (const GArray *differences, gboolean is_figures)
{
  GPtrArray *rows = g_ptr_array_new ();
  gsize n_passes = is_figures ? G_N_ELEMENTS (table_figures) : 1;

  for (gsize pass = 0; pass < n_passes; pass++)
    for (guint i = 0; i < differences->len; i++)
      {
        PlgDifference *difference = &g_array_index (differences, PlgDifference, i);

        if (is_figures
                ? difference->metric != NULL && g_str_equal (difference->key, table_figures[pass])
                : difference->metric == NULL && !g_str_has_prefix (difference->key, "view."))
          g_ptr_array_add (rows, difference);
      }
  return rows;
}

/* Adds the table of the settings or of the figures in the column of SIDE. Returns the y below the
 * table. */
static double
add_table (Plans *plans, const GArray *differences, const Side *side, gboolean is_figures)
{
  PlgChart *chart = &plans->chart;
  const char *const heads[N_COLUMNS] = { is_figures ? _ ("Figure") : _ ("Setting"), _ ("A"),
                                         _ ("B"), _ ("Difference"), _ ("Change") };
  double size = chart->font_size, y = chart->y;
  g_autoptr (GPtrArray) rows = table_rows (differences, is_figures);
  guint n = MIN (rows->len, MAX_ROWS), hidden = rows->len - n;

  add_table_row (plans, side, y, PLG_ROLE_TEXT_DIM, heads);
  plg_figure_line (chart->figure, side->left, y + size * 1.4, side->right, y + size * 1.4,
                   chart->theme->role[PLG_ROLE_GRID], 1);
  y += size * 1.9;
  for (guint i = 0; i < n; i++)
    {
      const PlgDifference *difference = g_ptr_array_index (rows, i);
      g_autofree char *absolute = plg_difference_absolute (difference);
      g_autofree char *relative = plg_difference_relative (difference);
      const char *a = difference->text[0], *b = difference->text[1];
      const char *cells[N_COLUMNS] = { difference->title, *a != '\0' ? a : "–",
                                       *b != '\0' ? b : "–", absolute, relative };

      add_table_row (plans, side, y, PLG_ROLE_TEXT, cells);
      y += size * 1.55;
    }
  if (n == 0 || hidden > 0)
    {
      g_autofree char *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more",
                                                            "and %u more", hidden),
                                               hidden);
      const char *cells[N_COLUMNS] = { hidden > 0 ? more : _ ("none differs"), "", "", "", "" };

      add_table_row (plans, side, y, PLG_ROLE_TEXT_DIM, cells);
      y += size * 1.55;
    }
  return y;
}

/* The pictures --------------------------------------------------------------------------------- */

/* Embeds FIGURE on SIDE. Returns the height that it takes. */
static double
embed (Plans *plans, PlgFigure *figure, const Side *side, double factor, const char *prefix)
{
  plg_figure_embed (plans->chart.figure, figure, side->left, plans->chart.y, factor, prefix);
  plg_figure_set_layer (plans->chart.figure, PLG_LAYER_CLUSTER);
  return plg_figure_height (figure) * factor;
}

/* Draws both clusters with the same enlargement and the same scale of the links. */
static void
add_clusters (Plans *plans)
{
  PlgChart *chart = &plans->chart;
  g_autoptr (PlgFigure) first = NULL;
  g_autoptr (PlgFigure) second = NULL;
  PlgFigure **figures[] = { &first, &second };
  double room = plans->sides[0].right - plans->sides[0].left, factor = 1, height = 0;

  for (int side = 0; side < 2; side++)
    {
      const Side *shown = &plans->sides[side];
      PlgPictureOptions options = plans->options;

      options.same_scale = plans->sides[!side].report;
      *figures[side] = plg_cluster_figure (shown->plan, shown->report, chart->theme, &options);
      factor = MIN (factor, room / plg_figure_width (*figures[side]));
    }
  for (int side = 0; side < 2; side++)
    {
      double needed = embed (plans, *figures[side], &plans->sides[side], factor, prefixes[0][side]);

      height = MAX (height, needed);
    }
  chart->y += height;
}

static double
step_end (const Side *side, const PlgTheme *theme)
{
  PlgPictureOptions whole_step = { .embedded = TRUE };

  return plg_timeline_span (side->plan, side->report, theme, &whole_step).to;
}

/* Adds the timelines or the memory charts with their headings. */
static void
add_charts (Plans *plans, PlgPicture picture, int pair, const char *title)
{
  PlgChart *chart = &plans->chart;
  double height = 0, step = 0;

  for (int side = 0; side < 2; side++)
    {
      const Side *shown = &plans->sides[side];
      const PlgReport *report = shown->report;
      g_autofree char *time = plg_format_time (report->step.time);
      g_autofree char *peak = plg_format_memory_distinct (report->memory_peak,
                                                          report->memory_capacity);
      g_autofree char *capacity = plg_format_memory_distinct (report->memory_capacity,
                                                              report->memory_peak);
      g_autofree char *memory = g_strdup_printf (_ ("%s of %s"), peak, capacity);

      add_heading (plans, shown, title, picture == PLG_PICTURE_TIMELINE ? time : memory);
      step = MAX (step, step_end (shown, chart->theme));
    }
  chart->y += chart->font_size * 1.5;
  for (int side = 0; side < 2; side++)
    {
      const Side *shown = &plans->sides[side];
      g_autoptr (PlgFigure) figure = NULL;
      double needed;
      PlgPictureOptions options = { .width = (shown->right - shown->left) / plans->factor,
                                    .legend = PLG_LEGEND_BELOW,
                                    .embedded = TRUE,
                                    .without_ids = plans->options.without_ids,
                                    .to = picture == PLG_PICTURE_TIMELINE ? step : 0,
                                    .same_scale = plans->sides[!side].report };

      figure = picture == PLG_PICTURE_TIMELINE
                   ? plg_timeline_figure (shown->plan, shown->report, chart->theme, &options)
                   : plg_memory_figure (shown->plan, shown->report, chart->theme, &options);
      needed = embed (plans, figure, shown, plans->factor, prefixes[pair][side]);
      height = MAX (height, needed);
    }
  chart->y += height + chart->font_size * 1.2;
}

/* The parts of the step ------------------------------------------------------------------------ */

static const PlgPart part_order[] = { PLG_PART_COMPUTE,  PLG_PART_RECOMPUTE, PLG_PART_HOST,
                                      PLG_PART_BUBBLE,   PLG_PART_TP,        PLG_PART_CP,
                                      PLG_PART_EP,       PLG_PART_PP,        PLG_PART_DP,
                                      PLG_PART_OPTIMIZER };
G_STATIC_ASSERT (G_N_ELEMENTS (part_order) == PLG_N_PARTS);

static double
finite_time (double seconds)
{
  return seconds > 0 && isfinite (seconds) ? seconds : 0;
}

/* Adds the bar of a part or of the whole step from BEGIN to BEGIN + SECONDS. */
static void
add_bar (Plans *plans,
         const Side *side,
         double names_width,
         double per_second,
         double begin,
         double seconds,
         PlgRole role,
         gboolean is_total,
         const char *name)
{
  PlgChart *chart = &plans->chart;
  double size = chart->font_size, pitch = size * 1.9, height = pitch * 0.68;
  double middle = chart->y + pitch / 2;
  double from = side->left + names_width + finite_time (begin) * per_second;
  double width = MAX (finite_time (seconds) * per_second, 1);
  g_autofree char *value = plg_format_time (seconds);
  g_autofree char *fitting = plg_text_fit (name, names_width - size * 0.6, size, is_total);

  plg_chart_add_text (chart, side->left, middle, PLG_ANCHOR_START, size, is_total,
                      chart->theme->role[PLG_ROLE_TEXT], fitting);
  plg_figure_rect (chart->figure, from, middle - height / 2, width, height, 1.5,
                   chart->theme->role[role])
      ->title = plg_figure_string (chart->figure, "%s: %s", name, value);
  plg_chart_add_text (chart, from + width + 5, middle, PLG_ANCHOR_START, size, is_total,
                      chart->theme->role[PLG_ROLE_TEXT], value);
}

/* Draws for each plan how the parts of the step add up to the step time. A part that is missing
 * in both plans has no row. */
static void
add_parts (Plans *plans)
{
  PlgChart *chart = &plans->chart;
  double size = chart->font_size, names_width = 0, values_width = 0, longest = 0, per_second;
  double begin[2] = { 0, 0 };

  for (int side = 0; side < 2; side++)
    {
      const PlgStep *step = &plans->sides[side].report->step;
      g_autofree char *time = plg_format_time (step->time);

      add_heading (plans, &plans->sides[side], _ ("Parts of the step"), time);
      longest = MAX (longest, finite_time (step->time));
      for (gsize i = 0; i < G_N_ELEMENTS (part_order); i++)
        {
          g_autofree char *value = plg_format_time (step->part[part_order[i]]);

          if (finite_time (step->part[part_order[i]]) > 0)
            names_width = MAX (names_width,
                               plg_text_width (plg_part_title (part_order[i]), size, FALSE));
          values_width = MAX (values_width, plg_text_width (value, size, TRUE));
        }
      values_width = MAX (values_width, plg_text_width (time, size, TRUE));
    }
  names_width = MIN (MAX (names_width, plg_text_width (_ ("Step"), size, TRUE)) + size,
                     (plans->sides[0].right - plans->sides[0].left) * 0.4);
  per_second = longest > 0 ? MAX (plans->sides[0].right - plans->sides[0].left - names_width -
                                      values_width - 8,
                                  1) /
                                 longest
                           : 0;
  chart->y += size * 1.5;
  for (gsize i = 0; i < G_N_ELEMENTS (part_order); i++)
    {
      PlgPart part = part_order[i];

      if (finite_time (plans->sides[0].report->step.part[part]) == 0 &&
          finite_time (plans->sides[1].report->step.part[part]) == 0)
        continue;
      for (int side = 0; side < 2; side++)
        {
          double seconds = plans->sides[side].report->step.part[part];

          add_bar (plans, &plans->sides[side], names_width, per_second, begin[side], seconds,
                   PLG_ROLE_PART_COMPUTE + part, FALSE, plg_part_title (part));
          begin[side] += finite_time (seconds);
        }
      chart->y += size * 1.9;
    }
  for (int side = 0; side < 2; side++)
    add_bar (plans, &plans->sides[side], names_width, per_second, 0,
             plans->sides[side].report->step.time, PLG_ROLE_PART_KERNEL, TRUE, _ ("Step"));
  chart->y += size * 1.9;
}

/* The whole picture ---------------------------------------------------------------------------- */

PlgFigure *
plg_plans_figure (const PlgPlan *plan,
                  const PlgReport *report,
                  const PlgTheme *theme,
                  const PlgPictureOptions *options)
{
  const PlgComparedPlan *compared = options->compared;
  g_autofree char *summary = NULL;
  g_autoptr (GArray) differences = NULL;
  g_autoptr (PlgFigure) legend = NULL;
  Plans plans = {
    .options = *options,
    .sides = { { .plan = plan, .report = report, .name = compared->name_of_open },
               { .plan = compared->plan, .report = compared->report, .name = compared->name } }
  };
  PlgChart *chart = &plans.chart;
  double natural = 0, zoom_width = 0, room, y, other_y, legend_y = 0;

  plans.options.legend = PLG_LEGEND_OFF;
  plans.options.handles = FALSE;
  plans.options.has_moment = FALSE;
  plans.options.visible = (PlgRect) { 0 };
  plans.options.highlighted = NULL;
  plans.options.n_highlighted = plans.options.n_pins = 0;
  plans.options.selected.kind = PLG_ENTITY_NONE;
  plans.options.nodes.n = 0;
  if (plans.options.width > 0)
    plans.options.width = MAX (plans.options.width, MIN_WIDTH);
  for (int side = 0; side < 2; side++)
    {
      PlgClusterLayout layout = plg_cluster_layout (plans.sides[side].plan);
      PlgClusterLayout zoomed = plg_cluster_layout_on_screen (plans.sides[side].plan, 1);

      natural = MAX (natural, 2 * layout.width + GAP + 32);
      zoom_width = MAX (zoom_width, zoomed.width);
    }

  plg_chart_begin (chart, theme, &plans.options, MAX (natural, DEFAULT_WIDTH / 1.5));
  chart->font_size = FONT_SIZE;
  if (plans.options.width <= 0)
    chart->font_size *= MAX (plg_figure_width (chart->figure) / DEFAULT_WIDTH, 1);
  plans.factor = chart->font_size / FONT_SIZE;
  room = (chart->right - chart->left - GAP) / 2;
  for (int side = 0; side < 2; side++)
    {
      plans.sides[side].left = chart->left + side * (room + GAP);
      plans.sides[side].right = plans.sides[side].left + room;
    }
  /* On screen, draw the clusters with only as much detail as is legible at their size. */
  plans.options.zoom = plans.options.width > 0 ? MIN (room / zoom_width, 1) : 0;

  summary = plg_compared_plan_summary (compared, plan, report);
  plg_figure_describe (chart->figure, _ ("Two plans"), summary);
  plg_chart_add_title (chart, _ ("Two plans"), "", PLG_ROLE_TEXT_DIM);
  /* plg_chart_add_lines() leaves room for a line of text at the current y, but here no text is
   * at that y. */
  chart->y -= chart->font_size * 1.5;
  plg_chart_add_lines (chart, summary, PLG_ROLE_TEXT);
  chart->y += chart->font_size * 2.6;

  differences = plg_plan_compare (plan, report, compared->plan, compared->report,
                                  compared->catalogue);
  y = add_table (&plans, differences, &plans.sides[0], FALSE);
  other_y = add_table (&plans, differences, &plans.sides[1], TRUE);
  chart->y = MAX (y, other_y) + chart->font_size * 1.6;

  for (int side = 0; side < 2; side++)
    {
      const Side *shown = &plans.sides[side];
      g_autofree char *title = g_strdup_printf ("%s: %s", side == 0 ? _ ("A") : _ ("B"),
                                                shown->name);
      g_autofree char *design = plg_plan_display_title (shown->plan);

      add_heading (&plans, shown, title, design);
    }
  chart->y += chart->font_size * 1.8;
  add_clusters (&plans);
  if (options->legend != PLG_LEGEND_OFF)
    {
      /* One legend is enough for both clusters, because their links share one colour scale. */
      PlgPictureOptions legend_options = plans.options;

      /* Show the colours of all stages of the plan that has more stages. */
      const Side *most = &plans.sides[report->stages->len < compared->report->stages->len];

      legend_options.same_scale = plans.sides[most == plans.sides].report;
      legend_options.zoom = legend_options.zoom > 0 ? legend_options.zoom : 1;
      legend = plg_cluster_legend_figure (most->plan, most->report, theme, &legend_options,
                                          (chart->right - chart->left) / plans.factor);
      legend_y = chart->y + chart->font_size * 0.4;
      chart->y = legend_y + plg_figure_height (legend) * plans.factor;
    }
  chart->y += chart->font_size * 1.2;
  add_charts (&plans, PLG_PICTURE_TIMELINE, 1, _ ("One training step"));
  add_charts (&plans, PLG_PICTURE_MEMORY, 2, _ ("Memory per GPU"));
  add_parts (&plans);
  /* Embed the legend last, so that it does not change the numbers of the pairs. */
  if (legend != NULL)
    plg_figure_embed (chart->figure, legend, chart->left, legend_y, plans.factor, "");
  return plg_chart_end (chart);
}
