/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/tables/link-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The columns of the link table, with the visible text and the accessible text of each cell. */
#define PLG_TYPE_LINK_COLUMNS (plg_link_columns_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkColumns, plg_link_columns, PLG, LINK_COLUMNS, GObject)

/* Adds the columns to VIEW, whose items are PlgLinkItem. VIEW must outlive the columns. */
PlgLinkColumns *plg_link_columns_new (GtkColumnView *view) G_GNUC_WARN_UNUSED_RESULT;
/* Sets the document that contains the links. Every cell is empty until a document is set. */
void plg_link_columns_set_document (PlgLinkColumns *self, PlgDocument *document);
/* Fills every cell again after a change in the report. */
void plg_link_columns_fill (PlgLinkColumns *self);
/* Sets the widths of the columns so that the names and the first numeric columns of the N links
 * in ORDER fit into ROOM [pixels]. The name column shrinks before a numeric column is left out. */
void plg_link_columns_fit (PlgLinkColumns *self, const int *order, int n, int room);
GtkColumnViewColumn *plg_link_columns_get (PlgLinkColumns *self, PlgLinkColumn column);
/* Returns the column to the right of COLUMN. After the last column, and if COLUMN is -1, returns
 * the first column. */
GtkColumnViewColumn *plg_link_columns_next (PlgLinkColumns *self, int column);
/* Returns the column by which the view is sorted, or -1. */
int plg_link_columns_sorted_by (PlgLinkColumns *self, gboolean *is_descending);
/* Adds ORDER, a description of the sort order, before the accessible text of the focused row.
 * ORDER is kept until the row is filled again. */
void plg_link_columns_announce_order (PlgLinkColumns *self, const char *order);

G_END_DECLS
