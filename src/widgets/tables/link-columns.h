/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/tables/link-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The columns of the table of links and the cells in them, each with its words for eyes and ears.
 */
#define PLG_TYPE_LINK_COLUMNS (plg_link_columns_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkColumns, plg_link_columns, PLG, LINK_COLUMNS, GObject)

/* Added to VIEW, whose items are PlgLinkItems and which outlives them. */
PlgLinkColumns *plg_link_columns_new (GtkColumnView *view);
/* Whose links the items are; cells stay empty until then. */
void plg_link_columns_set_document (PlgLinkColumns *self, PlgDocument *document);
/* The cells anew, when the report is another. */
void plg_link_columns_fill (PlgLinkColumns *self);
/* So wide that the name and the first numbers are seen whole in ROOM, while the N links in ORDER
 * are listed; the name gives way first. */
void plg_link_columns_fit (PlgLinkColumns *self, const int *order, int n, int room);
GtkColumnViewColumn *plg_link_columns_get (PlgLinkColumns *self, PlgLinkColumn column);
/* The one to the right of COLUMN (-1: none), and after the last the first. */
GtkColumnViewColumn *plg_link_columns_next (PlgLinkColumns *self, int column);
/* The column that the view is sorted by, or -1. */
int plg_link_columns_sorted_by (PlgLinkColumns *self, gboolean *is_descending);
/* ORDER is said before the row that has the focus, until that is filled anew. */
void plg_link_columns_announce_order (PlgLinkColumns *self, const char *order);

G_END_DECLS
