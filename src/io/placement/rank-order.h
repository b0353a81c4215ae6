/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Sets the degrees and the axis order from the coordinates in TABLE's rows, which are sorted by
 * rank. Does nothing if the rows have no coordinates. Returns FALSE if no nesting of the axes
 * gives the ranks the coordinates in the file; ERROR then has the line. */
gboolean
plg_rank_order_import (const PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
