/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Asks what picture to write, as what, how large and in which colours, and writes it. */
#define PLG_TYPE_EXPORT_DIALOG (plg_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgExportDialog, plg_export_dialog, PLG, EXPORT_DIALOG, AdwWindow)

void plg_export_dialog_present (GtkWindow *parent, PlgDocument *document, GSettings *settings);

G_END_DECLS
