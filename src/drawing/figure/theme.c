/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "drawing/figure/theme.h"

#include "drawing/figure/text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define N_TONES 8
#define MAX_STOPS 6
/* The share of the strong colour in the colour of hatch lines; the rest is the fill. This share
 * makes the lines visible but not distracting. If text on the lines would be hard to read, the
 * fill is mixed with white instead. */
#define HATCH_SHARE 0.36
#define HATCH_DISTANCE 0.13 /* maximum OKLab distance between the lines and the fill */
#define HATCH_SHARE_LIGHT 0.45
#define HATCH_SHARE_DARK 0.6

/* All colours in this struct are 0xRRGGBB. */
typedef struct
{
  const char *name;
  const char *title;
  gboolean dark;
  double line_width;
  double contrast;       /* minimum contrast between text and its background */
  guint32 ink;           /* colour of dark text on light fills */
  guint32 fill[N_TONES]; /* fill colours, in the order in which groups use them */
  guint32 middle[N_TONES];
  guint32 strong[N_TONES];
  double pale; /* share of the card colour in pale fills */
  guint32 stops[MAX_STOPS];
  int n_stops;         /* number of colours in STOPS, the colour scale of links from quiet to
                          busy */
  gboolean is_hatched; /* whether hatches distinguish colours that may look alike */
} Palette;

/* All fills of the light palette carry dark text, and all its strong tones carry white text. The
 * colour-blind palette has the hues of Okabe and Ito ("Color universal design", 2008), in an
 * order in which neighbours stay distinct for protan, deutan and tritan eyes. Its link scale
 * runs from ochre to navy, like cividis (Nunez, Anderton and Renslow, PLOS ONE 13(7), 2018). On
 * white, the quiet end of every link scale has a contrast of at least 3:1 (WCAG 2.1, 1.4.11).
 * The projector palette has the darkest text, and its fills are as far from white as possible,
 * because room light brightens black to a seventh of the luminance of white and washes out pale
 * colours.
 *
 * The middle tone must differ from both the fill and the strong tone. It is the tone with
 * legible text that differs most from both for all kinds of colour vision. If the required
 * contrast is 7, no tone halfway between light and dark has legible text, so the middle tone is
 * closer to either the fill or the strong tone. */
