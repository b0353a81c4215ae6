/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Announcements for assistive technology. GTK has no announcements before version 4.14. An
 * announcement is therefore added to the description of the focused widget, because a screen
 * reader reads out changes in this description. */

/* Makes TEXT available to a screen reader; NULL removes the previous text. */
typedef void (*PlgAnnounceFunc) (GtkWidget *widget, const char *text);
/* Sets the function for announcements in WIDGET and its descendants. It is meant for a widget
 * that sets the accessible names of its children itself. */
void plg_announcer_set_function (GtkWidget *widget, PlgAnnounceFunc function);

/* Announces MESSAGE through the focused widget of WINDOW. The announcement lasts until the focus
 * moves, the next announcement begins or plg_announcer_clear() is called. If no widget has the
 * focus or the focused widget is closing, the next focused widget announces MESSAGE. */
void plg_announcer_announce (GtkWindow *window, const char *message);
/* Ends the announcement of MESSAGE unless a newer announcement has replaced it. */
void plg_announcer_clear (GtkWindow *window, const char *message);

G_END_DECLS
