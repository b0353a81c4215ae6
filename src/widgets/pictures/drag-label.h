/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A card next to the pointer that shows the effect of a drag. */
#define PLG_TYPE_DRAG_LABEL (plg_drag_label_get_type ())
G_DECLARE_FINAL_TYPE (PlgDragLabel, plg_drag_label, PLG, DRAG_LABEL, GtkWidget)

GtkWidget *plg_drag_label_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* plg_drag_label_set:
 * @warning: (nullable): a warning about the effect
 * @limit: (nullable): why the drag goes no further, and a remedy
 * @is_refused: whether a drop is not possible at this position; shown by the border
 *
 * Sets the lines of the card. */
void plg_drag_label_set (PlgDragLabel *self,
                         const char *headline,
                         const char *consequence,
                         const char *warning,
                         const char *limit,
                         gboolean is_refused);

G_END_DECLS
