/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"
#include "io/reports/report-sections.h"
#include "io/runs/similar-runs.h"

G_BEGIN_DECLS

/* plg_report_json:
 * @report: a report on @plan; with links for %PLG_REPORT_COMMUNICATION, with advice for
 *   %PLG_REPORT_FINDINGS
 * @similar: (nullable): the published runs like @plan, for %PLG_REPORT_BAND
 * @sections: #PlgReportSections bits
 *
 * Returns: (transfer full): one JSON object in SI base units, with a final newline */
char *plg_report_json (const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgSimilarRuns *similar,
                       guint sections) G_GNUC_WARN_UNUSED_RESULT;
/* Returns the report as aligned text with units, with the parameters of plg_report_json(); free
 * with g_free(). */
char *plg_report_text (const PlgPlan *plan,
                       const PlgReport *report,
                       const PlgSimilarRuns *similar,
                       guint sections) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
