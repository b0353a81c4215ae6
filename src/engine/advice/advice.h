/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Fills REPORT's findings from what the rest of it says: what is wrong or could be better, why, and
 * a change to try, whose gain is measured by evaluating the changed plan. A change is only offered
 * when the changed plan can exist. Errors first, then warnings, then hints, each by gain. */
void plg_advice_fill (const PlgPlan *plan, PlgReport *report);

G_END_DECLS
