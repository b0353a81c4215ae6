/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* Adds RECT to the path of CR, its corners rounded by RADIUS, or by as much as there is room for.
 * Where CR smooths edges quickly (CAIRO_ANTIALIAS_FAST), corners are chords that look the same. */
void plg_round_rect_add (cairo_t *cr, PlgRect rect, double radius);

G_END_DECLS
