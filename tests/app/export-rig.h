/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app-rig.h"

#include "app/dialogs/export-dialog.h"
#include "app/dialogs/export-part.h"

/* The base of export tests: the dialog, its files and the command lines. */

/* Runs the command line LINE in the test folder and returns the written file (transfer full). The
 * folder must be empty. */
GBytes *export_rig_run (AppRig *rig, const char *line);
/* Returns the content of file NAME and deletes the file. */
GBytes *export_rig_take (AppRig *rig, const char *name);

PlgExportDialog *export_rig_open (AppRig *rig);
/* Returns a template child of the dialog by name. */
GObject *export_rig_row (PlgExportDialog *dialog, const char *name);
void export_rig_choose (PlgExportDialog *dialog, const char *name, guint choice);
