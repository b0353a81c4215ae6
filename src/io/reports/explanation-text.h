/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* How the numbers of REPORT came about, for people: for each its result, the formula in symbols and
 * with numbers, and the source. PANEL is one of those of explain.h, NULL for all. g_free(). */
char *plg_explanation_text (const PlgPlan *plan, const PlgReport *report, const char *panel);

G_END_DECLS
