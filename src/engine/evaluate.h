/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* plg_evaluate:
 *
 * Evaluates @plan; plg_evaluate_with_advice() adds findings. The same plan always gives the same
 * report; a plan that does not fit into memory is valid.
 *
 * Returns: (transfer full): the report, or %NULL with an error of %PLG_PLAN_ERROR if
 *   plg_plan_check() rejects @plan
 */
PlgReport *plg_evaluate (const PlgPlan *plan,
                         PlgEvaluateFlags flags,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* plg_evaluate_into:
 * @report: a report without other owners
 *
 * Evaluates @plan into @report, which then has no findings, and reuses its memory: once the memory
 * is large enough, nothing is allocated.
 *
 * Returns: %FALSE with an error as in plg_evaluate(), and then @report is unchanged
 */
gboolean
plg_evaluate_into (PlgReport *report, const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);

G_END_DECLS
