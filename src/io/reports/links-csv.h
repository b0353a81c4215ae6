/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* The links of a report as a table, one row a link, numbers in SI base units as they are read back
 * exactly. SEPARATOR is ',' for files and '\t' for the clipboard. ORDER: N indices in
 * report->links, the rows to write; NULL: all of them. g_free(). */
char *plg_links_csv (const PlgPlan *plan,
                     const PlgReport *report,
                     char separator,
                     const int *order,
                     int n);

/* One row for each collective on each link that carries it: rows of a link add up to its row in
 * plg_links_csv(). g_free(). */
char *plg_link_shares_csv (const PlgPlan *plan, const PlgReport *report, char separator);

/* "TP all-gather, DP reduce-scatter": what crosses LINK. g_free(). */
char *plg_link_collectives (const PlgReport *report, const PlgLink *link);

G_END_DECLS
