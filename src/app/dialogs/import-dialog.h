/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* What a file says of a cluster, a model, a set-up or a placement, before it is put into the open
 * plan: what was understood, what follows from it, what is ignored, and what changes. */
#define PLG_TYPE_IMPORT_DIALOG (plg_import_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgImportDialog, plg_import_dialog, PLG, IMPORT_DIALOG, AdwWindow)

/* IMPORT (taken) is one of plg_document_read() of DOCUMENT, and no whole plan. */
PlgImportDialog *
plg_import_dialog_present (GtkWindow *parent, PlgDocument *document, PlgImportResult *import);

G_END_DECLS
