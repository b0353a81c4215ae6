/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* How strokes look, for every backend alike. */

/* The lengths of SHAPE's dashes, each followed by that of its gap; returns how many, 0: none. */
#define PLG_MAX_DASHES 4
int plg_shape_dashes (const PlgShape *shape, double lengths[PLG_MAX_DASHES]);

/* The head of an arrow: its tip is the end of the path. */
typedef struct
{
  PlgPoint tip, left, right;
  PlgPoint neck; /* where the stroke ends, so that it does not show beyond the tip */
} PlgArrow;
/* FALSE when the path has no direction at its end. */
gboolean plg_shape_arrow (const PlgFigure *figure, const PlgShape *shape, PlgArrow *arrow);

/* Lines of hatches are this far apart and run through the figure's origin, so that hatches of
 * neighbours meet. */
#define PLG_HATCH_SPACING 6.0
/* They are thin also where THEME's borders are wide. */
double plg_theme_hatch_width (const PlgTheme *theme);

typedef enum
{
  PLG_HATCH_RISING = 1 << 0,  /* x + y is a multiple of the spacing */
  PLG_HATCH_FALLING = 1 << 1, /* x - y */
  PLG_HATCH_LEVEL = 1 << 2,   /* y */
  PLG_HATCH_UPRIGHT = 1 << 3, /* x */
} PlgHatchLines;
/* What a shape's hatch is made of. */
PlgHatchLines plg_hatch_lines (int hatch);
/* The colour of its lines. */
PlgColor plg_shape_hatch_color (const PlgShape *shape);

/* TRUE when something of SHAPE can be seen. */
gboolean plg_shape_is_visible (const PlgShape *shape);
/* The same, of those in LAYERS (bits 1 << PlgLayer). */
gboolean plg_shape_is_visible_in_layers (const PlgShape *shape, guint layers);
gboolean plg_shape_has_stroke (const PlgShape *shape);
/* What SHAPE covers, its stroke, arrow and overhanging letters included. */
PlgRect plg_shape_extents (const PlgShape *shape);
gboolean plg_rect_intersects (PlgRect a, PlgRect b);

G_END_DECLS