static const Palette palettes[PLG_N_PALETTES] = {
  [PLG_PALETTE_LIGHT] = {
    .name = "light", .title = N_ ("Light"), .line_width = 1, .contrast = 4.5, .ink = 0x1f2937,
    .fill = { 0x8dd3c7, 0xc1bddc, 0xfdb462, 0x80b1d3, 0xf4978e, 0xb7d97a, 0xf2b8d8, 0xe6d57a },
    .middle = { 0x3da698, 0x8f88bb, 0xd08420, 0x698ea9, 0xd16b63, 0x82a73a, 0xb3879f, 0xae9b30 },
    .strong = { 0x268075, 0x6a5da8, 0xa56300, 0x2771a1, 0xb6433e, 0x5b7f1d, 0xaa4584, 0x827015 },
    .pale = 0.4,
    .stops = { 0x858fad, 0x4286cf, 0x2c438a, 0x9d7f48, 0xda6f0c, 0xb90007 }, .n_stops = 6,
  },
  [PLG_PALETTE_DARK] = {
    .name = "dark", .title = N_ ("Dark"), .dark = TRUE, .line_width = 1, .contrast = 4.5,
    .ink = 0x16181c,
    .fill = { 0x016a5d, 0x5b4994, 0x864e18, 0x0b517f, 0x87342f, 0x3d5e1d, 0x8e4771, 0x7d6b1f },
    .middle = { 0x3b9486, 0x826fcd, 0xb17843, 0x3e7eae, 0xc05b53, 0x6a903d, 0xb66d97, 0xa79130 },
    .strong = { 0x57cebe, 0xada3e9, 0xf6ac5c, 0x68b3ea, 0xf2887f, 0xa3cf68, 0xeb94c6, 0xddc867 },
    .pale = 0.45,
    .stops = { 0x7a8590, 0x4a8ad8, 0x7db8ff, 0xddbb6e, 0xf7923a, 0xf0483a }, .n_stops = 6,
  },
  [PLG_PALETTE_PRINT] = {
    .name = "print", .title = N_ ("Print"), .line_width = 1, .contrast = 4.5, .ink = 0x111111,
    .fill = { 0x8dd3c7, 0xc1bddc, 0xfdb462, 0x80b1d3, 0xf4978e, 0xb7d97a, 0xf2b8d8, 0xe6d57a },
    .middle = { 0x3da698, 0x8f88bb, 0xd08420, 0x698ea9, 0xd16b63, 0x82a73a, 0xb3879f, 0xae9b30 },
    .strong = { 0x268075, 0x6a5da8, 0xa56300, 0x2771a1, 0xb6433e, 0x5b7f1d, 0xaa4584, 0x827015 },
    .pale = 0.4,
    .stops = { 0x858fad, 0x4286cf, 0x2c438a, 0x9d7f48, 0xda6f0c, 0xb90007 }, .n_stops = 6, .is_hatched = TRUE,
  },
  [PLG_PALETTE_GREY] = {
    .name = "grey", .title = N_ ("Grey"), .line_width = 1, .contrast = 4.5, .ink = 0x111111,
    .fill = { 0xd8d8d8, 0xcacaca, 0xbcbcbc, 0xaeaeae, 0xa0a0a0, 0x929292, 0x848484, 0x767676 },
    .middle = { 0x9f9f9f, 0x929292, 0x878787, 0x7b7b7b, 0x717171, 0x666666, 0x5a5a5a, 0x515151 },
    .strong = { 0x757575, 0x696969, 0x5b5b5b, 0x4d4d4d, 0x404040, 0x333333, 0x262626, 0x1b1b1b },
    .pale = 0.45,
    .stops = { 0x8e8e8e, 0x0c0c0c }, .n_stops = 2, .is_hatched = TRUE,
  },
  [PLG_PALETTE_COLOR_BLIND] = {
    .name = "color-blind", .title = N_ ("Color-Blind"), .line_width = 1, .contrast = 4.5,
    .ink = 0x1f2937,
    .fill = { 0xf0e442, 0x56b4e9, 0xd55e00, 0x0072b2, 0xe69f00, 0x009e73, 0x595959, 0xcc79a7 },
    .middle = { 0xafa62f, 0x388dbe, 0x915336, 0x0b5184, 0xb57c15, 0x0a7856, 0x929292, 0xa65985 },
    .strong = { 0x807700, 0x006a9b, 0x732600, 0x002e53, 0x8b5c00, 0x005037, 0x222222, 0x7e3360 },
    .pale = 0.45,
    .stops = { 0xa3913a, 0x837952, 0x60605f, 0x3a4560, 0x001c48 }, .n_stops = 5,
  },
  [PLG_PALETTE_HIGH_CONTRAST] = {
    .name = "high-contrast", .title = N_ ("High Contrast"), .line_width = 2, .contrast = 7,
    .ink = 0x000000,
    .fill = { 0x93ebd7, 0xbcb3fa, 0xffc688, 0x92d4ff, 0xff9f95, 0xbeed7d, 0xfebee1, 0xf9e77b },
    .middle = { 0x5aa294, 0x9a85f5, 0xcf8830, 0x6e9dbf, 0xe87352, 0x7ca148, 0xc97ea9, 0xa79645 },
    .strong = { 0x03544b, 0x4b2e96, 0x683c00, 0x004c7d, 0x831a1b, 0x365200, 0x7b165a, 0x544705 },
    .pale = 0.5,
    .stops = { 0x838698, 0x637fd9, 0x00269d, 0x956d3a, 0x933c05, 0x7a0000 }, .n_stops = 6,
  },
  [PLG_PALETTE_HIGH_CONTRAST_DARK] = {
    .name = "high-contrast-dark", .title = N_ ("High Contrast, Dark"), .dark = TRUE,
    .line_width = 2, .contrast = 7, .ink = 0x000000,
    .fill = { 0x004f44, 0x3d2178, 0x643400, 0x003863, 0x650e10, 0x284700, 0x722756, 0x584a00 },
    .middle = { 0x5ca496, 0x9c84f3, 0xda8311, 0x529bd5, 0xe07a3d, 0x7ba351, 0xc97ea9, 0xa89540 },
    .strong = { 0x65ebd8, 0xbcb3fa, 0xffc27e, 0x85c9fc, 0xffa198, 0xb6e86e, 0xf8a7d4, 0xf6de73 },
    .pale = 0.4,
    .stops = { 0x8c98a3, 0x5aa2f5, 0xa6d2ff, 0xe6c878, 0xff9d3c, 0xff5a4a }, .n_stops = 6,
  },
  [PLG_PALETTE_PROJECTOR] = {
    .name = "projector", .title = N_ ("Projector"), .line_width = 2, .contrast = 7, .ink = 0x000000,
    .fill = { 0x5fd0bb, 0xc3b5fa, 0xffa83d, 0x74bcf5, 0xff9c90, 0xa6de4a, 0xff9fdc, 0xf6e24a },
    .middle = { 0x0f8476, 0x8054ed, 0xa26720, 0x2279b6, 0xd53631, 0x83a850, 0xca379d, 0xad9e4d },
    .strong = { 0x03544b, 0x4b2e96, 0x683c00, 0x004c7d, 0x831a1b, 0x365200, 0x7b165a, 0x544705 },
    .pale = 0.35,
    .stops = { 0x838698, 0x637fd9, 0x00269d, 0x956d3a, 0x933c05, 0x7a0000 }, .n_stops = 6,
    .is_hatched = TRUE,
  },
};

