/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure.h"
#include "engine/tally.h"

G_BEGIN_DECLS

/* How a class answered: a bar a choice, as long as the share of the class that took it, the right
 * one with an outline and in words. WIDTH in points; 0: natural. EMBEDDED: without its title.
 * QUESTION: only this one; -1: all. */
PlgFigure *plg_tally_figure (const PlgTally *tally,
                             const PlgTheme *theme,
                             double width,
                             gboolean embedded,
                             int question);

G_END_DECLS
