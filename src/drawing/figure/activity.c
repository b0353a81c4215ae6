/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/activity.h"

#include "drawing/figure/text.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static PlgSwatch
plain_swatch (const PlgTheme *theme, PlgColor fill, PlgColor border)
{
  return (PlgSwatch) { .fill = fill,
                       .strong = border,
                       .border = border,
                       .text = plg_theme_text_on (theme, fill) };
}

const char *
plg_activity_block_title (PlgBlockKind kind)
{
  switch (kind)
    {
    case PLG_BLOCK_FORWARD:
      return _ ("forward");
    case PLG_BLOCK_BACKWARD:
      return _ ("backward");
    case PLG_BLOCK_BACKWARD_INPUT:
      return _ ("backward, input gradient");
    case PLG_BLOCK_BACKWARD_WEIGHT:
    default:
      return _ ("backward, weight gradient");
    }
}

/* The minimum difference in lightness between hatch lines and their fill. If no mixture with
 * black or white reaches this difference, the lines are a mixture of the fill and the text
 * colour, in which HATCH_SHARE_TO_INK is the share of the text colour. */
#define HATCH_STEP 0.165
#define HATCH_SHARE_TO_INK 0.25

PlgColor
plg_activity_hatch_color (const PlgTheme *theme, PlgColor fill)
{
  PlgColor ink = plg_theme_text_on (theme, fill);
  PlgColor away = plg_color_from_rgb (plg_color_lightness (ink) > 0.5 ? 0x000000 : 0xffffff);

  for (double share = 0.5; share < 1; share += 0.25)
    {
      PlgColor line = plg_color_mix (fill, away, share);

      if (fabs (plg_color_lightness (line) - plg_color_lightness (fill)) >= HATCH_STEP)
        return line;
    }
  return plg_color_mix (fill, ink, HATCH_SHARE_TO_INK);
}

static PlgSwatch
hatched_swatch (const PlgTheme *theme, PlgColor fill, PlgColor border)
{
  PlgSwatch swatch = plain_swatch (theme, fill, border);

  swatch.hatch_color = plg_activity_hatch_color (theme, fill);
  return swatch;
}

/* Returns the colours of PART. They are mixed with the card colour, so that they are about as
 * bright as the colours of stages. */
static PlgSwatch
part_swatch (const PlgTheme *theme, PlgPart part)
{
  PlgColor color = theme->role[PLG_ROLE_PART_COMPUTE + part];

  return plain_swatch (theme, plg_color_mix (color, theme->role[PLG_ROLE_CARD], 0.5), color);
}

PlgSwatch
plg_activity_swatch (const PlgTheme *theme, const PlgSwatch *stage, PlgActivity activity)
{
  PlgColor card = theme->role[PLG_ROLE_CARD];

  switch (activity)
    {
    case PLG_ACTIVITY_FORWARD:
      return *stage;
    case PLG_ACTIVITY_BACKWARD:
      return plain_swatch (theme, stage->strong, stage->strong);
    case PLG_ACTIVITY_RECOMPUTE:
      return hatched_swatch (theme, stage->middle, stage->strong);
    case PLG_ACTIVITY_WEIGHT:
      return hatched_swatch (theme, stage->strong, plg_color_mix (stage->strong, card, 0.5));
    case PLG_ACTIVITY_SYNC:
      return part_swatch (theme, PLG_PART_DP);
    case PLG_ACTIVITY_OPTIMIZER:
      return part_swatch (theme, PLG_PART_OPTIMIZER);
    case PLG_ACTIVITY_IDLE:
    default:
      return plain_swatch (theme, theme->role[PLG_ROLE_GRID], theme->role[PLG_ROLE_CARD_BORDER]);
    }
}

