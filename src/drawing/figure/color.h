/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  float red, green, blue, alpha; /* 0..1, sRGB, not premultiplied */
} PlgColor;

#define PLG_COLOR_NONE ((PlgColor) { 0, 0, 0, 0 })

/* 0xRRGGBB, opaque. */
PlgColor plg_color_from_rgb (guint32 rgb);
guint32 plg_color_to_rgb (PlgColor color);
PlgColor plg_color_with_alpha (PlgColor color, double alpha);
/* What lies at SHARE 0..1 between A and B, by equal steps for the eye (OKLab: Ottosson, "A
 * perceptual color space for image processing", 2020). */
PlgColor plg_color_mix (PlgColor a, PlgColor b, double share);
/* Lighter, or darker where DELTA is negative; the hue stays. DELTA is OKLab lightness: black is
 * 0, white 1. */
PlgColor plg_color_lighten (PlgColor color, double delta);
/* OKLab lightness, 0..1. */
double plg_color_lightness (PlgColor color);
/* How different two opaque colours look: the distance in OKLab. 0.02 is just seen. */
double plg_color_distance (PlgColor a, PlgColor b);
/* WCAG 2.1 contrast ratio, 1..21, alpha ignored. */
double plg_color_contrast (PlgColor a, PlgColor b);

G_END_DECLS
