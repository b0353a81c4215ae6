/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is written in a plan about it, above the cluster, until it is put away. */
#define PLG_TYPE_NOTES_BAR (plg_notes_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlgNotesBar, plg_notes_bar, PLG, NOTES_BAR, GtkWidget)

/* Shows NOTES, but for those that were put away last; NULL or "": nothing. */
void plg_notes_bar_show (PlgNotesBar *self, const char *notes);

G_END_DECLS
