/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"
#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Asks what picture to write, as what, how large and in which colours, and writes it. */
#define PLG_TYPE_EXPORT_DIALOG (plg_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgExportDialog, plg_export_dialog, PLG, EXPORT_DIALOG, AdwWindow)

/* Over the window of TOASTS, where it is told what was written. CANVAS is what is on screen; SHOWN
 * is the picture that the window shows itself, or NULL for the cluster. */
void plg_export_dialog_present (AdwToastOverlay *toasts,
                                PlgDocument *document,
                                PlgCanvas *canvas,
                                GSettings *settings,
                                const PlgRequest *shown);

/* The picture as the dialog says, into FILE, and the window tells so. */
gboolean plg_export_dialog_write (PlgExportDialog *self, GFile *file, GError **error);
/* The command line that makes that file. Errors are those of plg_screen_picture_command(). g_free(). */
char *plg_export_dialog_command (PlgExportDialog *self, GError **error);
/* Every picture as the dialog says, as NAME.ENDING in FOLDER, which must have none of them yet. */
gboolean plg_export_dialog_write_all (PlgExportDialog *self, GFile *folder, GError **error);

G_END_DECLS
