/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The activities of GPUs and links at one time in the step. Without a snapshot, every axis and
 * every link counts as active. */

/* Takes the snapshot that the options request. */
void plg_cluster_set_snapshot (PlgClusterDrawing *drawing);
/* Returns the snapshot of STAGE, or NULL. */
const PlgStageSnapshot *plg_cluster_stage_snapshot (const PlgClusterDrawing *drawing, int stage);
gboolean plg_cluster_is_axis_active (const PlgClusterDrawing *drawing, PlgAxis axis, int rank);
gboolean plg_cluster_is_link_active (const PlgClusterDrawing *drawing, int link);
/* Returns the letter of the activity and, if there is one, the number of the micro-batch, for
 * example "F 12", "S" or "–". Free with g_free(). */
char *plg_cluster_activity_text (const PlgClusterDrawing *drawing, const PlgStageSnapshot *moment);
const char *plg_cluster_activity_title (const PlgClusterDrawing *drawing,
                                        const PlgStageSnapshot *moment);

G_END_DECLS
