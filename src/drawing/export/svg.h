/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* plg_svg_write:
 * @figure: the figure
 * @theme: the colours
 * @layers: the layers to write
 * @background: colour of the background; a colour with alpha 0 leaves it transparent
 * @attachment: (nullable): plan XML, stored as metadata from which the plan can be opened
 *
 * Writes an SVG 1.1 document with real text, with groups as <g>, and with the ids, classes and
 * titles of the shapes. Cairo's SVG surface is not used because it writes text as outlines and
 * writes no ids. The same figure gives the same XML in every locale.
 *
 * Returns: (transfer full): the XML */
char *plg_svg_write (const PlgFigure *figure,
                     const PlgTheme *theme,
                     PlgLayers layers,
                     PlgColor background,
                     GBytes *attachment);

/* The namespace of the element <plan> in the metadata. The text of this element is the
 * attachment. */
#define PLG_SVG_NAMESPACE "urn:parallelogram:picture"

G_END_DECLS
