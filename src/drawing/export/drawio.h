/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* plg_drawio_write:
 * @figure: the figure
 * @theme: the colours
 * @layers: the layers to write
 * @background: colour of the page; a colour with alpha 0 leaves the page transparent
 * @plan: (nullable): the plan of the figure
 * @report: (nullable): the report of the figure
 *
 * Writes a file for draw.io (diagrams.net), an mxGraphModel in XML. GPUs are cells inside the
 * cells of their nodes. With @plan and @report, links are edges that stay connected when cells
 * move. Each layer becomes a layer in draw.io. The same input always gives the same XML.
 *
 * Returns: (transfer full): the XML */
char *plg_drawio_write (const PlgFigure *figure,
                        const PlgTheme *theme,
                        PlgLayers layers,
                        PlgColor background,
                        const PlgPlan *plan,
                        const PlgReport *report);

G_END_DECLS
