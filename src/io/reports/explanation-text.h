/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The explanation of each number of REPORT: result, formula in symbols and with numbers, source.
 * PANEL is a panel of explain.h, or NULL for all panels. g_free(). */
char *plg_explanation_text (const PlgPlan *plan, const PlgReport *report, const char *panel);

G_END_DECLS
