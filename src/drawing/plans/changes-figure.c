/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/plans/changes-figure.h"

#include "drawing/charts/chart.h"
#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define NATURAL_WIDTH 640.0
/* The share of the width for the names of the changes and their reasons. */
#define NAMES_SHARE 0.44
/* The bars leave this share of their room free on both sides. */
#define EDGE_SHARE 0.03
/* Below this width, the names stand above the bars instead of beside them [points]. */
#define MIN_WIDTH_FOR_COLUMNS 440.0
#define BAR_HEIGHT 14.0
#define MARK_WIDTH 3.0

/* The horizontal scale and the columns. */
typedef struct
{
  PlgChart chart;
  double shortest, longest; /* step times at the ends of the scale [s] */
  double bars_right;        /* right end of the scale; the values are to the right of their bars */
  double names_width;
  double reasons_width;
  gboolean has_columns; /* whether the names are beside the bars */
} Changes;

static const PlgPlanChange *
change_at (const PlgChangesPicture *picture, guint i)
{
  return &g_array_index (picture->changes, PlgPlanChange, i);
}

static const PlgPlanChange *
last_change (const PlgChangesPicture *picture)
{
  return change_at (picture, picture->changes->len - 1);
}

/* Returns "Open plan 10.2 s → found plan 8.21 s (−19.7 %)". */
static char *
heading (const PlgChangesPicture *picture)
{
  double from = change_at (picture, 0)->time_before, to = last_change (picture)->time;
  g_autofree char *before = plg_format_time_distinct (from, to);
  g_autofree char *after = plg_format_time_distinct (to, from);
  g_autofree char *change = plg_format_change (from, to);

  return g_strdup_printf ("%s %s → %s %s (%s)", picture->from, before, picture->to, after, change);
}

/* Returns the loss against the best plan as a sentence, or NULL if there is none. */
static char *
loss (const PlgChangesPicture *picture)
{
  g_autofree char *time = plg_format_time (picture->slower);

  if (picture->lost == NULL || !(picture->slower > 0))
    return NULL;
  return g_strdup_printf (_ ("%s slower than the best plan. Largest cause: %s"), time,
                          picture->lost);
}

char *
plg_changes_text (const PlgChangesPicture *picture)
{
  g_autofree char *first = heading (picture);
  g_autofree char *rows = plg_plan_changes_text (picture->changes);
  g_autofree char *lost = loss (picture);

  return g_strconcat (first, "\n", rows, lost, lost != NULL ? "\n" : NULL, NULL);
}

static double
x_of (const Changes *changes, double time)
{
  double room = changes->bars_right - changes->chart.left;
  double share = (time - changes->shortest) / (changes->longest - changes->shortest);

  return changes->chart.left + room * (EDGE_SHARE + (1 - 2 * EDGE_SHARE) * share);
}

/* Adds TEXT in lines below each other, the first at the current y. Returns the y below them. */
static double
add_wrapped (Changes *changes, double y, double width, const char *text, PlgRole role)
{
  PlgChart *chart = &changes->chart;
  double size = chart->font_size;
  g_auto (GStrv) lines = plg_text_wrap (text, width, size, FALSE);

  for (int i = 0; lines[i] != NULL; i++)
    {
      plg_chart_add_text (chart, chart->margin, y + size * 0.7, PLG_ANCHOR_START, size, FALSE,
                          chart->theme->role[role], lines[i]);
      y += size * 1.35;
    }
  return y;
}

/* Adds the row of a whole plan: its name, a mark at its step time, and its figures. */
static void
add_plan (Changes *changes, const char *name, const char *time, const char *memory, double x)
{
  PlgChart *chart = &changes->chart;
  double size = chart->font_size, middle = chart->y + size * 0.7;
  g_autofree char *fitting = plg_text_fit (name, changes->names_width, size, TRUE);
  PlgColor color = chart->theme->role[PLG_ROLE_TEXT];

  plg_chart_add_text (chart, chart->margin, middle, PLG_ANCHOR_START, size, TRUE, color, fitting);
  plg_chart_add_text (chart, chart->right, middle, PLG_ANCHOR_END, size, TRUE, color, memory);
  if (!changes->has_columns)
    {
      chart->y += size * 1.4;
      middle = chart->y + size * 0.7;
    }
  plg_figure_rect (chart->figure, x - MARK_WIDTH / 2, middle - BAR_HEIGHT / 2, MARK_WIDTH,
                   BAR_HEIGHT, 0, color);
  plg_chart_add_text (chart, x + MARK_WIDTH + 3, middle, PLG_ANCHOR_START, size, TRUE, color, time);
  chart->y += size * 1.9;
}

