/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

/* Distances of colours for different kinds of vision. */

/* Colours farther apart than this are distinct side by side and across a picture. A difference
 * of 1 is just visible between touching areas, a difference of 2 to 3 at a glance. */
#define MIN_DISTANCE 10

/* Colours in linear light. */
typedef struct
{
  double red, green, blue;
} LinearColor;

/* CIELAB, D65. */
typedef struct
{
  double lightness, a, b;
} Lab;

/* Kinds of vision and of output. */
typedef enum
{
  VIEW_NORMAL,
  VIEW_PROTAN,
  VIEW_DEUTAN,
  VIEW_TRITAN,
  VIEW_GREY,      /* printed without colours */
  VIEW_PROJECTOR, /* a projector in a room with light */
  N_VIEWS,
} ColorView;

extern const char *const color_view_names[N_VIEWS];

LinearColor color_to_linear (PlgColor color);
LinearColor color_seen_by (ColorView view, PlgColor color);
Lab linear_to_lab (LinearColor light);
double lab_ciede2000 (Lab p, Lab q);
/* Return the CIEDE2000 distance and the WCAG 2.1 contrast of A and B as seen with VIEW. */
double color_view_distance (ColorView view, PlgColor a, PlgColor b);
double color_view_contrast (ColorView view, PlgColor a, PlgColor b);
/* Returns whether A and B differ by pattern or by colour for all kinds of vision. */
gboolean shapes_are_distinct (const PlgShape *a, const PlgShape *b);
