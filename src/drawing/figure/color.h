/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  float red, green, blue, alpha; /* sRGB components, 0..1, not premultiplied */
} PlgColor;

#define PLG_COLOR_NONE ((PlgColor) { 0, 0, 0, 0 })

/* Returns an opaque colour. RGB is 0xRRGGBB. */
PlgColor plg_color_from_rgb (guint32 rgb);
guint32 plg_color_to_rgb (PlgColor color);
PlgColor plg_color_with_alpha (PlgColor color, double alpha);
/* Returns the mixture of A and B: A if SHARE is 0, B if SHARE is 1. Equal steps of SHARE look
 * equally large (OKLab: Ottosson, "A perceptual color space for image processing", 2020). */
PlgColor plg_color_mix (PlgColor a, PlgColor b, double share);
/* Adds DELTA to the OKLab lightness (0 black, 1 white) and keeps the hue. A negative DELTA
 * darkens the colour. */
PlgColor plg_color_lighten (PlgColor color, double delta);
/* Returns the OKLab lightness, 0..1. */
double plg_color_lightness (PlgColor color);
/* Returns the OKLab distance between two opaque colours. A distance of 0.02 is just visible. */
double plg_color_distance (PlgColor a, PlgColor b);
/* Returns the WCAG 2.1 contrast ratio, 1..21. Alpha is ignored. */
double plg_color_contrast (PlgColor a, PlgColor b);

G_END_DECLS