static void
add_change (Changes *changes, const PlgPlanChange *change, guint i, gboolean is_last)
{
  PlgChart *chart = &changes->chart;
  PlgColor text = chart->theme->role[PLG_ROLE_TEXT];
  double size = chart->font_size, middle = chart->y + size * 0.7, y;
  double from = x_of (changes, change->time_before), to = x_of (changes, change->time);
  g_autofree char *seconds = plg_signed_time (change->time - change->time_before);
  g_autofree char *memory = plg_signed_memory (change->memory - change->memory_before);
  g_autofree char *reason = plg_plan_change_describe (change, is_last);

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "change-%u", i), "change",
                   plg_figure_string (chart->figure, "%s: %s, %s. %s", change->text, seconds,
                                      memory, reason));
  plg_chart_add_text (chart, chart->right, middle, PLG_ANCHOR_END, size, FALSE, text, memory);
  y = add_wrapped (changes, chart->y, changes->names_width, change->text, PLG_ROLE_TEXT);
  y = add_wrapped (changes, y, changes->reasons_width, reason, PLG_ROLE_TEXT_DIM);
  if (!changes->has_columns)
    {
      middle = y + size * 0.7;
      y += size * 1.4;
    }
  plg_figure_rect (chart->figure, MIN (from, to), middle - BAR_HEIGHT / 2,
                   MAX (fabs (to - from), 1), BAR_HEIGHT, 1.5,
                   chart->theme->role[PLG_ROLE_PART_COMPUTE + change->part]);
  plg_chart_add_text (chart, MAX (from, to) + 5, middle, PLG_ANCHOR_START, size, FALSE, text,
                      seconds);
  plg_figure_close (chart->figure);
  y += size * 0.45;
  /* Draw a thin line from the end of this bar to the next row, unless text is in between. */
  if (changes->has_columns)
    plg_figure_line (chart->figure, to, middle + BAR_HEIGHT / 2, to,
                     y + size * 0.7 - BAR_HEIGHT / 2, chart->theme->role[PLG_ROLE_CARD_BORDER], 1);
  chart->y = y;
}

/* Sets the ends of the scale, and leaves room for the widest value and the column of memory. */
static void
changes_init (Changes *changes,
              const PlgChangesPicture *picture,
              const PlgTheme *theme,
              const PlgPictureOptions *options)
{
  PlgChart *chart = &changes->chart;
  double values_width = 0, memory_width = 0;

  plg_chart_begin (chart, theme, options, NATURAL_WIDTH);
  changes->shortest = changes->longest = change_at (picture, 0)->time_before;
  for (guint i = 0; i < picture->changes->len; i++)
    {
      const PlgPlanChange *change = change_at (picture, i);
      g_autofree char *seconds = plg_signed_time (change->time - change->time_before);
      g_autofree char *memory = plg_signed_memory (change->memory - change->memory_before);
      g_autofree char *whole = plg_format_memory (change->memory);
      g_autofree char *time = plg_format_time (change->time);

      changes->shortest = MIN (changes->shortest, change->time);
      changes->longest = MAX (changes->longest, change->time);
      values_width = MAX (values_width, plg_text_width (seconds, chart->font_size, FALSE));
      values_width = MAX (values_width, plg_text_width (time, chart->font_size, TRUE));
      memory_width = MAX (memory_width, plg_text_width (memory, chart->font_size, FALSE));
      memory_width = MAX (memory_width, plg_text_width (whole, chart->font_size, TRUE));
    }
  if (changes->longest - changes->shortest <= changes->longest * 1e-9)
    changes->longest = changes->shortest * (1 + 1e-6) + 1e-12;
  changes->has_columns = chart->right - chart->margin >= MIN_WIDTH_FOR_COLUMNS;
  if (changes->has_columns)
    {
      changes->names_width = changes->reasons_width = (chart->right - chart->margin) * NAMES_SHARE;
      chart->left = chart->margin + changes->names_width + chart->font_size;
      changes->bars_right = chart->right - memory_width - values_width - chart->font_size * 2;
    }
  else
    {
      changes->names_width = chart->right - chart->margin - memory_width - chart->font_size;
      changes->reasons_width = chart->right - chart->margin;
      changes->bars_right = chart->right - values_width - chart->font_size;
    }
  changes->bars_right = MAX (changes->bars_right, chart->left + 10);
}

PlgFigure *
plg_changes_figure (const PlgChangesPicture *picture,
                    const PlgTheme *theme,
                    const PlgPictureOptions *options)
{
  const PlgPlanChange *first = change_at (picture, 0), *last = last_change (picture);
  g_autofree char *title = heading (picture);
  g_autofree char *description = plg_changes_text (picture);
  g_autofree char *lost = loss (picture);
  g_autofree char *before = plg_format_time_distinct (first->time_before, last->time);
  g_autofree char *after = plg_format_time_distinct (last->time, first->time_before);
  g_autofree char *memory_before = plg_format_memory (first->memory_before);
  g_autofree char *memory_after = plg_format_memory (last->memory);
  Changes changes;
  PlgChart *chart = &changes.chart;

  changes_init (&changes, picture, theme, options);
  plg_figure_describe (chart->figure, title, description);
  plg_chart_add_title (chart, title, "", PLG_ROLE_TEXT);
  /* An embedded chart shows no title. */
  if (options->embedded)
    plg_chart_add_line (chart, TRUE, plg_figure_string (chart->figure, "%s", title));
  if (lost != NULL)
    {
      g_auto (GStrv) lines = plg_text_wrap (lost, chart->right - chart->margin, chart->font_size,
                                            TRUE);

      for (int i = 0; lines[i] != NULL; i++)
        plg_chart_add_line (chart, TRUE, lines[i]);
      chart->y += chart->font_size * 0.4;
    }
  add_plan (&changes, picture->from, before, memory_before, x_of (&changes, first->time_before));
  for (guint i = 0; i < picture->changes->len; i++)
    add_change (&changes, change_at (picture, i), i, i + 1 == picture->changes->len);
  add_plan (&changes, picture->to, after, memory_after, x_of (&changes, last->time));
  return plg_chart_end (chart);
}
