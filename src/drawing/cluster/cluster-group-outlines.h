/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drawing/cluster/cluster-drawing.h"

G_BEGIN_DECLS

/* The outlines of groups and the tabs with the names of groups. */

typedef struct
{
  PlgEntity entity;
  PlgRect rect;
} PlgClusterGroupTab;

void plg_cluster_add_group_outlines (PlgClusterDrawing *drawing);
/* Returns, for each GPU, the axes that have a strong outline around the GPU, as bits 1 <<
 * PlgAxis. Returns NULL if there are no strong outlines. Free with g_free(). */
guint8 *plg_cluster_gpu_outline_axes (const PlgClusterDrawing *drawing) G_GNUC_WARN_UNUSED_RESULT;
/* Returns whether groups can be outlined. They cannot if GPUs are too small for outlines or have
 * no ranks. */
gboolean plg_cluster_can_outline (const PlgClusterDrawing *drawing);
/* Explains the thin outlines in the legend, if there are any. */
void plg_cluster_add_outline_note (const PlgClusterDrawing *drawing, PlgLegend *legend);

G_END_DECLS
