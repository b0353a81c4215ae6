/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A dark veil over all that is below it, with a clear disc where everybody is to look. It takes no
 * events, and assistive technology does not know of it. */
#define PLG_TYPE_POINTER_SPOTLIGHT (plg_pointer_spotlight_get_type ())
G_DECLARE_FINAL_TYPE (PlgPointerSpotlight, plg_pointer_spotlight, PLG, POINTER_SPOTLIGHT, GtkWidget)

/* The middle of the disc, and its radius, in pixels of the widget. Only the beam is painted anew.
 */
void plg_pointer_spotlight_set_disc (PlgPointerSpotlight *self, double x, double y, double radius);
/* What it lights; a radius of 0: nothing yet. */
void
plg_pointer_spotlight_get_disc (PlgPointerSpotlight *self, double *x, double *y, double *radius);

G_END_DECLS
