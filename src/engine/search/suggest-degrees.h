/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_suggest_degrees:
 * @plan: a complete plan whose degrees need not suit its model and cluster
 * @held: (nullable): assignments "KEY=VALUE" whose keys keep their values in @plan,
 *   %NULL-terminated
 *
 * Chooses TP, PP, EP and DP with which @plan is legal and, if possible, fits in memory. Takes the
 * largest TP inside a node, then the largest PP up to 4. If this plan does not fit, takes the plan
 * that plg_search_fitting_plan() finds. The global batch follows DP, and the sequence becomes no
 * longer than the learned positions of the model. A placement and layers set by hand are reset. If
 * no TP, PP and EP are legal, CP, ETP, chunks and schedule are reset too.
 *
 * Returns: %TRUE if @plan is legal now; the plan may still need more memory than there is.
 *   %FALSE with @error if no degrees are legal; @plan is then unchanged */
gboolean plg_suggest_degrees (PlgPlan *plan, const char *const *held, GError **error);

G_END_DECLS
