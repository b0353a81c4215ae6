/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/textual.h"

#include "drawing/activity.h"
#include "drawing/letters.h"
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
} Strip;

static double
time_of (const Strip *strip, int column)
{
  return strip->span.from + (column + 0.5) / strip->columns * (strip->span.to - strip->span.from);
}

/* Each stage's letters; a moment is of all stages at once. Array of GString. */
static GPtrArray *
letters_of_stages (const Strip *strip, guint *seen)
{
  GPtrArray *lines = g_ptr_array_new ();

  for (int column = 0; column < strip->columns; column++)
    {
      g_autoptr (PlgMoment)
                     moment = plg_moment_new (strip->plan, strip->report, time_of (strip, column));

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
  plg_letters_add_paragraph (out, key->str);
}

void
plg_textual_add_activities (GString *out, const PlgReport *report)
{
  guint seen = 0;

  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    if (plg_activity_occurs (report, (PlgActivity) i))
      seen |= 1u << i;
  append_key (out, seen);
}

static void
append_name (const Strip *strip, int stage)
{
  g_autofree char *name = g_strdup_printf (_ ("stage %d"), stage);

  plg_letters_add_padded (strip->out, name, strip->name_width, FALSE);
}

/* From when to when the letters are. */
static void
append_ends (const Strip *strip)
{
  g_autofree char *from = strip->span.from > 0 ? plg_format_time (strip->span.from)
                                               : g_strdup ("0");
  g_autofree char *to = plg_format_time (strip->span.to);
  g_autofree char *each = plg_format_time ((strip->span.to - strip->span.from) / strip->columns);

  plg_letters_add_spaces (strip->out, strip->name_width);
  plg_letters_add_padded (strip->out, from, strip->columns - plg_letters_width (to), FALSE);
  g_string_append (strip->out, to);
  plg_letters_end_line (strip->out);
  plg_letters_end_line (strip->out);
  plg_letters_add_line (strip->out,
                        _ ("Each letter is %s; what starts and ends within it is not "
                           "seen."),
                        each);
}

static void
append_cursor (const Strip *strip, double time)
{
  double part = (time - strip->span.from) / (strip->span.to - strip->span.from);
  int column = (int) (part * strip->columns);

  if (part < 0 || part > 1)
    return;
  plg_letters_add_spaces (strip->out, strip->name_width + MIN (column, strip->columns - 1));
  g_string_append_c (strip->out, 'v');
  plg_letters_end_line (strip->out);
}

static void
append_moment (const Strip *strip, const PlgPictureOptions *options)
{
  g_autoptr (PlgMoment) moment = plg_moment_new (strip->plan, strip->report, options->moment);
  g_autofree char *time = NULL, *words = NULL;

  if (moment == NULL)
    return;
  time = plg_moment_time_in_words (moment->time, moment->end);
  words = plg_moment_in_words (strip->report, moment);
  plg_letters_add_line (strip->out, _ ("At %s: %s"), time, words);
  plg_letters_end_line (strip->out);
  append_cursor (strip, options->moment);
}

/* The whole step, unless a part of it was asked for: letters do not get too small. */
static void
find_span (Strip *strip, const PlgPictureOptions *options)
{
  strip->span.to = plg_moment_end (strip->report);
  if (options->to > options->from && options->from >= 0)
    {
      strip->span.from = options->from;
      strip->span.to = MIN (options->to, strip->span.to);
    }
}

gboolean
plg_textual_add_timeline (GString *out,
                          const PlgPlan *plan,
                          const PlgReport *report,
                          const PlgPictureOptions *options)
{
  Strip strip = { .out = out, .plan = plan, .report = report };
  g_autofree char *longest = g_strdup_printf (_ ("stage %d"), (int) report->stages->len - 1);
  GPtrArray *lines;
  guint seen = 0;

  find_span (&strip, options);
  if (!(strip.span.to > strip.span.from))
    return FALSE;
  strip.name_width = plg_letters_width (longest) + 2;
  strip.columns = PLG_TEXTUAL_WIDTH - strip.name_width;
  lines = letters_of_stages (&strip, &seen);
  if (options->has_moment)
    append_moment (&strip, options);
  for (guint stage = 0; stage < lines->len; stage++)
    {
      GString *line = g_ptr_array_index (lines, stage);

      append_name (&strip, (int) stage);
      g_string_append (out, line->str);
      plg_letters_end_line (out);
      g_string_free (line, TRUE);
    }
  g_ptr_array_unref (lines);
  append_ends (&strip);
  if (options->legend != PLG_LEGEND_OFF)
    append_key (out, seen);
  return TRUE;
}
