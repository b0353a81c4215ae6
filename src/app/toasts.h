/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Toasts over a window, one at a time: what is told while one is shown takes its place, and what is
 * told while one goes waits until it is gone. MESSAGE is plain text, translated. */
void plg_toasts_show (AdwToastOverlay *overlay, const char *message);
/* What is told whatever else is: it stands above other messages until it has been shown to its end,
 * or is no longer true. */
void plg_toasts_show_persistent (AdwToastOverlay *overlay, const char *message);
void plg_toasts_clear_persistent (AdwToastOverlay *overlay);
/* What was told, all of it, is of something that is gone. */
void plg_toasts_clear (AdwToastOverlay *overlay);
/* A button on what was told last; LABEL NULL: none any longer. */
void plg_toasts_set_button (AdwToastOverlay *overlay, const char *label, const char *action);
/* Toasts lie HEIGHT pixels above the lower end of OVERLAY, and while BESIDE is shown at its left
 * end, to the right of that where there is room: what is read there stays clear. BESIDE outlives
 * OVERLAY.
 */
void plg_toasts_set_bottom (AdwToastOverlay *overlay, int height, GtkWidget *beside);

G_END_DECLS
