/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All links of the plan with what crosses them, to be sorted by any column and copied. The selected
 * row is the link that is pointed at; activating it pins the link.
 *
 * Properties: "document" and "tier" (0: all, else 1 + PlgTier). */
#define PLG_TYPE_LINK_TABLE (plg_link_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkTable, plg_link_table, PLG, LINK_TABLE, GtkWidget)

GtkWidget *plg_link_table_new (void);

/* What the table shows, in its order, as plg_links_csv() writes it; g_free(). */
char *plg_link_table_text (PlgLinkTable *self, char separator);

/* A row lights its link up for as long as people are at the table, or at what is shown of the link
 * beside it: whoever places them calls this when the focus leaves both. FALSE where no row does. */
gboolean plg_link_table_clear_highlight (PlgLinkTable *self);

G_END_DECLS
