/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Numbers the hosts of a file that has only names: as the file's comments list them, else as the
 * open plan numbers them, else in the order of their names. Returns FALSE with ERROR if a comment
 * lists a host out of order. */
gboolean
plg_rank_table_number_hosts (PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
