/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* plg_plan_repair:
 * @settings: "KEY=VALUE" strings, %NULL-terminated; the repair never changes these keys
 *
 * Applies @settings to @plan and makes the plan valid with as few further changes as possible.
 * Other keys change in this order: TP (if the nodes become smaller, to stay within a node),
 * number of nodes and DP, global batch, CP and EP, and finally TP and PP, as near to their old
 * values as possible. If @settings give DP, TP and PP change before the number of nodes.
 *
 * Returns: %FALSE with the @error of the first try if no change makes the plan valid; @plan is
 *   then unchanged */
gboolean plg_plan_repair (PlgPlan *plan,
                          const PlgCatalogue *catalogue,
                          const char *const *settings,
                          GError **error);

G_END_DECLS
