/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* Adds RECT to the path of CR, with corners of RADIUS or of the largest radius that fits. With
 * CAIRO_ANTIALIAS_FAST, the corners consist of chords that look the same as curves. */
void plg_round_rect_add (cairo_t *cr, PlgRect rect, double radius);

G_END_DECLS
