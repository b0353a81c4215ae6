/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/timeline.h"

#include "drawing/figure/activity.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIN_BLOCK_WIDTH 1.5 /* blocks narrower than this are merged [points] */
/* blocks narrower than this have no hatch, because the hatch would only look grey [points] */
#define MIN_HATCHED_WIDTH 5.0
#define MAX_NAMED 4000 /* with more blocks than this, blocks have no ids */
/* a forward block has a border if its colour is closer than this to the colour of idle time
 * [Oklab distance] */
#define APART_FROM_IDLE 0.06
/* The share of backward passes in the busy time: two thirds, because a backward pass takes twice
 * as long as a forward pass. */
#define BACKWARD_SHARE (2.0 / 3)

/* How pale the blocks of the last chunk are: the share of the card colour in forward blocks, and
 * the share of the forward colour in backward blocks. If the plan recomputes,
 * PALEST_BESIDE_RECOMPUTE replaces PALEST_BACKWARD. It is smaller because recomputation has a
 * colour between the forward and the backward colour. */
#define PALEST_FORWARD 0.55
#define PALEST_BACKWARD 0.45
#define PALEST_BESIDE_RECOMPUTE 0.15

static double
x_of (const PlgTimeline *timeline, double seconds)
{
  const PlgChart *chart = &timeline->chart;

  return chart->left + (chart->right - chart->left) * (seconds - timeline->from) /
                           (timeline->to - timeline->from);
}

static double
row_height (const PlgTimeline *timeline)
{
  return timeline->pitch > 8 ? timeline->pitch - 4 : timeline->pitch * 0.85;
}

static double
row_top (const PlgTimeline *timeline, int stage)
{
  return timeline->top + stage * timeline->pitch;
}

/* Draws the recomputation at the start of a backward block. Returns the x where the
 * recomputation ends. */
static double
add_recompute (PlgTimeline *timeline, const PlgBlock *block, int index, double from, double to)
{
  const PlgSwatch *stage = &timeline->swatches[block->stage];
  PlgSwatch swatch = plg_activity_swatch (timeline->chart.theme, stage, PLG_ACTIVITY_RECOMPUTE);
  double end = block->start + timeline->recompute_share * (block->end - block->start);
  double width = MIN (x_of (timeline, end), to) - from;
  PlgShape *shape;

  if (plg_timeline_is_forward (block) || block->kind == PLG_BLOCK_BACKWARD_WEIGHT || width < 0.5)
    return from;
  shape = plg_figure_rect (timeline->chart.figure, from, row_top (timeline, block->stage), width,
                           row_height (timeline), 0, swatch.fill);
  shape->entity = (PlgEntity) { PLG_ENTITY_BLOCK, 0, index };
  shape->classes = "recompute";
  shape->hatch = width >= MIN_HATCHED_WIDTH ? plg_activity_hatch (PLG_ACTIVITY_RECOMPUTE) : 0;
  shape->stroke = swatch.border;
  shape->hatch_color = swatch.hatch_color;
  return from + width;
}

