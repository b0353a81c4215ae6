/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Initializes THEME for pictures on screen. If PALETTE is "automatic" or NULL, follows the
 * desktop settings for a light or dark style and for high contrast. */
void plg_widget_theme_init (const char *palette, PlgTheme *theme);

/* Returns the text scale of the desktop, which is 1 at 96 dpi. */
double plg_widget_theme_text_scale (GtkWidget *widget);

/* Calls CALLBACK (WIDGET) whenever the result of plg_widget_theme_init() or
 * plg_widget_theme_text_scale() changes. */
void plg_widget_theme_watch (GtkWidget *widget, GCallback callback);

/* Sets the minimum width of WIDGET to WIDTH [pixels at normal text size]. The width scales with
 * the text, so that titles wrap only between words. */
void plg_widget_set_text_width (GtkWidget *widget, int width);

/* Adds the style class NAME if HAS is TRUE, and removes it otherwise. */
void plg_widget_set_css_class (GtkWidget *widget, const char *name, gboolean has);

/* Lays out WIDGET and its children from left to right in every language, because time runs from
 * left to right in the pictures. */
void plg_widget_force_left_to_right (GtkWidget *widget);

G_END_DECLS
