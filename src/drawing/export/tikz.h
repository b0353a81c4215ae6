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
 * Writes a LaTeX document with one page. The document needs only pgf, and its tikzpicture and
 * definitions can be copied into a paper. Text uses the document's sans-serif font and is
 * condensed if it would be wider than in the figure. Colours are named after their roles. The
 * same figure always gives the same LaTeX source.
 *
 * Returns: (transfer full): the LaTeX source */
char *plg_tikz_write (const PlgFigure *figure,
                      const PlgTheme *theme,
                      PlgLayers layers,
                      PlgColor background);

G_END_DECLS
