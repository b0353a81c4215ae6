/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Stacks children vertically at their minimum heights. The last child, the bottom pane, gets its
 * natural height, but at most a fixed share of the total height unless its minimum height is
 * larger. The child above the pane takes the remaining height. */
#define PLG_TYPE_BOTTOM_PANE_LAYOUT (plg_bottom_pane_layout_get_type ())
G_DECLARE_FINAL_TYPE (PlgBottomPaneLayout,
                      plg_bottom_pane_layout,
                      PLG,
                      BOTTOM_PANE_LAYOUT,
                      GtkLayoutManager)

G_END_DECLS