/* The colours of each role in the order of PlgPalette: light, dark, print, grey, colour-blind,
 * high contrast, high contrast dark, projector. */
static const guint32 role_colors[PLG_N_ROLES][PLG_N_PALETTES] = {
  [PLG_ROLE_BACKGROUND] = { 0xfafafb, 0x1e1e20, 0xffffff, 0xffffff, 0xfafafb, 0xffffff, 0x000000,
                            0xffffff },
  [PLG_ROLE_CARD] = { 0xffffff, 0x2a2a2d, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0x000000,
                      0xffffff },
  [PLG_ROLE_CARD_BORDER] = { 0xdcdfe5, 0x4b4c52, 0xc3c8cf, 0xbdbdbd, 0xd2d6dd, 0x3d3d3d, 0xd0d0d0,
                             0x6b6b6b },
  [PLG_ROLE_TEXT] = { 0x1f2937, 0xf3f4f6, 0x111111, 0x111111, 0x1f2937, 0x000000, 0xffffff,
                      0x000000 },
  [PLG_ROLE_TEXT_DIM] = { 0x5b6472, 0xb4b9c2, 0x4a4f57, 0x4d4d4d, 0x5b6472, 0x2e3440, 0xe2e5ea,
                          0x2b2b2b },
  [PLG_ROLE_ACCENT] = { 0x1a5fb4, 0x62a8f5, 0x1a5fb4, 0x1a1a1a, 0x005a8f, 0x003f8a, 0x8cc8ff,
                        0x0038a8 },
  [PLG_ROLE_ERROR] = { 0xc01c28, 0xff7b72, 0xc01c28, 0x111111, 0xb34700, 0x8a0010, 0xff9b94,
                       0xa00010 },
  [PLG_ROLE_WARNING] = { 0x8f5a00, 0xf5c04a, 0x8f5a00, 0x4a4a4a, 0x8a6100, 0x5c3a00, 0xffd466,
                         0x5c3a00 },
  [PLG_ROLE_SUCCESS] = { 0x1b7f4b, 0x57d18e, 0x1b7f4b, 0x333333, 0x00734f, 0x00522b, 0x7fe8ae,
                         0x00522b },
  [PLG_ROLE_LINK_IDLE] = { 0xd3dae2, 0x4a4d55, 0xd3dae2, 0xd6d6d6, 0xd3dae2, 0xb8b8b8, 0x5c5c5c,
                           0xbcc4cc },
  [PLG_ROLE_GRID] = { 0xeef0f3, 0x35363a, 0xe6e8eb, 0xf2f2f2, 0xeef0f3, 0xd9d9d9, 0x3a3a3a,
                      0xd3d8df },
  [PLG_ROLE_CAPACITY] = { 0xc01c28, 0xff7b72, 0xc01c28, 0x111111, 0xb34700, 0x8a0010, 0xff9b94,
                          0xa00010 },
  [PLG_ROLE_WEIGHTS] = { 0x3584e4, 0x4b93ea, 0x3584e4, 0x3d3d3d, 0x0072b2, 0x004a9c, 0x64a1ee,
                         0x0a4aa8 },
  [PLG_ROLE_GRADIENTS] = { 0x62a0ea, 0x7db3f2, 0x62a0ea, 0x6b6b6b, 0x56b4e9, 0x5998e3, 0x95c1f7,
                           0x5fa3f2 },
  [PLG_ROLE_OPTIMIZER] = { 0x99c1f1, 0xb0d0f7, 0x99c1f1, 0xa3a3a3, 0xb4dcf5, 0xb6d4f8, 0xc7e1ff,
                           0xc4ddff },
  [PLG_ROLE_ACTIVATIONS] = { 0xffa348, 0xf0984a, 0xffa348, 0xdedede, 0xe69f00, 0xdd8736, 0xffb059,
                             0xff9a2e },
  [PLG_ROLE_BUFFERS] = { 0xdc8add, 0xcf86d6, 0xdc8add, 0x575757, 0xcc79a7, 0x7d2f81, 0xe596e7,
                         0xd58ae0 },
  [PLG_ROLE_RUNTIME] = { 0xc0bfbc, 0x8e8f94, 0xc0bfbc, 0xbdbdbd, 0x595959, 0x989898, 0xa4a4a4,
                         0x9c9c9c },
  [PLG_ROLE_PART_COMPUTE] = { 0x2ec27e, 0x3fbf80, 0x2ec27e, 0x3d3d3d, 0x009e73, 0x006231, 0x56db8f,
                              0x00633a },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_RECOMPUTE] = { 0x8fddb4, 0x8fd9b2, 0x8fddb4, 0xa3a3a3, 0x8fd6bf,
                                                   0x79dd9f, 0xaef9c8, 0x7fe0a8 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_HOST] = { 0x77767b, 0x85868c, 0x77767b, 0x575757, 0x4d4d4d,
                                              0x3d3846, 0xa3a3ab, 0x3d3846 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_BUBBLE] = { 0xffa348, 0xf0984a, 0xffa348, 0xdedede, 0xf0e442,
                                                0xe68c2c, 0xffb059, 0xffa63d },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_TP] = { 0x3584e4, 0x5b9df0, 0x3584e4, 0x2b2b2b, 0x0072b2,
                                            0x0553a6, 0x77adf5, 0x0a4fb0 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_CP] = { 0x2fa6b5, 0x4fc0cd, 0x2fa6b5, 0x8a8a8a, 0x56b4e9,
                                            0x41b2b2, 0x65e1e1, 0x35b6c6 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_EP] = { 0xd16ba5, 0xe087bd, 0xd16ba5, 0x6b6b6b, 0xcc79a7,
                                            0x8b2868, 0xef8bc5, 0x8f2a6c },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_PP] = { 0x8757b8, 0xb48ce0, 0x8757b8, 0x4f4f4f, 0xd55e00,
                                            0x5b2987, 0xc39dee, 0x5b2987 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_DP] = { 0xe5b80a, 0xe8c547, 0xe5b80a, 0xbdbdbd, 0xe69f00,
                                            0xe3ae28, 0xfacf4e, 0xf0c000 },
  [PLG_ROLE_PART_COMPUTE + PLG_PART_OPTIMIZER] = { 0xb5835a, 0xc49a78, 0xb5835a, 0x757575, 0x7a5c2e,
                                                   0x80421a, 0xce9677, 0x80421a },
  [PLG_ROLE_PART_KERNEL] = { 0xc0bfbc, 0x8e8f94, 0xc0bfbc, 0xcccccc, 0xb3b3b3, 0xbebebe, 0xb7b7b7,
                             0xc4c4c4 },
  [PLG_ROLE_AXIS_TP] = { 0x1a5fb4, 0x7ab4fa, 0x1a5fb4, 0x1a1a1a, 0x0072b2, 0x003f8a, 0x8cc8ff,
                         0x0048c0 },
  [PLG_ROLE_AXIS_TP + PLG_AXIS_CP] = { 0x0b7285, 0x5cc8d6, 0x0b7285, 0x757575, 0x009e73, 0x00525e,
                                       0x7ce3ee, 0x00606c },
  [PLG_ROLE_AXIS_TP + PLG_AXIS_EP] = { 0xa02c78, 0xf08cc4, 0xa02c78, 0x5e5e5e, 0x9b4d7d, 0x7a0f56,
                                       0xffa6d6, 0xa00e6a },
  [PLG_ROLE_AXIS_TP + PLG_AXIS_PP] = { 0x613583, 0xc19ae8, 0x613583, 0x474747, 0xd55e00, 0x4b1e73,
                                       0xd6b8ff, 0x3a0a6a },
  [PLG_ROLE_AXIS_TP + PLG_AXIS_DP] = { 0x9a5b0a, 0xf0b35a, 0x9a5b0a, 0x303030, 0x333333, 0x6b3a00,
                                       0xffcb7d, 0x834700 },
};

