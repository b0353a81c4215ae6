/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/tables/table.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window for a table that is too wide for a panel: beside the main window, as long as people
 * like, and copied as a whole with Ctrl+C. */
#define PLG_TYPE_TABLE_WINDOW (plg_table_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgTableWindow, plg_table_window, PLG, TABLE_WINDOW, AdwWindow)

/* PARENT: any widget of the window that it goes with. */
PlgTableWindow *plg_table_window_new (GtkWidget *parent, const char *title);
PlgTable *plg_table_window_get_table (PlgTableWindow *self);

G_END_DECLS
