/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The highlighted GPUs and links, and the lookup of ranks and groups. */

/* Highlights the GPUs and links of the highlighted entities. */
void plg_cluster_highlight (PlgClusterDrawing *drawing);
/* Keeps the selected GPU undimmed. */
void plg_cluster_highlight_selected (PlgClusterDrawing *drawing);
/* Whether the rest is dimmed. Pins alone dim nothing while a step is played. */
gboolean plg_cluster_has_dimmed (const PlgClusterDrawing *drawing);
gboolean plg_cluster_is_gpu_highlighted (const PlgClusterDrawing *drawing, int gpu);
gboolean plg_cluster_is_link_undimmed (const PlgClusterDrawing *drawing, int link);
/* Whether every GPU of the group of AXIS around RANK is highlighted for AXIS. */
gboolean
plg_cluster_is_group_highlighted (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
/* Whether the link INDEX, or -1, is highlighted: pinned, selected or on the route of a highlighted
 * entity. */
gboolean plg_cluster_is_link_highlighted (const PlgClusterDrawing *drawing, int index);
/* COLOR itself if IS_LIT, else COLOR mixed with the background. */
PlgColor plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit);

/* The lowest rank of a group, or -1. */
int plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group);
/* The rank of a GPU or handle, or the lowest rank of a group; -1 for other entities. */
int plg_cluster_rank_of (const PlgClusterDrawing *drawing, PlgEntity entity);
/* plg_cluster_link_end_gpus:
 * @first: (out): the first GPU at which @link ends or that uses the NIC of @link
 * @last: (out): the last such GPU
 *
 * Returns: %FALSE if @link has no such GPU
 */
gboolean plg_cluster_link_end_gpus (const PlgClusterDrawing *drawing,
                                    const PlgLink *link,
                                    int *first,
                                    int *last);
/* The GPUs of the group of AXIS around RANK, in the order of the axis. Array of int. */
GArray *plg_cluster_group_gpus (const PlgClusterDrawing *drawing,
                                PlgAxis axis,
                                int rank) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
