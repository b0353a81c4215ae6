/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* The geometry of strokes, which is the same for every backend. */

/* Fills LENGTHS with the alternating lengths of dashes and gaps [points], and returns the number
 * of lengths; 0 for a solid line. */
#define PLG_MAX_DASHES 4
int plg_shape_dashes (const PlgShape *shape, double lengths[PLG_MAX_DASHES]);

/* An arrow head. Its tip is the end of the path. */
typedef struct
{
  PlgPoint tip, left, right;
  PlgPoint neck; /* end of the stroke; it is before the tip, because the stroke would otherwise
                    show around the tip */
} PlgArrow;
/* Computes the arrow head at the end of SHAPE, whose path consists of POINTS. Returns FALSE if
 * the path has no direction at its end. */
gboolean plg_shape_arrow (const PlgShape *shape, const PlgPoint *points, PlgArrow *arrow);

/* The distance between hatch lines [points]. The pattern starts at the figure's origin, so the
 * hatch lines of neighbouring shapes meet. */
#define PLG_HATCH_SPACING 6.0
/* Returns the width of hatch lines [points]. The lines are thin even if THEME has wide borders. */
double plg_theme_hatch_width (const PlgTheme *theme);

typedef enum
{
  PLG_HATCH_RISING = 1 << 0,  /* lines on which x + y is a multiple of the spacing */
  PLG_HATCH_FALLING = 1 << 1, /* lines on which x - y is a multiple of the spacing */
  PLG_HATCH_LEVEL = 1 << 2,   /* lines on which y is a multiple of the spacing */
  PLG_HATCH_UPRIGHT = 1 << 3, /* lines on which x is a multiple of the spacing */
} PlgHatchLines;
/* Returns the directions of the lines of HATCH, which is a value of PlgShape.hatch. */
PlgHatchLines plg_hatch_lines (int hatch);
PlgColor plg_shape_hatch_color (const PlgShape *shape);

gboolean plg_shape_is_visible (const PlgShape *shape);
/* Returns whether SHAPE is visible and in one of LAYERS, which are bits 1 << PlgLayer. */
gboolean plg_shape_is_visible_in_layers (const PlgShape *shape, guint layers);
gboolean plg_shape_has_stroke (const PlgShape *shape);
/* Returns the area that SHAPE covers, including its stroke, its arrow and overhanging
 * characters. */
PlgRect plg_shape_extents (const PlgShape *shape);
gboolean plg_rect_intersects (PlgRect a, PlgRect b);

G_END_DECLS
