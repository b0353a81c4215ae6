/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The spin button for the width of a PNG [pixels]. The default width depends on the picture. A
 * width that the user has entered is kept as long as a PNG of this width is possible. SHOWN is
 * the figure for which the width was last set, or NULL if no figure has been shown yet. */

/* Returns the scale of a PNG of FIGURE [pixels per point]. */
double
plg_export_scale_for (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure);
/* Sets the range and value of BUTTON for a PNG of FIGURE. */
void
plg_export_scale_follow (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure);

G_END_DECLS
