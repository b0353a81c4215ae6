/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The parallelism axes as chips, innermost first. A chip is moved by drag and drop or by the
 * arrow keys. Signals: "refused" (message) and "announced" (the changed cost after a preset
 * order is chosen). */
#define PLG_TYPE_NESTING_ROW (plg_nesting_row_get_type ())
G_DECLARE_FINAL_TYPE (PlgNestingRow, plg_nesting_row, PLG, NESTING_ROW, AdwPreferencesRow)

GtkWidget *plg_nesting_row_new (PlgDocument *document) G_GNUC_WARN_UNUSED_RESULT;
/* Opens the menu of nesting orders. The row must be mapped. */
void plg_nesting_row_open_orders (PlgNestingRow *self);

G_END_DECLS
