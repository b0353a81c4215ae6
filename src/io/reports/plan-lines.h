/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/plan.h"

G_BEGIN_DECLS

/* Returns every setting of PLAN and the main figures of REPORT as lines "key = value [unit]", in a
 * fixed order and in no language, so that the lines of two plans can be compared by a program such
 * as git. Values of settings are exact; a peak, a price or a power that the plan leaves to the catalogue
 * has its value there and the word "(catalogue)", or is "unknown". Figures have six significant digits and a fixed
 * unit; a figure that the plan does not have is left out. Free with g_free(). */
char *plg_plan_lines (const PlgPlan *plan, const PlgReport *report) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