static const char *const role_names[PLG_N_ROLES] = {
  [PLG_ROLE_BACKGROUND] = "background",
  [PLG_ROLE_CARD] = "card",
  [PLG_ROLE_CARD_BORDER] = "card-border",
  [PLG_ROLE_TEXT] = "text",
  [PLG_ROLE_TEXT_DIM] = "text-dim",
  [PLG_ROLE_ACCENT] = "accent",
  [PLG_ROLE_ERROR] = "error",
  [PLG_ROLE_WARNING] = "warning",
  [PLG_ROLE_SUCCESS] = "success",
  [PLG_ROLE_LINK_IDLE] = "link-idle",
  [PLG_ROLE_GRID] = "grid",
  [PLG_ROLE_CAPACITY] = "capacity",
  [PLG_ROLE_WEIGHTS] = "weights",
  [PLG_ROLE_GRADIENTS] = "gradients",
  [PLG_ROLE_OPTIMIZER] = "optimizer",
  [PLG_ROLE_ACTIVATIONS] = "activations",
  [PLG_ROLE_BUFFERS] = "buffers",
  [PLG_ROLE_RUNTIME] = "runtime",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_COMPUTE] = "part-compute",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_RECOMPUTE] = "part-recompute",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_HOST] = "part-host",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_BUBBLE] = "part-bubble",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_TP] = "part-tp",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_CP] = "part-cp",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_EP] = "part-ep",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_PP] = "part-pp",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_DP] = "part-dp",
  [PLG_ROLE_PART_COMPUTE + PLG_PART_OPTIMIZER] = "part-optimizer",
  [PLG_ROLE_PART_KERNEL] = "part-kernel",
  [PLG_ROLE_AXIS_TP + PLG_AXIS_TP] = "axis-tp",
  [PLG_ROLE_AXIS_TP + PLG_AXIS_CP] = "axis-cp",
  [PLG_ROLE_AXIS_TP + PLG_AXIS_EP] = "axis-ep",
  [PLG_ROLE_AXIS_TP + PLG_AXIS_PP] = "axis-pp",
  [PLG_ROLE_AXIS_TP + PLG_AXIS_DP] = "axis-dp",
};

