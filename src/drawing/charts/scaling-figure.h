/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/pictures.h"

G_BEGIN_DECLS

/* Draws MFU against the number of GPUs in weak and strong scaling, which is the sweep that
 * plg_sweep_figure() draws if the options have no other sweep. */
PlgFigure *plg_scaling_figure (const PlgPlan *plan,
                               const PlgReport *report,
                               const PlgTheme *theme,
                               const PlgPictureOptions *options) G_GNUC_WARN_UNUSED_RESULT;
void plg_ascii_add_scaling (GString *out,
                            const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgPictureOptions *options);

G_END_DECLS
