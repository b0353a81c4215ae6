/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/plan-problem.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Checks that the plan is complete and valid. A valid plan need not fit in memory, and layers
 * need not divide evenly over stages and chunks. Up to two chunks may have no layer, because
 * they contain the embedding or the loss. With the profile "notebook", which has its own model,
 * TP need not divide the heads and widths of the plan's model. */
gboolean plg_plan_check (const PlgPlan *plan, GError **error);

G_END_DECLS
