/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* During a drag on WIDGET, defers the numbers elsewhere by one frame and pictures and long tables
 * by two, so that the dragged frame has less work. */
void plg_deferred_update_install (GtkWidget *widget, PlgDocument *document);

G_END_DECLS
