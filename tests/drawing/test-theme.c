/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/theme.h"

#include <math.h>

#define MAX_COUNT 64

static double
required_contrast (PlgPalette palette)
{
  gboolean high = palette == PLG_PALETTE_HIGH_CONTRAST ||
                  palette == PLG_PALETTE_HIGH_CONTRAST_DARK || palette == PLG_PALETTE_PROJECTOR;

  return high ? 7 : 4.5;
}

static void
test_names (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgPalette palette = PLG_N_PALETTES;

      g_assert_true (plg_palette_from_name (plg_palette_name (i), &palette));
      g_assert_cmpint (palette, ==, i);
      g_assert_cmpstr (plg_palette_title (i), !=, "");
    }
}

static void
test_bad_names (void)
{
  static const char *const bad[] = { "", "Light", "light ", "colour-blind", "7" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      PlgPalette palette = PLG_PALETTE_DARK;

      g_assert_false (plg_palette_from_name (bad[i], &palette));
      g_assert_cmpint (palette, ==, PLG_PALETTE_DARK);
    }
}

static void
test_init (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;
      gboolean light_paper;

      plg_theme_init (&theme, i);
      light_paper = plg_color_lightness (theme.role[PLG_ROLE_BACKGROUND]) > 0.5;
      g_assert_cmpint (theme.palette, ==, i);
      g_assert_cmpint (theme.dark, ==, !light_paper);
      g_assert_cmpfloat (theme.line_width, ==, required_contrast (i) > 5 ? 2 : 1);
      g_assert_cmpfloat (theme.text_scale, ==, 1);
      for (int role = 0; role < PLG_N_ROLES; role++)
        g_assert_cmpfloat (theme.role[role].alpha, ==, 1);
    }
}

static void
assert_contrast (PlgPalette palette,
                 const char *what,
                 int number,
                 PlgColor a,
                 PlgColor b,
                 double least)
{
  double contrast = plg_color_contrast (a, b);

  if (contrast < least)
    g_test_fail_printf ("%s: %s %d has a contrast of only %.2f, not %.1f",
                        plg_palette_name (palette), what, number, contrast, least);
}

static void
test_text_contrast (void)
{
  static const PlgRole texts[] = { PLG_ROLE_TEXT,  PLG_ROLE_TEXT_DIM, PLG_ROLE_ACCENT,
                                   PLG_ROLE_ERROR, PLG_ROLE_WARNING,  PLG_ROLE_SUCCESS };

  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
        {
          PlgColor text = theme.role[texts[k]];

          assert_contrast (i, "text on the background: role", texts[k], text,
                           theme.role[PLG_ROLE_BACKGROUND], required_contrast (i));
          assert_contrast (i, "text on a card: role", texts[k], text, theme.role[PLG_ROLE_CARD],
                           required_contrast (i));
        }
    }
}

static void
test_text_on_roles (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int role = PLG_ROLE_CAPACITY; role < PLG_N_ROLES; role++)
        assert_contrast (i, "text on the fill of role", role, theme.role[role],
                         plg_theme_text_on (&theme, theme.role[role]), required_contrast (i));
    }
}

/* Graphics have a contrast of 3:1 (WCAG 2.1, 1.4.11). */
static void
test_graphics_contrast (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      assert_contrast (i, "capacity, role", PLG_ROLE_CAPACITY, theme.role[PLG_ROLE_CAPACITY],
                       theme.role[PLG_ROLE_CARD], 3);
      for (int axis = 0; axis < PLG_N_AXES; axis++)
        assert_contrast (i, "axis", axis, theme.role[PLG_ROLE_AXIS_TP + axis],
                         theme.role[PLG_ROLE_CARD], 3);
    }
}

/* Calls CHECK for each swatch, pale or not, of each count up to 64 and each palette. */
static void
for_each_swatch (void (*check) (const PlgTheme *theme, int index, PlgSwatch swatch))
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int count = 1; count <= MAX_COUNT; count++)
        for (int index = 0; index < count; index++)
          {
            check (&theme, index, plg_theme_swatch (&theme, index, count, FALSE));
            check (&theme, index, plg_theme_swatch (&theme, index, count, TRUE));
          }
    }
}

