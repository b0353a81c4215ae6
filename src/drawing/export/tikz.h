/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* The shapes of LAYERS over BACKGROUND (alpha 0: none) as a LaTeX document of one page that
 * pdflatex makes with nothing but pgf; the tikzpicture and its definitions can be copied into a
 * paper. Text is text in the document's sans serif, made narrower where it would be wider than on
 * screen. Colours have the names of their roles. The same figure gives the same bytes. g_free(). */
char *plg_tikz_write (const PlgFigure *figure,
                      const PlgTheme *theme,
                      PlgLayers layers,
                      PlgColor background);

G_END_DECLS
