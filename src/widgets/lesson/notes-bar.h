/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The notes of a plan, shown above the cluster until the user closes the bar. */
#define PLG_TYPE_NOTES_BAR (plg_notes_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlgNotesBar, plg_notes_bar, PLG, NOTES_BAR, GtkWidget)

/* Shows NOTES unless the user has closed the bar while it showed the same notes. NULL and ""
 * hide the bar. */
void plg_notes_bar_show (PlgNotesBar *self, const char *notes);

G_END_DECLS
