/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Children from top to bottom, each as high as it would be: but the last one, the shelf, has at
 * most a share of the whole, and the one above it all that is left. */
#define PLG_TYPE_BOTTOM_PANE_LAYOUT (plg_bottom_pane_layout_get_type ())
G_DECLARE_FINAL_TYPE (PlgBottomPaneLayout,
                      plg_bottom_pane_layout,
                      PLG,
                      BOTTOM_PANE_LAYOUT,
                      GtkLayoutManager)

G_END_DECLS
