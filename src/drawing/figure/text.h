/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <cairo.h>

G_BEGIN_DECLS

/* The text of all pictures is shaped without hinting and without rounding to pixels, so each
 * character has the same position on the screen, on paper and in exported files.
 * plg_text_width() is declared in figure.h. */

/* The font families of all pictures; the first installed family is used. */
#define PLG_TEXT_FAMILIES "Cantarell, Inter, Noto Sans, DejaVu Sans, sans-serif"

/* The height of a line above its baseline and below it, as shares of the font size. */
#define PLG_TEXT_ASCENT 0.95
#define PLG_TEXT_DESCENT 0.25

/* Shortens TEXT to WIDTH points with "…" at its end; returns "" if not even "…" fits. Free with
 * g_free(). */
char *plg_text_fit (const char *text, double width, double font_size, gboolean bold)
    G_GNUC_WARN_UNUSED_RESULT;

/* Shortens TEXT to WIDTH points with "…" in the middle, for names that begin alike and differ at
 * the end. Free with g_free(). */
char *plg_text_fit_ends (const char *text, double width, double font_size, gboolean bold)
    G_GNUC_WARN_UNUSED_RESULT;

/* Breaks TEXT at spaces and newlines into lines of at most WIDTH points. A word that is wider
 * than a line is shortened. Free with g_strfreev(). */
char **plg_text_wrap (const char *text, double width, double font_size, gboolean bold)
    G_GNUC_WARN_UNUSED_RESULT;

/* Returns the left edge of a text of WIDTH that is anchored at X. */
double plg_text_left (double x, PlgAnchor anchor, double width);

/* Draws TEXT in the current source of CR with the baseline at AT. */
void plg_text_show (cairo_t *cr,
                    const char *text,
                    PlgPoint at,
                    PlgAnchor anchor,
                    double font_size,
                    gboolean bold);

G_END_DECLS
