/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/ascii.h"

#include "drawing/figure/activity.h"
#include "drawing/figure/monospace.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>

/* The step in letters: a line of them for each stage, each for what the stage does in the middle of
 * an equal part of the time. */

typedef struct
{
  GString *out;
  const PlgPlan *plan;
  const PlgReport *report;
  PlgTimelineSpan span;
  int name_width;
  int columns;
} AsciiTimeline;

/* Each stage's letters; a moment is of all stages at once. Array of GString. */
static GPtrArray *
letters_of_stages (const AsciiTimeline *timeline, guint *seen)
{
  GPtrArray *lines = g_ptr_array_new ();

  for (int column = 0; column < timeline->columns; column++)
    {
      g_autoptr (PlgSnapshot)
                     moment = plg_snapshot_new (timeline->plan, timeline->report,
                                                timeline->span.from +
                                                    (column + 0.5) / timeline->columns *
                                                        (timeline->span.to - timeline->span.from));

      for (int stage = 0; moment != NULL && stage < moment->n_stages; stage++)
        {
          PlgActivity activity = moment->stages[stage].activity;

          if (column == 0)
            g_ptr_array_add (lines, g_string_new (NULL));
          g_string_append (g_ptr_array_index (lines, stage), plg_activity_letter (activity));
          *seen |= 1u << activity;
        }
    }
  return lines;
}

/* "F forward, B backward, …" of those whose bit is in SEEN. */
static void
append_key (GString *out, guint seen)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      /* Idle last: what works comes first. */
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
append_moment (const AsciiTimeline *timeline, const PlgPictureOptions *options)
{
  g_autoptr (PlgSnapshot)
                 moment = plg_snapshot_new (timeline->plan, timeline->report, options->moment);
  g_autofree char *time = NULL, *words = NULL;

  if (moment == NULL)
    return;
  time = plg_snapshot_describe_time (moment->time, moment->end);
  words = plg_snapshot_describe (timeline->report, moment);
  plg_monospace_add_line (timeline->out, _ ("At %s: %s"), time, words);
  plg_monospace_end_line (timeline->out);

  double part = (options->moment - timeline->span.from) / (timeline->span.to - timeline->span.from);
  int column = (int) (part * timeline->columns);

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
  GPtrArray *lines;
  guint seen = 0;

  /* The whole step, unless a part of it was asked for: letters do not get too small. */
  timeline.span.to = plg_snapshot_end (timeline.report);
  if (options->to > options->from && options->from >= 0)
    {
      timeline.span.from = options->from;
      timeline.span.to = MIN (options->to, timeline.span.to);
    }

  if (!(timeline.span.to > timeline.span.from))
    return FALSE;
  timeline.name_width = plg_monospace_width (longest) + 2;
  timeline.columns = PLG_MONOSPACE_WIDTH - timeline.name_width;
  lines = letters_of_stages (&timeline, &seen);
  if (options->has_moment)
    append_moment (&timeline, options);
  for (guint stage = 0; stage < lines->len; stage++)
    {
      GString *line = g_ptr_array_index (lines, stage);
      int name_stage = (int) stage;
      g_autofree char *name = g_strdup_printf (_ ("stage %d"), name_stage);

      plg_monospace_add_padded (timeline.out, name, timeline.name_width, FALSE);
      g_string_append (out, line->str);
      plg_monospace_end_line (out);
      g_string_free (line, TRUE);
    }
  g_ptr_array_unref (lines);

  /* From when to when the letters are. */
  g_autofree char *from = timeline.span.from > 0 ? plg_format_time (timeline.span.from)
                                                 : g_strdup ("0");
  g_autofree char *to = plg_format_time (timeline.span.to);
  g_autofree char *each = plg_format_time ((timeline.span.to - timeline.span.from) /
                                           timeline.columns);

  plg_monospace_add_spaces (timeline.out, timeline.name_width);
  plg_monospace_add_padded (timeline.out, from, timeline.columns - plg_monospace_width (to), FALSE);
  g_string_append (timeline.out, to);
  plg_monospace_end_line (timeline.out);
  plg_monospace_end_line (timeline.out);
  plg_monospace_add_line (timeline.out,
                          _ ("Each letter is %s; what starts and ends within it is not "
                             "seen."),
                          each);

  if (options->legend != PLG_LEGEND_OFF)
    append_key (out, seen);
  return TRUE;
}
