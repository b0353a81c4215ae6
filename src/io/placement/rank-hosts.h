/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Numbers the hosts of a file that has host names but no numbers. Uses the list in the file's
 * comments if it is complete, otherwise the names in the open plan or default names. If these
 * names do not number all hosts, numbers the hosts in the order of their names. Returns FALSE
 * with ERROR if a comment lists a host out of order. */
gboolean
plg_rank_table_number_hosts (PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
