/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* plg_plan_repair:
 * @settings: "KEY=VALUE" strings, %NULL-terminated; the repair never changes these keys
 *
 * Applies @settings to @plan with the fewest further changes that make the plan valid. Other keys
 * change in this order: TP within a node that becomes smaller, number of nodes and DP, global
 * batch, CP and EP, and last TP and PP, as near to their old values as possible. If @settings give
 * DP, TP and PP change before the number of nodes.
 *
 * Returns: %FALSE with the @error of the first try if nothing fits; @plan is then unchanged
 */
gboolean plg_plan_repair (PlgPlan *plan,
                          const PlgCatalogue *catalogue,
                          const char *const *settings,
                          GError **error);

G_END_DECLS
