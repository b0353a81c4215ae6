/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/timeline.h"

#include "engine/schedule/snapshot.h"
#include "engine/schedule/schedule.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* How much of the step a timeline shows, how large, and that in words. */

/* A forward pass should be this wide, so that its number can be read. */
#define LEGIBLE_BLOCK_WIDTH 17.0
/* Of one line, with the space above it. */
#define LEGEND_HEIGHT 16.0
#define NATURAL_MIN 900.0
#define NATURAL_MAX 1600.0

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
  return _ ("Too many micro-batches to draw one by one: bars are shares of time");
}

/* Looks once through the blocks for what the layout needs. */
static void
measure_blocks (PlgTimeline *timeline, double *forward)
{
  int n = 0;
  double sum = 0;

  timeline->chunks = 1;
  for (guint i = 0; i < timeline->report->blocks->len; i++)
    {
      const PlgBlock *block = plg_timeline_block (timeline->report, i);

      if (!plg_timeline_is_valid_block (timeline, block))
        continue;
      timeline->chunks = MAX (timeline->chunks, block->chunk + 1);
      timeline->pipeline_end = MAX (timeline->pipeline_end, block->end);
      timeline->has_weight_blocks |= block->kind == PLG_BLOCK_BACKWARD_WEIGHT;
      if (plg_timeline_is_forward (block))
        {
          sum += block->end - block->start;
          n++;
        }
    }
  *forward = n > 0 ? sum / n : 0;
}

/* More blocks than the engine lists. */
static gboolean
has_too_many_blocks (const PlgPlan *plan, const PlgReport *report)
{
  const int most_kinds = 3;
  PlgPipeline pipeline;

  plg_pipeline_init (&pipeline, plan);
  pipeline.micro_batches = report->micro_batches;
  return (double) plg_pipeline_positions (&pipeline) * plg_pipeline_passes (&pipeline) *
             most_kinds >
         PLG_MAX_BLOCKS;
}

static gboolean
is_positive (double seconds)
{
  return seconds > 0 && isfinite (seconds);
}

/* A report without blocks still says how long the pipeline runs: all but what follows it. */
static void
measure_summary (PlgTimeline *timeline, const PlgPlan *plan)
{
  const PlgReport *report = timeline->report;
  double dp = report->step.part[PLG_PART_DP], optimizer = report->step.part[PLG_PART_OPTIMIZER];
  double tail = (is_positive (dp) ? dp : 0) + (is_positive (optimizer) ? optimizer : 0);

  timeline->is_summary = report->blocks->len == 0 && is_positive (report->step.time) &&
                         !plg_timeline_is_hidden (report);
  if (!timeline->is_summary)
    return;
  timeline->is_too_long = has_too_many_blocks (plan, report);
  timeline->pipeline_end = MAX (report->step.time - tail, 0);
}

/* When the first stage has been through its first backward pass: what is shown reaches beyond it,
 * or shows nothing of how a pipeline runs. */
static double
first_return (const PlgReport *report)
{
  for (guint i = 0; i < report->blocks->len; i++)
    if (plg_timeline_block (report, i)->stage == 0 &&
        !plg_timeline_is_forward (plg_timeline_block (report, i)))
      return plg_timeline_block (report, i)->end;
  return 0;
}

/* As much as can be read at once, and the part of the step in which the moment lies; the last part
 * is as long as the others. */
static void
show_page_of_time (PlgTimeline *timeline, const PlgPictureOptions *options, double length)
{
  double moment = CLAMP (options->moment, 0, timeline->step_time);

  if (options->has_moment)
    timeline->from = MIN (floor (moment / length) * length, timeline->step_time - length);
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
      show_page_of_time (timeline, options, legible);
      timeline->to = MIN (timeline->from + legible, timeline->step_time);
    }
}

static double
natural_width (const PlgTimeline *timeline, double forward)
{
  double wanted = forward > 0 ? timeline->step_time / forward * LEGIBLE_BLOCK_WIDTH + 100 : 0;

  return CLAMP (wanted, NATURAL_MIN, NATURAL_MAX);
}

/* Rows of 4 points and less are this high together: of very many stages no row is told from the
 * next, and in a window they would take the cluster's place and push the axis out of sight. */
