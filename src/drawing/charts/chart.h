/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/legend.h"

G_BEGIN_DECLS

/* What the pictures with bars share: a frame with room for names on the left, and, where the
 * picture stands alone, a title with the result in words. */
typedef struct
{
  PlgFigure *figure;
  const PlgTheme *theme;
  gboolean embedded;
  double font_size;
  double margin;
  double left, right; /* of the bars; LEFT leaves room for the names */
  double y;           /* where the next row begins */
} PlgChart;

/* NATURAL is the width where the options have none. NAMES_WIDTH is the room for names at the
 * chart's font size, and TITLE and HEADLINE are not drawn in an embedded picture; HEADLINE takes
 * the colour of ROLE. */
void plg_chart_begin (PlgChart *chart,
                      const PlgTheme *theme,
                      const PlgPictureOptions *options,
                      double natural);
void plg_chart_add_title (PlgChart *chart, const char *title, const char *headline, PlgRole role);
/* TEXT in bold lines as wide as the chart; also in an embedded picture. */
void plg_chart_add_lines (PlgChart *chart, const char *text, PlgRole role);
/* TEXT, dim and of SIZE, in lines as wide as the chart with its names. */
void plg_chart_add_note (PlgChart *chart, const char *text, double size);
/* TEXT on one line, as much of it as fits; dim where it is not BOLD. */
void plg_chart_add_line (PlgChart *chart, gboolean bold, const char *text);
/* Room on the left for the longest of NAMES (up to a third of the picture). */
void plg_chart_fit_names (PlgChart *chart, const char *const *names, int n);
/* NAME beside the row around MIDDLE, shortened to its room. */
void plg_chart_add_name (PlgChart *chart, double middle, const char *name);
/* TEXT whose middle is at MIDDLE. */
void plg_chart_add_text (PlgChart *chart,
                         double x,
                         double middle,
                         PlgAnchor anchor,
                         double font_size,
                         gboolean bold,
                         PlgColor color,
                         const char *text);
/* Gives the figure its size. Returns it. */
PlgFigure *plg_chart_end (PlgChart *chart);

G_END_DECLS
