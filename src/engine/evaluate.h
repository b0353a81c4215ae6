/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* plg_evaluate:
 *
 * Evaluates @plan; plg_evaluate_with_advice() also adds findings. The same plan always gives the
 * same report. A plan that does not fit into memory is valid.
 *
 * Returns: (transfer full): the report, or %NULL with an error of %PLG_PLAN_ERROR if
 *   plg_plan_check() rejects @plan */
PlgReport *plg_evaluate (const PlgPlan *plan,
                         PlgEvaluateFlags flags,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* plg_evaluate_into:
 * @report: a report that has no other owner
 *
 * Evaluates @plan into @report and removes its findings. The function reuses the memory of
 * @report and allocates nothing once that memory is large enough.
 *
 * Returns: %FALSE with an error of %PLG_PLAN_ERROR if plg_plan_check() rejects @plan; @report is
 *   then unchanged */
gboolean
plg_evaluate_into (PlgReport *report, const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);

/* plg_evaluate_within:
 * @report: a report that has no other owner
 * @plan: a plan that passes plg_plan_check(), which this function does not call
 * @time_limit: the longest step time of interest [s]
 *
 * Evaluates the totals of @plan into @report, as plg_evaluate_into() does. Stops early if a lower
 * bound of the step time exceeds @time_limit. A search skips slow plans in this way. The step
 * time in @report can still exceed @time_limit.
 *
 * Returns: %FALSE if the step takes longer than @time_limit; @report is then unchanged */
gboolean plg_evaluate_within (PlgReport *report, const PlgPlan *plan, double time_limit);

G_END_DECLS