#define MAX_PITCH 160.0
#define MAX_PITCH_IN_WINDOW 100.0

static double
pitch_for (const PlgTimeline *timeline, const PlgPictureOptions *options)
{
  double most = options->embedded ? 26 : 28;
  double below = (timeline->is_too_long ? 56 : 40) + (options->legend ? LEGEND_HEIGHT : 0);
  double room = options->height > 0 ? options->height - below : 12 * most;

  double least = options->height > 0 ? MIN (MAX_PITCH_IN_WINDOW / timeline->stages, 4)
                                     : CLAMP (MAX_PITCH / timeline->stages, 1.5, 4);

  return CLAMP (room / timeline->stages, least, most);
}

/* Of what is drawn; where the plan's profile has a formula of its own, with what that says. */
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

/* Idle time as it is drawn. Closed forms take all stages as equal and sending as free, so that the
 * bubble's number is another one: both are named. */
static char *
idle_describe (const PlgReport *report)
{
  g_autofree char *simulated = plg_format_share (report->bubble.simulated);
  g_autofree char *closed = plg_format_share (report->bubble.share_of_step);

  if (!report->bubble.closed_form || strcmp (simulated, closed) == 0)
    return g_strdup_printf (_ ("idle %s"), simulated);
  return g_strdup_printf (_ ("idle %s simulated, %s in closed form"), simulated, closed);
}

/* What is drawn while a prediction is open has no time of its own. */
static char *
headline (const PlgTimeline *timeline)
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

/* How many micro-batches have come back to the first stage at the end of what is shown. */
static int
micro_batches_shown (const PlgTimeline *timeline)
{
  int most = -1;

  for (guint i = 0; i < timeline->report->blocks->len; i++)
    {
      const PlgBlock *block = plg_timeline_block (timeline->report, i);

      if (block->stage == 0 && !plg_timeline_is_forward (block) &&
          block->end <= timeline->to * (1 + 1e-9))
        most = MAX (most, block->micro_batch);
    }
  return most + 1;
}

/* What is cut off comes first, where words are cut off too. */
static char *
range_describe (const PlgTimeline *timeline, const char *step, const char *idle)
{
  g_autofree char *from = plg_format_time (timeline->from);
  g_autofree char *to = plg_format_time (timeline->to);

  if (timeline->from > 0)
    return g_strdup_printf (_ ("%s to %s of %s · %s"), from, to, step, idle);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "first %s of %s, %d of %d micro-batch shown · %s",
                                       "first %s of %s, %d of %d micro-batches shown · %s",
                                       timeline->report->micro_batches),
                          to, step, micro_batches_shown (timeline), timeline->report->micro_batches,
                          idle);
}

static void
describe_timeline (const PlgTimeline *timeline, const char *line)
{
  g_autofree char *time = time_describe (timeline);
  g_autofree char *idle = idle_describe (timeline->report);
  g_autofree char *text = NULL;

  if (!timeline->is_summary && timeline->to < timeline->pipeline_end)
    text = range_describe (timeline, time, idle);
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
  g_autofree char *line = NULL, *last = NULL;
  double forward;

  *timeline = (PlgTimeline) { .report = report, .stages = MAX ((int) report->stages->len, 1) };
  measure_blocks (timeline, &forward);
  timeline->recompute_share = plg_snapshot_recompute_share (report);
  measure_summary (timeline, plan);
  timeline->step_time = timeline->pipeline_end;
  if (isfinite (report->step.time) && report->step.time > timeline->pipeline_end)
    timeline->step_time = report->step.time;
  if (!(timeline->step_time > 0))
    timeline->step_time = 1;
  plg_chart_begin (&timeline->chart, theme, options, natural_width (timeline, forward));
  line = headline (timeline);
  plg_chart_add_title (&timeline->chart, _ ("One training step"), line, PLG_ROLE_TEXT_DIM);
  last = g_strdup_printf (_ ("stage %d"), timeline->stages - 1);
  plg_chart_fit_names (&timeline->chart, (const char *const *) &last, 1);
  choose_span (timeline, options, forward);
  timeline->pitch = pitch_for (timeline, options);
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
