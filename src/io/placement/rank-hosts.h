/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Numbers the hosts of a file that gives only names. The numbers come from the list in the
 * file's comments if it is complete, otherwise from the open plan or, if it lacks the hosts,
 * from the order of the names. Returns FALSE with ERROR if a comment lists a host out of order. */
gboolean
plg_rank_table_number_hosts (PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
