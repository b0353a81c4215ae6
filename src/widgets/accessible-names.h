/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Accessible names for controls that GTK 4.8 leaves unnamed or names after their class. */

/* plg_accessible_name_drop_down:
 * @drop_down: a #GtkDropDown or an #AdwComboRow
 * @name: (nullable): the accessible name; %NULL to keep the current name
 *
 * Sets the accessible name of a drop-down, uses the selected item as its description and names
 * each item in its list. The list opens at the selected item. */
void plg_accessible_name_drop_down (GtkWidget *drop_down, const char *name);

/* Sets the DESCRIPTION of the focusable WIDGET, or removes the description if DESCRIPTION is
 * NULL. plg_accessible_set_announcement() can add an announcement to it. */
void plg_accessible_set_description (GtkWidget *widget, const char *description);
/* Adds ANNOUNCEMENT to the description of WIDGET; NULL removes the announcement. */
void plg_accessible_set_announcement (GtkWidget *widget, const char *announcement);

/* Sets the accessible names of the buttons in ROOT to their labels. Removes the underscores of
 * mnemonics, because a screen reader would read them aloud. Call again after a label has
 * changed. */
void plg_accessible_name_buttons (GtkWidget *root);

G_END_DECLS
