/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What assistive technology reads of controls that GTK 4.8 leaves without a name, or names after
 * their class. */

/* DROP_DOWN, or an AdwComboRow: NAME (NULL: it has one), with what is chosen as its description,
 * and each choice of its list by its text. The list begins at what is chosen. */
void plg_accessible_name_drop_down (GtkWidget *drop_down, const char *name);

/* DESCRIPTION of WIDGET, NULL for none, beside which there may be news. All that describes what can
 * have the focus is set by this. */
void plg_accessible_set_description (GtkWidget *widget, const char *description);
/* NEWS after the description; NULL: they are past. */
void plg_accessible_set_announcement (GtkWidget *widget, const char *news);

/* The buttons of ROOT and below: GTK would read the underscore of a mnemonic, and the text twice.
 * Again after a label has changed. */
void plg_accessible_name_buttons (GtkWidget *root);

G_END_DECLS
