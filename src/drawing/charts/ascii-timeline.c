/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/activity.h"
#include "drawing/figure/monospace.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* A training step as one line of letters per stage. The time is divided into equal parts, and
 * each letter shows the activity of the stage in the middle of one part. */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgReport *report;
  PlgTimelineSpan span;
  int name_width;
  int columns;
} AsciiTimeline;

static void
free_line (gpointer line)
{
  g_string_free (line, TRUE);
}

/* Adds a legend such as "F forward, B backward, …" for the activities in SEEN, which is a set of
 * bits 1 << PlgActivity. */
static void
append_key (GString *out, guint seen)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      /* List idle time last. */
      PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);

      if (seen & (1u << activity))
        g_string_append_printf (key, "%s%s %s", key->len > 0 ? ", " : "",
                                plg_activity_letter (activity), plg_activity_title (activity));
    }
  plg_monospace_add_paragraph (out, key->str);
}

void
plg_ascii_add_activities (GString *out, const PlgReport *report)
{
  guint seen = 0;

  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    if (plg_activity_occurs (report, (PlgActivity) i))
      seen |= 1u << i;
  append_key (out, seen);
}

static void
append_snapshot (const AsciiTimeline *timeline, const PlgPictureOptions *options)
{
  double part = (options->moment - timeline->span.from) / (timeline->span.to - timeline->span.from);
  int column = (int) (part * timeline->columns);
  g_autoptr (PlgSnapshot) snapshot = NULL;
  g_autofree char *time = NULL, *words = NULL;

  snapshot = plg_snapshot_new (timeline->plan, timeline->report, options->moment);
  if (snapshot == NULL)
    return;
  time = plg_snapshot_describe_time (snapshot->time, snapshot->end);
  words = plg_snapshot_describe (timeline->report, snapshot);
  plg_monospace_add_line (timeline->out, _ ("At %s: %s"), time, words);
  plg_monospace_end_line (timeline->out);
  if (part < 0 || part > 1)
    return;
  plg_monospace_add_spaces (timeline->out,
                            timeline->name_width + MIN (column, timeline->columns - 1));
  g_string_append_c (timeline->out, 'v');
  plg_monospace_end_line (timeline->out);
}

gboolean
plg_ascii_add_timeline (GString *out,
                        const PlgPlan *plan,
                        const PlgReport *report,
                        const PlgPictureOptions *options)
{
  AsciiTimeline timeline = { .out = out, .plan = plan, .report = report };
  g_autofree char *longest = g_strdup_printf (_ ("stage %d"), (int) report->stages->len - 1);
  g_autofree char *from = NULL, *to = NULL, *each = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  guint seen = 0;

  timeline.span.to = plg_snapshot_end (report);
  if (options->to > options->from && options->from >= 0)
    {
      timeline.span.from = options->from;
      timeline.span.to = MIN (options->to, timeline.span.to);
    }

  if (!(timeline.span.to > timeline.span.from))
    return FALSE;
  timeline.name_width = plg_monospace_width (longest) + 2;
  timeline.columns = PLG_MONOSPACE_WIDTH - timeline.name_width;
  lines = g_ptr_array_new_with_free_func (free_line);
  for (int column = 0; column < timeline.columns; column++)
    {
      double part = (column + 0.5) / timeline.columns;
      double time = timeline.span.from + part * (timeline.span.to - timeline.span.from);
      g_autoptr (PlgSnapshot) snapshot = NULL;

      snapshot = plg_snapshot_new (timeline.plan, timeline.report, time);
      for (int stage = 0; snapshot != NULL && stage < snapshot->n_stages; stage++)
        {
          PlgActivity activity = snapshot->stages[stage].activity;

          if (column == 0)
            g_ptr_array_add (lines, g_string_new (NULL));
          g_string_append (g_ptr_array_index (lines, stage), plg_activity_letter (activity));
          seen |= 1u << activity;
        }
    }
  if (options->has_moment)
    append_snapshot (&timeline, options);
  for (guint stage = 0; stage < lines->len; stage++)
    {
      const GString *line = g_ptr_array_index (lines, stage);
      g_autofree char *name = g_strdup_printf (_ ("stage %d"), (int) stage);

      plg_monospace_add_padded (out, name, timeline.name_width, FALSE);
      g_string_append (out, line->str);
      plg_monospace_end_line (out);
    }

  /* Write the start and end times of the span below the letters. */
  from = timeline.span.from > 0 ? plg_format_time (timeline.span.from) : g_strdup ("0");
  to = plg_format_time (timeline.span.to);
  each = plg_format_time ((timeline.span.to - timeline.span.from) / timeline.columns);
  plg_monospace_add_spaces (out, timeline.name_width);
  plg_monospace_add_padded (out, from, timeline.columns - plg_monospace_width (to), FALSE);
  g_string_append (out, to);
  plg_monospace_end_line (out);
  plg_monospace_end_line (out);
  plg_monospace_add_line (out, _ ("Each character covers %s; shorter activities may be missing."),
                          each);
  if (options->legend != PLG_LEGEND_OFF)
    append_key (out, seen);
  return TRUE;
}
