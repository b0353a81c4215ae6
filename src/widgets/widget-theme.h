/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The theme that pictures on screen have now: PALETTE by name, or with "automatic" (or NULL) what
 * the desktop asks for: light or dark, high contrast or not. */
void plg_widget_theme_init (const char *palette, PlgTheme *theme);

/* How much larger than normal people want text: 1 at 96 dpi. */
double plg_widget_theme_text_scale (GtkWidget *widget);

/* Calls gtk_widget_queue_allocate() through CALLBACK (self, …) whenever plg_widget_theme_init() or
 * plg_widget_theme_text_scale() would answer something else. */
void plg_widget_theme_watch (GtkWidget *widget, GCallback callback);

/* WIDGET is at least WIDTH pixels wide at normal text size, and wider with larger text, or titles
 * would break inside words. */
void plg_widget_set_text_width (GtkWidget *widget, int width);

/* WIDGET and all below it read from left to right in every language, as time does in pictures. */
void plg_widget_force_left_to_right (GtkWidget *widget);

G_END_DECLS
