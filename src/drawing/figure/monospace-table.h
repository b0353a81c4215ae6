/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/figure/monospace.h"

G_BEGIN_DECLS

/* A table in monospace text: the names of rows on the left, right-aligned columns of numbers. */
typedef struct _PlgMonospaceTable PlgMonospaceTable;

/* COLUMNS is 2 or more, with the column of names. */
PlgMonospaceTable *plg_monospace_table_new (int columns) G_GNUC_WARN_UNUSED_RESULT;
void plg_monospace_table_free (PlgMonospaceTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgMonospaceTable, plg_monospace_table_free)

/* Adds the next cell, row by row. TEXT is copied, sanitized and, if it is very long, truncated. */
void plg_monospace_table_add (PlgMonospaceTable *table, const char *text);
/* The same, but frees TEXT. */
void plg_monospace_table_take (PlgMonospaceTable *table, char *text);
/* Whether all columns fit on one line. */
gboolean plg_monospace_table_fits (const PlgMonospaceTable *table);
/* Columns that do not fit beside the others follow below, after the names again. */
void plg_monospace_table_write (const PlgMonospaceTable *table, GString *out);

G_END_DECLS
