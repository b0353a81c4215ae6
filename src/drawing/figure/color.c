/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/color.h"

#include <math.h>

typedef struct
{
  double lightness, a, b;
} Lab;

/* Applies the transfer function of sRGB, IEC 61966-2-1. */
static double
to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static float
from_linear (double value)
{
  value = CLAMP (value, 0, 1);
  return (float) (value <= 0.0031308 ? value * 12.92 : 1.055 * pow (value, 1 / 2.4) - 0.055);
}

static Lab
to_lab (PlgColor color)
{
  double r = to_linear (color.red), g = to_linear (color.green), b = to_linear (color.blue);
  double l = cbrt (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

  return (Lab) { 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static double
cube (double value)
{
  return value * value * value;
}

static PlgColor
from_lab (Lab lab, float alpha)
{
  double l = cube (lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  double m = cube (lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  double s = cube (lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b);

  return (PlgColor) { from_linear (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                      from_linear (-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                      from_linear (-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
                      alpha };
}

PlgColor
plg_color_from_rgb (guint32 rgb)
{
  return (PlgColor) { (float) (rgb >> 16 & 0xff) / 255.0f, (float) (rgb >> 8 & 0xff) / 255.0f,
                      (float) (rgb & 0xff) / 255.0f, 1.0f };
}

/* Converts CHANNEL from 0..1 to 0..255. NaN becomes 0, because NaN > 0 is false. */

static guint32
to_byte (float channel)
{
  return (guint32) (channel > 0 ? lround (MIN (channel, 1) * 255.0) : 0);
}

guint32
plg_color_to_rgb (PlgColor color)
{
  return to_byte (color.red) << 16 | to_byte (color.green) << 8 | to_byte (color.blue);
}

PlgColor
plg_color_with_alpha (PlgColor color, double alpha)
{
  color.alpha = (float) CLAMP (alpha, 0, 1);
  return color;
}

PlgColor
plg_color_mix (PlgColor a, PlgColor b, double share)
{
  Lab from = to_lab (a), to = to_lab (b);
  double t = CLAMP (share, 0, 1);
  Lab between = { from.lightness + t * (to.lightness - from.lightness),
                  from.a + t * (to.a - from.a), from.b + t * (to.b - from.b) };

  return from_lab (between, (float) (a.alpha + t * (b.alpha - a.alpha)));
}

PlgColor
plg_color_lighten (PlgColor color, double delta)
{
  Lab lab = to_lab (color);

  lab.lightness = CLAMP (lab.lightness + delta, 0, 1);
  return from_lab (lab, color.alpha);
}

double
plg_color_lightness (PlgColor color)
{
  return to_lab (color).lightness;
}

double
plg_color_distance (PlgColor a, PlgColor b)
{
  Lab p = to_lab (a), q = to_lab (b);

  return sqrt ((p.lightness - q.lightness) * (p.lightness - q.lightness) +
               (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

static double
relative_luminance (PlgColor color)
{
  return 0.2126 * to_linear (color.red) + 0.7152 * to_linear (color.green) +
         0.0722 * to_linear (color.blue);
}

double
plg_color_contrast (PlgColor a, PlgColor b)
{
  double first = relative_luminance (a), second = relative_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}
