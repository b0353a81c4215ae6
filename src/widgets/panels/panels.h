/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The results for the plan: MFU, memory, bubble, communication and advice. Property: "palette".
 * Signal: "refused" (message), if advice cannot be applied. */
#define PLG_TYPE_PANELS (plg_panels_get_type ())
G_DECLARE_FINAL_TYPE (PlgPanels, plg_panels, PLG, PANELS, GtkWidget)

void plg_panels_set_document (PlgPanels *self, PlgDocument *document);
void plg_panels_set_palette (PlgPanels *self, const char *palette);

G_END_DECLS
