/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "lessons/class-results.h"

G_BEGIN_DECLS

/* plg_class_results_figure:
 * @results: the answers of the class
 * @theme: the colours
 * @width: width of the figure [points]; 0 for the natural width
 * @embedded: whether to leave out the title
 * @lesson: (nullable): id of the only lesson to show; %NULL for all lessons
 *
 * Draws one bar per choice. The length of the bar represents the share of the class that chose
 * it. The right choice has an outline and the word "right". Questions are numbered from 1.
 *
 * Returns: (transfer full): the figure */
PlgFigure *plg_class_results_figure (const PlgClassResults *results,
                                     const PlgTheme *theme,
                                     double width,
                                     gboolean embedded,
                                     const char *lesson) G_GNUC_WARN_UNUSED_RESULT;

/* plg_class_results_pages:
 * @results: the answers of the class
 * @theme: the colours
 * @lesson: (nullable): id of the only lesson to show; %NULL for all lessons
 *
 * Draws the same bars as plg_class_results_figure() on portrait pages of the same size. Each
 * page begins with the titles of the class and of the lesson, and no question is split between
 * pages.
 *
 * Returns: (transfer container) (element-type PlgFigure): the pages */
GPtrArray *plg_class_results_pages (const PlgClassResults *results,
                                    const PlgTheme *theme,
                                    const char *lesson) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
