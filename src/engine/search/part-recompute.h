/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

/* plg_fewest_recomputed_layers:
 * @plan: a legal plan; its recompute may be any
 * @limit: memory of a GPU [bytes]
 *
 * Finds the least number of layers of each virtual stage that full recompute must repeat, beginning
 * with the first layer of the virtual stage, so that each GPU needs at most @limit. The plan then has
 * training.recompute=full and training.recompute-method=first.
 *
 * Returns: the number, from 1 to the layers of the largest virtual stage; 0 if no number suffices
 */
int plg_fewest_recomputed_layers (const PlgPlan *plan, double limit);

/* plg_plan_recompute_fewest_layers:
 *
 * Changes the recompute of @plan, which has full recompute, so that as few layers as possible are
 * repeated with the memory of the cluster.
 *
 * Returns: %TRUE if @plan changed
 */
gboolean plg_plan_recompute_fewest_layers (PlgPlan *plan);

G_END_DECLS
