/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"

G_BEGIN_DECLS

/* The layout that all pictures with bars share: names on the left and, unless the picture is
 * embedded, a title with a headline on top. */
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
/* Adds TITLE and, in the colour of ROLE, HEADLINE; adds nothing to an embedded picture. */
void plg_chart_add_title (PlgChart *chart, const char *title, const char *headline, PlgRole role);
/* Adds TEXT in bold, wrapped at the width of the bars; embedded pictures show this text too. */
void plg_chart_add_lines (PlgChart *chart, const char *text, PlgRole role);
/* Adds TEXT in a dim colour and in font size SIZE, wrapped at the full width of the chart,
 * including the column of names. */
void plg_chart_add_note (PlgChart *chart, const char *text, double size);
/* Adds one line of TEXT, shortened to fit; text that is not BOLD is dim. */
void plg_chart_add_line (PlgChart *chart, gboolean bold, const char *text);
/* Makes room on the left for the longest of N NAMES, up to 40 % of the width. */
void plg_chart_fit_names (PlgChart *chart, const char *const *names, int n);
/* Adds NAME to the left of the row that is centred at MIDDLE, shortened to fit. */
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
/* Sets the height of the figure. Returns: (transfer full): the figure. */
PlgFigure *plg_chart_end (PlgChart *chart) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
