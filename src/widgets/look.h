/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The theme that pictures on screen have now: PALETTE by name, or with "automatic" (or NULL) what
 * the desktop asks for: light or dark, high contrast or not. */
void plg_look_theme (const char *palette, PlgTheme *theme);

/* How much larger than normal people want text: 1 at 96 dpi. */
double plg_look_text_scale (GtkWidget *widget);

/* Calls gtk_widget_queue_allocate() through CALLBACK (self, …) whenever plg_look_theme() or
 * plg_look_text_scale() would answer something else. */
void plg_look_watch (GtkWidget *widget, GCallback callback);

/* WIDGET is at least WIDTH pixels wide at normal text size, and wider with larger text, or titles
 * would break inside words. */
void plg_look_set_text_width (GtkWidget *widget, int width);

/* WIDGET and all below it read from left to right in every language, as time does in pictures. */
void plg_look_keep_left_to_right (GtkWidget *widget);

G_END_DECLS