static void
check_swatch_text (const PlgTheme *theme, int index, PlgSwatch swatch)
{
  double least = required_contrast (theme->palette);

  assert_contrast (theme->palette, "text on swatch", index, swatch.text, swatch.fill, least);
  assert_contrast (theme->palette, "text on strong swatch", index, swatch.strong,
                   plg_theme_text_on (theme, swatch.strong), least);
  /* No grey between light and dark has a contrast of 7 to both black and white. With the projector
   * palette white text on the darker fills is most legible; see the tests of palettes. */
  assert_contrast (theme->palette, "text on middle swatch", index, swatch.middle,
                   plg_theme_text_on (theme, swatch.middle),
                   theme->palette == PLG_PALETTE_PROJECTOR || index >= 8 ? 4.5 : least);
}

static void
test_swatch_text (void)
{
  for_each_swatch (check_swatch_text);
}

/* In high-contrast palettes dimmed texts are legible and still differ from highlighted ones. */
static void
check_faded (const PlgTheme *theme, int index, PlgSwatch swatch)
{
  double fading = plg_theme_dim_share (theme);
  PlgColor card = theme->role[PLG_ROLE_CARD];
  PlgColor fill = plg_color_mix (swatch.fill, card, fading);
  PlgColor text = plg_color_mix (swatch.text, card, fading);

  if (theme->palette != PLG_PALETTE_HIGH_CONTRAST &&
      theme->palette != PLG_PALETTE_HIGH_CONTRAST_DARK)
    return;
  g_assert_cmpfloat (plg_color_distance (text, swatch.text), >, 0.15);
  assert_contrast (theme->palette, "faded text on faded swatch", index, text, fill, 4.5);
}

static void
test_dimmed (void)
{
  for_each_swatch (check_faded);
}

static void
check_swatch_bar (const PlgTheme *theme, int index, PlgSwatch swatch)
{
  assert_contrast (theme->palette, "strong swatch on a card", index, swatch.strong,
                   theme->role[PLG_ROLE_CARD], 3);
  g_assert_cmpfloat (plg_color_distance (swatch.strong, swatch.fill), >, 0.15);
}

static void
test_swatch_bar (void)
{
  for_each_swatch (check_swatch_bar);
}

/* A block of the timeline differs from idle time. */
static void
test_swatch_against_idle (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;
      PlgColor idle;

      plg_theme_init (&theme, i);
      idle = theme.role[PLG_ROLE_GRID];
      for (int count = 1; count <= MAX_COUNT; count++)
        for (int index = 0; index < count; index++)
          {
            PlgColor fill = plg_theme_swatch (&theme, index, count, FALSE).fill;

            g_assert_cmpfloat (plg_color_distance (fill, idle), >, 0.06);
            if (i == PLG_PALETTE_GREY)
              g_assert_cmpfloat (plg_color_lightness (fill), <, plg_color_lightness (idle) - 0.06);
          }
    }
}

/* Each swatch differs from the one before it, for any count. */
static void
test_swatch_neighbours (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int count = 2; count <= MAX_COUNT; count++)
        for (int index = 1; index < count; index++)
          {
            PlgColor fill = plg_theme_swatch (&theme, index, count, FALSE).fill;
            PlgColor before = plg_theme_swatch (&theme, index - 1, count, FALSE).fill;

            g_assert_cmpfloat (plg_color_distance (fill, before), >, 0.04);
          }
    }
}

static double
smallest_distance (const PlgTheme *theme, int count, gboolean pale)
{
  double smallest = 1;

  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++)
      {
        double distance = plg_color_distance (plg_theme_swatch (theme, a, count, pale).fill,
                                              plg_theme_swatch (theme, b, count, pale).fill);

        smallest = MIN (smallest, distance);
      }
  return smallest;
}

