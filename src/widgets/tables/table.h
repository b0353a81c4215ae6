/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small table of text; its first columns are left-aligned. Unchanged cells are skipped, so
 * that the table can be filled again at every pointer movement during a drag. */
#define PLG_TYPE_TABLE (plg_table_get_type ())
G_DECLARE_FINAL_TYPE (PlgTable, plg_table, PLG, TABLE, GtkWidget)

/* Sets the columns. The first LEFT columns are left-aligned, and the other columns are
 * right-aligned. */
void plg_table_set_columns (PlgTable *self, const char *const *titles, int left);
/* Sets the text of a cell. Missing rows are added. */
void plg_table_set_cell (PlgTable *self, int row, int column, const char *text);
/* Sets the accessible name of a row, which by default consists of the cells.
 * plg_table_enable_pointing() must have been called. */
void plg_table_set_accessible_name (PlgTable *self, int row, const char *text);
/* Sets whether ROW is a heading for the rows below it. */
void plg_table_set_heading (PlgTable *self, int row, gboolean heading);
void plg_table_set_n_rows (PlgTable *self, int n_rows);
int plg_table_get_n_rows (PlgTable *self);
/* Returns the titles and rows as text, one line each, with tabs between cells (transfer full). */
char *plg_table_to_text (PlgTable *self) G_GNUC_WARN_UNUSED_RESULT;

/* Makes rows focusable and clickable. Must be called before the first row is added. Signals:
 * "row-hovered" (row, or -1), "activated" (row) and "menu-requested" (row, x, y). */
void plg_table_enable_pointing (PlgTable *self);
/* Marks each row whose bit 1 << row is set in ROWS, and unmarks the others. Only the first 32
 * rows can be marked. */
void plg_table_mark_rows (PlgTable *self, guint rows);

G_END_DECLS
