/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/figure.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The button with the width of a PNG in pixels. What it proposes depends on the picture, and what
 * somebody has chosen instead stays as long as there can be a PNG of it. SHOWN is the figure that
 * the button's value was meant for; NULL where there was none yet. */

/* Pixels a point of FIGURE, shown or not. */
double
plg_export_scale_for (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure);
/* Lets BUTTON stand for FIGURE from now on. */
void
plg_export_scale_follow (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure);

G_END_DECLS
