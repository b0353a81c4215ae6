/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"

G_BEGIN_DECLS

/* The layout of charts that consist of rows: row names on the left and, unless the chart is
 * embedded, a title and a headline at the top. */
typedef struct
{
  PlgFigure *figure;
  const PlgTheme *theme;
  gboolean embedded; /* whether the chart has no title and minimal margins */
  double font_size;
  double margin;
  double left;  /* left end of the bars; the row names are to the left of this edge */
  double right; /* right end of the bars */
  double y;     /* top of the next row */
} PlgChart;

/* Starts a figure with the width that OPTIONS sets [points], or with the width NATURAL if
 * OPTIONS sets none. */
void plg_chart_begin (PlgChart *chart,
                      const PlgTheme *theme,
                      const PlgPictureOptions *options,
                      double natural);
/* Adds TITLE, and HEADLINE in the colour of ROLE, unless the chart is embedded. */
void plg_chart_add_title (PlgChart *chart, const char *title, const char *headline, PlgRole role);
/* Adds TEXT in bold, wrapped at the width of the bars. Unlike a title, TEXT also appears in
 * embedded charts. */
void plg_chart_add_lines (PlgChart *chart, const char *text, PlgRole role);
/* Adds TEXT in a dim colour and in font size SIZE, wrapped at the full width of the chart,
 * including the column of names. */
void plg_chart_add_note (PlgChart *chart, const char *text, double size);
/* Adds one line of TEXT and shortens TEXT if it does not fit. TEXT is bold or, if BOLD is FALSE,
 * in a dim colour. */
void plg_chart_add_line (PlgChart *chart, gboolean bold, const char *text);
/* Makes room on the left for the longest of N NAMES, up to 40 % of the width. */
void plg_chart_fit_names (PlgChart *chart, const char *const *names, int n);
/* Adds NAME to the left of the row whose vertical centre is MIDDLE. Shortens NAME if it does not
 * fit. */
void plg_chart_add_name (PlgChart *chart, double middle, const char *name);
/* Adds TEXT, centred vertically at MIDDLE. */
void plg_chart_add_text (PlgChart *chart,
                         double x,
                         double middle,
                         PlgAnchor anchor,
                         double font_size,
                         gboolean bold,
                         PlgColor color,
                         const char *text);
/* Finishes the chart: sets the height of its figure. Returns: (transfer full): the figure. */
PlgFigure *plg_chart_end (PlgChart *chart) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
