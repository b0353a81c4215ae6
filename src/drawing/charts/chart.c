/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/charts/chart.h"

#include "drawing/figure/text.h"

#include <string.h>

/* minimum width of a chart; a narrower chart is hard to read [points] */
#define MIN_WIDTH 200.0
#define MIN_WIDTH_FOR_LARGE_FONT 460.0 /* minimum width of a chart with the large font [points] */

void
plg_chart_begin (PlgChart *chart,
                 const PlgTheme *theme,
                 const PlgPictureOptions *options,
                 double natural)
{
  double width = options->width > 0 ? MAX (options->width, MIN_WIDTH) : natural;

  *chart = (PlgChart) {
    .figure = plg_figure_new (width, 1),
    .theme = theme,
    .embedded = options->embedded,
    .font_size = width >= MIN_WIDTH_FOR_LARGE_FONT && !options->embedded ? 12 : 10.5,
    .margin = options->embedded ? 1 : 16,
  };
  chart->left = chart->margin;
  chart->right = width - chart->margin;
  chart->y = options->embedded ? 2 : chart->margin;
  plg_figure_set_background (chart->figure, theme->role[PLG_ROLE_BACKGROUND]);
  plg_figure_set_layer (chart->figure, PLG_LAYER_CLUSTER);
}

void
plg_chart_add_lines (PlgChart *chart, const char *text, PlgRole role)
{
  double room = chart->right - chart->left, size = chart->font_size;
  g_auto (GStrv) lines = plg_text_wrap (text, room, size, TRUE);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      chart->y += size * 1.5;
      plg_chart_add_text (chart, chart->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                          chart->theme->role[role], lines[i]);
    }
}

void
plg_chart_add_note (PlgChart *chart, const char *text, double size)
{
  double room = chart->right - chart->margin;
  g_auto (GStrv) lines = plg_text_wrap (text, room, size, FALSE);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      plg_chart_add_text (chart, chart->margin, chart->y + size * 0.7, PLG_ANCHOR_START, size,
                          FALSE, chart->theme->role[PLG_ROLE_TEXT_DIM], lines[i]);
      chart->y += size * 1.5;
    }
}

void
plg_chart_add_title (PlgChart *chart, const char *title, const char *headline, PlgRole role)
{
  double size = chart->font_size * 1.3, room = chart->right - chart->left;
  g_autofree char *shown = plg_text_fit (title, room, size, TRUE);
  double both = plg_text_width (shown, size, TRUE) + 16 +
                plg_text_width (headline, chart->font_size, TRUE);

  if (chart->embedded)
    return;
  plg_chart_add_text (chart, chart->left, chart->y + size / 2, PLG_ANCHOR_START, size, TRUE,
                      chart->theme->role[PLG_ROLE_TEXT], shown);
  /* Place the headline next to the title if both fit on one line, otherwise below the title. */
  if (both <= room)
    plg_chart_add_text (chart, chart->right, chart->y + size / 2, PLG_ANCHOR_END, chart->font_size,
                        TRUE, chart->theme->role[role], headline);
  else
    plg_chart_add_lines (chart, headline, role);
  chart->y += size * 1.9;
}

void
plg_chart_add_line (PlgChart *chart, gboolean bold, const char *text)
{
  double size = chart->font_size;
  g_autofree char *fitting = plg_text_fit (text, chart->right - chart->margin, size, bold);

  plg_chart_add_text (chart, chart->margin, chart->y + size * 0.7, PLG_ANCHOR_START, size, bold,
                      chart->theme->role[bold ? PLG_ROLE_TEXT : PLG_ROLE_TEXT_DIM], fitting);
  chart->y += size * 1.6;
}

void
plg_chart_fit_names (PlgChart *chart, const char *const *names, int n)
{
  double most = (chart->right - chart->left) * 0.4, width = 0;

  for (int i = 0; i < n; i++)
    width = MAX (width, plg_text_width (names[i], chart->font_size, FALSE));
  chart->left += MIN (width, most) + chart->font_size;
}

void
plg_chart_add_name (PlgChart *chart, double middle, const char *name)
{
  double room = chart->left - chart->margin - chart->font_size * 0.6;
  g_autofree char *text = plg_text_fit (name, room, chart->font_size, FALSE);

  plg_chart_add_text (chart, chart->margin, middle, PLG_ANCHOR_START, chart->font_size, FALSE,
                      chart->theme->role[PLG_ROLE_TEXT], text);
}

void
plg_chart_add_text (PlgChart *chart,
                    double x,
                    double middle,
                    PlgAnchor anchor,
                    double font_size,
                    gboolean bold,
                    PlgColor color,
                    const char *text)
{
  plg_figure_text (chart->figure, x, middle + font_size * 0.35, anchor, font_size, bold, color,
                   text);
}

PlgFigure *
plg_chart_end (PlgChart *chart)
{
  plg_figure_resize (chart->figure, plg_figure_width (chart->figure),
                     chart->y + (chart->embedded ? 2 : chart->margin * 0.75));
  return chart->figure;
}
