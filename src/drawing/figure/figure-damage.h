/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* Where a picture of BEFORE must be painted anew to be one of AFTER: what covers each shape that is
 * only in one of them, or in another order. Things, ids and titles make no difference. Array of
 * PlgRect, free with g_array_unref(). */
GArray *plg_figure_damage (const PlgFigure *before, const PlgFigure *after);

G_END_DECLS