int
plg_activity_hatch (PlgActivity activity)
{
  switch (activity)
    {
    case PLG_ACTIVITY_WEIGHT:
      return 1;
    case PLG_ACTIVITY_RECOMPUTE:
      return 2;
    case PLG_ACTIVITY_IDLE:
    case PLG_ACTIVITY_FORWARD:
    case PLG_ACTIVITY_BACKWARD:
    case PLG_ACTIVITY_SYNC:
    case PLG_ACTIVITY_OPTIMIZER:
    default:
      return 0;
    }
}

static gboolean
has_collectives_at (const PlgReport *report, PlgWhen when)
{
  for (guint i = 0; i < report->collectives->len; i++)
    if (g_array_index (report->collectives, PlgCollective, i).when == when)
      return TRUE;
  return FALSE;
}

gboolean
plg_activity_occurs (const PlgReport *report, PlgActivity activity)
{
  switch (activity)
    {
    case PLG_ACTIVITY_RECOMPUTE:
      return report->step.part[PLG_PART_RECOMPUTE] > 0;
    case PLG_ACTIVITY_WEIGHT:
      for (guint i = 0; i < report->blocks->len; i++)
        if (g_array_index (report->blocks, PlgBlock, i).kind == PLG_BLOCK_BACKWARD_WEIGHT)
          return TRUE;
      return FALSE;
    case PLG_ACTIVITY_SYNC:
      return has_collectives_at (report, PLG_WHEN_AFTER_BLOCKS) ||
             has_collectives_at (report, PLG_WHEN_BEFORE_BLOCKS) ||
             has_collectives_at (report, PLG_WHEN_TIED);
    case PLG_ACTIVITY_OPTIMIZER:
      return report->step.part[PLG_PART_OPTIMIZER] > 0;
    case PLG_ACTIVITY_IDLE:
    case PLG_ACTIVITY_FORWARD:
    case PLG_ACTIVITY_BACKWARD:
    default:
      return TRUE;
    }
}

char *
plg_activity_legend_name (PlgActivity activity)
{
  return g_strdup_printf ("%s %s", plg_activity_letter (activity), plg_activity_title (activity));
}

/* The activities that take only a small part of the step. */
#define RARE_ACTIVITIES (1u << PLG_ACTIVITY_SYNC | 1u << PLG_ACTIVITY_OPTIMIZER)

guint
plg_activity_unusual_mask (const PlgSnapshot *moment)
{
  guint on = 0;

  for (int i = 0; moment != NULL && i < moment->n_stages; i++)
    on |= 1u << moment->stages[i].activity;
  return (on & RARE_ACTIVITIES) != 0 ? on : 0;
}

/* Returns whether the legend lists ACTIVITY. A short legend lists rare activities only while one
 * of them runs. During this time, it lists only the activities that run. */
static gboolean
has_entry (const PlgLegend *legend,
           const PlgReport *report,
           const PlgSnapshot *moment,
           PlgActivity activity)
{
  guint on = plg_activity_unusual_mask (moment);

  if (legend->brevity >= PLG_LEGEND_BREVITY_LETTERS &&
      (on != 0 || (RARE_ACTIVITIES & 1u << activity) != 0))
    return (on & 1u << activity) != 0;
  return plg_activity_occurs (report, activity);
}

void
plg_activity_add_legend (PlgLegend *legend,
                         const PlgPlan *plan,
                         const PlgReport *report,
                         const PlgSnapshot *moment,
                         gboolean has_numbers)
{
  const char *number_note = _ ("number: micro-batch");
  double number_width = plg_text_width (number_note, legend->font_size, FALSE);
  int stages = MAX (plan->parallelism.degree[PLG_AXIS_PP], 1);
  PlgSwatch first = plg_theme_swatch (legend->theme, 0, stages, FALSE);
  double width = legend->brevity >= PLG_LEGEND_BREVITY_NOTES ? 0 : number_width;

  plg_legend_space (legend);
  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      g_autofree char *name = plg_activity_legend_name ((PlgActivity) i);

      if (has_entry (legend, report, moment, (PlgActivity) i))
        width += plg_legend_swatch_width (legend, name);
    }
  plg_legend_keep (legend, width);
  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      /* Put idle time last, although it is the first value of the enum. */
      PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);
      g_autofree char *name = plg_activity_legend_name (activity);

      if (has_entry (legend, report, moment, activity))
        plg_legend_swatch (legend, plg_activity_swatch (legend->theme, &first, activity),
                           plg_activity_hatch (activity), (PlgEntity) { PLG_ENTITY_LEGEND, 0, 0 },
                           name);
    }
  if (legend->brevity >= PLG_LEGEND_BREVITY_NOTES)
    return;
  if (has_numbers)
    plg_legend_note (legend, number_note);
  else
    legend->x += number_width;
}

