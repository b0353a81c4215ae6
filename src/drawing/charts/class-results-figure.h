/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"
#include "lessons/class-results.h"

G_BEGIN_DECLS

/* How a class answered: a bar a choice, as long as the share of the class that took it, the right
 * one with an outline and in words. Questions have numbers from 1. WIDTH in points; 0: natural.
 * EMBEDDED: without its title. LESSON: only this one's (id); NULL: all. */
PlgFigure *plg_class_results_figure (const PlgClassResults *tally,
                                     const PlgTheme *theme,
                                     double width,
                                     gboolean embedded,
                                     const char *lesson);
/* The same for paper: pages (PlgFigure) of one size, upright, each with the title of the class and
 * of its lesson on top, and no question on two of them. g_ptr_array_unref(). */
GPtrArray *
plg_class_results_pages (const PlgClassResults *tally, const PlgTheme *theme, const char *lesson);

G_END_DECLS
