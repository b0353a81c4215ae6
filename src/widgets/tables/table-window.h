/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/tables/table.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A separate window for a table that is too wide for a panel. Ctrl+C copies the whole table. */
#define PLG_TYPE_TABLE_WINDOW (plg_table_window_get_type ())
G_DECLARE_FINAL_TYPE (PlgTableWindow, plg_table_window, PLG, TABLE_WINDOW, AdwWindow)

/* Creates the window. PARENT is any widget in the parent window. */
PlgTableWindow *plg_table_window_new (GtkWidget *parent,
                                      const char *title) G_GNUC_WARN_UNUSED_RESULT;
PlgTable *plg_table_window_get_table (PlgTableWindow *self);

G_END_DECLS
