/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window that compares the plan with the same plan in a different nesting order. The window
 * can apply this order to the plan. */
#define PLG_TYPE_COMPARE_DIALOG (plg_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgCompareDialog, plg_compare_dialog, PLG, COMPARE_DIALOG, AdwWindow)

/* Opens the comparison. CANVAS supplies the export dialog with every picture except the
 * comparison. */
void plg_compare_dialog_present (GtkWindow *parent,
                                 PlgDocument *document,
                                 PlgCanvas *canvas,
                                 GSettings *settings);

G_END_DECLS
