/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* A document of one page, upright A4 with the usual margins, from MARKDOWN as this program writes
 * it: headings, paragraphs, lists, tables. Letters become smaller, down to what can still be read,
 * until all fits; what does not even then ends with "…". */
PlgFigure *plg_page_figure (const char *markdown, const PlgTheme *theme);

G_END_DECLS