static void
test_swatch_distinct (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      g_assert_cmpfloat (smallest_distance (&theme, 4, FALSE), >, 0.08);
      g_assert_cmpfloat (smallest_distance (&theme, 8, FALSE), >, 0.04);
      g_assert_cmpfloat (smallest_distance (&theme, 8, TRUE), >, 0.02);
      /* Sixty-four greys cannot all be distinct; neighbours are distinct, see above. */
      if (i != PLG_PALETTE_GREY)
        g_assert_cmpfloat (smallest_distance (&theme, MAX_COUNT, FALSE), >, 0.01);
    }
}

static void
test_swatch_pale (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int index = 0; index < 8; index++)
        {
          PlgColor fill = plg_theme_swatch (&theme, index, 8, FALSE).fill;
          PlgColor pale = plg_theme_swatch (&theme, index, 8, TRUE).fill;
          PlgColor card = theme.role[PLG_ROLE_CARD];

          g_assert_cmpfloat (plg_color_distance (pale, card), <, plg_color_distance (fill, card));
        }
    }
}

static void
test_swatch_bad_index (void)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  g_assert_cmpfloat (plg_theme_swatch (&theme, -5, 0, FALSE).fill.alpha, ==, 1);
  g_assert_cmpfloat (plg_theme_swatch (&theme, 1000000, 4, TRUE).fill.alpha, ==, 1);
  g_assert_cmpfloat (plg_theme_swatch (&theme, G_MAXINT, G_MAXINT, TRUE).fill.alpha, ==, 1);
}

static void
test_grey_has_no_hue (void)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_GREY);
  for (int role = 0; role < PLG_N_ROLES; role++)
    {
      g_assert_cmpfloat (theme.role[role].red, ==, theme.role[role].green);
      g_assert_cmpfloat (theme.role[role].red, ==, theme.role[role].blue);
    }
  for (int i = 0; i < 8; i++)
    {
      PlgColor fill = plg_theme_swatch (&theme, i, 8, TRUE).fill;

      g_assert_cmpfloat_with_epsilon (fill.red, fill.green, 0.002);
      g_assert_cmpfloat_with_epsilon (fill.red, fill.blue, 0.002);
    }
}

static void
test_link_scale_ends (void)
{
  PlgTheme theme;
  PlgColor low, high;

  plg_theme_init (&theme, PLG_PALETTE_LIGHT);
  low = plg_theme_link_color (&theme, 0);
  high = plg_theme_link_color (&theme, 1);
  g_assert_cmpfloat (plg_color_distance (low, high), >, 0.2);
  g_assert_cmpfloat (plg_color_distance (low, plg_theme_link_color (&theme, -3)), ==, 0);
  g_assert_cmpfloat (plg_color_distance (low, plg_theme_link_color (&theme, NAN)), ==, 0);
  g_assert_cmpfloat (plg_color_distance (high, plg_theme_link_color (&theme, 1e9)), ==, 0);
  g_assert_cmpfloat (plg_color_distance (high, plg_theme_link_color (&theme, INFINITY)), ==, 0);
}

/* Two links that differ by a quarter of the scale never look the same. */
static void
test_link_scale_distinct (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (double low = 0; low <= 0.75; low += 0.025)
        for (double high = low + 0.25; high <= 1; high += 0.025)
          g_assert_cmpfloat (plg_color_distance (plg_theme_link_color (&theme, low),
                                                 plg_theme_link_color (&theme, high)),
                             >, 0.08);
    }
}

static void
test_link_scale_monotone (void)
{
  static const PlgPalette palettes[] = { PLG_PALETTE_GREY, PLG_PALETTE_COLOR_BLIND };

  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, palettes[i]);
      for (double share = 0.05; share <= 1; share += 0.05)
        {
          double before = plg_color_lightness (plg_theme_link_color (&theme, share - 0.05));
          double step = before - plg_color_lightness (plg_theme_link_color (&theme, share));

          g_assert_cmpfloat (step, >, 0.01);
          g_assert_cmpfloat (step, <, 0.05);
        }
    }
}

