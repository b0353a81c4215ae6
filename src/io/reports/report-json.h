/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The report as one JSON object in SI base units, with a final newline. g_free(). */
char *plg_report_json (const PlgPlan *plan, const PlgReport *report);
/* The report as aligned text with units. g_free(). */
char *plg_report_text (const PlgPlan *plan, const PlgReport *report);

G_END_DECLS
