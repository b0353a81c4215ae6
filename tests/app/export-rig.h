/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app-rig.h"

#include "app/dialogs/export-dialog.h"
#include "app/dialogs/export-part.h"

/* What the tests of exported pictures share: the dialog, its files, and command lines that are
 * run. */

/* What the shell makes of LINE with our own program: the file that it writes in the folder of the
 * test, which has no other. */
GBytes *export_rig_run (AppRig *rig, const char *line);
/* What the file NAME says, which goes. */
GBytes *export_rig_take (AppRig *rig, const char *name);

PlgExportDialog *export_rig_open (AppRig *rig);
/* The dialog's row, or what is in it, by its name in the template. */
GObject *export_rig_row (PlgExportDialog *dialog, const char *name);
void export_rig_choose (PlgExportDialog *dialog, const char *name, guint choice);
