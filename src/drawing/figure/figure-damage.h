/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* plg_figure_damage:
 * @before: the figure on the screen
 * @after: the figure to be shown
 *
 * Finds the areas to repaint. These are the extents of each shape that is in only one figure or
 * whose place in the drawing order has changed. Entities, ids and titles are not compared.
 *
 * Returns: (transfer full) (element-type PlgRect): the areas */
GArray *plg_figure_damage (const PlgFigure *before,
                           const PlgFigure *after) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
