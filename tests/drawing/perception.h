/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure.h"

/* How far apart colours are to those who look. */

/* Colours that are farther apart than this are told apart side by side and across a picture. A
 * difference of 1 is just seen where they touch, 2 to 3 at a glance. */
#define APART 10

/* Colours in linear light. */
typedef struct
{
  double red, green, blue;
} Light;

/* CIELAB, D65. */
typedef struct
{
  double lightness, a, b;
} Lab;

/* Who or what looks. */
typedef enum
{
  SEEN_BY_ALL,
  SEEN_PROTAN,
  SEEN_DEUTAN,
  SEEN_TRITAN,
  SEEN_GREY,   /* printed without colours */
  SEEN_WASHED, /* a projector in a room with light */
  N_VIEWS,
} View;

extern const char *const perception_names[N_VIEWS];

Light perception_light (PlgColor color);
Light perception_seen (View view, PlgColor color);
Lab perception_lab (Light light);
double perception_ciede2000 (Lab p, Lab q);
/* CIEDE2000 and WCAG 2.1 as VIEW sees A and B. */
double perception_distance (View view, PlgColor a, PlgColor b);
double perception_contrast (View view, PlgColor a, PlgColor b);
/* Whether A and B differ by pattern or by colour for all who look. */
gboolean perception_differ (const PlgShape *a, const PlgShape *b);
