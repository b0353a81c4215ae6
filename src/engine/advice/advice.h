/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* plg_report_advise:
 * @report: a report of @plan that has no other owner and no findings
 *
 * Fills the findings of @report: each names a problem, its cause and a change to try. The gain
 * of a change is measured by an evaluation of the changed plan. Errors come first, then the
 * other findings by gain. Takes less than 1 ms for 64 GPUs. */
void plg_report_advise (PlgReport *report, const PlgPlan *plan);

/* plg_report_advise_by_search:
 * @report: a report of @plan with the findings of plg_report_advise(), and no other owner
 * @keep: (nullable): the settings that advice must not change, %NULL-terminated
 *
 * Searches the plans for the same model and cluster (see plg_quick_search()). If one of them is
 * faster by more than 1 %, adds the finding "better-plan" with the change that leads to it. If
 * @plan does not fit in memory, the remedy of the finding "out-of-memory" becomes the fastest plan
 * that fits. Only the standard profile has this finding. Takes about 10 ms for 64 GPUs, and up to
 * 1 s for 16,384 GPUs. */
void plg_report_advise_by_search (PlgReport *report, const PlgPlan *plan, const char *const *keep);

/* plg_evaluate_with_advice:
 *
 * Evaluates @plan with links, timeline and findings.
 *
 * Returns: (transfer full): the report, or %NULL with an error of %PLG_PLAN_ERROR if
 *   plg_plan_check() rejects @plan */
PlgReport *plg_evaluate_with_advice (const PlgPlan *plan, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Does the same as plg_evaluate_with_advice(), and also searches for a better plan. */
PlgReport *plg_evaluate_with_search (const PlgPlan *plan, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
