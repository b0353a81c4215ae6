/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/export/request.h"
#include "widgets/canvas/canvas.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* The dialog in which the user chooses the picture, format, size and colours of an export. */
#define PLG_TYPE_EXPORT_DIALOG (plg_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgExportDialog, plg_export_dialog, PLG, EXPORT_DIALOG, AdwWindow)

/* plg_export_dialog_present:
 * @toasts: announces exported files; its window is the parent of the dialog
 * @canvas: the cluster on screen
 * @shown: (nullable): the picture that the parent shows; %NULL for the cluster
 * @search: (nullable): the found plans of a search; without them, the dialog does not offer the
 *   picture of a search
 *
 * Opens the dialog. */
void plg_export_dialog_present (AdwToastOverlay *toasts,
                                PlgDocument *document,
                                PlgCanvas *canvas,
                                GSettings *settings,
                                const PlgRequest *shown,
                                PlgSearchPicture *search);

/* Writes the chosen picture into FILE and announces the file in the parent window. */
gboolean plg_export_dialog_write (PlgExportDialog *self, GFile *file, GError **error);
/* Returns the command line that writes the same file as plg_export_dialog_write() (transfer
 * full). Fails with the same errors as plg_screen_picture_command(). */
char *plg_export_dialog_command (PlgExportDialog *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Writes every offered picture as PICTURE.EXTENSION into FOLDER. Fails if one of these files already
 * exists. */
gboolean plg_export_dialog_write_all (PlgExportDialog *self, GFile *folder, GError **error);

G_END_DECLS
