/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window that shows a metric of the plan against one or two settings. A point in the picture
 * can be previewed in the main window and used as the plan. */
#define PLG_TYPE_SWEEP_DIALOG (plg_sweep_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgSweepDialog, plg_sweep_dialog, PLG, SWEEP_DIALOG, AdwWindow)

/* Opens the window. CANVAS supplies the export dialog with every picture except the sweep. */
void plg_sweep_dialog_present (GtkWindow *parent,
                               PlgDocument *document,
                               PlgCanvas *canvas,
                               GSettings *settings);

G_END_DECLS
