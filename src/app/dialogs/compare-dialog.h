/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The open plan in its own nesting order and in another one, side by side; it follows the plan, and
 * the other order can become the plan's. */
#define PLG_TYPE_COMPARE_DIALOG (plg_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgCompareDialog, plg_compare_dialog, PLG, COMPARE_DIALOG, AdwWindow)

/* CANVAS is what else can be exported from there. */
void plg_compare_dialog_present (GtkWindow *parent,
                                 PlgDocument *document,
                                 PlgCanvas *canvas,
                                 GSettings *settings);

G_END_DECLS
