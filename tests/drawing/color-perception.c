/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "color-perception.h"

#include "drawing/figure/stroke-geometry.h"

#include <math.h>

static double
to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

LinearColor
color_to_linear (PlgColor color)
{
  return (LinearColor) { to_linear (color.red), to_linear (color.green), to_linear (color.blue) };
}

static double
luminance (LinearColor light)
{
  return 0.2126 * light.red + 0.7152 * light.green + 0.0722 * light.blue;
}

/* CIE 15:2004, 8.2.1.1. */
static double
lab_root (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

/* The primaries of IEC 61966-2-1. */
Lab
linear_to_lab (LinearColor light)
{
  double r = light.red, g = light.green, b = light.blue;
  double x = lab_root ((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  double y = lab_root (0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  double z = lab_root ((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);

  return (Lab) { 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double
radians (double degrees)
{
  return degrees * G_PI / 180;
}

/* Returns the hue, 0 to 360; 0 for greys. */
static double
hue_of (double a, double b)
{
  double degrees = a == 0 && b == 0 ? 0 : atan2 (b, a) * 180 / G_PI;

  return degrees < 0 ? degrees + 360 : degrees;
}

static double
mean_hue (double first, double second, gboolean has_grey)
{
  double sum = first + second;

  if (has_grey)
    return sum;
  if (fabs (first - second) <= 180)
    return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

/* Returns the change of the hue from FIRST to SECOND, -180 to 180. */
static double
hue_turn (double first, double second, gboolean has_grey)
{
  double turn = second - first;

  if (has_grey)
    return 0;
  return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
}

static double
chroma_share (double chroma)
{
  return sqrt (pow (chroma, 7) / (pow (chroma, 7) + pow (25, 7)));
}

static double
hue_weight (double hue)
{
  return 1 - 0.17 * cos (radians (hue - 30)) + 0.24 * cos (radians (2 * hue)) +
         0.32 * cos (radians (3 * hue + 6)) - 0.20 * cos (radians (4 * hue - 63));
}

/* CIEDE2000: Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes,
 * Supplementary Test Data, and Mathematical Observations", Color Res. Appl. 30(1), 2005, eqs 2 to
 * 22. */
double
lab_ciede2000 (Lab p, Lab q)
{
  double g = 1.5 - 0.5 * chroma_share ((hypot (p.a, p.b) + hypot (q.a, q.b)) / 2);
  double c1 = hypot (p.a * g, p.b), c2 = hypot (q.a * g, q.b), chroma = (c1 + c2) / 2;
  double h1 = hue_of (p.a * g, p.b), h2 = hue_of (q.a * g, q.b);
  gboolean has_grey = c1 * c2 == 0;
  double hue = mean_hue (h1, h2, has_grey);
  double middle = (p.lightness + q.lightness) / 2 - 50;
  double turn = 30 * exp (-pow ((hue - 275) / 25, 2));
  double dl = (q.lightness - p.lightness) /
              (1 + 0.015 * middle * middle / sqrt (20 + middle * middle));
  double dc = (c2 - c1) / (1 + 0.045 * chroma);
  double dh = 2 * sqrt (c1 * c2) * sin (radians (hue_turn (h1, h2, has_grey) / 2)) /
              (1 + 0.015 * chroma * hue_weight (hue));

  return sqrt (dl * dl + dc * dc + dh * dh -
               2 * chroma_share (chroma) * sin (radians (2 * turn)) * dc * dh);
}

const char *const color_view_names[N_VIEWS] = {
  "all eyes", "protanopia", "deuteranopia", "tritanopia", "grey print", "a washed-out projector",
};

/* Colours as seen without one kind of cone: Machado, Oliveira and Fernandes, "A Physiologically-
 * based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1. */
static const double deficiencies[][3][3] = {
  [VIEW_PROTAN] = { { 0.152286, 1.052583, -0.204868 },
                    { 0.114503, 0.786281, 0.099216 },
                    { -0.003882, -0.048116, 1.051998 } },
  [VIEW_DEUTAN] = { { 0.367322, 0.860646, -0.227968 },
                    { 0.280085, 0.672501, 0.047413 },
                    { -0.011820, 0.042940, 0.968881 } },
  [VIEW_TRITAN] = { { 1.255528, -0.076749, -0.178779 },
                    { -0.078411, 0.930809, 0.147602 },
                    { 0.004733, 0.691367, 0.303900 } },
};

/* The light in the room as a share of the projector's white. The contrast of white to black is
 * then 7 to 1, the minimum of ANSI/INFOCOMM 3M-2011 for passive viewing. */
#define ROOM_LIGHT (1.0 / 6)

static double
in_room (double light)
{
  return (light + ROOM_LIGHT) / (1 + ROOM_LIGHT);
}

static LinearColor
with_deficiency (ColorView view, LinearColor l)
{
  double color_seen_by[3];

  for (int i = 0; i < 3; i++)
    {
      const double *row = deficiencies[view][i];

      color_seen_by[i] = CLAMP (row[0] * l.red + row[1] * l.green + row[2] * l.blue, 0, 1);
    }
  return (LinearColor) { color_seen_by[0], color_seen_by[1], color_seen_by[2] };
}

LinearColor
color_seen_by (ColorView view, PlgColor color)
{
  LinearColor light = color_to_linear (color);
  double grey = luminance (light);

  switch (view)
    {
    case VIEW_PROTAN:
    case VIEW_DEUTAN:
    case VIEW_TRITAN:
      return with_deficiency (view, light);
    case VIEW_GREY:
      return (LinearColor) { grey, grey, grey };
    case VIEW_PROJECTOR:
      return (LinearColor) { in_room (light.red), in_room (light.green), in_room (light.blue) };
    case VIEW_NORMAL:
    case N_VIEWS:
    default:
      return light;
    }
}

double
color_view_distance (ColorView view, PlgColor a, PlgColor b)
{
  return lab_ciede2000 (linear_to_lab (color_seen_by (view, a)),
                        linear_to_lab (color_seen_by (view, b)));
}

double
color_view_contrast (ColorView view, PlgColor a, PlgColor b)
{
  double first = luminance (color_seen_by (view, a)), second = luminance (color_seen_by (view, b));

  /* The light in the room is already included; WCAG's 0.05 represents the light at the reader's
   * own screen. */
  double flare = view == VIEW_PROJECTOR ? 0 : 0.05;

  return (MAX (first, second) + flare) / (MIN (first, second) + flare);
}

/* Returns whether A and B differ for all kinds of vision. */
gboolean
shapes_are_distinct (const PlgShape *a, const PlgShape *b)
{
  if (plg_hatch_lines (a->hatch) != plg_hatch_lines (b->hatch))
    return TRUE;
  for (ColorView view = 0; view < N_VIEWS; view++)
    if (color_view_distance (view, a->fill, b->fill) < MIN_DISTANCE)
      return FALSE;
  return TRUE;
}
