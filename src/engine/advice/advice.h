/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Fills the findings of REPORT: each names a problem, its cause and a change to try. The gain of a
 * change is measured by an evaluation of the changed plan; errors come first, then warnings, then
 * hints, each sorted by gain. */
void plg_advice_fill (const PlgPlan *plan, PlgReport *report);

G_END_DECLS
