/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* plg_report_advise:
 * @report: a report of @plan that has no other owner and no findings
 *
 * Fills the findings of @report: each names a problem, its cause and a change to try. The gain
 * of a change is measured by an evaluation of the changed plan. Errors come first, then
 * warnings, then hints. Findings of the same severity are sorted by gain. */
void plg_report_advise (PlgReport *report, const PlgPlan *plan);

/* plg_evaluate_with_advice:
 *
 * Evaluates @plan with links, timeline and findings.
 *
 * Returns: (transfer full): the report, or %NULL with an error of %PLG_PLAN_ERROR if
 *   plg_plan_check() rejects @plan */
PlgReport *plg_evaluate_with_advice (const PlgPlan *plan, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
