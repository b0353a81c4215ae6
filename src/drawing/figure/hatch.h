/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/stroke-geometry.h"

#include <cairo.h>

G_BEGIN_DECLS

/* plg_hatch_add:
 * @rect: the hatched rectangle [points]
 * @radius: radius of the corners of @rect [points]
 * @width: width of a line [points]
 *
 * Adds the areas of @rect that hatch lines cover to the path of @cr. Filling these areas takes
 * half as long as stroking the lines through a clip. */
void plg_hatch_add (cairo_t *cr, PlgRect rect, double radius, PlgHatchLines lines, double width);

G_END_DECLS