static void
add_block (PlgTimeline *timeline, const PlgBlock *block, int index, double start, double to)
{
  PlgFigure *figure = timeline->chart.figure;
  const PlgTheme *theme = timeline->chart.theme;
  const PlgSwatch *swatch = &timeline->swatches[block->stage];
  gboolean is_forward = plg_timeline_is_forward (block);
  double from = add_recompute (timeline, block, index, start, to);
  double top = row_top (timeline, block->stage), height = row_height (timeline), width = to - from;
  double size = MIN (timeline->chart.font_size * 0.92, height * 0.72);
  double share = timeline->chunks > 1 ? (double) MAX (block->chunk, 0) / (timeline->chunks - 1) : 0;
  PlgColor fill;
  PlgShape *shape;
  char text[16];

  /* Make later chunks paler, so that the chunks of a stage are distinct. */
  if (is_forward)
    fill = plg_color_mix (swatch->fill, theme->role[PLG_ROLE_CARD], PALEST_FORWARD * share);
  else
    fill = plg_color_mix (swatch->strong, swatch->fill,
                          share * (timeline->recompute_share > 0 ? PALEST_BESIDE_RECOMPUTE
                                                                 : PALEST_BACKWARD));

  /* Leave a gap of one point between neighbouring blocks. */
  if (width > 4)
    width -= 1;
  shape = plg_figure_rect (figure, from, top, width, height, width > 6 && height > 8 ? 2 : 0, fill);
  shape->entity = (PlgEntity) { PLG_ENTITY_BLOCK, 0, index };
  /* Draw a border that separates pale chunks from idle time, especially in themes without hues. */
  if (is_forward && width >= 3 &&
      plg_color_distance (fill, theme->role[PLG_ROLE_GRID]) < APART_FROM_IDLE)
    {
      shape->rect = (PlgRect) { shape->rect.x + 0.5, shape->rect.y + 0.5, shape->rect.width - 1,
                                shape->rect.height - 1 };
      shape->stroke = swatch->border;
      shape->stroke_width = 1;
    }
  if (block->kind == PLG_BLOCK_BACKWARD_WEIGHT)
    {
      shape->hatch = plg_activity_hatch (PLG_ACTIVITY_WEIGHT);
      shape->stroke = plg_color_mix (fill, theme->role[PLG_ROLE_CARD], 0.5);
      shape->hatch_color = plg_activity_hatch_color (theme, fill);
    }
  if (timeline->is_named)
    {
      g_autofree char *time = plg_format_time (block->end - block->start);

      shape->id = plg_figure_string (figure, "block-%d", index);
      shape->classes = plg_figure_string (figure, "block %s stage-%d micro-batch-%d",
                                          is_forward ? "forward" : "backward", block->stage,
                                          block->micro_batch);
      shape->title = plg_figure_string (figure, _ ("Stage %d, micro-batch %d, %s: %s"),
                                        block->stage, block->micro_batch,
                                        plg_activity_block_title (block->kind), time);
    }

  /* Measure every digit as a "0", so that numbers with the same number of digits are either all
   * shown or all left out. */
  g_snprintf (text, sizeof text, "%d", block->micro_batch);
  if (size < 7 || plg_text_width ("0", size, FALSE) * strlen (text) + 2.5 > width)
    return;
  timeline->has_numbers = TRUE;
  plg_chart_add_text (&timeline->chart, from + width / 2, top + height / 2, PLG_ANCHOR_MIDDLE, size,
                      FALSE, plg_theme_text_on (theme, fill), text);
}

static void
add_merged_blocks (PlgTimeline *timeline, int stage)
{
  PlgTimelineRun *run = &timeline->runs[stage];
  const PlgSwatch *swatch = &timeline->swatches[stage];
  double length = run->to - run->from;

  if (length > 0)
    plg_figure_rect (timeline->chart.figure, run->from, row_top (timeline, stage), length,
                     row_height (timeline), 0,
                     plg_color_mix (swatch->fill, swatch->strong, run->backward / length))
        ->entity = (PlgEntity) { PLG_ENTITY_STAGE, 0, stage };
  *run = (PlgTimelineRun) { G_MAXDOUBLE, -G_MAXDOUBLE, 0 };
}

static PlgColor
summary_color (const PlgTimeline *timeline, int stage)
{
  const PlgSwatch *swatch = &timeline->swatches[stage];

  return plg_color_mix (swatch->fill, swatch->strong, BACKWARD_SHARE);
}

static void
add_rows (PlgTimeline *timeline)
{
  PlgChart *chart = &timeline->chart;
  double bubble = timeline->report->bubble.simulated;
  double end = timeline->pipeline_end * (bubble >= 0 && bubble <= 1 ? 1 - bubble : 0);
  double from = x_of (timeline, timeline->from), to = x_of (timeline, MIN (end, timeline->to));
  /* A span that ends after the step, for a comparison with a longer step, shows no idle time
   * there. */
  double right = timeline->to > timeline->step_time ? x_of (timeline, timeline->step_time)
                                                    : chart->right;
  int step = MAX ((int) ceil (chart->font_size * 1.25 / timeline->pitch), 1);

  for (int stage = 0; stage < timeline->stages; stage++)
    {
      double y = row_top (timeline, stage), height = row_height (timeline);
      PlgShape *idle = plg_figure_rect (chart->figure, chart->left, y, right - chart->left, height,
                                        2, chart->theme->role[PLG_ROLE_GRID]);

      idle->entity = (PlgEntity) { PLG_ENTITY_STAGE, 0, stage };
      idle->classes = "idle";
      /* If rows are shorter than a line of text, move the name of the first row down so that it
       * does not extend beyond the top of the picture. */
      if (stage % step == 0)
        {
          g_autofree char *name = plg_stage_name (timeline->plan, stage, timeline->name_form);

          plg_chart_add_name (chart, MAX (y + height / 2, chart->font_size / 2), name);
        }
    }

  /* Without blocks, the times of the individual passes are not known. Draw one bar per stage, as
   * long as the busy time of the stage. */
  for (int stage = 0; timeline->is_summary && to > from && stage < timeline->stages; stage++)
    {
      PlgShape *busy = plg_figure_rect (chart->figure, from, row_top (timeline, stage), to - from,
                                        row_height (timeline), 2, summary_color (timeline, stage));

      busy->entity = (PlgEntity) { PLG_ENTITY_STAGE, 0, stage };
      busy->classes = "busy";
    }
}

