/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The activities of GPUs and links at one moment of the step. Without a snapshot, every axis and
 * every link is treated as active. */

/* Takes the snapshot that the options request. */
void plg_cluster_set_snapshot (PlgClusterDrawing *drawing);
/* Returns the snapshot of STAGE, or NULL if the picture shows the whole step. */
const PlgStageSnapshot *plg_cluster_stage_snapshot (const PlgClusterDrawing *drawing, int stage);
gboolean plg_cluster_is_axis_active (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
gboolean plg_cluster_is_link_active (const PlgClusterDrawing *drawing, int link);
/* Returns the letter of MOMENT's activity, followed by the number of the micro-batch if there is
 * one, for example "F 12", "S" or "–". Free with g_free(). */
char *plg_cluster_activity_text (const PlgClusterDrawing *drawing, const PlgStageSnapshot *moment);
const char *plg_cluster_activity_title (const PlgClusterDrawing *drawing,
                                        const PlgStageSnapshot *moment);

G_END_DECLS
