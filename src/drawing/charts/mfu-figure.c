/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/ascii.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A step down the waterfall: from FROM to TO, shares of the peak. */
typedef struct
{
  const char *id;
  const char *name;
  int part; /* PlgPart, or -1 */
  PlgRole role;
  double from, to;
  gboolean is_total; /* the peak or what is left, and no loss */
} WaterfallRow;

#define MAX_STEPS (PLG_N_PARTS + 3)

/* What is too small to be seen or said is left out. */
#define SMALLEST 0.0005

static double
finite_share (double value, double whole)
{
  double share = whole > 0 ? value / whole : 0;

  return isfinite (share) ? share : 0;
}

static void
add_step (GArray *steps,
          const char *id,
          const char *name,
          int part,
          PlgRole role,
          double *level,
          double loss)
{
  WaterfallRow step = { id, name, part, role, *level, *level - loss, FALSE };

  *level -= loss;
  if (fabs (loss) >= SMALLEST)
    g_array_append_val (steps, step);
}

/* Of the step, what its busiest stage computes longer for a slow GPU. Recomputing is not in it. */
static double
finite_slow_share (const PlgStep *step)
{
  double longer = step->slowest_gpu_factor > 1 ? 1 - 1 / step->slowest_gpu_factor : 0;

  return finite_share (step->part[PLG_PART_COMPUTE] * longer, step->time);
}

/* What the kernels lose is what is left of the peak. While parts of the step wait for an answer, so
 * does their difference: one row is for all of it. That of a slow GPU is of the computing. */
static const char *
remainder_describe (const PlgReport *report)
{
  switch (report->redaction & (PLG_REDACT_BUSY | PLG_REDACT_BUBBLE))
    {
    case 0:
      return report->redaction & PLG_REDACT_FAULTS ? _ ("Computing") : _ ("Kernel efficiency");
    case PLG_REDACT_BUBBLE:
      return _ ("Kernels and bubble");
    case PLG_REDACT_BUSY:
      return _ ("Kernels, TP to DP");
    default:
      return _ ("Kernels, bubble, TP to DP");
    }
}

/* From the peak down: what the kernels lose while they compute, then each part of the step in
 * which nothing is computed. The shares are of the time of the step, and add up to 1 - MFU. */
static GArray *
waterfall (const PlgReport *report)
{
  static const PlgPart order[] = { PLG_PART_RECOMPUTE, PLG_PART_BUBBLE,   PLG_PART_TP,
                                   PLG_PART_CP,        PLG_PART_EP,       PLG_PART_PP,
                                   PLG_PART_DP,        PLG_PART_OPTIMIZER };
  GArray *steps = g_array_sized_new (FALSE, FALSE, sizeof (WaterfallRow), MAX_STEPS);
  const PlgStep *step = &report->step;
  WaterfallRow peak = { "peak", _ ("Peak"), -1, PLG_ROLE_PART_COMPUTE, 0, 1, TRUE };
  WaterfallRow mfu = { "total", _ ("MFU"), -1, PLG_ROLE_PART_COMPUTE, 0, step->mfu, TRUE };
  double level = 1, others = 0, slow = finite_slow_share (step);

  for (int i = 0; i < (int) G_N_ELEMENTS (order); i++)
    others += finite_share (step->part[order[i]], step->time);
  g_array_append_val (steps, peak);
  add_step (steps, plg_part_name (PLG_PART_COMPUTE), remainder_describe (report), PLG_PART_COMPUTE,
            PLG_ROLE_PART_KERNEL, &level, 1 - others - slow - step->mfu);
  add_step (steps, "slow-gpu", _ ("Slow GPU"), PLG_PART_COMPUTE, PLG_ROLE_ERROR, &level, slow);
  for (int i = 0; i < (int) G_N_ELEMENTS (order); i++)
    add_step (steps, plg_part_name (order[i]), plg_part_title (order[i]), order[i],
              PLG_ROLE_PART_COMPUTE + order[i], &level,
              finite_share (step->part[order[i]], step->time));
  g_array_append_val (steps, mfu);
  return steps;
}

static char *
step_value (const WaterfallRow *step)
{
  g_autofree char *share = plg_format_share (fabs (step->to - step->from));

  if (step->is_total)
    return g_steal_pointer (&share);
  return g_strconcat (step->to <= step->from ? "−" : "+", share, NULL);
}

