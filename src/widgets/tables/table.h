/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small table of text whose first columns are left-aligned. Filling skips unchanged cells, so
 * that every motion of a drag can fill the table. */
#define PLG_TYPE_TABLE (plg_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgTable, plg_table, PLG, TABLE, GtkWidget)

/* The first LEFT columns are left-aligned, the others right-aligned. */
void plg_table_set_columns (PlgTable *self, const char *const *titles, int left);
/* Sets the text of a cell and adds rows as needed. */
void plg_table_set_cell (PlgTable *self, int row, int column, const char *text);
/* Sets the accessible name of a row that handles the pointer, instead of its cells. */
void plg_table_set_accessible_name (PlgTable *self, int row, const char *text);
/* Makes ROW a heading of the rows below. */
void plg_table_set_heading (PlgTable *self, int row, gboolean heading);
void plg_table_set_n_rows (PlgTable *self, int n_rows);
int plg_table_get_n_rows (PlgTable *self);
/* Returns titles and rows, one line each, with tabs between cells (transfer full). */
char *plg_table_to_text (PlgTable *self) G_GNUC_WARN_UNUSED_RESULT;

/* Makes rows focusable and clickable; call before adding the first row. Signals: "row-hovered"
 * (row, or -1), "activated" (row) and "menu-requested" (row, x, y). */
void plg_table_enable_pointing (PlgTable *self);
/* Marks the rows whose bit 1 << ROW is set in ROWS, for the first 32 rows. */
void plg_table_mark_rows (PlgTable *self, guint rows);

G_END_DECLS