/* Draws the activities of the stages outside their blocks: the wait for other replicas, and the
 * optimizer. */
static void
add_intervals (PlgTimeline *timeline, const PlgPlan *plan)
{
  PlgChart *chart = &timeline->chart;
  g_autoptr (GArray) intervals = plg_snapshot_stage_intervals (plan, timeline->report);

  for (guint i = 0; i < intervals->len; i++)
    {
      const PlgStageInterval *interval = &g_array_index (intervals, PlgStageInterval, i);
      double from = x_of (timeline, MAX (interval->start, timeline->from));
      double to = x_of (timeline, MIN (interval->end, timeline->to));
      double top = row_top (timeline, interval->stage), height = row_height (timeline);
      double size = MIN (chart->font_size * 0.92, height * 0.72);
      PlgPart part = interval->activity == PLG_ACTIVITY_OPTIMIZER ? PLG_PART_OPTIMIZER
                                                                  : PLG_PART_DP;
      const char *title = plg_activity_title (interval->activity);
      const char *letter = plg_activity_letter (interval->activity), *text = NULL;
      g_autofree char *time = plg_format_time (interval->end - interval->start);
      PlgSwatch swatch;
      PlgShape *shape;

      if (interval->stage >= timeline->stages || interval->start >= timeline->to ||
          interval->end <= timeline->from || to - from < 0.5)
        continue;
      swatch = plg_activity_swatch (chart->theme, &timeline->swatches[interval->stage],
                                    interval->activity);
      if (size >= 7 && plg_text_width (title, size, FALSE) + 4 < to - from)
        text = title;
      else if (size >= 7 && plg_text_width (letter, size, FALSE) + 4 < to - from)
        text = letter;
      timeline->rests |= 1u << interval->activity;
      if (text == letter)
        timeline->letters |= 1u << interval->activity;
      shape = plg_figure_rect (chart->figure, from, top, to - from, height, 0, swatch.fill);
      shape->stroke = to - from > 3 && height > 4 ? swatch.border : PLG_COLOR_NONE;
      shape->stroke_width = 1;
      shape->entity = (PlgEntity) { PLG_ENTITY_PART, 0, part };
      shape->classes = plg_activity_name (interval->activity);
      if (!timeline->is_without_ids)
        shape->title = plg_figure_string (chart->figure, _ ("Stage %d: %s, %s"), interval->stage,
                                          title, time);
      if (text != NULL)
        plg_chart_add_text (chart, (from + to) / 2, top + height / 2, PLG_ANCHOR_MIDDLE, size,
                            FALSE, swatch.text, text);
    }
}

/* Draws one box across all stages for the DP communication and the optimizer after the pipeline,
 * because without blocks the end time of each stage is not known. */
static void
add_tail (PlgTimeline *timeline)
{
  PlgChart *chart = &timeline->chart;
  double from = x_of (timeline, MAX (timeline->pipeline_end, timeline->from));
  double to = x_of (timeline, MIN (timeline->step_time, timeline->to));
  PlgColor fill = plg_activity_swatch (chart->theme, timeline->swatches, PLG_ACTIVITY_SYNC).fill;
  const char *text = _ ("DP, optimizer");
  double size = chart->font_size * 0.92;
  double height = (timeline->stages - 1) * timeline->pitch + row_height (timeline);
  PlgShape *shape;

  if (to - from < 1)
    return;
  timeline->has_tail = TRUE;
  shape = plg_figure_rect (chart->figure, from, timeline->top, to - from, height, 2, fill);
  shape->stroke = chart->theme->role[PLG_ROLE_PART_COMPUTE + PLG_PART_DP];
  shape->stroke_width = 1;
  shape->entity = (PlgEntity) { PLG_ENTITY_PART, 0, PLG_PART_DP };
  shape->title = plg_figure_string (chart->figure, "%s", text);
  if (plg_text_width (text, size, FALSE) + 8 < to - from)
    plg_chart_add_text (chart, (from + to) / 2, timeline->top + height / 2, PLG_ANCHOR_MIDDLE, size,
                        FALSE, plg_theme_text_on (chart->theme, fill), text);
}

static const struct
{
  double seconds;
  const char *name;
} units[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } };

