/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/order-preset.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A menu of the nesting orders of well-known programs. Signal: "chosen" (name of the preset in
 * plan/order-preset.h). */
#define PLG_TYPE_ORDER_MENU (plg_order_menu_get_type ())
G_DECLARE_FINAL_TYPE (PlgOrderMenu, plg_order_menu, PLG, ORDER_MENU, GtkPopover)

GtkWidget *plg_order_menu_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* Marks the presets whose order equals the order of PARALLELISM. */
void plg_order_menu_update (PlgOrderMenu *self, const PlgParallelism *parallelism);
/* Makes all orders insensitive if HELD is TRUE, and sensitive again otherwise. */
void plg_order_menu_set_locked (PlgOrderMenu *self, gboolean held);

G_END_DECLS
