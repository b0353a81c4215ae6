/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The links of a report as a list for a view: those of one tier or all, sorted by one column. A
 * cluster of 16,384 GPUs has more than a hundred thousand, so an item is made only when a view asks
 * for it, and numbers are sorted, not items. */
#define PLG_TYPE_LINK_LIST (plg_link_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkList, plg_link_list, PLG, LINK_LIST, GObject)

typedef enum
{
  PLG_LINK_COLUMN_LINK, /* in the order of the report: node by node */
  PLG_LINK_COLUMN_TIER,
  PLG_LINK_COLUMN_CALLS,
  PLG_LINK_COLUMN_OUT,
  PLG_LINK_COLUMN_IN,
  PLG_LINK_COLUMN_TIME,
  PLG_LINK_COLUMN_SHARE, /* of the step */
  PLG_LINK_COLUMN_BANDWIDTH,
  PLG_LINK_COLUMN_COLLECTIVES,
} PlgLinkColumn;
#define PLG_N_LINK_COLUMNS 9

/* An item: the number of a link. */
#define PLG_TYPE_LINK_ITEM (plg_link_item_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkItem, plg_link_item, PLG, LINK_ITEM, GObject)
PlgLinkItem *plg_link_item_new (int index);
int plg_link_item_index (PlgLinkItem *self); /* in report->links */

PlgLinkList *plg_link_list_new (void);

/* REPORT is borrowed for the call. The list says that items changed only where their order or their
 * number did; what a row says of its link may be another all the same. */
void plg_link_list_set_report (PlgLinkList *self, const PlgReport *report);
/* TIER -1: all. */
void plg_link_list_set_tier (PlgLinkList *self, const PlgReport *report, int tier);
/* Equal links keep the order of the report. */
void plg_link_list_sort (PlgLinkList *self,
                         const PlgReport *report,
                         PlgLinkColumn column,
                         gboolean descending);
/* Where link INDEX is in the list, or -1. */
int plg_link_list_position (PlgLinkList *self, int index);
/* The links in the order of the list; *N of them. Borrowed until the next change. */
const int *plg_link_list_order (PlgLinkList *self, int *n);

G_END_DECLS