char *
plg_snapshot_describe_time (double time, double end)
{
  g_autofree char *whole = plg_format_time (end);
  g_autofree char *at = NULL;
  char text[32];
  double unit = end >= 1 ? 1 : end >= 1e-3 ? 1e-3 : 1e-6;

  /* Write the time in the unit of END and with two decimals, so that the text does not jump
   * while the time changes. */
  g_ascii_formatd (text, sizeof text, "%.2f", time / unit);
  at = g_strdup_printf ("%s\u00a0%s", text, unit == 1 ? "s" : unit == 1e-3 ? "ms" : "µs");
  return g_strdup_printf (_ ("%s of %s"), at, whole);
}

char *
plg_snapshot_describe (const PlgReport *report, const PlgSnapshot *moment)
{
  GString *text = g_string_new (NULL);
  int count[PLG_N_ACTIVITIES] = { 0 }, low = G_MAXINT, high = -1;
  guint running = 0, axes = 0;
  gboolean first = TRUE;

  for (int i = 0; i < moment->n_stages; i++)
    count[moment->stages[i].activity]++;
  for (int i = 0; i < PLG_N_ACTIVITIES; i++)
    {
      PlgActivity activity = (PlgActivity) ((i + 1) % PLG_N_ACTIVITIES);

      if (count[activity] == 0)
        continue;
      if (moment->n_stages == 1)
        g_string_append (text, plg_activity_title (activity));
      else if (activity == PLG_ACTIVITY_SYNC)
        {
          int n = count[activity];

          g_string_append (text, first ? "" : ", ");
          g_string_append_printf (text,
                                  g_dngettext (GETTEXT_PACKAGE, "%d waits for replicas",
                                               "%d wait for replicas", n),
                                  n);
        }
      else
        g_string_append_printf (text, "%s%d\u00a0%s", first ? "" : ", ", count[activity],
                                plg_activity_title (activity));
      first = FALSE;
    }

  first = TRUE;
  for (int i = 0; i < moment->n_stages; i++)
    running |= moment->stages[i].running;
  for (guint i = 0; i < report->collectives->len && i < 32; i++)
    if (running & (1u << i))
      axes |= 1u << g_array_index (report->collectives, PlgCollective, i).axis;
  for (int axis = 0; axis < PLG_N_AXES; axis++)
    if (axes & (1u << axis))
      {
        g_string_append_printf (text, first ? " · %s %s" : "%s%s", first ? _ ("links:") : ", ",
                                plg_axis_label (axis));
        first = FALSE;
      }

  /* Put the numbers of the micro-batches last, because the end of the text is cut off if there
   * is little room, and GPUs and blocks show these numbers too. */
  for (int i = 0; i < moment->n_stages; i++)
    if (moment->stages[i].block >= 0)
      {
        int micro_batch = g_array_index (report->blocks, PlgBlock, moment->stages[i].block)
                              .micro_batch;

        low = MIN (low, micro_batch);
        high = MAX (high, micro_batch);
      }
  if (high >= 0)
    {
      g_string_append (text, " · ");
      if (low == high)
        g_string_append_printf (text, _ ("micro-batch %d"), low);
      else
        g_string_append_printf (text, _ ("micro-batches %d–%d"), low, high);
    }
  return g_string_free (text, FALSE);
}
