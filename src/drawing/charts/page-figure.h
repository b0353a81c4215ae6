/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

G_BEGIN_DECLS

/* plg_page_figure:
 * @markdown: headings, paragraphs, lists and tables in the Markdown that this program writes
 * @theme: the colours
 *
 * Lays out a document on one portrait A4 page. If the document is too long, its text shrinks
 * until everything fits or the smallest readable size is reached. If it is still too long, it is
 * cut off and ends with "…".
 *
 * Returns: (transfer full): the page */
PlgFigure *plg_page_figure (const char *markdown, const PlgTheme *theme) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
