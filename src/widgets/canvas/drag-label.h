/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The card at the pointer that says what a drag would do and why it stops. */
#define PLG_TYPE_DRAG_LABEL (plg_drag_label_get_type ())
G_DECLARE_FINAL_TYPE (PlgDragLabel, plg_drag_label, PLG, DRAG_LABEL, GtkWidget)

GtkWidget *plg_drag_label_new (void);
/* WARNING may be NULL. REASON not NULL: the drag cannot go there. */
void plg_drag_label_set (PlgDragLabel *self,
                         const char *headline,
                         const char *consequence,
                         const char *warning,
                         const char *reason);

G_END_DECLS
