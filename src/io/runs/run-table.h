/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A file of data/runs. The first row has the names of the columns. */
typedef struct
{
  GPtrArray *rows; /* element-type GPtrArray, of cells */
} PlgRunTable;

/* Reads FILE, such as "published.csv", which is compiled in. Ends the program if the file is wrong,
 * because this is a bug in the program. */
void plg_run_table_init (PlgRunTable *self, const char *file);
void plg_run_table_clear (PlgRunTable *self);

/* Returns the cell of COLUMN in ROW, from 1 to the number of rows - 1, or NULL if the table has no
 * such column. Owned by SELF. */
const char *plg_run_table_cell (const PlgRunTable *self, int row, const char *column);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlgRunTable, plg_run_table_clear)

G_END_DECLS
