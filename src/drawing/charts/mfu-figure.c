/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/monospace-table.h"
#include "drawing/charts/ascii.h"
#include "engine/report/redaction.h"
#include "plan/quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  const char *id;
  const char *name;
  int part; /* part of the step (PlgPart) that the bar shows, or -1 for the peak and the MFU */
  PlgRole role;
  double from, to;   /* start and end of the bar, as shares of the peak */
  gboolean is_total; /* TRUE for the peak and the MFU, FALSE for a loss */
} WaterfallRow;

#define MAX_ROWS (PLG_N_PARTS + 3)
#define MIN_LOSS 0.0005 /* smallest loss that is shown, as a share of the peak */

static double
finite_share (double value, double whole)
{
  double share = whole > 0 ? value / whole : 0;

  return isfinite (share) ? share : 0;
}

static void
add_loss (GArray *rows,
          const char *id,
          const char *name,
          int part,
          PlgRole role,
          double *level,
          double loss)
{
  WaterfallRow row = { id, name, part, role, *level, *level - loss, FALSE };

  *level -= loss;
  if (fabs (loss) >= MIN_LOSS)
    g_array_append_val (rows, row);
}

/* Returns the name of the first loss, which contains everything that no other row shows: the
 * loss in the kernels, the parts of the step that a lesson hides and, while the lesson hides
 * faults, the loss from a slow GPU. */
static const char *
remainder_title (const PlgReport *report)
{
  switch (report->redaction & (PLG_REDACT_BUSY | PLG_REDACT_BUBBLE))
    {
    case 0:
      return plg_report_hides (report, PLG_REDACT_FAULTS) ? _ ("Computing")
                                                          : _ ("Kernel efficiency");
    case PLG_REDACT_BUBBLE:
      return _ ("Kernels and bubble");
    case PLG_REDACT_BUSY:
      return _ ("Kernels and communication");
    default:
      return _ ("Kernels, bubble and communication");
    }
}

/* Returns the rows (WaterfallRow): the peak, the loss in the kernels, the loss from a slow GPU,
 * one loss for each part of the step other than computation, and the MFU. Each loss is a share
 * of the step time, and all losses together add up to 1 - MFU. */
static GArray *
waterfall (const PlgReport *report)
{
  static const PlgPart order[] = { PLG_PART_RECOMPUTE, PLG_PART_HOST, PLG_PART_BUBBLE,
                                   PLG_PART_TP,        PLG_PART_CP,   PLG_PART_EP,
                                   PLG_PART_PP,        PLG_PART_DP,   PLG_PART_OPTIMIZER };
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (WaterfallRow), MAX_ROWS);
  const PlgStep *step = &report->step;
  WaterfallRow peak = { "peak", _ ("Peak"), -1, PLG_ROLE_PART_COMPUTE, 0, 1, TRUE };
  WaterfallRow mfu = { "total", _ ("MFU"), -1, PLG_ROLE_PART_COMPUTE, 0, step->mfu, TRUE };
  double level = 1, others = 0;
  /* SLOW_SHARE is the fraction of the busiest stage's computation time that is lost to the
   * slowest GPU of the stage. SLOW is this loss as a fraction of the step time; it excludes the
   * loss in recomputation. */
  double slow_share = step->slowest_gpu_factor > 1 ? 1 - 1 / step->slowest_gpu_factor : 0;
  double slow = finite_share (step->part[PLG_PART_COMPUTE] * slow_share, step->time);

  for (int i = 0; i < (int) G_N_ELEMENTS (order); i++)
    others += finite_share (step->part[order[i]], step->time);
  g_array_append_val (rows, peak);
  add_loss (rows, plg_part_name (PLG_PART_COMPUTE), remainder_title (report), PLG_PART_COMPUTE,
            PLG_ROLE_PART_KERNEL, &level, 1 - others - slow - step->mfu);
  add_loss (rows, "slow-gpu", _ ("Slow GPU"), PLG_PART_COMPUTE, PLG_ROLE_ERROR, &level, slow);
  for (int i = 0; i < (int) G_N_ELEMENTS (order); i++)
    add_loss (rows, plg_part_name (order[i]), plg_part_title (order[i]), order[i],
              PLG_ROLE_PART_COMPUTE + order[i], &level,
              finite_share (step->part[order[i]], step->time));
  g_array_append_val (rows, mfu);
  return rows;
}

