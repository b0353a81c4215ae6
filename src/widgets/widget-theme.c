/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/widget-theme.h"

#include <adwaita.h>

void
plg_widget_theme_init (const char *palette, PlgTheme *theme)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (style);
  PlgPalette wanted;

  if (palette == NULL || !plg_palette_from_name (palette, &wanted))
    {
      if (adw_style_manager_get_high_contrast (style))
        wanted = dark ? PLG_PALETTE_HIGH_CONTRAST_DARK : PLG_PALETTE_HIGH_CONTRAST;
      else
        wanted = dark ? PLG_PALETTE_DARK : PLG_PALETTE_LIGHT;
    }
  plg_theme_init (theme, wanted);
}

double
plg_widget_theme_text_scale (GtkWidget *widget)
{
  int dpi = 0;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / 1024.0 / 96.0, 0.5, 4.0) : 1.0;
}

void
plg_widget_theme_watch (GtkWidget *widget, GCallback callback)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_signal_connect_object (style, "notify::dark", callback, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", callback, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi", callback, widget,
                           G_CONNECT_SWAPPED);
}

static void
update_text_width (GtkWidget *widget)
{
  int width = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "text-width"));

  gtk_widget_set_size_request (widget, (int) (width * plg_widget_theme_text_scale (widget)), -1);
}

void
plg_widget_set_text_width (GtkWidget *widget, int width)
{
  g_object_set_data (G_OBJECT (widget), "text-width", GINT_TO_POINTER (width));
  update_text_width (widget);
  plg_widget_theme_watch (widget, G_CALLBACK (update_text_width));
}

void
plg_widget_set_css_class (GtkWidget *widget, const char *name, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

void
plg_widget_force_left_to_right (GtkWidget *widget)
{
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    plg_widget_force_left_to_right (child);
}