/* Adds the time axis. The distance between its ticks is 1, 2 or 5 times a power of ten [s] and
 * at least 80 points. */
static void
add_axis (PlgTimeline *timeline)
{
  PlgChart *chart = &timeline->chart;
  double per_point = (timeline->to - timeline->from) / (chart->right - chart->left);
  double least = per_point * 80, decade = pow (10, floor (log10 (least)));
  double step = decade >= least       ? decade
                : decade * 2 >= least ? decade * 2
                : decade * 5 >= least ? decade * 5
                                      : decade * 10;
  double size = chart->font_size * 0.9;
  double y = timeline->top + timeline->stages * timeline->pitch;
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT_DIM];
  int unit = 0;

  while (unit + 1 < (int) G_N_ELEMENTS (units) && step < units[unit].seconds * 0.0999)
    unit++;
  for (double tick = ceil (timeline->from / step - 1e-9); tick * step <= timeline->to * (1 + 1e-9);
       tick++)
    {
      double x = x_of (timeline, tick * step);
      g_autofree char *number = plg_format_number (tick * step / units[unit].seconds, 5);
      g_autofree char *text = g_strconcat (number, "\u00a0", units[unit].name, NULL);
      double width = plg_text_width (text, size, FALSE);

      plg_figure_line (chart->figure, x, y - 2, x, y + 3, color, 1);
      if (x + width / 2 > chart->right + chart->margin)
        continue;
      plg_chart_add_text (chart, MAX (x, chart->left), y + 4 + size * 0.65,
                          x - width / 2 < chart->left ? PLG_ANCHOR_START : PLG_ANCHOR_MIDDLE, size,
                          FALSE, color, text);
    }
  chart->y = y + 6 + size * 1.4;
}

/* Adds the cursor on a layer of its own, so that a window can redraw only the cursor in each
 * frame of the playback. */
static void
add_cursor (PlgTimeline *timeline, const PlgPictureOptions *options)
{
  PlgChart *chart = &timeline->chart;
  double x = x_of (timeline, CLAMP (options->moment, 0, timeline->step_time));
  double bottom = timeline->top + timeline->stages * timeline->pitch;
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT];
  const PlgPoint head[] = { { x - 4, timeline->top - 5 },
                            { x + 4, timeline->top - 5 },
                            { x, timeline->top } };
  PlgShape *shape;

  if (!options->has_moment || timeline->is_summary || x < chart->left || x > chart->right)
    return;
  plg_figure_set_layer (chart->figure, PLG_LAYER_GROUPS);
  plg_figure_line (chart->figure, x, timeline->top - 3, x, bottom, color, 1.5)->id = "cursor";
  shape = plg_figure_path (chart->figure, head, G_N_ELEMENTS (head), PLG_COLOR_NONE, 0);
  shape->closed = TRUE;
  shape->fill = color;
}

static void
add_legend (PlgTimeline *timeline)
{
  PlgChart *chart = &timeline->chart;
  const PlgSwatch *first = &timeline->swatches[0];
  const PlgEntity nothing = { PLG_ENTITY_NONE, 0, 0 };
  PlgColor idle = chart->theme->role[PLG_ROLE_GRID];
  PlgSwatch forward = { .fill = first->fill, .border = first->fill };
  PlgSwatch recompute = plg_activity_swatch (chart->theme, first, PLG_ACTIVITY_RECOMPUTE);
  PlgSwatch backward = { .fill = first->strong, .border = first->strong };
  PlgSwatch weight = { .fill = first->strong,
                       .border = plg_color_mix (first->strong, chart->theme->role[PLG_ROLE_CARD],
                                                0.5) };
  PlgSwatch busy = { .fill = summary_color (timeline, 0), .border = summary_color (timeline, 0) };
  PlgSwatch idle_swatch = { .fill = idle, .border = chart->theme->role[PLG_ROLE_CARD_BORDER] };
  PlgLegend legend;

  plg_legend_begin (&legend, chart->figure, chart->theme, chart->margin, chart->right, chart->y,
                    chart->font_size * 0.95);
  if (timeline->is_summary)
    plg_legend_swatch (&legend, busy, 0, nothing, _ ("busy"));
  else
    {
      plg_legend_swatch (&legend, forward, 0, nothing, _ ("forward"));
      if (timeline->recompute_share > 0)
        plg_legend_swatch (&legend, recompute, plg_activity_hatch (PLG_ACTIVITY_RECOMPUTE), nothing,
                           plg_activity_title (PLG_ACTIVITY_RECOMPUTE));
      plg_legend_swatch (&legend, backward, 0, nothing, _ ("backward"));
    }
  if (timeline->has_weight_blocks)
    plg_legend_swatch (&legend, weight, 1, nothing, _ ("weight gradient"));
  plg_legend_swatch (&legend, idle_swatch, 0, nothing, _ ("idle"));
  if (timeline->has_tail)
    plg_legend_swatch (&legend, plg_activity_swatch (chart->theme, first, PLG_ACTIVITY_SYNC), 0,
                       nothing, _ ("DP, optimizer"));
  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      PlgActivity activity = (PlgActivity) i;
      g_autofree char *name = plg_activity_legend_name (activity);
      gboolean has_letter = (timeline->letters & 1u << i) != 0;

      if (timeline->rests & (1u << i))
        plg_legend_swatch (&legend,
                           plg_activity_swatch (legend.theme, &timeline->swatches[0], activity), 0,
                           nothing, has_letter ? name : plg_activity_title (activity));
    }
  if (timeline->chunks > 1)
    plg_legend_note (&legend, _ ("paler: later chunks"));
  if (timeline->has_numbers)
    plg_legend_note (&legend, _ ("number: micro-batch"));
  chart->y = plg_legend_end (&legend);
}

