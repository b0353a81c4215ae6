/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/paint.h"

G_BEGIN_DECLS

/* The shapes of LAYERS over BACKGROUND (alpha 0: none) as an SVG 1.1 document: real text, the
 * shapes' ids, classes and titles, groups as <g>. Cairo's own SVG has outlines for text and no
 * ids, hence this. The same figure gives the same bytes in every locale. g_free(). */
char *plg_svg_write (const PlgFigure *figure,
                     const PlgTheme *theme,
                     PlgLayers layers,
                     PlgColor background);

G_END_DECLS
