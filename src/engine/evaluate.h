/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan-check.h"

G_BEGIN_DECLS

/* What is wanted beyond the totals; each costs time. */
typedef enum
{
  PLG_EVALUATE_TOTALS = 0,
  PLG_EVALUATE_LINKS = 1 << 0,
  PLG_EVALUATE_TIMELINE = 1 << 1,
  PLG_EVALUATE_FINDINGS = 1 << 2,
  PLG_EVALUATE_ALL = PLG_EVALUATE_LINKS | PLG_EVALUATE_TIMELINE | PLG_EVALUATE_FINDINGS,
} PlgEvaluateFlags;

/* Evaluates PLAN. Pure: the same plan gives the same report. NULL with ERROR of PLG_PLAN_ERROR
 * when the plan cannot exist (plg_plan_check()). Out of memory on the GPUs is no error. */
PlgReport *plg_evaluate (const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);

/* The same into a report that nobody else holds, whose memory is reused: nothing is allocated
 * once it is large enough (but for the texts of findings). On failure REPORT is as it was. */
gboolean
plg_evaluate_into (PlgReport *report, const PlgPlan *plan, PlgEvaluateFlags flags, GError **error);

G_END_DECLS
