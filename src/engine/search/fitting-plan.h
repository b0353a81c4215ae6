/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_search_fitting_plan:
 * @plan: a plan that passes plg_plan_check()
 * @held: (nullable): assignments "KEY=VALUE" whose keys keep their values in @plan,
 *   %NULL-terminated
 * @micro_batches: the number of micro-batches per replica and step, from which the global batch
 *   follows unless it is held
 *
 * If @plan does not fit in memory, replaces it with the plan that fits and trains most tokens per
 * second. Tries all TP, PP, EP and DP and all recompute modes by exact searches, one for each DP,
 * because the batch follows DP. Only if no plan fits, tries a TP wider than a node and other ZeRO
 * stages, and then all settings of plg_quick_search(). Keeps all other settings. A placement by
 * hand is then reset.
 *
 * Returns: %FALSE if no plan fits; @plan is then unchanged */
gboolean plg_search_fitting_plan (PlgPlan *plan, const char *const *held, int micro_batches);

G_END_DECLS
