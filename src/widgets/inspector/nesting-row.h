/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The axes as chips from the innermost to the outermost. A chip can be dragged onto another, or
 * moved with the arrow keys. Signals "refused" (message) and
 * "announced" (what a program's order has cost). */
#define PLG_TYPE_NESTING_ROW (plg_nesting_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgNestingRow, plg_nesting_row, PLG, NESTING_ROW, AdwPreferencesRow)

GtkWidget *plg_nesting_row_new (PlgDocument *document);
/* Opens the list of the orders of programs; the row must be on the screen. */
void plg_nesting_row_open_orders (PlgNestingRow *self);

G_END_DECLS
