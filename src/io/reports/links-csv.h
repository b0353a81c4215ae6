/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* plg_links_csv:
 * @separator: ',' for files, '\t' for the clipboard
 * @order: (nullable): indices in report->links of the rows to write; %NULL for all links
 * @n: number of entries of @order
 *
 * Writes one row per link, with exact numbers in SI base units.
 *
 * Returns: (transfer full): the table
 */
char *plg_links_csv (const PlgPlan *plan,
                     const PlgReport *report,
                     char separator,
                     const int *order,
                     int n);

/* One row for each link and collective on it. The rows of a link add up to the link's row in
 * plg_links_csv(). g_free(). */
char *plg_link_shares_csv (const PlgPlan *plan, const PlgReport *report, char separator);

/* The collectives that use LINK: "TP all-gather, DP reduce-scatter". g_free(). */
char *plg_link_collectives (const PlgReport *report, const PlgLink *link);

G_END_DECLS
