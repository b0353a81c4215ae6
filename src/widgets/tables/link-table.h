/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* PlgLinkTable:
 *
 * All links of the plan with their load, sortable by each column. Selecting a row highlights its
 * link; activating a row pins its link.
 *
 * Properties: "document" and "tier" (0 for all tiers, otherwise 1 + PlgTier). */
#define PLG_TYPE_LINK_TABLE (plg_link_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkTable, plg_link_table, PLG, LINK_TABLE, GtkWidget)

GtkWidget *plg_link_table_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the rows in their current order, in the format of plg_links_csv() (transfer full). */
char *plg_link_table_text (PlgLinkTable *self, char separator) G_GNUC_WARN_UNUSED_RESULT;

/* Clears the highlight of the selected row. Returns FALSE if no row has a highlight. The owner
 * calls this function when the focus leaves both the table and the details of the link. */
gboolean plg_link_table_clear_highlight (PlgLinkTable *self);

G_END_DECLS
