/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/report/report.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The links of a report as a list model: all links or the links of one tier, sorted by one
 * column. A cluster with 16,384 GPUs has more than 100,000 links. The list therefore sorts link
 * indices, and creates an item only when it is requested. */
#define PLG_TYPE_LINK_LIST (plg_link_list_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkList, plg_link_list, PLG, LINK_LIST, GObject)

typedef enum
{
  PLG_LINK_COLUMN_LINK, /* the name; sorted in the order of the links in the report, that is, by
                           node */
  PLG_LINK_COLUMN_TIER,
  PLG_LINK_COLUMN_CALLS,
  PLG_LINK_COLUMN_OUT,
  PLG_LINK_COLUMN_IN,
  PLG_LINK_COLUMN_TIME,
  PLG_LINK_COLUMN_SHARE, /* the busy time as a fraction of the step time */
  PLG_LINK_COLUMN_BANDWIDTH,
  PLG_LINK_COLUMN_COLLECTIVES,
} PlgLinkColumn;
#define PLG_N_LINK_COLUMNS 9

/* A list item that contains the index of a link. */
#define PLG_TYPE_LINK_ITEM (plg_link_item_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkItem, plg_link_item, PLG, LINK_ITEM, GObject)
PlgLinkItem *plg_link_item_new (int index) G_GNUC_WARN_UNUSED_RESULT;
int plg_link_item_index (PlgLinkItem *self); /* Returns the index of the link in report->links. */

PlgLinkList *plg_link_list_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Lists the links of REPORT, which is used only during the call. The list emits "items-changed"
 * only if the order or the number of links changes. The text of a row can change without this
 * signal. */
void plg_link_list_set_report (PlgLinkList *self, const PlgReport *report);
/* Shows only the links of TIER, or all links if TIER is -1. */
void plg_link_list_set_tier (PlgLinkList *self, const PlgReport *report, int tier);
/* Sorts the links. The sort is stable: equal links keep the order of the report. */
void plg_link_list_sort (PlgLinkList *self,
                         const PlgReport *report,
                         PlgLinkColumn column,
                         gboolean descending);
/* Returns the position of link INDEX in the list, or -1. */
int plg_link_list_position (PlgLinkList *self, int index);
/* Returns the N link indices in list order, borrowed until the next change. */
const int *plg_link_list_order (PlgLinkList *self, int *n);

G_END_DECLS
