/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The sections of the text and JSON reports that evaluate --only chooses. The description of the
 * plan is in every report. */
typedef enum
{
  PLG_REPORT_STEP = 1 << 0, /* step time, its parts and the bubble */
  PLG_REPORT_BAND = 1 << 1, /* the error band of the step from published runs */
  PLG_REPORT_MEMORY = 1 << 2,
  PLG_REPORT_RUN = 1 << 3,           /* the whole training */
  PLG_REPORT_PLACEMENT = 1 << 4,     /* the rank of each GPU; only in JSON */
  PLG_REPORT_COMMUNICATION = 1 << 5, /* collectives and, in JSON, links */
  PLG_REPORT_FINDINGS = 1 << 6,
} PlgReportSections;
#define PLG_REPORT_ALL ((1 << 7) - 1)

/* plg_report_sections_read:
 * @names: names of sections, separated by commas, such as "step,memory"
 * @sections: (out): #PlgReportSections bits
 *
 * The band belongs to the step, so "band" also chooses the step.
 *
 * Returns: %FALSE if a name is unknown or if there is none */
gboolean plg_report_sections_read (const char *names, guint *sections);

/* Returns the names of all sections, separated by commas. Static. */
const char *plg_report_sections_names (void);

G_END_DECLS
