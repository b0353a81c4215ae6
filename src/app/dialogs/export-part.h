/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Rows in the export dialog in which the user chooses the nodes in a picture: all nodes, the
 * visible nodes, a range of nodes, or the nodes with the selected GPU's groups. The rows are
 * hidden for a picture without nodes. Signal "changed" (). */
#define PLG_TYPE_EXPORT_PART (plg_export_part_get_type ())
G_DECLARE_FINAL_TYPE (PlgExportPart, plg_export_part, PLG, EXPORT_PART, AdwPreferencesGroup)

/* Sets up the rows and selects the visible part of the cluster. GPU is the selected GPU, or -1
 * if no GPU is selected. */
void plg_export_part_set_up (PlgExportPart *self, PlgDocument *document, int gpu);
/* Offers the choices that PICTURE supports. */
void plg_export_part_show_picture (PlgExportPart *self, PlgPicture picture);
/* Returns whether the export is restricted to the visible part of the cluster. */
gboolean plg_export_part_is_on_screen (PlgExportPart *self);
/* Restricts REQUEST to the chosen nodes if the picture has nodes. Keeps pins, selection and
 * playback time. If the groups of the selected GPU are chosen, only these groups are
 * highlighted. */
void plg_export_part_choose (PlgExportPart *self, PlgRequest *request);

G_END_DECLS
