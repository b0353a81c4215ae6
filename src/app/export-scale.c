/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "app/export-scale.h"

#include "drawing/export.h"

#include <math.h>

/* Where the button begins, its steps, and where it ends. */
#define STEP 0.1
#define MOST 10.0

/* Whether nobody has chosen another scale than the one proposed. */
static gboolean
is_usual (GtkSpinButton *button, const PlgFigure *shown)
{
  double scale = gtk_spin_button_get_value (button);

  return shown == NULL || fabs (scale - plg_export_usual_scale (shown)) < STEP / 2;
}

double
plg_export_scale_for (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  return is_usual (button, shown)
             ? plg_export_usual_scale (figure)
             : MIN (gtk_spin_button_get_value (button), plg_export_largest_scale (figure));
}

void
plg_export_scale_follow (GtkSpinButton *button, const PlgFigure *shown, const PlgFigure *figure)
{
  double scale = plg_export_scale_for (button, shown, figure);

  gtk_spin_button_set_range (button, STEP, MIN (plg_export_largest_scale (figure), MOST));
  gtk_spin_button_set_value (button, scale);
}
