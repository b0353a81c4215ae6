/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/timeline.h"

#include "drawing/figure/text.h"
#include "engine/schedule/snapshot.h"
#include "engine/schedule/schedule.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The part of the step that a timeline shows, and the size and the headline of the timeline. */

/* minimum width of a forward block for its number to be readable [points] */
#define LEGIBLE_BLOCK_WIDTH 17.0
/* height of a line of the legend, including the space above it [points] */
#define LEGEND_HEIGHT 16.0
#define MAX_BLOCK_KINDS 3 /* maximum number of block kinds per micro-batch and stage */
#define NATURAL_MIN 900.0
#define NATURAL_MAX 1600.0
/* The largest share of the width for names with layers. */
#define NAMES_SHARE 0.2
/* The minimum height of a row is MAX_HEIGHT (in a window, MAX_HEIGHT_IN_WINDOW) divided by the
 * number of stages, but at most 4 points and, outside a window, at least 1.5 points. The value
 * for windows is smaller, because taller rows would push the time axis out of sight without
 * making stages easier to distinguish. */
#define MAX_HEIGHT 160.0
#define MAX_HEIGHT_IN_WINDOW 100.0

const PlgBlock *
plg_timeline_block (const PlgReport *report, guint i)
{
  return &g_array_index (report->blocks, PlgBlock, i);
}

gboolean
plg_timeline_is_valid_block (const PlgTimeline *timeline, const PlgBlock *block)
{
  return block->stage >= 0 && block->stage < timeline->stages && isfinite (block->start) &&
         isfinite (block->end) && block->end >= block->start;
}

gboolean
plg_timeline_is_forward (const PlgBlock *block)
{
  return block->kind == PLG_BLOCK_FORWARD;
}

const char *
plg_timeline_redaction_text (const PlgReport *report)
{
  return plg_redaction_placeholder (report->redaction,
                                    PLG_REDACT_BUBBLE | PLG_REDACT_TIME | PLG_REDACT_BUSY);
}

gboolean
plg_timeline_is_hidden (const PlgReport *report)
{
  return plg_timeline_redaction_text (report) != NULL;
}

const char *
plg_timeline_summary_text (void)
{
  return _ ("Too many micro-batches to draw one by one, so the bars show shares of time");
}

static gboolean
is_positive (double seconds)
{
  return seconds > 0 && isfinite (seconds);
}

/* Returns the end of the first backward pass on the first stage [s]. */
static double
first_return (const PlgReport *report)
{
  for (guint i = 0; i < report->blocks->len; i++)
    if (plg_timeline_block (report, i)->stage == 0 &&
        !plg_timeline_is_forward (plg_timeline_block (report, i)))
      return plg_timeline_block (report, i)->end;
  return 0;
}

static void
choose_span (PlgTimeline *timeline, const PlgPictureOptions *options, double forward)
{
  double length = timeline->chart.right - timeline->chart.left;
  double legible = forward > 0 ? length / LEGIBLE_BLOCK_WIDTH * forward : 0;

  timeline->from = 0;
  timeline->to = timeline->step_time;
  if (options->to > options->from && options->from >= 0 && isfinite (options->to))
    {
      timeline->from = options->from;
      timeline->to = options->to;
    }
  else if (options->width > 0 && legible < timeline->step_time &&
           legible > first_return (timeline->report) * 1.2)
    {
      /* Divide the step into parts of equal length in which the blocks are readable. Show the
       * part that contains the snapshot or, without a snapshot, the first part. A part is always
       * longer than the time in which the first micro-batch passes through the pipeline and
       * back. */
      double moment = CLAMP (options->moment, 0, timeline->step_time);

      if (options->has_moment)
        timeline->from = MIN (floor (moment / legible) * legible, timeline->step_time - legible);

      timeline->to = MIN (timeline->from + legible, timeline->step_time);
    }
}

/* Returns the step time of the drawn schedule. If the profile's formula gives a different step
 * time, appends it in parentheses. */
