/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "drawing/export/request.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Which part of a picture is written: all of the plan, what is on screen, some nodes, or those that
 * hold the groups of a GPU. Rows of the export dialog; hidden for pictures that have no parts.
 * Signal: "changed", without arguments. */
#define PLG_TYPE_EXPORT_PART (plg_export_part_get_type ())
G_DECLARE_FINAL_TYPE (PlgExportPart, plg_export_part, PLG, EXPORT_PART, AdwPreferencesGroup)

/* Offers what is on screen first. GPU is the selected one, whose groups can be asked for, or -1. */
void plg_export_part_set_up (PlgExportPart *self, PlgDocument *document, int gpu);
/* Offers what PICTURE has. */
void plg_export_part_show_picture (PlgExportPart *self, PlgPicture picture);
/* Whether the part on screen is the one that is chosen. */
gboolean plg_export_part_is_on_screen (PlgExportPart *self);
/* Asks for the chosen nodes of REQUEST's picture, where it has any. What is pinned, selected and
 * played there stays; the groups of a GPU are lit alone. */
void plg_export_part_choose (PlgExportPart *self, PlgRequest *request);

G_END_DECLS
