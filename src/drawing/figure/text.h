/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* Text for every picture is shaped once, without hinting and without rounding to pixels, so that
 * screen, paper and files break and place it alike. plg_text_width() is declared in figure.h. */

/* The family list of all pictures; the first that is installed is used. */
#define PLG_TEXT_FAMILIES "Cantarell, Inter, Noto Sans, DejaVu Sans, sans-serif"

/* What a line takes above and below its baseline, as shares of the font size. */
#define PLG_TEXT_ASCENT 0.95
#define PLG_TEXT_DESCENT 0.25

/* TEXT, or as much of it as fits into WIDTH with "…" at its end; "" when not even that fits.
 * g_free(). */
char *plg_text_fit (const char *text, double width, double font_size, gboolean bold);

/* The same with "…" where its end begins, for names that begin alike. g_free(). */
char *plg_text_fit_ends (const char *text, double width, double font_size, gboolean bold);

/* TEXT in lines of at most WIDTH, broken at spaces and line ends; a word that is wider is
 * shortened. g_strfreev(). */
char **plg_text_wrap (const char *text, double width, double font_size, gboolean bold);

/* Where text of WIDTH begins when it is anchored at X. */
double plg_text_left (double x, PlgAnchor anchor, double width);

/* Draws TEXT in the current source with its baseline at AT. */
void plg_text_show (cairo_t *cr,
                    const char *text,
                    PlgPoint at,
                    PlgAnchor anchor,
                    double font_size,
                    gboolean bold);

G_END_DECLS