const char *
plg_role_name (PlgRole role)
{
  g_return_val_if_fail (role < PLG_N_ROLES, NULL);

  return role_names[role];
}

const char *
plg_palette_name (PlgPalette palette)
{
  g_return_val_if_fail (palette < PLG_N_PALETTES, NULL);

  return palettes[palette].name;
}

const char *
plg_palette_title (PlgPalette palette)
{
  g_return_val_if_fail (palette < PLG_N_PALETTES, NULL);

  return _ (palettes[palette].title);
}

gboolean
plg_palette_from_name (const char *name, PlgPalette *palette)
{
  g_return_val_if_fail (name != NULL && palette != NULL, FALSE);

  for (int i = 0; i < PLG_N_PALETTES; i++)
    {
      if (strcmp (name, palettes[i].name) == 0)
        {
          *palette = (PlgPalette) i;
          return TRUE;
        }
    }
  return FALSE;
}

void
plg_theme_init (PlgTheme *theme, PlgPalette palette)
{
  g_return_if_fail (palette < PLG_N_PALETTES);

  theme->palette = palette;
  theme->dark = palettes[palette].dark;
  theme->line_width = palettes[palette].line_width;
  theme->text_scale = 1;
  theme->font = PLG_TEXT_FAMILIES;
  for (int role = 0; role < PLG_N_ROLES; role++)
    theme->role[role] = plg_color_from_rgb (role_colors[role][palette]);
}