static PlgColor
step_color (const PlgTheme *theme, const WaterfallRow *step)
{
  if (step->is_total && step->to >= 1)
    return plg_color_mix (theme->role[step->role], theme->role[PLG_ROLE_CARD], 0.6);
  return theme->role[step->role];
}

/* The chart's x of a share of the peak; what is no number lies at 0. */
static double
x_of (const PlgChart *chart, double values_width, double share)
{
  double along = share > 0 ? MIN (share, 1) : 0;

  return chart->left + (chart->right - values_width - chart->left) * along;
}

static void
add_row (PlgChart *chart, const WaterfallRow *step, double values_width, double pitch)
{
  double height = pitch * 0.68, middle = chart->y + pitch / 2;
  double low = x_of (chart, values_width, MIN (step->from, step->to));
  double high = x_of (chart, values_width, MAX (step->from, step->to));
  g_autofree char *value = step_value (step);
  PlgShape *shape;

  plg_figure_open (chart->figure, plg_figure_string (chart->figure, "mfu-%s", step->id), "part",
                   plg_figure_string (chart->figure, "%s: %s", step->name, value));
  plg_chart_add_name (chart, middle, step->name);
  shape = plg_figure_rect (chart->figure, low, middle - height / 2, MAX (high - low, 1), height,
                           1.5, step_color (chart->theme, step));
  if (step->part >= 0)
    shape->entity = (PlgEntity) { PLG_ENTITY_PART, 0, step->part };
  plg_chart_add_text (chart, high + 5, middle, PLG_ANCHOR_START, chart->font_size, step->is_total,
                      chart->theme->role[PLG_ROLE_TEXT], value);
  plg_figure_close (chart->figure);
}

/* A thin line from where a step ends to where the next begins. */
static void
add_connector (PlgChart *chart, const WaterfallRow *step, double values_width, double pitch)
{
  double x = x_of (chart, values_width, step->to), top = chart->y + pitch * 0.84;

  plg_figure_line (chart->figure, x, top, x, top + pitch * 0.32,
                   chart->theme->role[PLG_ROLE_CARD_BORDER], 1);
}

static double
widest_value (const PlgChart *chart, const GArray *steps)
{
  double width = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      const WaterfallRow *step = &g_array_index (steps, WaterfallRow, i);
      g_autofree char *value = step_value (step);

      width = MAX (width, plg_text_width (value, chart->font_size, step->is_total));
    }
  return width + 6;
}

static void
fit_names (PlgChart *chart, const GArray *steps)
{
  const char *names[MAX_STEPS];

  for (guint i = 0; i < steps->len; i++)
    names[i] = g_array_index (steps, WaterfallRow, i).name;
  plg_chart_fit_names (chart, names, steps->len);
}

PlgFigure *
plg_mfu_figure (const PlgPlan *plan,
                const PlgReport *report,
                const PlgTheme *theme,
                const PlgPictureOptions *options)
{
  g_autoptr (GArray) steps = waterfall (report);
  double pitch = options->embedded ? 22 : 28, values_width;
  g_autofree char *share = plg_format_share (report->step.mfu);
  g_autofree char *flops = plg_format_flops (report->step.flops_per_second_per_gpu);
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *headline = g_strdup_printf (_ ("MFU %s · %s per GPU · %s a step"), share, flops,
                                               time);
  PlgChart chart;

  plg_chart_begin (&chart, theme, options, 640);
  plg_figure_describe (chart.figure, _ ("From peak to MFU"), headline);
  plg_chart_add_title (&chart, _ ("From peak to MFU"), headline, PLG_ROLE_TEXT);
  fit_names (&chart, steps);
  values_width = widest_value (&chart, steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const WaterfallRow *step = &g_array_index (steps, WaterfallRow, i);

      add_row (&chart, step, values_width, pitch);
      if (i + 1 < steps->len)
        add_connector (&chart, step, values_width, pitch);
      chart.y += pitch;
    }
  return plg_chart_end (&chart);
}

void
plg_ascii_add_mfu (GString *out,
                   const PlgPlan *plan,
                   const PlgReport *report,
                   const PlgPictureOptions *options)
{
  g_autoptr (GArray) steps = waterfall (report);
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (2);

  for (guint i = 0; i < steps->len; i++)
    {
      const WaterfallRow *step = &g_array_index (steps, WaterfallRow, i);
      g_autofree char *value = step_value (step);

      plg_monospace_table_add (table, step->name);
      plg_monospace_table_add (table, value);
    }
  plg_monospace_table_write (table, out);
}
