/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* While a drag previews, all that stands beside WIDGET, the cluster, follows: its numbers a frame
 * later, its pictures and long tables after them, never both in one frame. So the frame that the
 * hand waits for has less to do. */
void plg_deferred_update_install (GtkWidget *widget, PlgDocument *document);

G_END_DECLS
