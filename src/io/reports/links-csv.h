/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

G_BEGIN_DECLS

/* plg_links_csv:
 * @separator: ',' for files, '\t' for the clipboard
 * @order: (nullable): the rows to write, given as indices in report->links; %NULL for all links
 * @n: number of entries in @order
 *
 * Writes one row per link, with exact numbers in SI base units.
 *
 * Returns: (transfer full): the table */
char *plg_links_csv (const PlgPlan *plan,
                     const PlgReport *report,
                     char separator,
                     const int *order,
                     int n);

/* Returns a table with one row for each collective on each link. The rows of a link add up to
 * the link's row in plg_links_csv(). Free with g_free(). */
char *plg_link_shares_csv (const PlgPlan *plan, const PlgReport *report, char separator);

/* Returns the collectives that use LINK, such as "TP all-gather, DP reduce-scatter"; free with
 * g_free(). */
char *plg_link_collectives (const PlgReport *report, const PlgLink *link);

G_END_DECLS
