/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* During a drag on WIDGET, delays the update of numbers outside WIDGET by one frame, and of
 * pictures and long tables by two frames. This reduces the work in the frame that shows the
 * drag. */
void plg_deferred_update_install (GtkWidget *widget, PlgDocument *document);

G_END_DECLS