static char *
row_value (const WaterfallRow *row)
{
  g_autofree char *share = plg_format_share (fabs (row->to - row->from));

  if (row->is_total)
    return g_steal_pointer (&share);
  return g_strconcat (row->to <= row->from ? "−" : "+", share, NULL);
}

/* Returns the x of SHARE, which is a share of the peak. Treats NAN as 0. */
static double
x_of (const PlgChart *chart, double values_width, double share)
{
  double along = share > 0 ? MIN (share, 1) : 0;

  return chart->left + (chart->right - values_width - chart->left) * along;
}

PlgFigure *
plg_mfu_figure (const PlgPlan *plan,
                const PlgReport *report,
                const PlgTheme *theme,
                const PlgPictureOptions *options)
{
  g_autoptr (GArray) rows = waterfall (report);
  double pitch = options->embedded ? 22 : 28, values_width = 0;
  g_autofree char *share = plg_format_share (report->step.mfu);
  g_autofree char *flops = plg_format_flops (report->step.flops_per_second_per_gpu);
  g_autofree char *time = plg_format_time (report->step.time);
  g_autofree char *headline = g_strdup_printf (_ ("MFU %s · %s per GPU · %s per step"), share,
                                               flops, time);
  const char *names[MAX_ROWS];
  PlgChart chart;

  plg_chart_begin (&chart, theme, options, 640);
  plg_figure_describe (chart.figure, _ ("From peak to MFU"), headline);
  plg_chart_add_title (&chart, _ ("From peak to MFU"), headline, PLG_ROLE_TEXT);
  for (guint i = 0; i < rows->len; i++)
    {
      const WaterfallRow *row = &g_array_index (rows, WaterfallRow, i);
      g_autofree char *value = row_value (row);

      names[i] = row->name;
      values_width = MAX (values_width, plg_text_width (value, chart.font_size, row->is_total) + 6);
    }
  plg_chart_fit_names (&chart, names, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      const WaterfallRow *row = &g_array_index (rows, WaterfallRow, i);
      double height = pitch * 0.68, middle = chart.y + pitch / 2;
      double low = x_of (&chart, values_width, MIN (row->from, row->to));
      double high = x_of (&chart, values_width, MAX (row->from, row->to));
      PlgColor fill = theme->role[row->role];
      g_autofree char *value = row_value (row);
      PlgShape *shape;

      if (row->is_total && row->to >= 1)
        fill = plg_color_mix (fill, theme->role[PLG_ROLE_CARD], 0.6);
      plg_figure_open (chart.figure, plg_figure_string (chart.figure, "mfu-%s", row->id), "part",
                       plg_figure_string (chart.figure, "%s: %s", row->name, value));
      plg_chart_add_name (&chart, middle, row->name);
      shape = plg_figure_rect (chart.figure, low, middle - height / 2, MAX (high - low, 1), height,
                               1.5, fill);
      if (row->part >= 0)
        shape->entity = (PlgEntity) { PLG_ENTITY_PART, 0, row->part };
      plg_chart_add_text (&chart, high + 5, middle, PLG_ANCHOR_START, chart.font_size,
                          row->is_total, chart.theme->role[PLG_ROLE_TEXT], value);
      plg_figure_close (chart.figure);

      if (i + 1 < rows->len)
        {
          /* Draw a thin line from the end of this bar to the start of the next bar. */
          double x = x_of (&chart, values_width, row->to), top = chart.y + pitch * 0.84;

          plg_figure_line (chart.figure, x, top, x, top + pitch * 0.32,
                           chart.theme->role[PLG_ROLE_CARD_BORDER], 1);
        }
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
  g_autoptr (GArray) rows = waterfall (report);
  g_autoptr (PlgMonospaceTable) table = plg_monospace_table_new (2);

  for (guint i = 0; i < rows->len; i++)
    {
      const WaterfallRow *row = &g_array_index (rows, WaterfallRow, i);

      plg_monospace_table_add (table, row->name);
      plg_monospace_table_take (table, row_value (row));
    }
  plg_monospace_table_write (table, out);
}
