/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "document/document.h"
#include "widgets/tables/link-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The columns of the link table, with the visible and accessible text of each cell. */
#define PLG_TYPE_LINK_COLUMNS (plg_link_columns_get_type ())
G_DECLARE_FINAL_TYPE (PlgLinkColumns, plg_link_columns, PLG, LINK_COLUMNS, GObject)

/* Adds the columns to VIEW, whose items are PlgLinkItem. VIEW must outlive the columns. */
PlgLinkColumns *plg_link_columns_new (GtkColumnView *view) G_GNUC_WARN_UNUSED_RESULT;
/* Sets the document of the links; before, every cell is empty. */
void plg_link_columns_set_document (PlgLinkColumns *self, PlgDocument *document);
/* Fills every cell again after a change of the report. */
void plg_link_columns_fill (PlgLinkColumns *self);
/* Sizes the columns so that the name and the first numbers of the N links in ORDER fit into ROOM
 * [pixels]. The name shrinks first. */
void plg_link_columns_fit (PlgLinkColumns *self, const int *order, int n, int room);
GtkColumnViewColumn *plg_link_columns_get (PlgLinkColumns *self, PlgLinkColumn column);
/* Returns the column to the right of COLUMN (-1 for the first column), and the first column after
 * the last. */
GtkColumnViewColumn *plg_link_columns_next (PlgLinkColumns *self, int column);
/* Returns the sorting column of the view, or -1. */
int plg_link_columns_sorted_by (PlgLinkColumns *self, gboolean *is_descending);
/* Adds ORDER before the accessible text of the focused row, until the row is filled again. */
void plg_link_columns_announce_order (PlgLinkColumns *self, const char *order);

G_END_DECLS
