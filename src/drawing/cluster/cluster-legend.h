/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* Adds the legend below or beside the cluster. */
void plg_cluster_add_legend (PlgClusterDrawing *drawing);

G_END_DECLS
