/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/export-scale.h"

#include "drawing/export.h"

#include <math.h>

/* The least and the most pixels a point. */
#define LEAST 0.1
#define MOST 10.0

static double
pixels_at (const PlgFigure *figure, double scale)
{
  return MAX (round (plg_figure_width (figure) * scale), 1);
}

double
plg_export_scale_for (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  double pixels = gtk_spin_button_get_value (button), usual = plg_export_usual_scale (figure);

  /* Nobody has chosen another width than the one proposed. */
  if (shown == NULL || pixels == pixels_at (shown, plg_export_usual_scale (shown)))
    return usual;
  return CLAMP (pixels / plg_figure_width (figure), LEAST,
                MIN (plg_export_largest_scale (figure), MOST));
}

void
plg_export_scale_follow (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  double scale = plg_export_scale_for (button, shown, figure);

  gtk_spin_button_set_range (button, pixels_at (figure, LEAST),
                             pixels_at (figure, MIN (plg_export_largest_scale (figure), MOST)));
  gtk_spin_button_set_value (button, pixels_at (figure, scale));
}
