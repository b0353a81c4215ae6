/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/letters.h"

G_BEGIN_DECLS

/* A table in letters of one width: what rows are about on the left, numbers to the right in their
 * columns. */
typedef struct _PlgLettersTable PlgLettersTable;

/* COLUMNS with that of the names, 2 or more. */
PlgLettersTable *plg_letters_table_new (int columns);
void plg_letters_table_free (PlgLettersTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlgLettersTable, plg_letters_table_free)

/* The next cell, row by row; TEXT is copied, made plain and, where it is very long, cut. */
void plg_letters_table_add (PlgLettersTable *table, const char *text);
/* Whether all columns are on one line. */
gboolean plg_letters_table_fits (const PlgLettersTable *table);
/* Columns that do not fit beside the others follow below, after the names again. */
void plg_letters_table_write (const PlgLettersTable *table, GString *out);

G_END_DECLS
