/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The highlighted GPUs and links, and functions that look up ranks and groups. */

/* Highlights the GPUs and links of the highlighted entities. */
void plg_cluster_highlight (PlgClusterDrawing *drawing);
/* Exempts the selected GPU from dimming. */
void plg_cluster_highlight_selected (PlgClusterDrawing *drawing);
/* Returns whether the rest of the cluster is dimmed. Pins alone dim nothing while a step is
 * played. */
gboolean plg_cluster_has_dimmed (const PlgClusterDrawing *drawing);
gboolean plg_cluster_is_gpu_highlighted (const PlgClusterDrawing *drawing, int gpu);
gboolean plg_cluster_is_link_undimmed (const PlgClusterDrawing *drawing, int link);
/* Returns whether every GPU of the group of AXIS to which RANK belongs is highlighted for AXIS. */
gboolean
plg_cluster_is_group_highlighted (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
/* Returns whether link INDEX, which may be -1, is highlighted: pinned, selected or on the route
 * of a highlighted entity. */
gboolean plg_cluster_is_link_highlighted (const PlgClusterDrawing *drawing, int index);
/* Returns COLOR if IS_LIT, otherwise COLOR mixed with the background. */
PlgColor plg_cluster_dim (const PlgClusterDrawing *drawing, PlgColor color, gboolean is_lit);

/* Returns the lowest rank of a group, or -1. */
int plg_cluster_first_rank (const PlgClusterDrawing *drawing, PlgAxis axis, int group);
/* Returns the rank of a GPU or handle, or the lowest rank of a group; -1 for other entities. */
int plg_cluster_rank_of (const PlgClusterDrawing *drawing, PlgEntity entity);
/* plg_cluster_link_end_gpus:
 * @first: (out): the first GPU at an end of @link, or the first GPU that uses the NIC of @link
 * @last: (out): the last such GPU
 *
 * Returns: %FALSE if @link has no such GPU */
gboolean plg_cluster_link_end_gpus (const PlgClusterDrawing *drawing,
                                    const PlgLink *link,
                                    int *first,
                                    int *last);
/* Returns the GPUs of the group of AXIS to which RANK belongs, in the order of the axis, as an
 * array of int. */
GArray *plg_cluster_group_gpus (const PlgClusterDrawing *drawing,
                                PlgAxis axis,
                                int rank) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
