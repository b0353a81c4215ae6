/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/monospace.h"

G_BEGIN_DECLS

/* A table in monospace text. The names of rows are on the left; the columns of numbers are
 * right-aligned. */
typedef struct _PlgMonospaceTable PlgMonospaceTable;

/* Creates a table with COLUMNS columns, including the column of names. COLUMNS must be 2 or
 * more. */
PlgMonospaceTable *plg_monospace_table_new (int columns) G_GNUC_WARN_UNUSED_RESULT;
void plg_monospace_table_free (PlgMonospaceTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgMonospaceTable, plg_monospace_table_free)

/* Adds the next cell, row by row. TEXT is copied, sanitized and truncated if it is very long. */
void plg_monospace_table_add (PlgMonospaceTable *table, const char *text);
/* Adds the next cell like plg_monospace_table_add(), and frees TEXT. */
void plg_monospace_table_take (PlgMonospaceTable *table, char *text);
/* Returns whether all columns fit on one line. */
gboolean plg_monospace_table_fits (const PlgMonospaceTable *table);
/* Writes the table. Columns that do not fit on the line are written below the other columns, and
 * the row names are repeated there. */
void plg_monospace_table_write (const PlgMonospaceTable *table, GString *out);

G_END_DECLS
