/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* A dialog that shows the open plan in the formats of other programs (launchers, frameworks,
 * simulators, documents). The user can copy or save the plan in the selected format. */
#define PLG_TYPE_CONVERT_DIALOG (plg_convert_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlgConvertDialog, plg_convert_dialog, PLG, CONVERT_DIALOG, AdwWindow)

/* Opens the dialog. NAME is the format to show first, or NULL. */
void plg_convert_dialog_present (GtkWindow *parent, PlgDocument *document, const char *name);

G_END_DECLS
