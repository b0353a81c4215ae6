/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/color.h"
#include "engine/report/report.h"

G_BEGIN_DECLS

/* The roles of colours. Every colour in a picture has one of these roles. */
typedef enum
{
  PLG_ROLE_BACKGROUND,
  PLG_ROLE_CARD, /* the box of a node */
  PLG_ROLE_CARD_BORDER,
  PLG_ROLE_TEXT,
  PLG_ROLE_TEXT_DIM,
  PLG_ROLE_ACCENT, /* selection and TP outlines */
  PLG_ROLE_ERROR,
  PLG_ROLE_WARNING,
  PLG_ROLE_SUCCESS,
  PLG_ROLE_LINK_IDLE,
  PLG_ROLE_GRID,     /* faint lines and idle time */
  PLG_ROLE_CAPACITY, /* limit line in the memory picture */
  PLG_ROLE_WEIGHTS,
  PLG_ROLE_GRADIENTS,
  PLG_ROLE_OPTIMIZER,
  PLG_ROLE_ACTIVATIONS,
  PLG_ROLE_BUFFERS,
  PLG_ROLE_RUNTIME,
  PLG_ROLE_PART_COMPUTE, /* first role of a range: one role per PlgPart, in the order of the enum */
  PLG_ROLE_PART_LAST = PLG_ROLE_PART_COMPUTE + PLG_N_PARTS - 1,
  PLG_ROLE_PART_KERNEL, /* share of the peak rate that kernels do not achieve, in the MFU picture */
  PLG_ROLE_AXIS_TP,     /* first role of a range: one role per PlgAxis, in the order of the enum */
  PLG_ROLE_AXIS_LAST = PLG_ROLE_AXIS_TP + PLG_N_AXES - 1,
  PLG_N_ROLES,
} PlgRole;

typedef enum
{
  PLG_PALETTE_LIGHT,
  PLG_PALETTE_DARK,
  PLG_PALETTE_PRINT,       /* light colours on white, for paper */
  PLG_PALETTE_GREY,        /* has no hues */
  PLG_PALETTE_COLOR_BLIND, /* hues of Okabe and Ito, which are distinct for all three kinds of
                              colour blindness */
  PLG_PALETTE_HIGH_CONTRAST,
  PLG_PALETTE_HIGH_CONTRAST_DARK,
  PLG_PALETTE_PROJECTOR, /* legible even if room light washes out black */
} PlgPalette;
#define PLG_N_PALETTES 8

/* Dashes distinguish lines whose colours may look alike. */
typedef enum
{
  PLG_DASH_NONE,
  PLG_DASH_SHORT,
  PLG_DASH_DOTS,
  PLG_DASH_DOT_DASH,
  PLG_DASH_LONG,
} PlgDashes;
#define PLG_N_DASHES 5

typedef struct
{
  PlgPalette palette;
  gboolean dark;
  double line_width; /* width of borders [px]: 1, or 2 in high contrast */
  double text_scale; /* scale of text; 1 means 96 dpi */
  const char *font;  /* list of font families */
  PlgColor role[PLG_N_ROLES];
} PlgTheme;

/* Returns the untranslated name of ROLE in TikZ sources, such as "text-dim". */
const char *plg_role_name (PlgRole role);

/* Returns the untranslated name of PALETTE: "light", "dark", "print", "grey", "color-blind",
 * "high-contrast", "high-contrast-dark" or "projector". */
const char *plg_palette_name (PlgPalette palette);
const char *plg_palette_title (PlgPalette palette); /* Returns the translated title of PALETTE. */
gboolean plg_palette_from_name (const char *name, PlgPalette *palette);
void plg_theme_init (PlgTheme *theme, PlgPalette palette);

/* The colours of one stage, group or memory part. */
typedef struct
{
  PlgColor fill;
  PlgColor middle; /* a tone that is distinct from fill and strong even without hues */
  PlgColor strong; /* tone for bars and blocks */
  PlgColor border;
  PlgColor text; /* text colour that is legible on fill: contrast >= 4.5 */
  int hatch;     /* hatch (a value of PlgShape.hatch) if colours may look alike, otherwise 0 */
  PlgColor hatch_color;
} PlgSwatch;
/* Returns the swatch of group INDEX of COUNT (stages, TP groups …). The hues of up to 8 groups
 * are distinct; further groups repeat the hues with a different lightness. */
PlgSwatch plg_theme_swatch (const PlgTheme *theme, int index, int count, gboolean pale);

/* Returns the hatch of the memory part that uses ROLE as its colour, or 0 in palettes without
 * hatches. */
int plg_theme_hatch (const PlgTheme *theme, PlgRole role);
/* Returns the colour of hatch lines over FILL. The lines are visible, and the text on FILL stays
 * legible. */
PlgColor plg_theme_hatch_color (const PlgTheme *theme, PlgColor fill, PlgColor strong);

/* Returns the dash pattern for the outlines and rings of AXIS. The pattern distinguishes the
 * axes even without colours. */
PlgDashes plg_theme_axis_dash (PlgAxis axis);

/* Returns the colour of a link at position SHARE (0..1) on the link scale, from quiet to busy. */
PlgColor plg_theme_link_color (const PlgTheme *theme, double share);
/* Returns the share 0..1 of the card colour that is mixed into dimmed colours. In high-contrast
 * palettes, dimmed text remains legible (contrast >= 4.5). */
double plg_theme_dim_share (const PlgTheme *theme);
/* Returns a text colour that is legible on FILL: contrast >= 4.5, or >= 7 in high-contrast
 * palettes. */
PlgColor plg_theme_text_on (const PlgTheme *theme, PlgColor fill);

G_END_DECLS
