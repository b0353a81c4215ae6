/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The highlighted GPUs and links, and functions that look up ranks and groups. */

/* Highlights the GPUs and links of the highlighted entities. */
void plg_cluster_highlight (PlgClusterDrawing *drawing);
/* Exempts the selected GPU from dimming. */
void plg_cluster_highlight_selected (PlgClusterDrawing *drawing);
/* Returns whether everything that is not highlighted is dimmed. While the picture shows one
 * moment of the step, nothing is dimmed if only pins are highlighted. */
gboolean plg_cluster_has_dimmed (const PlgClusterDrawing *drawing);
gboolean plg_cluster_is_gpu_highlighted (const PlgClusterDrawing *drawing, int gpu);
gboolean plg_cluster_is_link_undimmed (const PlgClusterDrawing *drawing, int link);
/* Returns whether all GPUs in RANK's group of AXIS are highlighted for AXIS. */
gboolean
plg_cluster_is_group_highlighted (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
/* Returns whether link INDEX is highlighted because it is pinned, selected or on the route of a
 * highlighted entity. Returns FALSE if INDEX is -1. */
gboolean plg_cluster_is_link_highlighted (const PlgClusterDrawing *drawing, int index);
/* Returns COLOR if IS_LIT, otherwise COLOR mixed with the background. */
PlgColor plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit);

/* Returns the lowest rank of GROUP, or -1 if AXIS has no such group. */
int plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group);
/* Returns the rank of a GPU or handle, or the lowest rank of a group; -1 for other entities. */
int plg_cluster_rank_of (const PlgClusterDrawing *drawing, PlgEntity entity);
/* plg_cluster_link_end_gpus:
 * @first: (out): the GPU at the end of @link or, if @link is the link of a NIC, the first GPU
 *   that uses this NIC
 * @last: (out): the last GPU that uses the NIC; @first for other links
 *
 * Returns: %FALSE if no GPU is at the end of @link */
gboolean plg_cluster_link_end_gpus (const PlgClusterDrawing *drawing,
                                    const PlgLink *link,
                                    int *first,
                                    int *last);
/* Returns the GPUs (int) in RANK's group of AXIS, sorted by their index on AXIS. */
GArray *plg_cluster_group_gpus (const PlgClusterDrawing *drawing,
                                PlgAxis axis,
                                int rank) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
