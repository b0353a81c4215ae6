/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The report as one JSON object with a final newline, SI base units. g_free(). */
char *plg_report_json (const PlgPlan *plan, const PlgReport *report);
/* For people: aligned text with units. g_free(). */
char *plg_report_text (const PlgPlan *plan, const PlgReport *report);

G_END_DECLS
