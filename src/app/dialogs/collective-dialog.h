/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* One collective of the open plan, or how TP splits a product, played step by step beside the main
 * window. */
#define PLG_TYPE_COLLECTIVE_DIALOG (plg_collective_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgCollectiveDialog, plg_collective_dialog, PLG, COLLECTIVE_DIALOG, AdwWindow)

/* The collective ROW of the report, and of it the group of RANK. */
void plg_collective_dialog_present (GtkWindow *parent,
                                    PlgDocument *document,
                                    PlgCanvas *canvas,
                                    GSettings *settings,
                                    int row,
                                    int rank);

G_END_DECLS
