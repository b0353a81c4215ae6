/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/runs/similar-runs.h"

G_BEGIN_DECLS

/* Returns the report as one JSON object in SI base units, with a final newline; free with
 * g_free(). SIMILAR, the published runs like PLAN, may be NULL. */
char *plg_report_json (const PlgPlan *plan, const PlgReport *report, const PlgSimilarRuns *similar);
/* Returns the report as aligned text with units; free with g_free(). SIMILAR may be NULL. */
char *plg_report_text (const PlgPlan *plan, const PlgReport *report, const PlgSimilarRuns *similar);

G_END_DECLS
