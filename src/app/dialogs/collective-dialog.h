/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A window that plays one collective of the open plan, or the tensor-parallel split of a matrix
 * product, step by step. */
#define PLG_TYPE_COLLECTIVE_DIALOG (plg_collective_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgCollectiveDialog, plg_collective_dialog, PLG, COLLECTIVE_DIALOG, AdwWindow)

/* Opens the window and plays the collective with index ROW in the report. The picture shows the
 * group that contains RANK. */
void plg_collective_dialog_present (GtkWindow *parent,
                                    PlgDocument *document,
                                    PlgCanvas *canvas,
                                    GSettings *settings,
                                    int row,
                                    int rank);

G_END_DECLS
