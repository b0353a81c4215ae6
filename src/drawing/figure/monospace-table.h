/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/monospace.h"

G_BEGIN_DECLS

/* A table in letters of one width: what rows are about on the left, numbers to the right in their
 * columns. */
typedef struct _PlgMonospaceTable PlgMonospaceTable;

/* COLUMNS with that of the names, 2 or more. */
PlgMonospaceTable *plg_monospace_table_new (int columns);
void plg_monospace_table_free (PlgMonospaceTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgMonospaceTable, plg_monospace_table_free)

/* The next cell, row by row; TEXT is copied, made plain and, where it is very long, cut. */
void plg_monospace_table_add (PlgMonospaceTable *table, const char *text);
/* Whether all columns are on one line. */
gboolean plg_monospace_table_fits (const PlgMonospaceTable *table);
/* Columns that do not fit beside the others follow below, after the names again. */
void plg_monospace_table_write (const PlgMonospaceTable *table, GString *out);

G_END_DECLS
