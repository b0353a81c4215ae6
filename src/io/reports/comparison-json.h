/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/assertion.h"
#include "engine/report/plan-comparison.h"

G_BEGIN_DECLS

/* One of the two plans of a comparison. All members are borrowed. */
typedef struct
{
  const char *name;
  const PlgPlan *plan;
  const PlgReport *report;
} PlgComparisonSide;

/* plg_comparison_json:
 * @sides: the plans A and B
 * @differences: (element-type PlgDifference): the result of plg_plan_compare()
 * @assertions: (element-type PlgAssertion): the assertions to test with both plans
 *
 * Returns: (transfer full): the comparison as one JSON object. The numbers of settings are in the
 *   unit of the setting, and figures are in SI base units */
char *plg_comparison_json (const PlgComparisonSide sides[2],
                           const GArray *differences,
                           const GArray *assertions) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
