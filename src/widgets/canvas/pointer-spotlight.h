/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A dark shade over the widgets below, with a clear disc that directs the attention of the
 * audience. The spotlight receives no events and is hidden from assistive technology. */
#define PLG_TYPE_POINTER_SPOTLIGHT (plg_pointer_spotlight_get_type ())
G_DECLARE_FINAL_TYPE (PlgPointerSpotlight, plg_pointer_spotlight, PLG, POINTER_SPOTLIGHT, GtkWidget)

/* Sets the centre and radius of the disc in the widget [pixels]; a radius of 0 removes the disc.
 * Redraws only the spotlight. */
void plg_pointer_spotlight_set_disc (PlgPointerSpotlight *self, double x, double y, double radius);
void
plg_pointer_spotlight_get_disc (PlgPointerSpotlight *self, double *x, double *y, double *radius);

G_END_DECLS