static char *
time_describe (const PlgTimeline *timeline)
{
  const PlgReport *report = timeline->report;
  g_autofree char *drawn = plg_format_time (timeline->step_time);
  g_autofree char *formula = plg_format_time (report->step.time);

  if (report->profile == PLG_PROFILE_STANDARD || strcmp (drawn, formula) == 0)
    return g_steal_pointer (&drawn);
  return g_strdup_printf (_ ("%s simulated (%s by the profile's formula)"), drawn, formula);
}

/* Returns the idle share of the drawn schedule. */
static char *
idle_describe (const PlgReport *report)
{
  g_autofree char *simulated = plg_format_share (report->bubble.simulated);

  return g_strdup_printf (_ ("idle %s"), simulated);
}

/* Returns the headline. It contains no times while a lesson hides the step time. */
static char *
timeline_headline (const PlgTimeline *timeline)
{
  const PlgReport *report = timeline->report;
  gboolean is_hidden = plg_timeline_is_hidden (report);
  g_autofree char *time = is_hidden ? NULL : time_describe (timeline);
  g_autofree char *idle = is_hidden ? NULL : idle_describe (report);
  g_autofree char *stages = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d stage", "%d stages",
                                                          timeline->stages),
                                             timeline->stages);
  g_autofree char *batches = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d micro-batch",
                                                           "%d micro-batches",
                                                           report->micro_batches),
                                              report->micro_batches);

  if (is_hidden)
    return g_strdup_printf ("%s, %s · %s", stages, batches, plg_timeline_redaction_text (report));
  return g_strdup_printf ("%s · %s, %s · %s", time, stages, batches, idle);
}

static void
describe_timeline (const PlgTimeline *timeline, const char *line)
{
  g_autofree char *time = time_describe (timeline);
  g_autofree char *idle = idle_describe (timeline->report);
  g_autofree char *text = NULL;

  if (!timeline->is_summary && timeline->to < timeline->pipeline_end)
    {
      /* Put the visible part first, because the end of a long description is cut off. */
      g_autofree char *from = plg_format_time (timeline->from);
      g_autofree char *to = plg_format_time (timeline->to);

      if (timeline->from > 0)
        text = g_strdup_printf (_ ("%s to %s of %s · %s"), from, to, time, idle);
      else
        {
          /* Count the micro-batches whose backward pass on the first stage has finished by the
           * end of the visible part. */
          int last = -1;

          for (guint i = 0; i < timeline->report->blocks->len; i++)
            {
              const PlgBlock *block = plg_timeline_block (timeline->report, i);

              if (block->stage == 0 && !plg_timeline_is_forward (block) &&
                  block->end <= timeline->to * (1 + 1e-9))
                last = MAX (last, block->micro_batch);
            }
          text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                               "first %s of %s, %d of %d micro-batch shown · %s",
                                               "first %s of %s, %d of %d micro-batches shown · %s",
                                               timeline->report->micro_batches),
                                  to, time, last + 1, timeline->report->micro_batches, idle);
        }
    }
  if (timeline->is_too_long)
    text = g_strdup_printf ("%s · %s", line, plg_timeline_summary_text ());
  plg_figure_describe (timeline->chart.figure, _ ("One training step"), text != NULL ? text : line);
}