static void
test_link_scale_visible (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int percent = 0; percent <= 100; percent += 5)
        assert_contrast (i, "link at percent", percent,
                         plg_theme_link_color (&theme, percent / 100.0), theme.role[PLG_ROLE_CARD],
                         3);
    }
}

/* Colours as seen without one kind of cone, in linear light: Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009,
 * severity 1. */
static const struct
{
  const char *name;
  double matrix[3][3];
} deficiencies[] = {
  { "protanopia",
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } } },
  { "deuteranopia",
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } } },
  { "tritanopia",
    { { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } } },
};

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

static PlgColor
seen_with (guint deficiency, PlgColor color)
{
  const double linear[] = { to_linear (color.red), to_linear (color.green),
                            to_linear (color.blue) };
  float seen[3];

  for (int i = 0; i < 3; i++)
    {
      const double *row = deficiencies[deficiency].matrix[i];

      seen[i] = from_linear (row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]);
    }
  return (PlgColor) { seen[0], seen[1], seen[2], 1 };
}

static void
assert_apart (PlgColor a, PlgColor b, const char *what, int first, int second, double least)
{
  for (guint i = 0; i < G_N_ELEMENTS (deficiencies); i++)
    {
      double distance = plg_color_distance (seen_with (i, a), seen_with (i, b));

      if (distance < least)
        g_test_fail_printf ("%s %d and %d are only %.3f apart with %s, not %.3f", what, first,
                            second, distance, deficiencies[i].name, least);
    }
}

/* Any two of the first four stages are 0.18 apart in OKLab, neighbours among eight 0.11, any two of
 * eight 0.075; about 0.02 is just noticeable. */
static void
test_color_blind_swatches (void)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_COLOR_BLIND);
  for (int a = 0; a < 8; a++)
    for (int b = 0; b < a; b++)
      {
        double least = a < 4 ? 0.18 : a - b == 1 ? 0.11 : 0.075;

        assert_apart (plg_theme_swatch (&theme, a, 8, FALSE).fill,
                      plg_theme_swatch (&theme, b, 8, FALSE).fill, "swatches", a, b, least);
        assert_apart (plg_theme_swatch (&theme, a, 8, TRUE).fill,
                      plg_theme_swatch (&theme, b, 8, TRUE).fill, "pale swatches", a, b, least / 2);
      }
}

static void
test_color_blind_axes (void)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_COLOR_BLIND);
  for (int a = 0; a < PLG_N_AXES; a++)
    for (int b = 0; b < a; b++)
      assert_apart (theme.role[PLG_ROLE_AXIS_TP + a], theme.role[PLG_ROLE_AXIS_TP + b], "axes", a,
                    b, 0.08);
}

/* Parts of a bar lie side by side, so neighbours differ. */
static void
test_color_blind_parts (void)
{
  PlgTheme theme;

  plg_theme_init (&theme, PLG_PALETTE_COLOR_BLIND);
  for (int role = PLG_ROLE_WEIGHTS; role < PLG_ROLE_RUNTIME; role++)
    assert_apart (theme.role[role], theme.role[role + 1], "memory roles", role, role + 1, 0.08);
  for (int role = PLG_ROLE_PART_COMPUTE; role < PLG_ROLE_PART_LAST; role++)
    assert_apart (theme.role[role], theme.role[role + 1], "part roles", role, role + 1, 0.08);
}

static void
test_parts_in_all_palettes (void)
{
  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      PlgTheme theme;

      plg_theme_init (&theme, i);
      for (int role = PLG_ROLE_WEIGHTS; role < PLG_ROLE_PART_LAST; role++)
        g_assert_cmpfloat (plg_color_distance (theme.role[role], theme.role[role + 1]), >, 0.06);
    }
}

