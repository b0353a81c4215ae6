/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows MESSAGE (translated plain text) as a toast over a window. A newer message replaces an
 * older one. */
void plg_toasts_show (AdwToastOverlay *overlay, const char *message);
/* Shows MESSAGE above all other messages until MESSAGE times out or
 * plg_toasts_clear_persistent() is called. */
void plg_toasts_show_persistent (AdwToastOverlay *overlay, const char *message);
void plg_toasts_clear_persistent (AdwToastOverlay *overlay);
/* Discards every message. */
void plg_toasts_clear (AdwToastOverlay *overlay);
/* Sets the button of the latest message; a NULL label removes the button. */
void plg_toasts_set_button (AdwToastOverlay *overlay, const char *label, const char *action);
/* Keeps toasts HEIGHT [pixels] above the lower edge of OVERLAY and, if the window is wide
 * enough, to the right of BESIDE. BESIDE must outlive OVERLAY. */
void plg_toasts_set_bottom (AdwToastOverlay *overlay, int height, GtkWidget *beside);

G_END_DECLS
