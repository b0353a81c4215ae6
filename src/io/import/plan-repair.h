/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/catalogue.h"

G_BEGIN_DECLS

/* Makes the SETTINGS ("KEY=VALUE", NULL-terminated) true of PLAN with the least further change that
 * gives a plan which can exist. What they name stays as they say. What they do not name may follow:
 * TP that stayed inside a node where the node is smaller; then the number of nodes and DP, then the
 * global batch, then CP and EP, at last TP and PP, as near to what they were as can be. Where they
 * name DP, TP and PP follow before the number of nodes. FALSE with
 * the ERROR of the first try, PLAN as it was, when nothing fits. */
gboolean plg_plan_repair (PlgPlan *plan,
                          const PlgCatalogue *catalogue,
                          const char *const *settings,
                          GError **error);

G_END_DECLS