PlgFigure *
plg_timeline_figure (const PlgPlan *plan,
                     const PlgReport *report,
                     const PlgTheme *theme,
                     const PlgPictureOptions *options)
{
  PlgTimeline timeline;
  PlgChart *chart = &timeline.chart;

  plg_timeline_begin (&timeline, plan, report, theme, options);
  timeline.is_without_ids = options->without_ids;
  timeline.is_named = !options->without_ids && report->blocks->len <= MAX_NAMED;
  timeline.swatches = g_new (PlgSwatch, timeline.stages);
  timeline.runs = g_new (PlgTimelineRun, timeline.stages);
  for (int stage = 0; stage < timeline.stages; stage++)
    {
      timeline.swatches[stage] = plg_theme_swatch (theme, stage, timeline.stages, FALSE);
      timeline.runs[stage] = (PlgTimelineRun) { G_MAXDOUBLE, -G_MAXDOUBLE, 0 };
    }
  add_rows (&timeline);
  for (guint i = 0; i < timeline.report->blocks->len; i++)
    {
      const PlgBlock *block = plg_timeline_block (timeline.report, i);
      double from, to;

      if (!plg_timeline_is_valid_block (&timeline, block) || block->end <= timeline.from ||
          block->start >= timeline.to)
        continue;
      from = x_of (&timeline, MAX (block->start, timeline.from));
      to = x_of (&timeline, MIN (block->end, timeline.to));
      if (to - from < MIN_BLOCK_WIDTH)
        {
          /* Merge a narrow block with the blocks before it, unless a visible gap separates them. */
          PlgTimelineRun *run = &timeline.runs[block->stage];

          if (from > run->to + 1)
            add_merged_blocks (&timeline, block->stage);
          run->from = MIN (run->from, from);
          run->to = MAX (run->to, to);
          run->backward += plg_timeline_is_forward (block) ? 0 : to - from;
        }
      else
        {
          add_merged_blocks (&timeline, block->stage);
          add_block (&timeline, block, i, from, to);
        }
    }
  for (int stage = 0; stage < timeline.stages; stage++)
    add_merged_blocks (&timeline, stage);
  if (plg_timeline_is_hidden (report))
    {
      double height = (timeline.stages - 1) * timeline.pitch + row_height (&timeline);

      plg_chart_add_text (chart, (chart->left + chart->right) / 2, timeline.top + height / 2,
                          PLG_ANCHOR_MIDDLE, chart->font_size, FALSE, theme->role[PLG_ROLE_TEXT],
                          plg_timeline_redaction_text (report));
    }
  else
    {
      add_intervals (&timeline, plan);
      if (timeline.is_summary)
        add_tail (&timeline);
      add_axis (&timeline);
    }
  add_cursor (&timeline, options);
  if (timeline.is_too_long)
    {
      double size = chart->font_size * 0.95;
      g_autofree char *text = plg_text_fit (plg_timeline_summary_text (),
                                            chart->right - chart->left, size, FALSE);

      plg_chart_add_text (chart, chart->left, chart->y + size * 0.6, PLG_ANCHOR_START, size, FALSE,
                          theme->role[PLG_ROLE_TEXT_DIM], text);
      chart->y += size * 1.6;
    }
  if (options->legend && !plg_timeline_is_hidden (report))
    add_legend (&timeline);
  g_free (timeline.swatches);
  g_free (timeline.runs);
  return plg_chart_end (chart);
}
