/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* plg_tikz_write:
 * @figure: the figure
 * @theme: the colours
 * @layers: the layers to write
 * @background: colour of the background; a colour with alpha 0 leaves it transparent
 *
 * Writes a LaTeX document of one page that needs only pgf; its tikzpicture and definitions can
 * be copied into a paper. Text is set in the document's sans-serif font and condensed to its
 * width on screen. Colour names are derived from roles. The same figure gives the same bytes.
 *
 * Returns: (transfer full): the LaTeX source */
char *plg_tikz_write (const PlgFigure *figure,
                      const PlgTheme *theme,
                      PlgLayers layers,
                      PlgColor background);

G_END_DECLS