/* The hatches of the first N_TONES groups (values of PlgShape.hatch), from the least to the most
 * noticeable. Further groups repeat these hatches. */
static const int group_hatches[N_TONES] = { 0, 1, 3, 2, 4, 5, 6, 7 };

PlgColor
plg_theme_hatch_color (const PlgTheme *theme, PlgColor fill, PlgColor strong)
{
  const PlgColor white = plg_color_from_rgb (0xffffff);
  PlgColor text = plg_theme_text_on (theme, fill), line;
  double step;

  /* On dark fills, mix in more of the strong tone. In palettes with hatches, the strong tone is
   * darker than the fill, so light text is easier to read on the lines. */
  if (plg_color_lightness (text) > 0.5)
    return plg_color_mix (fill, strong, HATCH_SHARE_DARK);
  step = MIN (HATCH_SHARE, HATCH_DISTANCE / MAX (plg_color_distance (fill, strong), 0.01)) / 4;
  for (int steps = 4; steps >= 3; steps--)
    {
      line = plg_color_mix (fill, strong, steps * step);
      if (plg_color_contrast (text, line) >= palettes[theme->palette].contrast)
        return line;
    }
  return plg_color_mix (fill, white, HATCH_SHARE_LIGHT);
}

int
plg_theme_hatch (const PlgTheme *theme, PlgRole role)
{
  if (!palettes[theme->palette].is_hatched)
    return 0;
  switch ((int) role)
    {
    case PLG_ROLE_GRADIENTS:
      return 1;
    case PLG_ROLE_OPTIMIZER:
      return 3;
    case PLG_ROLE_ACTIVATIONS:
      return 2;
    case PLG_ROLE_BUFFERS:
      return 5;
    case PLG_ROLE_RUNTIME:
      return 4;
    default:
      return 0;
    }
}

PlgDashes
plg_theme_axis_dash (PlgAxis axis)
{
  static const PlgDashes dashes[PLG_N_AXES] = {
    [PLG_AXIS_TP] = PLG_DASH_NONE,     [PLG_AXIS_CP] = PLG_DASH_DOTS,
    [PLG_AXIS_EP] = PLG_DASH_DOT_DASH, [PLG_AXIS_PP] = PLG_DASH_LONG,
    [PLG_AXIS_DP] = PLG_DASH_SHORT,
  };

  g_return_val_if_fail (axis < PLG_N_AXES, PLG_DASH_NONE);

  return dashes[axis];
}

