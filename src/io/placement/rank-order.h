/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "io/placement/rank-table.h"

G_BEGIN_DECLS

/* Tells READING the degrees and the order that the coordinates of TABLE's rows, which are sorted by
 * rank, were counted with; nothing where they have none. FALSE with ERROR, which has the line, when
 * no nested axes number the ranks so. */
gboolean
plg_rank_order_import (const PlgRankTable *table, PlgImportContext *context, GError **error);

G_END_DECLS
