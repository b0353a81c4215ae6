/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Previews the import of a cluster, model, configuration or placement: the imported values,
 * their consequences, the ignored keys and the changes in the plan. */
#define PLG_TYPE_IMPORT_DIALOG (plg_import_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgImportDialog, plg_import_dialog, PLG, IMPORT_DIALOG, AdwWindow)

/* Opens the preview of IMPORT and takes ownership of IMPORT. IMPORT must come from
 * plg_document_read() of DOCUMENT and must not be a whole plan. */
PlgImportDialog *
plg_import_dialog_present (GtkWindow *parent, PlgDocument *document, PlgImportResult *import);

G_END_DECLS
