/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* The shapes of LAYERS as a file of draw.io (diagrams.net), the mxGraphModel of its XML. GPUs are
 * cells inside the cells of their nodes and move with them; where PLAN and REPORT are given (or
 * else NULL), links are edges that stay joined to what they join. All else is plain shapes, each
 * layer one of draw.io's. The same input gives the same bytes. g_free(). */
char *plg_drawio_write (const PlgFigure *figure,
                        const PlgTheme *theme,
                        PlgLayers layers,
                        PlgColor background,
                        const PlgPlan *plan,
                        const PlgReport *report);

G_END_DECLS
