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

G_END_DECLS
