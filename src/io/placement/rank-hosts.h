/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Gives each row the number of its host, where the file has names alone: as its comments list them,
 * as the open plan has them, or in the order of the names. FALSE with ERROR for a host that is
 * listed out of turn. */
gboolean
plg_rank_table_number_hosts (PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