static void
test_color_contrast (void)
{
  PlgColor white = plg_color_from_rgb (0xffffff), black = plg_color_from_rgb (0);

  g_assert_cmpfloat_with_epsilon (plg_color_contrast (white, black), 21, 1e-6);
  g_assert_cmpfloat_with_epsilon (plg_color_contrast (black, white), 21, 1e-6);
  g_assert_cmpfloat_with_epsilon (plg_color_contrast (white, white), 1, 1e-6);
  /* The lightest grey that passes on white. */
  g_assert_cmpfloat_with_epsilon (plg_color_contrast (plg_color_from_rgb (0x767676), white), 4.54,
                                  0.01);
}

static void
test_color_mix (void)
{
  PlgColor a = plg_color_from_rgb (0x123456), b = plg_color_from_rgb (0xfedcba);
  PlgColor gone = plg_color_with_alpha (b, 0);

  g_assert_cmpfloat (plg_color_distance (plg_color_mix (a, b, 0), a), <, 1e-3);
  g_assert_cmpfloat (plg_color_distance (plg_color_mix (a, b, 1), b), <, 1e-3);
  g_assert_cmpfloat (plg_color_distance (plg_color_mix (a, b, 9), b), <, 1e-3);
  g_assert_cmpfloat_with_epsilon (plg_color_lightness (plg_color_mix (a, b, 0.5)),
                                  (plg_color_lightness (a) + plg_color_lightness (b)) / 2, 1e-3);
  g_assert_cmpfloat_with_epsilon (plg_color_mix (a, gone, 0.25).alpha, 0.75, 1e-6);
}

static void
test_color_lighten (void)
{
  PlgColor color = plg_color_from_rgb (0x8dd3c7);

  g_assert_cmpfloat_with_epsilon (plg_color_lightness (plg_color_lighten (color, -0.2)),
                                  plg_color_lightness (color) - 0.2, 1e-3);
  g_assert_cmpfloat (plg_color_lightness (plg_color_lighten (color, 5)), >, 0.95);
  g_assert_cmpfloat (plg_color_lightness (plg_color_lighten (color, -5)), <, 0.4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/theme/names", test_names);
  g_test_add_func ("/theme/bad-names", test_bad_names);
  g_test_add_func ("/theme/init", test_init);
  g_test_add_func ("/theme/contrast/text", test_text_contrast);
  g_test_add_func ("/theme/contrast/text-on-roles", test_text_on_roles);
  g_test_add_func ("/theme/contrast/graphics", test_graphics_contrast);
  g_test_add_func ("/theme/swatch/text", test_swatch_text);
  g_test_add_func ("/theme/swatch/dimmed", test_dimmed);
  g_test_add_func ("/theme/swatch/bar", test_swatch_bar);
  g_test_add_func ("/theme/swatch/neighbours", test_swatch_neighbours);
  g_test_add_func ("/theme/swatch/against-idle", test_swatch_against_idle);
  g_test_add_func ("/theme/swatch/distinct", test_swatch_distinct);
  g_test_add_func ("/theme/swatch/pale", test_swatch_pale);
  g_test_add_func ("/theme/swatch/bad-index", test_swatch_bad_index);
  g_test_add_func ("/theme/grey-has-no-hue", test_grey_has_no_hue);
  g_test_add_func ("/theme/link-scale/ends", test_link_scale_ends);
  g_test_add_func ("/theme/link-scale/distinct", test_link_scale_distinct);
  g_test_add_func ("/theme/link-scale/monotone", test_link_scale_monotone);
  g_test_add_func ("/theme/link-scale/visible", test_link_scale_visible);
  g_test_add_func ("/theme/color-blind/swatches", test_color_blind_swatches);
  g_test_add_func ("/theme/color-blind/axes", test_color_blind_axes);
  g_test_add_func ("/theme/color-blind/parts", test_color_blind_parts);
  g_test_add_func ("/theme/parts-in-all-palettes", test_parts_in_all_palettes);
  g_test_add_func ("/color/contrast", test_color_contrast);
  g_test_add_func ("/color/mix", test_color_mix);
  g_test_add_func ("/color/lighten", test_color_lighten);
  return g_test_run ();
}
