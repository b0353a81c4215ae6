/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widgets/panels/collective-menu.h"

#include <glib/gi18n-lib.h>

static void
menu_requested_cb (PlgTable *table, int row, double x, double y, GtkPopover *popover)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuItem) play = g_menu_item_new (_ ("_Play This Collective…"), NULL);

  g_menu_item_set_action_and_target (play, "win.play-this-collective", "i", row);
  g_menu_append_item (menu, play);
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (popover), G_MENU_MODEL (menu));
  gtk_popover_set_pointing_to (popover, &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (popover);
}

void
plg_collective_menu_attach (PlgTable *table)
{
  GtkWidget *popover = gtk_popover_menu_new_from_model (NULL);

  g_return_if_fail (PLG_IS_TABLE (table));

  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_widget_set_parent (popover, GTK_WIDGET (table));
  g_signal_connect_object (table, "menu-requested", G_CALLBACK (menu_requested_cb), popover, 0);
  g_signal_connect_object (table, "destroy", G_CALLBACK (gtk_widget_unparent), popover,
                           G_CONNECT_SWAPPED);
}
