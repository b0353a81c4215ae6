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

/* Check parts of the rules, for code that tries many plans that differ only in their degrees and
 * schedules. A plan that sets DP so that the degrees fill the cluster, and has no placement by
 * hand, is valid if all three functions return TRUE.
 *
 * plg_plan_check_values() checks ranges, names and the cluster. plg_plan_check_split() checks how
 * TP, CP, EP, ETP and sequence parallelism divide the model. plg_plan_check_schedule() checks PP,
 * the layers, the batch and the schedule. */
gboolean plg_plan_check_values (const PlgPlan *plan, GError **error);
gboolean plg_plan_check_split (const PlgPlan *plan, GError **error);
gboolean plg_plan_check_schedule (const PlgPlan *plan, GError **error);
/* Checks that a layout by hand fits the model, PP and the schedule. A plan without a layout passes.
 * plg_plan_check_schedule() includes this check. */
gboolean plg_plan_check_layout (const PlgPlan *plan, GError **error);

G_END_DECLS
