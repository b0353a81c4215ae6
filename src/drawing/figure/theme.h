/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/color.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* Every colour in a picture comes from a role. */
typedef enum
{
  PLG_ROLE_BACKGROUND,
  PLG_ROLE_CARD, /* a node's box */
  PLG_ROLE_CARD_BORDER,
  PLG_ROLE_TEXT,
  PLG_ROLE_TEXT_DIM,
  PLG_ROLE_ACCENT, /* selection, TP outlines */
  PLG_ROLE_ERROR,
  PLG_ROLE_WARNING,
  PLG_ROLE_SUCCESS,
  PLG_ROLE_LINK_IDLE,
  PLG_ROLE_GRID,     /* faint lines, empty time */
  PLG_ROLE_CAPACITY, /* the limit line in the memory picture */
  PLG_ROLE_WEIGHTS,
  PLG_ROLE_GRADIENTS,
  PLG_ROLE_OPTIMIZER,
  PLG_ROLE_ACTIVATIONS,
  PLG_ROLE_BUFFERS,
  PLG_ROLE_RUNTIME,
  PLG_ROLE_PART_COMPUTE, /* then one for each PlgPart, in its order */
  PLG_ROLE_PART_LAST = PLG_ROLE_PART_COMPUTE + PLG_N_PARTS - 1,
  PLG_ROLE_PART_KERNEL, /* what kernels lose of the peak */
  PLG_ROLE_AXIS_TP,     /* then one for each PlgAxis, in its order */
  PLG_ROLE_AXIS_LAST = PLG_ROLE_AXIS_TP + PLG_N_AXES - 1,
  PLG_N_ROLES,
} PlgRole;

typedef enum
{
  PLG_PALETTE_LIGHT,
  PLG_PALETTE_DARK,
  PLG_PALETTE_PRINT,       /* light, on white, for paper */
  PLG_PALETTE_GREY,        /* no hue */
  PLG_PALETTE_COLOR_BLIND, /* Okabe-Ito hues: apart for all three colour-blindnesses */
  PLG_PALETTE_HIGH_CONTRAST,
  PLG_PALETTE_HIGH_CONTRAST_DARK,
  PLG_PALETTE_PROJECTOR, /* legible where a room's light washes black out */
} PlgPalette;
#define PLG_N_PALETTES 8

/* Which lines tell apart what colours may not. */
typedef enum
{
  PLG_DASH_NONE,
  PLG_DASH_SHORT,
  PLG_DASH_DOTS,
  PLG_DASH_DOT_DASH,
  PLG_DASH_LONG,
} PlgDashes;

typedef struct
{
  PlgPalette palette;
  gboolean dark;
  double line_width; /* of borders, px: 1, or 2 in high contrast */
  double text_scale; /* 1 = 96 dpi */
  const char *font;  /* family list */
  PlgColor role[PLG_N_ROLES];
} PlgTheme;

/* "text-dim": what styles and sources call a role. */
const char *plg_role_name (PlgRole role);

/* Names: "light", "dark", "print", "grey", "color-blind", "high-contrast", "high-contrast-dark",
 * "projector". */
const char *plg_palette_name (PlgPalette palette);
const char *plg_palette_title (PlgPalette palette); /* translated */
gboolean plg_palette_from_name (const char *name, PlgPalette *palette);
void plg_theme_init (PlgTheme *theme, PlgPalette palette);

/* The fill of group INDEX of COUNT (stages, TP groups …): stays distinct to 8, then repeats in a
 * spread of lightness. STRONG is for bars and blocks, MIDDLE is told from both by those who see no
 * hues, too. TEXT is legible on FILL (contrast >= 4.5). */
typedef struct
{
  PlgColor fill;
  PlgColor middle;
  PlgColor strong;
  PlgColor border;
  PlgColor text;
  /* Lines over the fill, as of PlgShape, where colours may look alike; 0: none. */
  int hatch;
  PlgColor hatch_color;
} PlgSwatch;
PlgSwatch plg_theme_swatch (const PlgTheme *theme, int index, int count, gboolean pale);

/* The hatch of what has the colour of ROLE, one of the memory's: 0 in palettes that need none. */
int plg_theme_hatch (const PlgTheme *theme, PlgRole role);
/* The colour of hatches over FILL: seen, and no hindrance to the text on it. */
PlgColor plg_theme_hatch_color (const PlgTheme *theme, PlgColor fill, PlgColor strong);

/* The dashes of lines of AXIS, so that outlines and rings differ without colours. */
PlgDashes plg_theme_axis_dash (PlgAxis axis);

/* The colour of a link at SHARE 0..1 of its scale. */
PlgColor plg_theme_link_color (const PlgTheme *theme, double share);
/* How far what is not lit goes towards the card, of 1: in palettes of high contrast its texts stay
 * legible (4.5). */
double plg_theme_dim_share (const PlgTheme *theme);
/* What is legible on FILL: contrast >= 4.5, and >= 7 on every fill of the high-contrast palettes.
 */
PlgColor plg_theme_text_on (const PlgTheme *theme, PlgColor fill);

G_END_DECLS