void
plg_timeline_begin (PlgTimeline *timeline,
                    const PlgPlan *plan,
                    const PlgReport *report,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  double dp = report->step.part[PLG_PART_DP], optimizer = report->step.part[PLG_PART_OPTIMIZER];
  double tail = (is_positive (dp) ? dp : 0) + (is_positive (optimizer) ? optimizer : 0);
  g_autofree char *line = NULL, *last = NULL;
  int n_forward = 0;
  PlgPipeline pipeline;
  double forward = 0, natural_width, max_pitch, min_pitch, room;

  *timeline = (PlgTimeline) {
    .plan = plan,
    .report = report,
    .stages = MAX ((int) report->stages->len, 1),
    .chunks = 1,
  };
  for (guint i = 0; i < report->blocks->len; i++)
    {
      const PlgBlock *block = plg_timeline_block (report, i);

      if (!plg_timeline_is_valid_block (timeline, block))
        continue;
      timeline->chunks = MAX (timeline->chunks, block->chunk + 1);
      timeline->pipeline_end = MAX (timeline->pipeline_end, block->end);
      timeline->has_weight_blocks |= block->kind == PLG_BLOCK_BACKWARD_WEIGHT;
      if (plg_timeline_is_forward (block))
        {
          forward += block->end - block->start;
          n_forward++;
        }
    }
  forward /= MAX (n_forward, 1);
  timeline->recompute_share = plg_snapshot_recompute_share (report);

  /* Without blocks, estimate the end of the pipeline: subtract the DP communication and the
   * optimizer, which follow the pipeline, from the step time. */
  timeline->is_summary = report->blocks->len == 0 && is_positive (report->step.time) &&
                         !plg_timeline_is_hidden (report);
  if (timeline->is_summary)
    {
      plg_pipeline_init (&pipeline, plan);
      pipeline.micro_batches = report->micro_batches;
      /* The report contains no blocks if the schedule has more than PLG_MAX_BLOCKS of them. */
      timeline->is_too_long = (double) plg_pipeline_positions (&pipeline) *
                                  plg_pipeline_passes (&pipeline) * MAX_BLOCK_KINDS >
                              PLG_MAX_BLOCKS;
      timeline->pipeline_end = MAX (report->step.time - tail, 0);
    }

  timeline->step_time = timeline->pipeline_end;
  if (isfinite (report->step.time) && report->step.time > timeline->pipeline_end)
    timeline->step_time = report->step.time;
  if (!(timeline->step_time > 0))
    timeline->step_time = 1;

  natural_width = forward > 0 ? timeline->step_time / forward * LEGIBLE_BLOCK_WIDTH + 100 : 0;
  plg_chart_begin (&timeline->chart, theme, options,
                   CLAMP (natural_width, NATURAL_MIN, NATURAL_MAX));
  line = timeline_headline (timeline);
  plg_chart_add_title (&timeline->chart, _ ("One training step"), line, PLG_ROLE_TEXT_DIM);
  /* If two timelines are compared, make room for the names of both, so that both time axes have
   * the same length. */
  last = g_strdup_printf (_ ("stage %d"),
                          MAX (timeline->stages, options->same_scale != NULL
                                                     ? (int) options->same_scale->stages->len
                                                     : 0) -
                              1);
  timeline->name_form = plg_stage_name_form (plan, options,
                                             (timeline->chart.right - timeline->chart.left) *
                                                 NAMES_SHARE,
                                             timeline->chart.font_size);
  for (int stage = 0; timeline->name_form != PLG_STAGE_NAME_NUMBER && stage < timeline->stages;
       stage++)
    {
      g_autofree char *name = plg_stage_name (plan, stage, timeline->name_form);

      if (plg_text_width (name, timeline->chart.font_size, FALSE) >
          plg_text_width (last, timeline->chart.font_size, FALSE))
        {
          g_free (last);
          last = g_steal_pointer (&name);
        }
    }
  plg_chart_fit_names (&timeline->chart, (const char *const *) &last, 1);
  choose_span (timeline, options, forward);

  max_pitch = options->embedded ? 26 : 28;
  if (options->height > 0)
    {
      room = options->height - (timeline->is_too_long ? 56 : 40) -
             (options->legend ? LEGEND_HEIGHT : 0);
      min_pitch = MIN (MAX_HEIGHT_IN_WINDOW / timeline->stages, 4);
    }
  else
    {
      room = 12 * max_pitch;
      min_pitch = CLAMP (MAX_HEIGHT / timeline->stages, 1.5, 4);
    }
  timeline->pitch = CLAMP (room / timeline->stages, min_pitch, max_pitch);
  timeline->top = timeline->chart.y;
  describe_timeline (timeline, line);
}

PlgTimelineSpan
plg_timeline_span (const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgTheme *theme,
                   const PlgPictureOptions *options)
{
  PlgTimeline timeline;
  PlgTimelineSpan span;

  plg_timeline_begin (&timeline, plan, report, theme, options);
  span = (PlgTimelineSpan) {
    .from = timeline.from,
    .to = timeline.to,
    .left = timeline.chart.left,
    .right = timeline.chart.right,
    .top = timeline.top,
    .bottom = timeline.top + timeline.stages * timeline.pitch,
  };
  plg_figure_unref (timeline.chart.figure);
  return span;
}
