/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The plan as a form: parallelism, schedule, model and cluster. Signals: "refused" (message) and
 * "announced" (message). */
#define PLG_TYPE_INSPECTOR (plg_inspector_get_type ())
G_DECLARE_FINAL_TYPE (PlgInspector, plg_inspector, PLG, INSPECTOR, GtkWidget)

void plg_inspector_set_document (PlgInspector *self, PlgDocument *document);
/* Opens the menu of nesting orders. The inspector must be mapped. */
void plg_inspector_open_orders (PlgInspector *self);

G_END_DECLS
