/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/paint.h"

G_BEGIN_DECLS

/* The shapes of LAYERS over BACKGROUND (alpha 0: none) as an SVG 1.1 document: real text, the
 * shapes' ids, classes and titles, groups as <g>. Cairo's own SVG has outlines for text and no
 * ids, hence this. The same figure gives the same bytes in every locale. ATTACHMENT, plan XML or
 * NULL, is carried along as metadata, which readers of plans find. g_free(). */
char *plg_svg_write (const PlgFigure *figure,
                     const PlgTheme *theme,
                     PlgLayers layers,
                     PlgColor background,
                     GBytes *attachment);

/* The namespace of the attachment's element in the metadata, "plan", whose text is the file. */
#define PLG_SVG_NAMESPACE "urn:parallelogram:picture"

G_END_DECLS
