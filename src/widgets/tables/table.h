/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small table of text: the first column to the left, the others to the right. Cells that stay
 * the same are left alone, so that filling it at each movement of a drag is cheap. */
#define PLG_TYPE_TABLE (plg_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgTable, plg_table, PLG, TABLE, GtkWidget)

/* LEFT columns at the start of each row are aligned to the left. */
void plg_table_set_columns (PlgTable *self, const char *const *titles, int left);
/* Fills cell (ROW, COLUMN); rows come into being as they are filled. */
void plg_table_set_cell (PlgTable *self, int row, int column, const char *text);
/* What a screen reader says of a row that people can point at, instead of its cells. */
void plg_table_set_accessible_name (PlgTable *self, int row, const char *text);
/* Whether ROW stands above others as their title. */
void plg_table_set_heading (PlgTable *self, int row, gboolean heading);
void plg_table_set_n_rows (PlgTable *self, int n_rows);
int plg_table_get_n_rows (PlgTable *self);
/* Titles and rows, a line each, with tabs between the cells. Free with g_free(). */
char *plg_table_to_text (PlgTable *self);

/* Lets people point at rows, with the pointer or the focus, and press them; before the first row is
 * made. Signals "row-hovered" (row, or -1), "activated" (row) and "asked" (row, x, y): for
 * its menu, at that place. */
void plg_table_enable_pointing (PlgTable *self);
/* Rows with their bit 1 << ROW in ROWS are marked; of the first 32. */
void plg_table_mark_rows (PlgTable *self, guint rows);

G_END_DECLS
