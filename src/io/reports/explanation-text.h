/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* Returns the explanation of each number in REPORT: its result, its formula in symbols and with
 * numbers, and its source. PANEL is a panel in explain.h, or NULL for all panels. Free with
 * g_free(). */
char *plg_explanation_text (const PlgPlan *plan, const PlgReport *report, const char *panel);

G_END_DECLS
