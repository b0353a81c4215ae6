/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "plan/catalogue.h"

G_BEGIN_DECLS

/* Returns the explanation of each number in REPORT: its result, its formula in symbols and with
 * numbers, its source, and the sources of its constants in CATALOGUE. PANEL is a panel in
 * explain.h, or NULL for all panels. Free with g_free(). */
char *plg_explanation_text (const PlgPlan *plan,
                            const PlgReport *report,
                            const PlgCatalogue *catalogue,
                            const char *panel);

G_END_DECLS
