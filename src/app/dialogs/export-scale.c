/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/dialogs/export-scale.h"

#include "drawing/export/export.h"

#include <math.h>

/* The limits of the scale [pixels per point]. */
#define MIN_PIXELS 0.1
#define MAX_PIXELS 10.0

static double
pixels_at (const PlgFigure *figure, double scale)
{
  return MAX (round (plg_figure_width (figure) * scale), 1);
}

double
plg_export_scale_for (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  double pixels = gtk_spin_button_get_value (button), usual = plg_export_default_scale (figure);

  /* Return the default scale unless the user has entered a different width. */
  if (shown == NULL || pixels == pixels_at (shown, plg_export_default_scale (shown)))
    return usual;
  return CLAMP (pixels / plg_figure_width (figure), MIN_PIXELS,
                MIN (plg_export_max_scale (figure), MAX_PIXELS));
}

void
plg_export_scale_follow (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  double scale = plg_export_scale_for (button, shown, figure);

  gtk_spin_button_set_range (button, pixels_at (figure, MIN_PIXELS),
                             pixels_at (figure, MIN (plg_export_max_scale (figure), MAX_PIXELS)));
  gtk_spin_button_set_value (button, pixels_at (figure, scale));
}
