/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Sets the degrees and the order from the coordinates in TABLE's rows, sorted by rank. Does
 * nothing if the rows have no coordinates. Returns FALSE with ERROR, which has the line, if no
 * nesting of the axes numbers the ranks as in the file. */
gboolean
plg_rank_order_import (const PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