PlgSwatch
plg_theme_swatch (const PlgTheme *theme, int index, int count, gboolean pale)
{
  const Palette *palette = &palettes[theme->palette];
  /* Do not lighten the grey fills, because the lightest grey must remain distinct from empty
   * cells. */
  double lightest = theme->palette == PLG_PALETTE_GREY ? 0 : 0.05, darkest = -0.10, shift = 0;
  int tone, last_round;
  PlgSwatch swatch;

  index = MAX (index, 0);
  tone = index % N_TONES;
  /* In the grey palette, spread a small number of groups over the whole range of lightness. */
  if (theme->palette == PLG_PALETTE_GREY && count > 1 && count < N_TONES)
    tone = MIN (tone * (N_TONES - 1) / (count - 1), N_TONES - 1);
  last_round = MAX (MAX (count, 1) - 1, index) / N_TONES;
  if (last_round > 0)
    {
      /* Use a smaller range of lightness, because light in the room washes out the lightest
       * tones and the text on the darkest tones. */
      if (theme->palette == PLG_PALETTE_PROJECTOR)
        {
          lightest = 0.04;
          darkest = -0.07;
        }
      shift = lightest + (darkest - lightest) * (index / N_TONES) / last_round;
    }

  swatch.fill = plg_color_lighten (plg_color_from_rgb (palette->fill[tone]), shift);
  swatch.middle = plg_color_lighten (plg_color_from_rgb (palette->middle[tone]), shift);
  swatch.strong = plg_color_lighten (plg_color_from_rgb (palette->strong[tone]), shift);
  swatch.border = swatch.strong;
  if (pale)
    {
      swatch.border = plg_color_mix (swatch.strong, swatch.fill, 0.4);
      swatch.fill = plg_color_mix (swatch.fill, theme->role[PLG_ROLE_CARD], palette->pale);
    }
  swatch.text = plg_theme_text_on (theme, swatch.fill);
  swatch.hatch = palette->is_hatched ? group_hatches[index % N_TONES] : 0;
  swatch.hatch_color = swatch.hatch != 0 ? plg_theme_hatch_color (theme, swatch.fill, swatch.strong)
                                         : PLG_COLOR_NONE;
  return swatch;
}

PlgColor
plg_theme_link_color (const PlgTheme *theme, double share)
{
  const Palette *palette = &palettes[theme->palette];
  /* This comparison treats a share of NaN as 0, the quiet end of the scale. */
  double along = (share > 0 ? MIN (share, 1) : 0) * (palette->n_stops - 1);
  int stop = MIN ((int) along, palette->n_stops - 2);

  return plg_color_mix (plg_color_from_rgb (palette->stops[stop]),
                        plg_color_from_rgb (palette->stops[stop + 1]), along - stop);
}

PlgColor
plg_theme_text_on (const PlgTheme *theme, PlgColor fill)
{
  const Palette *palette = &palettes[theme->palette];
  const PlgColor white = plg_color_from_rgb (0xffffff), black = plg_color_from_rgb (0x000000);
  PlgColor ink = plg_color_from_rgb (palette->ink);
  double on_white = plg_color_contrast (white, fill);

  if (on_white > plg_color_contrast (ink, fill) && on_white >= palette->contrast)
    return white;
  if (plg_color_contrast (ink, fill) >= palette->contrast)
    return ink;
  /* On any colour, either white or black has a contrast of at least 4.58, so use the better of
   * the two. */
  return on_white > plg_color_contrast (black, fill) ? white : black;
}

double
plg_theme_dim_share (const PlgTheme *theme)
{
  /* Dim less in high contrast, because readers who need high contrast must see the whole cluster
   * at all times. */
  return theme->palette == PLG_PALETTE_HIGH_CONTRAST ||
                 theme->palette == PLG_PALETTE_HIGH_CONTRAST_DARK
             ? 0.32
             : 0.72;
}
