/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/canvas/canvas.h"

G_BEGIN_DECLS

/* A search bar that finds a rank, GPU, node or link by name or number. Property: "canvas". */
#define PLG_TYPE_FIND_BAR (plg_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlgFindBar, plg_find_bar, PLG, FIND_BAR, GtkWidget)

/* Opens the bar and focuses its entry. */
void plg_find_bar_open (PlgFindBar *self);

G_END_DECLS
